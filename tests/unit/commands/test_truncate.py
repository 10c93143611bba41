"""truncate: absolute and relative sizes."""

import pytest

TRANSCRIPTS = {
    "resizing": """
$ > a 'hello'
$ truncate -s 3 a
$ stat -c %s a
3
$ truncate -s +4 a
$ stat -c %s a
7
$ truncate -s -2 a
$ stat -c %s a
5
$ truncate -s '<2' a
$ stat -c %s a
2
$ truncate -s '>9' a
$ stat -c %s a
9
$ truncate -s '/4' a
$ stat -c %s a
8
$ truncate -s %3 a
$ stat -c %s a
9
$ truncate -s 1K b
$ stat -c %s b
1024
$ truncate -s 1kB b
$ stat -c %s b
1000
$ truncate -r a b
$ stat -c %s b
9
$ truncate -r a -s +1 b
$ stat -c %s b
10
$ truncate -c -s 1 nope
$ ls
a
b
$ truncate -s x a
! truncate: Invalid number: ‘x’
[1]
$ truncate -s /0 a
! truncate: division by zero
[1]
$ truncate a
! truncate: you must specify either ‘--size’ or ‘--reference’
! Try 'truncate --help' for more information.
[1]
$ truncate -s 1
! truncate: missing file operand
! Try 'truncate --help' for more information.
[1]
$ truncate -s 1 d/e
! truncate: cannot open 'd/e' for writing: No such file or directory
[1]
$ mkdir d
$ truncate -s 1 d
! truncate: cannot open 'd' for writing: Is a directory
[1]
$ truncate -r nope a
! truncate: cannot stat 'nope': No such file or directory
[1]
$ truncate -r a -s 1 b
! truncate: you must specify a relative ‘--size’ with ‘--reference’
! Try 'truncate --help' for more information.
[1]
$ truncate -os 1 c
$ stat -c %s c
4096
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
