"""What may not be read or entered: of a directory that may only be read, the names and types of its files are known."""

import pytest

TRANSCRIPTS = {
    "ls": """
$ > r/in 'x'
$ ln -s in r/l
$ mkdir r/sub
$ ln -s nope dang
$ ln -s loop loop
$ chmod 400 r
$ ls r
in
l
sub
$ ls -F r
in
l@
sub/
! ls: cannot access 'r/in': Permission denied
[1]
$ ls -is r
total 0
? ? in
? ? l
? ? sub
! ls: cannot access 'r/in': Permission denied
! ls: cannot access 'r/l': Permission denied
! ls: cannot access 'r/sub': Permission denied
[1]
$ ls -R r
r:
in
l
sub
! ls: cannot open directory 'r/sub': Permission denied
[1]
$ ls -LF r
in
l@
sub/
! ls: cannot access 'r/in': Permission denied
! ls: cannot access 'r/l': Permission denied
[1]
$ ls r/. r/..
! ls: cannot access 'r/.': Permission denied
! ls: cannot access 'r/..': Permission denied
[2]
$ ls loop
! ls: cannot access 'loop': Too many levels of symbolic links
[2]
$ ls -L
dang
loop
r
$ ls -gGF -L --time-style=+T
total 4
l????????? ?    ? ? dang
l????????? ?    ? ? loop
dr-------- 3 4096 T r/
! ls: cannot access 'dang': No such file or directory
! ls: cannot access 'loop': Too many levels of symbolic links
[1]
$ ls -l --time-style=+ r dang
lrwxrwxrwx 1 user user    4  dang -> nope

r:
total 0
-????????? ? ? ? ? ? in
l????????? ? ? ? ? ? l
d????????? ? ? ? ? ? sub
! ls: cannot access 'r/in': Permission denied
! ls: cannot access 'r/l': Permission denied
! ls: cannot access 'r/sub': Permission denied
[1]
""",
    "find": r"""
$ > r/in 'hi'
$ ln -s in r/l
$ mkdir r/sub
$ chmod 400 r
$ find r
r
r/in
r/l
r/sub
! find: ‘r/sub’: Permission denied
[1]
$ find r -type f
r/in
! find: ‘r/sub’: Permission denied
[1]
$ find r -size 3c -o -name 'l' ! -size 3c
r/l
! find: ‘r/in’: Permission denied
! find: ‘r/l’: Permission denied
! find: ‘r/sub’: Permission denied
[1]
$ find -L r -printf '%p %y\n'
r d
r/in f
! find: ‘r/l’: Permission denied
! find: ‘r/sub’: Permission denied
[1]
$ find r -xtype d -printf '%p %Y\n' , -type f -delete
r d
! find: ‘r/in’: Permission denied
! find: cannot delete ‘r/in’: Permission denied
! find: ‘r/l’: Permission denied
! find: ‘r/sub’: Permission denied
[1]
$ chmod 000 r
$ find r -maxdepth 0 -empty
! find: ‘r’: Permission denied
[1]
""",
    "zip": """
$ > a 'secret\\n'
$ > b 'b\\n'
$ chmod 0 a
$ zip z.zip a b
  adding: a
\tzip warning: could not open for reading: a
  adding: b (stored 0%)

zip warning: Not all files were readable
  files/entries read:  1 (2 bytes)  skipped:  1 (7 bytes)
! zip warning: Permission denied
[18]
$ zip -q z.zip a b
! zip warning: Permission denied
[18]
$ chmod 600 a
$ zip -q z.zip a
$ chmod 0 a
$ zip z.zip a
updating: a
\tzip warning: could not open for reading: a
\tzip warning: will just copy entry over: a
! a: Permission denied
[18]
$ zip e.zip a
  adding: a
\tzip warning: could not open for reading: a

zip warning: Not all files were readable
  files/entries read:  0 (0 bytes)  skipped:  1 (7 bytes)
\tzip warning: zip file empty
! zip warning: Permission denied
[18]
""",
    "cpio": """
$ > a 'secret\\n'
$ > b 'b\\n'
$ mkdir d
$ chmod 0 a
$ cpio -o -O x.cpio < 'a\\nb\\n'
! cpio: a: Cannot open: Permission denied
! 1 block
[2]
$ cpio -it --quiet -I x.cpio
b
$ cpio -p d < 'a\\nb\\n'
! cpio: a: Cannot open: Permission denied
! 1 block
[2]
$ ls d
b
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
