"""awk: pattern scanning and processing (POSIX XCU awk, gawk manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.locale import OCTETS, as_octets, encoding
from bashkit.commands.patterns.awk.compile.compiler import compile_program
from bashkit.commands.patterns.awk.run.inplace import InPlace
from bashkit.commands.patterns.awk.run.input import assignment
from bashkit.commands.patterns.awk.run.runtime import Runtime
from bashkit.commands.patterns.awk.sources import INPLACE, Sources
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value

if TYPE_CHECKING:
    from bashkit.commands.patterns.awk.compile.compiler import Compiled
    from bashkit.interp.utility.process import Process

_VERSION = "GNU Awk 5.2.1 compatible (bashkit)\n"
_SYNTAX, _FATAL = 1, 2
_SUFFIX = "inplace::suffix="

OPTIONS = (
    value("-F", "--field-separator", metavar="fs", help="the field separator, FS"),
    value("-v", "--assign", metavar="var=val", help="assign a variable before the program begins"),
    value("-f", "--file", metavar="progfile", help="read the program from a file; may be given several times"),
    value("-e", "--source", metavar="program-text", help="a piece of the program"),
    value("-E", "--exec", metavar="file", help="as -f, and the last option"),
    flag("-V", "--version", help="print the version"),
    flag("-b", "--characters-as-bytes", help="a character is one byte"),
    flag("-P", "--posix", help="(ignored: a program of POSIX awk means the same without it)"),
    flag("-c", "--traditional", help="(ignored: a program of traditional awk means the same without it)"),
    flag("-r", "--re-interval", help="(ignored: intervals are always understood)"),
    flag("-O", "--optimize", help="(ignored: every program is optimized)"),
    flag("-s", "--no-optimize", help="(ignored: every program is optimized)"),
    flag("-N", "--use-lc-numeric", help="(ignored: the decimal point is always a point)"),
    flag("-S", "--sandbox", help="allow no commands, no redirections and no files but those of the command line"),
    value("-i", "--include", metavar="includefile", help="include a file; inplace: what is printed for a file replaces it"),
    help_flag("-h"),
)
_VALUED = frozenset(["-F", "-v", "-f", "-e", "-E", "-i", "--exec"])


class _Session:
    """Runs one command line."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        operands = list(arguments.operands)
        self._sources = self._program(arguments, operands)
        self._text = self._sources.text
        self._operands = operands
        self._assignments = self._given(arguments)
        self._encoding = OCTETS if "b" in arguments else encoding(process.env)
        if self._encoding == OCTETS:
            self._text = as_octets(self._text)
            self._assignments = [(name, as_octets(text)) for name, text in self._assignments]
        self._suffix: str | None = None  # of copies of the files that are changed in place
        if INPLACE in self._sources.libraries:
            if "S" in arguments:
                raise UsageError("fatal: extensions are not allowed in sandbox mode", hint=False, status=_FATAL)
            given = [text.removeprefix(_SUFFIX) for text in arguments.all("v") if text.startswith(_SUFFIX)]
            self._suffix = given[-1] if given else ""
            self._text += "\nENDFILE { }"  # files end one by one

    def _program(self, arguments: Arguments, operands: list[str]) -> Sources:
        sources = Sources(self._process)
        take = {"f": sources.add_file, "E": sources.add_file, "e": sources.add, "i": sources.include}
        is_given = False
        for key, text in arguments.given:
            if key == "e" and not text:
                self._process.warn("warning: empty argument to `-e/--source' ignored")
            elif key in take and text is not None:
                take[key](text)
                is_given |= key != "i"
        if not is_given:
            if not operands:
                raise UsageError("no program text", status=_SYNTAX)
            sources.add(operands.pop(0))
        return sources

    @staticmethod
    def _given(arguments: Arguments) -> list[tuple[str, str]]:
        given: list[tuple[str, str]] = []
        for key, text in arguments.given:
            if key == "F" and text is not None:
                given.append(("FS", text))
            elif key == "v" and text is not None and not text.startswith(_SUFFIX):
                found = assignment(text)
                if found is None:
                    name = text.partition("=")[0]
                    if "=" not in text:
                        raise UsageError(f"`{text}' argument to `-v' not in `var=value' form", status=_SYNTAX)
                    raise UsageError(f"fatal: `{name}' is not a legal variable name", hint=False, status=_FATAL)
                given.append(found)
        return given

    def run(self) -> int:
        """Compile and run the program."""
        outside = {name for name, _ in self._assignments}
        outside |= {found[0] for found in map(assignment, self._operands) if found is not None}
        try:
            compiled = compile_program(self._text, frozenset(outside))
        except AwkError as error:
            self._report(error, error.line)
            return error.status
        for line, warning in compiled.warnings:
            self._process.warn(f"{self._sources.place(line)}warning: {warning}")
        runtime = Runtime(self._process, compiled.pad, compiled.most, self._operands, compiled.lines, self._sources.place)
        runtime.begun, runtime.last_line, runtime.encoding = compiled.begins, compiled.last_line, self._encoding
        runtime.outputs.allowed = "S" not in self._arguments
        if self._suffix is not None:
            runtime.input.in_place = InPlace(self._process, runtime.standard, self._suffix)
        try:
            return self._execute(compiled, runtime)
        finally:
            runtime.release()
            vars(runtime).clear()  # its parts know it, and it knows the session: no circle is left

    def _execute(self, compiled: Compiled, runtime: Runtime) -> int:
        try:
            runtime.set_given(self._assignments)
            status = compiled.run(runtime)
            runtime.finish()
            return status
        except AwkError as error:
            self._stop(runtime, error, compiled.line(error.__traceback__) or error.line)
            return error.status
        except ZeroDivisionError as error:
            self._stop(runtime, AwkError("division by zero attempted"), compiled.line(error.__traceback__))
            return _FATAL
        except RecursionError:
            self._process.budget.fail("max_function_depth")
        except BaseException:
            runtime.abandon()
            raise

    def _stop(self, runtime: Runtime, error: AwkError, line: int) -> None:
        where = runtime.where()
        runtime.standard.flush()
        self._report(error, line, where)
        runtime.outputs.close_all()
        runtime.close_readers()

    def _report(self, error: AwkError, line: int, where: str = "") -> None:
        warn = self._process.warn
        place = self._sources.place(line)
        for step in self._sources.way(line) if error.kind != "fatal" else ():
            warn(step)
        if error.context is None:
            for _ in range(error.times):
                warn(f"{place}{where}{error.kind}{': ' if error.kind else ''}{error.message}")
            return
        source, column = error.context
        warn(f"{place}{source}")
        before = source[:column].encode("utf-8", "surrogateescape")
        blank = re.sub(rb"[^\t]", b" ", before).decode()
        warn(f"{place}{blank}^ {error.message}")


def _spelled_out(words: list[str]) -> list[str]:
    """Rewrite ``-W version``, as POSIX lets options of one's own be written, as ``--version``; end the options behind ``-E``."""
    found: list[str] = []
    index = 0
    while index < len(words) and words[index].startswith("-") and words[index] not in {"-", "--"}:
        word, index = words[index], index + 1
        if word.startswith("-W") and (word != "-W" or index < len(words)):
            if word == "-W":
                word, index = word + words[index], index + 1
            word = "--" + word[2:]
        found.append(word)
        if word in _VALUED and index < len(words):
            found.append(words[index])
            index += 1
        if word.startswith(("-E", "--exec")):
            return [*found, "--", *words[index:]]
    return found + words[index:]


@command(
    "awk",
    usage="[-F fs] [-v var=value] ['prog' | -f progfile] [file ...]",
    summary="Find lines that match patterns and act upon them.",
    options=OPTIONS,
    usage_status=_SYNTAX,
    stop_at_operand=True,
    rewrite=_spelled_out,
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the program over the files."""
    if "V" in arguments:
        process.write(_VERSION)
        return 0
    return _Session(process, arguments).run()
