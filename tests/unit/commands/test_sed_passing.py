"""sed passes on lines that no command is for without running its script: the output is what running it for every line gives."""

import random

import pytest

from bashkit import Bash
from bashkit.commands.patterns.sed.passing import Passer

ADDRESSES = [
    "1",
    "3",
    "7",
    "$",
    "/a/",
    "/b1/",
    "/x/",
    "0~20",
    "5~17",
    "1~0",
    "2,5",
    "3,/c/",
    "/a/,$",
    "/x/,+2",
    "/b/,~4",
    "7,1",
    "0,/a/",
    "/9/!",
    "4,6!",
]
COMMANDS = [
    "p", "d", "s/a/Z/", "s/[0-9]/#/g", "n", "N", "D", "P", "G", "h", "H", "x", "q", "=", "y/abc/xyz/", "a\\\nadd", "i\\\nins", "c\\\nchg", "$!N",
    "n;d", "s//E/", "{p;s/x/-/}", "{/c/s/c/-/;3,5p}", "b", "w /w/out",
]  # fmt: skip


@pytest.mark.parametrize("options", ["", "-n", "-s", "-i", "-nE"])
def test_passing_lines_on_changes_nothing(options):
    source = random.Random(options)
    for _ in range(40):
        lines = ["".join(source.choices("abcx19 ", k=source.randrange(5))) for _ in range(source.choice([0, 1, 10, 40, 200]))]
        text = "\n".join(lines) + source.choice(["", "\n"])
        script = "\n".join(source.choice(ADDRESSES) + source.choice(COMMANDS) for _ in range(source.randrange(1, 4)))
        files = {"/w/f": text, "/w/g": "\n".join(lines[:3]), "/w/script": script}
        command = f"sed {options} -f script f g; cat f g out"
        quick = Bash(files=files, cwd="/w").execute_sync(command)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Passer, "of", classmethod(lambda *_: None))
            assert quick == Bash(files=files, cwd="/w").execute_sync(command), (script, text)
