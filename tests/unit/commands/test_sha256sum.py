"""sha256sum: printing and checking."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ > a 'hello\\n'
$ > b ''
$ > 'c d' 'x'
$ sha256sum a b 'c d'
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  a
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b
2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  c d
$ sha256sum < 'hello\\n'
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  -
$ sha256sum -b a
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03 *a
$ sha256sum --tag a
SHA256 (a) = 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
$ sha256sum nope a
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  a
! sha256sum: nope: No such file or directory
[1]
$ sha256sum -z a b
5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  a\x00e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\x00
$ sha256sum - < 'x'
2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  -
$ sha256sum --quiet a
! sha256sum: the --quiet option is meaningful only when verifying checksums
! Try 'sha256sum --help' for more information.
[1]
$ sha256sum .
! sha256sum: .: Is a directory
[1]
""",
    "checking": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ sha256sum -c nope
! sha256sum: nope: No such file or directory
[1]
$ sha256sum -c < '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  -\n5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  a\n'
a: OK
! sha256sum: WARNING: 1 line is improperly formatted
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
