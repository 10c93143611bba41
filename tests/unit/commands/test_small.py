"""Utilities of a few lines: stdbuf, link, unlink, users, look; outputs are those of the GNU and util-linux programs."""

import pytest

from bashkit import Bash

CASES = [
    ("stdbuf -oL echo hi", "hi\n", "", 0),
    ("stdbuf -o0 -eL sh -c 'echo a; exit 3'", "a\n", "", 3),
    ("stdbuf --output=4K cat <<< x", "x\n", "", 0),
    ("stdbuf echo hi", "", "stdbuf: you must specify a buffering mode option\nTry 'stdbuf --help' for more information.\n", 125),
    ("stdbuf -oL", "", "stdbuf: missing operand\nTry 'stdbuf --help' for more information.\n", 125),
    ("stdbuf -oX echo hi", "", "stdbuf: invalid mode 'X'\n", 125),
    ("stdbuf -iL cat", "", "stdbuf: line buffering stdin is meaningless\nTry 'stdbuf --help' for more information.\n", 125),
    ("stdbuf -oL nosuch", "", "stdbuf: failed to run command 'nosuch': No such file or directory\n", 127),
    ("echo x > a; unlink a; ls", "", "", 0),
    ("unlink a", "", "unlink: cannot unlink 'a': No such file or directory\n", 1),
    ("mkdir d; unlink d", "", "unlink: cannot unlink 'd': Is a directory\n", 1),
    ("unlink", "", "unlink: missing operand\nTry 'unlink --help' for more information.\n", 1),
    ("unlink a b", "", "unlink: extra operand 'b'\nTry 'unlink --help' for more information.\n", 1),
    ("echo x > a; link a b; rm a; cat b", "x\n", "", 0),
    ("echo x > a; link a a", "", "link: cannot create link 'a' to 'a': File exists\n", 1),
    ("link a", "", "link: missing operand after 'a'\nTry 'link --help' for more information.\n", 1),
    ("users", "", "", 0),
    (r"printf '%s\n' Apple apple apply banana > w; look app w", "apple\napply\n", "", 0),
    (r"printf '%s\n' Apple apple apply banana > w; look -f APP w", "Apple\napple\napply\n", "", 0),
    (r"printf '%s\n' a-b ab ac > w; look -d ab w", "a-b\nab\n", "", 0),
    (r"printf '%s\n' a b > w; look zzz w", "", "", 1),
    ("look a nosuch", "", "look: nosuch: No such file or directory\n", 1),
]


@pytest.mark.parametrize(("script", "stdout", "stderr", "status"), CASES)
def test_small_utilities(script, stdout, stderr, status):
    result = Bash().execute_sync(script)
    assert (result.stdout, result.stderr, result.exit_code) == (stdout, stderr, status)
