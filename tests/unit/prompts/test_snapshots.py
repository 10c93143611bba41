import pytest

import bashkit.integrations.pytest_plugin  # noqa: F401 - pytester forgets what it imports; libyaml's module stands no second import
from bashkit.prompts import SnapshotStore, documents
from bashkit.tools import ScriptedTool, ToolDef

pytest_plugins = ["pytester"]


def tool(*names, description="Does it"):
    return ScriptedTool("api", tools=[(ToolDef(name, description), print) for name in names])


def states(store, current):
    return {snapshot.path.name: snapshot.state for snapshot in store.compare(current)}


def test_y06_the_documents_of_a_toolset():
    found = documents(tool("get_user", "data-tools:csv"))
    assert set(found) == {"system-prompt.md", "help.md", "schema.json", "tool.get_user.help.md", "tool.data-tools%3Acsv.help.md"}
    assert found["system-prompt.md"] == tool("get_user", "data-tools:csv").system_prompt()
    assert found["tool.get_user.help.md"].startswith("Usage: get_user\n")
    assert "bashkit 0" not in found["help.md"]
    assert found["help.md"].startswith("API(1)")
    assert found["schema.json"].endswith("}\n")


def test_y06_where_snapshots_are_kept(tmp_path):
    assert SnapshotStore.beside(tmp_path / "shop.yaml").folder == tmp_path / "__snapshots__" / "shop"
    assert SnapshotStore.beside(tmp_path / "shop.toolset.yaml").folder == tmp_path / "__snapshots__" / "shop"


def test_y06_new_same_changed_and_orphan(tmp_path):
    store = SnapshotStore(tmp_path / "s")
    first = documents(tool("a", "b"))
    assert set(states(store, first).values()) == {"new"}
    assert len(store.update(first)) == 5
    assert set(states(store, first).values()) == {"same"}
    second = documents(tool("a", description="Does more"))
    found = states(store, second)
    assert found["tool.a.help.md"] == "changed"
    assert found["tool.b.help.md"] == "orphan"
    (tmp_path / "s" / "README.md").write_text("mine")
    store.update(second)
    assert set(states(store, second).values()) == {"same"}
    assert not (tmp_path / "s" / "tool.b.help.md").exists()
    assert (tmp_path / "s" / "README.md").exists()


def test_y06_plain_files_without_header_and_with_lf(tmp_path):
    store = SnapshotStore(tmp_path)
    store.write("help.md", "a\nå\n")
    assert (tmp_path / "help.md").read_bytes() == "a\nå\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["help.md"]


def test_y06_a_diff_is_what_a_pull_request_shows(tmp_path):
    store = SnapshotStore(tmp_path)
    store.write("help.md", "a\nb\n")
    (snapshot,) = store.compare({"help.md": "a\nc\n"})
    assert snapshot.diff() == "--- help.md (kept)\n+++ help.md (now)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"


@pytest.mark.parametrize("name", ["../help.md", "tool./x.help.md", "notes.md", ""])
def test_only_snapshots_are_written(tmp_path, name):
    with pytest.raises(ValueError, match="not the name of a snapshot"):
        SnapshotStore(tmp_path).write(name, "x")


TOOLSET = "version: 1\nname: api\ntools:\n  - name: get\n    description: Get it\n    stub: 1\n"


@pytest.fixture
def project(pytester):
    pytester.makeconftest('pytest_plugins = ["bashkit.integrations.pytest_plugin"]')
    pytester.path.joinpath("api.toolset.yaml").write_text(TOOLSET)
    return pytester


def run(project, *options):
    return project.runpytest("-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:asyncio", *options)


def test_y06_the_plugin_collects_toolsets_and_updates(project):
    run(project).assert_outcomes(failed=4)
    run(project, "--snapshot-update").assert_outcomes(passed=4)
    run(project).assert_outcomes(passed=4)
    project.path.joinpath("api.toolset.yaml").write_text(TOOLSET.replace("Get it", "Fetch it"))
    result = run(project)
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["*system-prompt.md: changed; run pytest --snapshot-update*", "*+- `get`: Fetch it"])
    assert run(project, "--snapshot-update").ret == 0
    assert run(project).ret == 0


def test_y06_a_broken_toolset_is_a_failing_test(project):
    project.path.joinpath("api.toolset.yaml").write_text("version: 9\nname: api\n")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*api.toolset.yaml:1:10: expected 1, got 9"])


def test_y06_syrupy_assertions_share_the_store(project):
    project.makepyfile("""
        def test_prompt(prompt_snapshot):
            assert "the prompt\\n" == prompt_snapshot("other.yaml")(name="system-prompt.md")
    """)
    options = ("test_y06_syrupy_assertions_share_the_store.py",)
    run(project, *options).assert_outcomes(failed=1)
    run(project, *options, "--snapshot-update").assert_outcomes(passed=1)
    kept = project.path / "__snapshots__" / "other" / "system-prompt.md"
    assert kept.read_bytes() == b"the prompt\n"
    run(project, *options).assert_outcomes(passed=1)
