import subprocess
import sys
import threading
import time

import pytest

from bashkit.errors import CallbackNotFoundError, ToolsetError
from bashkit.limits import ExecutionLimits
from bashkit.tools import ToolArgs
from bashkit.toolset import check, load
from bashkit.toolset.package_data import examples

FILE = """\
version: 1
name: api
description: Users
env: {API_URL: "${API_URL:-http://localhost}", RETRIES: 3, DEBUG: false}
secrets: [API_KEY, UNSET_KEY]
limits: {timeout: 30s, max_commands: 500}
prompt: {max_chars: 600, context: [soul.md, "context/*.md"]}
tools:
  - name: get_user
    description: Fetch user by ID
    category: users
    tags: [read]
    effects: read
    input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}
    output_schema: {type: object, properties: {id: {type: integer}}}
    examples: ["get_user --id 1", {command: get_user --id 2, output: {id: 2}}]
    callback: {python: MODULE.get_user}
    timeout: 500ms
    stub: {id: 1, name: Ada}
  - name: raw_text
    stub: hello
"""


@pytest.fixture
def api(folder, request):
    """The file above with a module of its own name: what is imported stays imported for the whole test run."""
    module = "mod_" + "".join(letter if letter.isalnum() else "_" for letter in request.node.name)
    folder.write("soul.md", "I am.\n")
    folder.write("context/02.md", "Two.\n")
    folder.write("context/01.md", "One.\n")
    folder.write("context/notes.txt", "Ignored.\n")
    folder.write(f"{module}.py", "def get_user(args):\n    return {'id': args['id'], 'url': args.env['API_URL']}\nVALUE = 1\n")
    return folder.write("api.yaml", FILE.replace("MODULE", module))


def test_y01_a_file_becomes_a_tool(api):
    toolset = load(api, environ={"API_KEY": "k"})
    assert (toolset.name, toolset.description, toolset.path) == ("api", "Users", api)
    assert dict(toolset.env) == {"API_URL": "http://localhost", "RETRIES": "3", "DEBUG": "false"}
    assert dict(toolset.secrets) == {"API_KEY": "k"}
    assert toolset.limits == ExecutionLimits(timeout=30.0, max_commands=500)
    user, text = toolset.tools
    assert (user.name, user.category, user.tags, user.effects, user.timeout) == ("get_user", "users", ("read",), "read", 0.5)
    assert [example.output for example in user.examples] == [None, {"id": 2}]
    assert toolset.tool.name == "api"
    assert toolset.position("get_user") == (str(api), 9, 5)
    assert text.name == "raw_text"


def test_x09_context_follows_alphabetically(api):
    assert load(api, environ={}).tool.system_prompt().endswith("\n---\n\nI am.\n\n---\n\nOne.\n\n---\n\nTwo.\n")


def test_y03_loading_imports_nothing_and_leaves_sys_path_alone(api):
    before, modules = list(sys.path), set(sys.modules)
    toolset = load(api, environ={})
    assert not [name for name in set(sys.modules) - modules if name.startswith("mod_")]
    target = toolset.declared[0].callback
    assert target(ToolArgs({"id": 7}, env=toolset.env)) == {"id": 7, "url": "http://localhost"}
    assert sys.path == before


@pytest.mark.parametrize(
    ("dotted", "message"),
    [
        ("no_such_module.f", "there is no module no_such_module"),
        ("MODULE.get_usr", "the module MODULE has no function get_usr (did you mean MODULE.get_user?)"),
        ("MODULE.VALUE", "MODULE.VALUE is an int, not a function"),
        ("MODULE.sub.f", "the module MODULE has no class or object sub"),
    ],
)
def test_y03_a_target_that_is_not_there_has_a_position(folder, dotted, message, request):
    module = f"found_{abs(hash(request.node.name))}"
    folder.write(f"{module}.py", "def get_user(args):\n    return 1\nVALUE = 1\n")
    dotted, message = dotted.replace("MODULE", module), message.replace("MODULE", module)
    text = f"version: 1\nname: t\ntools:\n  - name: get\n    callback: {{python: {dotted}}}\n"
    assert folder.problems(text, resolve=True)[0].startswith(f"5:24: {message}")
    toolset = load(folder.path / "t.yaml", environ={})
    with pytest.raises(CallbackNotFoundError, match=r"t\.yaml:5:24: "):
        toolset.declared[0].callback(ToolArgs())


