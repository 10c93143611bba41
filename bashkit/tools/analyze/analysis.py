"""Analyzes a script before anything runs: the tools it may call, the files and hosts it touches, and what cannot be known."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING

from bashkit.syntax import nodes
from bashkit.syntax.reading import literal, read_script
from bashkit.tools.analyze.findings import Call, File, Found, Host, Unknown
from bashkit.tools.analyze.operands import touched
from bashkit.tools.analyze.python import PYTHONS, read_python
from bashkit.tools.analyze.values import MOST, Unsure, Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bashkit.syntax.reading import NamedCommand, Reading
    from bashkit.tools.analyze.findings import Analysis
    from bashkit.tools.define.definition import Effects

_READS = frozenset({"<", "<>"})
_WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
_STREAMS = ("/dev/null", "/dev/std", "/dev/fd/", "/dev/tty")
_DEEPEST = 16  # scripts within scripts
_PREFIXES = {  # commands that run a command: how many operands come before it, and their options that take a value
    "builtin": (0, ""),
    "command": (0, ""),
    "env": (0, "uCS"),
    "exec": (0, "a"),
    "nice": (0, "n"),
    "nohup": (0, ""),
    "parallel": (0, "aIjNnL"),
    "setsid": (0, ""),
    "stdbuf": (0, "ioe"),
    "sudo": (0, "ugC"),
    "time": (0, "of"),
    "timeout": (1, "ks"),
    "xargs": (0, "adEILnPs"),
}
_FEEDS = frozenset({"parallel", "xargs"})  # they add words of their own


def analyze_python(code: str, tools: Mapping[str, Effects | None]) -> Analysis:
    """Analyze Python code in which tools are functions without an import; the parameters are those of ``analyze``."""
    found = Found()
    read_python(code, tools, found, ambient=True)
    return found.analysis()


def analyze(
    script: str,
    tools: Mapping[str, Effects | None],
    commands: frozenset[str],
    body: Callable[[str], str | None] = lambda name: None,  # noqa: ARG005 - a tool without a script
) -> Analysis:
    """Analyze a script.

    Args:
        script: The script.
        tools: The tools that it can call, and their effects.
        commands: The names of all other commands.
        body: The script of a tool whose callback is one, or None.
    """
    found = Found()
    _Script(script, tools, commands, body, found).follow()
    return found.analysis()


class _Script:
    """A script: its text, and the texts in it that run in the same shell, as those of eval and trap."""

    def __init__(
        self,
        text: str,
        tools: Mapping[str, Effects | None],
        commands: frozenset[str],
        body: Callable[[str], str | None],
        found: Found,
        *,
        within: tuple[str, ...] = (),
        depth: int = 0,
    ) -> None:
        self._tools, self._commands, self._body, self._found = tools, commands, body, found
        self._within, self._depth = within, depth
        self._readings: list[Reading] = []
        self._functions: set[str] = set()
        self._opaque = False
        self._take(text.replace("\0", ""), 1)
        self._values = Values(self._readings, opaque=self._opaque)

    def _take(self, text: str, line: int, depth: int = 0) -> None:
        reading = read_script(text, line)
        self._readings.append(reading)
        self._functions |= reading.functions
        if reading.error is not None and self._found.error is None:
            self._found.error = Unknown(reading.error.message, reading.error.line, reading.error.column)
        if depth == _DEEPEST:
            self._opaque = True
            return
        for node in reading.nodes:
            if isinstance(node, nodes.CommandSubstitution) and node.body is None:
                self._take(node.text, node.line, depth + 1)
        for command in reading.commands:
            for inner in self._inner(command):
                self._take(inner, command.line, depth + 1)

    def _inner(self, command: NamedCommand) -> Iterator[str]:
        """The texts that a command runs as scripts of the same shell."""
        words, name = command.words, command.name
        if name == "eval":
            if None in words:
                self._opaque = True
            else:
                yield " ".join(word for word in words[1:] if word is not None)
        elif name in {"source", "."}:
            self._opaque = True
        elif name == "trap" and len(words) > 2 and words[1] is not None and words[1] not in {"-", "--", "-p", "-l"}:
            yield words[1]
        elif name == "alias":
            for word in command.node.words[1:]:
                alias, equals, text = (literal(word) or "").partition("=")
                if isinstance(word, nodes.Assignment) and isinstance(word.value, nodes.Word):
                    alias, equals, text = word.name, "=", literal(word.value) or ""
                if equals:
                    self._functions.add(alias)
                    self._opaque = self._opaque or not text
                    yield text

    def follow(self) -> None:
        """Find what the script does."""
        for reading in self._readings:
            for node in reading.nodes:
                if isinstance(node, nodes.SimpleCommand):
                    self._redirections(node.redirections, node.line, node.column)
                    if node.words:
                        self._simple(node)
                elif isinstance(node, nodes.Redirected):
                    self._redirections(node.redirections, node.line, 1)

    def _redirections(self, redirections: tuple[nodes.Redirection, ...], line: int, column: int) -> None:
        for one in redirections:
            accesses = [name for name, operators in (("read", _READS), ("write", _WRITES)) if one.operator in operators]
            if any(isinstance(part, nodes.ProcessSubstitution) for part in one.target.parts):
                continue  # its commands are looked at by themselves
            for path in self._values.texts(one.target):
                if one.operator == ">&" and not path.isdecimal() and path != "-" and not isinstance(path, Unsure):
                    accesses = ["write"]
                for access in accesses:
                    self._file(path, access, line, column)

    def _file(self, path: str, access: str, line: int, column: int) -> None:
        if path and not path.startswith(_STREAMS):
            self._found.files.append(File(str(path), access, not isinstance(path, Unsure), line, column))

    def _simple(self, node: nodes.SimpleCommand) -> None:
        choices = [self._values.texts(word) for word in node.words]
        if len(choices) > 1 and _count(choices) > MOST:
            both = zip(choices, node.words, strict=True)
            choices = [one if len(one) == 1 else (Unsure(getattr(word, "source", "")),) for one, word in both]
        here = next((one.here for one in reversed(node.redirections) if one.here is not None), None)
        for words in islice(product(*choices), MOST):
            if words[0] in PYTHONS and words[0] not in self._tools:
                self._python(list(words), here, node.line, node.column)
            else:
                self._command(list(words), node.line, node.column)

    def _command(self, words: list[str], line: int, column: int, depth: int = 0) -> None:
        """Note what a command line does."""
        name = words[0]
        if isinstance(name, Unsure) or depth == _DEEPEST:
            self._unknown(f"which command {name} is", line, column)
            return
        if name not in self._tools and " " in name.strip():  # an unquoted variable with several words
            words = [*name.split(), *words[1:]]
            name = words[0]
        if not name or name in self._functions:
            return
        if name in self._tools:
            self._call(name, words[1:], line, column)
        elif name in {"eval", "source", "."}:
            self._loaded(name, words, line, column)
        elif name in {"sh", "bash"}:
            self._shell(words, line, column)
        elif name in PYTHONS:
            self._python(words, None, line, column)
        elif name in _PREFIXES:
            self._prefix(name, words[1:], line, column, depth)
        elif "/" in name:
            self._unknown(f"what the program {name} does", line, column)
        elif name not in self._commands:
            self._unknown(f"what {name} is: there is no such command", line, column)
        else:
            self._utility(name, words[1:], line, column, depth)

    def _call(self, name: str, words: list[str], line: int, column: int) -> None:
        if "--help" in words or words == ["-h"]:
            return
        arguments = tuple(None if isinstance(word, Unsure) else word for word in words)
        self._found.calls.append(Call(name, self._tools[name], arguments, line, column, self._within))
        text = self._body(name)
        if text is not None and name not in self._within:
            inner = _Script(text, self._tools, self._commands, self._body, Found(), within=(*self._within, name))
            inner.follow()
            self._found.calls += [replace(call, line=line, column=column) for call in inner._found.calls]
            self._found.hosts += [replace(host, line=line, column=column) for host in inner._found.hosts]

    def _loaded(self, name: str, words: list[str], line: int, column: int) -> None:
        if name == "eval":
            if any(isinstance(word, Unsure) for word in words):
                self._unknown("what eval runs", line, column)
            return
        if len(words) > 1:
            self._file(words[1], "read", line, column)
            self._unknown(f"what the script {words[1]} does", line, column)

    def _shell(self, words: list[str], line: int, column: int) -> None:
        """Note what ``bash -c TEXT``, ``bash FILE`` or ``bash`` runs."""
        rest = words[1:]
        while rest and rest[0].startswith("-") and not isinstance(rest[0], Unsure):
            option = rest.pop(0)
            if not option.startswith("--") and "c" in option and rest:
                self._text(rest[0], f"what {words[0]} -c runs", line, column)
                return
            if option == "--":
                break
        if rest:
            self._file(rest[0], "read", line, column)
            self._unknown(f"what the script {rest[0]} does", line, column)
        else:
            self._unknown(f"what {words[0]} reads from standard input and runs", line, column)

    def _text(self, text: str, what: str, line: int, column: int) -> None:
        """Note what a script that runs in a shell of its own does."""
        if isinstance(text, Unsure) or self._depth == _DEEPEST:
            self._unknown(what, line, column)
            return
        inner = Found(error=self._found.error)
        _Script(text, self._tools, self._commands, self._body, inner, within=self._within, depth=self._depth + 1).follow()
        found = self._found
        found.calls += [replace(one, line=line, column=column) for one in inner.calls]
        found.files += [replace(one, line=line, column=column) for one in inner.files]
        found.hosts += [replace(one, line=line, column=column) for one in inner.hosts]
        found.unknown += [replace(one, line=line, column=column) for one in inner.unknown]

    def _python(self, words: list[str], here: nodes.HereDocument | None, line: int, column: int) -> None:
        """Note what ``python3 -c CODE``, ``python3 FILE`` or ``python3`` with a here-document runs."""
        for place, word in enumerate(words[1:], 1):
            if word == "-" or isinstance(word, Unsure) or not word.startswith("-"):
                if word == "-":
                    break
                self._file(word, "read", line, column)
                self._unknown(f"what the script {word} does", line, column)
                return
            if word[1:2] == "m" or word in {"-V", "--version", "-h", "--help"}:
                return
            if word.endswith("c") and not word.startswith("--"):
                code = words[place + 1] if place + 1 < len(words) else Unsure("")
                self._code(code, f"what {words[0]} -c runs", (line, 0), column)
                return
        text = None if here is None else literal(here.body)
        what = f"what {words[0]} reads from standard input and runs"
        self._code(Unsure("") if text is None else text, what, (line, 1), column)

    def _code(self, code: str, what: str, lines: tuple[int, int], column: int) -> None:
        """Note what Python code does.

        Args:
            code: It.
            what: What is unknown if it is.
            lines: The line of its command, and 1 if each line of the code has one of its own below that.
            column: The column of its command.
        """
        first, apart = lines
        if isinstance(code, Unsure):
            self._unknown(what, first, column)
            return
        inner = Found()
        read_python(code, self._tools, inner, ambient=False)
        if inner.error is not None:
            inner.unknown.append(replace(inner.error, reason=f"what the Python code does: {inner.error.reason}"))
        found = self._found
        found.calls += [replace(one, line=first + apart * one.line, column=column) for one in inner.calls]
        found.files += [replace(one, line=first + apart * one.line, column=column) for one in inner.files]
        found.unknown += [replace(one, line=first + apart * one.line, column=column) for one in inner.unknown]

    def _prefix(self, name: str, words: list[str], line: int, column: int, depth: int) -> None:
        before, takes = _PREFIXES[name]
        rest = list(words)
        while (
            rest and (rest[0].startswith("-") or (name in {"env", "sudo"} and "=" in rest[0])) and not isinstance(rest[0], Unsure)
        ):
            option = rest.pop(0)
            if name == "command" and option in {"-v", "-V"}:
                return
            if option == "--":
                break
            if len(option) == 2 and option[1] in takes and rest:
                rest.pop(0)
        rest = rest[before:]
        if name in _FEEDS:
            rest = [Unsure(word) if "{}" in word else word for word in rest] + [Unsure("…")]
            if ":::" in rest:
                rest = [*rest[: rest.index(":::")], Unsure("…")]
        if name in _FEEDS and isinstance(rest[0], Unsure) and len(rest) == 1:
            if name == "parallel":
                self._unknown("which commands parallel runs", line, column)
            return
        if rest:
            self._command(rest, line, column, depth + 1)

    def _utility(self, name: str, words: list[str], line: int, column: int, depth: int) -> None:
        from bashkit.commands import find_command

        if name == "find":
            self._find(words, line, column, depth)
        utility = find_command(name)
        if utility is None:
            return
        for access, what in touched(utility, words):
            if access == "host":
                self._found.hosts.append(Host(str(what), not isinstance(what, Unsure), line, column))
            else:
                self._file(what, access, line, column)

    def _find(self, words: list[str], line: int, column: int, depth: int) -> None:
        """Note the commands of ``find -exec``."""
        for place, word in enumerate(words):
            if word in {"-exec", "-execdir", "-ok", "-okdir"}:
                rest = words[place + 1 :]
                end = next((index for index, one in enumerate(rest) if one in {";", "+"}), len(rest))
                if rest[:end]:
                    self._command([Unsure(one) if "{}" in one else one for one in rest[:end]], line, column, depth + 1)

    def _unknown(self, reason: str, line: int, column: int) -> None:
        self._found.unknown.append(Unknown(reason, line, column))


def _count(choices: list[tuple[str, ...]]) -> int:
    count = 1
    for one in choices:
        count *= len(one)
    return count
