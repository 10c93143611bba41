"""expr: operators, strings and statuses."""

import pytest

TRANSCRIPTS = {
    "arithmetic": """
$ expr 1 + 2
3
$ expr 1 - 2
-1
$ expr 6 '*' 7
42
$ expr 7 / 2
3
$ expr -7 / 2
-3
$ expr -7 % 3
-1
$ expr 7 % -3
1
$ expr 2 '*' '(' 3 + 4 ')'
14
$ expr 10 - 2 - 3
5
$ expr 99999999999999999999 + 1
100000000000000000000
$ expr 1 / 0
! expr: division by zero
[2]
$ expr a + 1
! expr: non-integer argument
[2]
$ expr 1 +
! expr: syntax error: missing argument after ‘+’
[2]
$ expr + 1
1
$ expr 1 2
! expr: syntax error: unexpected argument ‘2’
[2]
$ expr
! expr: missing operand
! Try 'expr --help' for more information.
[2]
$ expr '(' 1
! expr: syntax error: expecting ')' after ‘1’
[2]
$ expr '(' 1 2
! expr: syntax error: expecting ')' instead of ‘2’
[2]
$ expr ')'
! expr: syntax error: unexpected ')'
[2]
$ expr 0
0
[1]
$ expr ''

[1]
$ expr 00
00
[1]
$ expr -0
-0
[1]
$ expr a
a
$ expr -- 1 + 1
2
$ expr 3 '*' -3
-9
""",
    "comparison": """
$ expr 1 '<' 2
1
$ expr 10 '<' 9
10
$ expr a '<' b
a
$ expr 10 '<' a
10
$ expr 1 = 1
1
$ expr 1 == 01
1
$ expr a = a
1
$ expr a '!=' b
1
$ expr 2 '>=' 2
1
$ expr 2 '<=' 1
0
[1]
$ expr 1 '|' 2
1
$ expr 0 '|' 2
2
$ expr '' '|' ''
0
[1]
$ expr 0 '|' 0
0
[1]
$ expr 1 '&' 2
1
$ expr 0 '&' 2
0
[1]
$ expr 1 '&' 0
0
[1]
$ expr 1 '|' 1 / 0
1
$ expr 0 '&' 1 / 0
0
[1]
$ expr 1 + 1 = 2
1
""",
    "strings": r"""
$ expr length hello
5
$ expr length ''
0
[1]
$ expr substr hello 2 3
ell
$ expr substr hello 0 3

[1]
$ expr substr hello 2 99
ello
$ expr substr hello x 1

[1]
$ expr index hello lo
3
$ expr index hello z
0
[1]
$ expr match hello 'h.*l'
4
$ expr hello : 'h.*l'
4
$ expr hello : '\(.*\)l'
hel
$ expr hello : 'x'
0
[1]
$ expr hello : '\(x\)'

[1]
$ expr abc123 : '[a-z]*\([0-9]*\)'
123
$ expr a/b/c : '.*/\(.*\)'
c
$ expr hello : '^h'
1
$ expr + length : length
! expr: syntax error: missing argument after ‘length’
[2]
$ expr length + match
5
$ expr hello : '\('
! expr: Unmatched ( or \(
[2]
$ expr hello : 'l'
0
[1]
$ expr aaa : 'a\{2\}'
2
$ expr abc : ''
0
[1]
$ expr length
! expr: syntax error: missing argument after ‘length’
[2]
$ expr substr abc
! expr: syntax error: missing argument after ‘abc’
[2]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
