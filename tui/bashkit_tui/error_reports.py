"""Unexpected errors become notifications: no traceback reaches the user."""

from __future__ import annotations

from functools import wraps
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.app import App
    from textual.dom import DOMNode

_Handler = TypeVar("_Handler", bound="Callable[..., None] | Callable[..., Coroutine[Any, Any, None]]")


def report(app: App[Any], error: BaseException) -> None:
    """Show an unexpected error as a notification."""
    app.notify(describe(error), title="Unexpected error", severity="error", timeout=15, markup=False)


def describe(error: BaseException) -> str:
    """An exception in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def reported(handler: _Handler) -> _Handler:
    """Decorate a message handler, timer or worker: report its exceptions instead of ending the application."""

    @wraps(handler)
    def guarded(self: DOMNode, *args: Any) -> None:
        try:
            handler(self, *args)
        except Exception as error:
            report(self.app, error)

    @wraps(handler)
    async def guarded_worker(self: DOMNode, *args: Any) -> None:
        try:
            await cast("Callable[..., Coroutine[Any, Any, None]]", handler)(self, *args)
        except Exception as error:
            report(self.app, error)

    return cast("_Handler", guarded_worker if iscoroutinefunction(handler) else guarded)
