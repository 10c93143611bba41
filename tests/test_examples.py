"""The small examples: their files have no mistake, and their READMEs show what they print. ``BASHKIT_UPDATE_README=1`` updates them."""

import re
import shutil
from importlib.util import find_spec

import pytest

from .documents import ROOT, Document, shell

EXAMPLES = ROOT / "toolsets/examples"
NEEDS = {  # what must be installed
    "mcp": "mcp",
    "http": "httpx",
    "langchain": "langchain_core",
    "pydantic_ai": "pydantic_ai",
    "openai_agents": "agents",
    "google_adk": "google.adk",
    "smolagents": "smolagents",
    "dspy": "dspy",
    "claude_agent_sdk": "claude_agent_sdk",
    "llm": "llm",
}
NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())


def _is_installed(module):
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package that it would be in
        return False


by_name = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.skipif(not _is_installed(needed), reason=f"needs {needed}"), pytest.mark.thorough])
        if (needed := NEEDS.get(name))
        else name
        for name in NAMES
    ],
)


@pytest.mark.needs("bash", "sed", "wc", "tr")
@by_name
def test_an_example_prints_what_its_readme_says(name, tmp_path):
    copy = tmp_path / "examples"
    shutil.copytree(EXAMPLES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    Document(EXAMPLES / name / "README.md").check_commands(copy / name)


@pytest.mark.thorough
@pytest.mark.needs("sh")
@by_name
def test_the_file_of_an_example_has_no_mistake(name, tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted((tmp_path / "examples" / name).glob("*.yaml")):
        assert shell(f"bashkit check {path.name}", path.parent) == "no problems\n"


def test_every_example_has_a_short_readme_and_links_both_ways():
    first, start = ((ROOT / "docs/pages" / page).read_text(encoding="utf-8") for page in ("index.md", "how-to/sources.md"))
    for name in NAMES:
        readme = EXAMPLES / name / "README.md"
        text = readme.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 12
        assert f"`toolsets/examples/{name}`" in start
        assert f"`toolsets/examples/{name}`" in first
        (link,) = re.findall(r"\]\((\.\./[^)]+)\)", text)
        page = (readme.parent / link).resolve()
        assert f"`toolsets/examples/{name}`" in page.read_text(encoding="utf-8"), page


def test_what_the_page_of_frameworks_shows_is_in_their_examples():
    sections = (ROOT / "docs/pages/how-to/frameworks.md").read_text(encoding="utf-8").split("\n## ")[1:]
    shown = 0
    for section in sections:
        found = re.search(r"```python\n(.*?)```.*`toolsets/examples/(\w+)`", section, re.DOTALL)
        if found is None or "```text" in section:
            continue
        lines = (EXAMPLES / found[2] / "agent.py").read_text(encoding="utf-8").splitlines()
        assert set(found[1].splitlines()) <= set(lines), found[2]
        shown += 1
    assert shown == len(list(EXAMPLES.glob("*/agent.py")))
