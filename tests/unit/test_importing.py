"""Threads may be the first to use bashkit, all at once."""

import subprocess
import sys

import pytest

PROGRAM = """
import random, sys, threading, time
sys.setswitchinterval(1e-5)
import bashkit

chance = random.Random(int(sys.argv[1]))
together = threading.Barrier(6)
failed = []

def use(name, later):
    together.wait()
    time.sleep(later)
    try:
        getattr(bashkit, name)
    except BaseException as error:
        failed.append((name, repr(error)))

names = chance.sample(bashkit.__all__, 6)
threads = [threading.Thread(target=use, args=(name, chance.random() / 20)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(failed)
"""


@pytest.mark.parametrize("seed", range(2))  # where nothing orders the imports, more than half of all seeds fail
def test_public_names_are_imported_by_threads(seed):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(seed)], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("package", ["bashkit", "bashkit.toolset"])
def test_completion_offers_what_is_not_imported_yet(package):
    program = f"import {package} as package\nprint(set(package.__all__) <= set(dir(package)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout == "True\n"
