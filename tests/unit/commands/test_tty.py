"""tty: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ tty
not a tty
[1]
$ tty -s
[1]
$ tty x
! tty: extra operand ‘x’
! Try 'tty --help' for more information.
[2]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
