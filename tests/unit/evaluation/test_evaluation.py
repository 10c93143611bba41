"""``bashkit eval``: models work at tasks, in every mode, behind every kind of interface; runs are recorded and compared."""

import json
from pathlib import Path

import pytest

from bashkit.errors import BashkitError
from bashkit.evaluation.transcript import read_transcripts

from .conftest import SUM, TASKS, TOOLSET, clever


def rows(out):
    """The rows of a table, by mode, without the times."""
    return {line.split()[0]: line.split()[1:-1] for line in out.splitlines()[1:] if line}


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_model_does_tasks_in_every_mode(run, serve, kind, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    modes = [word for mode in ("full", "compact", "discovery") for word in ("--mode", mode)]
    server = serve()
    code, out, err = run("--model", f"{kind}:fake-1", "--base-url", server.url, *modes)
    assert (code, err) == (0, "")
    means = ["2", "2", "2", "2.0", "1.5", "400", "20"]  # tasks, first, second, round trips, calls, tokens read and written
    assert rows(out) == {"full": means, "compact": means, "discovery": means}
    path = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[kind]
    assert {seen[1] for seen in server.web.seen} == {path}
    if kind == "anthropic":
        assert {(seen[2]["x-api-key"], seen[2]["anthropic-version"]) for seen in server.web.seen} == {("key", "2023-06-01")}


def test_an_address_of_anthropic_may_be_as_its_own_clients_take_it(run, serve, monkeypatch):
    server = serve()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
    assert run("--model", "anthropic:fake-1", "--mode", "full")[0] == 0
    assert {seen[1] for seen in server.web.seen} == {"/v1/messages"}


def test_plain_tools_have_no_shell_and_no_files(run, serve):
    code, out, _ = run("--model", "openai:fake-1", "--base-url", serve().url, "--task", "total")
    assert code == 0
    assert rows(out) == {
        "full": ["1", "1", "1", "2.0", "2.0", "400", "20"],
        "tools": ["1", "1", "1", "2.0", "2.0", "500", "20"],
    }


def test_what_fails_is_tried_again_and_told(run, serve):
    tried = []

    def late(prompt, results, tools):
        if not results:
            tried.append(prompt)
        return (
            clever(prompt, results, tools) if len(tried) > 1 else [("order", {"sku": "A", "pieces": 1})] if not results else "8"
        )

    words = ("--base-url", serve(late).url, "--task", "total", "--mode", "tools")
    code, out, _ = run("--model", "openai:fake-1", *words)
    assert code == 0
    assert rows(out.partition("\n\n")[0])["tools"][:3] == ["1", "0", "1"]
    assert out.partition("\n\n")[2].splitlines() == [
        "total (tools): answer: it does not contain '7'",
        "total (tools): calls: stock sku='A' happened 0 times instead of 1",
        "total (tools): calls: there was no successful call stock",
        "total (tools): calls: order happened 1 times instead of 0",
    ]
    tried.clear()
    code, out, _ = run("--model", "openai:fake-1", *words, "--tries", "1", "--json")
    assert code == 1
    (line,) = out.splitlines()
    result = json.loads(line)
    assert (result["passed"], result["answer"], result["attempt"], result["turns"]) == (False, "8", 1, 2)
    assert result["calls"] == [{"tool": "order", "arguments": {"sku": "A", "pieces": 1}, "exit_code": 0}]


def test_a_model_that_does_not_stop_is_stopped(run, serve):
    server = serve(lambda *_: [("depot", {"commands": "stock --sku A"})])
    code, out, _ = run("--model", "openai:fake-1", "--base-url", server.url, "--mode", "full", "--tries", "1", "--max-turns", "3")
    assert code == 1
    assert "report (full): after 3 round trips it still calls tools\nreport (full): /report.txt: it is missing\n" in out
    assert len(server.web.seen) == 6


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_run_that_cannot_be_recorded_ends(run, serve):
    code, _, err = run("--model", "openai:fake-1", "--base-url", serve().url, "--mode", "full", "--record", "/dev/full")
    assert (code, err.splitlines()[-1]) == (2, "bashkit: /dev/full cannot be written: No space left on device")


def test_a_recorded_run_needs_no_model_and_shows_what_a_change_of_the_toolset_does(run, serve, place):
    code, first, _ = run("--model", "openai:fake-1", "--base-url", serve().url, "--mode", "full", "--record", "run.jsonl")
    assert code == 0
    code, again, _ = run("--replay", "run.jsonl", "--mode", "full", "--record", "again.jsonl")
    assert code == 0
    assert rows(again) == rows(first)
    recorded, replayed = (
        sorted((json.loads(line) for line in (place / name).read_text().splitlines()), key=lambda one: one["task"])
        for name in ("run.jsonl", "again.jsonl")
    )
    assert [one["messages"] for one in replayed] == [one["messages"] for one in recorded]
    assert SUM in recorded[1]["messages"][1]["tool_calls"][0]["function"]["arguments"]

    (place / "depot.yaml").write_text(TOOLSET.replace("name: stock", "name: pieces").replace("Pieces of a", "Count a"))
    code, out, _ = run("--replay", "run.jsonl", "--mode", "full", "--tries", "1", "--against", "run.jsonl")
    assert code == 1
    difference = out.partition("against run.jsonl:\n\n")[2]
    assert "what the model reads in the mode full: " in difference
    assert any(line.startswith("  +") and "Count a product" in line for line in difference.splitlines())
    assert "2 → 0" in difference
    assert "total (full): done → failed (calls: stock sku='A' happened 0 times instead of 1)\n" in difference

    code, out, _ = run("--replay", "run.jsonl")
    assert code == 2


def everywhere(value, path=()):
    """The paths of all values in a transcript."""
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from everywhere(inner, (*path, key))


def with_other(value, path, other):
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_other(value[path[0]], path[1:], other)
    return copy


@pytest.mark.parametrize(
    "other",
    [None, "x", {}, *(pytest.param(other, marks=pytest.mark.thorough) for other in (True, -1, [], [[]], 10**40))],
    ids=repr,
)
def test_a_transcript_of_another_shape_is_told_or_replayed(run, serve, place, other):
    run("--model", "openai:fake-1", "--base-url", serve().url, "--mode", "full", "--tries", "1", "--record", "run.jsonl")
    lines = (place / "run.jsonl").read_text().splitlines()
    value = json.loads(lines[0])
    for path in list(everywhere(value)):
        if path[:1] in {("tools",), ("system",)}:
            continue
        text = json.dumps(with_other(value, path, other))
        (place / "odd.jsonl").write_text(f"{lines[1]}\n{text}\n")
        try:
            read_transcripts(Path("odd.jsonl"))
        except BashkitError as error:
            assert str(error).startswith("odd.jsonl:2: this line is no transcript of 'bashkit eval --record': ")
            assert len(str(error)) < 400
            continue
        code, _, err = run("--replay", "odd.jsonl", "--mode", "full", "--tries", "1", "--against", "odd.jsonl")
        assert code in {0, 1, 2}, (path, err)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("turns", "2", "turns: '2' is not of type 'integer'"),
        ("calls", [1], "calls.0: 1 is not of type 'object'"),
        ("calls", [{"arguments": {}, "exit_code": 0}], "calls.0: 'tool' is a required property"),
        ("usage", [], "usage: it has 0 turns, and messages has "),
        ("form", "gemini", "form: 'gemini' is not one of ['openai', 'anthropic']"),
        ("extra", 1, "Additional properties are not allowed ('extra' was unexpected)"),
    ],
)
def test_the_field_that_is_wrong_is_told(run, serve, place, field, value, message):
    run("--model", "openai:fake-1", "--base-url", serve().url, "--mode", "full", "--tries", "1", "--record", "run.jsonl")
    good, other = (place / "run.jsonl").read_text().splitlines()[:2]
    (place / "odd.jsonl").write_text(f"{good}\n{json.dumps(json.loads(other) | {field: value})}\n")
    code, _, err = run("--replay", "odd.jsonl", "--mode", "full")
    assert code == 2
    assert err.startswith(f"bashkit: odd.jsonl:2: this line is no transcript of 'bashkit eval --record': {message}")


