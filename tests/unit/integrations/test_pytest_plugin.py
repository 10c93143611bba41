import pytest

import bashkit.integrations.pytest_fixture
import bashkit.integrations.pytest_items
import bashkit.integrations.syrupy_store  # noqa: F401 - pytester forgets what it imports; libyaml's module stands no second import
from bashkit import ScriptedTool

pytest_plugins = ["pytester"]

TOOLSET = """\
version: 1
name: api
description: Things
tools:
  - name: get
    description: Get it
    input_schema: {type: object, properties: {id: {type: integer}}}
    stub: {id: 1}
tests:
  - name: the id is a number
    script: get | jq .id
    expect: {stdout: "1"}
  - name: two of them
    script: get; get --id 2
    snapshot: true
"""
DOCUMENTS = 8  # prompt, help, schema, three exports, the help of a tool, the output of a test
TESTS = 2


class Project:
    """A folder with one toolset, and pytest in it."""

    def __init__(self, pytester):
        self.pytester = pytester
        self.path = pytester.path
        self.file = pytester.path / "toolsets" / "api.yaml"
        self.kept = pytester.path / "toolsets" / "__snapshots__" / "api"
        self.file.parent.mkdir()
        self.file.write_text(TOOLSET)

    def run(self, *options, workers=0):
        spread = ("-p", "xdist.plugin", "-n", str(workers)) if workers else ()
        plugins = ("-p", "bashkit.integrations.pytest_plugin", "-p", "syrupy", "-p", "no:cacheprovider")
        run = self.pytester.runpytest_subprocess if workers else self.pytester.runpytest
        return run(*plugins, *spread, *options)

    def change(self, old, new):
        self.file.write_text(self.file.read_text(encoding="utf-8").replace(old, new))


@pytest.fixture(scope="module", autouse=True)
def _imported():
    ScriptedTool("warm").execute_sync("jq .id <<< '{}' | cat; help")


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return Project(pytester)


@pytest.fixture
def accepted(project):
    project.run("--bashkit", "--snapshot-update").assert_outcomes(passed=DOCUMENTS + TESTS)
    return project


def test_nothing_is_collected_until_it_is_asked_for(project):
    project.run().assert_outcomes()


def test_the_ini_option_names_the_files(project):
    project.pytester.makeini("[pytest]\nbashkit_toolsets = toolsets/*.yaml\n")
    (project.path / "other.toolset.yaml").write_text(TOOLSET)
    (project.path / "toolsets" / "examples").mkdir()
    (project.path / "toolsets" / "examples" / "deeper.yaml").write_text(TOOLSET)
    project.run("--snapshot-update").assert_outcomes(passed=DOCUMENTS + TESTS)


def test_y06_new_accepted_changed_accepted(project):
    project.run("--bashkit").assert_outcomes(failed=DOCUMENTS, passed=TESTS)
    assert not project.kept.exists()
    project.run("--bashkit", "--snapshot-update").assert_outcomes(passed=DOCUMENTS + TESTS)
    project.run("--bashkit").assert_outcomes(passed=DOCUMENTS + TESTS)
    project.change("Get it", "Fetch it")
    result = project.run("--bashkit")
    result.assert_outcomes(failed=4, passed=DOCUMENTS + TESTS - 4)
    result.stdout.fnmatch_lines(
        ["*system-prompt.md: changed; * characters (+2); run pytest --snapshot-update*", "+- `get`: Fetch it"]
    )
    project.run("--bashkit", "--snapshot-update").assert_outcomes(passed=DOCUMENTS + TESTS)
    project.run("--bashkit").assert_outcomes(passed=DOCUMENTS + TESTS)


def test_changed_words_are_marked_in_colour(accepted):
    accepted.change("Get it", "Fetch it")
    result = accepted.run("--bashkit", "--color=yes")
    assert "\x1b[32m\x1b[7mFetch\x1b[0m" in result.stdout.str() or "\x1b[7m\x1b[32mFetch\x1b[0m" in result.stdout.str()


def test_a_failure_names_the_file_and_line_that_make_the_text(accepted):
    accepted.change("Get it", "Fetch it")
    accepted.run("--bashkit", "--junitxml=report.xml", "-o", "junit_family=xunit1")
    report = (accepted.path / "report.xml").read_text(encoding="utf-8")
    assert 'name="tool.get.help.md" file="toolsets/api.yaml" line="4"' in report  # zero-based, as pytest writes it
    assert 'name="two of them" file="toolsets/api.yaml" line="12"' in report


def test_one_document_is_a_test_that_can_be_named(accepted):
    accepted.run("--bashkit", "toolsets/api.yaml::help.md").assert_outcomes(passed=1)


def test_an_entry_of_tests_that_fails_says_what_came_instead(accepted):
    accepted.change('stdout: "1"', 'stdout: "2"')
    result = accepted.run("--bashkit")
    result.assert_outcomes(failed=1, passed=DOCUMENTS + TESTS - 1)
    result.stdout.fnmatch_lines(
        ["*toolsets/api.yaml:10: the id is a number", "--- stdout expected", "+++ stdout now", "-2", "+1"]
    )


def test_a_script_that_fails_shows_its_stderr(accepted):
    accepted.change("get | jq .id", "gett")
    accepted.run("--bashkit").stdout.fnmatch_lines(["expected exit status 0, got 127: bash: line 1: gett: command not found*"])


