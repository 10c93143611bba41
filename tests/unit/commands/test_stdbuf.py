"""stdbuf: outputs are those of the GNU program."""

import pytest

from bashkit import Bash

CASES = [
    ("stdbuf -oL echo hi", "hi\n", "", 0),
    ("stdbuf -o0 -eL sh -c 'echo a; exit 3'", "a\n", "", 3),
    ("stdbuf --output=4K cat <<< x", "x\n", "", 0),
    ("stdbuf echo hi", "", "stdbuf: you must specify a buffering mode option\nTry 'stdbuf --help' for more information.\n", 125),
    ("stdbuf -oL", "", "stdbuf: missing operand\nTry 'stdbuf --help' for more information.\n", 125),
    ("stdbuf -oX echo hi", "", "stdbuf: invalid mode ‘X’\n", 125),
    ("stdbuf -iL cat", "", "stdbuf: line buffering stdin is meaningless\nTry 'stdbuf --help' for more information.\n", 125),
    ("stdbuf -oL nosuch", "", "stdbuf: failed to run command ‘nosuch’: No such file or directory\n", 127),
]


@pytest.mark.parametrize(("script", "stdout", "stderr", "status"), CASES)
def test_answers_as_the_gnu_program(script, stdout, stderr, status):
    result = Bash().execute_sync(script)
    assert (result.stdout, result.stderr, result.exit_code) == (stdout, stderr, status)