def test_half_a_transcript_is_told(run, serve, place):
    run("--model", "openai:fake-1", "--base-url", serve().url, "--mode", "full", "--tries", "1", "--record", "run.jsonl")
    text = (place / "run.jsonl").read_text()
    (place / "run.jsonl").write_text(text[:-20])
    code, _, err = run("--replay", "run.jsonl", "--mode", "full")
    assert (code, "run.jsonl:2: this line is no transcript" in err, "this is not JSON" in err) == (2, True, True)


def test_what_passes_is_tried_again_and_what_does_not_is_told(run, serve, monkeypatch):
    from bashkit.evaluation.models import endpoint

    monkeypatch.setattr(endpoint, "_PAUSE", 0.001)
    server = serve()
    answers = [(429, {"Retry-After": "0"}, b"slow down"), (503, {}, b"later")]
    good = server.web.answers["/v1/chat/completions"]
    server.web.answers["/v1/chat/completions"] = lambda body: answers.pop() if answers else good(body)
    words = ("--model", "openai:fake-1", "--base-url", server.url, "--mode", "full", "--jobs", "1")
    assert run(*words)[0] == 0
    server.web.answers["/v1/chat/completions"] = (401, {}, b'{"error": "no such key"}')
    asked = len(server.web.seen)
    assert run(*words) == (2, "", f'bashkit: {server.url}/chat/completions: status 401: {{"error": "no such key"}}\n')
    assert len(server.web.seen) == asked + 1
    server.web.answers["/v1/chat/completions"] = (200, {}, b'{"detail": "hello"}')
    assert run(*words) == (2, "", f'bashkit: {server.url}/chat/completions: this is no answer of a model: {{"detail":"hello"}}\n')


