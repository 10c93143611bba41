"""The pytest plugin: every toolset file is a set of tests, with the snapshots of ``bashkit snapshot``.

With the extra ``test`` pytest finds the plugin itself. It does nothing until the configuration names toolset files::

    [tool.pytest.ini_options]
    bashkit_toolsets = ["toolsets/*.yaml"]        # or: pytest --bashkit, for *.toolset.yaml and toolsets/*.yaml

Then there is a test for every document or snapshot, and one for every entry of ``tests``. ``--snapshot-update`` (syrupy's
option) accepts differences and removes orphans; if the variable CI is set, nothing is written.

There are two fixtures for your own tests. ``toolset`` opens a file and runs scripts::

    def test_the_name_is_printed(toolset):
        shop = toolset("toolsets/shop.yaml").stub("get_user", {"id": 1, "name": "Ada"})
        assert shop.run("get_user --id 1 | jq -r .name").stdout == "Ada\\n"
        assert [(call.tool, call.arguments) for call in shop.calls] == [("get_user", {"id": 1})]

``prompt_snapshot`` compares any text with one that is kept beside a toolset::

    def test_the_prompt_of_a_tenant(prompt_snapshot):
        assert prompt_for("acme") == prompt_snapshot("toolsets/shop.yaml")(name="system-prompt.md")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bashkit.integrations.pytest_fixture import ToolsetUnderTest

_NAMED = pytest.StashKey["frozenset[Path]"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare ``--bashkit`` and ``bashkit_toolsets``."""
    group = parser.getgroup("bashkit")
    group.addoption("--bashkit", action="store_true", help="Collect toolsets: *.toolset.yaml and toolsets/*.yaml.")
    parser.addini(
        "bashkit_toolsets", "Toolset files to collect: patterns, relative to the root directory.", type="args", default=[]
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect toolset files, if the configuration asks for it."""
    if file_path.suffix not in {".yaml", ".yml"} or not _is_wanted(file_path, parent.config):
        return None
    from bashkit.integrations.pytest_items import ToolsetFile

    return ToolsetFile.from_parent(parent, path=file_path)


def _is_wanted(path: Path, config: pytest.Config) -> bool:
    if config.getoption("bashkit"):
        from bashkit.toolset.project_files import is_toolset_file

        if is_toolset_file(path):
            return True
    return path in _named_files(config)


def _named_files(config: pytest.Config) -> frozenset[Path]:
    """The files that ``bashkit_toolsets`` names, as a glob reads it: ``*`` stays in its folder, ``**`` goes down."""
    if _NAMED not in config.stash:
        patterns = config.getini("bashkit_toolsets")
        config.stash[_NAMED] = frozenset(path for pattern in patterns for path in config.rootpath.glob(pattern))
    return config.stash[_NAMED]


@pytest.fixture
def toolset(request: pytest.FixtureRequest) -> Callable[[str | Path], ToolsetUnderTest]:
    """``toolset("shop.yaml")`` opens a toolset file, found beside the test or in the root directory."""
    from bashkit.integrations.pytest_fixture import ToolsetUnderTest

    return lambda path: ToolsetUnderTest(_found(path, request))


@pytest.fixture
def prompt_snapshot(request: pytest.FixtureRequest) -> Callable[[str | Path], Any]:
    """``prompt_snapshot("shop.yaml")`` is a syrupy snapshot of a toolset file's store: index it by a document's file name."""
    from bashkit.integrations.syrupy_store import assertion

    return lambda path: assertion(request.getfixturevalue("snapshot"), _found(path, request))


def _found(path: str | Path, request: pytest.FixtureRequest) -> Path:
    beside = request.path.parent / path
    below = request.config.rootpath / path
    return below if not beside.exists() and below.exists() else beside
