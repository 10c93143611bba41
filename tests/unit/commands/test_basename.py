"""basename: as GNU coreutils prints it."""

import pytest

TRANSCRIPTS = {
    "names": """
$ basename /usr/lib/x.txt
x.txt
$ basename /usr/lib/x.txt .txt
x
$ basename .txt .txt
.txt
$ basename /
/
$ basename //
/
$ basename ''

$ basename a/b/
b
$ basename a b c
! basename: extra operand ‘c’
! Try 'basename --help' for more information.
[1]
$ basename
! basename: missing operand
! Try 'basename --help' for more information.
[1]
$ basename -a a/b c/d
b
d
$ basename -s .c a.c b/c.c
a
c
$ basename -az a b
a\x00b\x00
$ basename -x
! basename: invalid option -- 'x'
! Try 'basename --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
