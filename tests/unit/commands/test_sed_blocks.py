"""sed edits blocks of lines where it can: the output is what running the script for every line gives."""

import random

import pytest

from bashkit import Bash
from bashkit.commands.patterns import sed

ADDRESSES = [
    "", "1", "7", "/a/", "/b1/", "0~20", "5~17", "1~0", "1~2", "0~3!", "2,5", "3,/c/", "/a/,$", "/x/,+2", "7,1", "0,/a/", "/9/!", "4,6!",
    "/a/,/b/", "/b/,/b/!", "2,+3", "5,$", "/^$/,/x/", "1,/^$/", "/a/,+0", "3,/a/!",
]  # fmt: skip
COMMANDS = [
    "d", "s/a/Z/", "s/[0-9]/#/g", "s/[abc]/<&>/2", "s/x*/-/2", "s/./Y/3g", "y/abc/xyz/", "{s/x/-/;s/a/B/g}", "{y/ab/ba/;s/1/one/2}",
    "s/^/>/2", "s/b*/_/2g",
]  # fmt: skip


def _lines(source):
    return ["".join(source.choices("abcx19 ", k=source.randrange(6))) for _ in range(source.choice([0, 1, 10, 40, 200]))]


@pytest.mark.parametrize("options", ["", "-n", "-s", "-i", "-sn"])
def test_editing_blocks_is_editing_lines(options, monkeypatch):
    source = random.Random(options)
    usual, in_blocks = sed.block_editor, 0
    for _ in range(60):
        script = "\n".join(source.choice(ADDRESSES) + source.choice(COMMANDS) for _ in range(source.randrange(1, 4)))
        script += f"\n{source.choice(ADDRESSES)}p" if "n" in options else ""
        text = "\n".join(_lines(source)) + source.choice(["", "\n"])
        files = {"/w/f": text, "/w/g": "\n".join(_lines(source)[:3]), "/w/script": script}
        command = f"sed {options} -f script f g f; cat f g"

        def counted(*arguments, **named):
            nonlocal in_blocks
            edit = usual(*arguments, **named)
            in_blocks += edit is not None
            return edit

        monkeypatch.setattr(sed, "block_editor", counted)
        quick = Bash(files=files, cwd="/w").execute_sync(command)
        monkeypatch.setattr(sed, "block_editor", lambda *_, **__: None)
        assert quick == Bash(files=files, cwd="/w").execute_sync(command), (script, text)
    assert in_blocks > 30


@pytest.mark.parametrize(
    "script", ["900,30000d", "/7777/,/20000/d", "1,/15000/d", "0~7!d", "20000,$d", "/999/,+3000d", "0,/12/d"]
)
def test_what_is_selected_goes_on_in_the_next_block(script, monkeypatch):
    shell = Bash(files={"/w/f": "".join(f"{number}\n" for number in range(40_000))}, cwd="/w")
    quick = shell.execute_sync(f"sed '{script}' f | cksum").stdout
    monkeypatch.setattr(sed, "block_editor", lambda *_, **__: None)
    assert shell.execute_sync(f"sed '{script}' f | cksum").stdout == quick


@pytest.mark.parametrize("script", ["s/x/z/", "/x/p"])
def test_a_file_before_the_first_line_comes_before_the_first_block(script):
    shell = Bash(files={"/w/lead": "lead\n", "/w/f": "x\n"}, cwd="/w")
    assert shell.execute_sync(f"sed -e '0r lead' -e '{script}' f").stdout.startswith("lead\n")
