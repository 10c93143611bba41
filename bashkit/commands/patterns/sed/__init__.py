"""sed: the stream editor (POSIX XCU sed, GNU sed manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, slurp
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.locale import OCTETS, encoding
from bashkit.commands.patterns.sed.blocks import block_editor
from bashkit.commands.patterns.sed.debug import TracingEditor
from bashkit.commands.patterns.sed.execute import Editor, created
from bashkit.commands.patterns.sed.files import Lines, Output, followed, panic
from bashkit.commands.patterns.sed.inplace import InPlace
from bashkit.commands.patterns.sed.parser import parse
from bashkit.commands.patterns.sed.reader import Piece
from bashkit.commands.patterns.sed.script import NoPatternError, ScriptError
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bashkit.commands.patterns.sed.script import Script
    from bashkit.interp.utility.process import Process

_BAD_USAGE, _BAD_INPUT = 1, 2
_WRAP = 70


def _script(process: Process, arguments: Arguments) -> tuple[Script, list[str]]:
    """The script, and the operands that are files."""
    pieces: list[Piece] = []
    for place, (key, text) in enumerate(arguments.given):
        if key == "e" and text is not None:
            pieces.append(_piece(arguments.given[:place], text))
        elif key == "f" and text is not None:
            try:
                data = slurp(process, process.open(text))
            except OSError as error:
                raise panic(f"couldn't open file {text}: {error.strerror}") from None
            pieces.append(_piece(arguments.given[:place], data.decode("utf-8", "surrogateescape").removesuffix("\n"), text))
    octets = encoding(process.env) == OCTETS
    try:
        if pieces:
            return _parsed(arguments, pieces, octets=octets), arguments.operands
        script = _parsed(arguments, _first(arguments), octets=True) if octets else arguments.once(_only)
    except ScriptError as error:
        for name in error.files:
            process.close(created(process, name))
        raise UsageError(error.message, hint=False, status=error.status) from None
    return script, arguments.operands[1:]


def _piece(before: list[tuple[str, str | None]], text: str, file: str = "") -> Piece:
    """A part of the script, which is read by the options ``before`` it; the first operand comes after all of them."""
    options = {key for key, _ in before}
    return Piece(text, file, extended="E" in options, null_data="z" in options, posix="posix" in options)


def _first(arguments: Arguments) -> list[Piece]:
    return [_piece(arguments.given, arguments.operands[0])]


def _only(arguments: Arguments) -> Script:
    """The script that is the first operand."""
    return _parsed(arguments, _first(arguments), octets=False)


def _parsed(arguments: Arguments, pieces: list[Piece], *, octets: bool) -> Script:
    return parse(
        tuple(pieces),
        sandbox="sandbox" in arguments,
        marked="debug" in arguments,
        octets=octets,
    )


def _width(process: Process, given: str | None) -> int:
    """Where ``l`` wraps lines: as the option says, or one column before the last of the screen."""
    if given is not None:
        number = re.match(r"\s*\+?([0-9]{1,9})", given, re.ASCII)
        return clamped(number[1]) if number else 0
    columns = process.env.get("COLS", "")
    return clamped(columns) - 1 if is_digits(columns) and clamped(columns) > 1 else _WRAP


def _edit(process: Process, arguments: Arguments, script: Script, names: list[str]) -> int:
    """Edit the files and return the exit status."""
    end = "\0" if "z" in arguments else "\n"
    editor = (TracingEditor if "debug" in arguments else Editor)(
        process,
        script,
        Output(process.stdout, end),
        quiet="n" in arguments or script.quiet,
        end=end,
        posix="posix" in arguments or "POSIXLY_CORRECT" in process.env,
        wrap=_width(process, arguments.get("l")),
    )
    inputs = Inputs(process, names, "can't read {bare}: {error}", "couldn't read {bare}: {error}")
    status = None
    try:
        status = _run(process, arguments, script, editor, inputs, names)
    except NoPatternError as error:
        process.warn(f"-e expression #{max(len(arguments.all('e')), 1)}, char 0: {error}")
        status = _BAD_USAGE
    finally:
        editor.output.flush()
        editor.finish()
    return _BAD_INPUT if inputs.failed else status or 0


def _run(process: Process, arguments: Arguments, script: Script, editor: Editor, inputs: Inputs, names: list[str]) -> int | None:
    """Edit the files; return the status with which the script quits, or None."""
    files = None
    if "i" in arguments:
        files = InPlace(process, editor, inputs, editor.end, arguments.get("i"))
    if files is not None and not names:
        raise panic("no input files")
    if files is not None and process.fs.exists(process.path("-")):
        names = ["./-" if name == "-" else name for name in names]

    def begin(_: str) -> bool:
        editor.begin_file()
        return True

    visit = files.visit if files is not None else begin if "s" in arguments else None
    given: Iterable[str] = names or ["-"]
    if "follow-symlinks" in arguments:
        given = (name if name == "-" and files is None else followed(process, name) for name in given)
    lines = Lines(process, inputs, given, editor.end, lambda: editor.output, visit, single="u" in arguments)
    edit = None
    if editor.end == "\n" and "debug" not in arguments:
        edit = block_editor(script, process.budget, editor.selections, quiet=editor.quiet)
    status = None
    if edit is None:
        status = editor.run(lines)
    else:
        lines.edit_blocks(edit)
    if files is not None:
        files.finish()
    return status


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
        flag("--debug", help="annotate program execution"),
        flag("--posix", help="disable all GNU extensions"),
        flag("--sandbox", help="refuse the e, r and w commands"),
        flag("-s", "--separate", help="consider files as separate rather than as a single stream"),
        flag("-u", "--unbuffered", help="load minimal amounts of data from the input files"),
        flag("-b", "--binary", help="(ignored: carriage returns are never removed)"),
        flag("--follow-symlinks", help="follow symlinks when processing in place"),
        flag("-z", "--null-data", "--zero-terminated", help="separate lines by NUL characters"),
    ),
    usage_status=_BAD_USAGE,
    write_status=4,
    model="GNU sed 4.9",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the script over the files."""
    if not arguments.operands and not {"e", "f"} & {key for key, _ in arguments.given}:
        process.stderr.write(main.help().encode())
        return _BAD_USAGE
    script, names = _script(process, arguments)
    return _edit(process, arguments, script, names)
