"""Threads for what takes long."""

import subprocess
import sys

EXITS = """
import time
from bashkit.interp.runtime.workers import run_to_the_end

run_to_the_end(lambda: (time.sleep(0.3), print("to the end", flush=True)))
"""


def test_the_process_waits_for_a_search_that_cannot_be_interrupted():
    ended = subprocess.run([sys.executable, "-c", EXITS], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "to the end\n", "")
