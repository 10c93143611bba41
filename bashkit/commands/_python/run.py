"""Runs Python code in Monty, a turn at a time: Monty stops at whatever is the host's, and goes on with the answer."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic_monty import (
    NOT_HANDLED,
    ExternalModule,
    FunctionSnapshot,
    FutureSnapshot,
    MontyComplete,
    MontyCrashedError,
    MontyFileHandle,
    MontyRuntimeError,
    MontySyntaxError,
    NameLookupSnapshot,
)

from bashkit.commands._python import MODULES
from bashkit.commands._python.failure import report
from bashkit.commands._python.files import SessionOS
from bashkit.commands._python.functions import FunctionError
from bashkit.commands._python.source import PRELUDE, prepare
from bashkit.commands._python.workers import Worker
from bashkit.interp.utility.process import explain

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands._python.functions import Functions
    from bashkit.interp.utility.process import Process

_SUSPENSIONS = 1_000_000  # how often the code may ask the host for something
_MUCH = 1 << 16  # bytes of output that are written while the code runs on
_TOO_MUCH = 1 << 20  # bytes of output at which the code waits until they are written
_OS_POLICY = {"datetime": "call_host", "sleep": "call_host", "random_start": "call_host"}
_EXITS = ("exit", "quit", "__exit__")  # the last is that of sys
_TOOLS = "tools"


@dataclass(frozen=True, slots=True)
class Program:
    """What is run.

    Attributes:
        text: The source.
        name: The file, ``<string>`` or ``<stdin>``, for messages.
        arguments: ``sys.argv``.
    """

    text: str
    name: str
    arguments: list[str]


def run(process: Process, program: Program, functions: Functions | None) -> int:
    """Run a program as the utility; returns the exit status.

    Args:
        process: The utility.
        program: What is run.
        functions: What ``from tools import …`` gives, or None.
    """
    running = _Running(process, functions)
    try:
        return running.run(program)
    finally:
        running.close()


class _Output:
    """What the code prints: it comes in a thread, and is written by the task."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._wake = process.system.waker()
        self._pieces: list[tuple[str, str]] = []
        self._size = 0
        self._room = threading.Event()
        self._room.set()
        self._closed = False

    def take(self, stream: str, text: str) -> None:
        """Called by the worker's thread."""
        if self._closed:
            return
        self._pieces.append((stream, text))
        self._size += len(text)
        if self._size > _TOO_MUCH:
            self._room.clear()
        if self._size > _MUCH:
            self._wake()
            if not self._closed:
                self._room.wait()

    def write(self) -> None:
        """Write what is there. Called by the task."""
        pieces, self._pieces, self._size = self._pieces, [], 0
        self._room.set()
        for stream, text in pieces:
            self._process.budget.tick(len(text) >> 10)
            (self._process.stderr if stream == "stderr" else self._process.stdout).write(text.encode("utf-8", "replace"))

    def close(self) -> None:
        """Nobody writes any more: the thread need not wait."""
        self._closed = True
        self._room.set()


