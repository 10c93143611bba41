"""The wheel holds what the tree holds, in the places the program looks."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def tracked(folder: str) -> set[str]:
    """Files below a folder of the tree that belong to the package."""
    return {
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not any(part in {"__pycache__", ".pytest_cache"} or part.endswith((".pyc", ".so")) for part in path.parts)
    }


def test_every_module_is_in_the_wheel(wheel_names):
    expected = tracked("bashkit") | {name.removeprefix("tui/") for name in tracked("tui")}
    assert expected <= wheel_names


def test_schema_and_examples_are_in_the_wheel(wheel_names):
    expected = {"bashkit/schemas/" + name.removeprefix("schemas/") for name in tracked("schemas")}
    expected |= {"bashkit/examples/" + name.removeprefix("toolsets/") for name in tracked("toolsets")}
    assert expected <= wheel_names


def test_nothing_else_is_in_the_wheel(wheel_names):
    roots = {name.split("/")[0] for name in wheel_names}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"bashkit", "bashkit_tui"}
    assert not any("tests/" in name for name in wheel_names)
