"""GitHub's own OpenAPI document, 13 MB and 1200 operations: it is read, checked, searched, called and imported.

Not part of the whole suite, because it downloads 28 MB: ``python -m pytest tests/real``. Without npm or its registry it is skipped.
"""

import json
import subprocess
import tarfile

import pytest

from bashkit.cli import main
from bashkit.toolset import check, load

from ..unit.web import Web

PACKAGE = "@octokit/openapi@23.0.2"
DOCUMENT = "package/generated/api.github.com.json"
CALLS = [
    ("issues_create o r --title Broken --labels bug,ui", "POST /repos/o/r/issues", {"title": "Broken", "labels": ["bug", "ui"]}),
    ("issues_create o r --title 7", "POST /repos/o/r/issues", {"title": 7}),  # the document allows numbers
    ("issues_list_for_repo o r --state ALL --labels bug,ui", "GET /repos/o/r/issues?state=all&labels=bug%2Cui", None),
    ("issues_update o r 7 --state closed", "PATCH /repos/o/r/issues/7", {"state": "closed"}),
    ("issues_add_labels o r 7 --labels bug,ui", "POST /repos/o/r/issues/7/labels", {"labels": ["bug", "ui"]}),
    ("issues_create_comment o r 7 --body Thanks", "POST /repos/o/r/issues/7/comments", {"body": "Thanks"}),
    ("repos_get o r", "GET /repos/o/r", None),
    ("repos_update o r --description New", "PATCH /repos/o/r", {"description": "New"}),  # no default makes it public
    ("repos_update o r --homepage ''", "PATCH /repos/o/r", {"homepage": ""}),
    ("repos_get_content o r docs/a.md --ref main", "GET /repos/o/r/contents/docs%2Fa.md?ref=main", None),
    ("repos_create_release o r --tag_name v1", "POST /repos/o/r/releases", {"tag_name": "v1"}),
    ("pulls_list o r --per_page 5 --page 2", "GET /repos/o/r/pulls?per_page=5&page=2", None),
    ("pulls_create o r --title T --head a --base b", "POST /repos/o/r/pulls", {"title": "T", "head": "a", "base": "b"}),
    ("pulls_merge o r 3 --merge_method squash", "PUT /repos/o/r/pulls/3/merge", {"merge_method": "squash"}),
    (
        """gists_create --files '{"a.txt": {"content": "hi"}}' --public true""",
        "POST /gists",
        {"files": {"a.txt": {"content": "hi"}}, "public": True},
    ),
    ("search_code --q 'addClass in:file'", "GET /search/code?q=addClass%20in%3Afile", None),
    (
        """actions_create_workflow_dispatch o r ci.yml --ref main --inputs '{"level": "debug"}'""",
        "POST /repos/o/r/actions/workflows/ci.yml/dispatches",
        {"ref": "main", "inputs": {"level": "debug"}},
    ),
    ("git_create_ref o r --ref refs/heads/x --sha abc", "POST /repos/o/r/git/refs", {"ref": "refs/heads/x", "sha": "abc"}),
    ("markdown_render --text '**hi**'", "POST /markdown", {"text": "**hi**"}),
    ("""echo '{"text": "from a pipe"}' | markdown_render""", "POST /markdown", {"text": "from a pipe"}),
    ("activity_mark_notifications_as_read --read", "PUT /notifications", {"read": True}),
]


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    folder = tmp_path_factory.mktemp("github")
    try:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot get {PACKAGE}: {error}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extract(DOCUMENT, folder, filter="data")
    return folder / DOCUMENT


@pytest.fixture(scope="module")
def web():
    server = Web()
    yield server
    server.close()


@pytest.fixture(scope="module")
def github(document, web):
    path = document.parent / "github.yaml"
    source = f"openapi: {document.name}\n    base_url: {web.url}\n    allow_private: true"
    path.write_text(f"version: 1\nname: github\nprompt: {{mode: discovery}}\nsources:\n  - {source}\n")
    with load(path) as toolset:
        yield toolset


def test_it_is_read_whole(github):
    assert len(github.tools) > 1200
    assert check(github.path) == []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("create an issue", "issues_create"),
        ("merge a pull request", "pulls_merge"),
        ("list branches", "repos_list_branches"),
        ("star a repository", "activity_star_repo_for_authenticated_user"),
        ("get the authenticated user", "users_get_authenticated"),
    ],
)
def test_discover_finds_what_is_asked_for(github, question, name):
    found = github.tool.execute_sync(f"discover '{question}' | head -3").stdout
    assert name in found.split()


@pytest.mark.parametrize(("script", "request_line", "body"), CALLS, ids=[call[0].split(" ")[0] for call in CALLS])
def test_calls_send_what_was_given_and_nothing_else(github, web, script, request_line, body):
    response = github.tool.execute_sync(script)
    assert (response.stdout, response.stderr, response.exit_code) == ('{"ok":true}\n', "", 0)
    assert web.last == request_line
    assert (json.loads(web.seen[-1][3]) if web.seen[-1][3] else None) == body


def test_import_writes_files_that_can_be_loaded(document, tmp_path, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["import", "openapi", str(document), "-o", str(tmp_path / "github.yaml")])
    assert caught.value.code == 0
    assert "included files; the prompt is in the mode discovery" in capsys.readouterr().err
    toolset = load(tmp_path / "github.yaml")
    assert len(toolset.tools) > 1200
    assert len(toolset.tool.system_prompt()) < 4000
