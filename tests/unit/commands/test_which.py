"""which: paths of commands."""

import pytest

TRANSCRIPTS = {
    "finding": """
$ which ls
/usr/bin/ls
$ which ls nosuch basename
/usr/bin/ls
/usr/bin/basename
[1]
$ which nosuch
[1]
$ which
[1]
$ which -a ls
/usr/bin/ls
$ mkdir bin
$ touch bin/tool
$ chmod +x bin/tool
$ which tool
/home/user/bin/tool
$ which bin/tool
bin/tool
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript, env={"PATH": "/home/user/bin:/usr/bin"})
