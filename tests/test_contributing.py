"""CONTRIBUTING.md names only what there is."""

import re
from pathlib import Path

from bashkit.toolset.linting import lint
from bashkit.toolset.text.document import read

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_link_and_every_folder_is_there():
    links = [link for link in re.findall(r"\]\(([^)]+)\)", TEXT) if "://" not in link]
    folders = re.findall(r"`((?:tests|bashkit|tui)/[\w/.]+)`", TEXT)
    assert len(links) > 10
    named = [name for name in (*links, *folders) if "NAME" not in name]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_what_it_names_inside_of_files_is_there():
    assert hasattr(lint, "_about_secrets")
    assert "COMMANDS" in (ROOT / "bashkit" / "cli" / "__init__.py").read_text(encoding="utf-8")


def test_the_test_command_is_that_of_the_readme():
    assert "python -m pytest -n 2" in TEXT
    assert "python -m pytest -n 2" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_workflow_of_ci_has_each_job_once_and_runs_the_tests_on_macos():
    path = ROOT / ".github" / "workflows" / "ci.yml"
    workflow = read(path.read_text(encoding="utf-8"), "ci.yml")
    assert workflow.problems == []  # a key that is there twice is one
    assert "macos-latest" in workflow.value["jobs"]["tests"]["strategy"]["matrix"]["os"]
