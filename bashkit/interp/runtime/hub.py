"""The scheduler: every stage, job and substitution is a greenlet, all started from here.

The interpreter is synchronous code. Whatever it must wait for — a pipe, a timer, a callback of the host — suspends its task and
returns to the hub, which runs other tasks or waits. Scheduling is deterministic: first come, first served. Greenlets are only
ever started by the hub, whose own stack is shallow, because nested starts would pile up on the C stack.
"""

from __future__ import annotations

import heapq
import math
import sys
import time
from collections import deque
from contextvars import copy_context
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from greenlet import getcurrent, greenlet

from bashkit.errors import BashkitError, LimitExceededError
from bashkit.interp.runtime import host_calls
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.runtime.collector import ASIDE, YOUNG
from bashkit.interp.runtime.control import Killed, Unwind
from bashkit.interp.runtime.inbox import Inbox
from bashkit.interp.runtime.locks import FileLocks
from bashkit.interp.runtime.news import News
from bashkit.interp.runtime.sharing import sharing_of
from bashkit.interp.runtime.tasks import Task, TaskEnd, dismiss, parked_carriers, running_task
from bashkit.interp.runtime.watchdog import Overdue, Slices
from bashkit.limits import ask, at_once

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from bashkit.interp.runtime.sharing import Sharing
    from bashkit.interp.runtime.tasks import Carrier
    from bashkit.limits import Budget

RECURSION_LIMIT = 10_000  # Python frames; deeper nesting would endanger the C stack
MAX_FRAMES = 8_500  # frames that the interpreter itself uses in one task
_SOONEST = 0.05  # seconds between two looks at what the host may have changed
_TERMINATED = 15  # SIGTERM


def _nothing() -> None:
    """Nothing is to be done."""


