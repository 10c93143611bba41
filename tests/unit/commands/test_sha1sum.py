"""sha1sum: printing and checking."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ > a 'hello\\n'
$ > b ''
$ > 'c d' 'x'
$ sha1sum a b 'c d'
f572d396fae9206628714fb2ce00f72e94f2258f  a
da39a3ee5e6b4b0d3255bfef95601890afd80709  b
11f6ad8ec52a2984abaafd7c3b516503785c2072  c d
$ sha1sum < 'hello\\n'
f572d396fae9206628714fb2ce00f72e94f2258f  -
$ sha1sum -b a
f572d396fae9206628714fb2ce00f72e94f2258f *a
$ sha1sum --tag a
SHA1 (a) = f572d396fae9206628714fb2ce00f72e94f2258f
$ sha1sum nope a
f572d396fae9206628714fb2ce00f72e94f2258f  a
! sha1sum: nope: No such file or directory
[1]
$ sha1sum -z a b
f572d396fae9206628714fb2ce00f72e94f2258f  a\x00da39a3ee5e6b4b0d3255bfef95601890afd80709  b\x00
$ sha1sum - < 'x'
11f6ad8ec52a2984abaafd7c3b516503785c2072  -
$ sha1sum --quiet a
! sha1sum: the --quiet option is meaningful only when verifying checksums
! Try 'sha1sum --help' for more information.
[1]
$ sha1sum .
! sha1sum: .: Is a directory
[1]
""",
    "checking": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ sha1sum -c nope
! sha1sum: nope: No such file or directory
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
