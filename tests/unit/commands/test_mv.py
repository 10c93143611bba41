"""mv: renaming, replacing and refusing."""

import pytest

TRANSCRIPTS = {
    "moving": """
$ > a 'a'
$ > b 'b'
$ mkdir d e
$ mv a c
$ ls
b
c
d
e
$ mv -v c d
renamed 'c' -> 'd/c'
$ ls d
c
$ mv b d
$ mv d/b d/c .
$ ls
b
c
d
e
$ mv nope x
! mv: cannot stat 'nope': No such file or directory
[1]
$ mv b nope/x
! mv: cannot move 'b' to 'nope/x': No such file or directory
[1]
$ mv b c nope
! mv: target 'nope': No such file or directory
[1]
$ mv b
! mv: missing destination file operand after 'b'
! Try 'mv --help' for more information.
[1]
$ mv
! mv: missing file operand
! Try 'mv --help' for more information.
[1]
$ mv b b
! mv: 'b' and 'b' are the same file
[1]
$ mv b ./b
! mv: 'b' and './b' are the same file
[1]
$ mv d d/x
! mv: cannot move 'd' to a subdirectory of itself, 'd/x'
[1]
$ mv d e
$ ls e
d
$ mv e/d .
$ > e/d/x ''
$ mv d e
! mv: cannot move 'd' to 'e/d': Directory not empty
[1]
$ ls e
d
$ > f 'f'
$ mv f e/d
$ ls e/d
f
x
$ > f 'f'
$ mv e f
! mv: cannot overwrite non-directory 'f' with directory 'e'
[1]
$ mv f e
$ mkdir e/f
! mkdir: cannot create directory ‘e/f’: File exists
[1]
$ > f ''
$ mv f e
$ mv -n b c
$ ls
b
c
d
e
$ mv -i b c < 'n\\n'
! mv: overwrite 'c'?\x20
$ mv -i b c < 'y\\n'
! mv: overwrite 'c'?\x20
$ ls
c
d
e
$ > b 'b'
$ mv -b b c
$ ls
c
c~
d
e
$ > b 'b'
$ mv --backup=t -v b c
renamed 'b' -> 'c' (backup: 'c.~1~')
$ ls
c
c.~1~
c~
d
e
$ > b 'new'
$ touch -d @1 b
$ mv -u b c
$ ls
b
c
c.~1~
c~
d
e
$ mv -t e b c
$ ls e
b
c
d
f
$ mv -T e/b e/d
! mv: cannot overwrite directory 'e/d' with non-directory
[1]
$ mv -T e/c e/newname
$ ls e
b
d
f
newname
$ ln -s nowhere l
$ mv l l2
$ readlink l2
nowhere
$ mv e/b/ x
! mv: cannot stat 'e/b/': Not a directory
[1]
$ mkdir q r
$ mv q r
$ ls r
q
$ mv -f nope nope2
! mv: cannot stat 'nope': No such file or directory
[1]
$ mv r r/
! mv: cannot move 'r' to a subdirectory of itself, 'r/r'
[1]
$ mv '' x
! mv: cannot stat '': No such file or directory
[1]
$ > s/a ''
$ > t/a ''
$ mkdir u
$ mv s/a t/a u
! mv: will not overwrite just-created 'u/a' with 't/a'
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
