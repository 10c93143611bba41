"""Turns a ToolDef and its callback into a command of the shell."""

from __future__ import annotations

import re
import time
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bashkit.interp.runtime.control import CommandStatus, SigPipe
from bashkit.interp.utility.command import Arguments, Command
from bashkit.tools import json_text
from bashkit.tools.call.dispatch import ToolDispatcher, own_switches
from bashkit.tools.call.files import save
from bashkit.tools.call.flags import FlagReader
from bashkit.tools.call.reporting import Reporter
from bashkit.tools.call.trace import ToolCall, keepable, stream_text
from bashkit.tools.define.arguments import ToolArgs
from bashkit.tools.define.definition import CHANGING
from bashkit.tools.define.result import to_bytes
from bashkit.tools.define.schema import closed, parameters
from bashkit.tools.describe.help import tool_help
from bashkit.tools.describe.notation import usage
from bashkit.tools.typed.binding import bind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.interp.utility.process import Process
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.flags import Reading
    from bashkit.tools.call.validation import ArgumentChecker, JsonChecker
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.define.result import ToolResult

    # makes a callback's arguments from its host, a deadline and a list that is filled when the result is no longer awaited
    Hosted = Callable[[Reporter, float, list[bool]], tuple[Any, ...]]

_USAGE = 2  # the exit status for a command line that the schema rejects
_BROKEN_PIPE = 141  # the status of a program that SIGPIPE ends
_LONGEST_USAGE = 240  # maximum characters of a usage line in an error
_LARGE = 32_768  # maximum characters of a command line
_SUGGESTION = re.compile(r" \(did you mean [^()]*\?\)$")


