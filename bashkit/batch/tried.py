"""Tries scripts against a toolset as it is now, with their results as snapshots: what differs is reviewed like a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.batch.rows import rows_and_lines
from bashkit.batch.work import Runner, Setting
from bashkit.errors import BashkitError
from bashkit.prompts.collection import fits
from bashkit.prompts.snapshots import FOLDER, SnapshotStore
from bashkit.tools import json_text
from bashkit.toolset.script_tests import output_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bashkit.batch.rows import Row
    from bashkit.prompts.snapshots import PromptSnapshot
    from bashkit.toolset import Toolset


@dataclass(frozen=True, slots=True)
class TriedScripts:
    """The scripts of a file of rows, and the results that were accepted: ``__snapshots__/<its name>`` beside it.

    Attributes:
        toolset: The toolset that they are tried against.
        path: The file.
        setting: How they run.
        rows: Each script with its line in the file, by the name of its snapshot.
        store: The store of the accepted results.
    """

    toolset: Toolset
    path: Path
    setting: Setting
    rows: dict[str, tuple[Row, int]]
    store: SnapshotStore

    @classmethod
    def read(cls, toolset: Toolset, path: Path, *, real: bool = False, replay: Path | None = None) -> TriedScripts:
        """Read the scripts of a file.

        Args:
            toolset: The toolset.
            path: The file, of rows as ``bashkit batch`` has them.
            real: Every callback runs; by default a tool's stub stands in for it where it has one.
            replay: A recording with the results of all calls: no callback runs.

        Raises:
            BashkitError: It cannot be read, a line is no row, or two rows have the same id.
        """
        rows: dict[str, tuple[Row, int]] = {}
        for row, line in rows_and_lines(path):
            name = output_file(str(row.id), "script")
            if name in rows:
                raise BashkitError(f"{path}:{line}: the row of line {rows[name][1]} has the id {row.id!r}, too")
            rows[name] = row, line
        setting = Setting(toolset.path, stub=not real and replay is None, replay=replay, profile=toolset.profile)
        return cls(toolset, path, setting, rows, SnapshotStore(path.parent / FOLDER / path.name))

    def compare(self, patterns: Sequence[str] = ()) -> list[PromptSnapshot]:
        """Run the scripts whose snapshots have a matching name, and compare what they do with what was accepted.

        Args:
            patterns: File names, ``*`` and ``?`` allowed; [] for all.

        Raises:
            ToolsetError: The toolset has mistakes.
            RecordingError: The recording cannot be used.
        """
        runner = Runner(self.setting)
        try:
            texts = {name: result_text(row, runner.run(row)) for name, (row, _) in self.rows.items() if fits(name, patterns)}
        finally:
            runner.close()
        gone = (name for name in self.store.names() if name not in self.rows and fits(name, patterns))
        return [self.store.look(name, texts.get(name)) for name in (*texts, *gone)]

    def budget(self, name: str) -> int | None:  # noqa: ARG002 - as Collection has it
        """No result has a maximum length."""
        return None

    def position(self, name: str) -> tuple[Path, int]:
        """The file and the line of a script."""
        return self.path, self.rows[name][1] if name in self.rows else 1


def result_text(row: Row, result: dict[str, Any]) -> str:
    """What a script did, as the text of its snapshot: the script, its outputs and status, and its calls."""
    calls = [f"{call['tool']} {json_text.encode(call['arguments'])} → {call['exit_code']}" for call in result["calls"]]
    status = " ".join(str(part) for part in (result["exit_code"], result.get("error")) if part is not None)
    parts = {
        "script": row.script,
        "stdout": result["stdout"],
        "stderr": result["stderr"],
        "exit status": status,
        "calls": "\n".join(calls),
    }
    return "".join(f"--- {title}\n{text}{'' if text.endswith(chr(10)) else chr(10)}" for title, text in parts.items() if text)
