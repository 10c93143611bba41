"""The ``select`` loop (bash(1), Compound Commands)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.run.compiler import compile_refusal, compile_sequence, compiles
from bashkit.interp.run.loops import assign_control, attempt
from bashkit.interp.run.tracing import trace
from bashkit.interp.run.traps import before_command
from bashkit.interp.state.scopes import NAME
from bashkit.limits import paced_if_many
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import Select
from bashkit.syntax.unparse import unparse_word

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Run, Shell
    from bashkit.limits import Budget

_WIDTH = 80
_TAB = 8


@compiles(Select)
def _select(command: Select) -> Run:
    if not NAME.fullmatch(command.name):
        return compile_refusal(command.name, command.line)
    body = compile_sequence(command.body)
    words = compile_words(command.words) if command.words is not None else (lambda shell: shell.positional)
    name, line = command.name, command.line
    listed = ['"$@"'] if command.words is None else [*map(unparse_word, command.words)]
    head = " ".join([f"select {name} in", *(listed or [""])])

    def run(shell: Shell) -> int:
        shell.line = line
        if shell.options.xtrace:
            trace(shell, head)
        if shell.debugging and before_command(shell, head):
            return 0
        return _run_select(shell, name, words(shell), body)

    return run


def _run_select(shell: Shell, name: str, words: list[str], body: Run) -> int:
    """Show the words as a menu, read choices and run the body for each until input ends or it breaks."""
    if not words:
        shell.status = 0
        return 0
    status = 0
    menu = _menu(words, _line_width(shell), shell.budget)
    shell.loop_depth += 1
    try:
        show = True
        while True:
            shell.budget.iteration()
            if show:
                shell.print_error(menu)
            line = _read_line(shell)
            if line is None:
                shell.write("\n")
                status = 1
                if shell.pipe_statuses is None:
                    shell.pipe_statuses = [shell.status]
                break
            shell.assign("REPLY", line)
            show = not line
            if not line:
                continue
            index = whole_number(line.strip()) if is_digits(line.strip()) else 0
            if not assign_control(shell, name, words[index - 1] if 1 <= index <= len(words) else ""):
                status = 1
                break
            status, jump = attempt(shell, body)
            if jump is not None and jump.ends:
                break
    finally:
        shell.loop_depth -= 1
    shell.status = status
    return status


def _read_line(shell: Shell) -> str | None:
    prompt = shell.get("PS3")
    stream = shell.descriptors.get(2)
    if stream is not None:
        stream.write(("#? " if prompt is None else prompt).encode("utf-8", "surrogateescape"))
    source = shell.descriptors.get(0)
    try:
        data = b"" if source is None else source.read_line()
    except OSError as error:
        shell.warn(f"read error: 0: {error.strerror}")
        return None
    return data.decode("utf-8", "surrogateescape").rstrip("\n") if data else None


def _line_width(shell: Shell) -> int:
    columns = shell.get("COLUMNS") or ""
    return whole_number(columns) if is_digits(columns) and columns.strip("0") else _WIDTH


def _menu(words: list[str], width: int, budget: Budget) -> str:
    """The words in columns, filled with tabs; one below the other where a row could hold all."""
    digits = len(str(len(words)))
    column = max(map(len, paced_if_many(words))) + digits + 4
    fitting = max(width // column, 1)
    rows = -(-len(words) // fitting)
    if rows == 1:
        rows = len(words)
    budget.room(min(width, len(words) * column) // _TAB * rows)
    lines: list[str] = []
    for row in paced_if_many(range(rows)):
        line, at = "", 0
        for index in range(row, len(words), rows):
            label = f"{index + 1:{len(str(rows)) if index == row else digits}d}) "
            line += _padding(at, index // rows * column) + label + words[index]
            at = index // rows * column + len(label) + len(words[index])
        lines.append(line)
    return "\n".join(lines)


def _padding(begin: int, end: int) -> str:
    """Tabs and blanks from one column to another."""
    tabs = end // _TAB - begin // _TAB
    return "\t" * tabs + " " * (end - max(begin, end // _TAB * _TAB if tabs else begin))
