"""jq: command-line JSON processor (jq 1.8 manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from bashkit.commands._filesystem.lines import slurp
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, command
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_VERSION = "1.8"
_CONFIGURATION = "libjq"  # how it was built
_PRETTY, _ASCII, _COLOR, _SORTED, _TAB = 1, 2, 4, 8, 64
_SEQ, _STREAMING, _STREAM_ERRORS = 1, 2, 4
_ADVICE = "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n"
_UNUSUAL = re.compile(rb"\b(?:env|ENV|now|inputs?)\b")  # what the next four look for; hardly any program has one
_READS_INPUT = re.compile(rb"\binputs?\b")
_SHOWS_ENVIRONMENT = re.compile(rb"\benv\b|\bENV\b")
_OVERRIDES: tuple[tuple[re.Pattern[bytes], Callable[[Process], str]], ...] = (
    (re.compile(rb"\benv\b"), lambda _: "def env: $ENV; "),  # libjq's own variables would show the worker's environment
    (re.compile(rb"\bnow\b"), lambda process: f"def now: {process.system.now()!r}; "),
)

_USAGE = """\
Usage:\tjq [OPTIONS] FILTER [FILES...]
\tjq [OPTIONS] -f FILE [FILES...]
\tjq [OPTIONS] --args FILTER [STRINGS...]
\tjq [OPTIONS] --jsonargs FILTER [JSON_VALUES...]
"""

_OPTIONS_HELP = """
jq is a tool for processing JSON inputs, applying the given filter to
its JSON text inputs and producing the filter's results as JSON on
standard output.

Command options:
  -n, --null-input          use `null` as the single input value;
  -R, --raw-input           read each line as string instead of JSON;
  -s, --slurp               read all inputs into an array and use it as
                            the single input value;
  -c, --compact-output      compact instead of pretty-printed output;
  -r, --raw-output          output strings without escapes and quotes;
      --raw-output0         implies -r and output NUL after each output;
  -j, --join-output         implies -r and output without newline after
                            each output;
  -a, --ascii-output        output strings by only ASCII characters
                            using escape sequences;
  -S, --sort-keys           sort keys of each object on output;
  -C, --color-output        colorize JSON output;
  -M, --monochrome-output   disable colored output;
      --tab                 use tabs for indentation;
      --indent n            use n spaces for indentation (max 7 spaces);
      --unbuffered          flush output stream after each output;
      --stream              parse the input value in streaming fashion;
      --stream-errors       implies --stream and report parse error as
                            an array;
      --seq                 parse input/output as application/json-seq;
  -f, --from-file           load the filter from a file;
      --arg name value      set $name to the string value;
      --argjson name value  set $name to the JSON value;
      --slurpfile name file set $name to an array of JSON values read
                            from the file;
      --rawfile name file   set $name to string contents of file;
      --args                consume remaining arguments as positional
                            string values;
      --jsonargs            consume remaining arguments as positional
                            JSON values;
  -e, --exit-status         set exit status code based on the output;
  -V, --version             show the version;
  -h, --help                show the help;
  --                        terminates argument processing;

