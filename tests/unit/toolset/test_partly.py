"""load_partly(): what is right in a file with mistakes."""

import pytest

from bashkit.toolset import load, load_partly


def partly(path, environ=None):
    found = load_partly(path, environ=environ or {})
    assert found.problems
    return found


@pytest.fixture
def write(tmp_path):
    def written(text, name="set.yaml"):
        path = tmp_path / name
        path.write_text("version: 1\nname: set\n" + text)
        return path

    return written


def test_settings_without_mistakes_are_kept(write):
    found = partly(
        write("description: d\nenv: {A: '${X}', B: 1}\nlimits: {timeout: 3s}\nsecrets: [S]\ntypo: 1\ntools: []\n"),
        {"X": "x", "S": "s"},
    )
    assert found.toolset.description == "d"
    assert found.toolset.env == {"A": "x", "B": "1"}
    assert found.toolset.secrets == {"S": "s"}
    assert found.toolset.limits.timeout == 3


def test_settings_with_mistakes_are_left_out(write):
    found = partly(write("env: {A: '${X}'}\nlimits: {max_commands: many}\ntools: [{name: a, stub: 1}]\n"))
    assert (found.toolset.env, found.toolset.limits) == ({}, None)
    assert [item.definition.name for item in found.toolset.declared] == ["a"]


def test_of_two_tools_with_one_name_the_first_is_kept(write):
    found = partly(write("tools: [{name: a, stub: 1}, {name: a, stub: 2}]\n"))
    assert [item.definition.name for item in found.toolset.declared] == ["a"]
    assert found.broken == ("a",)


def test_tools_of_included_files_are_kept(write):
    write("tools: [{name: inner, stub: 1}]\n", "inner.yaml")
    found = partly(write("include: [inner.yaml]\ntools: [{name: outer}]\n"))
    assert [item.definition.name for item in found.toolset.declared] == ["inner"]
    assert found.broken == ("outer",)


def test_everything_that_a_tool_declares_is_kept(write):
    good = """tools:
      - name: a
        description: d
        category: c
        tags: [t]
        effects: write
        input_schema: {type: object, properties: {x: {type: string}}}
        output_schema: {type: string}
        examples: [a --x 1, {command: a, output: "1"}]
        max_calls: 2
        timeout: 3s
        callback: {python: m.f}
"""
    whole = load(write(good)).declared[0]
    saved = partly(write(good + "      - {name: b}\n")).toolset.declared[0]
    assert saved.definition == whole.definition
    assert saved.callback.place == whole.callback.place


def test_executables_are_kept_as_load_makes_them(write):
    good = "tools:\n  - {name: a, callback: {executable: ./a.sh, arguments: stdin}, timeout: 4s}\n"
    whole = load(write(good)).declared[0]
    saved = partly(write(good + "  - {name: b}\n")).toolset.declared[0]
    assert saved.callback == whole.callback


def test_what_is_no_mapping_is_no_toolset(tmp_path):
    (tmp_path / "list.yaml").write_text("- 1\n")
    assert partly(tmp_path / "list.yaml").toolset is None
