"""``bashkit run --files`` and ``--files-to``: what a script leaves behind."""

import json

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = (
    "version: 1\nname: api\nmounts: [{at: /data, directory: ./data, access: overlay}]\ntools: [{name: get, stub: {id: 1}}]\n"
)
SCRIPT = "echo 2 > /data/a; rm /data/b; mkdir -p new/empty; printf '\\377' > new/bytes; ln -s /data/a new/link; get"


@pytest.fixture
def bashkit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "api.yaml").write_text(TOOLSET)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a").write_text("one")
    (tmp_path / "data" / "b").write_text("two")
    return lambda *arguments: CliRunner().invoke(cli, ["run", "api.yaml", *arguments])


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_changed_files_are_listed_on_standard_error(bashkit, isolation):
    result = bashkit("-c", SCRIPT, "--files", "--isolation", isolation)
    assert result.stdout == '{"id":1}\n'
    assert result.stderr.splitlines() == [
        "changed /data/a",
        "removed /data/b",
        "added   /home/user/new/",
        "added   /home/user/new/bytes",
        "added   /home/user/new/empty/",
        "added   /home/user/new/link",
    ]


def test_in_json_they_are_part_of_the_object(bashkit):
    result = bashkit("-c", "echo 2 > /data/a; exit 3", "--files", "--json")
    assert (result.exit_code, result.stderr) == (3, "")
    assert json.loads(result.stdout)["files"] == [{"path": "/data/a", "state": "changed", "type": "file", "size": 2}]


def test_without_the_option_they_are_not(bashkit):
    assert "files" not in json.loads(bashkit("-c", "echo 2 > /data/a", "--json").stdout)


def test_a_name_cannot_control_the_terminal(bashkit):
    assert bashkit("-c", "echo > $'/data/\\e[31m'", "--files").stderr == "added   /data/\\x1b[31m\n"


def test_added_and_changed_files_are_written_to_a_directory(bashkit, tmp_path):
    result = bashkit("-c", f"{SCRIPT}; exit 3", "--files-to", "out/deep")
    assert (result.exit_code, result.stderr) == (3, "")
    out = tmp_path / "out" / "deep"
    assert {str(path.relative_to(out)) for path in out.rglob("*") if not path.is_dir()} == {"data/a", "home/user/new/bytes"}
    assert (out / "home/user/new/bytes").read_bytes() == b"\xff"
    assert (out / "home/user/new/empty").is_dir()


def test_files_of_the_host_are_not_replaced(bashkit, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("mine")
    result = bashkit("-c", "echo ran > /data/a; get", "--files-to", "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the directory 'out' is not empty" in result.stderr
