"""base64: encoding, wrapping, decoding."""

import pytest

TRANSCRIPTS = {
    "coding": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ base64 a
aGVsbG8K
$ base64 -w 0 a
aGVsbG8K
$ base64 < ''
$ base64 -w 4 < 'hello world'
aGVs
bG8g
d29y
bGQ=
$ base64 -w 3 < 'hello world'
aGV
sbG
8gd
29y
bGQ
=
$ base64 -w 20 < 'hello worldabcd'
aGVsbG8gd29ybGRhYmNk
$ > long '01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789'
$ base64 long
MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2
Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz
NDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw
MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODk=
$ base64 -d < 'aGVsbG8K'
hello
$ base64 -d < 'aGVs\nbG8K\n'
hello
$ base64 -d < 'aGVsbG8'
hello
! base64: invalid input
[1]
$ base64 -d < 'aGVsbA=='
hell
$ base64 -d < 'aGVsbA='
hell
! base64: invalid input
[1]
$ base64 -d < 'aG*Vs'
h
! base64: invalid input
[1]
$ base64 -di < 'aG*Vs'
hel
$ base64 -d < 'aGVsbA==aGVsbA=='
hellhell
$ base64 -d < 'a'
! base64: invalid input
[1]
$ base64 -d < ''
$ base64 -w x a
! base64: invalid wrap size: ‘x’
[1]
$ base64 -w x a b
! base64: invalid wrap size: ‘x’
[1]
$ base64 nope
! base64: nope: No such file or directory
[1]
$ base64 a b
! base64: extra operand ‘b’
! Try 'base64 --help' for more information.
[1]
$ base64 -D a
! base64: invalid option -- 'D'
! Try 'base64 --help' for more information.
[1]
$ base64 --decode < 'eA==\n'
x
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
