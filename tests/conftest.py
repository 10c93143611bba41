"""What holds for all tests."""

import gc
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"bashkit-hypothesis-{os.getuid()}")  # nothing is written into the checkout
settings.register_profile(
    "same", derandomize=True, deadline=None
)  # every run tries the same: what is new is looked for in tests/fuzz
settings.load_profile("same")

sys.dont_write_bytecode = False  # whatever the environment says: the programs that tests start are compiled once, not each time
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
for name in (
    "CI",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "TERM",
    "BASHKIT_PROFILE",
):  # what is about one of them sets it itself
    os.environ.pop(name, None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job in the background, whose children would ignore it too
    signal.signal(signal.SIGINT, signal.default_int_handler)

OF_TOOLS = "/usr/local/bin:/usr/bin:/bin"  # where executable tools look for programs
PATH = f"{os.environ.get('PATH', '')}:{OF_TOOLS}"


def _missing(*programs, path=PATH):
    return [program for program in programs if shutil.which(program, path=path) is None]


def pytest_collection_modifyitems(items):
    """The example ``workspace`` asks executables in three languages what they are, whichever test loads it."""
    missing = _missing("sh", "bash", "env", "python3", path=OF_TOOLS)
    for item in items if missing else ():
        if "workspace" in item.nodeid or "workspace" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=f"not installed here: {', '.join(missing)}"))


def pytest_runtest_setup(item):
    """Skip what needs a program that is not installed."""
    for mark in item.iter_markers("needs"):
        if missing := _missing(*mark.args):
            pytest.skip(f"not installed here: {', '.join(missing)}")


def pytest_collection_finish():
    """Let the garbage collector leave the modules and the thousands of tests alone and come less often: it took a quarter of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


@pytest.fixture
def re2():
    """What only google-re2 does in time."""
    return pytest.importorskip("re2", reason="google-re2 is not installed: it has no wheel for Python 3.15 yet")


@pytest.fixture
def tree_sitter():
    """The colours of the inspector's editor."""
    return pytest.importorskip("tree_sitter_bash", reason="tree-sitter is not installed: it has no wheel for Python 3.15 yet")


@pytest.fixture
def hours_pass(monkeypatch):
    """A function that lets hours pass: every time limit that counts the monotonic clock is over then, and no test waits for one.

    Time stands still otherwise, so that no limit is over by itself on a busy machine, and what is left of one is known exactly.
    """
    now = float(int(time.monotonic()))  # whole seconds, so that a difference of times is exact, too

    def later():
        nonlocal now
        now += 5 * 3600.0

    monkeypatch.setattr(time, "monotonic", lambda: now)
    return later


@pytest.fixture(autouse=True, scope="session")
def descriptions_have_time():
    """An executable that describes itself has two seconds; on a busy machine it may need more, and no test is about that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bashkit.toolset.sources.executables.describing._PATIENCE", 60.0)
        yield
