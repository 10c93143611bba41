"""logname: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ logname
user
$ logname x
! logname: extra operand ‘x’
! Try 'logname --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
