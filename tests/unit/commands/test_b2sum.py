"""b2sum: printing and checking."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ > a 'hello\\n'
$ > b ''
$ > 'c d' 'x'
$ b2sum a b 'c d'
f60ce482e5cc1229f39d71313171a8d9f4ca3a87d066bf4b205effb528192a75f14f3271e2c1a90e1de53f275b4d4793eef2f5e31ea90d2ce29d2e481c36435f  a
786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce  b
0909377ad35110cafb2909e185672b7f2728d1f5094f8ad68d6fac6274bf1f499485a80ea364c04ed006d29459ea3cb7c600280e2f83e032529906f88ae30d0a  c d
$ b2sum < 'hello\\n'
f60ce482e5cc1229f39d71313171a8d9f4ca3a87d066bf4b205effb528192a75f14f3271e2c1a90e1de53f275b4d4793eef2f5e31ea90d2ce29d2e481c36435f  -
$ b2sum -b a
f60ce482e5cc1229f39d71313171a8d9f4ca3a87d066bf4b205effb528192a75f14f3271e2c1a90e1de53f275b4d4793eef2f5e31ea90d2ce29d2e481c36435f *a
$ b2sum --tag a
BLAKE2b (a) = f60ce482e5cc1229f39d71313171a8d9f4ca3a87d066bf4b205effb528192a75f14f3271e2c1a90e1de53f275b4d4793eef2f5e31ea90d2ce29d2e481c36435f
$ b2sum nope a
f60ce482e5cc1229f39d71313171a8d9f4ca3a87d066bf4b205effb528192a75f14f3271e2c1a90e1de53f275b4d4793eef2f5e31ea90d2ce29d2e481c36435f  a
! b2sum: nope: No such file or directory
[1]
$ b2sum -z a b
f60ce482e5cc1229f39d71313171a8d9f4ca3a87d066bf4b205effb528192a75f14f3271e2c1a90e1de53f275b4d4793eef2f5e31ea90d2ce29d2e481c36435f  a\x00786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce  b\x00
$ b2sum - < 'x'
0909377ad35110cafb2909e185672b7f2728d1f5094f8ad68d6fac6274bf1f499485a80ea364c04ed006d29459ea3cb7c600280e2f83e032529906f88ae30d0a  -
$ b2sum --quiet a
! b2sum: the --quiet option is meaningful only when verifying checksums
! Try 'b2sum --help' for more information.
[1]
$ b2sum .
! b2sum: .: Is a directory
[1]
""",
    "checking": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ b2sum -c nope
! b2sum: nope: No such file or directory
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
