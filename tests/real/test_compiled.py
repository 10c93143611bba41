"""BASHKIT_COMPILE=1 makes a wheel whose parser is compiled, and that does what the sources do.

Not part of the whole suite, because it downloads mypy and takes a minute: ``python -m pytest tests/real``. Without a C compiler or
a package index it is skipped.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = "f() { local x=$(( $1 * 2 )); echo \"${x}\"; }; for i in {1..3}; do f $i; done | paste -sd+ | bc; cat <<< 'a b'"


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python in which the compiled wheel is installed beside this one's packages."""
    if not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("compiled")
    pip = [sys.executable, "-m", "pip"]
    build = [*pip, "wheel", "--no-deps", "-w", folder, ROOT]
    done = subprocess.run(build, env={**os.environ, "BASHKIT_COMPILE": "1"}, capture_output=True, text=True, check=False)
    if done.returncode and "mypy" in done.stderr and "No matching distribution" in done.stderr:
        pytest.skip("there is no package index with mypy")
    assert done.returncode == 0, done.stderr[-2000:]
    (wheel,) = folder.glob("*.whl")
    assert not wheel.name.endswith("none-any.whl")
    subprocess.run([*pip, "install", "-q", "--no-deps", "--target", folder / "site", wheel], check=True)

    def run(code):
        environ = {**os.environ, "PYTHONPATH": str(folder / "site")}
        return subprocess.run(
            [sys.executable, "-c", code], env=environ, cwd=folder, capture_output=True, text=True, check=True
        ).stdout

    return run


def test_the_parser_is_compiled(python):
    assert not python("import bashkit.syntax.parser as parser; print(parser.__file__)").strip().endswith(".py")


def test_it_does_the_same(python):
    code = f"from bashkit import Bash; result = Bash().execute_sync({SCRIPT!r}); print(result.stdout, result.stderr)"
    assert python(code) == "12\na b\n \n"
    code = "from bashkit import Bash; print(Bash().execute_sync('if true; then').stderr)"
    assert python(code) == "bash: -c: line 2: syntax error: unexpected end of file\n\n"
