"""Reads runs from files: what ``bashkit run --json`` prints, and the calls that ``bashkit run --record`` keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.errors import BashkitError
from bashkit.runs.history_file import PastCall, PastRun
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

RECORDING = "recording"  # the mode of a run of which only the calls are known
_MOST_BYTES = 256 << 20
_RUN: dict[str, type] = {"stdout": str, "stderr": str, "exit_code": int, "trace": list}


def read_run(path: Path) -> PastRun:
    """Read a run; of a recording, a run of which only the calls are known.

    Raises:
        BashkitError: The file cannot be read, or is neither; the message names it.
    """
    try:
        text = host_files.read_bytes(path, _MOST_BYTES, pipes=True).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise BashkitError(f"{path}: {error.strerror}") from error
    whole = json_text.decode_object(text)
    if whole is not None and all(isinstance(whole.get(name), kind) for name, kind in _RUN.items()):
        calls, mode = _calls(whole["trace"]), ""
    else:
        whole, mode = {}, RECORDING
        calls = _calls(json_text.decode_object(line) for line in text.splitlines() if line.strip())
    if calls is None:
        raise BashkitError(f"{path}: neither the output of 'run --json' nor a recording of 'run --record'")
    return PastRun(
        when=path.stat().st_mtime,
        toolset="",
        mode=mode,
        script="",
        exit_code=whole.get("exit_code"),
        error=whole.get("error"),
        seconds=0.0,
        called=len(calls),
        stdout=whole.get("stdout", ""),
        stderr=whole.get("stderr", ""),
        calls=calls,
    )


def _calls(values: Iterable[Any]) -> tuple[PastCall, ...] | None:
    """The calls of a trace or a recording; None if one of the values is no call."""
    found = []
    for value in values:
        if not isinstance(value, dict) or not isinstance(value.get("tool"), str) or "arguments" not in value:
            return None
        line, status = value.get("line", 0), value.get("exit_code")
        found.append(PastCall(value["tool"], line, value["arguments"], status, None, _result(value)))
    return tuple(found)


def _result(call: dict[str, Any]) -> str | None:
    """What a call printed, with its error; None where that was not kept: a trace has it only if it was asked for."""
    if "attempts" in call and "stdout" not in call:
        return None
    return f"{call.get('stdout') or call.get('stdout_base64') or ''}{call.get('error') or ''}"