def test_what_a_command_line_lacks_is_told(run, place):
    assert run("--model", "gpt")[2].startswith("bashkit: a model is openai:NAME, anthropic:NAME, llm:NAME, not 'gpt'")
    assert run("--model", "openai:gpt")[2] == "bashkit: OPENAI_API_KEY is not set: it holds the key of openai:gpt\n"
    assert "either --model or --replay" in run()[2]
    assert "no task of tasks.yaml matches 'x'" in run("--model", "openai:gpt", "--task", "x")[2]
    (place / "run.jsonl").write_text('{"task": 1}\n')
    assert run("--replay", "run.jsonl")[2].startswith(
        "bashkit: run.jsonl:1: this line is no transcript of 'bashkit eval --record': "
    )


@pytest.mark.parametrize(
    ("old", "new", "mark", "message"),
    [
        ("prompt: How", "promt: How", "3:5", "prompt is missing"),
        ("    files: {/notes", "    file: {/notes", "10:5", "unknown key 'file'"),
        ("name: report", "name: total", "8:11", "two tasks are called 'total'"),
        ("times: 0", "times: -1", "7:84", "-1 is less than the minimum of 0"),
        ('{equals: "3"}', "{matches: '('}", "12:38", "'(' is not a 'regex'"),
        ("version: 1", "version: 2", "1:10", "1 was expected"),
        (TASKS, "", "1:1", "the file is empty"),
    ],
)
def test_mistakes_in_tasks_have_a_position(run, place, old, new, mark, message):
    assert old in TASKS
    (place / "tasks.yaml").write_text(TASKS.replace(old, new))
    code, _, err = run("--model", "openai:gpt")
    assert code == 2
    assert err.startswith(f"tasks.yaml:{mark}: {message}")


def test_checks_of_texts():
    from bashkit.evaluation.tasks import _text_check

    check = _text_check({"equals": "a b", "contains": ["a", "c"], "lacks": "b", "matches": "^x"})
    assert list(check.failures("a b\n")) == ["it does not contain 'c'", "it contains 'b'", "it does not match '^x'"]
    assert list(_text_check("a").failures("abc")) == []
