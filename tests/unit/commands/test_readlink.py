"""readlink: one step, or all of them."""

import pytest

TRANSCRIPTS = {
    "reading": """
$ > a 'x'
$ ln -s a l
$ ln -s l m
$ ln -s nowhere/x n
$ mkdir d
$ ln -s ../a d/up
$ readlink l
a
$ readlink m
l
$ readlink a
[1]
$ readlink -v a
! readlink: a: Invalid argument
[1]
$ readlink nope
[1]
$ readlink -v nope
! readlink: nope: No such file or directory
[1]
$ readlink -f m
/home/user/a
$ readlink -f d/up
/home/user/a
$ readlink -f nope
/home/user/nope
$ readlink -f nope/x
[1]
$ readlink -e nope
[1]
$ readlink -e m
/home/user/a
$ readlink -m nope/x/../y
/home/user/nope/y
$ readlink -n l
a
$ readlink -f n
[1]
$ readlink -m n
/home/user/nowhere/x
$ readlink
! readlink: missing operand
! Try 'readlink --help' for more information.
[1]
$ readlink -z l m
a\x00l\x00
$ readlink l nope m
a
l
[1]
$ ln -s loop loop
$ readlink -f loop
[1]
$ readlink -v -f loop
! readlink: loop: Too many levels of symbolic links
[1]
$ readlink -f /
/
$ readlink -f ./d/../a
/home/user/a
$ readlink -vf a/x
! readlink: a/x: Not a directory
[1]
$ readlink -nv l m
a
l
! readlink: ignoring --no-newline with multiple arguments
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
