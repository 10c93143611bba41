"""parallel: run commands for many arguments, several at once (GNU parallel manual)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.durations import seconds
from bashkit.commands.running.parallel.replacements import Replacements, quoted
from bashkit.commands.system._machine import PROCESSORS
from bashkit.fs import BytesStream, NullStream
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room, paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_TROUBLE = 255
_LOG = b"Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
_MOST_FAILURES = 101
_TIMED_OUT = 124
_SOURCES = {":::", "::::", ":::+", "::::+"}
_MOST_CHARS = 131072


@dataclass(frozen=True, slots=True)
class _Job:
    """A command to run: its number, its arguments and its input (for ``--pipe``)."""

    number: int
    arguments: list[str]
    text: str
    data: bytes | None = None


@command(
    "parallel",
    usage="[OPTION]... [COMMAND [ARG]...] [::: ARG...] [:::: FILE...]",
    summary="Run COMMAND once for every argument, several at once.",
    options=(
        flag("-0", "--null", help="use NUL as delimiter"),
        value("-a", "--arg-file", metavar="FILE", help="use FILE as input source"),
        flag("--bar", "--progress", "--eta", help="(ignored: there is no terminal to show progress on)"),
        flag("--will-cite", "--citation", "--no-notice", "--plain", "--silent", help="(ignored: no notice is printed)"),
        value("-C", "--colsep", metavar="REGEXP", help="column separator"),
        value("-d", "--delimiter", metavar="DELIM", help="input items are terminated by DELIM"),
        value("--delay", metavar="DURATION", help="delay starting next job"),
        flag("--dry-run", "--dryrun", help="print the jobs to run, but do not run them"),
        flag("-u", "--ungroup", help="(output is grouped by job)"),
        flag("--group", "--line-buffer", "--lb", help="(output is grouped by job)"),
        value("--halt", "--halt-on-error", metavar="WHEN", help="now|soon,fail|success|done=N: when to stop"),
        value("-I", metavar="REPLACE", help="use the replacement string REPLACE instead of {}"),
        value("-j", "--jobs", "-P", "--max-procs", metavar="N", help="number of jobs at once (as many as the limits allow)"),
        value("--joblog", metavar="FILE", help="logfile for executed jobs"),
        flag("-k", "--keep-order", help="keep sequence of output same as the order of input"),
        value("-L", "--max-lines", metavar="N", help="read N input lines at a time"),
        flag("--link", "--xapply", help="link input sources"),
        value("-n", "-N", "--max-args", "--max-replace-args", metavar="N", help="use at most N arguments per command line"),
        flag("-m", "-X", "--xargs", help="insert as many arguments as the command line length permits"),
        flag("--pipe", help="spread standard input over the jobs"),
        flag("-q", "--quote", help="quote COMMAND"),
        flag("-r", "--no-run-if-empty", help="do not run COMMAND when there are no arguments"),
        value("--retries", metavar="N", help="try failing jobs N times"),
        flag("--shuf", help="shuffle jobs"),
        flag("--tag", help="tag lines with arguments"),
        value("--tagstring", metavar="STR", help="tag lines with a string"),
        value("--timeout", metavar="DURATION", help="time out for command"),
        flag("-t", "--verbose", "-v", help="print the job to be run"),
        value("--trim", metavar="HOW", help="n, l, r, lr or rl: remove white space around arguments"),
        value("--recend", metavar="STRING", help="record end for --pipe (newline)"),
        value("--recstart", metavar="STRING", help="record start for --pipe"),
        flag("--rrs", "--remove-rec-sep", "--removerecsep", help="remove record separators"),
        flag("--plus", help="add more replacement strings: {+/} {+.} {..} {/..} {##} {0#} {:-S} {:N:N} {#RE} {%RE} {/RE/S}"),
    ),
    usage_status=_TROUBLE,
    stop_at_operand=True,
    model="GNU parallel 20221122",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the jobs; return the number of failed jobs, 101 for more than 100."""
    return _Parallel(process, arguments).run()


