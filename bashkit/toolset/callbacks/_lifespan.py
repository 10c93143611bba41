"""What the Python callbacks of a toolset share while it is in use: made by ``setup``, released by ``teardown``."""

from __future__ import annotations

import asyncio
import atexit
import inspect
import os
import threading
import weakref
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from bashkit.errors import LifespanError, is_failure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

_lifespans: weakref.WeakSet[Lifespan] = weakref.WeakSet()
_of_the_parent: list[object] = []  # kept, because the end of it would be felt in the process that uses it
_PATIENCE = 10.0  # seconds that a teardown on another thread's event loop may take


class Lifespan:
    """Runs ``setup`` before the first call and ``teardown`` when the toolset is closed; a later call sets up again.

    A sync function runs in the thread of the first call, in the thread of the toolset if that has one, and never in the thread of
    an event loop. An async one runs on the event loop of the first call, and so does its teardown as long as that loop runs.

    Args:
        setup: Finds the function that makes what callbacks share. It may take the environment (``args.env``), and be a generator
            or a context manager, sync or async, whose second half is the teardown.
        teardown: Finds the function that releases it, which may take it; or None.
        places: ``file:line:column`` of the two declarations.
        run: Runs a sync function in the right thread.
    """

    def __init__(
        self,
        setup: Callable[[], Callable[..., Any]] | None,
        teardown: Callable[[], Callable[..., Any]] | None,
        places: tuple[str, str],
        run: Callable[[Callable[[], Any]], Any],
    ) -> None:
        self._setup, self._teardown = setup, teardown
        self._places = places
        self._run = run
        self._lock = threading.RLock()
        self._opening: Future[None] | None = None
        self._manager: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.is_open = False
        self.state: Any = None
        _lifespans.add(self)

    def after_fork(self) -> None:
        """Begin anew in a forked child: what was set up is its parent's, to use and to tear down."""
        _of_the_parent.extend((self._manager, self._opening, self.state))
        self._lock = threading.RLock()
        self._opening = self._manager = self._loop = self.state = None
        self.is_open = False

    # -- setup ---------------------------------------------------------------------------------------------------------

    def open(self, env: Mapping[str, str]) -> Awaitable[None] | None:
        """Set up, unless that was done. What is returned, if anything, must be awaited before ``state`` is there.

        Raises:
            LifespanError: The setup failed; the message says where it is declared. A later call tries again.
        """
        with self._lock:
            if self.is_open:
                return None
            function = self._found(0)
            if function is not None and _is_async(function):
                return self._open_async(function, env)
            if function is not None:
                self.state = self._guarded(0, lambda: self._begin(function, env))
            self._opened()
            return None

    def _begin(self, function: Callable[..., Any], env: Mapping[str, str]) -> Any:
        if not inspect.isgeneratorfunction(inspect.unwrap(function)):
            return _called(function, env)
        self._manager = _called(contextmanager(function) if inspect.isgeneratorfunction(function) else function, env)
        return self._manager.__enter__()

    async def _open_async(self, function: Callable[..., Any], env: Mapping[str, str]) -> None:
        """Set up on this event loop, once for all calls that wait for it; one that is cancelled leaves the others alone."""
        with self._lock:
            if self.is_open:
                return
            opening, first = self._opening, self._opening is None
            if opening is None:
                opening = self._opening = Future()
        if first:
            self._loop = asyncio.get_running_loop()
            task = self._loop.create_task(self._begin_async(function, env))
            task.add_done_callback(lambda done: self._note(done, opening))
        await asyncio.shield(asyncio.wrap_future(opening))

    async def _begin_async(self, function: Callable[..., Any], env: Mapping[str, str]) -> None:
        if inspect.isasyncgenfunction(inspect.unwrap(function)):
            self._manager = _called(asynccontextmanager(function) if inspect.isasyncgenfunction(function) else function, env)
            self.state = await self._manager.__aenter__()
        else:
            self.state = await _called(function, env)

    def _note(self, done: asyncio.Task[None], opening: Future[None]) -> None:
        error = asyncio.CancelledError() if done.cancelled() else done.exception()
        with self._lock:
            self._opening = None
            if error is None:
                self._opened()
        if error is None:
            opening.set_result(None)
        else:
            opening.set_exception(self._failure(0, error))

    def _opened(self) -> None:
        self.is_open = True
        atexit.register(self.close)

    # -- teardown ------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Tear down, if there is something to tear down, and wait for that.

        On the event loop that runs the async teardown this cannot wait: there ``aclose`` does.

        Raises:
            LifespanError: The teardown failed.
        """
        ending = self._end()
        if ending is None:
            return
        loop = self._loop
        if loop is None or not loop.is_running():
            self._run_here(lambda: asyncio.run(_as_coroutine(ending)))
            return
        future = asyncio.run_coroutine_threadsafe(_as_coroutine(ending), loop)
        if loop is not _running_loop():
            future.result(_PATIENCE)

    async def aclose(self) -> None:
        """As ``close``, on an event loop.

        Raises:
            LifespanError: The teardown failed.
        """
        ending = await asyncio.to_thread(self._end)
        if ending is None:
            return
        loop = self._loop
        if loop is None or loop is asyncio.get_running_loop() or not loop.is_running():
            await ending
        else:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_as_coroutine(ending), loop))

    def _end(self) -> Awaitable[None] | None:
        """Tear down what is sync; return what is async, to be awaited."""
        with self._lock:
            if not self.is_open:
                return None
            self.is_open = False
            manager, self._manager = self._manager, None
            state, self.state = self.state, None
        atexit.unregister(self.close)
        teardown = self._found(1)
        if hasattr(manager, "__aexit__") or (teardown is not None and _is_async(teardown)):
            return self._end_async(manager, teardown, state)
        if manager is not None:
            self._run_here(lambda: self._guarded(0, lambda: manager.__exit__(None, None, None)))
        if teardown is not None:
            self._run_here(lambda: self._guarded(1, lambda: _called(teardown, state)))
        return None

    async def _end_async(self, manager: Any, teardown: Callable[..., Any] | None, state: Any) -> None:
        try:
            if hasattr(manager, "__aexit__"):
                await manager.__aexit__(None, None, None)
            elif manager is not None:
                await asyncio.to_thread(self._run, lambda: manager.__exit__(None, None, None))
            if teardown is not None and _is_async(teardown):
                await _called(teardown, state)
            elif teardown is not None:
                await asyncio.to_thread(self._run, lambda: _called(teardown, state))
        except BaseException as error:
            if not is_failure(error) or isinstance(error, asyncio.CancelledError):
                raise
            raise self._failure(1 if teardown is not None else 0, error) from error

    def _run_here(self, function: Callable[[], Any]) -> None:
        """Run a sync function in the thread of the toolset or in this one, but not in that of an event loop."""
        if _running_loop() is None:
            self._run(function)
            return
        outcome: Future[Any] = Future()

        def work() -> None:
            try:
                outcome.set_result(self._run(function))
            except BaseException as error:
                outcome.set_exception(error)

        threading.Thread(target=work, name="bashkit-teardown", daemon=True).start()
        outcome.result()

    # -- both ----------------------------------------------------------------------------------------------------------

    def _found(self, which: int) -> Callable[..., Any] | None:
        find = (self._setup, self._teardown)[which]
        return None if find is None else self._guarded(which, find)

    def _guarded(self, which: int, function: Callable[[], Any]) -> Any:
        try:
            return function()
        except BaseException as error:
            if not is_failure(error):
                raise
            raise self._failure(which, error) from error

    def _failure(self, which: int, error: BaseException) -> LifespanError:
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return LifespanError(f"{self._places[which]}: {('setup', 'teardown')[which]} failed: {words}")


def _is_async(function: Callable[..., Any]) -> bool:
    inner = inspect.unwrap(function)
    return inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner)


def _called(function: Callable[..., Any], value: Any) -> Any:
    """Call a function with a value, if it takes one."""
    try:
        inspect.signature(function).bind(value)
    except TypeError:
        return function()
    return function(value)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


async def _as_coroutine(awaitable: Awaitable[None]) -> None:
    await awaitable


def _after_fork() -> None:
    for lifespan in _lifespans:
        lifespan.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
