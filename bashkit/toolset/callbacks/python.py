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
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module, invalidate_caches
from importlib.machinery import PathFinder
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

from bashkit.errors import CallbackNotFoundError
from bashkit.toolset.callback import Callback
from bashkit.toolset.starter import Starter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.declaration import Declaration
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
    """

    dotted: str
    folder: Path
    place: str = ""
    _function: Callable[..., Any] | None = field(default=None, repr=False)

    key = "python"
    noun = "a Python callback"
    summary = "a Python function"
    rank = 10
    properties: ClassVar = {
        "python": {
            "title": "Python function",
            "description": (
                "Dotted path of a callable that takes one ToolArgs, sync or async: module.function, module.Class.method "
                "(static or "
                "class method), module.client.get_user (a method of an object) or an object with __call__. The folder of "
                "this file is first on sys.path while it is imported, at the first call; the working directory stays the "
                "process's own."
            ),
            "type": "string",
            "pattern": "^[^\\W\\d]\\w*(\\.[^\\W\\d]\\w*)+$",
            "examples": ["shop.api.get_user", "shop.client.Client.get_user"],
        }
    }
    patterns: ClassVar = {"python": "a Python callback is a dotted path: module.function"}
    is_file = True
    starter = "The callback is a function in the toolset's module (the default)."
    own_timeout = False

    @classmethod
    def read(cls, tool: Declaration) -> PythonCallback:
        """Make the callback; nothing is imported."""
        return cls(tool.callback["python"], tool.folder, tool.place("callback", "python"))

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
        """Call the function, after importing it if necessary.

        Raises:
            CallbackNotFoundError: There is no such function; the message starts with ``place``.
            Exception: Any exception of the function.
        """
        try:
            function = self.resolve()
        except CallbackNotFoundError as error:
            raise CallbackNotFoundError(f"{self.place}: {error}" if self.place else str(error)) from error
        return function(args)

    def resolve(self) -> Callable[..., Any]:
        """Import the module and return the function.

        Raises:
            CallbackNotFoundError: The module or function does not exist, or the module cannot be imported.
        """
        if self._function is None:
            module, rest = self._module()
            owner: Any = module
            for index, name in enumerate(rest):
                owner = self._attribute(owner, name, module, rest[:index], last=index == len(rest) - 1)
            self._refuse_others(owner)
            self._function = owner
            return owner  # type: ignore[no-any-return]
        return self._function

    def complaint(self) -> str:
        """Why the object cannot be called with one ToolArgs; "" if it can be, or if that cannot be known."""
        function = self.resolve()
        if _takes_one(function):
            return ""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return ""
        try:
            signature.bind(None)
        except TypeError:
            return f"{self.dotted}{signature} cannot be called with one argument, the ToolArgs"
        return ""

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
        except Exception as error:
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
                except (Exception, SystemExit) as error:
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


def _takes_one(function: Any) -> bool:
    """Whether a plain function can be called with one argument; False if only its signature can tell."""
    code = getattr(function, "__code__", None)
    if (
        code is None
        or not inspect.isfunction(function)
        or hasattr(function, "__wrapped__")
        or code.co_kwonlyargcount > len(function.__kwdefaults__ or ())
    ):
        return False
    most: int = code.co_argcount
    return most - len(function.__defaults__ or ()) <= 1 <= most


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
