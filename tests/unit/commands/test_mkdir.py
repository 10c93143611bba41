"""mkdir: modes, parents and messages."""

import pytest

TRANSCRIPTS = {
    "making": """
$ mkdir a
$ mkdir a
! mkdir: cannot create directory ‘a’: File exists
[1]
$ mkdir -v b c
mkdir: created directory 'b'
mkdir: created directory 'c'
$ mkdir a/x/y
! mkdir: cannot create directory ‘a/x/y’: No such file or directory
[1]
$ mkdir -p a/x/y
$ mkdir -pv d/e/f
mkdir: created directory 'd'
mkdir: created directory 'd/e'
mkdir: created directory 'd/e/f'
$ mkdir -p d/e
$ > file ''
$ mkdir file
! mkdir: cannot create directory ‘file’: File exists
[1]
$ mkdir -p file
! mkdir: cannot create directory ‘file’: File exists
[1]
$ mkdir file/x
! mkdir: cannot create directory ‘file/x’: Not a directory
[1]
$ mkdir -p file/x
! mkdir: cannot create directory ‘file’: Not a directory
[1]
$ mkdir
! mkdir: missing operand
! Try 'mkdir --help' for more information.
[1]
$ mkdir -m 700 m
$ stat -c %a a m d/e
755
700
755
$ mkdir -m u=rwx,go= n
$ stat -c %a n
700
$ mkdir -m zzz o
! mkdir: invalid mode ‘zzz’
[1]
$ mkdir -p -m 700 p/q
$ stat -c %a p p/q
755
700
$ mkdir 'a b/c' x/y
! mkdir: cannot create directory ‘a b/c’: No such file or directory
! mkdir: cannot create directory ‘x/y’: No such file or directory
[1]
$ mkdir -z q
! mkdir: invalid option -- 'z'
! Try 'mkdir --help' for more information.
[1]
$ mkdir s/
$ mkdir -p t//u/
$ mkdir .
! mkdir: cannot create directory ‘.’: File exists
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
