"""tsort: orders and loops."""

import pytest

TRANSCRIPTS = {
    "sorting": r"""
$ tsort < 'a b\nb c\n'
a
b
c
$ tsort < 'a b c d\ne f\n'
a
c
e
b
d
f
$ tsort < 'a b b c c a'
a
b
c
! tsort: -: input contains a loop:
! tsort: a
! tsort: b
! tsort: c
[1]
$ tsort < 'a'
! tsort: -: input contains an odd number of tokens
[1]
$ tsort < 'a a'
a
$ tsort < 'a b a c b d c d'
a
c
b
d
$ tsort nope
! tsort: nope: No such file or directory
[1]
$ tsort < ''
$ tsort a b
! tsort: extra operand ‘b’
! Try 'tsort --help' for more information.
[1]
$ tsort < 'x y y x'
x
y
! tsort: -: input contains a loop:
! tsort: x
! tsort: y
[1]
$ tsort < 'z a y b x c'
x
y
z
c
b
a
$ tsort < 'main parse main eval parse lex eval apply apply eval'
main
parse
lex
apply
eval
! tsort: -: input contains a loop:
! tsort: apply
! tsort: eval
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
