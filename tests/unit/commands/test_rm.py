"""rm: files, trees, questions."""

import pytest

TRANSCRIPTS = {
    "what holds something that stays is left without a further word": """
$ > d/s/x ''
$ > d/t/y ''
$ chmod 555 d/s
$ rm -rv d
removed 'd/t/y'
removed directory 'd/t'
! rm: cannot remove 'd/s/x': Permission denied
[1]
""",
    "removing": """
$ > a ''
$ > b 'x'
$ > d/e/f ''
$ > d/g ''
$ rm a nope
! rm: cannot remove 'nope': No such file or directory
[1]
$ rm d
! rm: cannot remove 'd': Is a directory
[1]
$ rm -d d
! rm: cannot remove 'd': Directory not empty
[1]
$ rm -v b
removed 'b'
$ rm -rv d/e
removed 'd/e/f'
removed directory 'd/e'
$ rm -r d
$ ls
$ rm
! rm: missing operand
! Try 'rm --help' for more information.
[1]
$ rm -f
$ rm -f nope
$ rm -r .
! rm: refusing to remove '.' or '..' directory: skipping '.'
[1]
$ rm -rf ..
! rm: refusing to remove '.' or '..' directory: skipping '..'
[1]
$ rm -rf x/.
$ rm -r /
! rm: it is dangerous to operate recursively on '/'
! rm: use --no-preserve-root to override this failsafe
[1]
$ > c ''
$ rm c/
! rm: cannot remove 'c/': Not a directory
[1]
$ rm -f c/x
$ rm c/x
! rm: cannot remove 'c/x': Not a directory
[1]
$ rm -z
! rm: invalid option -- 'z'
! Try 'rm --help' for more information.
[1]
$ > D/x ''
$ ln -s D L
$ rm -r L
$ ls
D
c
$ ln -s nowhere M
$ rm M
$ ls
D
c
$ mkdir E
$ rm -dv E
removed directory 'E'
$ rm ''
! rm: cannot remove '': No such file or directory
[1]
""",
    "asking": """
$ > a ''
$ > b 'x'
$ > d/f ''
$ rm -i a < 'n\\n'
! rm: remove regular empty file 'a'?\x20
$ rm -i a b < 'y\\nn\\n'
! rm: remove regular empty file 'a'? rm: remove regular file 'b'?\x20
$ ls
b
d
$ rm -ri d < 'y\\ny\\ny\\n'
! rm: descend into directory 'd'? rm: remove regular empty file 'd/f'? rm: remove directory 'd'?\x20
$ ls
b
$ > e/f ''
$ rm -ri e < 'n\\n'
! rm: descend into directory 'e'?\x20
$ rm -Ir e < 'n\\n'
! rm: remove 1 argument recursively?\x20
$ rm -Ir e < 'y\\n'
! rm: remove 1 argument recursively?\x20
$ ls
b
$ > 1 ''
$ > 2 ''
$ > 3 ''
$ > 4 ''
$ rm -I 1 2 3 4 < 'n\\n'
! rm: remove 4 arguments?\x20
$ rm -I 1 2 3
$ ls
4
b
$ rm --interactive=never 4
$ rm -fi b < ''
! rm: remove regular file 'b'?\x20
$ rm -if b
$ ls
$ rm --interactive=x b
! rm: invalid argument ‘x’ for ‘--interactive’
! Valid arguments are:
!   - ‘never’, ‘no’, ‘none’
!   - ‘once’
!   - ‘always’, ‘yes’
! Try 'rm --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
