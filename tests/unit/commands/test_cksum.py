"""cksum: the CRC of POSIX and the digests of GNU."""

import pytest

TRANSCRIPTS = {
    "printing": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ cksum a b 'c d'
3015617425 6 a
4294967295 0 b
12738659 1 c d
$ cksum < 'hello\n'
3015617425 6
$ cksum nope
! cksum: nope: No such file or directory
[1]
$ cksum -a md5 a
MD5 (a) = b1946ac92492d2347c6235b4d2611184
$ cksum -a sha256 --untagged a
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  a
$ cksum -a bsd a b
36979     1 a
00000     0 b
$ cksum -a sysv a b
542 1 a
0 0 b
$ cksum -a crc a
3015617425 6 a
$ cksum -a bsd < 'xyz'
32980     1
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
