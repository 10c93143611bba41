"""ln: hard and symbolic links."""

import pytest

TRANSCRIPTS = {
    "linking": """
$ > a 'x'
$ mkdir d
$ ln a b
$ stat -c '%h' a
2
$ ln a b
! ln: failed to create hard link 'b': File exists
[1]
$ ln -f a b
$ ln -s a s
$ ln -s a s
! ln: failed to create symbolic link 's': File exists
[1]
$ ln -sf b s
$ readlink s
b
$ ln -sv a t
't' -> 'a'
$ ln -v a u
'u' => 'a'
$ ln -s ../a d
$ readlink d/a
../a
$ ln -st d x y
$ ls d
a
x
y
$ ln nope n
! ln: failed to access 'nope': No such file or directory
[1]
$ ln d e
! ln: d: hard link not allowed for directory
[1]
$ ln -s d dl
$ ln -sfn a dl
$ readlink dl
a
$ ln -s d dm
$ ln -s x1 dm
$ ls d
a
x
x1
y
$ ln -sT a d
! ln: failed to create symbolic link 'd': File exists
[1]
$ ln -sfT a d
! ln: d: cannot overwrite directory
[1]
$ ln a
! ln: failed to create hard link './a': File exists
[1]
$ ln -s /x/q
$ readlink q
/x/q
$ ln
! ln: missing file operand
! Try 'ln --help' for more information.
[1]
$ ln -sr a d/rel
$ readlink d/rel
../a
$ ln -r a zz
! ln: cannot do --relative without --symbolic
[1]
$ ln -sb b s
$ ls
a
b
d
dl
dm
q
s
s~
t
u
$ ln -s a nodir/x
! ln: failed to create symbolic link 'nodir/x': No such file or directory
[1]
$ ln a nodir/x
! ln: failed to create hard link 'nodir/x' => 'a': No such file or directory
[1]
$ ln -T a
! ln: missing destination file operand after 'a'
! Try 'ln --help' for more information.
[1]
$ ln a b c
! ln: target 'c': No such file or directory
[1]
$ ln -si b s < 'n\\n'
! ln: replace 's'?\x20
$ ln -sf a a
! ln: 'a' and 'a' are the same file
[1]
$ ln -f a a
! ln: 'a' and 'a' are the same file
[1]
$ ln -svf b s
's' -> 'b'
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
