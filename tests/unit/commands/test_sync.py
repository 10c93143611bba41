"""sync: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ sync
$ sync nope
! sync: error opening 'nope': No such file or directory
[1]
$ sync -d
! sync: --data needs at least one argument
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
