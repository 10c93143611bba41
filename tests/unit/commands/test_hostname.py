"""hostname: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ hostname
sandbox
$ hostname -s
sandbox
$ hostname -f
sandbox
$ hostname -i
127.0.0.1
$ hostname new
! hostname: you must be root to change the host name
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
