"""which: paths of commands."""

import pytest

TRANSCRIPTS = {
    "finding": """
$ which nosuch
[1]
$ which
[1]
$ mkdir bin
$ touch bin/tool bin/other bin/plain
$ chmod +x bin/tool bin/other
$ which tool plain other
/home/user/bin/tool
/home/user/bin/other
[1]
$ which -a tool
/home/user/bin/tool
$ which bin/tool
bin/tool
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript, env={"PATH": "/home/user/bin:/usr/bin"})
