"""``bash -D``, ``--dump-strings`` and ``--dump-po-strings``: the strings ``$"…"`` of a script, which is not run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.run.command_lines import report_syntax_error
from bashkit.syntax import Parser

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell


def dump_strings(shell: Shell, text: str, label: str, *, portable: bool) -> int:
    """Show the strings of a script that are to be translated.

    Args:
        shell: The shell that was started with it.
        text: The script.
        label: As for ``run_text``.
        portable: As entries of a PO file (GNU gettext).
    """
    parser = Parser(text)
    parser.on_progress = shell.budget.tick
    parser.on_translated = partial(_show_entry if portable else _show, shell)
    try:
        while parser.next_line() is not None:
            pass
    except ScriptSyntaxError as error:
        return report_syntax_error(shell, error, text, 1, label)
    return 0


def _show(shell: Shell, text: str, line: int) -> None:  # noqa: ARG001 - as _show_entry
    shell.write(f'"{text}"\n')


def _show_entry(shell: Shell, text: str, line: int) -> None:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    shown = '"' + escaped.replace("\n", '\\n"\n"') + '"'
    head = '""\n' if "\n" in text else ""
    shell.write(f'#: {shell.script_name}:{line}\nmsgid {head}{shown}\nmsgstr ""\n')