def test_y03_a_module_that_fails_to_import_says_why(folder):
    folder.write("broken_module_y03.py", "1 / 0\n")
    text = "version: 1\nname: t\ntools:\n  - name: get\n    callback: {python: broken_module_y03.f}\n"
    assert folder.problems(text, resolve=True) == [
        "5:24: broken_module_y03 cannot be imported: broken_module_y03.py:1: ZeroDivisionError: division by zero"
    ]


def test_two_toolsets_with_modules_of_one_name_are_kept_apart(folder):
    text = "version: 1\nname: t\ntools:\n  - name: get\n    callback: {python: twin_module.f}\n"
    for name in ("a", "b"):
        folder.write(f"{name}/twin_module.py", f"def f(args):\n    return '{name}'\n")
        folder.write(f"{name}/t.yaml", text)
    assert load(folder.path / "a/t.yaml").declared[0].callback(ToolArgs()) == "a"
    with pytest.raises(CallbackNotFoundError, match="another module twin_module is loaded already"):
        load(folder.path / "b/t.yaml").declared[0].callback(ToolArgs())


def test_x08_a_stub_stands_in_when_asked_for_or_when_there_is_no_callback(api):
    stubbed = load(api, environ={"BASHKIT_STUBS": "1"})
    assert stubbed.declared[0].callback(ToolArgs()).stdout == '{"id":1,"name":"Ada"}\n'
    assert load(api, environ={}).declared[1].callback(ToolArgs()).stdout == "hello\n"


@pytest.mark.needs("sh")
def test_x08_the_switch_of_executables_reaches_them_and_replaces_nothing(folder):
    folder.write("told.sh", "#!/bin/sh\necho [$SHELLCLAW_STUB]", executable=True)
    text = "version: 1\nname: t\ntools:\n  - {name: told, callback: {executable: ./told.sh}}\n"
    text += "  - {name: said, callback: {executable: ./told.sh}, stub: stub}\n"
    path = folder.write("t.yaml", text)
    for variable, printed in (("SHELLCLAW_STUB", "[1]\n[1]\n"), ("BASHKIT_STUBS", "[1]\nstub\n"), ("OTHER", "[]\n[]\n")):
        assert load(path, environ={variable: "1"}).tool.execute_sync("told; said").stdout == printed


def test_a_prompt_that_is_too_long_is_reported_by_check(api):
    api.write_text(api.read_text(encoding="utf-8").replace("max_chars: 600", "max_chars: 60"))
    problems = check(api, environ={})
    assert [problem.line for problem in problems] == [7]
    assert "more than the maximum of 60" in problems[0].message
    assert check(api, resolve=False, environ={}) == []


def test_include_adds_tools_and_env(folder):
    folder.write("parts/more.yaml", "version: 1\nname: more\nenv: {A: theirs, B: theirs}\ntools:\n  - {name: more, stub: 1}\n")
    main = folder.write(
        "t.yaml", "version: 1\nname: t\nenv: {A: ours}\ninclude: [parts/more.yaml]\ntools:\n  - {name: first, stub: 1}\n"
    )
    toolset = load(main, environ={})
    assert [tool.name for tool in toolset.tools] == ["first", "more"]
    assert dict(toolset.env) == {"A": "ours", "B": "theirs"}
    assert toolset.position("more") == (str(folder.path / "parts/more.yaml"), 5, 5)


def test_load_raises_all_problems(folder):
    with pytest.raises(ToolsetError) as caught:
        load(folder.write("t.yaml", "version: 3\nnmae: t\n"))
    assert len(caught.value.problems) == 3


def test_the_path_of_a_bom_file(folder):
    assert load(folder.write("t.yaml", "\ufeffversion: 1\nname: t\n")).name == "t"


def test_reading_a_right_file_imports_nothing_that_takes_long():
    heavy = {
        "textual",
        "pytest",
        "httpx",
        "mcp",
        "asyncio",
        "re2",
        "importlib.metadata",
        "concurrent.futures",
    }
    code = f"import sys, bashkit.toolset; assert bashkit.toolset.check({str(examples() / 'shop.yaml')!r}, False) == []; print(sorted({heavy!r} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout == "[]\n"


def test_several_threads_that_are_the_first_to_ask_get_one_tool(folder, monkeypatch):
    toolset = load(folder.write("t.yaml", "version: 1\nname: t\ntools: [{name: get, stub: 1}]\n"), environ={})
    begin, found = threading.Barrier(6), []
    make = type(toolset).make_tool
    monkeypatch.setattr(type(toolset), "make_tool", lambda self: (time.sleep(0.01), make(self))[1])  # others get their turn

    def ask():
        begin.wait()
        found.append(toolset.tool)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {id(tool) for tool in found} == {id(toolset.tool)}