class ToolAdapter:
    """Adapts a tool to the shell: parses flags, validates, calls the callback, writes its result.

    Args:
        definition: The tool.
        callback: ``(args: ToolArgs)``, or a function of the arguments themselves (see ``typed.binding``), or ``(args: list[str],
            stdin: str | None)`` when the definition is raw; sync or async. A sync one runs in one of bashkit's threads, calls
            that overlap in several; an async one on the event loop; either in the interpreter's own thread if it is ``inline``.
    """

    __slots__ = ("_dispatcher", "_json", "_made_readers", "_switches", "callback", "definition")

    def __init__(self, definition: ToolDef, callback: Callable[..., Any]) -> None:
        names = parameters(definition.input_schema)
        self.definition = definition
        self.callback = callback if definition.raw or hasattr(callback, "in_shell") else bind(callback, names)
        self._dispatcher = ToolDispatcher(definition, self.callback)
        self._made_readers: tuple[FlagReader, ArgumentChecker] | None = None
        self._json: JsonChecker | None = None
        taken = {f"--{name}" for name in names} | {f"--{name.replace('_', '-')}" for name in names}
        self._switches = frozenset({"--help", "--dry-run"} - taken)

    @property
    def _readers(self) -> tuple[FlagReader, ArgumentChecker]:
        """The reader and the checker of arguments, made at the first call because a script uses few of many tools."""
        if self._made_readers is None:
            from bashkit.tools.call.validation import ArgumentChecker

            self._made_readers = FlagReader(self._schema, self.definition.rest), ArgumentChecker(self._schema)
        return self._made_readers

    @property
    def _schema(self) -> Mapping[str, Any]:
        definition = self.definition
        return closed(definition.input_schema) if definition.effects in CHANGING else definition.input_schema

    def command(self, calls: CallContext) -> Command:
        """The command for executions that record their calls in ``calls``."""

        def run(process: Process, arguments: Arguments) -> int:
            return self._run(process, arguments.operands, calls)

        words = usage(self.definition).partition(" ")[2]
        summary = " ".join(self.definition.description.split())
        return Command(self.definition.name, run, words, summary, options=None, usage_status=_USAGE, ordered=True)

    def clear_cache(self) -> None:
        """Drop the cached results."""
        if self._dispatcher.cache is not None:
            self._dispatcher.cache.clear()

    # -- without a script ----------------------------------------------------------------------------------------------

    def fill(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the schema's defaults, unless the tool sends only what is given."""
        return self._readers[1].fill(params) if self.definition.defaults == "fill" else dict(params)

    def problems(self, params: Mapping[str, Any]) -> list[str]:
        """The mistakes in arguments that came as JSON rather than as flags."""
        if self._json is None:
            from bashkit.tools.call.validation import JsonChecker

            self._json = JsonChecker(self._schema)
        return self._json.problems(self.fill(params))

    def refusals(self, words: list[str]) -> list[str]:
        """The errors and warnings for a command line; [] if only the real call can find them."""
        if self.definition.raw or "--help" in words or words == ["-h"]:
            return []
        reader, checker = self._readers
        reading = reader.read(_without_dry_run(words))
        found = reading.warnings + reading.problems
        if self.definition.stdin == "json":  # missing arguments may come from standard input
            return found
        return found + _others(checker.problems(self.fill(reading.params)), reading)

    def direct(self, params: Mapping[str, Any], stdin: str | None, calls: CallContext) -> Command:
        """A command that makes one call with JSON arguments and ignores its words."""
        filled, problems = self.fill(params), self.problems(params)

        def run(process: Process, _: Arguments) -> int:
            if problems:
                self._record_refusal(process, calls, filled, problems)
                for problem in problems:
                    self._say(process, problem)
                return _USAGE
            return self._invoke(process, calls, [], filled, stdin, self._hosted(filled, stdin, calls))

        return Command(self.definition.name, run, "", "", options=None)

    # -- in a script ---------------------------------------------------------------------------------------------------

    def _run(self, process: Process, words: list[str], calls: CallContext) -> int:
        if self.definition.raw:
            stdin = self._stdin(process)
            return self._invoke(process, calls, words, words, stdin, lambda *_: (list(words), stdin))
        switches = self._given_switches(words)
        if "--help" in switches or (words == ["-h"] and not self.definition.rest):
            process.stdout.write(to_bytes(tool_help(self.definition)))
            return 0
        dry = "--dry-run" in switches
        stdin = self._stdin(process)
        plain = _without_dry_run(words) if dry else words
        params, problems, warnings = self._prepared(process, plain, stdin)
        for warning in warnings if calls.hints else ():
            self._say(process, f"warning: {warning}")
        if problems:
            shown = problems if calls.hints else [_SUGGESTION.sub("", problem) for problem in problems]
            if not dry:
                self._record_refusal(process, calls, params, shown)
            self._refuse(process, shown)
            return self._named(_USAGE, words, process)
        if dry:
            process.stdout.write(to_bytes(json_text.encode(params) + "\n"))
            return 0
        return self._invoke(process, calls, words, params, stdin, self._hosted(params, stdin, calls))

    def _hosted(self, params: dict[str, Any], stdin: str | None, calls: CallContext) -> Hosted:
        """What makes the arguments for one attempt: what a failed one has changed in them, the next does not see."""
        again = self.definition.retry is not None

        def given(host: Reporter, deadline: float, abandoned: list[bool]) -> tuple[ToolArgs]:
            own = deepcopy(params) if again else params
            return (ToolArgs(own, stdin, calls.env, deadline, _abandoned=abandoned, _host=host),)

        return given

    def _given_switches(self, words: list[str]) -> frozenset[str]:
        """Which of ``--help`` and ``--dry-run`` are given as words of their own, unless the tool has such parameters."""
        if self._switches.isdisjoint(words):
            return frozenset()
        given = self._switches.intersection(words[: words.index("--")] if "--" in words else words)
        return given - own_switches(self.callback) if given else given

    def _prepared(self, process: Process, words: list[str], stdin: str | None) -> tuple[dict[str, Any], list[str], list[str]]:
        """Parse a command line into parameters, problems and warnings. A large one is parsed in a thread, so that a time limit
        can end it.
        """
        sources = [*words, stdin or ""] if self.definition.stdin == "json" else words
        size = sum(map(len, sources))
        if size > process.budget.limits.max_words:  # else no text can have so many items
            for text in sources:
                process.budget.words(text.count(","))
        if size < _LARGE:
            return self._read(words, stdin)
        return process.system.call(partial(self._read, words, stdin))

    def _read(self, words: list[str], stdin: str | None) -> tuple[dict[str, Any], list[str], list[str]]:
        reader, checker = self._readers
        reading = reader.read(words)
        problems = list(reading.problems)
        params = self.fill(self._merged(reading.params, stdin, problems))
        problems += _others(checker.problems(params), reading)
        return params, problems, reading.warnings + reader.empty(params)

    def _stdin(self, process: Process) -> str | None:
        """The text piped into this command; the input of a surrounding ``while read`` loop is left alone."""
        if not self.definition.stdin or not process.piped:
            return None
        data = process.stdin.read_all()
        process.budget.string(len(data))
        return data.decode("utf-8", "surrogateescape")

    def _merged(self, params: dict[str, Any], stdin: str | None, problems: list[str]) -> dict[str, Any]:
        if self.definition.stdin != "json" or not (stdin or "").strip():
            return params
        given = json_text.decode_object(stdin or "")
        if given is None:
            problems.append("standard input: expected a JSON object of parameters")
            return params
        return {**self._readers[0].placed(given), **params}

    def _say(self, process: Process, message: str) -> None:
        process.stderr.write(to_bytes(f"{self.definition.name}: {message}\n"))

    def _refuse(self, process: Process, problems: list[str]) -> None:
        for problem in problems:
            self._say(process, problem)
        line = usage(self.definition)
        if len(line) > _LONGEST_USAGE:
            line = f"{line[:_LONGEST_USAGE].rsplit(' ', 1)[0]} … ({self.definition.name} --help tells all)"
        process.stderr.write(to_bytes(f"usage: {line}\n"))

    def _named(self, status: int, words: list[str], process: Process) -> CommandStatus:
        return CommandStatus.of(status, [self.definition.name, *words], process.line)

    def _invoke(
        self, process: Process, calls: CallContext, words: list[str], arguments: Any, stdin: str | None, given: Hosted
    ) -> int:
        """Call the tool, record the call, and write its result."""
        definition = self.definition
        begin = time.monotonic()
        record = self._record(process, calls, arguments, begin)
        record.stdin_bytes = len(to_bytes(stdin)) if stdin else 0
        if calls.streams and stdin is not None:
            record.stdin = stream_text(calls.secrets.bytes(to_bytes(stdin)), calls.streams)
        calls.announce(record)
        try:
            host = Reporter(process, calls, record, definition, arguments)
            result = self._dispatcher.call(process, calls, record, arguments, stdin, partial(given, host))
            if result.files:
                result = self._saved(process, calls, result, record)
            process.budget.room(len(result.stdout) + len(result.stderr))
            stdout = calls.secrets.bytes(to_bytes(result.stdout))
            stderr = calls.secrets.bytes(to_bytes(result.stderr))
            record.stdout_bytes += len(stdout)  # what a stream has written already is counted
            record.stderr_bytes += len(stderr)
            record.exit_code = result.exit_code & 255
            record.error = calls.secrets.text(record.error)
            if calls.streams:
                record.stdout = (record.stdout or "") + stream_text(stdout, calls.streams)
                record.stderr = (record.stderr or "") + stream_text(stderr, calls.streams)
        except SigPipe:
            record.exit_code = _BROKEN_PIPE
            raise
        finally:  # calls that a limit or a cancellation ends are recorded too
            record.duration = time.monotonic() - begin
            calls.end(record)
        if not record.exit_code and definition.output_schema is not None:
            calls.called[definition.name] = definition
        calls.told.remember(definition.name, stdout)
        if stderr:
            process.stderr.write(stderr)
        if stdout:
            process.stdout.write(stdout)
        return self._named(record.exit_code, words, process) if record.exit_code else 0

    def _record(self, process: Process, calls: CallContext, arguments: Any, begin: float) -> ToolCall:
        return ToolCall(
            tool=self.definition.name,
            line=process.line,
            column=process.column,
            arguments=calls.secrets.data(keepable(arguments)),
            started=begin - calls.started,
            pipeline=process.pipeline,
            within=process.within,
        )

    def _record_refusal(self, process: Process, calls: CallContext, params: dict[str, Any], problems: list[str]) -> None:
        """Record a call whose command line the schema rejects; its callback never ran."""
        record = self._record(process, calls, params, time.monotonic())
        calls.announce(record)
        record.error = calls.secrets.text("; ".join(problems))
        record.duration, record.exit_code = 0.0, _USAGE
        calls.end(record)

    def _saved(self, process: Process, calls: CallContext, result: ToolResult, record: ToolCall) -> ToolResult:
        """Give the script the files of a result; the same result, or its failure if one cannot be written."""
        files = {
            name: None if content is None else calls.secrets.bytes(to_bytes(content)) for name, content in result.files.items()
        }
        try:
            save(process, files)
        except OSError as error:
            record.error = f"cannot write {error.filename}: {error.strerror}"
            stderr = to_bytes(result.stderr) + to_bytes(f"{self.definition.name}: {record.error}\n")
            return replace(result, stderr=stderr, exit_code=result.exit_code or 1)
        return result


def _without_dry_run(words: list[str]) -> list[str]:
    end = words.index("--") if "--" in words else len(words)
    return [word for index, word in enumerate(words) if word != "--dry-run" or index > end]


def _others(problems: list[str], reading: Reading) -> list[str]:
    """The problems of parameters of which the command line said nothing wrong."""
    if not reading.failed:
        return problems
    return [problem for problem in problems if not any(re.match(rf"--{re.escape(name)}\b", problem) for name in reading.failed)]
