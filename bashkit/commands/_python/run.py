"""Runs Python code in Monty, a turn at a time: Monty stops at whatever is the host's, and goes on with the answer."""

from __future__ import annotations

import json
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
    MontyError,
    MontyFileHandle,
    MontyRuntimeError,
    MontySyntaxError,
    NameLookupSnapshot,
)

from bashkit.commands._python import MODULES
from bashkit.commands._python.expected import STUBS, expected
from bashkit.commands._python.failure import report
from bashkit.commands._python.files import SessionOS
from bashkit.commands._python.functions import FunctionError
from bashkit.commands._python.memory import Memory
from bashkit.commands._python.output import Output
from bashkit.commands._python.shown import shown
from bashkit.commands._python.source import OPENING, PRELUDE, TOOLS, Source, prepare
from bashkit.commands._python.workers import NoWorkerError, Worker
from bashkit.interp.utility.process import explain

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands._python.functions import Functions
    from bashkit.interp.utility.process import Process

_GRACE = 1.0  # seconds that Monty lets code run on, for the session's own deadline to end it
_SUSPENSIONS = 1_000_000  # how often the code may ask the host for something
_OS_POLICY = {"datetime": "call_host", "sleep": "call_host", "random_start": "call_host"}
_EXITS = ("exit", "quit", "__exit__")  # the last is that of sys
_OWN = frozenset({*_EXITS, "input"})


@dataclass(frozen=True, slots=True)
class Program:
    """What is run.

    Attributes:
        text: The source.
        name: The file, ``<string>`` or ``<stdin>``, for messages.
        arguments: ``sys.argv``.
        cell: It is code of the model's own tool, not of a command: the functions need no import, and the value of its last
            expression is printed as JSON.
        memory: What code that ran before has left, and this code adds to; None if it is alone.
    """

    text: str
    name: str
    arguments: list[str]
    cell: bool = False
    memory: Memory | None = None


def run(process: Process, program: Program, functions: Functions | None) -> int:
    """Run a program as the utility; returns the exit status.

    Args:
        process: The utility.
        program: What is run.
        functions: What ``from tools import …`` gives, or None.
    """
    running = _Running(process, program, functions)
    try:
        return running.run()
    finally:
        running.close()


