"""sed: the stream editor (POSIX XCU sed, GNU sed manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._lines import Inputs, close, slurp
from bashkit.commands.sed.blocks import block_editor
from bashkit.commands.sed.execute import Editor, NoPatternError
from bashkit.commands.sed.files import Lines, Output
from bashkit.commands.sed.nodes import ScriptError
from bashkit.commands.sed.parser import Piece, parse
from bashkit.fs import BytesStream
from bashkit.interp.capture import Substitution
from bashkit.interp.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.commands.sed.nodes import Script
    from bashkit.interp.process import Process

_BAD_USAGE, _BAD_INPUT, _PANIC = 1, 2, 4
_WRAP = 70


def _script(process: Process, arguments: Arguments) -> tuple[Script, list[str]]:
    """The script, and the operands that are files."""
    pieces: list[Piece] = []
    for key, text in arguments.given:
        if key == "e" and text is not None:
            pieces.append(Piece(text))
        elif key == "f" and text is not None:
            try:
                data = slurp(process.open(text).blocks(), process.budget)
            except OSError as error:
                raise UsageError(f"couldn't open file {text}: {error.strerror}", hint=False, status=_PANIC) from None
            pieces.append(Piece(data.decode("utf-8", "surrogateescape").removesuffix("\n"), text))
    operands = arguments.operands
    if not pieces:
        if not operands:
            raise UsageError("no script specified", status=_BAD_USAGE)
        pieces, operands = [Piece(operands[0])], operands[1:]
    extended = "E" in arguments
    try:
        return parse(tuple(pieces), "extended" if extended else "basic", sandbox="sandbox" in arguments, null_data="z" in arguments), operands
    except ScriptError as error:
        raise UsageError(error.message, hint=False, status=error.status) from None


class _Session:
    """One command line being worked off."""

    def __init__(self, process: Process, arguments: Arguments, script: Script) -> None:
        self._process = process
        self._arguments = arguments
        self._script = script
        self._end = "\0" if "z" in arguments else "\n"
        output = Output(process.stdout, self._end)
        wrap = arguments.get("l")
        if wrap is not None and not wrap.isdecimal():
            raise UsageError(f"invalid line length: {wrap}", hint=False)
        self._editor = Editor(
            process,
            script,
            output,
            quiet="n" in arguments or script.quiet,
            end=self._end,
            posix="posix" in arguments,
            wrap=_WRAP if wrap is None else int(wrap[:9]),
        )

    def run(self, names: list[str]) -> int:
        """Edit the files and return the exit status."""
        process, editor = self._process, self._editor
        inputs = Inputs(process, names, "can't read {name}: {error}", "couldn't read {name}: {error}")
        try:
            if "i" in self._arguments:
                status = self._in_place(names, inputs)
            elif "s" in self._arguments:
                status = None
                for name in names or ["-"]:
                    editor.line = 0
                    status = editor.run(Lines(process, inputs, [name], self._end, editor.output))
                    if status is not None:
                        break
            else:
                edit = block_editor(self._script, process.budget, quiet=editor.quiet) if self._end == "\n" else None
                lines = Lines(process, inputs, names or ["-"], self._end, editor.output)
                status = None
                if edit is None:
                    status = editor.run(lines)
                else:
                    lines.edit_blocks(edit)
        except NoPatternError:
            process.warn("-e expression #1, char 0: no previous regular expression")
            status = _BAD_USAGE
        finally:
            editor.output.flush()
            editor.finish()
        return status if status is not None else _BAD_INPUT if inputs.failed else 0

    def _in_place(self, names: list[str], inputs: Inputs) -> int | None:
        process, editor = self._process, self._editor
        status: int | None = None
        standard = editor.output
        for name in names:
            path = process.path(name)
            if process.fs.exists(path) and process.fs.stat(path).type != "file":
                process.warn(f"couldn't edit {name}: not a regular file")
                return _PANIC
            source = inputs.open(name)
            if source is None:
                continue
            content = bytes(slurp(source.blocks(), process.budget))
            close(process, source)
            held = Substitution(process.budget)
            editor.output = Output(held, self._end)
            lines = Lines(process, inputs, [], self._end, editor.output)
            lines.push(name, BytesStream(content))
            editor.line = 0
            status = editor.run(lines)
            rest = lines.rest() if status is not None else b""
            editor.output.flush()
            self._store(name, content, held.value() + rest)
            editor.output = standard
            if status is not None:
                break
        return status

    def _store(self, name: str, old: bytes, new: bytes) -> None:
        process = self._process
        suffix = self._arguments.get("i")
        if suffix:
            folder, slash, base = name.rpartition("/")
            backup = suffix.replace("*", base) if "*" in suffix else base + suffix
            process.create(backup if "/" in backup else folder + slash + backup).write(old)
        process.create(name).write(new)


@command(
    "sed",
    usage="[OPTION]... {script-only-if-no-other-script} [input-file]...",
    summary="Edit text, line by line.",
    options=(
        flag("-n", "--quiet", "--silent", help="suppress automatic printing of pattern space"),
        value("-e", "--expression", metavar="script", help="add the script to the commands to be executed"),
        value("-f", "--file", metavar="script-file", help="add the contents of script-file to the commands"),
        flag("-E", "-r", "--regexp-extended", help="use extended regular expressions in the script"),
        value("-i", "--in-place", metavar="SUFFIX", optional=True, help="edit files in place (makes backup if SUFFIX supplied)"),
        value("-l", "--line-length", metavar="N", help="specify the desired line-wrap length for the `l' command"),
        flag("--posix", help="disable GNU extensions where they differ from POSIX"),
        flag("-s", "--separate", help="consider files as separate rather than as a single stream"),
        flag("--sandbox", help="refuse the r and w commands"),
        flag("-u", "--unbuffered", help="(ignored)"),
        flag("-b", "--binary", help="(ignored)"),
        flag("--follow-symlinks", help="(ignored)"),
        flag("-z", "--null-data", help="separate lines by NUL characters"),
    ),
    usage_status=_BAD_USAGE,
    model="GNU sed 4.9",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the script over the files."""
    script, names = _script(process, arguments)
    return _Session(process, arguments, script).run(names)
