"""bashkit explain."""

import json

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.toolset.package_data import examples

SHOP = str(examples() / "shop.yaml")


def explain(*arguments, **options):
    return CliRunner().invoke(cli, ["explain", *arguments], **options)


def test_it_tells_what_a_script_may_do():
    script = "for id in 1 2; do get_user --id $id; done > users.json\ncreate_discount --code $x\ncurl https://e.com < in"
    result = explain(SHOP, "-c", script)
    assert (result.exit_code, result.output.splitlines()) == (
        0,
        [
            "calls      line 1    get_user --id 1  (read)",
            "calls      line 1    get_user --id 2  (read)",
            "calls      line 2    create_discount --code …  (write)",
            "reads      line 3    in",
            "writes     line 1    users.json",
            "reaches    line 3    e.com",
        ],
    )


def test_as_json_from_standard_input():
    found = json.loads(explain("--json", input="get_user --id 1; $x").output)
    assert [call["tool"] for call in found["calls"]] == ["get_user"]
    assert found["unknown"] == [{"reason": "which command $x is", "line": 1, "column": 18}]


def test_a_dash_is_standard_input():
    assert explain(SHOP, "-", input="get_user --id 1").output == "calls      line 1    get_user --id 1  (read)\n"


def test_a_script_file(tmp_path):
    (tmp_path / "report.sh").write_text("echo hi")
    assert explain(SHOP, str(tmp_path / "report.sh")).output == "nothing: it calls no tool, and touches no file and no host\n"


def test_a_syntax_error():
    result = explain("-c", "get_user --id 1\nif x")
    assert (result.exit_code, result.output) == (
        1, "line 3: syntax error: unexpected end of file\ncalls      line 1    get_user --id 1  (read)\n"
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [["-c", "a", "b.sh"], ["nosuch.yaml"]])
def test_a_wrong_command_line(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.sh").write_text("")
    assert explain(*arguments).exit_code == 2
