"""fold: wrapped lines; expectations recorded from the GNU program."""

import pytest

from bashkit import Bash

FILES = {
    "a": "the quick brown fox jumps over the lazy dog\nshort\n",
    "t": "a\tbcdefghij\tk\n",
    "e": "",
    "u": "héllo wörld\n",
    "b": "ab\x08cd\n",
    "l": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["fold", "-w", "10", "a"], "", "the quick \nbrown fox \njumps over\n the lazy \ndog\nshort\n", "", 0),
    (["fold", "-s", "-w", "10", "a"], "", "the quick \nbrown fox \njumps \nover the \nlazy dog\nshort\n", "", 0),
    (["fold", "-w10", "t"], "", "a\tbc\ndefghij\tk\n", "", 0),
    (["fold", "-bw", "5", "t"], "", "a\tbcd\nefghi\nj\tk\n", "", 0),
    (["fold", "l"], "", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nxxxxxxxxxxxxxxxxxxxx\n", "", 0),
    (["fold", "-20", "a"], "", "the quick brown fox \njumps over the lazy \ndog\nshort\n", "", 0),
    (["fold", "-w", "5", "u"], "", "héll\no wö\nrld\n", "", 0),
    (["fold", "-b", "-w", "5", "u"], "", "héll\no wö\nrld\n", "", 0),
    (["fold", "e"], "", "", "", 0),
    (["fold", "-s", "-w", "3", "a"], "", "the\n \nqui\nck \nbro\nwn \nfox\n \njum\nps \nove\nr \nthe\n \nlaz\ny \ndog\nsho\nrt\n", "", 0),
    (["fold", "-w", "0", "a"], "", "", "fold: invalid number of columns: ‘0’: Numerical result out of range\n", 1),
    (["fold", "-w", "x", "a"], "", "", "fold: invalid number of columns: ‘x’\n", 1),
    (["fold", "missing", "a"], "", "the quick brown fox jumps over the lazy dog\nshort\n", "fold: missing: No such file or directory\n", 1),
    (["fold", "-w", "2"], "abcde", "ab\ncd\ne", "", 0),
    (["fold", "-w", "1", "b"], "", "a\nb\x08c\nd\n", "", 0),
    (["fold", "-sw", "20", "a"], "", "the quick brown fox \njumps over the lazy \ndog\nshort\n", "", 0),
    (["fold", "-w", "9", "t"], "", "a\tb\ncdefghij\n\tk\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_fold(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


def test_a_line_without_an_end_is_folded_as_it_comes():
    assert Bash().execute_sync("tr -dc a-z < /dev/urandom | fold -w 8 | head -n 1 | wc -c").stdout == "9\n"
    assert Bash().execute_sync("yes | tr '\\n' ' ' | fold -sw 7 | head -n 2").stdout == "y y y \ny y y \n"


def test_a_long_line_is_folded_as_a_short_one():
    done = Bash().execute_sync(
        "seq -s '' 20000 > f; fold -w 7 f | tail -n 1; fold -w 7 f | wc -l; fold -w 7 f | tr -d '\\n' | cksum"
    )
    assert done.stdout.split("\n")[:2] == ["0", "12700"]
    assert done.stdout.split("\n")[2:] == Bash().execute_sync("seq -s '' 20000 | tr -d '\\n' | cksum").stdout.split("\n")
