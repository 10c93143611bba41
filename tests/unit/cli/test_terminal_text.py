"""What others write into toolsets, results and recordings does not control the terminal of whoever reads a report."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bashkit.cli.terminal_text import visible, visible_lines

if TYPE_CHECKING:
    from pathlib import Path

EVIL = "a\x1b]52;c;aGk=\x07b\x1b[8mc\rd\x08e\u202ef\x9b31mg"
DANGEROUS = "\x1b\x07\r\x08\u202e\x9b"
TOOLSET = {
    "version": 1,
    "name": "evil",
    "description": EVIL,
    "tools": [
        {
            "name": "tell",
            "description": EVIL,
            "category": EVIL,
            "stub": {"value": {"text": EVIL}},
            "callback": {"script": f"echo {EVIL!r}"},
            "input_schema": {"type": "object", "properties": {"kind": {"type": "string", "enum": [EVIL, "b"]}}},
        },
    ],
    "tests": [{"name": "told", "script": "tell", "expect": {"stdout": "x"}}],
    EVIL: 1,
}
GOOD = {key: value for key, value in TOOLSET.items() if key != EVIL}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[0m", "a\\x1b[0m"),
        ("\x9b\x7f", "\\u009b\\x7f"),
        ("\u202e\u2066", "\\u202e\\u2066"),
        ("\udcff", "\\udcff"),
        ("ä\u0645\t", "ä\u0645\t"),
        ("\U000e0041", "\\udb40\\udc41"),
    ],
)
def test_controls_are_escapes(text: str, shown: str) -> None:
    assert visible_lines(text) == shown
    assert visible(f"{text}\n") == f"{shown}\\x0a"


def _at_terminal(words: list[str], folder: Path) -> str:
    """What a command prints at a terminal, on both streams."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bashkit", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
    ):
        os.close(follower)
        found = b""
        while True:
            try:
                block = os.read(leader, 1 << 16)
            except OSError:
                break
            if not block:
                break
            found += block
    os.close(leader)
    return found.decode().replace("\r\n", "\n")


def _folder(path: Path) -> Path:
    (path / "evil.yaml").write_text(json.dumps(TOOLSET))
    (path / "good.yaml").write_text(json.dumps(GOOD))
    (path / "raw.yaml").write_text("# \u202ea\nname: t\nversion:   1\nodd: \u202e\n")
    (path / "odd.yaml").write_text("version: 1\nname: \x9b31m \x1b[0m\n")
    call = {"tool": EVIL, "arguments": {}, "exit_code": 1, "error": EVIL}
    row = {"row": 0, "id": EVIL, "stdout": "", "stderr": "", "exit_code": 0, "error": None, "calls": []}
    (path / "before").write_text(json.dumps(row) + "\n")
    (path / "after").write_text(json.dumps({**row, "calls": [call]}) + "\n")
    (path / "one").write_text(json.dumps({"tool": "t", "arguments": {}, "stdout": EVIL}) + "\n")
    (path / "two").write_text(json.dumps({"tool": "t", "arguments": {}, "stdout": "b"}) + "\n")
    return path


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are those of POSIX systems")
@pytest.mark.parametrize(
    "command",
    [
        "check evil.yaml",
        "check evil.yaml --format github",
        "check evil.yaml --format json",
        "check good.yaml",
        "fmt --diff raw.yaml",
        "check raw.yaml",
        "check odd.yaml",
        "prompt good.yaml",
        "prompt good.yaml tell",
        "prompt good.yaml --man",
        "catalog good.yaml",
        'call good.yaml tell {"kind":"q"}',
        "call good.yaml \x1b[31mx",
        "test good.yaml",
        "export good.yaml --format markdown",
        "batch diff before after",
        "batch diff before after --json",
        "compare one two",
        "explain good.yaml -c \x1b[31m;$'\\e[31m';<\u202ex",
        "learn good.yaml",
        "run nowhere\x1b[31m.sh",
        "snapshot good.yaml --check",
    ],
)
def test_a_report_at_a_terminal_has_no_controls(command: str, tmp_path: Path) -> None:
    text = _at_terminal(command.split(" "), _folder(tmp_path))
    assert text
    assert [letter for letter in DANGEROUS if letter in text] == []
    assert "Traceback" not in text


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are those of POSIX systems")
@pytest.mark.parametrize(
    "command",
    [
        "check odd.yaml --format json",
        "prompt good.yaml --json",
        "prompt good.yaml --sizes --json",
        "catalog good.yaml",
        'call good.yaml tell --dry-run {"kind":"b","\x9b\x7f":1}',
        "explain good.yaml --json -c tell\x7f\x9b",
        "export good.yaml --format openai",
        "run good.yaml --json -c printf\t'\\u9b\\x7f\\u202e'",
        "run good.yaml --trace -c tell\t>/dev/null",
        "test good.yaml --json",
        "snapshot good.yaml --check --format json",
        "compare one two --json",
        "batch diff before after --json",
    ],
)
def test_json_at_a_terminal_has_no_controls_and_the_same_values(command: str, tmp_path: Path) -> None:
    words = command.split(" ")
    folder = _folder(tmp_path)
    words = [word.replace("\t", " ") for word in words]
    text = _at_terminal(words, folder)
    assert [letter for letter in f"{DANGEROUS}\x7f" if letter in text] == []
    piped = subprocess.run([sys.executable, "-m", "bashkit", *words], cwd=folder, capture_output=True, check=False)
    begin = min(place for place in (text.find("{"), text.find("[")) if place >= 0)
    shown = json.loads(text[begin : max(text.rfind("}"), text.rfind("]")) + 1])
    assert _without_times(shown) == _without_times(json.loads(piped.stderr if "--trace" in words else piped.stdout))


def _without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_times(item) for key, item in value.items() if key not in {"started", "duration", "seconds"}}
    return [_without_times(item) for item in value] if isinstance(value, list) else value


def test_what_a_script_prints_stays_as_it_is(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "bashkit", "run", "-c", r"printf '\e[31m\x9b\r'; printf '\e]0;x\a' >&2"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"\x1b[31m\x9b\r", b"\x1b]0;x\x07")


def test_a_document_in_a_pipe_stays_as_it_is(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "bashkit", "prompt", "good.yaml"]
    done = subprocess.run(words, cwd=_folder(tmp_path), capture_output=True, check=True)
    assert b"a\x1b]52;c;aGk=\x07b" in done.stdout
