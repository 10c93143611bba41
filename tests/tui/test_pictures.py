"""bashkit tui --screenshot: a picture of the inspector without a terminal."""

import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

from .conftest import GREENHOUSE


@pytest.fixture
def screenshot(tmp_path, monkeypatch):
    monkeypatch.chdir(GREENHOUSE.parent)

    def made(*options, name="out.svg"):
        result = CliRunner().invoke(cli, ["tui", "greenhouse.yaml", "--screenshot", str(tmp_path / name), *options])
        return result, tmp_path / name

    return made


def words(file):
    return " ".join(" ".join(ET.parse(file).getroot().itertext()).replace("\u00a0", " ").split())


@pytest.mark.thorough
def test_the_same_toolset_gives_the_same_picture(screenshot):
    first, second = screenshot(name="a.svg"), screenshot(name="b.svg")
    assert (first[0].exit_code, first[0].output) == (0, f"{first[1]}: written\n")
    assert first[1].read_bytes() == second[1].read_bytes()
    assert "Fetch a plant by ID" in words(first[1])


@pytest.mark.thorough
def test_tab_tool_size_and_theme_can_be_chosen(screenshot):
    small = screenshot("--tab", "prompt", "--size", "80x24", "--theme", "bashkit-light")[1].read_text(encoding="utf-8")
    assert "system-prompt.md" in small.replace("&#160;", " ")
    assert "#f4f5f8" in small.lower()
    assert "Water a plant" in words(screenshot("--tool", "water")[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tab", "tols"], "there is no tab 'tols'; there are tool, script, "),
        (["--tool", "x"], "there is no tool 'x': there are get_plant, list_plants, water, about"),
        (["--theme", "x"], "there is no theme 'x'; there are "),
        (["--size", "140"], "'140' is not a size: write columns and rows as in 140x40"),
        (["--size", "1x1"], "'1x1' is not a size"),
    ],
)
def test_what_there_is_not_is_said(screenshot, options, message):
    result, file = screenshot(*options)
    assert (result.exit_code, file.exists()) == (2, False)
    assert message in result.output


def test_options_of_a_picture_need_one():
    result = CliRunner().invoke(cli, ["tui", "--tab", "prompt"])
    assert (result.exit_code, "--tab needs --screenshot" in result.output) == (2, True)


def test_a_picture_is_not_called_something_else(tmp_path):
    result = CliRunner().invoke(cli, ["tui", str(GREENHOUSE), "--screenshot", str(tmp_path / "x.png")])
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "the picture is SVG: its name ends in .svg, unlike x.png" in result.output


def test_a_place_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    result = CliRunner().invoke(cli, ["tui", str(GREENHOUSE), "--screenshot", str(tmp_path / "no" / "x.svg")])
    assert result.exit_code != 0
    assert "cannot be written" in str(result.exception or result.output) + result.output
