"""The order of keys in toolset files."""

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from bashkit.cli import cli
from bashkit.errors import ToolsetError
from bashkit.toolset.schema.generation import toolset_schema
from bashkit.toolset.text import document
from bashkit.toolset.writing.ordering import ordered_text

MESSY = """\
# yaml-language-server: $schema=toolset.schema.json
tools:
  # the first tool
  - callback: {python: a.b} # runs
    # what it is called
    name: one

    description: >-
      Has # no comment
      in it.
  - {callback: {python: a.b}, name: braces}
  -   name: two
      callback:
        script: |
          # not a comment of YAML
          echo hi

          echo ho
      x-own: kept
      effects: read

# what it is
name: t # here
version: 1
include:
- other.yaml

env:
  B: 1
  A: 2
"""
NEAT = """\
# yaml-language-server: $schema=toolset.schema.json
version: 1
# what it is
name: t # here

env:
  B: 1
  A: 2
tools:
  # the first tool
    # what it is called
  - name: one
    description: >-
      Has # no comment
      in it.

    callback: {python: a.b} # runs
  - {callback: {python: a.b}, name: braces}
  -   name: two
      effects: read
      callback:
        script: |
          # not a comment of YAML
          echo hi

          echo ho
      x-own: kept
include:
- other.yaml
"""


def same(first, second):
    return document.read(first, "").value == document.read(second, "").value


def test_keys_go_in_the_order_of_the_schema_and_comments_with_them():
    made = ordered_text(MESSY, "t.yaml")
    assert same(made, MESSY)
    assert sorted(made.split("\n")) == sorted(
        MESSY.replace("  - callback: {python: a.b} # runs", "    callback: {python: a.b} # runs")
        .replace("    name: one", "  - name: one")
        .split("\n")
    )
    assert [line for line in made.split("\n") if line.strip()] == [line for line in NEAT.split("\n") if line.strip()]
    assert ordered_text(made, "t.yaml") == made


@pytest.mark.parametrize("name", ["shop.yaml", "workspace.yaml"])
def test_the_bundled_toolsets_are_in_order(name):
    result = CliRunner().invoke(cli, ["fmt", "--check", f"toolsets/{name}"])
    assert (result.output, result.exit_code) == ("", 0)


def test_an_anchor_that_would_come_after_its_alias_is_an_error():
    text = "version: 1\nname: t\nx-b: &schema {type: object}\ntools:\n  - {name: a, stub: 1, input_schema: *schema}\n"
    with pytest.raises(ToolsetError, match="would say something else"):
        ordered_text(text, "t.yaml")


def test_what_is_no_yaml_is_an_error():
    with pytest.raises(ToolsetError, match=r"t\.yaml:1:"):
        ordered_text("a: b: c\n", "t.yaml")


KEYS = st.permutations(list(toolset_schema()["$defs"]["tool"]["properties"])[:7])


@given(KEYS, st.lists(st.sampled_from(["", "    # note", "\n"]), min_size=7, max_size=7))
def test_any_order_becomes_the_same_one(keys, between):
    lines = []
    for key, extra in zip(keys, between, strict=True):
        lines += [extra.strip("\n")] if extra.strip("\n") and lines else [] if not extra or not lines else [""]
        lines.append(f"    {key}: '{key} # text'")
    text = "tools:\n" + "\n".join(lines).replace("    ", "  - ", 1) + "\nversion: 1\n"
    made = ordered_text(text, "t.yaml")
    assert same(made, text)
    assert made.startswith("version: 1\ntools:\n")
    assert [line.strip(" -").split(":")[0] for line in made.split("\n") if "# text" in line] == sorted(
        keys, key=list(toolset_schema()["$defs"]["tool"]["properties"]).index
    )


def test_the_command_line(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("name: t\r\nversion: 1\r\ntools: []\r\n", newline="")
    check = CliRunner().invoke(cli, ["fmt", "--check", str(path)])
    assert (check.output, check.exit_code) == (f"{path}: not in order\n", 1)
    diff = CliRunner().invoke(cli, ["fmt", "--diff", str(path)])
    assert diff.exit_code == 1 and "+version: 1" in diff.output
    written = CliRunner().invoke(cli, ["fmt", str(path)])
    assert (written.output, written.exit_code) == (f"{path}: put in order\n", 0)
    assert path.read_bytes() == b"version: 1\r\nname: t\r\ntools: []\r\n"
    assert CliRunner().invoke(cli, ["fmt", str(path)]).output == ""


@pytest.mark.parametrize(("name", "reason"), [("folder", "Is a directory"), ("odd.yaml", "it is not UTF-8")])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, reason):
    (tmp_path / "folder").mkdir()
    (tmp_path / "odd.yaml").write_bytes(b"\xff")
    result = CliRunner().invoke(cli, ["fmt", str(tmp_path / name)])
    assert (result.exit_code, result.stderr) == (2, f"bashkit: {tmp_path / name} cannot be read: {reason}\n")


def test_a_mark_of_the_byte_order_and_line_ends_stay(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: a\r\nversion: 1\r\ntools: []\r\n")
    assert CliRunner().invoke(cli, ["fmt", str(path)]).exit_code == 0
    assert path.read_bytes() == b"\xef\xbb\xbfversion: 1\r\nname: a\r\ntools: []\r\n"
