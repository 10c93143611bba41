"""cat: copies, numbers, squeezes and shows; expectations recorded from the GNU program."""

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
    (["cat", "a", "b"], "", "one\ntwo\nthree\nx\ny", "", 0),
    (["cat", "b", "a"], "", "x\nyone\ntwo\nthree\n", "", 0),
    (["cat", "-n", "a", "b", "a"], "", "     1\tone\n     2\ttwo\n     3\tthree\n     4\tx\n     5\tyone\n     6\ttwo\n     7\tthree\n", "", 0),
    (["cat", "-b", "blank"], "", "\n\n\n     1\ta\n\n\n     2\tb\n\n", "", 0),
    (["cat", "-n", "blank"], "", "     1\t\n     2\t\n     3\t\n     4\ta\n     5\t\n     6\t\n     7\tb\n     8\t\n", "", 0),
    (["cat", "-s", "blank"], "", "\na\n\nb\n\n", "", 0),
    (["cat", "-sn", "blank"], "", "     1\t\n     2\ta\n     3\t\n     4\tb\n     5\t\n", "", 0),
    (["cat", "-A", "v"], "", "a^Ib^A^?M-BM-^@M-CM-)^M$\nz$\n", "", 0),
    (["cat", "-v", "v"], "", "a\tb^A^?M-BM-^@M-CM-)^M\nz\n", "", 0),
    (["cat", "-e", "v"], "", "a\tb^A^?M-BM-^@M-CM-)^M$\nz$\n", "", 0),
    (["cat", "-t", "v"], "", "a^Ib^A^?M-BM-^@M-CM-)^M\nz\n", "", 0),
    (["cat", "-E", "a"], "", "one$\ntwo$\nthree$\n", "", 0),
    (["cat", "-T", "v"], "", "a^Ib\x01\x7f\x80é\r\nz\n", "", 0),
    (["cat", "-u", "a"], "", "one\ntwo\nthree\n", "", 0),
    (["cat", "missing", "a"], "", "one\ntwo\nthree\n", "cat: missing: No such file or directory\n", 1),
    (["cat", "sub"], "", "", "cat: sub: Is a directory\n", 1),
    (["cat"], "", "", "", 0),
    (["cat", "-"], "in\n", "in\n", "", 0),
    (["cat", "a", "-", "b"], "mid\n", "one\ntwo\nthree\nmid\nx\ny", "", 0),
    (["cat", "-q"], "", "", "cat: invalid option -- 'q'\nTry 'cat --help' for more information.\n", 1),
    (["cat", "--number", "a"], "", "     1\tone\n     2\ttwo\n     3\tthree\n", "", 0),
    (["cat", "--squ", "blank"], "", "\na\n\nb\n\n", "", 0),
    (["cat", "-nE", "b"], "", "     1\tx$\n     2\ty", "", 0),
    (["cat", "-A", "u"], "", "hM-CM-)llo wM-CM-6rld$\nM-fM-^WM-%M-fM-^\\M-,$\n", "", 0),
    (["cat", "e"], "", "", "", 0),
    (["cat", "-n", "e", "a"], "", "     1\tone\n     2\ttwo\n     3\tthree\n", "", 0),
    (["cat", "-n"], "a", "     1\ta", "", 0),
    (["cat", "a b"], "", "", "cat: 'a b': No such file or directory\n", 1),
    (["cat", "-bE", "blank"], "", "$\n$\n$\n     1\ta$\n$\n$\n     2\tb$\n$\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_cat(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


def test_a_file_that_is_its_own_output_is_refused():
    from bashkit import Bash

    result = Bash().execute_sync("echo a > f; cat f >> f; echo $?; cat < f >> f; cat f; : > e; cat e > e; echo $?")
    assert result.stdout == "1\na\n0\n"
    assert result.stderr == "cat: f: input file is output file\ncat: -: input file is output file\n"
