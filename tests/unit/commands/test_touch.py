"""touch: stamps, dates and references."""

import pytest

TRANSCRIPTS = {
    "times": """
$ touch a
$ stat -c '%s %n' a
0 a
$ touch -d '2024-01-15 10:00:00.5' a
$ stat -c '%x|%y' a
2024-01-15 10:00:00.500000000 +0000|2024-01-15 10:00:00.500000000 +0000
$ touch -a -d @5 a
$ stat -c '%X %Y' a
5 1705312800
$ touch -m -d @6 a
$ stat -c '%X %Y' a
5 6
$ touch -t 202401020304.05 b
$ stat -c '%y' b
2024-01-02 03:04:05.000000000 +0000
$ touch -t 7001020304 b
$ stat -c '%Y' b
97440
$ touch -r a c
$ stat -c '%X %Y' c
5 6
$ touch -c nope
$ ls
a
b
c
$ touch nope/x
! touch: cannot touch 'nope/x': No such file or directory
[1]
$ touch -t 12345 x
! touch: invalid date format ‘12345’
[1]
$ touch -d foo x
! touch: invalid date format ‘foo’
[1]
$ touch
! touch: missing file operand
! Try 'touch --help' for more information.
[1]
$ touch -r missing x
! touch: failed to get attributes of 'missing': No such file or directory
[1]
$ touch -t 202401020304 -d @0 x
! touch: cannot specify times from more than one source
! Try 'touch --help' for more information.
[1]
$ touch --time=atime -d @9 c
$ stat -c '%X %Y' c
9 6
$ touch --time=x c
! touch: invalid argument ‘x’ for ‘--time’
! Valid arguments are:
!   - ‘atime’, ‘access’, ‘use’
!   - ‘mtime’, ‘modify’
! Try 'touch --help' for more information.
[1]
$ touch -r a -d '+1 day' d
$ stat -c '%X %Y' d
86405 86406
$ ln -s nowhere link
$ touch -h -d @77 link
$ stat -c %Y link
77
$ touch d/
! touch: setting times of 'd/': Not a directory
[1]
$ touch q/
! touch: setting times of 'q/': No such file or directory
[1]
$ touch now
$ stat -c %Y now
1700000000
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
