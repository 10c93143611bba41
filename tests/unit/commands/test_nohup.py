"""nohup: the command just runs."""

import pytest

TRANSCRIPTS = {
    "running": """
$ nohup basename a/b
b
$ nohup false
[1]
$ nohup
! nohup: missing operand
! Try 'nohup --help' for more information.
[125]
$ nohup nosuch
! nohup: failed to run command 'nosuch': No such file or directory
[127]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
