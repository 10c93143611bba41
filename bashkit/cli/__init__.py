"""The command line: a group of subcommands, each a module that is imported when it is used."""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from threading import Event, Thread, main_thread
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bashkit.cli import color
from bashkit.cli.statuses import BROKEN_PIPE, SIGNALLED, USAGE
from bashkit.errors import BashkitError, ToolsetError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FunctionType

    from bashkit.cli.output import Output

COMMANDS = (
    "init", "new", "run", "check", "test", "eval", "batch", "learn", "prompt", "snapshot", "fmt", "tui", "history", "compare",
    "catalog", "call", "explain", "export", "serve", "import", "schema", "help",
)  # fmt: skip
_MODULES = {"import": "import_"}  # where a command's name is a Python keyword

_INTERNAL = 70  # EX_SOFTWARE of sysexits(3)
_UNWRITTEN = 74  # EX_IOERR

_SOON, _LATER = 0.01, 1.0  # s


class LazyGroup(click.Group):
    """Imports a subcommand's module when the subcommand is used, and turns errors into messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The subcommands, in the order of their listing."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The subcommand called ``cmd_name``."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"bashkit.cli.{_MODULES.get(cmd_name, cmd_name)}").command
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; a mistyped one is answered with the one that was likely meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from bashkit.toolset.text.suggestions import suggestion

            hint = suggestion(name, list(COMMANDS))
            ctx.fail(f"there is no command {name!r}{': ' if hint else ''}{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors that bashkit raises on purpose become a message and exit status 2."""
        try:
            return super().invoke(ctx)
        except ToolsetError as error:
            from bashkit.cli.reporting import report

            report(error.problems, err=True)
            ctx.exit(USAGE)
        except BashkitError as error:
            from bashkit.cli.terminal_text import say

            say(f"bashkit: {error}", err=True)
            ctx.exit(USAGE)
        except OSError as error:
            if not _without_directory():
                raise
            click.echo(f"bashkit: the current directory is needed, and it cannot be used: {error.strerror}", err=True)
            ctx.exit(USAGE)


def _without_directory() -> bool:
    """Whether the current directory has been removed, or its path cannot be read."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib is loaded only by the commands that need it
    except OSError:
        return True
    return False


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from bashkit.cli.version import version_text

        click.echo(version_text())
        context.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Print the versions of bashkit and its parts.",
)  # fmt: skip
@color.option
@click.pass_context
def cli(context: click.Context) -> None:
    """Give a model one bash tool in which every tool you declare is a command.

    Exit status: 2 for a command line or a toolset file that cannot be used; see each command for its own.
    """
    from bashkit.cli.waiting import show_waiting

    show_waiting(context.invoked_subcommand)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """The entry point ``bashkit``: it never prints a traceback."""
    from bashkit.cli.output import Output

    output = Output()
    status = _run(arguments, output)
    failure = output.failure()
    sys.exit(status if failure is None else _unwritten(failure))


def _unwritten(failure: OSError) -> int:
    """Say that standard output cannot be written; where its reader is gone, nothing is to be said. Return the exit status."""
    if isinstance(failure, BrokenPipeError):
        return BROKEN_PIPE
    click.echo(f"bashkit: cannot write to standard output: {failure.strerror}", err=True)
    return _UNWRITTEN


class _Ended(KeyboardInterrupt):
    """A signal ends the program.

    Not KeyboardInterrupt itself: Python ends itself by SIGINT at its exit if that has passed through ``exec`` of a text, as
    where a dataclass is made, and the exit status would be another one.
    """


def _end_on_signals(over: Event) -> list[int]:
    """Have SIGTERM and SIGHUP end the program as SIGINT does, with everything that it has started; return those that came.

    A signal that is ignored, as by nohup(1), stays ignored.

    Args:
        over: Set once no signal needs to end it any more.
    """
    came: list[int] = []

    def end(number: int, _: object) -> None:
        came.append(number)
        raise _Ended

    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)
    hook = sys.unraisablehook

    def send_again(unraisable: sys.UnraisableHookArgs) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            Thread(target=_insist, args=(came, over, send_again), daemon=True).start()
        else:
            hook(unraisable)

    sys.unraisablehook = send_again
    return came


def _insist(came: list[int], over: Event, hook: FunctionType) -> None:
    """Send the signal again that came where Python ignores all exceptions, as while a weak reference is cleared.

    One is not always enough: it may come just before the program begins to wait, which Python sees only after the wait.

    Args:
        came: The signals that came.
        over: Set once no signal needs to end the program any more.
        hook: What was told of it; as long as it runs, exceptions are ignored, too.
    """
    known, number = len(came), came[-1] if came else signal.SIGINT
    pause = _SOON
    while not over.wait(pause) and len(came) == known:
        if _runs(hook):
            continue
        os.kill(os.getpid(), number)
        pause = _LATER


def _runs(function: FunctionType) -> bool:
    """Whether the main thread is just in a call of a function."""
    frame = sys._current_frames().get(main_thread().ident or 0)  # noqa: SLF001 - documented, for debuggers
    while frame is not None and frame.f_code is not function.__code__:
        frame = frame.f_back
    return frame is not None


def _show(error: click.ClickException) -> None:
    """Print an error as click does, which may quote a file or a server."""
    from io import StringIO

    from bashkit.cli.terminal_text import say

    text = StringIO()
    error.show(file=text)
    say(text.getvalue(), err=True, nl=False)


def _run(arguments: Sequence[str] | None, output: Output) -> int:
    over = Event()
    came = _end_on_signals(over)
    try:
        status = cli.main(None if arguments is None else list(arguments), prog_name="bashkit", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        number = came[0] if came else signal.SIGINT
        click.echo(f"bashkit: {(signal.strsignal(number) or 'interrupted').lower()}", err=True)
        return SIGNALLED + number
    except BrokenPipeError:
        return BROKEN_PIPE
    except SystemExit as error:  # how click ends completion, and at a broken pipe, of which the output knows
        return error.code if isinstance(error.code, int) else 0
    except Exception as error:
        if output.failure() is None:
            from bashkit.cli.terminal_text import say

            say(f"bashkit: internal error: {type(error).__name__}: {error}", err=True)
        return _INTERNAL
    finally:
        over.set()
