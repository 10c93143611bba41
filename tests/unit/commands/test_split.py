"""split: pieces of a file; expectations recorded from the GNU program."""

import pytest

FILES = {
    "n": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
    "e": "",
    "l": "aa\nbbbb\ncc\ndddddddd\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["split", "-l", "0", "n"], "", "", "split: invalid number of lines: ‘0’: Numerical result out of range\n", 1),
    (["split", "-l", "x", "n"], "", "", "split: invalid number of lines: ‘x’\n", 1),
    (["split", "-b", "0", "n"], "", "", "split: invalid number of bytes: ‘0’: Numerical result out of range\n", 1),
    (["split", "-n", "0", "n"], "", "", "split: invalid number of chunks: ‘0’: Numerical result out of range\n", 1),
    (["split", "missing"], "", "", "split: cannot open 'missing' for reading: No such file or directory\n", 1),
    (["split", "-l", "2", "-b", "3", "n"], "", "", "split: cannot split in more than one way\nTry 'split --help' for more information.\n", 1),
    (["split", "n", "a", "b"], "", "", "split: extra operand ‘b’\nTry 'split --help' for more information.\n", 1),
    (["split", "-n", "2/3", "n"], "", "\n5\n6\n7\n", "", 0),
    (["split", "-n", "l/1/2", "l"], "", "aa\nbbbb\ncc\n", "", 0),
    (["split", "--verbose", "-l", "5", "n"], "", "creating file 'xaa'\ncreating file 'xab'\n", "", 0),
    (["split", "-a", "1", "-l", "1", "n", "y"], "", "", "", 0),
    (["split", "-n", "4/3", "n"], "", "", "split: invalid chunk number: ‘4’: Numerical result out of range\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_split(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


PIECES = [
    (["-l", "4", "n"], {"xaa": "1\n2\n3\n4\n", "xab": "5\n6\n7\n8\n", "xac": "9\n10\n"}),
    (["-4", "n", "p."], {"p.aa": "1\n2\n3\n4\n", "p.ab": "5\n6\n7\n8\n", "p.ac": "9\n10\n"}),
    (["-b", "8", "n"], {"xaa": "1\n2\n3\n4\n", "xab": "5\n6\n7\n8\n", "xac": "9\n10\n"}),
    (["-d", "-l", "5", "n"], {"x00": "1\n2\n3\n4\n5\n", "x01": "6\n7\n8\n9\n10\n"}),
    (["-n", "2", "n"], {"xaa": "1\n2\n3\n4\n5\n", "xab": "6\n7\n8\n9\n10\n"}),
    (["-n", "l/2", "l"], {"xaa": "aa\nbbbb\ncc\n", "xab": "dddddddd\n"}),
    (["-n", "r/2", "l"], {"xaa": "aa\ncc\n", "xab": "bbbb\ndddddddd\n"}),
    (["-C", "8", "l"], {"xaa": "aa\nbbbb\n", "xab": "cc\n", "xac": "dddddddd", "xad": "\n"}),
    (["-a", "3", "-l", "9", "--additional-suffix=.t", "n"], {"xaaa.t": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "xaab.t": "10\n"}),
]


@pytest.mark.parametrize(("words", "pieces"), PIECES)
def test_pieces(utility, words, pieces):
    for path, content in FILES.items():
        utility.write(path, content)
    assert utility("split", *words).status == 0
    assert {name: utility.read(name) for name in utility.fs.listdir(utility.cwd) if name not in FILES} == pieces


def test_the_suffix_grows_before_it_runs_out(utility):
    utility("split", "-l", "1", stdin="x\n" * 700)
    names = sorted(name for name in utility.fs.listdir(utility.cwd))
    assert (len(names), names[649], names[650]) == (700, "xyz", "xzaaa")


CHUNKS = [
    (["-n", "3", "s"], {"xaa": "ab", "xab": "cd", "xac": "efgh"}),
    (["-n", "5", "t"], {"xaa": "a", "xab": "b", "xac": "c", "xad": "", "xae": ""}),
    (["-e", "-n", "5", "t"], {"xaa": "a", "xab": "b", "xac": "c"}),
]


@pytest.mark.parametrize(("words", "pieces"), CHUNKS, ids=[" ".join(words) for words, _ in CHUNKS])
def test_chunks_have_a_byte_at_least_and_the_last_has_the_rest(utility, words, pieces):
    utility.write("s", "abcdefgh")
    utility.write("t", "abc")
    assert utility("split", *words).status == 0
    assert {path: utility.read(path) for path in pieces} == pieces
    assert len(utility("ls").stdout.split()) == len(pieces) + 2


def test_the_size_of_a_pipe_is_not_known(utility):
    outcome = utility("split", "-n", "3", stdin=b"abc")
    assert (outcome.stderr, outcome.status) == ("split: -: cannot determine file size\n", 1)
