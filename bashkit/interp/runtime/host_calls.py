"""Calls of the host's functions: the task that calls one waits for its result, and other tasks go on.

A function that may take long has a thread of its own, and what it returns may be awaitable: that runs on the event loop of the
execution, or on one in the background. A limited number of calls is under way at once, in the order in which they came.
"""

from __future__ import annotations

import inspect
from contextvars import copy_context
from functools import partial
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, TypeVar, cast

from bashkit.interp.runtime.workers import background_loop, forget, run_in_thread, run_on_loop, run_to_the_end

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.runtime.tasks import Task

T = TypeVar("T")


def _nothing() -> None:
    """Nothing is to be done."""


def call(
    hub: Hub,
    function: Callable[[], T | Awaitable[T]],
    *,
    inline: bool = False,
    timeout: float | None = None,
    meanwhile: Callable[[], None] = _nothing,
) -> T:
    """Run a host function for the current task; see ``System.call``."""
    if inline:
        value = hub.slices.spare(function)
        if not _is_awaitable(value):
            return cast("T", value)
        return cast("T", _HostCall(hub, lambda: value).result(timeout, meanwhile, None))
    return _HostCall(hub, function).result(timeout, meanwhile, None if _is_coroutine_function(function) else run_in_thread)


def aside(hub: Hub, function: Callable[[], T]) -> T:
    """See ``Budget.aside``; without an event loop nobody is waiting for this thread."""
    if hub.loop is None or hub.current is None:
        return function()
    return _HostCall(hub, function).result(None, _nothing, run_to_the_end)


def _is_coroutine_function(function: Callable[[], object]) -> bool:
    """``inspect.iscoroutinefunction``, which takes its time for what is none."""
    code = getattr(function, "__code__", None)
    return inspect.iscoroutinefunction(function) if code is None else bool(code.co_flags & inspect.CO_COROUTINE)


def _is_awaitable(value: object) -> TypeGuard[Awaitable[Any]]:
    """``inspect.isawaitable``, which takes its time for what is not."""
    return (hasattr(value, "__await__") or isinstance(value, GeneratorType)) and inspect.isawaitable(value)


class _HostCall(Generic[T]):
    """One call, for which the current task waits.

    Args:
        hub: The scheduler.
        function: What is called.
    """

    __slots__ = ("_cancel", "_function", "_hub", "_outcome", "_task")

    def __init__(self, hub: Hub, function: Callable[[], T | Awaitable[T]]) -> None:
        assert hub.current is not None
        self._hub = hub
        self._task: Task = hub.current
        self._function = function
        self._outcome: list[Any] = []  # value and error; one None when nobody waits for them any more
        self._cancel: list[Callable[[], object]] = []

    def result(
        self, timeout: float | None, meanwhile: Callable[[], None], thread: Callable[[Callable[[], None]], None] | None
    ) -> T:
        """Call the function at its turn, in this thread or by ``thread`` in another, and wait for what it returns."""
        hub = self._hub
        while hub.calls >= hub.budget.limits.max_concurrent_calls:
            self._wait_for_turn()
        hub.calls += 1
        if thread is not None:
            context = copy_context()
            thread(lambda: context.run(self._work))
        else:
            self._start(cast("Awaitable[T]", self._function()))
        return self._collect(timeout, meanwhile)

    def _wait_for_turn(self) -> None:
        """Wait until another call has come back."""
        hub, task = self._hub, self._task
        callers = hub.callers
        callers.append(task)
        try:
            while task in callers:
                hub.suspend()
        except BaseException:
            if task not in callers and callers:  # it was its turn, which it leaves to the next
                hub.wake(callers.popleft())
            raise
        finally:
            if task in callers:
                callers.remove(task)

    def _work(self) -> None:
        """Call the function in this thread, which is not the hub's."""
        try:
            value = self._function()
        except BaseException as error:
            self._finish(None, error)
            return
        if not _is_awaitable(value):
            self._finish(value, None)
            return
        self._cancel.append(lambda: forget(value))
        self._hub.post(lambda: self._start(value))
        if self._outcome:  # the hub may take no more events
            forget(value)

    def _start(self, awaitable: Awaitable[T]) -> None:
        """Await what the function has returned."""
        if self._outcome:  # nobody waits for it any more
            forget(awaitable)
            self._deliver(None, None)
            return
        self._cancel.clear()
        loop = self._hub.loop
        if loop is None:
            self._cancel.append(run_on_loop(background_loop(), self._wait(awaitable, self._hub.post)))
        elif loop.get_task_factory() is None:
            future = loop.create_task(self._wait(awaitable, self._hub.tell))
            self._cancel.append(lambda: loop.call_soon(future.cancel))  # not before it has begun: its result always comes
        else:  # a factory may begin a task at once, and this is the stack of a script
            self._cancel.append(run_on_loop(loop, self._wait(awaitable, self._hub.tell)))

    async def _wait(self, awaitable: Awaitable[T], hand: Callable[[Callable[[], None]], None]) -> None:
        """Await a value and ``hand`` it to the hub."""
        try:
            value = await awaitable
        except BaseException as error:
            hand(partial(self._deliver, None, error))
        else:
            hand(partial(self._deliver, value, None))

    def _finish(self, value: object, error: BaseException | None) -> None:
        """Hand the result to the hub, from any thread."""
        self._hub.post(partial(self._deliver, value, error))

    def _deliver(self, value: object, error: BaseException | None) -> None:
        """Hand the result to the task, and the turn to the next that waits for one."""
        hub = self._hub
        hub.calls -= 1
        if hub.callers:
            hub.wake(hub.callers.popleft())
        if not self._outcome:
            self._outcome.extend((value, error))
            hub.wake(self._task)

    def _collect(self, timeout: float | None, meanwhile: Callable[[], None]) -> T:
        """Wait for the result.

        Raises:
            TimeoutError: It took longer than so many seconds.
        """
        hub, outcome = self._hub, self._outcome
        end = None if timeout is None else hub.budget.clock() + timeout
        if timeout is not None:
            hub.at(timeout, self._task)
        try:
            while not outcome:
                if end is not None and hub.budget.clock() >= end:
                    raise TimeoutError
                hub.suspend()
                meanwhile()
        finally:
            if not outcome:
                outcome.append(None)  # a late result is dropped
                for stop in self._cancel:
                    stop()
        value, error = outcome
        if error is not None:
            raise error
        return cast("T", value)
