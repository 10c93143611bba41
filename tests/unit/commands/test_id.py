"""id: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ id
uid=1000(user) gid=1000(user) groups=1000(user)
$ id -u
1000
$ id -un
user
$ id -g
1000
$ id -Gn
user
$ id root
uid=0(root) gid=0(root) groups=0(root)
$ id nosuch
! id: ‘nosuch’: no such user
[1]
$ id -n
! id: cannot print only names or real IDs in default format
[1]
$ id -ug
! id: cannot print "only" of more than one choice
[1]
$ id -z
! id: option --zero not permitted in default format
[1]
$ id -uz
1000\x00
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
