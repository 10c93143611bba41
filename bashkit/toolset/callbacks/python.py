"""Callbacks that call a Python function, named by a dotted path that is resolved at the call.

The folder of the toolset file is first on ``sys.path`` only while the module is imported; a function's later imports use Python's
own path. The working directory is the process's own, whatever the folder.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import import_module, invalidate_caches
from importlib.machinery import PathFinder
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

from bashkit.errors import CallbackNotFoundError, is_failure
from bashkit.tools.define.result import is_stream, items_of
from bashkit.tools.define.schema import parameters
from bashkit.tools.typed.binding import bind, takes_tool_args
from bashkit.tools.typed.function_tool import described
from bashkit.tools.typed.signature import Signature
from bashkit.toolset.callback import Callback
from bashkit.toolset.declaration import LIFE, SIGNATURE
from bashkit.toolset.schema_fragments import DOTTED
from bashkit.toolset.starter import Starter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
    from types import ModuleType

    from bashkit.errors import Problem
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.callbacks._lifespan import Lifespan
    from bashkit.toolset.callbacks._one_thread import OneThread
    from bashkit.toolset.declaration import Declaration
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath
    from bashkit.toolset.toolset import Toolset

_known: WeakValueDictionary[tuple[str, str], ModuleType] = (
    WeakValueDictionary()
)  # by folder and name, for as long as they are loaded
_importing = threading.RLock()  # sys.path is shared by all threads


@dataclass(slots=True)
class PythonCallback(Callback):
    """A Python function, named by its dotted path.

    Attributes:
        dotted: ``package.module.function``, ``module.Class.method`` of a static or class method, ``module.client.method`` of an
            object, or an object that can be called. Each may be async.
        folder: Modules are looked up here first.
        place: ``file:line:column`` of the declaration, for messages.
        schema: The input schema of its tool; None if the function declares it, or nothing does.
        signature: The function declares the tool's parameters.
        life: What it shares with the other functions of its file.
        thread: The one thread in which all sync functions of its file run; None for any threads.
    """

    dotted: str
    folder: Path
    place: str = ""
    schema: Mapping[str, Any] | None = field(default=None, repr=False)
    signature: bool = False
    life: Lifespan | None = field(default=None, repr=False)
    thread: OneThread | None = field(default=None, repr=False)
    _function: Callable[..., Any] | None = field(default=None, repr=False)
    _bound: Callable[..., Any] | None = field(default=None, repr=False)

    key = "python"
    noun = "a Python callback"
    summary = "a Python function"
    rank = 10
    properties: ClassVar = {
        "python": {
            "title": "Python function",
            "description": (
                "Dotted path of a callable, sync or async: module.function, module.Class.method (static or class method), "
                "module.client.get_user (a method of an object) or an object with __call__. It takes one ToolArgs, or the "
                "tool's parameters by their names, converted to its annotations. The folder of this file is first on "
                "sys.path while it is imported, at the first call; the working directory stays the process's own. A sync "
                "callable runs in one of several threads, an async one on the event loop."
            ),
            "type": "string",
            "pattern": DOTTED,
            "examples": ["shop.api.get_user", "shop.client.Client.get_user"],
        }
    }
    patterns: ClassVar = {"python": "a Python callback is a dotted path: module.function"}
    is_file = True
    starter = "The callback is a function in the toolset's module (the default)."
    own_timeout = False
    has_signature = True

    @classmethod
    def read(cls, tool: Declaration) -> PythonCallback:
        """Make the callback; nothing is imported."""
        schema = tool.value.get("input_schema")
        place = tool.place("callback", "python")
        return cls(
            tool.callback["python"],
            tool.folder,
            place,
            schema if isinstance(schema, dict) else None,
            schema == SIGNATURE,
            *_surroundings(tool),
        )

    @classmethod
    def start(cls, toolset: Toolset, name: str) -> Starter:
        """Begin with a function in the module of the other Python callbacks, or in a new module."""
        from bashkit.toolset.callbacks._python_source import module_for, with_function

        function = re.sub(r"\W", "_", name)
        module, path = module_for(toolset)
        return Starter([f"callback: {{python: {module}.{function}}}"], {path: with_function(path, function)})

    def write(self, folder: Path) -> dict[str, Any]:  # noqa: ARG002 - a module has no place relative to a folder
        """Write ``callback: {python: …}``."""
        return {"callback": {"python": self.dotted}}

    @property
    def target(self) -> str:
        """The dotted path."""
        return self.dotted

    def location(self) -> tuple[Path, int | None] | None:
        """The file and line of the function, if its module is in the toolset's folder."""
        from bashkit.toolset.callbacks._python_source import find_function

        return find_function(self.dotted, self.folder)

    def __call__(self, args: ToolArgs) -> Any:
        """Call the function, after importing it and setting up if necessary, in this thread or in that of the toolset.

        Raises:
            CallbackNotFoundError: There is no such function; the message starts with ``place``.
            LifespanError: The toolset's setup failed.
            Exception: Any exception of the function.
        """
        if self.thread is None:
            return self._call(args)
        return self._in_thread(self.thread, lambda: self._call(args), args)

    @staticmethod
    def _in_thread(thread: OneThread, function: Callable[[], Any], args: ToolArgs) -> Any:
        value = thread.run(function, lambda: args.cancelled)
        return thread.items(thread.run(lambda: items_of(value))) if is_stream(value) else value

    def _call(self, args: ToolArgs) -> Any:
        function = self._callable()
        if self.life is None:
            return function(args)
        ready = self.life.open(args.env)
        return function(replace(args, state=self.life.state)) if ready is None else self._call_later(ready, function, args)

    async def _call_later(self, ready: Awaitable[None], function: Callable[..., Any], args: ToolArgs) -> Any:
        """Call the function after an async setup: an async one on this event loop, a sync one in a thread as ever."""
        await ready
        assert self.life is not None
        args = replace(args, state=self.life.state)
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
            return await function(args)
        from asyncio import to_thread

        if self.thread is None:
            value = await to_thread(function, args)
        else:
            value = await to_thread(self._in_thread, self.thread, lambda: function(args), args)
        return await value if inspect.isawaitable(value) else value

    def _callable(self) -> Callable[..., Any]:
        """The function as a callback that takes one ToolArgs."""
        if self._bound is None:
            try:
                self._bound = bind(self.resolve(), self._properties)
            except CallbackNotFoundError as error:
                raise CallbackNotFoundError(f"{self.place}: {error}" if self.place else str(error)) from error
        return self._bound

    def close(self) -> None:
        """Tear down what the toolset's setup made.

        Raises:
            LifespanError: The teardown failed.
        """
        if self.life is not None:
            self.life.close()

    async def aclose(self) -> None:
        """As ``close``, on an event loop.

        Raises:
            LifespanError: The teardown failed.
        """
        if self.life is not None:
            await self.life.aclose()

    @property
    def _properties(self) -> Collection[str] | None:
        """The parameters that the file declares; None if the function does."""
        if self.signature:
            return None
        return parameters(self.schema or {})

    def resolve(self) -> Callable[..., Any]:
        """Import the module and return the function.

        Raises:
            CallbackNotFoundError: The module or function does not exist, or the module cannot be imported.
        """
        if self._function is None and self.thread is not None:
            self._function = self.thread.run(self._resolved)  # a module may make what belongs to its thread
        return self._function or self._resolved()

    def _resolved(self) -> Callable[..., Any]:
        if self._function is None:
            module, rest = self._module()
            owner: Any = module
            for index, name in enumerate(rest):
                owner = self._attribute(owner, name, module, rest[:index], last=index == len(rest) - 1)
            self._refuse_others(owner)
            self._function = owner
            return owner  # type: ignore[no-any-return]
        return self._function

    def lint(self, document: Document, path: DocumentPath, known: frozenset[str]) -> Iterator[Problem]:  # noqa: ARG002
        """Warn if the module keeps what only one thread may use, while sync functions run in several."""
        if self.thread is not None or inspect.iscoroutinefunction(self._function):
            return
        from bashkit.toolset.callbacks._one_thread import bound_to_a_thread

        module = sys.modules.get(getattr(self._function, "__module__", None) or "")
        if module is None:
            return
        for name in bound_to_a_thread(list(vars(module).items())):
            message = f"{module.__name__}.{name} works only in the thread that made it, and calls run in several"
            yield document.warning((*path, "callback"), "thread-unsafe", message, hint="thread: same, for the whole file")

    def complaint(self) -> str:
        """Why the object cannot be called with what the tool declares; "" if it can be, or if that cannot be known."""
        function = self.resolve()
        if self.signature or takes_tool_args(function, self._properties):
            return ""
        reason = Signature.of(function, self._properties or ()).misfit(self.schema or {})
        if not reason:
            return ""
        instead = "" if self.schema else " (input_schema: signature would)"
        return f"{self.dotted}{inspect.signature(function)} {reason}{instead}"

    def described(self) -> Mapping[str, Any]:
        """What the function's signature, docstring and decorator declare."""
        return described(self.resolve())

    def _attribute(self, owner: Any, name: str, module: ModuleType, before: list[str], *, last: bool) -> Any:
        here = ".".join([module.__name__, *before])
        try:
            found = getattr(owner, name)
        except AttributeError:
            close = get_close_matches(name, dir(owner), 1)
            hint = f" (did you mean {here}.{close[0]}?)" if close else ""
            what = "the module" if owner is module else "the class" if isinstance(owner, type) else f"the {type(owner).__name__}"
            raise CallbackNotFoundError(
                f"{what} {here} has no {'function' if last else 'class or object'} {name}{hint}"
            ) from None
        except BaseException as error:
            if not is_failure(error):
                raise
            raise CallbackNotFoundError(f"{here}.{name} cannot be read: {type(error).__name__}: {error}") from error
        if isinstance(owner, type) and inspect.isfunction(inspect.getattr_static(owner, name)):
            way = "make it a static or class method, or name an object that has it"
            raise CallbackNotFoundError(f"{here}.{name} is a method of the objects of {here}: {way}")
        return found

    def _refuse_others(self, found: Any) -> None:
        if isinstance(found, type):
            raise CallbackNotFoundError(
                f"{self.dotted} is a class, not a function: name a static or class method, or an object of it"
            )
        if not callable(found):
            kind = type(found).__name__
            raise CallbackNotFoundError(f"{self.dotted} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}, not a function")

    # -- importing -----------------------------------------------------------------------------------------------------

    def _module(self) -> tuple[ModuleType, list[str]]:
        """Import the longest prefix of the path that is a module; return it with the remaining names."""
        parts = self.dotted.split(".")
        length = len(parts) - 1
        known = _known.get((str(self.folder), ".".join(parts[:length])))
        if known is not None and sys.modules.get(known.__name__) is known:
            return known, parts[length:]
        with importable(self.folder):
            self._check_own(parts[0])
            while True:
                name = ".".join(parts[:length])
                try:
                    module = import_module(name)
                    _known[str(self.folder), name] = module
                    return module, parts[length:]
                except ModuleNotFoundError as error:
                    missing = error.name or ""
                    if not f"{name}.".startswith(f"{missing}."):
                        raise CallbackNotFoundError(
                            f"{name} cannot be imported: {self._where(error)}there is no module {missing}"
                        ) from error
                    length = missing.count(".")  # the longest prefix that exists
                    if not length:
                        raise CallbackNotFoundError(f"there is no module {missing}") from None
                except SyntaxError as error:
                    place = f"{self._shown(error.filename)}:{error.lineno}:{error.offset}: " if error.filename else ""
                    raise CallbackNotFoundError(
                        f"{name} cannot be imported: {place}{type(error).__name__}: {error.msg}"
                    ) from error
                except BaseException as error:
                    if not is_failure(error):
                        raise
                    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                    raise CallbackNotFoundError(f"{name} cannot be imported: {self._where(error)}{words}") from error

    def _where(self, error: BaseException) -> str:
        """``file:line: `` of the innermost line of the author's code in a traceback; "" if there is none."""
        folder = self.folder.resolve()
        for frame in reversed(extract_tb(error.__traceback__)):
            if folder in Path(frame.filename).resolve().parents:
                return f"{self._shown(frame.filename)}:{frame.lineno}: "
        return ""

    def _shown(self, filename: str) -> str:
        """A file's path, relative to the toolset's folder if it is inside."""
        path, folder = Path(filename).resolve(), self.folder.resolve()
        return str(path.relative_to(folder)) if folder in path.parents else filename

    def _check_own(self, top: str) -> None:
        """Refuse a module that another toolset with a module of the same name has already loaded."""
        loaded = sys.modules.get(top)
        own = PathFinder.find_spec(top, [str(self.folder)])
        if loaded is None or own is None or own.origin is None:
            return
        origin = getattr(loaded, "__file__", None)
        if origin is not None and Path(origin).resolve() != Path(own.origin).resolve():
            raise CallbackNotFoundError(f"another module {top} is loaded already; give this one another name")


