"""dd: blocks and conversions."""

import pytest

TRANSCRIPTS = {
    "copying": """
$ > a 'hello world\\n'
$ dd if=a status=none
hello world
$ dd if=a of=b status=none
$ cat b
hello world
$ dd if=a bs=4 count=2 status=none
hello wo
$ dd if=a bs=1 skip=6 status=none
world
$ dd if=a of=b bs=1 seek=3 conv=notrunc status=none
$ cat b
helhello world
$ dd if=a of=c bs=1 seek=3 count=2 status=none
$ od -c c
0000000  \\0  \\0  \\0   h   e
0000005
$ dd if=a conv=ucase status=none
HELLO WORLD
$ dd if=a conv=swab status=none
ehll oowlr
d
$ dd if=a bs=5 conv=sync status=none of=e
$ od -c e
0000000   h   e   l   l   o       w   o   r   l   d  \\n  \\0  \\0  \\0
0000017
$ dd if=a cbs=6 conv=unblock status=none
hello
world

$ dd if=a cbs=15 conv=block status=none
hello world   \x20
$ dd status=noxfer if=a bs=5 of=f
! 2+1 records in
! 2+1 records out
$ dd status=noxfer < 'abc'
abc
! 0+1 records in
! 0+1 records out
$ dd status=noxfer bs=2 < 'abcde'
abcde
! 2+1 records in
! 2+1 records out
$ dd status=noxfer ibs=2 obs=3 < 'abcdefg'
abcdefg
! 3+1 records in
! 2+1 records out
$ dd if=nope
! dd: failed to open 'nope': No such file or directory
[1]
$ dd if=a of=nodir/x
! dd: failed to open 'nodir/x': No such file or directory
[1]
$ dd bogus
! dd: unrecognized operand ‘bogus’
! Try 'dd --help' for more information.
[1]
$ dd bs=x
! dd: invalid number: ‘x’
[1]
$ dd bs=0
! dd: invalid number: ‘0’
[1]
$ dd conv=zz
! dd: invalid conversion: ‘zz’
! Try 'dd --help' for more information.
[1]
$ dd status=zz
! dd: invalid status level: ‘zz’
! Try 'dd --help' for more information.
[1]
$ dd if=a oflag=append conv=notrunc of=b status=none
$ cat b
helhello world
hello world
$ dd if=a iflag=skip_bytes,count_bytes skip=2 count=3 status=none
llo
$ dd if=a bs=2x3 count=1 status=none
hello\x20
$ dd if=a skip=3B count=2B bs=4 status=none
lo
$ dd if=/home/user/a of=g
! 0+1 records in
! 0+1 records out
! 12 bytes copied, 1e-06 s, 12.0 MB/s
$ dd if=a conv=excl of=g
! dd: failed to open 'g': File exists
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
