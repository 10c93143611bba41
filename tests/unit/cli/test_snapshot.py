import errno
import json
import tempfile

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = """\
version: 1
name: api
description: Things
prompt: {max_chars: 2000}
tools:
  - name: get
    description: Get it
    stub: {id: 1}
  - name: put
    description: Put it there
    stub: done
"""
NAMES = [
    "anthropic.json",
    "help.md",
    "mcp.json",
    "openai.json",
    "schema.json",
    "system-prompt.md",
    "tool.get.help.md",
    "tool.put.help.md",
]


class Project:
    """A folder with one toolset, and the command line in it."""

    def __init__(self, folder):
        self.file = folder / "toolsets" / "api.yaml"
        self.kept = folder / "toolsets" / "__snapshots__" / "api"
        self.file.parent.mkdir()
        self.file.write_text(TOOLSET)

    def run(self, *arguments, stdin=None, color=False):
        return CliRunner().invoke(cli, ["snapshot", *arguments], input=stdin, color=color)

    def change(self, old="Get it", new="Fetch it"):
        self.file.write_text(self.file.read_text(encoding="utf-8").replace(old, new))

    def states(self, *arguments):
        found = json.loads(self.run("--json", *arguments).stdout)
        return {item["file"].rpartition("/")[2]: item["state"] for item in found if item["state"] != "same"}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture
def accepted(project):
    assert project.run("--update").exit_code == 0
    return project


def test_an_empty_path_is_no_toolset():
    result = CliRunner().invoke(cli, ["snapshot", ""])
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, "Error: the path of a toolset is empty")


def test_y06_everything_is_new_at_first_and_nothing_is_written(project):
    result = project.run()
    assert result.exit_code == 1
    assert "toolsets/__snapshots__/api/system-prompt.md: new, from toolsets/api.yaml:4; " in result.stdout
    assert "+- `get`: Get it\n" in result.stdout
    assert "\n0 the same, 8 different (8 new)\naccept them with: bashkit snapshot --review, or --update\n" in result.stdout
    assert not project.kept.exists()


def test_y06_update_keeps_and_check_is_content(project):
    result = project.run("--update")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "0 the same, 8 updated")
    assert sorted(path.name for path in project.kept.iterdir()) == NAMES
    result = project.run("--check", "toolsets/api.yaml")
    assert (result.exit_code, result.stdout) == (0, "8 the same, 0 different\n")


def test_a_change_shows_its_place_its_size_and_the_share_of_the_budget(accepted):
    accepted.change()
    result = accepted.run()
    line = next(line for line in result.stdout.splitlines() if "system-prompt.md: changed" in line)
    size = len((accepted.kept / "system-prompt.md").read_text(encoding="utf-8"))
    assert f"{size} → {size + 2} characters (+2)" in line
    assert line.endswith(f"{100 * (size + 2) / 2000:.0f} % of 2000")
    assert "tool.get.help.md: changed, from toolsets/api.yaml:6; " in result.stdout
    assert result.stdout.splitlines()[-2].endswith("different (4 changed)")


def test_changed_words_are_marked_in_colour(accepted, monkeypatch):
    accepted.change()
    assert "\x1b[31m\x1b[7mGet\x1b[0m" in accepted.run(color=True).stdout
    assert "\x1b[32m\x1b[7mFetch\x1b[0m" in accepted.run(color=True).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[7mFetch" in accepted.run().stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in accepted.run().stdout


def test_a_text_does_not_steer_the_terminal(accepted):
    accepted.change("description: Get it", 'description: "Get \\e[2Jit"')
    result = accepted.run()
    assert "\\x1b[2J" in result.stdout
    assert "\x1b" not in result.stdout


def test_update_of_one_name_or_pattern_leaves_the_others(accepted):
    accepted.change()
    result = accepted.run("--update", "tool.*", "system-prompt.md")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "1 the same, 2 updated")
    assert accepted.states() == {"help.md": "changed", "schema.json": "changed"}


def test_new_only_leaves_what_changed_and_says_so(accepted):
    accepted.change()
    (accepted.kept / "help.md").unlink()
    result = accepted.run("--new-only")
    assert result.exit_code == 1
    assert "help.md: added\n" in result.stdout
    assert set(accepted.states().values()) == {"changed"}