Named arguments are also available as $ARGS.named[], while
positional arguments are available as $ARGS.positional[].
"""


class _Refused(Exception):  # noqa: N818 - ends the run with a message; not every such end is an error
    """The command line ends the run.

    Args:
        text: For standard error, complete with newlines.
        status: The exit status.
    """

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


@dataclass(slots=True)
class _Invocation:
    """A parsed command line."""

    program: str | None = None
    from_file: bool = False
    files: list[str] = field(default_factory=list)
    named: dict[str, tuple[str, bytes, str]] = field(default_factory=dict)
    positional: list[tuple[str, bytes, str]] = field(default_factory=list)
    positional_kind: str = ""
    flags: int = _PRETTY | 2 << 8
    parser_flags: int = 0
    null_input: bool = False
    raw_input: bool = False
    slurp: bool = False
    raw_output: bool = False
    terminator: bytes = b"\n"
    seq: bool = False
    unbuffered: bool = False
    exit_status: bool = False
    color: bool = False
    monochrome: bool = False
    show: str = ""

    def compact(self) -> None:
        """Print each value in one line."""
        self.flags &= ~(_TAB | _PRETTY | 7 << 8)

    def indent(self, width: int) -> None:
        """Indent by ``width`` spaces; by tabs if it is -1."""
        self.compact()
        self.flags |= _PRETTY | (_TAB if width < 0 else width << 8)

    def tabs(self) -> None:
        """Indent by tabs, also after ``--indent``."""
        self.flags = self.flags & ~(7 << 8) | _TAB | _PRETTY


def _set(name: str, to: Any = True) -> Callable[[_Invocation], None]:
    return lambda invocation: setattr(invocation, name, to)


def _raw(terminator: bytes | None) -> Callable[[_Invocation], None]:
    def apply(invocation: _Invocation) -> None:
        invocation.raw_output = True
        if terminator is not None and invocation.terminator != b"\0":
            invocation.terminator = terminator

    return apply


def _flag(bit: int) -> Callable[[_Invocation], None]:
    return lambda invocation: setattr(invocation, "flags", invocation.flags | bit)


def _parser(bits: int) -> Callable[[_Invocation], None]:
    return lambda invocation: setattr(invocation, "parser_flags", invocation.parser_flags | bits)


def _seq(invocation: _Invocation) -> None:
    invocation.seq = True
    invocation.parser_flags |= _SEQ


_SWITCHES: dict[str, tuple[str, Callable[[_Invocation], None]]] = {
    "slurp": ("s", _set("slurp")),
    "raw-output": ("r", _raw(None)),
    "raw-output0": ("", _raw(b"\0")),
    "join-output": ("j", _raw(b"")),
    "compact-output": ("c", _Invocation.compact),
    "color-output": ("C", _set("color")),
    "monochrome-output": ("M", _set("monochrome")),
    "ascii-output": ("a", _flag(_ASCII)),
    "unbuffered": ("", _set("unbuffered")),
    "sort-keys": ("S", _flag(_SORTED)),
    "raw-input": ("R", _set("raw_input")),
    "null-input": ("n", _set("null_input")),
    "from-file": ("f", _set("from_file")),
    "binary": ("b", lambda _: None),
    "tab": ("", _Invocation.tabs),
    "seq": ("", _seq),
    "stream": ("", _parser(_STREAMING)),
    "stream-errors": ("", _parser(_STREAMING | _STREAM_ERRORS)),
    "exit-status": ("e", _set("exit_status")),
    "args": ("", _set("positional_kind", "text")),
    "jsonargs": ("", _set("positional_kind", "json")),
    "help": ("h", _set("show", "help")),
    "version": ("V", _set("show", "version")),
    "build-configuration": ("", _set("show", "configuration")),
}
_LETTERS = {letter: apply for letter, apply in _SWITCHES.values() if letter}


class _Parser:
    """Parses a command line in jq's own way: options anywhere, letters combined, ``--arg`` with two words.

    Args:
        words: The command line.
        read: Gives the content of a file that it names.
    """

    def __init__(self, words: list[str], read: Callable[[str], bytes]) -> None:
        self._words = words
        self._read = read
        self._next = 0
        self.invocation = _Invocation()

    def parse(self) -> _Invocation:
        """Parse the invocation.

        Raises:
            _Refused: The command line is malformed, or a file that it names cannot be read.
        """
        only_operands = False
        while self._next < len(self._words):
            word = self._words[self._next]
            self._next += 1
            turn()
            if only_operands or not _is_option(word):
                self._operand(word)
            elif word == "--":
                only_operands = True
            elif word.startswith("--"):
                self._long(word)
            else:
                self._short(word)
        return self.invocation

    def _operand(self, word: str) -> None:
        invocation = self.invocation
        if invocation.program is None:
            invocation.program = word
        elif invocation.positional_kind:
            complaint = f"jq: invalid JSON text passed to --jsonargs\n{_ADVICE}".rstrip("\n")
            invocation.positional.append((invocation.positional_kind, _bytes(word), complaint))
        else:
            invocation.files.append(word)

    def _short(self, word: str) -> None:
        if word[1] == "L":
            raise _Refused("jq: -L is not supported: there are no modules to search for\n")
        for letter in word[1:]:
            apply = _LETTERS.get(letter)
            if apply is None:
                raise _Refused(f"jq: Unknown option -{letter}\n{_ADVICE}")
            apply(self.invocation)

    def _long(self, word: str) -> None:
        name = word[2:]
        if name in _SWITCHES:
            _SWITCHES[name][1](self.invocation)
        elif name == "indent":
            self._indent()
        elif name in {"arg", "argjson", "slurpfile", "rawfile"}:
            self._named(name)
        elif name == "library-path":
            raise _Refused("jq: --library-path is not supported: there are no modules to search for\n")
        else:
            raise _Refused(f"jq: Unknown option {word}\n{_ADVICE}")

    def _take(self, count: int, complaint: str) -> list[str]:
        words = self._words[self._next : self._next + count]
        if len(words) < count:
            raise _Refused(f"jq: {complaint}\n{_ADVICE}")
        self._next += count
        return words

    def _indent(self) -> None:
        word = self._take(1, "--indent takes one parameter")[0]
        if not re.fullmatch(r"[-+]?0*[0-7]", word, re.ASCII) or not -1 <= int(word) <= 7:
            raise _Refused(f"jq: --indent takes a number between -1 and 7\n{_ADVICE}")
        self.invocation.indent(int(word))

    def _named(self, option: str) -> None:
        example = {"arg": "varname value", "argjson": "varname text"}.get(option, "varname filename")
        name, text = self._take(2, f"--{option} takes two parameters (e.g. --{option} {example})")
        if name in self.invocation.named:
            return
        if option == "arg":
            self.invocation.named[name] = ("text", _bytes(text), "")
        elif option == "argjson":
            complaint = f"jq: invalid JSON text passed to --argjson\n{_ADVICE}".rstrip("\n")
            self.invocation.named[name] = ("json", _bytes(text), complaint)
        else:
            complaint = f"jq: Bad JSON in --{option} {name} {text}: "
            try:
                data = self._read(text)
            except OSError as error:
                raise _Refused(f"{complaint}Could not open {text}: {_reason(error)}\n") from None
            self.invocation.named[name] = ("text" if option == "rawfile" else "slurp", data, complaint + "%s")


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and (word[1] == "-" or word[1].isalpha())


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _read(process: Process, name: str) -> bytes:
    data = slurp(process, process.open_file(name) if name == "-" else process.open(name))
    process.budget.string(len(data))
    return data


def _reason(error: OSError) -> str | None:
    return "It's a directory" if isinstance(error, IsADirectoryError) else error.strerror


def _no_file(name: str) -> bytes:  # noqa: ARG001 - as _read, of a process that is not there
    raise _Refused("")


def _program_text(process: Process, invocation: _Invocation) -> bytes:
    if invocation.program is None:
        if not invocation.from_file:
            # jq assumes "." unless it talks to a terminal.
            return b"."
        raise _Refused(_USAGE + "For listing the command options, use jq --help.\n")
    if not invocation.from_file:
        return _bytes(invocation.program)
    try:
        text = _read(process, invocation.program)
    except OSError as error:
        raise _Refused(f"jq: Could not open {invocation.program}: {_reason(error)}\n") from None
    if b"\0" in text:
        raise _Refused("jq: program file contains NUL bytes\n")
    return text


def _inputs(process: Process, files: list[str]) -> list[tuple[str, bytes | str | None]]:
    """The inputs in order: name and content, None for standard input, or an error message."""
    inputs: list[tuple[str, bytes | str | None]] = []
    for name in files or ["-"]:
        if name == "-" or (name == "/dev/stdin" and not isinstance(process.stdin, FileStream)):
            repeated = any(content is None for _, content in inputs)
            inputs.append(("<stdin>", b"" if repeated else None))
            continue
        try:
            inputs.append((name, _read(process, name)))
        except IsADirectoryError as error:  # jq opens a folder, and cannot read it
            inputs.append((name, f"jq: error: {error.strerror}"))
        except OSError as error:
            inputs.append((name, f"jq: error: Could not open file {name}: {error.strerror}"))
    return inputs


def _of_words(arguments: Arguments) -> tuple[dict[str, Any], list[str]] | tuple[()]:
    """The request of a command line without its inputs, and the files; empty where other files or the environment count, too."""
    try:
        invocation = _Parser(arguments.operands, _no_file).parse()
    except _Refused:
        return ()
    program = b"." if invocation.program is None else _bytes(invocation.program)  # as _program_text
    if invocation.show or invocation.from_file or _UNUSUAL.search(program) is not None:
        return ()
    return _layout(invocation, program), invocation.files


def _request(process: Process, invocation: _Invocation) -> dict[str, Any]:
    program = _program_text(process, invocation)
    request = _layout(invocation, program)
    unusual = _UNUSUAL.search(program) is not None
    if unusual:
        request["prefix"] = "".join(define(process) for pattern, define in _OVERRIDES if pattern.search(program))
        if _SHOWS_ENVIRONMENT.search(program):
            request["environment"] = _environment(process)
    if not invocation.null_input or (unusual and _READS_INPUT.search(program)):
        request["inputs"] = _inputs(process, invocation.files)
    return request


def _layout(invocation: _Invocation, program: bytes) -> dict[str, Any]:
    """The request for a program without input."""
    return {
        "program": program,
        "prefix": "",
        "arguments": {
            "named": [(name, *value) for name, value in invocation.named.items()],
            "positional": invocation.positional,
            "configuration": _CONFIGURATION,
        },
        "environment": {},
        "inputs": [],
        "flags": invocation.flags | (_COLOR if invocation.color and not invocation.monochrome else 0),
        "parser_flags": invocation.parser_flags,
        "null_input": invocation.null_input,
        "raw_input": invocation.raw_input,
        "slurp": invocation.slurp,
        "raw_output": invocation.raw_output,
        "terminator": invocation.terminator,
        "seq": invocation.seq,
        "unbuffered": invocation.unbuffered,
        "exit_status": invocation.exit_status,
    }


def _environment(process: Process) -> dict[str, str]:
    environment = process.environment()
    process.hold(sum(map(len, environment.values())))  # the worker is sent a copy
    return {name: text for name, text in environment.items() if name and "=" not in name and "\0" not in name + text}


@command(
    "jq",
    usage="[OPTIONS] FILTER [FILES...]",
    summary="Process JSON: apply a filter to each input and print its results.",
    options=None,
    usage_status=2,
)
def main(process: Process, arguments: Arguments) -> int:
    """Run jq; the exit status is jq's own (jq 1.8 manual, EXIT STATUS)."""
    from bashkit.commands._workers.worker import UnavailableError
    from bashkit.commands.data.jq.session import run

    try:
        made = arguments.once(_of_words)
        if made:
            request, files = made
            if not request["null_input"]:
                request = {**request, "inputs": _inputs(process, files)}
        else:
            invocation = _Parser(process.argv, partial(_read, process)).parse()
            if invocation.show:
                shown = {"help": _USAGE + _OPTIONS_HELP, "version": f"jq-{_VERSION}\n", "configuration": f"{_CONFIGURATION}\n"}
                process.write(shown[invocation.show])
                return 0
            request = _request(process, invocation)
        return run(process, request, stdin=any(content is None for _, content in request["inputs"]))
    except _Refused as refusal:
        process.stderr.write(_bytes(refusal.text))
        return refusal.status
    except UnavailableError as error:
        process.stderr.write(f"jq: error: {error}\n".encode())
        return 2
