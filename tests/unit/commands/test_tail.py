"""tail: the last lines or bytes; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "one\ntwo\nthree\n",
    "b": "x\ny",
    "n": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n",
    "e": "",
    "sub/f": "in\n",
    "v": "a\tb\x01\x7f\x80é\r\nz\n",
    "blank": "\n\n\na\n\n\nb\n\n",
    "u": "héllo wörld\n日本\n",
    "words": "  two  words \n\ttab\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["tail", "n"], "", "21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n", "", 0),
    (["tail", "-n", "3", "n"], "", "28\n29\n30\n", "", 0),
    (["tail", "-3", "n"], "", "28\n29\n30\n", "", 0),
    (["tail", "-n", "+28", "n"], "", "28\n29\n30\n", "", 0),
    (["tail", "+29", "n"], "", "29\n30\n", "", 0),
    (["tail", "-c", "5", "n"], "", "9\n30\n", "", 0),
    (["tail", "-c", "+80", "n"], "", "0\n", "", 0),
    (["tail", "-n", "0", "n"], "", "", "", 0),
    (["tail", "-n", "1", "b"], "", "y", "", 0),
    (["tail", "-n", "2", "b"], "", "x\ny", "", 0),
    (["tail", "-n", "5", "b"], "", "x\ny", "", 0),
    (["tail", "-n", "1", "a", "b"], "", "==> a <==\nthree\n\n==> b <==\ny", "", 0),
    (["tail", "-q", "-n", "1", "a", "b"], "", "three\ny", "", 0),
    (["tail", "-v", "-n", "1", "a"], "", "==> a <==\nthree\n", "", 0),
    (["tail", "-n", "1", "missing", "a"], "", "==> a <==\nthree\n", "tail: cannot open 'missing' for reading: No such file or directory\n", 1),
    (["tail", "-n", "x", "a"], "", "", "tail: invalid number of lines: ‘x’\n", 1),
    (["tail", "-n", "1"], "q\nw\n", "w\n", "", 0),
    (["tail", "-c", "0", "a"], "", "", "", 0),
    (["tail", "-n", "+0", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["tail", "-n", "+1", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["tail", "-n", "-2", "a"], "", "two\nthree\n", "", 0),
    (["tail", "-z", "-n", "1", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["tail", "-n", "100", "n"], "", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n", "", 0),
    (["tail", "e"], "", "", "", 0),
    (["tail", "-n", "1", "blank"], "", "\n", "", 0),
    (["tail", "-n", "3", "blank"], "", "\nb\n\n", "", 0),
    (["tail", "-2c", "a"], "", "e\n", "", 0),
    (["tail", "--lines=1", "a"], "", "three\n", "", 0),
    (["tail", "-n", "1", "sub"], "", "", "tail: error reading 'sub': Is a directory\n", 1),
    (["tail", "-n", "+100", "a"], "", "", "", 0),
    (["tail", "-c", "+2", "b"], "", "\ny", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_tail(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


@pytest.mark.parametrize("last", ["", "x\n", "x", "\n\n"])
@pytest.mark.parametrize("count", [0, 1, 2, 63, 64, 65, 9000, 50_000])
def test_the_last_of_many_lines(utility, count, last):
    text = "".join(f"{number}\n" for number in range(30_000)) + last
    lines = text.splitlines(keepends=True)
    assert utility("tail", "-n", str(count), stdin=text.encode()).stdout == "".join(lines[len(lines) - min(count, len(lines)) :])
