"""realpath: canonical names."""

import pytest

TRANSCRIPTS = {
    "resolving": """
$ > a 'x'
$ ln -s a l
$ mkdir -p d/e
$ ln -s d/e k
$ realpath l
/home/user/a
$ realpath d/e/.. k/..
/home/user/d
/home/user/d
$ realpath -L k/..
/home/user
$ realpath -s k l
/home/user/k
/home/user/l
$ realpath nope
/home/user/nope
$ realpath nope/x
! realpath: nope/x: No such file or directory
[1]
$ realpath -e nope
! realpath: nope: No such file or directory
[1]
$ realpath -m nope/x
/home/user/nope/x
$ realpath -q nope/x
[1]
$ realpath --relative-to=d a d/e
../a
e
$ realpath --relative-to=. d/e
d/e
$ realpath --relative-base=d a d/e
/home/user/a
e
$ realpath --relative-to=nope/x a
! realpath: nope/x: No such file or directory
[1]
$ realpath
! realpath: missing operand
! Try 'realpath --help' for more information.
[1]
$ realpath ''
! realpath: '': No such file or directory
[1]
$ realpath -z a
/home/user/a\x00
$ realpath a/
! realpath: a/: Not a directory
[1]
$ realpath a/x
! realpath: a/x: Not a directory
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
