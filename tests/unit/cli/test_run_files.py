import json
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from bashkit.cli import cli

TOOLSET = """\
version: 1
name: api
secrets: [TOKEN]
limits: {timeout: 1}
tools:
  - name: get
    effects: read
    input_schema: {type: object, properties: {id: {type: integer}, note: {type: string}}, required: [id]}
    callback: {python: "timed_calls.get"}
  - name: both
    effects: read
    callback: {script: "get --id 2"}
"""
CALLS = """\
import asyncio

async def get(args):
    await asyncio.sleep(0.02)
    if args["id"] == 9:
        raise ValueError("no such id")
    return {"id": args["id"], "mark": "<b>" + args.env["TOKEN"] + "</b>"}
"""


@pytest.fixture(scope="session")
def toolset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toolset")  # one for all tests, in whatever order: Python loads its module once
    (folder / "timed_calls.py").write_text(CALLS)
    file = folder / "api.yaml"
    file.write_text(TOOLSET)
    return str(file)


@pytest.fixture
def bashkit(toolset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKEN", "very-secret")

    def run(script, *arguments):
        return CliRunner().invoke(cli, ["run", toolset, "-c", script, *arguments])

    return run


@pytest.fixture
def events(bashkit, tmp_path):
    """Runs a script and returns its exit status and the complete events of its timeline."""

    def run(script):
        result = bashkit(script, "--trace-events", "out.json")
        value = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
        assert value["displayTimeUnit"] == "ms"
        return result.exit_code, [event for event in value["traceEvents"] if event["ph"] == "X"]

    return run


@pytest.fixture
def page(bashkit, tmp_path):
    """Runs a script and returns its exit status and its page."""

    def run(script):
        result = bashkit(script, "--report", "out.html")
        return result.exit_code, (tmp_path / "out.html").read_text(encoding="utf-8")

    return run


def test_a_timeline_has_the_script_and_its_calls_in_microseconds(events):
    status, (script, first, second) = events("get --id 1; get --id 9 --note very-secret; exit 3")
    assert (status, script["name"], script["tid"], script["args"]["exit_code"], script["args"]["calls"]) == (3, "script", 0, 3, 2)
    assert [(call["name"], call["tid"], call["args"]["exit_code"], call["args"]["attempts"]) for call in (first, second)] == [
        ("get", 1, 0, 1),
        ("get", 1, 1, 1),
    ]
    assert second["args"]["arguments"] == {"id": 9, "note": "***"}
    assert "no such id" in second["args"]["error"]
    assert 20_000 <= first["dur"] < script["dur"]
    assert first["ts"] + first["dur"] <= second["ts"]
    assert second["ts"] + second["dur"] <= script["dur"]


def test_concurrent_calls_have_rows_of_their_own(events):
    _, (_, *calls) = events("get --id 1 & get --id 2 & wait; get --id 3")
    assert [(call["args"]["arguments"]["id"], call["tid"]) for call in calls] == [(1, 1), (2, 2), (3, 1)]


def test_a_call_within_a_tool_names_it(events):
    _, (_, outer, inner) = events("both")
    assert (outer["name"], inner["name"], inner["args"]["within"], inner["tid"]) == ("both", "get", "both", 2)


def test_rows_have_names(bashkit, tmp_path):
    bashkit("get --id 1 & get --id 2 & wait", "--trace-events", "out.json")
    value = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    named = {event["tid"]: event["args"]["name"] for event in value["traceEvents"] if event["name"] == "thread_name"}
    assert named == {0: "script", 1: "calls 1", 2: "calls 2"}


@pytest.mark.parametrize(("script", "error"), [("get --id 1; if", "parse"), ("get --id 1; sleep 9", "timeout")])
def test_both_are_written_when_the_script_does_not_end(bashkit, tmp_path, script, error):
    bashkit(script, "--trace-events", "out.json", "--report", "out.html")
    value = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [event["args"]["error"] for event in value["traceEvents"] if event["name"] == "script"] == [error]
    assert f", {error}</b>" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_page_shows_script_output_and_what_every_call_was_given_and_gave(page):
    status, text = page("echo out; echo err >&2; get --id 1 | jq -r .mark; get --id 9; exit 4")
    assert status == 4
    assert "exit status 4" in text
    assert "<pre>out\n&lt;b&gt;***&lt;/b&gt;\n</pre>" in text
    assert "<pre>err\nget: no such id\n" in text
    assert text.count("<details>") == 2
    assert "<h3>Arguments</h3><pre>{\n  &quot;id&quot;: 1\n}</pre>" in text
    assert "<h3>Result</h3><pre>{&quot;id&quot;:1,&quot;mark&quot;:&quot;&lt;b&gt;***&lt;/b&gt;&quot;}\n</pre>" in text
    assert "<h3>Error</h3><pre>no such id</pre>" in text


def test_a_page_escapes_everything_and_shows_control_characters(page):
    hostile = "<script>alert(1)</script>"
    _, text = page(f"echo '{hostile}\x1b[31m'; printf '\\xff'; get --id 1 --note '{hostile}' # very-secret")
    assert "<script" not in text
    assert "very-secret" not in text
    assert "␛[31m" in text
    assert "\\udcff" in text
    assert "<title>api: exit status 0</title>" in text


def test_a_page_is_whole_html_that_loads_nothing(page):
    _, text = page("get --id 1")
    opened, loaded = [], []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            loaded.extend(value for name, value in attributes if name in {"src", "href"})
            if tag != "meta":
                opened.append(tag)

        def handle_endtag(self, tag):
            assert opened.pop() == tag

    Reader().feed(text)
    assert (opened, loaded) == ([], [])
    assert "url(" not in text
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text


def test_bars_stand_where_the_calls_were(page):
    _, text = page("sleep 0.05; get --id 1")
    left, width = map(float, re.search(r"left:([\d.]+)%;width:([\d.]+)%", text).groups())
    assert left > 10
    assert 1 < width <= 100 - left


@pytest.mark.parametrize("option", ["--trace-events", "--report"])
def test_standard_output_and_missing_directories_are_refused_before_the_run(bashkit, tmp_path, option):
    for place, reason in (("-", "name a file"), ("none/out", "there is no directory 'none'")):
        result = bashkit("get --id 1 > /dev/null; echo ran", option, place)
        assert (result.exit_code, result.stdout) == (2, "")
        assert reason in result.stderr
    assert not (tmp_path / "none").exists()


def test_what_cannot_be_recorded_is_not_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.yaml").write_text(
        "version: 1\nname: t\ntools: [{name: pay, effects: write, callback: {script: echo paid > /paid}}]\n"
    )
    done = CliRunner().invoke(cli, ["run", "t.yaml", "-c", "pay; cat /paid", "--record", "nowhere/calls.jsonl"])
    message = "bashkit: nowhere/calls.jsonl: it cannot be written: No such file or directory\n"
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", message)
