"""bashkit run: run a script in which the tools of a toolset are commands."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from io import UnsupportedOperation
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import click

from bashkit.cli import color
from bashkit.cli.changed_files import FILES, FILES_TO, ChangedFiles
from bashkit.cli.opening import ALLOW, PROFILE, allowing, check_one_mode, complete_files, open_toolset, script_of, warn
from bashkit.cli.run_files import REPORT, TRACE_EVENTS, RunFiles
from bashkit.cli.statuses import BROKEN_PIPE
from bashkit.cli.terminal_text import print_json, say
from bashkit.errors import BashkitError, RecordingError
from bashkit.limits import ISOLATIONS

if TYPE_CHECKING:
    from io import BufferedReader

    from bashkit.bash import Bash
    from bashkit.bash.bash import Isolation
    from bashkit.tools import ToolResponse, ToolStatus
    from bashkit.tools.call.cancellation import Cancellation
    from bashkit.tools.call.trace import ToolCall
    from bashkit.toolset import Toolset

PATH = click.Path(dir_okay=False, path_type=Path)
_ARGUMENTS = "bashkit.cli.run.arguments"
_BLOCK = 65536
LOG = click.File("a", encoding="utf-8", errors="backslashreplace")


class _WithArguments(click.Command):
    """A command line whose words behind ``--`` are the arguments of the script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put them aside."""
        place = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = args[place + 1 :]
        return super().parse_args(ctx, args[:place])


@click.command("run", short_help="Run a script with the tools of a toolset.", cls=_WithArguments)
@click.argument("operands", metavar="[FILE] [SCRIPT] [-- ARG...]", nargs=-1, shell_complete=complete_files)
@click.option("-c", "script", metavar="TEXT", help="The script itself.")
@click.option("--json", "as_json", is_flag=True, help="Print the response and the trace as one JSON object.")
@click.option("--trace", is_flag=True, help="Print every tool call to standard error, as JSON lines.")
@TRACE_EVENTS
@REPORT
@FILES
@FILES_TO
@click.option("--stub", is_flag=True, help="Use a tool's stub, if it has one, in place of its callback.")
@click.option("--record", type=PATH, metavar="FILE", help="Append the result of every call to FILE.")
@click.option("--replay", type=PATH, metavar="FILE", help="Run no callback: replay the results that --record FILE has kept.")
@click.option("--isolation", type=click.Choice(ISOLATIONS), help="Where the script runs; as the toolset says when left out.")
@ALLOW
@click.option("--log", type=LOG, metavar="FILE", help="Append a JSON line to FILE when a call begins and when it ends.")
@PROFILE
@color.option
def command(
    operands: tuple[str, ...],
    script: str | None,
    as_json: bool,
    trace: bool,
    trace_events: Path | None,
    report: Path | None,
    files: bool,
    files_to: Path | None,
    stub: bool,
    record: Path | None,
    replay: Path | None,
    isolation: Isolation | None,
    allow: tuple[str, ...],
    log: IO[str] | None,
) -> None:
    """Run a script in which every tool of FILE is a command.

    FILE is a toolset (.yaml) or a directory of executables that answer --describe; without it the bundled shop is used. The
    script is -c TEXT, the file SCRIPT, or standard input (-). Every ARG is an argument of the script, and unless it came from
    there, it reads standard input. A call that the policy asks about is refused unless --allow says otherwise; without a policy
    these are the calls of tools whose effects are destructive. --files leaves out what is mounted with 'access: write': these
    files are the host's own. A SCRIPT may begin with #!/usr/bin/env -S bashkit run FILE.

    Exit status: the script's own; 2 when the command line or FILE cannot be used; 141 when nobody reads the output any more.

    \b
    Examples:
      bashkit run -c 'get_user --id 1 | jq -r .name'
      bashkit run toolsets/shop.yaml -c 'low_stock --limit 3' --trace
      bashkit run toolsets/shop.yaml report.sh --json -- 2026 north
      jq -c .users[] users.json |
        bashkit run -c 'while read -r user; do jq .id <<< "$user"; done'
      bashkit run toolsets/shop.yaml report.sh --record calls.jsonl
      bashkit run toolsets/shop.yaml report.sh --isolation process
      bashkit run toolsets/shop.yaml report.sh --allow destructive
      echo 'help --list' | bashkit run ./tools --log calls.jsonl
      bashkit run toolsets/shop.yaml report.sh --report run.html
      bashkit run toolsets/shop.yaml report.sh --files --files-to out
    """
    given = script_of(operands, script)
    toolset = _in_mode(open_toolset(given.toolset), stub=stub, record=record, replay=replay)
    written = RunFiles(trace_events, report)
    changed = ChangedFiles(wanted=files or files_to is not None)

    def prepare(bash: Bash) -> None:
        given.place(bash)
        changed.look(bash)

    context = click.get_current_context()
    output = _Output()
    kept = _Kept(output.cancellation)
    options = {**kept.hooks(log), **written.options(), **allowing(toolset, allow), "on_shell": prepare}
    tool = toolset.make_tool(**options, **({} if isolation is None else {"isolation": isolation}))
    warn(toolset)
    response = tool.execute_with_status_sync(
        given.text,
        None if as_json else output.show,
        cancellation=output.cancellation,
        stdin=_next_input if given.reads else None,
        words=[*given.words, *context.meta[_ARGUMENTS]],
        from_file=given.from_file,
    )
    written.write(toolset, given.text, response)
    if files_to is not None:
        changed.write(files_to)
    if kept.failure is not None:
        raise kept.failure
    if output.unread:
        context.exit(BROKEN_PIPE)  # unless bashkit.cli.main has more to say
    _finish(response, changed if files else None, as_json=as_json, trace=trace)
    context.exit(response.exit_code)


def _in_mode(toolset: Toolset, *, stub: bool, record: Path | None, replay: Path | None) -> Toolset:
    check_one_mode(stub=stub, record=record, replay=replay)
    from bashkit.toolset import in_mode, recorded

    if replay is not None:
        return in_mode(toolset, "replay", replay)
    if record is not None:
        return recorded(toolset, record)
    return in_mode(toolset, "stub") if stub else toolset


def _next_input() -> bytes:
    """What comes next on standard input; empty at its end."""
    if sys.stdin is None or sys.stdin.closed:
        return b""
    try:
        return os.read(sys.stdin.fileno(), _BLOCK)  # past Python's buffer, whose lock a thread that waits would keep at the end
    except UnsupportedOperation:  # no file of the system
        return cast("BufferedReader", sys.stdin.buffer).read1(_BLOCK)


class _Kept:
    """What --log and --record keep of the calls; where that cannot be written any more, the script ends.

    Args:
        cancellation: What ends the script.

    Attributes:
        failure: Why something cannot be written, or None.
    """

    def __init__(self, cancellation: Cancellation) -> None:
        self.failure: BashkitError | None = None
        self._cancellation = cancellation

    def hooks(self, log: IO[str] | None) -> dict[str, Any]:
        """The hooks of ScriptedTool."""
        own = {"on_error": self._noticed}
        if log is None:
            return own
        from bashkit.tools.call.call_log import CallLog

        calls = CallLog(partial(self._write, log))
        return own | {"on_start": calls.started, "on_call": calls.ended}

    def _write(self, log: IO[str], line: str) -> None:
        if self.failure is not None:
            return
        try:
            log.write(line)
            log.flush()
        except OSError as error:
            self._fail(BashkitError(f"{log.name}: it cannot be written: {error.strerror}"))
            with suppress(OSError):
                log.close()  # or click does, and tells the error in other words

    def _noticed(self, _: ToolCall, error: BaseException) -> None:
        if isinstance(error, RecordingError):
            self._fail(error)

    def _fail(self, error: BashkitError) -> None:
        self.failure = self.failure or error
        self._cancellation.cancel()


class _Output:
    """Prints the output of a script as it comes; when it cannot be written any more, the script ends.

    Attributes:
        cancellation: What ends the script.
        unread: It cannot be written any more.
    """

    def __init__(self) -> None:
        from bashkit.tools.call.cancellation import Cancellation

        self.cancellation = Cancellation()
        self.unread = False

    def show(self, status: ToolStatus) -> None:
        """Print a chunk at once."""
        from bashkit.tools.define.result import to_bytes

        if not status.output or self.unread:
            return
        try:
            click.echo(to_bytes(status.output), nl=False, err=status.stream == "stderr")
        except OSError:
            self.unread = True
            self.cancellation.cancel()


def _finish(response: ToolResponse, changed: ChangedFiles | None, *, as_json: bool, trace: bool) -> None:
    from bashkit.tools import json_text

    if as_json:
        value = response.to_dict() | {"trace": [call.to_dict() for call in response.trace]}
        value |= {} if changed is None else {"files": changed.as_json()}
        print_json(json_text.encode(value))
    elif response.error is not None and not response.stderr:
        say(f"bashkit: {response.error}", err=True)
    if changed is not None and not as_json:
        changed.show()
    if trace:
        print_json(response.trace.json_lines(), err=True, nl=False)
