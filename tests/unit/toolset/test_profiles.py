"""Settings from elsewhere: profiles, .env files, secrets of files and commands, prefixes of included files, packages."""

import sys

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.errors import ToolsetError
from bashkit.toolset import check, in_mode, load
from bashkit.toolset.packaged import PackageError, located

HEAD = "version: 1\nname: t\n"
TOOLS = "tools:\n  - {name: where, callback: {script: 'echo \"$PLACE $LEVEL\"'}}\n"
PROFILES = """\
env: {PLACE: home, LEVEL: 1}
policy: {write: allow}
profiles:
  dev:
    env: {PLACE: here}
    limits: {timeout: 5s}
  prod:
    env: {PLACE: "${HOST_PLACE}"}
    policy: {write: ask}
    sources: []
"""
SHOW = "tools:\n  - {name: show, callback: {python: SHOWS.show}}\n"


def problems(path, **options):
    return [str(problem).partition(".yaml:")[2] for problem in check(path, **options)]


# -- profiles ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "profile", "printed"),
    [
        ({}, None, "home 1\n"),
        ({}, "dev", "here 1\n"),
        ({"BASHKIT_PROFILE": "dev"}, None, "here 1\n"),
        ({"BASHKIT_PROFILE": "dev"}, "", "home 1\n"),
        ({"BASHKIT_PROFILE": "dev", "HOST_PLACE": "there"}, "prod", "there 1\n"),
    ],
)
def test_a_profile_is_merged_into_the_file(folder, environ, profile, printed):
    toolset = load(folder.write("t.yaml", HEAD + PROFILES + TOOLS), environ=environ, profile=profile)
    assert toolset.tool.execute_sync("where").stdout == printed


def test_what_is_no_mapping_is_replaced_and_all_else_stays(folder):
    path = folder.write("t.yaml", HEAD + PROFILES + TOOLS)
    dev, prod = (load(path, environ={"HOST_PLACE": "x"}, profile=name) for name in ("dev", "prod"))
    assert (dev.limits.timeout, prod.limits) == (5.0, None)
    assert [toolset.options["policy"].rules["write"] for toolset in (dev, prod)] == ["allow", "ask"]
    assert in_mode(dev, "stub", environ={}).profile == "dev"


def test_an_unknown_profile_is_an_error_at_the_profiles(folder):
    path = folder.write("t.yaml", HEAD + PROFILES + TOOLS)
    with pytest.raises(ToolsetError, match=r"5:1: there is no profile 'prd'"):
        load(path, environ={}, profile="prd")
    with pytest.raises(ToolsetError, match=r"1:1: there is no profile 'dev'"):
        load(folder.write("u.yaml", HEAD + TOOLS), environ={}, profile="dev")


def test_check_looks_into_every_profile(folder):
    text = HEAD + "profiles:\n  dev: {limits: {timeout: 5 seconds}}\n  prod: {env: {A: '${NOT_SET}'}, tools: []}\n" + TOOLS
    path = folder.write("t.yaml", text)
    assert problems(path, environ={}) == [
        "4:27: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
        "5:19: with the profile prod: the variable NOT_SET is not set and has no default",
        "5:34: unknown key 'tools'",
    ]
    assert problems(path, environ={"BASHKIT_PROFILE": "prod"})[0] == "5:19: the variable NOT_SET is not set and has no default"


def test_included_files_have_the_profile_where_they_know_it(folder):
    folder.write("other.yaml", "version: 1\nname: o\nenv: {LEVEL: 2}\nprofiles: {dev: {env: {LEVEL: 3}}}\ntools: []\n")
    path = folder.write("t.yaml", HEAD + "include: [other.yaml]\nprofiles: {dev: {}, prod: {}}\n" + TOOLS)
    run = {name: load(path, environ={}, profile=name).tool.execute_sync("where").stdout for name in ("dev", "prod", "")}
    assert run == {"dev": " 3\n", "prod": " 2\n", "": " 2\n"}