def test_orphans_are_reported_and_removed(accepted):
    accepted.change("name: two of them", "name: both")
    result = accepted.run("--bashkit")
    result.assert_outcomes(failed=2, passed=DOCUMENTS + TESTS - 1)
    result.stdout.fnmatch_lines(["*test.two-of-them.txt: orphan; *"])
    accepted.run("--bashkit", "--snapshot-update")
    accepted.run("--bashkit").assert_outcomes(passed=DOCUMENTS + TESTS)
    assert not (accepted.kept / "test.two-of-them.txt").exists()


def test_what_a_renamed_toolset_left_behind_is_reported_and_removed(accepted):
    accepted.file.rename(accepted.file.with_name("store.yaml"))
    result = accepted.run("--bashkit")
    result.assert_outcomes(failed=DOCUMENTS + 1, passed=TESTS)
    result.stdout.fnmatch_lines(["*orphan; no toolset api is beside it any more*"])
    accepted.run("--bashkit", "--snapshot-update").assert_outcomes(passed=DOCUMENTS + TESTS + 1)
    assert not accepted.kept.exists()
    accepted.run("--bashkit").assert_outcomes(passed=DOCUMENTS + TESTS)


def test_ci_never_writes(project, monkeypatch):
    monkeypatch.setenv("CI", "true")
    result = project.run("--bashkit", "--snapshot-update")
    result.assert_outcomes(failed=DOCUMENTS, passed=TESTS)
    result.stdout.fnmatch_lines(["*help.md: new; nothing is written where CI is set"])
    assert not project.kept.exists()


def test_two_files_of_one_name_are_failures(project):
    project.file.with_name("api.toolset.yaml").write_text(TOOLSET)
    result = project.run("--bashkit")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*api.yaml would keep their snapshots in one folder*"])


def test_y06_a_broken_toolset_is_a_failing_test(project):
    project.file.write_text("version: 9\nname: api\n")
    result = project.run("--bashkit")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*api.yaml:1:10: expected 1, got 9"])


@pytest.mark.thorough
def test_under_xdist(project):
    project.run("--bashkit", "--snapshot-update")
    project.change("name: two of them", "name: both")
    project.run("--bashkit", workers=2).assert_outcomes(failed=2, passed=DOCUMENTS + TESTS - 1)
    project.run("--bashkit", "--snapshot-update", workers=2).assert_outcomes(passed=DOCUMENTS + TESTS + 1)
    assert (project.kept / "test.both.txt").exists()
    assert not (project.kept / "test.two-of-them.txt").exists()


# -- fixtures ----------------------------------------------------------------------------------------------------------


def test_y06_syrupy_assertions_share_the_store(project):
    project.pytester.makepyfile("""
        def test_prompt(prompt_snapshot):
            assert "the prompt\\n" == prompt_snapshot("toolsets/api.yaml")(name="system-prompt.md")
    """)
    project.run().assert_outcomes(failed=1)
    project.run("--snapshot-update").assert_outcomes(passed=1)
    assert (project.kept / "system-prompt.md").read_bytes() == b"the prompt\n"
    project.run().assert_outcomes(passed=1)


def test_assertions_of_one_document_leave_the_others_alone(accepted):
    accepted.pytester.makepyfile("""
        def test_help(prompt_snapshot):
            assert "the help\\n" == prompt_snapshot("toolsets/api.yaml")(name="help.md")
    """)
    result = accepted.run()
    assert (result.ret, "unused" in result.stdout.str()) == (1, False)
    accepted.run("--snapshot-update").assert_outcomes(passed=1)
    assert len(list(accepted.kept.iterdir())) == DOCUMENTS


def test_the_fixture_runs_scripts_replaces_callbacks_and_records_calls(project):
    project.pytester.makepyfile("""
        import pytest
        from bashkit import ToolError

        def test_it(toolset):
            api = toolset("toolsets/api.yaml").stub("get", {"id": 7})
            assert api.run("get --id 3 | jq .id").stdout == "7\\n"
            assert [(call.tool, call.arguments, call.line) for call in api.calls] == [("get", {"id": 3}, 1)]
            api.stub("get", lambda args: {"id": args["id"] + 1})
            assert api.run("get --id 3 | jq .id").stdout == "4\\n"
            assert len(api.calls) == 2
            assert api.stub("get", ToolError("down", 3)).run("get").exit_code == 3
            with pytest.raises(LookupError, match="there is no tool 'gett': did you mean get\\?"):
                api.stub("gett")
    """)
    project.run().assert_outcomes(passed=1)


def test_stub_without_a_name_takes_the_stubs_of_the_file(project):
    project.change("    stub: {id: 1}", "    callback: {python: nowhere.get}\n    stub: {id: 1}")
    project.pytester.makepyfile("""
        def test_it(toolset):
            api = toolset("toolsets/api.yaml")
            assert api.run("get").exit_code == 1
            assert api.stub().run("get").stdout == '{"id":1}\\n'
    """)
    project.run().assert_outcomes(passed=1)


def test_the_example_of_the_documentation_runs(project):
    from bashkit.integrations import pytest_plugin

    project.file.write_text(
        TOOLSET.replace("name: get\n", "name: get_user\n").partition("tests:")[0].replace("stub: {id: 1}", "stub: {name: Grace}")
    )
    project.file.rename(project.file.with_name("shop.yaml"))
    text = pytest_plugin.__doc__
    example = text[text.index("    def test_the_name_is_printed") : text.index("``prompt_snapshot`` compares")]
    project.pytester.makepyfile(example)
    project.run().assert_outcomes(passed=1)