class _Running:
    """One run.

    Args:
        process: The utility.
        program: What is run.
        functions: What ``tools`` offers.
    """

    def __init__(self, process: Process, program: Program, functions: Functions | None) -> None:
        self._process = process
        self._program = program
        self._functions = functions
        self._stubs = {} if functions is None else functions.stubs()
        self._os = SessionOS(process)
        self._output = Output(process)
        self._memory = Memory() if program.memory is None else program.memory.copy()
        self._worker = Worker(process, self._settings(), self._output.write)
        self._source = Source("")
        self._code: Any = None  # what exit() was given
        self._calls: dict[int, tuple[Callable[[], None], list[Any]]] = {}  # those that are awaited, by Monty's number

    def run(self) -> int:
        """Run the program; returns the exit status."""
        self._source = source = prepare(self._program.text, self._memory.names, self._stubs)
        own = ""
        try:
            if source.prelude:
                self._memory.texts += 1
                files = {f"__{name}__": MontyFileHandle(f"/dev/{name}", mode) for name, mode in _STREAMS}
                given = {"__argv__": self._program.arguments, "__reads_stdin__": "stdin" in source.text}
                prelude = PRELUDE if self._memory.prepared else OPENING + PRELUDE
                self._memory.prepared = True
                self._drive(self._feed(prelude, inputs=files | given))
            own = self._memory.note(source)
            value = self._drive(self._feed(source.text))
        except MontyCrashedError:
            self._process.warn("the interpreter died")
            return 1
        except NoWorkerError as error:
            self._process.warn(str(error))
            return 1
        except (MontyRuntimeError, MontySyntaxError) as error:
            self._output.write()
            status = self._failed(error, own)
        else:
            status = self._show(value) if self._program.cell else 0
        return status if self._remember() else 1

    def close(self) -> None:
        """Give back what the run has."""
        self._output.close()
        self._worker.close()

    def _settings(self) -> dict[str, Any]:
        budget = self._process.budget
        alone = self._program.memory is None  # limits are kept with the memory; what is left of the time is not
        return {
            "limits": {
                "max_memory": budget.limits.max_memory_bytes,
                "max_feed_duration_secs": _GRACE
                + (max(0, budget.deadline - time.monotonic()) if alone else budget.limits.timeout),
                "max_suspensions": _SUSPENSIONS,
            },
            "os_policy": _OS_POLICY,
            "external_modules": self._modules(),
            "assert_message_annotations": False,
        }

    def _modules(self) -> dict[str, ExternalModule]:
        if self._functions is None:
            return {}
        return {TOOLS: ExternalModule(dict.fromkeys(self._stubs, _nothing), stubs="\n".join([STUBS, *self._stubs.values()]))}

    def _feed(self, text: str, **more: Any) -> Callable[[], Any]:
        """The first turn of a text."""

        def begin() -> Any:
            session = self._worker.session
            if self._memory.heap:
                session.load_session(self._memory.heap)
                self._memory.heap = b""
            return session.feed_start(text, print_callback=self._output.take, cwd=self._process.cwd, **more)

        return begin

    def _remember(self) -> bool:
        """Keep what the code has left, for the code that runs next; whether that was possible, or not wanted."""
        if self._program.memory is None:
            return True
        try:
            self._memory.heap = self._worker.turn(self._worker.session.dump)
        except (MontyError, RuntimeError) as error:  # the second of a worker that is gone
            self._process.say(f"the session goes on as it was before this code: {error}\n")
            return False
        self._program.memory.take(self._memory)
        return True

    def _show(self, value: Any) -> int:
        """Print the value of the last expression; returns the exit status."""
        if value is None:
            return 0
        size = 0

        def spend(characters: int) -> None:
            nonlocal size
            size += characters
            self._process.budget.tick()
            self._process.budget.string(size)

        try:
            text = shown(value, spend)
        except ValueError as error:
            self._process.say(f"{error}\n")
            return 1
        self._process.write(f"{'' if self._output.at_line_start else chr(10)}{text}\n")
        return 0

    def _failed(self, error: MontyRuntimeError | MontySyntaxError, own: str) -> int:
        """Report an exception that nobody handles; returns the exit status."""
        exception = error.exception()
        if not isinstance(exception, SystemExit):
            text = report(error, self._program.name, self._program.text, own, self._memory.sources)
            if isinstance(exception, KeyError) and self._functions is not None and exception.args:
                text += self._functions.missing(str(exception.args[0]))
            if isinstance(error, MontyRuntimeError) and self._hints(text):
                stubs = "\n".join(self._stubs.values()) if self._program.cell else ""
                text += expected(self._process, self._source.text, error, own, self._settings(), stubs)
            self._process.stderr.write(text.encode("utf-8", "replace"))
            return 1
        code = self._code if self._code is not None else exception.args[0] if exception.args else None
        if code is None or isinstance(code, int):
            return int(code or 0) & 0xFF
        self._process.say(f"{code}\n")
        return 1

    def _hints(self, said: str) -> bool:
        """Whether to ask the type checker; a call that was refused has said already what it expected."""
        return self._functions is not None and self._functions.hints and "(expected: " not in said

    # -- turns ---------------------------------------------------------------------------------------------------------

    def _drive(self, turn: Callable[[], Any]) -> Any:
        """Go on until the code has ended; returns the value of its last expression."""
        while True:
            snapshot = self._worker.turn(partial(self._advanced, turn))
            self._output.write()
            if isinstance(snapshot, MontyComplete):
                return snapshot.output
            turn = self._answer(snapshot)

    def _advanced(self, turn: Callable[[], Any]) -> Any:
        """Take turns in the worker's thread until the code has ended or wants something that is the task's to give."""
        snapshot = turn()
        while True:
            if isinstance(snapshot, NameLookupSnapshot):
                snapshot = self._looked_up(snapshot)
            elif isinstance(snapshot, FunctionSnapshot) and snapshot.function_name == "import":
                snapshot = self._imported(snapshot)
            else:
                return snapshot

    def _looked_up(self, snapshot: NameLookupSnapshot) -> Any:
        name = snapshot.variable_name
        known = name in _OWN or (self._program.cell and name in self._stubs)
        return snapshot.resume(value=_named(name)) if known else snapshot.resume()

    def _imported(self, snapshot: FunctionSnapshot) -> Any:
        module = str(snapshot.args[0])
        if module == TOOLS and self._functions is not None:
            return snapshot.resume_auto()
        message = f"No module named {module!r}; this Python has {', '.join(MODULES)}"
        return snapshot.resume({"exc_type": "ModuleNotFoundError", "message": message})

    def _answer(self, snapshot: Any) -> Callable[[], Any]:
        """The next turn: it begins with the answer to what the code wants."""
        if isinstance(snapshot, FutureSnapshot):
            return partial(snapshot.resume, {number: self._settled(number) for number in snapshot.pending_call_ids})
        assert isinstance(snapshot, FunctionSnapshot)
        if snapshot.is_os_function and snapshot.function_name != "asyncio.sleep":
            return self._machine(snapshot)
        return partial(snapshot.resume, self._called(snapshot))

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
        if snapshot.position.start not in self._source_of(snapshot).awaited:
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
        imported = module == TOOLS or (not module and self._program.cell)
        if not imported or function not in self._stubs or self._functions is None:
            return {"exc_type": "NameError", "message": f"name {name!r} is not defined"}
        line = self._source_of(snapshot).line(snapshot.position.start)
        try:
            return {"return_value": self._functions.call(self._process, function, args, snapshot.kwargs, line)}
        except FunctionError as error:
            return {"exc_type": error.kind, "message": str(error)}

    def _source_of(self, snapshot: FunctionSnapshot) -> Source:
        """The text in which a call stands: this one, or one that has defined the function around it before."""
        return self._memory.sources.get(snapshot.position.filename, self._source)

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


def pretty_json(text: str) -> str:
    """What ``python3 -m json.tool`` prints.

    Raises:
        ValueError: It is no JSON; the message says where.
    """
    return json.dumps(json.loads(text), indent=4, ensure_ascii=True) + "\n"
