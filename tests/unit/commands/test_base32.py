"""base32: encoding, wrapping, decoding."""

import pytest

TRANSCRIPTS = {
    "coding": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ base32 a
NBSWY3DPBI======
$ base32 -w 0 < '0123456789012345678901234567890123456789012345678901234567890123456789'
GAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZ
$ base32 < '0123456789012345678901234567890123456789012345678901234567890123456789'
GAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3D
OOBZGAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZ
$ base32 -d < 'NBSWY3DPBI======'
hello
$ base32 -d < 'NBSWY3DPBI'
hello
! base32: invalid input
[1]
$ base32 -d < 'NBSWY3DP\nBI======\n'
hello
$ base32 -d < '1'
! base32: invalid input
[1]
$ base32 nope
! base32: nope: No such file or directory
[1]
$ base32 -d < 'nbswy3dp'
! base32: invalid input
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