class Hub:
    """Runs the tasks of one execution.

    Args:
        budget: Its clock and time limit end every wait.
        first_pid: The process ID of the first task.
    """

    def __init__(self, budget: Budget, first_pid: int = 1000) -> None:
        self.budget = budget
        self.ready: deque[Task] = deque()
        self.tasks: set[Task] = set()
        self.locks = FileLocks()
        self.timers: list[tuple[float, int, Task]] = []
        self.watchers: dict[Task, float] = {}  # tasks that wait for changes, with their longest wait in seconds
        self.current: Task | None = None
        self.failure: BaseException | None = None
        self.home: greenlet
        self.parked: list[Carrier] = []
        self.context = copy_context()
        self.next_pid = first_pid
        self.host_frames = 0  # Python frames of the host below the hub
        self.calls = 0  # host functions that have not come back
        self.callers: deque[Task] = deque()  # tasks that wait for their turn to call
        self.slices = Slices(budget)
        self.places: deque[Task] = deque()  # tasks that wait until they may start another
        self._order = count()
        self._turns = 0  # of tasks; not those of watchers that saw no change
        self._looked = 0  # after how many of them the watchers were woken last
        self._inbox: Inbox[Callable[[], None]] = Inbox()
        self.loop: asyncio.AbstractEventLoop | None = None
        self._sharing: Sharing | None = None  # of the loop
        self._news: News | None = None
        self.used = 0.0  # seconds of processor time on the loop; what other programs take is nobody's debt
        self._slice_begin = 0.0  # by the same clock
        self._slice_length = 0.0
        self._begun = False  # it shares the loop, and is not in the queue any more
        self._breathe = False
        budget.on_refuel = self._on_refuel
        budget.aside = partial(host_calls.aside, self)

    # -- for tasks -----------------------------------------------------------------------------------------------------

    def spawn(self, function: Callable[[], int], release: Callable[[], None] = _nothing) -> Task:
        """Start a task; it first runs when the current one waits. While ``max_processes`` are alive, the current one waits here.

        The task must release what was opened for it; ``release`` does so when it is ended before it has begun.
        Who has opened something for the new task calls ``wait_for_place`` before that: the wait may end in an exception.
        """
        self.wait_for_place()
        self.budget.processes -= 1
        task = Task(self, function, self.next_pid, release)
        self.next_pid += 1
        self.tasks.add(task)
        self.wake(task)
        return task

    def wait_for_place(self) -> None:
        """Wait until one more task may be alive.

        Raises:
            LimitExceededError: The task is the first, and there may be none.
        """
        while self.budget.processes <= 0:
            if self.current is None:
                self.budget.fail("max_processes")
            self.places.append(self.current)
            self.suspend()

    def new_pid(self) -> int:
        """A process ID for a subshell that is no task of its own."""
        self.next_pid += 1
        return self.next_pid - 1

    def wake(self, task: Task) -> None:
        """Let a task go on at its turn."""
        if not task.queued and not task.done:
            task.queued = True
            self.ready.append(task)

    def suspend(self) -> None:
        """Wait until woken. The caller checks what it waited for, and waits again if need be."""
        task = self.current
        assert task is not None
        if task.unwritten is not None and not task.queued:
            task.unwritten.flush()
            return  # that may have waited, and what the caller waits for has come meanwhile
        self.home.switch()
        if task.pending is not None:
            raise task.taken()
        if task.interrupt is not None:
            task.interrupt()

    def give_way(self) -> None:
        """Let every other ready task run first."""
        if self.current is not None:
            self.wake(self.current)
            self.suspend()

    def give_way_to_others(self) -> None:
        """Let every other task run first that has something to do."""
        if (
            self.ready
            or (self.watchers and self._stirred())
            or self._inbox
            or (self.timers and self.timers[0][0] <= self.budget.clock())
        ):
            self.give_way()

    def join(self, task: Task) -> int:
        """Wait for a task to end and return its status."""
        while not task.done:
            assert self.current is not None
            task.waiters.append(self.current)
            self.suspend()
        return task.status

    def join_within(self, task: Task, seconds: float | None) -> int:
        """Wait for a task that the current one has started, and return its status.

        One that takes too long is ended, with all that it has started; so is one whose waiter has ended.

        Raises:
            TimeoutError: It took longer than so many seconds.
        """
        if seconds is not None:
            task.deadline = min(task.deadline, time.monotonic() + seconds)
        try:
            if not self.await_end(task, seconds):
                self.terminate(task)
                self.join(task)
                raise TimeoutError
        finally:
            if not task.done:
                self.terminate(task)
        return task.status

    def await_end(self, task: Task, seconds: float | None) -> bool:
        """Wait for a task to end, for so many seconds at most; whether it has."""
        waiter = self.current
        assert waiter is not None
        end = math.inf if seconds is None else self.budget.clock() + seconds
        if seconds is not None:
            self.at(seconds, waiter)
        task.waiters.append(waiter)
        while not task.done:
            if self.budget.clock() >= end:
                return False
            self.suspend()
        return True

    def sleep(self, seconds: float) -> None:
        """Wait for a time, while other tasks go on, for a moment at least."""
        end = self.budget.clock() + seconds
        self.give_way_to_others()
        task = self.current
        assert task is not None
        while self.budget.clock() < end:
            heapq.heappush(self.timers, (end, next(self._order), task))
            self.suspend()

    def watch(self, seconds: float, *, changed: bool) -> None:
        """Wait until other tasks have gone on, and now wait themselves or have used up a slice of time.

        Args:
            seconds: Real seconds after which to come back in any case: what the host changes does not show in any task.
            changed: The caller has changed something since it last waited.
        """
        task = self.current
        assert task is not None
        if not changed:
            self._turns -= 1
        self.watchers[task] = max(seconds, _SOONEST)
        try:
            self.suspend()
        finally:
            self.watchers.pop(task, None)

    def _wake_watchers(self) -> None:
        self._looked = self._turns
        for task in self.watchers:
            self.wake(task)
        self.watchers.clear()

    def _stirred(self) -> bool:
        """Whether there are watchers, woken now, who have something to see."""
        if not self.watchers or self._turns == self._looked:
            return False
        self._wake_watchers()
        return True

    def throw(self, task: Task, error: BaseException) -> None:
        """Raise ``error`` in a task at its next chance."""
        if task is self.current:
            raise error
        if not task.done:
            task.pending = error
            self.wake(task)

    def terminate(self, task: Task) -> None:
        """End a task and all that it has started, as a signal to its process group does; the current one is spared."""
        ask(len(self.tasks))
        for other in self.group(task):
            self.throw(other, Killed(_TERMINATED, whole=True))

    def group(self, task: Task) -> list[Task]:
        """A task and all that it has started, but for the current one."""
        kin = {task: True}
        return [other for other in list(self.tasks) if other.descends_from(kin) and other is not self.current]

    def at(self, seconds: float, task: Task) -> None:
        """Wake a task after ``seconds``."""
        heapq.heappush(self.timers, (self.budget.clock() + seconds, next(self._order), task))

    def waker(self) -> Callable[[], None]:
        """A function that any thread may call to have the current task go on, if only for ``meanwhile`` of its call."""
        task = self.current
        assert task is not None
        return lambda: self.post(lambda: self.wake(task))

    def start(self, function: Callable[[], None]) -> Callable[[], None]:
        """Run a function in a task of its own; what is returned waits until it has ended."""

        def work() -> int:
            function()
            return 0

        task = self.spawn(work)

        def wait() -> None:
            self.join(task)

        return wait

    def cancel(self) -> None:
        """End the execution from any thread; its output so far is kept."""
        self.slices.due = time.monotonic()
        self.post(self._cancelled)

    def _cancelled(self) -> None:
        if self.failure is None:
            self.failure = LimitExceededError("cancelled", "cancelled")

    def post(self, event: Callable[[], None]) -> None:
        """Hand an event to the hub from any thread."""
        self._inbox.put(event)
        loop = self.loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self.hear)
            except RuntimeError:
                pass  # the loop is closed: no result is awaited

    def tell(self, event: Callable[[], None]) -> None:
        """As ``post``, from a task of the event loop: that need not be woken."""
        self._inbox.put(event)
        self.hear()

    def hear(self) -> None:
        """Look at what is new when the loop gets there; called in its thread."""
        news, sharing = self._news, self._sharing
        if news is not None and sharing is not None:
            if self._begun:
                sharing.go_on(self)
            news.come()

    # -- running -------------------------------------------------------------------------------------------------------

    def _on_refuel(self) -> None:
        if self.current is None:
            return
        if self.loop is not None and time.monotonic() > self.slices.turn:
            self._breathe = True
            self.give_way()
        else:
            self.give_way_to_others()

    def _run_ready(self) -> None:
        """Run tasks until none is ready, or the event loop wants its turn."""
        if self._sharing is not None:
            self._slice_length = self._sharing.slice_length
            self.slices.turn = time.monotonic() + self._slice_length
            self._slice_begin = time.thread_time()
        ready, slices = self.ready, self.slices
        while (ready or self._stirred()) and self.failure is None:
            task = ready.popleft()
            task.queued = False
            if task.done:
                continue
            self._turns += 1
            self.current = task
            slices.task = task
            try:
                task.resume()
                slices.task = None
                if slices.aimed:
                    slices.lower()
            except Overdue:
                slices.task = None  # before anything at which another shot could be felt: a call, or the end of a loop
                try:
                    slices.lower()
                except Overdue:  # fired when the first was felt already; there is no third, for the slice is over
                    slices.lower()
                self._overdue(task)
            self.current = None
            if self.timers or self._inbox:
                self._take_events()
            if self._breathe or self.budget.fuel < 0:  # the task was hurried, and has not asked
                self._breathe = True
                return

    def _overdue(self, task: Task) -> None:
        """The watchdog ended the slice of a task: its own time is up, or that of the whole execution."""
        if task.lost or task.done:
            task.status = 128 + _TERMINATED
            task.finish()
        self._take_events()
        if self.failure is None and time.monotonic() > self.budget.deadline:
            self.failure = self.budget.error("timeout")

    def _take_events(self) -> None:
        while self._inbox:
            self._inbox.take()()
        now = self.budget.clock()
        while self.timers and self.timers[0][0] <= now:
            self.wake(heapq.heappop(self.timers)[2])

    def _wait_time(self) -> float:
        """Seconds until something is due.

        Raises:
            LimitExceededError: The time is up, or nothing will ever happen again.
        """
        left = self.budget.deadline - time.monotonic()
        if left <= 0:
            self.budget.fail("timeout")
        clock = self.budget.clock
        if isinstance(clock, VirtualClock) and self.timers and not self.calls:
            clock.advance(max(0.0, self.timers[0][0] - clock.now))
            return 0.0
        if self.watchers:
            left = min(left, *self.watchers.values())
        if self.timers and not isinstance(clock, VirtualClock):
            return max(0.0, min(self.timers[0][0] - clock(), left))
        if not self.calls and not self.watchers:
            if self.places:
                self.budget.fail("max_processes")  # those that are alive wait for something else than a place
            raise LimitExceededError("deadlock", "deadlock: every process of the script waits for another")
        return left

    def run_sync(self, main: Callable[[], int]) -> int:
        """Run ``main`` as the first task, and all it starts, blocking this thread. Returns the status of ``main``."""
        self._prepare()
        try:
            task = self.spawn(main)
            while self.tasks:
                self._run_ready()
                if self.failure is not None:
                    raise self.failure
                if self.tasks and not self.ready:
                    if not self._inbox.wait(self._wait_time()):
                        self._wake_watchers()
                    self._take_events()
        finally:
            self._end()
        return task.status

    async def run_async(self, main: Callable[[], int]) -> int:
        """As ``run_sync``, on the running event loop, which gets its turn every few milliseconds."""
        import asyncio  # loaded where a loop runs; who runs none need not wait for it

        if running_task() is not None:  # an eager task has begun on the stack of a script
            await asyncio.sleep(0)
        self._prepare()
        self.loop = asyncio.get_running_loop()
        self._news = News(self.loop)
        self._sharing = sharing = sharing_of(self.loop)
        task = self.spawn(main)
        YOUNG.enter()
        ASIDE.begin()
        try:
            await self._begin(sharing)
            while self.tasks:
                self._run_ready()
                self.used += time.thread_time() - self._slice_begin
                sharing.note(self)
                if self.failure is not None:
                    raise self.failure
                ASIDE.keep_short()
                if self._breathe:
                    self._breathe = False
                    await asyncio.sleep(0)
                    await self._repay(sharing)
                    self._take_events()
                elif self.tasks and not self.ready:
                    ASIDE.end()
                    sharing.rest(self)
                    try:
                        await self._wait_for_news()
                    finally:
                        ASIDE.begin()
                        sharing.go_on(self)
        finally:
            try:
                self._end()
                ASIDE.end()
                await self._repay(sharing)
            finally:
                self._sharing = None  # what comes late is no news
                self._news.close()
                sharing.leave(self)
                YOUNG.leave()
        return task.status

    async def _begin(self, sharing: Sharing) -> None:
        """Wait for the turn to begin; the time limit waits, too."""
        assert self._news is not None
        since = time.monotonic()
        if not sharing.enter(self):
            while not sharing.has_begun(self):
                await self._news.wait()
                self._take_events()
                if self.failure is not None:
                    raise self.failure
            self.budget.deadline += time.monotonic() - since
        self._begun = True

    async def _repay(self, sharing: Sharing) -> None:
        """Leave the loop to other scripts for as many turns as slices were used beyond one, by an operation that took long."""
        import asyncio

        if self._begun and sharing.crowded:
            used = (time.thread_time() - self._slice_begin) / self._slice_length
            for _ in range(int(used) - 1):
                await asyncio.sleep(0)

    async def _wait_for_news(self) -> None:
        assert self._news is not None
        if not self._inbox:
            await self._news.wait(self._wait_time())
            if not self._inbox:
                self._wake_watchers()
        self._take_events()

    def _prepare(self) -> None:
        self.home = getcurrent()
        self.parked = parked_carriers()
        frame = sys._getframe()  # noqa: SLF001 - the documented way to see how deep the host's own calls are
        while (outer := frame.f_back) is not None:
            self.host_frames += 1
            frame = outer
        if sys.getrecursionlimit() < RECURSION_LIMIT:
            sys.setrecursionlimit(RECURSION_LIMIT)
        self.slices.open()

    def _end(self) -> None:
        try:
            self._end_tasks()
        finally:  # whatever happens there, nobody shoots at this thread any more
            self.slices.task = None
            self.slices.close()
            self.failure = None  # whose traceback knows the hub
            self._inbox.close()  # late results know it, too

    def _end_tasks(self) -> None:
        """End every task that is left: each gets one chance to release what it holds."""
        if self.slices.task is not None or self.slices.aimed:
            try:
                self.slices.lower()
            except Overdue:  # it came as that began
                self.slices.lower()
        self.budget.on_refuel = None
        self.budget.aside = at_once
        self.budget.fuel = 1 << 20
        self.budget.deadline = self.slices.due = time.monotonic()
        for task in list(self.tasks):
            if not task.started:
                task.abandon()
            else:
                self.current = task
                task.pending = None
                try:
                    self.slices.task = task
                    task.throw(TaskEnd())
                except (BashkitError, Unwind, Overdue, Exception):  # noqa: S112 - what a dying task raises has no reader
                    continue
                finally:
                    self.slices.task = None  # as above
                    try:
                        self.slices.lower()
                    except Overdue:
                        self.slices.lower()
        self.current = None
        self.budget.measure = None  # which knows the shells, which know the budget: no circle is left
        self.tasks.clear()
        dismiss(self.parked)
        self.loop = None
        del self.home  # garbage that knows the main greenlet of a thread that has ended can crash the collector