def test_orphans_fail_and_prune_removes_nothing_else(accepted):
    accepted.change("  - name: put\n    description: Put it there\n    stub: done\n", "")
    assert accepted.states()["tool.put.help.md"] == "orphan"
    result = accepted.run("--prune")
    assert (result.exit_code, "tool.put.help.md: removed" in result.stdout) == (1, True)
    assert set(accepted.states().values()) == {"changed"}


def test_a_renamed_toolset_is_moved_by_update_and_prune(accepted):
    accepted.file.rename(accepted.file.with_name("store.yaml"))
    result = accepted.run()
    assert result.exit_code == 1
    assert "api/help.md: orphan, no toolset api is beside it any more; " in result.stdout
    assert "8 different" not in result.stdout
    assert result.stdout.endswith("remove what toolsets left behind with --prune\n")
    assert accepted.run("--update").exit_code == 1
    assert accepted.kept.exists()
    assert accepted.run("--prune").exit_code == 0
    assert not accepted.kept.exists()


def test_two_files_of_one_name_are_refused(accepted):
    accepted.file.with_name("api.toolset.yaml").write_text(TOOLSET)
    result = accepted.run("--update")
    assert result.exit_code == 2
    assert "would keep their snapshots in one folder" in result.stderr


def test_two_toolsets_that_call_themselves_the_same_are_apart(accepted):
    accepted.file.with_name("other.yaml").write_text(TOOLSET)
    result = accepted.run("--update")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "8 the same, 8 updated")
    assert accepted.states() == {}


def test_an_unfinished_merge_is_a_conflict(accepted):
    (accepted.kept / "help.md").write_text("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    result = accepted.run()
    assert (result.exit_code, accepted.states()) == (1, {"help.md": "conflict"})
    assert "help.md: conflict, from" in result.stdout
    assert "this text was never accepted" in result.stdout


def test_crlf_is_the_same(accepted):
    for path in accepted.kept.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert accepted.run().exit_code == 0
    assert accepted.run("--update").stdout.splitlines()[-1] == "0 the same, 8 updated"
    assert b"\r" not in (accepted.kept / "help.md").read_bytes()


def test_a_folder_that_is_none_is_exit_2(project):
    project.kept.parent.write_text("a file is in its place")
    result = project.run("--update")
    assert result.exit_code == 2
    assert "__snapshots__/api/anthropic.json cannot be read: Not a directory" in result.stderr


def test_a_read_only_folder_is_exit_2_and_check_still_works(accepted, monkeypatch):
    def refuse(**options):
        raise PermissionError(errno.EACCES, "Permission denied")

    accepted.change()
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    result = accepted.run("--update")
    assert (result.exit_code, "help.md cannot be written: Permission denied" in result.stderr) == (2, True)
    assert accepted.run().exit_code == 1


@pytest.mark.parametrize("option", ["--update", "--new-only", "--review", "--prune"])
def test_ci_never_writes(project, monkeypatch, option):
    monkeypatch.setenv("CI", "true")
    result = project.run(option)
    assert result.exit_code == 2
    assert "nothing is written where CI is set" in result.stderr
    assert not project.kept.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--check", "--update"], "--check and --update exclude each other"),
        (["none.yaml"], "there is no file 'none.yaml'"),
        (["nonesuch.md"], "there is no file and no snapshot called 'nonesuch.md'"),
    ],
)
def test_wrong_command_lines(project, arguments, message):
    result = project.run(*arguments)
    assert (result.exit_code, message in result.stderr) == (2, True)


def test_a_folder_without_toolsets_is_a_usage_error(project):
    project.file.unlink()
    assert "there is no toolset here" in project.run().stderr


def test_a_broken_toolset_is_exit_2_and_shows_its_place(project):
    project.file.write_text("version: 9\nname: api\n")
    result = project.run()
    assert (result.exit_code, result.stderr.splitlines()[0]) == (2, "toolsets/api.yaml:1:10: expected 1, got 9")


def test_json_says_everything(accepted):
    accepted.change()
    found = {item["file"]: item for item in json.loads(accepted.run("--json").stdout)}
    prompt = found["toolsets/__snapshots__/api/system-prompt.md"]
    assert (prompt["state"], prompt["toolset"], prompt["source"], prompt["line"], prompt["budget"]) == (
        "changed",
        "api",
        "toolsets/api.yaml",
        4,
        2000,
    )
    assert prompt["characters"]["after"] - prompt["characters"]["before"] == 2
    assert "\n+- `get`: Fetch it\n" in prompt["diff"]


