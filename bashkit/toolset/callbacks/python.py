"""Python callbacks: a dotted path that is resolved when it is called."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module, invalidate_caches
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import CallbackNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.tools.arguments import ToolArgs

_importing = threading.RLock()  # sys.path is one for all threads


@dataclass(slots=True)
class PythonTarget:
    """A function named by its dotted path.

    Attributes:
        dotted: ``package.module.function``.
        folder: Its own modules are looked for here first.
        place: ``file:line:column`` of the declaration, for messages.
    """

    dotted: str
    folder: Path
    place: str = ""
    _function: Callable[..., Any] | None = field(default=None, repr=False)
    key = "python"

    def __call__(self, args: ToolArgs) -> Any:
        """Call the function, importing it first if need be.

        Raises:
            CallbackNotFoundError: There is none; the message starts with ``place``.
            Exception: Whatever the function raises.
        """
        try:
            function = self.resolve()
        except CallbackNotFoundError as error:
            raise CallbackNotFoundError(f"{self.place}: {error}" if self.place else str(error)) from error
        return function(args)

    def resolve(self) -> Callable[..., Any]:
        """The function.

        Raises:
            CallbackNotFoundError: No such module or function, or the module cannot be imported.
        """
        if self._function is None:
            module_name, _, attribute = self.dotted.rpartition(".")
            module = self._module(module_name)
            function = getattr(module, attribute, None)
            if function is None:
                close = get_close_matches(attribute, dir(module), 1)
                hint = f" (did you mean {module_name}.{close[0]}?)" if close else ""
                raise CallbackNotFoundError(f"the module {module_name} has no function {attribute}{hint}")
            if not callable(function):
                raise CallbackNotFoundError(f"{self.dotted} is a {type(function).__name__}, not a function")
            self._function = function
        return self._function

    def _module(self, name: str) -> Any:
        try:
            with importable(self.folder):
                self._check_own(name)
                return import_module(name)
        except ModuleNotFoundError as error:
            if error.name and (name == error.name or name.startswith(error.name + ".")):
                raise CallbackNotFoundError(f"there is no module {error.name}") from None
            raise CallbackNotFoundError(f"{name} cannot be imported: {error}") from error
        except CallbackNotFoundError:
            raise
        except Exception as error:
            raise CallbackNotFoundError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error

    def _check_own(self, name: str) -> None:
        """Refuse to call into another toolset's module of the same name, which is loaded already."""
        top = name.partition(".")[0]
        loaded = sys.modules.get(top)
        own = PathFinder.find_spec(top, [str(self.folder)])
        if loaded is None or own is None or own.origin is None:
            return
        origin = getattr(loaded, "__file__", None)
        if origin is not None and Path(origin).resolve() != Path(own.origin).resolve():
            raise CallbackNotFoundError(f"another module {top} is loaded already; give this one another name")


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Look for modules in ``folder`` first, and only as long as the block runs."""
    with _importing:
        entry = str(folder)
        sys.path.insert(0, entry)
        invalidate_caches()
        try:
            yield
        finally:
            sys.path.remove(entry)
