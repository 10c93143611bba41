"""What bashkit uses of syrupy beyond its documented fixture. A failure here means: read syrupy's changes, then ``syrupy_store.py``."""

import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.base import SnapshotCollectionStorage
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bashkit.integrations.syrupy_store import extension
from bashkit.prompts import SnapshotStore

ROOT = Path(__file__).parents[3]


def parameters(function):
    return list(inspect.signature(function).parameters)


def test_the_version_is_the_one_this_was_written_for():
    assert version("syrupy").split(".")[0] == "7"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]["test"]
    assert "syrupy>=7,<8" in extras


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dirname", ["test_location"]),
        ("get_snapshot_name", ["test_location", "index"]),
        ("get_location", ["test_location", "index"]),
        ("write_snapshot_collection", ["snapshot_collection", "name_order"]),
        ("discover_snapshots", ["self", "test_location", "ignore_extensions"]),
    ],
)
def test_what_is_overridden_is_still_there_and_takes_the_same(name, expected):
    assert parameters(getattr(SingleFileSnapshotExtension, name)) == expected
    ours = parameters(getattr(extension(SnapshotStore(Path("x"))), name))
    assert ours == expected


def test_private_names_that_are_set():
    assert SingleFileSnapshotExtension._write_mode is WriteMode.BINARY
    assert WriteMode.TEXT.value == "t"
    assert SingleFileSnapshotExtension.file_extension == "raw"


def test_what_is_called_and_read():
    assert parameters(SnapshotAssertion.use_extension)[:2] == ["self", "extension_class"]
    assert parameters(SnapshotCollectionStorage.discover_snapshots) == ["self", "test_location", "ignore_extensions"]
    assert list(SnapshotCollections()) == []


def test_the_option_that_is_honoured(pytestconfig):
    assert pytestconfig.getoption("update_snapshots") in {True, False}


def test_one_file_knows_syrupy():
    users = [
        path
        for path in (ROOT / "bashkit").rglob("*.py")
        if "syrupy." in path.read_text(encoding="utf-8") and "import" in path.read_text(encoding="utf-8")
    ]
    importing = [
        path.name
        for path in users
        if any(
            line.lstrip().startswith(("from syrupy", "import syrupy")) for line in path.read_text(encoding="utf-8").splitlines()
        )
    ]
    assert importing == ["syrupy_store.py"]