def _surroundings(tool: Declaration) -> tuple[Lifespan | None, OneThread | None]:
    """What the Python callbacks of one file share: its setup and teardown, and its thread."""
    key = f"python {tool.document.file}"
    if key not in tool.around.shared:
        tool.around.shared[key] = _shared(tool)
    found: tuple[Lifespan | None, OneThread | None] = tool.around.shared[key]
    return found


def _shared(tool: Declaration) -> tuple[Lifespan | None, OneThread | None]:
    thread: OneThread | None = None
    if tool.document.value.get("thread") == "same":
        from bashkit.toolset.callbacks._one_thread import thread_of

        thread = thread_of(str(Path(tool.document.file).resolve()))
    targets = [target_of(tool.document, tool.folder, key, thread) for key in LIFE]
    if not any(targets):
        return None, thread
    setup, teardown = (None if target is None else target.resolve for target in targets)
    places = tuple("" if target is None else target.place for target in targets)
    from bashkit.toolset.callbacks._lifespan import Lifespan

    return Lifespan(setup, teardown, (places[0], places[1]), _here if thread is None else thread.run), thread


def _here(function: Callable[[], Any]) -> Any:
    return function()


def target_of(document: Document, folder: Path, key: str, thread: OneThread | None = None) -> PythonCallback | None:
    """The function that ``setup`` or ``teardown`` names; None if it is missing or has a mistake."""
    dotted = document.value.get(key) if document.right((key,)) else None
    if not isinstance(dotted, str):
        return None
    mark = document.mark((key,))
    return PythonCallback(dotted, folder, f"{document.file}:{mark.line}:{mark.column}", thread=thread)


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Look up modules in ``folder`` first, while the block runs."""
    with _importing:
        entry = str(folder)
        sys.path.insert(0, entry)
        invalidate_caches()
        try:
            yield
        finally:
            sys.path.remove(entry)