def test_a_command_line_chooses_a_profile(folder, monkeypatch):
    path = str(folder.write("t.yaml", HEAD + PROFILES + TOOLS))
    run = CliRunner().invoke(cli, ["run", path, "--profile", "dev", "-c", "where"])
    assert (run.stdout, run.stderr) == ("here 1\n", "")
    assert CliRunner().invoke(cli, ["run", path, "-c", "where"]).stdout == "home 1\n"
    assert CliRunner().invoke(cli, ["call", path, "where", "{}", "--profile", "dev"]).stdout == "here 1\n"
    wrong = CliRunner().invoke(cli, ["prompt", path, "--profile", "no"])
    assert wrong.exit_code == 2 and "there is no profile 'no'" in wrong.stderr


# -- where values come from --------------------------------------------------------------------------------------------


@pytest.fixture
def shows(folder, request):
    """A toolset whose tool prints what its callback sees."""
    module = "shows_" + "".join(letter for letter in request.node.name if letter.isalnum())
    folder.write(f"{module}.py", "def show(args):\n    return {name: args.env.get(name) for name in ('A', 'B', 'C')}\n")
    return lambda text: folder.write("t.yaml", HEAD + text + SHOW.replace("SHOWS", module))


def test_an_env_file_is_part_of_the_environment_of_the_host(folder, shows):
    folder.write(".env", "# values\nexport A=of the file\nB='b # no comment'\nC=\"x\\ny\"\nEMPTY=\n")
    path = shows("env_file: .env\nenv: {A: '${A}', B: '${B}'}\nsecrets: [C]\n")
    assert load(path, environ={"A": "of the host"}).env == {"A": "of the host", "B": "b # no comment"}
    assert load(path, environ={}).env["A"] == "of the file"
    assert dict(load(path, environ={}).secrets) == {"C": "x\ny"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        ("A=1\nno assignment here\n", ".env:2: it is no assignment: NAME=value"),
    ],
)
def test_an_env_file_that_cannot_be_used_is_an_error(folder, shows, text, message):
    if text is not None:
        folder.write(".env", text)
    (problem,) = problems(shows("env_file: .env\n"), environ={}, resolve=False)
    assert problem.startswith("3:11: ")
    assert message in problem


def test_secrets_come_from_files_and_commands(folder, shows):
    folder.write("key", "of the file\n")
    ran = folder.path / "ran"
    command = f"{sys.executable} -c \"open('{ran}', 'a').write('x'); print('of the command')\""
    path = shows(f"secrets:\n  - A\n  - {{name: B, file: key}}\n  - name: C\n    command: >-\n      {command}\n")
    toolset = load(path, environ={"A": "of the host"})
    assert not ran.exists()
    result = toolset.tool.execute_sync("show; show; echo $A$B$C")
    assert result.stdout == '{"A":"***","B":"***","C":"***"}\n' * 2 + "\n"
    assert dict(toolset.secrets) == {"A": "of the host", "B": "of the file", "C": "of the command"}
    toolset.make_tool()
    assert ran.read_text() == "x"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: B, file: none}", "3:28: none cannot be read: No such file or directory"),
        ("{name: B, file: a, command: b}", "3:31: a secret has a file or a command, not both"),
        ("{name: B, command: 'a \"'}", "3:31: not a command line: No closing quotation"),
        ("{name: B, command: /no/such/program}", "3:31: /no/such/program cannot be started: No such file or directory"),
        ("{file: a}", "3:12: a secret needs a name"),
    ],
)
def test_a_secret_that_cannot_be_found_is_an_error_at_its_place(shows, entry, message):
    (problem,) = problems(shows(f"secrets: [ {entry} ]\n"), environ={})
    assert problem.startswith(message.split(": ")[0].split(":")[0] + ":")
    assert message.partition(": ")[2] in problem


@pytest.mark.needs("sh")
def test_a_command_that_fails_says_why(shows):
    path = shows("secrets: [{name: B, command: \"sh -c 'echo locked >&2; exit 3'\"}]\n")
    assert load(path, environ={}).name == "t"
    with pytest.raises(ToolsetError, match=r"sh exits with 3: locked"):
        load(path, environ={}).make_tool()


def test_a_header_may_have_a_secret_of_a_command(shows):
    network = "network: {allow: [e.com], headers: {e.com: {Authorization: 'Bearer ${C}', X: '${A}'}}}\n"
    toolset = load(shows("env: {A: a}\nsecrets: [{name: C, command: echo token}]\n" + network), environ={})
    assert toolset.options["network"].credentials("https", "e.com", 443)["X"] == "a"
    policy = toolset._network()["network"]
    assert policy.credentials("https", "e.com", 443) == {"Authorization": "Bearer token", "X": "a"}


