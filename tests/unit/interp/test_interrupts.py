"""Ctrl-C may come anywhere: the session, its queue and its jobs are there for the next script."""

import gc
import sys
import threading

import pytest

from bashkit import Bash, ScriptedTool
from bashkit.errors import BashkitError
from bashkit.interp.runtime import watchdog

_REPORTED = {"__del__", "<genexpr>"}  # as objects are destroyed: Python reports what is raised there, and goes on


class _Interrupt:
    """Raises KeyboardInterrupt as a function of bashkit begins, where Python looks for signals.

    Args:
        place: After how many of them.
    """

    def __init__(self, place):
        self.left = place
        self.function = ""

    def __call__(self, frame, event, argument):
        name = frame.f_code.co_name
        if not self.function and "/bashkit/" in frame.f_code.co_filename and name not in _REPORTED:
            self.left -= 1
            if self.left < 0:
                self.function = frame.f_code.co_qualname
                raise KeyboardInterrupt


# They pass the turn on, last of all: an interrupt as one begins, which is very unlikely, still loses the turn.
_LAST = {"Workbench.leave", "ExecutionQueue.give"}


def _places(session, script):
    """Interrupt a script at each place where one can come; yields after each."""
    place, tracing = 0, sys.gettrace()
    while True:
        interrupt = _Interrupt(place)
        sys.settrace(interrupt)
        try:
            session.execute_sync(script)
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(tracing)
        if not interrupt.function or interrupt.function in _LAST:
            return
        yield f"{interrupt.function}, place {place}"
        place += 1


SCRIPT = "x=$(echo 1); echo a | cat; for i in 1 2; do echo $i; done & wait"


def test_a_session_is_usable_after_an_interrupt():
    bash = Bash()
    bash.execute_sync(SCRIPT)
    interrupted = 0
    for place in _places(bash, SCRIPT):
        assert bash.execute_sync("echo $x; echo b & wait; (echo c) | cat").stdout == "1\nb\nc\n", place
        interrupted += 1
    assert interrupted > 200


def test_a_session_whose_first_script_was_interrupted_has_its_variables():
    for place in range(60):
        bash = Bash()
        interrupt = _Interrupt(place)
        tracing = sys.gettrace()
        sys.settrace(interrupt)
        try:
            bash.execute_sync("x=1")
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(tracing)
        assert bash.execute_sync("echo $HOME $PATH $USER").stdout == "/home/user /usr/local/bin:/usr/bin:/bin user\n", (
            interrupt.function
        )


def _tool():
    tool = ScriptedTool("api", persistent=True)
    tool.add_tool("y", "prints y", lambda _: "y")
    return tool


def test_a_persistent_tool_is_usable_after_an_interrupt():
    tool = _tool()
    tool.execute_sync("y")
    for place in _places(tool, "y; (y) | cat; y & wait"):
        assert tool.execute_sync("y & wait; y").stdout == "yy", place


def test_who_is_interrupted_while_it_waits_for_its_turn_leaves_the_queue():
    tool = ScriptedTool("api", persistent=True)
    begun, goes_on = threading.Event(), threading.Event()

    def hold(_):
        begun.set()
        goes_on.wait(20)
        return "held"

    tool.add_tool("hold", "waits", hold)
    first = threading.Thread(target=tool.execute_sync, args=("hold",))
    first.start()
    assert begun.wait(20)
    tracing = sys.gettrace()

    def interrupt(frame, event, argument):
        if frame.f_code.co_name == "wait" and frame.f_code.co_filename == threading.__file__:
            raise KeyboardInterrupt

    sys.settrace(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            tool.execute_sync("echo never")
    finally:
        sys.settrace(tracing)
    goes_on.set()
    first.join(20)
    answers = []
    second = threading.Thread(target=lambda: answers.append(tool.execute_sync("echo then").stdout), daemon=True)
    second.start()
    second.join(20)
    assert answers == ["then\n"]


def test_one_script_at_a_time_still():
    bash = Bash(commands={})
    raised = []

    def again(stdout, stderr):
        with pytest.raises(BashkitError, match="running a script already") as error:
            bash.execute_sync("echo")
        raised.append(error)

    assert bash.execute_sync("echo a", on_output=again).stdout == "a\n"
    assert bash.execute_sync("echo b").stdout == "b\n"
    assert len(raised) == 1


def test_the_watchdog_may_sleep_after_an_interrupt():
    """Whether an interrupt came as an execution was set up, or as its end began: nothing is left to look at."""
    bash = Bash()
    for _ in _places(bash, "echo"):
        pass
    gc.collect()
    assert not watchdog._watched
