"""The README is true: every command and program in it runs, and prints what it says.

``BASHKIT_UPDATE_README=1`` rewrites the outputs and tables instead of comparing them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bashkit.commands._catalog import table as utilities
from bashkit.tools.define.reserved import RELIED_ON

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UPDATE = os.environ.get("BASHKIT_UPDATE_README") == "1"


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(README.read_text(encoding="utf-8"))


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1] += line + "\n"
    return [(command, output) for command, output in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directory with the files the README shows, and the example toolsets."""
    place = tmp_path_factory.mktemp("readme")
    for language, text in blocks():
        if language in {"yaml", "python"} and text.startswith("# "):
            first, _, rest = text.partition("\n")
            if re.fullmatch(r"# [\w.]+", first):
                (place / first[2:]).write_text(rest, encoding="utf-8")
    shutil.copytree(ROOT / "toolsets", place / "toolsets")
    return place


def shell(command: str, folder: Path) -> str:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SHOP_CACHE": str(folder / "cache"),
        "CI": "",
    }
    done = subprocess.run(
        ["bash", "-c", command + " 2>&1"], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout


COMMANDS = [pair for language, text in blocks() if language == "console" for pair in sessions(text)]


@pytest.mark.needs("bash")
def test_the_commands_print_what_the_readme_says(folder):
    text = README.read_text(encoding="utf-8")
    for command, expected in COMMANDS:
        actual = shell(command, folder)
        if UPDATE:
            shown = "$ " + command.replace("\n", "\n> ") + "\n"
            text = text.replace(shown + expected, shown + actual)
        else:
            assert actual == expected, command
    if UPDATE:
        README.write_text(text, encoding="utf-8")


PROGRAMS = [
    (text, shown)
    for (language, text), (following, shown) in zip(blocks(), blocks()[1:], strict=False)
    if language == "python" and following == "text"
]


def test_the_python_programs_print_what_the_readme_says(folder):
    assert len(PROGRAMS) > 1
    readme = README.read_text(encoding="utf-8")
    for text, expected in PROGRAMS:
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run(
            [sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert not done.stderr
        if UPDATE:
            shown = f"```python\n{text}```\n\n```text\n"
            readme = readme.replace(shown + expected, shown + done.stdout)
        else:
            assert done.stdout == expected
    if UPDATE:
        README.write_text(readme, encoding="utf-8")


@pytest.mark.needs("bash")
def test_the_example_of_the_fixture_passes(folder):
    example = next(text for language, text in blocks() if language == "python" and text.startswith("def test_"))
    (folder / "test_example.py").write_text(example, encoding="utf-8")
    command = "python -m pytest -q -p bashkit.integrations.pytest_plugin -p no:cacheprovider test_example.py"
    assert "1 passed" in shell(command, folder)


def test_the_two_commands_are_what_ci_runs():
    first, second = (text for language, text in blocks() if language == "sh")
    script = first[first.index("bashkit run") :].replace("\n", "")
    assert "pip install" in first
    assert "low_stock" in script
    assert re.search(r"grep .*pytest.* README\.md", (ROOT / ".ci/run").read_text(encoding="utf-8"))
    assert "python -m pytest" in second


@pytest.mark.needs("bash")
def test_the_first_command_shows_real_output(folder):
    first = next(text for language, text in blocks() if language == "sh")
    command = first[first.index(".venv/bin/bashkit") :].strip().replace(".venv/bin/", "")
    assert len(shell(command, folder).splitlines()) == 3


def table() -> str:
    """The conformance table, from what the ratchet recorded."""
    recorded = json.loads((ROOT / "tests/spec/baseline.json").read_text(encoding="utf-8"))
    names = {
        "oils": "Oils spec tests", "oils-recorded": "Oils spec tests where bash differs", "spec": "spec cases of the Rust project",
        "comparison": "just-bash's comparisons", "llm": "scripts written by language models", "jq": "jq's own tests", "awk": "One True AWK's tests",
    }  # fmt: skip
    rows = ["| Suite | Cases | Same as GNU |", "|---|---|---|"]
    for suite, name in names.items():
        total, passed = recorded[suite]["total"], len(recorded[suite]["passed"])
        rows.append(f"| {name} | {total} | {100 * passed / total:.1f} % |")
    return "\n".join(rows) + "\n"


def test_the_table_of_utilities_is_what_they_declare():
    text = README.read_text(encoding="utf-8")
    made = utilities().strip() + "\n"
    if UPDATE:
        old = re.search(r"\| utility \|.*?\n(?=\n)", text, re.DOTALL)
        README.write_text(text.replace(old.group(), made), encoding="utf-8")
    else:
        assert made in text


def test_the_conformance_table_is_the_recorded_one():
    text = README.read_text(encoding="utf-8")
    if UPDATE:
        old = re.search(r"\| Suite \|.*?\n(?=\n)|@@TABLE@@\n", text, re.DOTALL)
        README.write_text(text.replace(old.group(), table()), encoding="utf-8")
    else:
        assert table() in text


def test_the_utilities_that_scripts_rely_on_are_listed():
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert "only with `override: true`: " + " ".join(f"`{name}`" for name in sorted(RELIED_ON)) + "." in text


def test_the_pictures_exist():
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README.read_text(encoding="utf-8")):
        assert (ROOT / path).is_file(), path
