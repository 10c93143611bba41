"""``sed --debug``: prints the script in canonical form and traces every cycle (GNU sed manual, Overview, --debug)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.sed.execute import RESTARTED, SHOWN, Editor
from bashkit.commands.patterns.sed.script import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.patterns.sed.files import Lines
    from bashkit.commands.patterns.sed.script import Address, Command, Script, Substitution

_ESCAPES = {
    "\\": "\\\\", "\a": "\\a", "\f": "\\f", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\n": "\\n",
}  # fmt: skip
_CHANGES_SPACE = "syxGnNz"
_CHANGES_HOLD = "hHgx"


class TracingEditor(Editor):
    """An editor that prints what it does."""

    passes = False  # it prints something about every line
    _commands: list[tuple[Command, str]]  # with their canonical forms
    _told = 0  # the last announced line
    _last = ""  # the last executed command

    def run(self, lines: Lines) -> int | None:
        """Print the script, then edit all lines."""
        self._log = self.output
        self._commands = list(_canonical(self.script))
        self._indentation = _Indentation()
        listed = [self._indentation.line(command, text) for command, text in self._commands]
        self._log.raw("SED PROGRAM:\n" + "".join(f"  {text}\n" for text in listed))
        return super().run(lines)

    def finish(self) -> None:
        """Write and close all outputs."""
        self._log.flush()
        super().finish()

    def _cycle(self) -> bool:
        assert self.lines is not None
        if self.line != self._told:
            self._log.raw(f"INPUT:   '{self.lines.name if self.lines.name != '-' else 'STDIN'}' line {self.line}\n")
        self._log.raw(f"PATTERN: {_shown(self.space)}\n")
        end = self._run_program()
        keep = end == RESTARTED
        self._told = self.line
        if self._last != "D":
            self._log.raw("END-OF-CYCLE:\n")
        if end in {0, SHOWN} and not self.quiet:
            self.show()
        self.end_cycle(keep=keep)
        return keep

    def _run_program(self) -> int:
        counter = 0
        while counter < len(self._commands):
            self.budget.tick(2)
            command, text = self._commands[counter]
            selects, act = self._program[counter]
            self._log.raw(f"COMMAND: {self._indentation.line(command, text)}\n")
            self._last = command.name
            target = None
            if selects is None or selects(self):
                if command.substitution is not None:
                    self._tell_registers(command.substitution)
                target = act(self)
                if target is not None and target < 0:
                    return target
                if command.name in _CHANGES_SPACE:
                    self._log.raw(f"PATTERN: {_shown(self.space)}\n")
                if command.name in _CHANGES_HOLD:
                    self._log.raw(f"HOLD:    {_shown(self.hold)}\n")
            counter = counter + 1 if target is None else target
        return 0

    def _tell_registers(self, plan: Substitution) -> None:
        match = self.use(plan.pattern).search(self.space)
        if match is None:
            return
        self._log.raw("MATCHED REGEX REGISTERS\n")
        for number in range(1 + len(match.groups())):
            text = match.group(number)
            if text is not None:
                start, length = (
                    len(part.encode("utf-8", "surrogateescape")) for part in (self.space[: match.start(number)], text)
                )
                self._log.raw(f"  regex[{number}] = {start}-{start + length} '{text}'\n")


def _shown(text: str, special: str = "") -> str:
    """Escape invisible characters and those of ``special``."""
    pieces: list[str] = []
    for char in text:
        if char in special:
            pieces.append("\\" + char)
        elif char in _ESCAPES:
            pieces.append(_ESCAPES[char])
        elif " " <= char <= "~":
            pieces.append(char)
        else:  # bytes are signed numbers here, as in GNU sed
            signed = [code | 0xFFFFFF00 if code > 0x7F else code for code in char.encode("utf-8", "surrogateescape")]
            pieces += [f"\\o{code:03o}" for code in signed]
    return "".join(pieces)


def _canonical(script: Script) -> Iterator[tuple[Command, str]]:
    """Every command with its canonical form."""
    for command in script.commands:
        yield command, _address(command) + _command(command)


class _Indentation:
    """Indents commands in the order in which they are printed: a block that is left without its end counts on, as in GNU sed."""

    def __init__(self) -> None:
        self._depth = 0

    def line(self, command: Command, text: str) -> str:
        """A command, indented."""
        self._depth -= command.name == "}"
        indented = "  " * self._depth + text
        self._depth += command.name == "{"
        return indented


def _address(command: Command) -> str:
    if command.first is None:
        return "! " if command.negated else ""
    text = _one_address(command.first)
    if command.second is not None:
        text += "," + _one_address(command.second)
    return text + ("! " if command.negated else " ")


def _one_address(address: Address) -> str:
    if address.kind == "regex":
        return f"/{_shown(address.source, '/')}/{address.modifiers}"
    if address.kind == "step":
        return f"{address.number}~{address.step}"
    return {"last": "$", "plus": f"+{address.number}", "multiple": f"~{address.number}"}.get(address.kind, str(address.number))


def _command(command: Command) -> str:
    name = command.name
    if command.substitution is not None:
        return _substitute(command.substitution)
    if name == "y":
        table = command.table
        return f"y/{''.join(map(chr, table))}/{''.join(table.values())}/"
    if name in "aic":
        return f"{name}\\{command.text}"
    if name in "wW:":
        return name + command.text
    if name in "qQl" and command.number >= 0:
        return f"{name} {command.number}"
    return f"{name} {command.text}" if command.text else name


def _substitute(plan: Substitution) -> str:
    replacement = "".join(
        part if isinstance(part, str) else f"\\{part.letter}" if isinstance(part, Case) else f"\\{part}" if part else "&"
        for part in plan.parts
    )
    flags = plan.modifiers.lower() + "g" * plan.everything + "p" * plan.show
    flags += (str(plan.number) if plan.number > 1 else "") + "e" * plan.evaluate
    return f"s/{_shown(plan.source, '/')}/{replacement}/{flags}" + (f"w{plan.file}" if plan.file else "")
