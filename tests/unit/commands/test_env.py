"""env: assignments, removal, directories and split strings."""

import pytest

TRANSCRIPTS = {
    "environment": """
$ env
A=1
B=x y
$ env C=3
A=1
B=x y
C=3
$ env -i
$ env -i X=1 Y=
X=1
Y=
$ env -u A
B=x y
$ env - Z=1 printenv
Z=1
$ env A=9 printenv A B
9
x y
$ env -i Q=1 printenv
Q=1
$ env -0
A=1\x00B=x y\x00
$ env -u A=b
! env: cannot unset ‘A=b’: Invalid argument
[125]
""",
    "running": r"""
$ env true
$ env false
[1]
$ env nosuchcommand
! env: ‘nosuchcommand’: No such file or directory
[127]
$ env -S 'printenv -0 NOPE'
[1]
$ env -i -S 'A=1 printenv A'
1
$ env -S 'basename "a b/c d" x'
c d
$ env -S 'basename a\\_b'
a\_b
$ env -S 'basename "x'
! env: no terminating quote in -S string
[125]
$ env -S 'basename ${}'
! env: only ${VARNAME} expansion is supported, error at: ${}
[125]
$ env -C nowhere true
! env: cannot change directory to 'nowhere': No such file or directory
[125]
$ env -C /
! env: must specify command with --chdir (-C)
! Try 'env --help' for more information.
[125]
$ env -0 true
! env: cannot specify --null (-0) with command
! Try 'env --help' for more information.
[125]
$ env 'true x'
! env: ‘true x’: No such file or directory
! env: use -[v]S to pass options in shebang lines
[127]
$ env -S 'basename $'
! env: only ${VARNAME} expansion is supported, error at: $
[125]
$ env -S 'basename ${A}/zz'
zz
$ env -i basename x/y
y
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript, env={"A": "1", "B": "x y"})
