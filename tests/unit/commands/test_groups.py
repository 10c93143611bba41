"""groups: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ groups
user
$ groups root nosuch
root : root
! groups: ‘nosuch’: no such user
[1]
$ groups user
user : user
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