def test_github_gets_a_note_at_the_line_that_makes_the_text(accepted):
    accepted.change("Get it", "'::set-output name=x::'")
    result = accepted.run("--format", "github", "tool.get.help.md")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[0].startswith(
        "::error file=toolsets/api.yaml,line=6,title=tool.get.help.md is not what was accepted::toolsets/__snapshots__/"
    )
    assert lines[1] == "::group::toolsets/__snapshots__/api/tool.get.help.md"
    assert " +::set-output name=x::" in lines
    assert lines[-3] == "::endgroup::"
    assert lines[-2] == "0 the same, 1 different (1 changed)"


# -- tests of the toolset ----------------------------------------------------------------------------------------------


def test_the_output_of_a_test_is_kept_and_compared(project):
    project.file.write_text(TOOLSET + "tests:\n  - name: two at once\n    script: get; put\n    snapshot: true\n")
    assert project.run("--update").exit_code == 0
    assert (project.kept / "test.two-at-once.txt").read_bytes() == b'{"id":1}\ndone\n'
    project.change("stub: done", "stub: gone")
    assert project.states() == {"test.two-at-once.txt": "changed"}


# -- review ------------------------------------------------------------------------------------------------------------


def review(project, keys):
    return project.run("--review", stdin="".join(f"{key}\n" for key in keys))


def test_review_shows_one_after_the_other(accepted):
    accepted.change()
    result = review(accepted, "aaaa")
    assert result.exit_code == 0
    assert "\n(1 of 4) toolsets/__snapshots__/api/help.md: changed" in result.stdout
    assert "\n(4 of 4) " in result.stdout
    assert result.stdout.splitlines()[-1] == "4 the same, 4 accepted"
    assert accepted.states() == {}


@pytest.mark.parametrize(
    ("keys", "left", "summary"),
    [
        ("arsa", {"schema.json", "system-prompt.md"}, "4 the same, 2 accepted, 1 rejected, 1 skipped"),
        ("aq", {"schema.json", "system-prompt.md", "tool.get.help.md"}, "4 the same, 1 accepted, 3 not decided"),
        ("a", {"schema.json", "system-prompt.md", "tool.get.help.md"}, "4 the same, 1 accepted, 3 not decided"),
        ("aaurA", {"schema.json"}, "4 the same, 3 accepted, 1 rejected"),
        ("A", set(), "4 the same, 4 accepted"),
        ("Auq", {"help.md", "schema.json", "system-prompt.md", "tool.get.help.md"}, "4 the same, 4 not decided"),
        ("aaaaurq", {"tool.get.help.md"}, "4 the same, 3 accepted, 1 rejected"),
        ("uq", {"help.md", "schema.json", "system-prompt.md", "tool.get.help.md"}, "4 the same, 4 not decided"),
        ("x?a", {"schema.json", "system-prompt.md", "tool.get.help.md"}, "4 the same, 1 accepted, 3 not decided"),
    ],
)
def test_review_by_keys(accepted, keys, left, summary):
    accepted.change()
    result = review(accepted, keys)
    assert (result.stdout.splitlines()[-1], result.exit_code) == (summary, 1 if left else 0)
    assert set(accepted.states()) == left


def test_accept_all_is_of_this_toolset(accepted):
    accepted.file.with_name("other.yaml").write_text(TOOLSET)
    accepted.change()
    result = review(accepted, "Aq")
    assert result.stdout.splitlines()[-1] == "4 the same, 4 accepted, 8 not decided"


def test_what_was_rejected_is_named_with_the_line_to_change(accepted):
    accepted.change()
    result = review(accepted, "sssr")
    assert "toolsets/api.yaml:6: makes toolsets/__snapshots__/api/tool.get.help.md, which was rejected\n" in result.stdout


def test_undo_brings_an_orphan_back(accepted):
    accepted.change("  - name: put\n    description: Put it there\n    stub: done\n", "")
    before = (accepted.kept / "tool.put.help.md").read_bytes()
    review(accepted, "Au")
    assert (accepted.kept / "tool.put.help.md").read_bytes() == before


def test_review_with_nothing_to_decide_asks_nothing(accepted):
    result = review(accepted, "")
    assert (result.exit_code, result.stdout) == (0, "8 the same\n")
