"""arch: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ arch
x86_64
$ arch x
! arch: extra operand ‘x’
! Try 'arch --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
