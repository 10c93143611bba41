"""Command and process substitution (bash(1), Command Substitution, Process Substitution)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.expand.words import compiles
from bashkit.interp.run.compiler import compile_sequence
from bashkit.interp.run.redirections import compile_redirections, restore
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import capture, fork_to_substitute, run_subshell
from bashkit.interp.runtime.control import ExitShell, ExpansionError
from bashkit.interp.runtime.pipes import make_pipe
from bashkit.limits import ask
from bashkit.syntax import Parser
from bashkit.syntax.nodes import CommandSubstitution, ProcessSubstitution, SimpleCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Sequence

_FIRST_DESCRIPTOR = 63  # bash counts down from here


@compiles(CommandSubstitution)
def _command_substitution(part: CommandSubstitution, context: str, quoted: bool) -> Callable[[Shell], str]:  # noqa: ARG001 - a PartCompiler
    """``$(…)`` or backquotes."""
    if part.body is None:
        return _compile_backquoted(part)
    run = _compile_body(part.body)
    if _file_redirection(part.body) is not None:
        return lambda shell: _capture_file(shell, run)
    others = _Reread(part.text, run, part.line)
    line = part.line if "alias" not in part.text else -1
    return lambda shell: capture(shell, run if shell.line == line and not shell.aliases else others.at(shell))


class _Reread:
    """The commands of a substitution as bash reads them when it runs them: with the aliases of that moment.

    Those of one line are numbered with the line of the command that has it.

    Args:
        text: The commands.
        run: They, with the line where they stand.
        line: That line.
    """

    __slots__ = ("_line", "_renumbered", "_run", "_text")

    def __init__(self, text: str, run: Run, line: int) -> None:
        self._text = text
        self._run = self._renumbered = run
        self._line = line

    def at(self, shell: Shell) -> Run:
        """The commands as of now."""
        text, line = self._text, shell.line
        expanded = shell.options.shopt["expand_aliases"] or "expand_aliases" in text
        if expanded and any(name in text for name in ("alias", *shell.aliases)):
            return lambda twin: run_text(twin, text, first_line=line, label="command substitution")
        if line != self._line and "\n" not in text:
            self._line, self._renumbered = line, self._run
            parser = Parser(text, line, extglob=shell.options.shopt["extglob"])
            parser.posix, parser.on_progress = shell.options.posix, shell.budget.tick
            try:
                self._renumbered = _compile_body(parser.parse())
            except ScriptSyntaxError:
                pass  # its options have been others
        return self._renumbered


def _capture_file(shell: Shell, run: Run) -> str:
    """The content of a file; with errexit one that cannot be opened ends the shell (undocumented).

    It does so in a condition, too, but not in what ``eval`` or ``source`` runs there.
    """
    text = capture(shell, run)
    if shell.status and shell.options.errexit and not shell.lenient:
        raise ExitShell(1)
    return text


def _compile_body(body: Sequence) -> Run:
    file = _file_redirection(body)
    return compile_sequence(body) if file is None else _compile_reader(file)


def _file_redirection(body: Sequence) -> SimpleCommand | None:
    """The command of ``$(< file)`` and ``<(< file)``, or None."""
    commands = body.commands
    if len(commands) == 1 and isinstance(commands[0], SimpleCommand):
        command = commands[0]
        redirections = command.redirections
        if not command.words and not command.assignments and len(redirections) == 1 and redirections[0].operator == "<":
            return command
    return None


def _compile_backquoted(part: CommandSubstitution) -> Callable[[Shell], str]:
    """Backquotes: their text is read when it is expanded, with the aliases of that moment; malformed text is an error then."""
    text, line = part.text, part.line

    def read(twin: Shell) -> int:
        return run_text(twin, text, first_line=line, label="command substitution")

    try:
        parser = Parser(text, line)
        parser.on_progress = ask
        body = parser.parse()
        run = _compile_body(body)
    except ScriptSyntaxError:
        return lambda shell: capture(shell, read)
    if _file_redirection(body) is not None:
        return lambda shell: _capture_file(shell, run)
    return lambda shell: capture(shell, read if shell.aliases and shell.options.shopt["expand_aliases"] else run)


def _compile_reader(command: SimpleCommand) -> Run:
    """``< file`` alone in a substitution: the file's content without a command."""
    redirect = compile_redirections(command.redirections)

    def read(shell: Shell) -> int:
        saved = redirect(shell)
        if saved is None:
            return 1
        stream, out = shell.descriptors[0], shell.descriptors[1]
        if not stream.unreadable:
            for block in stream.blocks():
                out.write(block)
        restore(shell, saved)
        return 0

    return read


@compiles(ProcessSubstitution)
def _process_substitution(part: ProcessSubstitution, context: str, quoted: bool) -> Callable[[Shell], str]:  # noqa: ARG001 - a PartCompiler
    """``<(…)`` and ``>(…)``: the name of a descriptor that is connected to the commands."""
    if not part.body.commands:
        return lambda shell: ""  # noqa: ARG005
    run = _compile_body(part.body)
    others = _Reread(part.text, run, part.line)
    reads = part.direction == "<"

    def substitute(shell: Shell) -> str:
        hub = shell.machine.hub
        number = next((n for n in range(_FIRST_DESCRIPTOR, 0, -1) if n not in shell.descriptors), 0)
        if not number:
            raise ExpansionError("cannot make pipe for process substitution: Too many open files")
        reader, writer = make_pipe(hub)
        twin = fork_to_substitute(shell, job=True)
        if shell.traps.inherited is None:
            twin.traps.hide_signals()
        twin.pid = hub.next_pid
        if reads:
            twin.replace_descriptor(1, writer)
        else:
            twin.replace_descriptor(0, reader)
        shell.descriptors[number] = reader if reads else writer
        shell.temporary.append(number)
        task = hub.spawn(_start(shell, twin, others.at(shell)), twin.release)
        shell.jobs.last, shell.jobs.substitution = task.pid, task
        return f"/dev/fd/{number}"

    return substitute


def _start(shell: Shell, twin: Shell, run: Run) -> Callable[[], int]:
    def main() -> int:
        try:
            return run_subshell(twin, run)
        finally:
            shell.reap()

    return main


def close_temporaries(shell: Shell, kept: int) -> None:
    """Close the descriptors of process substitutions but for the first ``kept``: their command is done."""
    while len(shell.temporary) > kept:
        stream = shell.descriptors.pop(shell.temporary.pop(), None)
        if stream is not None:
            writes = stream.writable
            stream.release()
            if writes:
                shell.machine.hub.give_way()
