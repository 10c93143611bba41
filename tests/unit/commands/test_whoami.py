"""whoami: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ whoami
user
$ whoami x
! whoami: extra operand ‘x’
! Try 'whoami --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
