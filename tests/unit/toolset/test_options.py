"""What a toolset file says about prompts, outputs, files, sessions, policies and single calls reaches the tool."""

import pytest

from bashkit.fs import HostDirectory, Overlay
from bashkit.tools import Policy, Retry
from bashkit.toolset import load

HEAD = "version: 1\nname: t\n"
TOOLS = "tools:\n  - {name: get, stub: {id: 1}}\n  - {name: drop, stub: gone, effects: destructive}\n"


@pytest.fixture
def made(folder):
    def make(text, tools=TOOLS):
        return load(folder.write("t.yaml", HEAD + text + tools), environ={}).tool

    return make


def test_s13_prompt_mode_and_budget(made):
    assert made("prompt: {mode: compact}\n").prompt_mode == "compact"
    assert made("prompt: {max_chars: 400}\n").prompt_mode == "full"
    assert made("prompt: {max_chars: 200}\n").prompt_mode == "discovery"
    assert made("prompt: {max_tokens: 50}\n").prompt_mode == "discovery"
    assert [tool.name for tool in made("prompt: {mode: discovery}\n").tools()] == ["t", "t_discover"]


def test_t10_output_limit(made):
    assert "characters left out" in made("output: {max_chars: 500}\n").execute_sync("seq 1000").stdout


def test_s12_output_validation(made):
    tools = "tools:\n  - {name: get, stub: {id: x}, output_schema: {properties: {id: {type: integer}}}}\n"
    assert made("", tools).execute_sync("get").stderr == ""
    assert "warning: the output does not match" in made("output: {validate: warn}\n", tools).execute_sync("get").stderr
    own = tools.replace("stub: {id: x}", "stub: {id: x}, validate_output: error")
    assert made("", own).execute_sync("get").exit_code == 1


def test_s10_file_system_session_and_mounts(made, folder):
    folder.write("data/a.txt", "a\n")
    assert "files are switched off" in made("filesystem: none\n").execute_sync("echo > f").stderr
    lasting = made("session: persistent\n")
    lasting.execute_sync("x=1")
    assert lasting.execute_sync("echo $x").stdout == "1\n"
    text = "mounts:\n  - {at: /read, directory: data}\n  - {at: /overlay, directory: '${D:-data}', access: overlay}\n  - {at: /write, directory: data, access: write}\n"
    mounted = made(text)
    response = mounted.execute_sync(
        "cat /read/a.txt; echo x > /read/b; echo o > /overlay/a.txt; cat /overlay/a.txt; echo w > /write/c; cat /read/c"
    )
    assert response.stdout == "a\no\nw\n"
    assert sorted(file.name for file in (folder.path / "data").iterdir()) == ["a.txt", "c"]
    kinds = [type(mount.open()) for mount in load(folder.path / "t.yaml", environ={}).mounts]
    assert kinds == [HostDirectory, Overlay, HostDirectory]


def test_s08_hints_can_be_switched_off(made):
    assert "did you mean" in made("").execute_sync("gett").stderr
    assert "did you mean" not in made("hints: false\n").execute_sync("gett").stderr


def test_s23_policy(made):
    assert made("").execute_sync("drop").stdout == "gone\n"
    assert made("policy: {}\n").execute_sync("drop").stdout == "gone\n"
    assert made("policy: {destructive: deny}\n").execute_sync("drop").stderr == "drop: the call is not allowed\n"
    assert made("policy: {destructive: allow}\n").execute_sync("drop").stdout == "gone\n"
    assert made("policy: {undeclared: deny}\n").execute_sync("get").stderr == "get: the call is not allowed\n"


def test_s23_a_destructive_call_asks_even_without_a_policy(made):
    tools = "tools:\n  - {name: drop, effects: destructive, callback: {script: echo gone}}\n"
    for policy in ("", "policy: {}\n"):
        response = made(policy, tools).execute_sync("drop")
        assert (response.stdout, response.exit_code) == ("", 126)
        assert response.stderr == (
            "drop: this call needs an approval, and nobody can be asked; the host allows such calls with --allow destructive on "
            "the command line, Policy({'destructive': 'allow'}) in Python, or policy: {destructive: allow} in the toolset file\n"
        )
    assert made("policy: {destructive: allow}\n", tools).execute_sync("drop").stdout == "gone\n"


def test_s23_the_host_adds_the_approval(folder):
    toolset = load(folder.write("t.yaml", HEAD + "policy: {destructive: ask}\n" + TOOLS), environ={})
    assert (
        toolset.make_tool(policy=Policy({"destructive": "ask"}, approve=lambda call: True)).execute_sync("drop").stdout
        == "gone\n"
    )


def test_s18_retry_and_cache(made):
    tools = (
        "tools:\n  - {name: get, stub: 1, cache: 2m, retry: {attempts: 4, backoff: 100ms, max_backoff: 5s, exit_codes: [75]}}\n"
    )
    (definition,) = made("", tools).definitions
    assert definition.cache == 120
    assert definition.retry == Retry(4, backoff=0.1, factor=2.0, max_backoff=5.0, exit_codes=(75,))
    assert made("").definitions[0].retry is None
    assert made("").definitions[0].cache is None
