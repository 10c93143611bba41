"""uname: the virtual machine answers."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ uname
Linux
$ uname -s
Linux
$ uname -m
x86_64
$ uname -o
GNU/Linux
$ uname -so
Linux GNU/Linux
$ uname x
! uname: extra operand ‘x’
! Try 'uname --help' for more information.
[1]
$ uname -p
unknown
$ uname -a
Linux sandbox 6.1.0 #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux
$ uname -n
sandbox
$ uname -r
6.1.0
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
