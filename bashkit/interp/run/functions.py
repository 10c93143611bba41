"""Functions: their definition, their bodies, and calling them (bash(1), FUNCTIONS).

A body is compiled at the first call, and becomes generated Python after many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run import tiers
from bashkit.interp.run.command_lines import COMPILED
from bashkit.interp.run.compiler import compile_command, compile_refusal, compiles
from bashkit.interp.run.subshell import check_depth
from bashkit.interp.run.traps import act_on_signals, after_failure, before_command, end_in_function, leave_by, run_return_trap
from bashkit.interp.runtime.control import ExitShell, ExpansionError, ReturnFunction
from bashkit.interp.state.calls import Call, Function
from bashkit.interp.state.options import Options
from bashkit.interp.state.scopes import NAME
from bashkit.syntax.digits import is_digits
from bashkit.syntax.height import height
from bashkit.syntax.nodes import FunctionDefinition

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Run, Shell
    from bashkit.interp.state.variables import Stored


class Body:
    """What a function runs.

    Attributes:
        hot: Runs it after many calls; None before.
        frames: Python frames that one call needs; 0 while it is not compiled.
        size: The bytes that it takes.

    Args:
        definition: Where the function is defined.
    """

    __slots__ = ("_calls", "_closure", "command", "frames", "hot", "size")

    def __init__(self, definition: FunctionDefinition) -> None:
        self.command = definition.body
        documents = sum(len(document.body.source) for document in definition.documents)
        self.size = COMPILED * definition.steps + definition.length + documents
        self.frames = 0
        self.hot: Run | None = None  # no method of its own: the two would be a circle, which the collector would have to find
        self._closure: Run | None = None
        self._calls = 0

    def prepare(self) -> None:
        """Compile it, if that has not been done: the frames are known afterwards."""
        if self._closure is None:
            self._closure = compile_command(self.command)  # may give way to another job that calls it
            self.frames = height(self.command) + 1

    def run(self, shell: Shell) -> int:
        """Run it while it is not hot."""
        assert self._closure is not None
        self._calls += 1
        if self._calls > tiers.CALLS:
            self.hot = shell.machine.translate(self.command, function=True) or self._closure
            return self.hot(shell)
        return self._closure(shell)


def _failed(shell: Shell, status: int = 1) -> int:
    """The status of a definition that was refused."""
    shell.status = status
    after_failure(shell, status)
    return status


@compiles(FunctionDefinition)
def _function(command: FunctionDefinition) -> Run:
    if any(character in command.name for character in "$'\"`\\"):
        refuse = compile_refusal(command.name, command.line)
        return lambda shell: _failed(shell, refuse(shell))
    body = Body(command)
    name, line, end = command.name, command.line, command.end

    def run(shell: Shell) -> int:
        if shell.options.posix and (name in shell.machine.special_builtins or not NAME.fullmatch(name)):
            shell.line = end
            shell.warn(
                f"`{name}': {'is a special builtin' if name in shell.machine.special_builtins else 'not a valid identifier'}"
            )
            raise ExitShell(2)
        known = shell.functions.get(name)
        if known is not None and known.readonly:
            shell.line = end
            shell.warn(f"{name}: readonly function")
            return _failed(shell)
        shell.budget.command()
        shell.budget.grow(body.size)
        function = Function(name, body, command, line, shell.calls[-1].source if shell.calls else "")
        if known is not None:  # the new one keeps the attributes
            function.exported, function.traced = known.exported, known.traced
        function.exported = function.exported or shell.options.allexport
        shell.functions[name] = function
        if name in tiers.INLINED:
            shell.alter()
        if shell.pipe_statuses is None:  # a definition is no pipeline
            shell.pipe_statuses = [shell.status]
        shell.status = 0
        return 0

    return run


def call_function(shell: Shell, function: Function, arguments: list[str], *, whole: bool = False) -> int:
    """Run a function with its positional parameters and a scope of its own.

    Args:
        shell: The shell.
        function: The function.
        arguments: Its name and its arguments.
        whole: The shell is the function's process, and ends with it.
    """
    if shell.assigned or shell.sole:
        return _call_inside(shell, function, arguments)
    calls = shell.calls
    if len(calls) >= shell.budget.limits.max_function_depth:
        shell.budget.fail("max_function_depth")
    if "FUNCNEST" in shell.variables:
        _check_nesting(shell, function.name)
    body = function.body
    if not body.frames:
        body.prepare()
    shell.frames += body.frames
    check_depth(shell)
    positional, loop_depth, line = shell.positional, shell.loop_depth, shell.line
    shell.positional = arguments[1:]
    shell.loop_depth = 0
    place = shell.getopts_place
    scope: dict[str, Stored | None] = {}
    shell.scopes.append(scope)
    calls.append(Call(function.name, line, function.source))
    if shell.options.shopt["extdebug"]:
        calls[-1].words = shell.positional
    hidden = _hide_traps(shell, function) if shell.traps else None
    try:
        try:
            status = (body.hot or body.run)(shell)
            if shell.signals:  # that came while the last command ran: their traps can return from the function
                act_on_signals(shell)
            shell.line = function.line
        except ReturnFunction as end:
            status = end.status
        run_return_trap(shell)
        if whole and "EXIT" in shell.traps:
            status = end_in_function(shell, status)
    except ExpansionError as error:
        error.place = error.place or shell.place
        if "EXIT" in shell.traps:
            leave_by(shell, error, whole=whole)
        raise
    except ExitShell as end:
        if end.calls is None:
            end.calls, end.positional = list(calls), shell.positional
        hidden = None  # the EXIT trap runs as in the function
        raise
    finally:
        options = calls.pop().options
        shell.leave_scope()
        if "OPTIND" in scope:
            shell.getopts_place = place
        if options is not None:
            shell.options = Options(options.set, shell.options.shopt)
            shell.watch()
        shell.positional = positional
        shell.loop_depth = loop_depth
        shell.frames -= body.frames
        shell.line = line
        if hidden:
            for name, action in hidden.items():
                shell.traps.setdefault(name, action)
            shell.watch()
    return status


def _call_inside(shell: Shell, function: Function, arguments: list[str]) -> int:
    """Call a function from a text with assignments before it, or in a process that is there for it: its commands need others."""
    if not shell.sole:
        return shell.around_function(lambda: call_function(shell, function, arguments))
    shell.sole = False
    try:
        return call_function(shell, function, arguments, whole=True)
    finally:
        shell.sole = True


def _check_nesting(shell: Shell, name: str) -> None:
    """Give the command line up where ``FUNCNEST`` allows no further function."""
    text = shell.get("FUNCNEST") or ""
    most = whole_number(text) if is_digits(text) else 0
    if 0 < most <= sum(call.is_function for call in shell.calls):
        raise ExpansionError(f"{name}: maximum function nesting level exceeded ({most})")


def _hide_traps(shell: Shell, function: Function) -> dict[str, str]:
    """Take away the traps that a function does not inherit (bash(1), FUNCTIONS)."""
    hidden: dict[str, str] = {}
    if "ERR" in shell.traps and not shell.options.set["errtrace"]:
        hidden["ERR"] = shell.traps.pop("ERR")
    if "DEBUG" in shell.traps and not (shell.options.set["functrace"] or function.traced):
        hidden["DEBUG"] = shell.traps.pop("DEBUG")
    if "RETURN" in shell.traps and not (shell.options.set["functrace"] or function.traced):
        hidden["RETURN"] = shell.traps.pop("RETURN")
    shell.watch()
    if shell.debugging:
        shell.line = function.line
        before_command(shell, shell.get("BASH_COMMAND") or "")
    return hidden
