"""What others write into toolsets, results and recordings does not control the terminal of whoever reads a report."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bashkit.cli.terminal_text import visible, visible_lines

from ..command_line import run

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


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with toolsets, results of batches and recorded runs; a terminal of no colours."""
    path = tmp_path
    monkeypatch.chdir(path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
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
def test_a_report_at_a_terminal_has_no_controls(command: str, place: Path) -> None:
    done = run(*command.split(" "), terminal=True)
    text = done.stdout + done.stderr
    assert text
    assert [letter for letter in DANGEROUS if letter in text] == []
    assert "internal error" not in text


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
def test_json_at_a_terminal_has_no_controls_and_the_same_values(command: str, place: Path) -> None:
    words = [word.replace("\t", " ") for word in command.split(" ")]
    done = run(*words, terminal=True)
    text = done.stdout + done.stderr
    assert [letter for letter in f"{DANGEROUS}\x7f" if letter in text] == []
    piped = run(*words)
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


@pytest.mark.usefixtures("place")
def test_a_document_in_a_pipe_stays_as_it_is() -> None:
    done = run("prompt", "good.yaml")
    assert (done.status, "a\x1b]52;c;aGk=\x07b" in done.stdout) == (0, True)
