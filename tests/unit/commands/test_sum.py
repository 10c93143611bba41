"""sum: BSD and System V checksums."""

import pytest

TRANSCRIPTS = {
    "printing": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ sum a
36979     1 a
$ sum a b 'c d'
36979     1 a
00000     0 b
00120     1 c d
$ sum -s a
542 1 a
$ sum -s a b
542 1 a
0 0 b
$ sum < 'hello'
08403     1
$ sum -s < 'hello'
532 1
$ sum nope
! sum: nope: No such file or directory
[1]
$ sum -r a
36979     1 a
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
