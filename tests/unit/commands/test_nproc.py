"""nproc: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ nproc
1
$ nproc x
! nproc: extra operand ‘x’
! Try 'nproc --help' for more information.
[1]
$ nproc --all --ignore=5
1
$ nproc --ignore=x
! nproc: invalid number: ‘x’
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
