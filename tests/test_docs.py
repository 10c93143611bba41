"""The documentation is true: its commands and programs run and print what it says, its links lead somewhere, its reference is whole."""

import importlib.util
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
import yaml

from bashkit.commands import command_names
from bashkit.evaluation.tasks import read_tasks
from bashkit.tools.define.reserved import RELIED_ON
from bashkit.toolset.schema.generation import toolset_schema

from .documents import ROOT, Document, shell

PAGES = ROOT / "docs/pages"
CHANGES = ROOT / "CHANGELOG.md"
DOCUMENTS = [Document(path) for path in sorted(PAGES.rglob("*.md"))]
by_name = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.path.relative_to(PAGES)))


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("bashkit_docs_reference", ROOT / "docs/reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path):
    """A directory with the files of the first tutorial, which other pages go on with."""
    Document(PAGES / "tutorial/first-toolset.md").make_folder(tmp_path)
    return tmp_path


@pytest.mark.thorough
@pytest.mark.needs("bash", "jq", "sh", "sed", "wc", "tr")
@by_name
def test_the_commands_of_a_page_print_what_it_says(document, folder):
    document.make_folder(folder)
    document.check_commands(folder)


@pytest.mark.thorough
@by_name
def test_the_programs_of_a_page_print_what_it_says(document, folder):
    document.make_folder(folder)
    document.check_programs(folder)


@by_name
def test_every_block_is_run_or_says_why_not(document):
    if document.path.name != "frameworks.md":  # its blocks are parts of the examples: tests/test_examples.py
        assert document.unproved() == []


def test_the_links_between_pages_lead_somewhere(reference):
    known = {str(document.path.relative_to(PAGES)) for document in DOCUMENTS} | reference.pages().keys()
    for document in DOCUMENTS:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", document.text):
            target = (document.path.parent / link).resolve()
            if "pictures/" in link:
                assert any((ROOT / "tests/tui/__snapshots__/test_screens").glob(f"{target.stem.partition('-')[0]}*.svg")), link
            else:
                assert target.is_file() or str(target.relative_to(PAGES)) in known, f"{document.path.name}: {link}"


def test_the_messages_on_their_page_are_those_of_the_program():
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "bashkit").rglob("*.py")))
    sources = re.sub(r'"\s*\n\s*f?"', "", sources)  # a text in several pieces
    page = (PAGES / "reference/messages.md").read_text(encoding="utf-8")
    messages = re.findall(r"^\| `([^`]+)`", page.partition("## What `check` warns of")[0], re.MULTILINE)
    assert len(messages) > 30
    for message in messages:
        if "MODULE has no member" not in message:  # that one is Monty's
            pieces = [piece.strip(" :…") for piece in re.split(r"\b[A-Z]+\b|\(\d\)", message)]
            assert max(pieces, key=len) in sources, message


def test_no_backslash_is_shown_before_a_bar(reference):
    pages = {str(document.path): document.text for document in DOCUMENTS} | reference.pages()
    for name, text in pages.items():
        cells = [line for line in text.splitlines() if line.startswith("| ")]
        assert not [cell for cell in cells if re.search(r"`[^`|]*\\\|[^`]*`", cell)], name


def test_every_page_is_in_the_navigation(reference):
    text = (ROOT / "docs/mkdocs.yml").read_text(encoding="utf-8")
    for page in [*(str(document.path.relative_to(PAGES)) for document in DOCUMENTS), *reference.pages()]:
        assert re.search(rf"(- |: ){re.escape(page)}$", text, re.MULTILINE), page


def test_the_reference_has_every_key_utility_and_command(reference):
    pages = reference.pages()
    for key in toolset_schema()["properties"]:
        assert f"### `{key}`" in pages["reference/toolset-file.md"]
    for key in toolset_schema()["$defs"]["tool"]["properties"]:
        assert f"### `{key}` {{#tool-{key.replace('_', '-')}}}" in pages["reference/toolset-file.md"]
    for name in command_names():
        assert f"\n## {name} " in pages["reference/utilities.md"]
    assert "## bashkit batch run\n" in pages["reference/command-line.md"]


def test_every_key_has_its_version_once(reference):
    recorded = yaml.safe_load((ROOT / "docs/since.yaml").read_text(encoding="utf-8"))
    listed = [key for keys in recorded.values() for key in keys]
    shown = re.findall(r"; since (\S+)\.$", reference.toolset_file(), re.MULTILINE)
    assert len(listed) == len(set(listed)) == len(shown)
    assert set(shown) == recorded.keys() <= set(re.findall(r"^## ([\d.]+) ", CHANGES.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.thorough
@pytest.mark.skipif(find_spec("material") is None, reason="needs the extra docs")
def test_the_site_is_built_without_a_warning(tmp_path):
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-q",
        "-f",
        str(ROOT / "docs/mkdocs.yml"),
        "-d",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reference/toolset-file/index.html").is_file()


def test_the_utilities_that_scripts_rely_on_are_listed():
    text = " ".join(Document(PAGES / "tutorial/first-toolset.md").text.split())
    assert "only with `override: true`: " + " ".join(f"`{name}`" for name in sorted(RELIED_ON)) + "." in text


@pytest.mark.thorough
@pytest.mark.needs("bash")
def test_the_example_of_the_fixture_passes(folder):
    page = Document(PAGES / "tutorial/tests-and-snapshots.md")
    example = next(text for language, text in page.blocks() if language == "python" and text.startswith("def test_"))
    (folder / "test_example.py").write_text(example, encoding="utf-8")
    command = "python -m pytest -q -p bashkit.integrations.pytest_plugin -p no:cacheprovider test_example.py"
    assert "1 passed" in shell(command, folder)


def test_the_tasks_of_the_page_about_them_are_read(tmp_path):
    Document(PAGES / "how-to/measure-a-model.md").make_folder(tmp_path)
    assert [task.name for task in read_tasks(tmp_path / "tasks.yaml")] == ["first gold customer"]
