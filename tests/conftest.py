"""What holds for all tests."""

import gc
import os
import tempfile
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"bashkit-hypothesis-{os.getuid()}")  # nothing is written into the checkout


def pytest_collection_finish():
    """Let the garbage collector leave the modules and the thousands of tests alone and come less often: it took a quarter of the time."""
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
