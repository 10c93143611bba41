"""cut: bytes and fields; expectations recorded from the GNU program."""

import random

import pytest

FILES = {
    "t": "a\tb\tc\nd\te\tf\nnone\n",
    "c": "a,b,c\n,x,\nnone\n1,2,3,4\n",
    "u": "héllo\nabc\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["cut", "-f1", "t"], "", "a\nd\nnone\n", "", 0),
    (["cut", "-f", "2", "t"], "", "b\ne\nnone\n", "", 0),
    (["cut", "-f1,3", "t"], "", "a\tc\nd\tf\nnone\n", "", 0),
    (["cut", "-f2-", "t"], "", "b\tc\ne\tf\nnone\n", "", 0),
    (["cut", "-f-2", "t"], "", "a\tb\nd\te\nnone\n", "", 0),
    (["cut", "-d,", "-f2", "c"], "", "b\nx\nnone\n2\n", "", 0),
    (["cut", "-d", ",", "-f", "2-3", "c"], "", "b,c\nx,\nnone\n2,3\n", "", 0),
    (["cut", "-d,", "-f5", "c"], "", "\n\nnone\n\n", "", 0),
    (["cut", "-s", "-d,", "-f2", "c"], "", "b\nx\n2\n", "", 0),
    (["cut", "-c1-3", "u"], "", "hé\nabc\n", "", 0),
    (["cut", "-c2", "u"], "", "\udcc3\nb\n", "", 0),
    (["cut", "-b1,3", "u"], "", "h\udca9\nac\n", "", 0),
    (["cut", "-c", "3-", "u"], "", "\udca9llo\nc\n", "", 0),
    (["cut", "-d,", "-f1,3", "--output-delimiter=:", "c"], "", "a:c\n:\nnone\n1:3\n", "", 0),
    (["cut", "-d,", "--complement", "-f2", "c"], "", "a,c\n,\nnone\n1,3,4\n", "", 0),
    (["cut", "--complement", "-c1", "u"], "", "éllo\nbc\n", "", 0),
    (["cut", "-c1-2,4-5", "--output-delimiter=:", "c"], "", "a,:,c\n,x\nno:e\n1,:,3\n", "", 0),
    (["cut", "-f0", "t"], "", "", "cut: fields are numbered from 1\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f", "t"], "", "", "cut: invalid field value ‘t’\nTry 'cut --help' for more information.\n", 1),
    (["cut", "t"], "", "", "cut: you must specify a list of bytes, characters, or fields\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f1", "-c1", "t"], "", "", "cut: only one list may be specified\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f", "3-1", "t"], "", "", "cut: invalid decreasing range\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-d", "ab", "-f1", "c"], "", "", "cut: the delimiter must be a single character\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f", "x", "t"], "", "", "cut: invalid field value ‘x’\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-c", "x", "t"], "", "", "cut: invalid byte/character position ‘x’\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f", "-", "t"], "", "", "cut: invalid range with no endpoint: -\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-d,", "-c1", "c"], "", "", "cut: an input delimiter may be specified only when operating on fields\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-s", "-c1", "c"], "", "", "cut: suppressing non-delimited lines makes sense\n\tonly when operating on fields\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f1", "missing", "t"], "", "a\nd\nnone\n", "cut: missing: No such file or directory\n", 1),
    (["cut", "-d:", "-f1"], "a:b\nc", "a\nc\n", "", 0),
    (["cut", "-f2"], "a\tb", "b\n", "", 0),
    (["cut", "-f1", "e"], "", "", "", 0),
    (["cut", "-c1,1,1", "c"], "", "a\n,\nn\n1\n", "", 0),
    (["cut", "-d,", "-f3,1", "c"], "", "a,c\n,\nnone\n1,3\n", "", 0),
    (["cut", "-d,", "-f1-2,2-3", "c"], "", "a,b,c\n,x,\nnone\n1,2,3\n", "", 0),
    (["cut", "-d", " ", "-f", "2", "t"], "", "a\tb\tc\nd\te\tf\nnone\n", "", 0),
    (["cut", "-c", "0", "c"], "", "", "cut: byte/character positions are numbered from 1\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-f", "1-2-3", "t"], "", "", "cut: invalid field range\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-b", "2-,1", "u"], "", "héllo\nabc\n", "", 0),
    (["cut", "--fields=1", "t"], "", "a\nd\nnone\n", "", 0),
    (["cut", "-z", "-f1", "-d:"], "a:b\x00c:d\x00", "a\x00c\x00", "", 0),
    (["cut", "-d", "", "-f1", "c"], "", "a,b,c\n,x,\nnone\n1,2,3,4\n", "", 0),
    (["cut", "-f1,x", "t"], "", "", "cut: invalid field value ‘x’\nTry 'cut --help' for more information.\n", 1),
    (["cut", "-c", "-2", "u"], "", "h\udcc3\nab\n", "", 0),
    (["cut", "-f1,2", "--output-delimiter=", "t"], "", "a\x00b\nd\x00e\nnone\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_cut(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


@pytest.mark.parametrize("end", [b"\n", b"\0"])
@pytest.mark.parametrize(("first", "last"), [(0, 2), (1, 2), (0, 3), (2, 3), (3, 3)])
def test_lines_that_make_a_table_are_cut_as_others_are(utility, first, last, end):
    """All fields of a table are found at once; one line more, or one field elsewhere, and each line is cut for itself."""
    source = random.Random(first * 7 + last)
    rows = [[source.choice([b"", b"a", b"bc", b"\xff", b"\n\0".replace(end, b"")]) for _ in range(4)] for _ in range(300)]
    table = b"".join(b",".join(row) + end for row in rows)
    moved = b"".join(b",".join(row) + end for row in [*rows, [b"x", b"y"], [b"x", b"y", b"z", b"", b"", b""]])
    options = ["cut", "-d,", f"-f{first + 1},{last + 1}", *(["-z"] if end == b"\0" else [])]
    for data in (table, table[:-1], moved):
        lines = [line.split(b",") for line in data.removesuffix(end).split(end)]
        chosen = sorted({first, last})
        expected = b"".join(b",".join([line[index] for index in chosen if index < len(line)]) + end for line in lines)
        outcome = utility(*options, stdin=data)
        assert outcome.stdout.encode("utf-8", "surrogateescape") == expected


def test_the_rest_of_a_line_from_a_field_on(utility):
    """A line without the delimiter is whole, one with too few fields is empty."""
    data = b"a,b,c\n,,\nnone\nx,y\n"
    assert utility("cut", "-d,", "-f3-", stdin=data[:6]).stdout == "c\n"
    assert utility("cut", "-d,", "-f3-", stdin=data).stdout == "c\n\nnone\n\n"
    assert utility("cut", "-d,", "-f2-", "--output-delimiter=:", stdin=data).stdout == "b:c\n:\nnone\ny\n"
