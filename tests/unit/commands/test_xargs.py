"""xargs: splitting, batching, replacing."""

import pytest

TRANSCRIPTS = {
    "batches": """
$ xargs < 'a b\\nc'
a b c
$ xargs -n 1 < 'a b\\nc'
a
b
c
$ xargs -n 2 basename -a < 'x/a y/b\\nz/c'
a
b
c
$ xargs -L 1 < 'a b\\n\\nc\\n'
a b
c
$ xargs -L 2 < 'a b\\nc\\nd\\n'
a b c
d
$ xargs < ''

$ xargs -r < ''
$ xargs -n 1 < "a ''"
a
$ xargs -n 1 < "a '"
a
$ xargs -n 1 < 'a \\\\'
a
$ xargs -I {} basename {} .c < 'x/a.c\\n  y/b.c \\n'
a
b.c\x20
$ xargs -I X basename X-X < 'a/b\\nc d\\n'
b
c d-c d
$ xargs -i basename {} < 'a/b\\n'
b
$ xargs -0 < 'a b\\0c'
a b c
$ xargs -d , < 'a,b,c'
a b c
$ xargs -d '\\n' -n1 < 'a b\\nc d'
a b
c d
$ xargs -t true < 'a "b c" '
! true a 'b c'
$ xargs -s 10 < 'a b c d e f g h'
a b
c d
e f
g h
$ xargs -s 5 < 'aaaaaaaa'
! xargs: argument line too long
[1]
$ xargs -x -n 3 -s 12 < 'aaa bbb ccc'
! xargs: argument list too long
[1]
$ xargs -P 2 -n 1 < 'a b'
a
b
$ xargs --process-slot-var=SLOT printenv < 'SLOT'
0
$ xargs -E b < 'a b c'
a
$ xargs -a list basename -a
! xargs: Cannot open input file ‘list’: No such file or directory
[1]
$ > list 'x/1 x/2'
$ xargs -a list basename -a
1
2
""",
    "quotes": r"""
$ xargs -n1 < '"a b" c\\\\ d '"'e  f'"
a b
c\
d
e  f
$ xargs < "it's"
! xargs: unmatched single quote; by default quotes are special to xargs unless you use the -0 option
[1]
$ xargs < '"open'
! xargs: unmatched double quote; by default quotes are special to xargs unless you use the -0 option
[1]
$ xargs -n1 < 'a\\\\\nb c'
a\
b
c
$ xargs -n1 < '"" x'

x
$ xargs -I{} basename {} < '"a b"\n'
a b
""",
    "statuses": r"""
$ xargs false < 'a'
[123]
$ xargs -n1 false < 'a b'
[123]
$ xargs nosuch < 'a'
! xargs: nosuch: No such file or directory
[127]
$ xargs true < 'a'
$ xargs -n 0 < 'a'
! xargs: value 0 for -n option should be >= 1
! Try 'xargs --help' for more information.
[1]
$ xargs -n x < 'a'
! xargs: invalid number "x" for -n option
! Try 'xargs --help' for more information.
[1]
$ xargs -L 0 < a
! xargs: value 0 for -L option should be >= 1
! Try 'xargs --help' for more information.
[1]
$ xargs -P x < 'a'
! xargs: invalid number "x" for -P option
! Try 'xargs --help' for more information.
[1]
$ xargs -q < 'a'
! xargs: invalid option -- 'q'
! Try 'xargs --help' for more information.
[1]
$ xargs -d ab < 'a'
! xargs: Invalid input delimiter specification ab: the delimiter must be either a single character or an escape sequence starting with \.
[1]
$ xargs -I{} -n 2 < 'a b'
a b
! xargs: warning: options --replace and --max-args/-n are mutually exclusive, ignoring previous --replace value
$ xargs -n1 -I{} basename {} < 'a/b'
b
! xargs: warning: options --max-args and --replace/-I/-i are mutually exclusive, ignoring previous --max-args value
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
