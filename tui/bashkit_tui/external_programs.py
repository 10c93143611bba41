"""External programs: the editor at a line of a file, and the pager; the inspector is suspended meanwhile."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from bashkit_tui.standard_streams import python_streams
from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit_tui.app import InspectorApp
    from bashkit_tui.protocols import FilePlace, ShownText

_PLUS = frozenset(
    {"vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "kak", "joe", "jed", "mg", "ne", "micro", "ed"}
)
_COLON = frozenset({"hx", "helix", "subl", "zed"})
_GOTO = frozenset({"code", "code-insiders", "codium", "cursor", "windsurf"})


class ExternalError(Exception):
    """A program cannot be used; the message says why."""


def editor_command(place: FilePlace, environ: Mapping[str, str]) -> list[str]:
    """The command that opens a file at a line: $VISUAL, else $EDITOR, else vi.

    An unknown editor gets the file alone: it might take a line number for another file.

    Raises:
        ExternalError: The variable cannot be read as a command.
    """
    words = _words("VISUAL" if environ.get("VISUAL") else "EDITOR", environ, "vi")
    name, file = Path(words[0]).name.removesuffix(".exe"), str(place.file)
    if name in _GOTO:
        wait = [] if {"--wait", "-w"} & set(words) else ["--wait"]
        return [*words, *wait, "--goto", f"{file}:{place.line}:{place.column}"]
    if name in _COLON:
        return [*words, f"{file}:{place.line}:{place.column}"]
    return [*words, *([f"+{place.line}"] if name in _PLUS else []), file]


def pager_command(file: Path, environ: Mapping[str, str]) -> list[str]:
    """The command that shows a file: $PAGER, else less, else more.

    Raises:
        ExternalError: The variable cannot be read as a command.
    """
    return [*_words("PAGER", environ, "less" if shutil.which("less") else "more"), str(file)]


def edit(app: InspectorApp, place: FilePlace) -> None:
    """Open the editor and wait for its end.

    Raises:
        ExternalError: It cannot be started, or failed, or the inspector cannot be suspended.
    """
    _run(app, editor_command(place, os.environ))


def page(app: InspectorApp, shown: ShownText) -> None:
    """Show a text in the pager and wait for its end; control characters are shown as symbols.

    Raises:
        ExternalError: As for ``edit``.
    """
    with tempfile.TemporaryDirectory(prefix="bashkit-") as folder:
        file = Path(folder) / Path(shown.name).name
        file.write_text(printable(shown.text), encoding="utf-8")
        _run(app, pager_command(file, os.environ))


def _words(variable: str, environ: Mapping[str, str], default: str) -> list[str]:
    try:
        words = shlex.split(environ.get(variable, ""))
    except ValueError as error:
        raise ExternalError(f"${variable} is not a command: {error}") from error
    return words or [default]


def _run(app: InspectorApp, command: Sequence[str]) -> None:
    if shutil.which(command[0]) is None:
        raise ExternalError(f"there is no program {command[0]!r}: set $VISUAL, $EDITOR or $PAGER")
    try:
        with app.suspend(), python_streams(app.callback_output):  # callbacks that are running still have no terminal
            status = subprocess.run(
                command, check=False, stdin=sys.__stdin__, stdout=sys.__stdout__, stderr=sys.__stderr__
            ).returncode
    except SuspendNotSupported as error:
        raise ExternalError("this terminal cannot be handed to another program") from error
    except OSError as error:
        raise ExternalError(f"{command[0]} cannot be started: {error.strerror}") from error
    if status:
        raise ExternalError(f"{command[0]} ended with status {status}")
