"""rmdir: only empty directories go."""

import pytest

TRANSCRIPTS = {
    "removing": """
$ mkdir -p a/b/c d/e f
$ rmdir a
! rmdir: failed to remove 'a': Directory not empty
[1]
$ rmdir -p a/b/c
$ rmdir -v f
rmdir: removing directory, 'f'
$ rmdir nope
! rmdir: failed to remove 'nope': No such file or directory
[1]
$ > file ''
$ rmdir file
! rmdir: failed to remove 'file': Not a directory
[1]
$ rmdir -p d/e
$ mkdir -p g/h
$ > g/file ''
$ rmdir -p g/h
! rmdir: failed to remove directory 'g': Directory not empty
[1]
$ mkdir g/h
$ rmdir --ignore-fail-on-non-empty g
$ rmdir --ignore-fail-on-non-empty -p g/h
$ rmdir
! rmdir: missing operand
! Try 'rmdir --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