# -- prefixes ----------------------------------------------------------------------------------------------------------

CRM = """\
version: 1
name: crm
secrets: [KEY]
tools:
  - name: find
    description: Finds.
    stub: found
    examples: ["find | cat", {command: "x=$(find --a find); echo find"}]
  - {name: twice, callback: {script: "find; own() { echo own; }; own; f=$(find); echo find $f"}}
  - {name: own, stub: theirs}
sources:
  - {mcp: ./tools.json, prefix: m_}
"""


def test_an_included_file_may_have_a_prefix(folder):
    folder.write("crm.yaml", CRM)
    folder.write("tools.json", '{"tools": [{"name": "get", "inputSchema": {"type": "object"}}]}')
    path = folder.write("t.yaml", HEAD + "include:\n  - {file: crm.yaml, prefix: crm_}\ntools:\n  - {name: seek, stub: ours}\n")
    toolset = load(path, environ={"KEY": "secret"})
    assert [tool.name for tool in toolset.tools] == ["seek", "crm_find", "crm_twice", "crm_own", "crm_m_get"]
    assert toolset.tool.execute_sync("seek; crm_twice").stdout == "ours\nfound\nown\nfind found\n"
    assert [example.command for example in toolset.tools[1].examples] == [
        "crm_find | cat",
        "x=$(crm_find --a find); echo find",
    ]
    assert dict(toolset.secrets) == {"KEY": "secret"}
    assert check(path, environ={"KEY": "secret"}) == []


def test_prefixes_add_up_and_duplicates_are_told(folder):
    folder.write("c.yaml", "version: 1\nname: c\ntools:\n  - {name: x, stub: c}\n")
    folder.write(
        "b.yaml", "version: 1\nname: b\ninclude: [{file: c.yaml, prefix: c_}]\ntools:\n  - {name: y, callback: {script: c_x}}\n"
    )
    path = folder.write("t.yaml", HEAD + "include: [{file: b.yaml, prefix: b_}]\ntools: []\n")
    assert load(path, environ={}).tool.execute_sync("b_y; b_c_x").stdout == "c\nc\n"
    path = folder.write("t.yaml", HEAD + "include: [{file: b.yaml, prefix: b_}]\ntools:\n  - {name: b_y, stub: 1}\n")
    assert [problem.partition(": ")[2] for problem in problems(path, environ={})] == ["two tools are called 'b_y'"]


# -- packages ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def package(folder, monkeypatch):
    """An installed distribution with a toolset."""
    folder.write("site/my_tools/__init__.py", "raise RuntimeError('imported')\n")
    folder.write("site/my_tools/shop.yaml", HEAD + "tools:\n  - {name: hi, stub: hello}\n")
    info = "site/my_tools-1.0.dist-info/"
    folder.write(info + "METADATA", "Metadata-Version: 2.1\nName: my-tools\nVersion: 1.0\n")
    folder.write(info + "entry_points.txt", "[bashkit.toolsets]\nshop = my_tools\ngone = my_tools\n")
    monkeypatch.syspath_prepend(str(folder.path / "site"))
    return folder.path / "site/my_tools/shop.yaml"


@pytest.mark.parametrize("name", ["my_tools:shop", "my-tools:shop"])
def test_a_package_may_bring_toolsets(package, name):
    assert located(name) == package
    assert load(name, environ={}).tool.execute_sync("hi").stdout == "hello\n"
    assert CliRunner().invoke(cli, ["run", name, "-c", "hi"]).stdout == "hello\n"
    assert CliRunner().invoke(cli, ["check", name]).exit_code == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my-tools:none", "my-tools:none: the package has gone, shop"),
        ("my-tools:gone", "my-tools:gone: there is no gone.yaml in the package my_tools"),
        ("other:shop", "other:shop: no package other has toolsets"),
    ],
)
def test_a_package_without_such_a_toolset_is_an_error(package, name, message):
    with pytest.raises(PackageError, match=f"^{message}$"):
        load(name)
    result = CliRunner().invoke(cli, ["prompt", name])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_file_of_such_a_name_is_a_file(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    folder.write("a:b", "x")
    assert str(located("a:b")) == "a:b"
