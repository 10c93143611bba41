"""fmt: filled paragraphs; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.\n",
    "b": "short line\nanother short line\n\nnew paragraph here\n",
    "i": "  indented text that goes on for a while\n  and then on\n",
    "w": "a b c d e f g h i j k l m n o p\n",
    "e": "",
    "p": "> quoted text one\n> quoted text two\nplain\n",
    "t": "tag  text here\n   more text of the same\n   and more\n",
    "s": "One.  Two. Three\nfour.\nFive\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["fmt", "b"], "", "short line another short line\n\nnew paragraph here\n", "", 0),
    (["fmt", "i"], "", "  indented text that goes on for a while and then on\n", "", 0),
    (["fmt", "e"], "", "", "", 0),
    (["fmt", "-s", "b"], "", "short line\nanother short line\n\nnew paragraph here\n", "", 0),
    (["fmt", "-s", "-w", "20", "b"], "", "short line\nanother short line\n\nnew paragraph here\n", "", 0),
    (["fmt", "-u", "s"], "", "One.  Two. Three four.  Five\n", "", 0),
    (["fmt", "-p", ">", "p"], "", "> quoted text one quoted text two\nplain\n", "", 0),
    (["fmt", "-w", "30", "b"], "", "short line another short line\n\nnew paragraph here\n", "", 0),
    (["fmt", "missing", "b"], "", "short line another short line\n\nnew paragraph here\n", "fmt: cannot open 'missing' for reading: No such file or directory\n", 1),
    (["fmt", "-w", "x", "b"], "", "", "fmt: invalid width: ‘x’\n", 1),
    (["fmt", "-t", "t"], "", "tag  text here more text of the same and more\n", "", 0),
    (["fmt", "-c", "t"], "", "tag  text here more text of the same and more\n", "", 0),
    (["fmt", "s"], "", "One.  Two. Three four.  Five\n", "", 0),
    (["fmt"], "a\nb", "a b\n", "", 0),
    (["fmt", "-w", "9999", "w"], "", "", "fmt: invalid width: ‘9999’: Numerical result out of range\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_fmt(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
