"""cmp: the first difference, or all of them."""

import pytest

TRANSCRIPTS = {
    "comparing": r"""
$ > a 'hello\nworld\n'
$ > b 'hello\nwOrld\n'
$ > c 'hello\n'
$ > e ''
$ > n 'hel'
$ cmp a a
$ cmp a b
a b differ: byte 8, line 2
[1]
$ cmp a c
! cmp: EOF on c after byte 6, line 1
[1]
$ cmp a e
! cmp: EOF on e which is empty
[1]
$ cmp a n
! cmp: EOF on n after byte 3, in line 1
[1]
$ cmp -s a b
[1]
$ cmp -l a b
 8 157 117
[1]
$ cmp -b a b
a b differ: byte 8, line 2 is 157 o 117 O
[1]
$ cmp -bl a b
 8 157 o    117 O
[1]
$ cmp -l a c
! cmp: EOF on c after byte 6
[1]
$ cmp -n 5 a b
$ cmp -l -i 4 a b
4 157 117
[1]
$ cmp -i 8 a b
$ cmp -i 6:0 a b
a b differ: byte 1, line 1
[1]
$ cmp a b 8 8
$ cmp a nope
! cmp: nope: No such file or directory
[2]
$ cmp -s a nope
[2]
$ cmp
! cmp: missing operand after 'cmp'
! cmp: Try 'cmp --help' for more information.
[2]
$ cmp a
! cmp: EOF on - which is empty
[1]
$ cmp a - < 'hello\nworld\n'
$ cmp -n x a b
! cmp: invalid --bytes value 'x'
! cmp: Try 'cmp --help' for more information.
[2]
$ cmp -z a b
! cmp: invalid option -- 'z'
! cmp: Try 'cmp --help' for more information.
[2]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
