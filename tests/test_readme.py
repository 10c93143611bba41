"""The README is true: every command in it runs, and prints what it says. ``BASHKIT_UPDATE_README=1`` writes what it should say."""

import importlib.util
import re

import pytest

from .documents import ROOT, UPDATE, Document, shell

README = Document(ROOT / "README.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directory with the files the README shows, and the example toolsets."""
    place = tmp_path_factory.mktemp("readme")
    README.make_folder(place)
    return place


def script(name):
    spec = importlib.util.spec_from_file_location(f"bashkit_docs_{name}", ROOT / f"docs/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.needs("bash")
def test_the_commands_print_what_the_readme_says(folder):
    README.check_commands(folder)


def test_it_is_short():
    assert len(README.text.splitlines()) <= 150


def test_the_two_commands_are_what_ci_runs():
    first, second = (text for language, text in README.blocks() if language == "sh")
    assert "pip install" in first
    assert "low_stock" in first
    assert re.search(r"grep .*pytest.* README\.md", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert "python -m pytest" in second


@pytest.mark.needs("bash")
def test_the_first_command_shows_real_output(folder):
    first = next(text for language, text in README.blocks() if language == "sh")
    command = first[first.index(".venv/bin/bashkit") :].strip().replace(".venv/bin/", "")
    assert len(shell(command, folder).splitlines()) == 3


def test_the_conformance_table_is_the_recorded_one():
    made = script("reference").conformance()
    if UPDATE:
        old = re.search(r"\| Suite \|.*?\n(?=\n)", README.text, re.DOTALL)
        README.path.write_text(README.text.replace(old.group(), made), encoding="utf-8")
    else:
        assert made in README.text


def test_the_chart_is_that_of_the_recorded_benchmarks():
    chart = script("chart")
    if UPDATE:
        chart.CHART.write_text(chart.svg(), encoding="utf-8")
    else:
        assert chart.CHART.read_text(encoding="utf-8") == chart.svg()


def test_its_links_and_pictures_exist():
    for path in re.findall(r"\]\((?!https?:)([^)#]+)\)", README.text):
        assert (ROOT / path).is_file(), path
