"""What is said where bashkit cannot run."""

import subprocess
import sys

import pytest

from bashkit.toolset.package_data import examples

SHOP = str(examples() / "shop.yaml")


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)


def test_windows_is_refused_in_one_sentence():
    done = run("import sys; sys.platform = 'win32'\nimport bashkit")
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last) == (
        1,
        "ImportError: bashkit needs a POSIX system: on Windows, run it in WSL or in a container",
    )


def test_a_missing_google_re2_is_said():
    done = run("import sys; sys.modules['re2'] = None\nfrom bashkit import Bash")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("bashkit.errors.MissingPartError: google-re2, which bashkit needs, cannot be imported here")


@pytest.mark.parametrize("arguments", [["run", "-c", "true"], ["test", SHOP]], ids=lambda words: words[0])
def test_the_command_line_says_what_is_missing_without_a_traceback(arguments):
    done = run(f"import sys; sys.modules['re2'] = None\nimport bashkit.cli\nbashkit.cli.main({arguments!r})")
    assert done.returncode == 2
    assert done.stderr.startswith("bashkit: google-re2, which bashkit needs, cannot be imported here")
    assert len(done.stderr.splitlines()) == 1
