"""join: files joined by a field; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "1 a x\n2 b y\n3 c z\n",
    "b": "1 A\n2 B\n2 BB\n4 D\n",
    "c": "x,1\ny,2\n",
    "d": "1,p\n2,q\n",
    "u": "2 x\n1 y\n",
    "h1": "id n\n1 a\n",
    "h2": "id m\n1 b\n",
    "i": "A 1\nb 2\n",
    "j": "a x\nB y\n",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["join", "a", "b"], "", "1 a x A\n2 b y B\n2 b y BB\n", "", 0),
    (["join", "-a1", "a", "b"], "", "1 a x A\n2 b y B\n2 b y BB\n3 c z\n", "", 0),
    (["join", "-a2", "a", "b"], "", "1 a x A\n2 b y B\n2 b y BB\n4 D\n", "", 0),
    (["join", "-a1", "-a2", "a", "b"], "", "1 a x A\n2 b y B\n2 b y BB\n3 c z\n4 D\n", "", 0),
    (["join", "-v1", "a", "b"], "", "3 c z\n", "", 0),
    (["join", "-v2", "a", "b"], "", "4 D\n", "", 0),
    (["join", "-v1", "-v2", "a", "b"], "", "3 c z\n4 D\n", "", 0),
    (["join", "-1", "2", "-2", "1", "-t,", "c", "d"], "", "1,x,p\n2,y,q\n", "", 0),
    (["join", "-t,", "-1", "2", "c", "d"], "", "1,x,p\n2,y,q\n", "", 0),
    (["join", "-o", "1.1,2.2", "a", "b"], "", "1 A\n2 B\n2 BB\n", "", 0),
    (["join", "-o", "0,1.3,2.2", "a", "b"], "", "1 x A\n2 y B\n2 y BB\n", "", 0),
    (["join", "-a1", "-e", "NA", "-o", "0,1.2,2.2", "a", "b"], "", "1 a A\n2 b B\n2 b BB\n3 c NA\n", "", 0),
    (["join", "-a1", "-a2", "-e", "-", "-o", "auto", "a", "b"], "", "1 a x A\n2 b y B\n2 b y BB\n3 c z -\n4 - - D\n", "", 0),
    (["join", "-j", "1", "a", "b"], "", "1 a x A\n2 b y B\n2 b y BB\n", "", 0),
    (["join", "u", "a"], "", "2 x b y\n", "join: u:2: is not sorted: 1 y\njoin: input is not in sorted order\n", 1),
    (["join", "--check-order", "u", "a"], "", "", "join: u:2: is not sorted: 1 y\n", 1),
    (["join", "--nocheck-order", "u", "a"], "", "2 x b y\n", "", 0),
    (["join", "--header", "h1", "h2"], "", "id n m\n1 a b\n", "", 0),
    (["join", "-i", "i", "j"], "", "A 1 x\nb 2 y\n", "", 0),
    (["join", "a"], "", "", "join: missing operand after ‘a’\nTry 'join --help' for more information.\n", 1),
    (["join"], "", "", "join: missing operand\nTry 'join --help' for more information.\n", 1),
    (["join", "a", "b", "c"], "", "", "join: extra operand 'c'\nTry 'join --help' for more information.\n", 1),
    (["join", "a", "missing"], "", "", "join: missing: No such file or directory\n", 1),
    (["join", "-1", "0", "a", "b"], "", "", "join: invalid field number: ‘0’\n", 1),
    (["join", "-o", "3.1", "a", "b"], "", "", "join: invalid file number in field spec: ‘3.1’\n", 1),
    (["join", "-o", "1.0", "a", "b"], "", "", "join: invalid field number: ‘0’\n", 1),
    (["join", "-t", "ab", "a", "b"], "", "", "join: multi-character tab ‘ab’\n", 1),
    (["join", "e", "a"], "", "", "", 0),
    (["join", "-a2", "e", "a"], "", "1 a x\n2 b y\n3 c z\n", "", 0),
    (["join", "-", "b"], "1 q\n", "1 q A\n", "", 0),
    (["join", "-a", "3", "a", "b"], "", "", "join: invalid field number: ‘3’\n", 1),
    (["join", "-1", "2", "a", "b"], "", "", "", 0),
    (["join", "-o", "1.2", "-o", "2.2", "a", "b"], "", "a A\nb B\nb BB\n", "", 0),
    (["join", "-j2", "a", "a"], "", "a 1 x 1 x\nb 2 y 2 y\nc 3 z 3 z\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_join(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
