"""sort: keys, orders and checks; expectations recorded from the GNU program."""

import random

import pytest

FILES = {
    "f": "b 10 x\na 9 y\nC 2 z\nb 10 a\n\n 8\n",
    "n": "10\n9\n-5\n1.5\n1.25\nabc\n\n007\n 3\n+4\n1e3\n",
    "h": "1K\n2M\n500\n1G\n-3K\n0\n1.5K\n",
    "m": "mar\nJan\nxyz\nDEC 5\n feb\n",
    "v": "f1.10\nf1.9\nf1.2.tar.gz\nf1.2\na~1\na1\n.x\nv2.0~rc1\nv2.0\nb10\nb9\nb09\n",
    "c": "x,3,b\ny,1,a\nz,2,b\nw,10,a\n",
    "s": "1\n2\n3\n",
    "p": "root:x:0:0\nbin:x:2:2\nu:x:1000:1\nd:x:1:1\n",
    "k": "aa bb  cc\nab  ab cc\nba aa dd\n",
    "d": "a\nb\na\nA\nB\na\n",
    "z": "c\x00a\x00b\x00",
    "g": "1e3\n1e2\n-inf\nnan\nx\n0x10\n5\n",
    "di": "a-b\nab\na b\na_c\n",
    "t": "a b",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["sort", "f"], "", "\n 8\nC 2 z\na 9 y\nb 10 a\nb 10 x\n", "", 0),
    (["sort", "-r", "f"], "", "b 10 x\nb 10 a\na 9 y\nC 2 z\n 8\n\n", "", 0),
    (["sort", "-n", "n"], "", "-5\n\n+4\nabc\n1e3\n1.25\n1.5\n 3\n007\n9\n10\n", "", 0),
    (["sort", "-nr", "n"], "", "10\n9\n007\n 3\n1.5\n1.25\n1e3\nabc\n+4\n\n-5\n", "", 0),
    (["sort", "-g", "g"], "", "x\nnan\n-inf\n5\n0x10\n1e2\n1e3\n", "", 0),
    (["sort", "-h", "h"], "", "-3K\n0\n500\n1K\n1.5K\n2M\n1G\n", "", 0),
    (["sort", "-hr", "h"], "", "1G\n2M\n1.5K\n1K\n500\n0\n-3K\n", "", 0),
    (["sort", "-M", "m"], "", "xyz\nJan\n feb\nmar\nDEC 5\n", "", 0),
    (["sort", "-V", "v"], "", ".x\na~1\na1\nb09\nb9\nb10\nf1.2\nf1.2.tar.gz\nf1.9\nf1.10\nv2.0~rc1\nv2.0\n", "", 0),
    (["sort", "-fV", "v"], "", ".x\na~1\na1\nb09\nb9\nb10\nf1.2\nf1.2.tar.gz\nf1.9\nf1.10\nv2.0~rc1\nv2.0\n", "", 0),
    (["sort", "-Vr", "v"], "", "v2.0\nv2.0~rc1\nf1.10\nf1.9\nf1.2.tar.gz\nf1.2\nb10\nb9\nb09\na1\na~1\n.x\n", "", 0),
    (["sort", "-t,", "-k2", "c"], "", "y,1,a\nw,10,a\nz,2,b\nx,3,b\n", "", 0),
    (["sort", "-t,", "-k2n", "c"], "", "y,1,a\nz,2,b\nx,3,b\nw,10,a\n", "", 0),
    (["sort", "-t,", "-k2,2n", "c"], "", "y,1,a\nz,2,b\nx,3,b\nw,10,a\n", "", 0),
    (["sort", "-t,", "-k3,3", "-k2,2n", "c"], "", "y,1,a\nw,10,a\nz,2,b\nx,3,b\n", "", 0),
    (["sort", "-t,", "-k3,3", "-k2,2nr", "c"], "", "w,10,a\ny,1,a\nx,3,b\nz,2,b\n", "", 0),
    (["sort", "-t,", "-k3", "-r", "c"], "", "z,2,b\nx,3,b\ny,1,a\nw,10,a\n", "", 0),
    (["sort", "-t:", "-k3n", "p"], "", "root:x:0:0\nd:x:1:1\nbin:x:2:2\nu:x:1000:1\n", "", 0),
    (["sort", "-t", ":", "-k", "4,4n", "-k", "3r", "p"], "", "root:x:0:0\nd:x:1:1\nu:x:1000:1\nbin:x:2:2\n", "", 0),
    (["sort", "-k2", "k"], "", "ab  ab cc\nba aa dd\naa bb  cc\n", "", 0),
    (["sort", "-k2b", "k"], "", "ba aa dd\nab  ab cc\naa bb  cc\n", "", 0),
    (["sort", "-b", "-k2", "k"], "", "ba aa dd\nab  ab cc\naa bb  cc\n", "", 0),
    (["sort", "-k2,2", "k"], "", "ab  ab cc\nba aa dd\naa bb  cc\n", "", 0),
    (["sort", "-k1.2,1.2", "k"], "", "aa bb  cc\nba aa dd\nab  ab cc\n", "", 0),
    (["sort", "-k2.2b,2.3b", "k"], "", "ba aa dd\naa bb  cc\nab  ab cc\n", "", 0),
    (["sort", "-k3", "f"], "", "\n 8\nb 10 a\nb 10 x\na 9 y\nC 2 z\n", "", 0),
    (["sort", "-u", "d"], "", "A\nB\na\nb\n", "", 0),
    (["sort", "-uf", "d"], "", "a\nb\n", "", 0),
    (["sort", "-f", "d"], "", "A\na\na\na\nB\nb\n", "", 0),
    (["sort", "-fs", "d"], "", "a\na\nA\na\nb\nB\n", "", 0),
    (["sort", "-c", "s"], "", "", "", 0),
    (["sort", "-c", "d"], "", "", "sort: d:3: disorder: a\n", 1),
    (["sort", "-C", "d"], "", "", "", 1),
    (["sort", "-cu", "d"], "", "", "sort: d:3: disorder: a\n", 1),
    (["sort", "-s", "-k1,1", "f"], "", "\n 8\nC 2 z\na 9 y\nb 10 x\nb 10 a\n", "", 0),
    (["sort", "-m", "s", "s"], "", "1\n1\n2\n2\n3\n3\n", "", 0),
    (["sort", "-o", "out", "f"], "", "", "", 0),
    (["sort", "-", "s"], "0\n5\n", "0\n1\n2\n3\n5\n", "", 0),
    (["sort"], "b\na", "a\nb\n", "", 0),
    (["sort", "-z", "z"], "", "a\x00b\x00c\x00", "", 0),
    (["sort", "missing"], "", "", "sort: cannot read: missing: No such file or directory\n", 2),
    (["sort", "s", "missing"], "", "", "sort: cannot read: missing: No such file or directory\n", 2),
    (["sort", "-k", "0", "f"], "", "", "sort: field number is zero: invalid field specification ‘0’\n", 2),
    (["sort", "-k", "x", "f"], "", "", "sort: invalid number at field start: invalid count at start of ‘x’\n", 2),
    (["sort", "-k1,x", "f"], "", "", "sort: invalid number after ',': invalid count at start of ‘x’\n", 2),
    (["sort", "-k1.0", "f"], "", "", "sort: character offset is zero: invalid field specification ‘1.0’\n", 2),
    (["sort", "-k1q", "f"], "", "", "sort: stray character in field spec: invalid field specification ‘1q’\n", 2),
    (["sort", "-t", "ab", "f"], "", "", "sort: multi-character tab ‘ab’\n", 2),
    (["sort", "-ng", "n"], "", "", "sort: options '-gn' are incompatible\n", 2),
    (["sort", "-dn", "n"], "", "", "sort: options '-dn' are incompatible\n", 2),
    (["sort", "-d", "di"], "", "a b\na-b\nab\na_c\n", "", 0),
    (["sort", "-i", "di"], "", "a b\na-b\na_c\nab\n", "", 0),
    (["sort", "-df", "di"], "", "a b\na-b\nab\na_c\n", "", 0),
    (["sort", "--sort=numeric", "n"], "", "-5\n\n+4\nabc\n1e3\n1.25\n1.5\n 3\n007\n9\n10\n", "", 0),
    (["sort", "--sort=foo", "n"], "", "", "sort: invalid argument ‘foo’ for ‘--sort’\nValid arguments are:\n  - ‘general-numeric’\n  - ‘human-numeric’\n  - ‘month’\n  - ‘numeric’\n  - ‘random’\n  - ‘version’\nTry 'sort --help' for more information.\n", 1),
    (["sort", "-nu", "n"], "", "-5\nabc\n1e3\n1.25\n1.5\n 3\n007\n9\n10\n", "", 0),
    (["sort", "-rn", "-k2", "f"], "", "b 10 x\nb 10 a\na 9 y\nC 2 z\n 8\n\n", "", 0),
    (["sort", "-k2nr", "f"], "", "b 10 a\nb 10 x\na 9 y\nC 2 z\n\n 8\n", "", 0),
    (["sort", "-k2,2nr", "-k1,1", "f"], "", "b 10 a\nb 10 x\na 9 y\nC 2 z\n\n 8\n", "", 0),
    (["sort", "--key=2", "f"], "", "\n 8\nb 10 a\nb 10 x\nC 2 z\na 9 y\n", "", 0),
    (["sort", "--reverse", "s"], "", "3\n2\n1\n", "", 0),
    (["sort", "+1", "f"], "", "\n 8\nb 10 a\nb 10 x\nC 2 z\na 9 y\n", "", 0),
    (["sort", "+1", "-2", "f"], "", "\n 8\nb 10 a\nb 10 x\nC 2 z\na 9 y\n", "", 0),
    (["sort", "-n", "-r", "-u", "n"], "", "10\n9\n007\n 3\n1.5\n1.25\n1e3\nabc\n-5\n", "", 0),
    (["sort", "-k1,1", "-u", "f"], "", "\n 8\nC 2 z\na 9 y\nb 10 x\n", "", 0),
    (["sort", "-t,", "-k2,2", "-k1r", "c"], "", "y,1,a\nw,10,a\nz,2,b\nx,3,b\n", "", 0),
    (["sort", "--parallel=2", "s"], "", "1\n2\n3\n", "", 0),
    (["sort", "-S", "1M", "s"], "", "1\n2\n3\n", "", 0),
    (["sort", "-Q", "s"], "", "", "sort: invalid option -- 'Q'\nTry 'sort --help' for more information.\n", 2),
    (["sort", "-c", "s", "d"], "", "", "sort: extra operand 'd' not allowed with -c\n", 2),
    (["sort", "-t", ",", "-k1.1,1.1", "c"], "", "w,10,a\nx,3,b\ny,1,a\nz,2,b\n", "", 0),
    (["sort", "-k5", "f"], "", "\n 8\nC 2 z\na 9 y\nb 10 a\nb 10 x\n", "", 0),
    (["sort", "t"], "", "a b\n", "", 0),
    (["sort", "--check=quiet", "d"], "", "", "", 1),
    (["sort", "-r", "-s", "-k2,2", "f"], "", "a 9 y\nC 2 z\nb 10 x\nb 10 a\n\n 8\n", "", 0),
    (["sort", "-k", "2,1", "f"], "", "\n 8\nC 2 z\na 9 y\nb 10 a\nb 10 x\n", "", 0),
    (["sort", "-nk2", "f"], "", "\n 8\nC 2 z\na 9 y\nb 10 a\nb 10 x\n", "", 0),
    (["sort", "-t,", "c", "-k2n"], "", "y,1,a\nz,2,b\nx,3,b\nw,10,a\n", "", 0),
    (["sort", "-c", "-n", "n"], "", "", "sort: n:2: disorder: 9\n", 1),
    (["sort", "-fu", "d"], "", "a\nb\n", "", 0),
    (["sort", "-t", "\\0", "z"], "", "c\x00a\x00b\x00\n", "", 0),
    (["sort", "-t", "", "c"], "", "", "sort: empty tab\n", 2),
    (["sort", "."], "", "", "sort: read failed: .: Is a directory\n", 2),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_sort(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


@pytest.mark.parametrize(
    "options",
    [[], ["-r"], ["-ru"], ["-n"], ["-nu"], *(pytest.param([more], marks=pytest.mark.thorough) for more in ("-u", "-nr"))],
)
@pytest.mark.parametrize("different", [40, pytest.param(20_000, marks=pytest.mark.thorough), 10_000_000])
def test_many_lines(utility, options, different):
    """Few different lines, many that recur, and none that does; with numbers that many lines share."""
    source = random.Random(different)
    lines = [f"{number % 5000} {number}" for number in (source.randrange(different) for _ in range(70_000))]
    letters = "".join(options)
    expected = sorted(lines)
    if "n" in letters:
        expected.sort(key=lambda line: int(line.split()[0]))
    if "r" in letters:
        expected.reverse()
    if "u" in letters and "n" in letters:
        expected = sorted({int(line.split()[0]): line for line in reversed(lines)}.items())
        expected = [line for _, line in expected]
    elif "u" in letters:
        expected = list(dict.fromkeys(expected))
    outcome = utility("sort", *options, stdin="".join(f"{line}\n" for line in lines).encode())
    assert outcome.stdout.splitlines() == expected
