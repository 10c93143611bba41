"""dirname: as GNU coreutils prints it."""

import pytest

TRANSCRIPTS = {
    "names": """
$ dirname /usr/lib/x.txt
/usr/lib
$ dirname a
.
$ dirname a/
.
$ dirname a//b//
a
$ dirname /
/
$ dirname //a
/
$ dirname '' a/b
.
a
$ dirname -z a/b c
a\x00.\x00
$ dirname
! dirname: missing operand
! Try 'dirname --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