class _Running:
    """One run.

    Args:
        process: The utility.
        functions: What ``tools`` offers.
    """

    def __init__(self, process: Process, functions: Functions | None) -> None:
        self._process = process
        self._functions = functions
        self._stubs = {} if functions is None else functions.stubs()
        self._os = SessionOS(process)
        self._output = _Output(process)
        self._worker = Worker(process, self._output.write)
        self._awaited: frozenset[int] = frozenset()
        self._text = b""
        self._code: Any = None  # what exit() was given
        self._calls: dict[int, tuple[Callable[[], None], list[Any]]] = {}  # those that are awaited, by Monty's number

    def run(self, program: Program) -> int:
        """Run a program; returns the exit status."""
        source = prepare(program.text)
        self._awaited, self._text = source.awaited, source.text.encode()
        budget = self._process.budget
        limits = {
            "max_memory": budget.limits.max_memory_bytes,
            "max_feed_duration_secs": max(0.001, budget.deadline - time.monotonic()),
            "max_suspensions": _SUSPENSIONS,
        }
        settings = {
            "limits": limits,
            "os_policy": _OS_POLICY,
            "external_modules": self._modules(),
            "assert_message_annotations": False,
        }
        own = "<python-input-0>"
        try:
            feed = partial(self._worker.open(**settings).feed_start, print_callback=self._output.take, cwd=self._process.cwd)
            if source.prelude:
                files = {f"__{name}__": MontyFileHandle(f"/dev/{name}", mode) for name, mode in _STREAMS}
                given = {"__argv__": program.arguments, "__reads_stdin__": "stdin" in source.text}
                self._drive(partial(feed, PRELUDE, inputs=files | given))
                own = "<python-input-1>"
            self._drive(partial(feed, source.text))
        except MontyCrashedError:
            self._process.warn("the interpreter died")
            return 1
        except (MontyRuntimeError, MontySyntaxError) as error:
            return self._failed(error, program.name, own)
        return 0

    def close(self) -> None:
        """Give back what the run has."""
        self._output.close()
        self._worker.close()

    def _modules(self) -> dict[str, ExternalModule]:
        if self._functions is None:
            return {}
        return {_TOOLS: ExternalModule(dict.fromkeys(self._stubs, _nothing), stubs="\n".join(self._stubs.values()))}

    def _failed(self, error: MontyRuntimeError | MontySyntaxError, name: str, own: str) -> int:
        """Report an exception that nobody handles; returns the exit status."""
        exception = error.exception()
        if not isinstance(exception, SystemExit):
            self._process.stderr.write(report(error, name, own).encode("utf-8", "replace"))
            return 1
        code = self._code if self._code is not None else exception.args[0] if exception.args else None
        if code is None or isinstance(code, int):
            return int(code or 0) & 0xFF
        self._process.say(f"{code}\n")
        return 1

    # -- turns ---------------------------------------------------------------------------------------------------------

    def _drive(self, turn: Callable[[], Any]) -> None:
        """Go on until the code has ended."""
        while True:
            snapshot = self._worker.turn(turn)
            self._output.write()
            if isinstance(snapshot, MontyComplete):
                return
            turn = self._answer(snapshot)

    def _answer(self, snapshot: Any) -> Callable[[], Any]:
        """The next turn: it begins with the answer to what the code wants."""
        if isinstance(snapshot, NameLookupSnapshot):
            name = snapshot.variable_name
            return partial(snapshot.resume, value=_named(name)) if name in (*_EXITS, "input") else snapshot.resume
        if isinstance(snapshot, FutureSnapshot):
            return partial(snapshot.resume, {number: self._settled(number) for number in snapshot.pending_call_ids})
        assert isinstance(snapshot, FunctionSnapshot)
        name = snapshot.function_name
        if name == "import":
            return self._imported(snapshot)
        if snapshot.is_os_function and name != "asyncio.sleep":
            return partial(self._machine, snapshot)()
        return partial(snapshot.resume, self._called(snapshot))

    def _imported(self, snapshot: FunctionSnapshot) -> Callable[[], Any]:
        module = str(snapshot.args[0])
        if module == _TOOLS and self._functions is not None:
            return snapshot.resume_auto
        message = f"No module named {module!r}; this Python has {', '.join(MODULES)}"
        return partial(snapshot.resume, {"exc_type": "ModuleNotFoundError", "message": message})

    def _machine(self, snapshot: FunctionSnapshot) -> Callable[[], Any]:
        """What the session's machine answers."""
        try:
            value = self._os.dispatch(snapshot.function_name, snapshot.args, snapshot.kwargs)  # type: ignore[arg-type]
        except NotImplementedError:
            return snapshot.resume_not_handled
        except UnicodeDecodeError as error:
            return partial(snapshot.resume, {"exc_type": "UnicodeDecodeError", "message": str(error)})
        except OSError as error:
            return partial(snapshot.resume, _os_failure(error))
        return snapshot.resume_not_handled if value is NOT_HANDLED else partial(snapshot.resume, {"return_value": value})

    def _called(self, snapshot: FunctionSnapshot) -> Any:
        """The answer to a call of a function of the host: its value, or a promise of it."""
        if snapshot.position.start not in self._awaited:
            return self._result(snapshot)
        outcome: list[Any] = []

        def call() -> None:
            outcome.append(self._result(snapshot))

        self._calls[snapshot.call_id] = self._process.system.start(call), outcome
        return {"future": ...}

    def _settled(self, number: int) -> Any:
        wait, outcome = self._calls.pop(number)
        wait()
        return outcome[0]

    def _result(self, snapshot: FunctionSnapshot) -> Any:
        name, args = str(snapshot.function_name), snapshot.args
        if name == "asyncio.sleep":
            self._os.sleep(float(args[0]))
            return {"return_value": args[1] if len(args) > 1 else None}
        if name in _EXITS:
            self._code = args[0] if args else 0
            return {"exc_type": "SystemExit", "message": str(self._code)}
        if name == "input":
            return self._input(str(args[0]) if args else "")
        module, _, function = name.rpartition(".")
        if module != _TOOLS or function not in self._stubs or self._functions is None:
            return {"exc_type": "NameError", "message": f"name {name!r} is not defined"}
        line = self._text.count(b"\n", 0, snapshot.position.start) + 1
        try:
            return {"return_value": self._functions.call(self._process, function, args, snapshot.kwargs, line)}
        except FunctionError as error:
            return {"exc_type": error.kind, "message": str(error)}

    def _input(self, prompt: str) -> Any:
        self._process.stdout.write(prompt.encode("utf-8", "replace"))
        line = self._process.stdin.read_line()
        if not line:
            return {"exc_type": "RuntimeError", "message": "EOFError: EOF when reading a line"}
        return {"return_value": line.decode("utf-8", "replace").removesuffix("\n")}


_STREAMS = (("stdin", "r"), ("stdout", "a"), ("stderr", "a"))


def _nothing() -> None:
    """Stands for a function of ``tools``: it is never called, Monty stops at the call."""


def _named(name: str) -> Callable[[], None]:
    """Stands for a function of that name, likewise."""

    def function() -> None: ...

    function.__name__ = function.__qualname__ = name
    return function


def _os_failure(error: OSError) -> Any:
    known = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)
    kind = next((each.__name__ for each in known if isinstance(error, each)), "OSError")
    where = "" if error.filename is None else f": {error.filename!r}"
    text = f"[Errno {error.errno}] {error.strerror}{where}" if error.errno is not None else explain(error)
    return {"exc_type": kind, "message": text}


def pretty_json(text: str, *, indent: int = 4) -> str:
    """What ``python3 -m json.tool`` prints.

    Raises:
        ValueError: It is no JSON; the message says where.
    """
    return json.dumps(json.loads(text), indent=indent, ensure_ascii=True) + "\n"
