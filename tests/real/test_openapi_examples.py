"""The example documents that readme.com collects, from npm: each becomes tools, and what does not is a warning.

Not part of the whole suite, because it downloads them: ``python -m pytest tests/real``. Without npm it is skipped.
"""

import subprocess

import pytest

from bashkit.toolset import check

PACKAGE = "@readme/oas-examples@8.2.2"


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    try:
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, PACKAGE], check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install {PACKAGE}: {error}")
    found = sorted((folder / "node_modules/@readme/oas-examples").glob("*/json/**/*.json"))
    assert len(found) > 50
    return found


def test_each_is_checked_without_a_mistake_once_it_has_a_server(documents, tmp_path):
    path = tmp_path / "t.yaml"
    for document in documents:
        path.write_text(f"version: 1\nname: t\nsources:\n  - {{openapi: {document}, base_url: https://api.example.com}}\n")
        assert [problem for problem in check(path) if problem.severity == "error"] == []
