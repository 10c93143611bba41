import json

import pytest

from bashkit.errors import ToolsetError
from bashkit.integrations.mcp.watching import Watch
from bashkit.toolset import check, from_directory, load
from bashkit.toolset.sources.executables import describing as descriptions
from bashkit.toolset.sources.executables.describing import describe_all

PATIENCE = descriptions._PATIENCE
pytestmark = pytest.mark.needs("sh", "cat")
ANSWER = {"name": "NAME", "description": "Does things", "parameters": {"type": "object", "properties": {}}}


def describing(name, /, **changes):
    answer = {key: value for key, value in ({**ANSWER, "name": name, **changes}).items() if value is not None}
    return f"#!/bin/sh\ncat <<'JSON'\n{json.dumps(answer)}\nJSON\n"


def test_x02_alphabetical_not_recursive_and_only_executables(folder):
    for name in ("b.sh", "a.sh", "sub/c.sh"):
        folder.write(f"tools/{name}", describing(name[0]), executable=True)
    folder.write("tools/README.md", "not a tool")
    assert [found.definition.name for found in describe_all(folder.path / "tools", {})] == ["a", "b"]


def test_x02_an_empty_directory_and_a_missing_one(folder):
    (folder.path / "tools").mkdir()
    assert describe_all(folder.path / "tools", {}) == []
    with pytest.raises(FileNotFoundError):
        describe_all(folder.path / "none", {})


def test_a_directory_of_toolset_files_is_told_from_one_of_programs(folder):
    folder.write("toolsets/shop.yaml", "version: 1\n")
    for names, warnings in (
        ([], ["the directory has no program that describes itself; did you mean its file shop.yaml?"]),
        (["a"], []),
    ):
        toolset = from_directory(folder.path / "toolsets")
        assert [entry.definition.name for entry in toolset.entries()] == names
        assert [warning.message for warning in toolset.warnings] == warnings
        folder.write("toolsets/a.sh", describing("a"), executable=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#!/bin/sh\nexit 3\n", "--describe exits with 3"),
        ("#!/bin/sh\n", "--describe prints nothing"),
        ("#!/bin/sh\necho hello\n", "--describe does not print JSON"),
        ("#!/bin/sh\necho '[]'\n", "--describe prints JSON that is not an object"),
        (describing("x", description=None), "--describe leaves out 'description'"),
        (describing("x", parameters="none"), "--describe: 'parameters' is not an object"),
        (describing("x", name=7), "--describe: 'name' is not text"),
        (describing("a b"), "the tool name 'a b' cannot be called"),
        (describing("x", parameters={"type": "objekt"}), "tool x: input_schema.type"),
        ("#!/no/such/thing\n", "x.sh: its interpreter is missing"),
    ],
)
def test_x01_what_does_not_describe_itself_is_skipped_with_a_reason(folder, text, reason):
    folder.write("tools/x.sh", text, executable=True)
    (found,) = describe_all(folder.path / "tools", {})
    assert found.definition is None
    assert found.reason.startswith(reason)


def test_x01_all_are_asked_at_once(folder):
    ready = "".join(f" && [ -e {folder.path}/{name} ]" for name in "abcd")
    for name in "abcd":
        wait = f"#!/bin/sh\n: > {folder.path}/{name}\nuntil :{ready}; do sleep 0.02; done\n"
        folder.write(f"tools/{name}.sh", wait + describing(name).removeprefix("#!/bin/sh\n"), executable=True)
    assert [item.definition.name for item in describe_all(folder.path / "tools", {})] == list("abcd")


def test_x01_as_many_as_fifty_are_asked_at_once(folder):
    all_there = f'[ "$(ls {folder.path}/ready | wc -l)" -ge 50 ]'
    (folder.path / "ready").mkdir()
    for number in range(50):
        wait = f"#!/bin/sh\n: > {folder.path}/ready/{number}\nuntil {all_there}; do sleep 0.3; done\n"
        folder.write(f"tools/{number:02}.sh", wait + describing(f"t{number}").removeprefix("#!/bin/sh\n"), executable=True)
    found = describe_all(folder.path / "tools", {}, patience=60)
    assert [item.reason for item in found] == [""] * 50


def test_x01_no_answer_in_two_seconds_is_none(folder, monkeypatch):
    assert PATIENCE == 2
    monkeypatch.setattr(descriptions, "_PATIENCE", 0.1)
    folder.write("tools/x.sh", "#!/bin/sh\nexec sleep 1000\n", executable=True)
    assert [item.reason for item in describe_all(folder.path / "tools", {})] == ["--describe timed out after 0.1 s"]


SOURCE = "version: 1\nname: t\nsources:\n  - executables: ./tools\n"


def test_a_source_adds_tools_and_warns(folder):
    folder.write("tools/a.sh", describing("alpha", tags=["x"], effects="read", category="c"), executable=True)
    folder.write("tools/b.sh", "#!/bin/sh\nexit 1\n", executable=True)
    toolset = load(folder.write("t.yaml", SOURCE))
    assert [tool.name for tool in toolset.tools] == ["alpha"]
    assert (toolset.tools[0].tags, toolset.tools[0].effects, toolset.tools[0].category) == (("x",), "read", "c")
    assert [str(warning).rpartition("t.yaml:")[2] for warning in toolset.warnings] == [
        "4:18: b.sh is skipped: --describe exits with 1"
    ]
    assert toolset.position("alpha") == (str(folder.path / "t.yaml"), 4, 5)


def test_a_program_that_describes_itself_otherwise_is_noticed(folder):
    program = folder.write("tools/a.sh", describing("alpha"), executable=True)
    toolset = load(folder.write("t.yaml", SOURCE))
    watch = Watch([toolset])
    assert not watch.changed()
    program.write_text(describing("another"), encoding="utf-8")  # in place: the directory stays as it is
    assert watch.changed()


def test_y03_loading_asks_nobody(folder):
    folder.write("tools/a.sh", "#!/bin/sh\ntouch asked\n", executable=True)
    load(folder.write("t.yaml", SOURCE))
    assert not (folder.path / "asked").exists()


def test_x06_two_files_of_one_name_are_an_error_naming_both(folder):
    folder.write("tools/a.sh", describing("same"), executable=True)
    folder.write("tools/b.sh", describing("same"), executable=True)
    path = folder.write("t.yaml", SOURCE)
    with pytest.raises(ToolsetError, match=r"4:18: b\.sh and a\.sh are both called 'same'"):
        load(path).tools  # noqa: B018 - asking is what raises
    assert [problem.line for problem in check(path)] == [4]


def test_a_missing_directory_is_an_error(folder):
    assert folder.problems(SOURCE, resolve=True) == ["4:18: the directory cannot be read: No such file or directory"]


def test_x08_stub_mode_reaches_the_executables(folder):
    folder.write(
        "tools/a.sh",
        describing("alpha", description="PLACE").replace("PLACE", "$SHELLCLAW_STUB").replace("'JSON'", "JSON"),
        executable=True,
    )
    path = folder.write("t.yaml", SOURCE)
    assert load(path, environ={"SHELLCLAW_STUB": "1"}).tools[0].description == "1"
    assert load(path, environ={}).tools[0].description == ""