def _count(arguments: Arguments, key: str, default: int) -> int:
    text = arguments.get(key)
    if text is None:
        return default
    found = re.fullmatch(r"(\d+)(%?)", text, re.ASCII)
    if found is None:
        raise UsageError(f"Value {text!r} invalid for option {key} (number expected)", hint=False)
    number = int(found[1][:9])
    return max(1, PROCESSORS * number // 100) if found[2] else number


class _Parallel:
    """One run."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        words = arguments.operands
        place = next((index for index, word in enumerate(words) if word in _SOURCES), len(words))
        self._template = words[:place]
        self._given = words[place:]
        self._replacements = Replacements("plus" in arguments, process.budget)
        self._failed = self._done = 0
        self._log: Stream | None = None

    def run(self) -> int:
        """Run the jobs and return the exit status."""
        process, arguments = self._process, self._arguments
        jobs = self._jobs()
        if "shuf" in arguments:
            shuffled = list(jobs)
            process.system.random.shuffle(shuffled)
            jobs = iter(shuffled)
        if "dry-run" in arguments:
            for job in jobs:
                process.write(job.text + "\n")
            return 0
        limit = _count(arguments, "j", 0) or process.budget.limits.max_processes
        alone = {"halt", "tag", "tagstring", "retries", "timeout", "joblog", "t", "delay", "pipe"} & {
            key for key, _ in arguments.given
        }
        if limit > 1 and not alone:
            statuses = process.launcher.run_all((["bash", "-c", job.text] for job in jobs), parallel=limit, stdin=NullStream())
            return min(sum(status != 0 for status in statuses), _MOST_FAILURES)
        halt = self._halt()
        log = arguments.get("joblog")
        if log is not None:
            self._log = process.create(log)
            self._log.write(_LOG)
        for job in jobs:
            status = self._one(job)
            self._failed += status != 0
            self._done += 1
            if halt is not None and halt():
                if status:
                    process.say(f"parallel: This job failed:\n{job.text}\n")
                break
        return min(self._failed, _MOST_FAILURES)

    def _halt(self) -> Callable[[], bool] | None:
        text = self._arguments.get("halt")
        if text is None or text in {"never", "0"}:
            return None
        found = re.fullmatch(
            r"(?:now|soon),(fail|success|done)(?:=(\d+)%?)?", {"1": "soon,fail=1", "2": "now,fail=1"}.get(text, text), re.ASCII
        )
        if found is None:
            raise UsageError("--halt must have 'never', 'soon', or 'now'.", hint=False)
        kind, most = found[1], clamped(found[2] or "1")
        return lambda: {"fail": self._failed, "success": self._done - self._failed, "done": self._done}[kind] >= most

    # -- jobs ------------------------------------------------------------------------------------------------------------

    def _lines(self, name: str) -> list[str]:
        process, arguments = self._process, self._arguments
        data = slurp(process, process.open(name)).decode("utf-8", "surrogateescape")
        end = (
            "\0"
            if "0" in arguments
            else (arguments.get("d") or "\n").replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")
        )
        ask_room(data, (end,), process.budget)
        items = data.split(end)
        if not items[-1] or items[-1] == "\n":
            items.pop()
        process.budget.words(len(items))
        return items

    def _inputs(self) -> Iterator[list[str]]:
        """The arguments of each job before they are grouped."""
        sources: list[tuple[list[str], bool]] = [(self._lines(name), False) for name in self._arguments.all("a")]
        current: list[str] = []
        mark = ""
        for word in [*self._given, ":::"]:
            if word not in _SOURCES:
                current.append(word)
                continue
            if mark.startswith("::::"):
                sources += [(self._lines(name), mark.endswith("+")) for name in current]
            elif mark:
                sources.append((current, mark.endswith("+")))
            mark, current = word, []
        if not sources:
            sources = [(self._lines("-"), False)]
        return self._combined(sources)

    def _combined(self, sources: list[tuple[list[str], bool]]) -> Iterator[list[str]]:
        separator = self._arguments.get("C")
        if separator is not None:
            pattern = self._compiled(separator)
            for (line,) in product(*[items for items, _ in sources[:1]]):
                yield pattern(line)
            return
        if "link" in self._arguments:
            longest = max(len(items) for items, _ in sources)
            for index in range(longest if all(items for items, _ in sources) else 0):
                yield [items[index % len(items)] for items, _ in sources]
            return
        if len(sources) == 1:
            ((items, _),) = sources
            yield from ([item] for item in paced(items))
            return
        groups: list[list[tuple[str, ...]]] = []
        for items, linked in sources:
            if linked and groups:
                groups[-1] = [(*left, right) for left, right in zip(groups[-1], items, strict=False)]
            else:
                groups.append([(item,) for item in items])
        for parts in product(*groups):
            self._process.budget.tick()
            yield [item for part in parts for item in part]

    def _compiled(self, separator: str) -> Callable[[str], list[str]]:
        from bashkit import regex

        try:
            pattern = regex.compile(separator, "perl", budget=self._process.budget)
        except regex.RegexError as error:
            raise UsageError(f"--colsep: {error.message}", hint=False) from None

        def split(line: str) -> list[str]:
            pieces, position = [], 0
            for found in pattern.finditer(line):
                pieces.append(line[position : found.start()])
                position = found.end()
            return [*pieces, line[position:]]

        return split

    def _grouped(self) -> Iterator[list[str]]:
        """The arguments of each job."""
        arguments = self._arguments
        how = arguments.get("trim") or "n"
        size = _count(arguments, "n", 0) or _count(arguments, "L", 0)
        many = "m" in arguments
        held: list[str] = []
        length = 0  # of a line of them
        for items in self._inputs():
            if how != "n":
                items = [item.lstrip() if "l" in how else item for item in items]
                items = [item.rstrip() if "r" in how else item for item in items]
            if not size and not many:
                yield items
                continue
            held += items
            length += sum(map(len, items)) + len(items)
            if (size and len(held) >= size) or length > _MOST_CHARS:
                yield held
                held, length = [], 0
        if held:
            yield held

    def _jobs(self) -> Iterator[_Job]:
        if "pipe" in self._arguments:
            yield from self._pieces()
            return
        grouped = self._grouped()
        if self._replacements.plus and any(name in word for word in self._template for name in ("{##}", "{0#}")):
            every = list(grouped)
            self._process.budget.words(len(every))
            self._replacements.jobs, grouped = len(every), iter(every)
        for number, items in enumerate(grouped, 1):
            text = self._command(items, number)
            self._process.budget.string(len(text))
            yield _Job(number, items, text)

    def _pieces(self) -> Iterator[_Job]:
        """For ``--pipe``: records of standard input, ``-N`` of them for each job."""
        process = self._process
        start, end = _unescaped(self._arguments.get("recstart")), _unescaped(self._arguments.get("recend"))
        if not (start or end):
            end = b"\n"
        data = slurp(process, process.stdin)
        ask_room(data, (end + start,), process.budget)
        records = _records(data, start, end)
        process.budget.words(len(records))
        if "rrs" in self._arguments:
            records = [record.removeprefix(start).removesuffix(end) for record in records]
        size = _count(self._arguments, "n", 0) or len(records)
        for number, first in enumerate(range(0, len(records), max(1, size)), 1):
            yield _Job(number, [], " ".join(self._template), b"".join(records[first : first + size]))

    def _command(self, items: list[str], number: int) -> str:
        template = [quoted(word) for word in self._template] if "q" in self._arguments else self._template
        if not template:
            return " ".join(items)
        text = " ".join(template)
        self._replacements.filled = 0
        custom = self._arguments.get("I")
        if custom is not None:
            text = text.replace(custom, "{}")
        if not self._replacements.holds(text):
            text += " {}"
        if "m" in self._arguments:
            # Words that hold the replacement string are repeated for every argument.
            words = [
                " ".join(self._replacements.fill(word, [item], number) for item in items)
                if self._replacements.holds(word)
                else word
                for word in text.split(" ")
            ]
            return " ".join(words)
        return self._replacements.fill(text, items, number)

    # -- running ---------------------------------------------------------------------------------------------------------

    def _one(self, job: _Job) -> int:
        process, arguments = self._process, self._arguments
        if "t" in arguments:
            process.write(job.text + "\n")
        delay = arguments.get("delay")
        if delay and job.number > 1:
            process.system.sleep(self._duration(delay))
        limit = arguments.get("timeout")
        tag = None
        if "tag" in arguments:
            tag = "\t".join(job.arguments)
        elif "tagstring" in arguments:
            tag = self._replacements.fill(arguments.get("tagstring") or "", job.arguments, job.number, quote=False)
        output = Substitution(process.budget) if tag is not None else process.stdout
        started = process.system.now()
        status = 0
        for _ in range(max(1, _count(arguments, "retries", 1))):
            stdin = NullStream() if job.data is None else BytesStream(job.data)
            words = ["bash", "-c", job.text]
            status = process.launcher.run(words, stdin=stdin, stdout=output, timeout=self._duration(limit) if limit else None)
            if not status:
                break
        if limit and status == _TIMED_OUT:
            process.say(f"parallel: Warning: This job was killed because it timed out:\nparallel: Warning: {job.text}\n")
        if isinstance(output, Substitution):
            for line in output.value().splitlines(keepends=True):
                process.stdout.write(f"{tag}\t".encode("utf-8", "surrogateescape") + line)
        if self._log is not None:
            took = process.system.now() - started
            entry = f"{job.number}\t:\t{started:.3f}\t{took:10.3f}\t0\t0\t{status}\t0\t{job.text}\n"
            self._log.write(entry.encode("utf-8", "surrogateescape"))
        return status

    def _duration(self, text: str) -> float:
        try:
            return seconds(text)
        except ValueError:
            raise UsageError(f"invalid duration: {text}", hint=False) from None


def _unescaped(text: str | None) -> bytes:
    return (text or "").replace("\\n", "\n").replace("\\t", "\t").encode("utf-8", "surrogateescape")


def _records(data: bytes, start: bytes, end: bytes) -> list[bytes]:
    """Split the data where a record ends and the next one starts."""
    records = [record + end for record in data.split(end + start)]
    records[-1] = records[-1][: len(records[-1]) - len(end)]
    records[1:] = [start + record for record in records[1:]]
    return [record for record in records if record]
