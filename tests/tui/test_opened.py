"""Opening toolsets without a screen: what is left of broken files, where callbacks are, code that changes."""

import ast
import sys
import threading
import types

import pytest

from bashkit.toolset.callbacks._python_source import find_function
from bashkit_tui.toolsets.reader import forget_modules

from .conftest import open_toolset

pytestmark = pytest.mark.thorough


@pytest.fixture
def write(tmp_path):
    def written(text, name="set.yaml"):
        path = tmp_path / name
        path.write_text("version: 1\nname: set\n" + text)
        return path

    return written


def test_a_source_that_is_missing_leaves_the_declared_tools(write):
    opened = open_toolset(write("sources: [{executables: ./nowhere}]\ntools: [{name: a, stub: 1}]\n"))
    assert [item.definition.name for item in opened.tools] == ["a"]
    assert "the directory cannot be read" in opened.problems[0].message
    assert "`a`" in opened.prompts.documents[0].text


@pytest.mark.needs("sh")
def test_a_directory_of_executables_is_a_toolset(tmp_path):
    tool = tmp_path / "shout"
    tool.write_text(
        '#!/bin/sh\n[ "$1" = --describe ] && echo \'{"name": "shout", "description": "Loud", "parameters": {}}\' || echo HEY\n'
    )
    tool.chmod(0o755)
    opened = open_toolset(tmp_path)
    assert ([item.definition.name for item in opened.tools], opened.problems, opened.prompts.store) == (["shout"], (), None)


def test_a_prompt_that_is_too_long_is_a_problem(write):
    opened = open_toolset(write("prompt: {max_chars: 20}\ntools: [{name: a, stub: 1}]\n"))
    assert "the shortest system prompt has 95 characters" in opened.problems[0].message


@pytest.mark.parametrize(
    ("dotted", "line"),
    [("one.f", 3), ("pack.inner.g", 1), ("one.value", 6), ("one.missing", None), ("json.dumps", None), ("broken.f", None)],
)
def test_functions_are_found_without_importing_anything(tmp_path, dotted, line):
    (tmp_path / "one.py").write_text("raise SystemExit\n\ndef f(args):\n    pass\n\nvalue = f\n")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("raise SystemExit\n")
    (tmp_path / "pack" / "inner.py").write_text("async def g(args):\n    pass\n")
    (tmp_path / "broken.py").write_text("def f(:\n")
    found = find_function(dotted, tmp_path)
    assert (found[1] if found else None) == line


def test_a_module_is_parsed_once_for_all_of_its_functions_and_again_when_it_has_changed(tmp_path, monkeypatch):
    parsed, parse = [], ast.parse
    monkeypatch.setattr(ast, "parse", lambda source: parsed.append(source) or parse(source))
    code = tmp_path / "many.py"
    code.write_text("def f(args): ...\ndef g(args): ...\ndef f(args): ...\n")
    assert [find_function(f"many.{name}", tmp_path) for name in "fgfh"] == [(code, 1), (code, 2), (code, 1), None]
    code.write_text("\ndef g(args): ...\n")
    assert [find_function(f"many.{name}", tmp_path) for name in "fg"] == [None, (code, 2)]
    assert len(parsed) == 2


def test_changed_python_code_takes_effect_when_the_toolset_is_opened_again(write, tmp_path):
    code = tmp_path / "callbacks_that_change.py"
    code.write_text("def f(args):\n    return 'before'\n")
    path = write("tools: [{name: f, callback: {python: callbacks_that_change.f}}]\n")
    first = open_toolset(path)
    assert first.toolset.tool.execute_sync("f").stdout == "before"
    code.write_text("def f(args):\n    return 'afterwards'\n")
    assert code in first.files
    assert open_toolset(path).toolset.tool.execute_sync("f").stdout == "afterwards"


def test_modules_are_forgotten_while_another_thread_imports(write, tmp_path):
    (tmp_path / "forgotten_often.py").write_text("def f(args):\n    return 'f'\n")
    toolset = open_toolset(write("tools: [{name: f, callback: {python: forgotten_often.f}}]\n")).toolset
    ended = threading.Event()

    def importing():
        while not ended.is_set():
            for number in range(200):
                sys.modules[f"imported_meanwhile_{number}"] = types.ModuleType("imported_meanwhile")
            for number in range(200):
                del sys.modules[f"imported_meanwhile_{number}"]

    thread, interval = threading.Thread(target=importing), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        for _ in range(300):
            forget_modules(toolset)
    finally:
        ended.set()
        thread.join()
        sys.setswitchinterval(interval)


def test_the_context_modules_of_a_directory_are_watched(write, tmp_path):
    agent = tmp_path / "agent"
    (agent / "context").mkdir(parents=True)
    (agent / "soul.md").write_text("I am here.")
    (agent / "context" / "a.md").write_text("A")
    opened = open_toolset(write("prompt: {context: agent}\ntools: [{name: a, stub: 1}]\n"))
    assert {agent / "soul.md", agent / "context", agent / "context" / "a.md"} <= set(opened.files)
