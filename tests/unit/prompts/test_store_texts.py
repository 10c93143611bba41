"""What is shown beside a difference: marked words and sizes; and what is kept of a toolset file."""

import sys
from types import SimpleNamespace

import pytest

from bashkit import load
from bashkit.prompts import Collection, sizes
from bashkit.prompts.collection import output
from bashkit.prompts.differences import diff_lines
from bashkit.tools import ToolResponse

HEAD = "--- a\n+++ b\n@@ -1 +1 @@\n"
TOOLSET = """\
version: 1
name: api
prompt: {snapshots: [compact], max_chars: 3000}
tools:
  - name: get
    description: Get it
    stub: 1
tests:
  - {name: it works, script: get, snapshot: true}
  - {name: it counts, script: get}
"""


def marked(diff):
    return [[line.text[first:behind] for first, behind in line.changed] for line in diff_lines(HEAD + diff)[3:]]


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        ("-Fetch a user\n+Fetch one user\n", [["a"], ["one"]]),
        (" same\n-Fetch a user by id\n+Fetch a user\n", [[], [" by id"], []]),
        ("-nothing in common\n+quite another line\n", [[], []]),
        ("-a b c d e f\n+a b c\n+d e f\n", [[" "], [], []]),
        ("-only removed\n", [[]]),
        ("-a b c\n\\ No newline at end of file\n+a b d\n", [["c"], [], ["d"]]),
    ],
)
def test_changed_words_are_marked_inside_the_line(diff, words):
    assert marked(diff) == words


def test_a_very_long_change_is_not_compared_word_by_word():
    assert marked(f"-{'a ' * 3000}\n+{'a ' * 3000}b\n") == [[], []]


@pytest.fixture
def no_tokens(monkeypatch):
    monkeypatch.setattr(sizes, "_counter", lambda: None)


@pytest.mark.parametrize(
    ("before", "after", "budget", "text"),
    [
        ("abcd", "abcdef", None, "4 → 6 characters (+2)"),
        ("abcd", "a", 10, "4 → 1 characters (-3), 10 % of 10"),
        (None, "abc", 4, "3 characters, 75 % of 4"),
        ("abc", None, 4, "3 characters"),
    ],
)
def test_sizes_before_and_after_and_the_share_of_the_budget(no_tokens, before, after, budget, text):
    assert sizes.describe(before, after, budget) == text


def test_tokens_are_counted_where_tiktoken_has_its_data(monkeypatch, tmp_path):
    fake = SimpleNamespace(get_encoding=lambda name: SimpleNamespace(encode_ordinary=str.split))
    monkeypatch.setitem(sys.modules, "tiktoken", fake)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    sizes._counter.cache_clear()
    assert sizes.size_of("one two").tokens is None  # the data would have to be fetched
    (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").touch()
    sizes._counter.cache_clear()
    try:
        assert sizes.describe("one two", "one two three") == "7 → 13 characters (+6), 2 → 3 tokens (+1)"
    finally:
        sizes._counter.cache_clear()


@pytest.mark.parametrize(
    ("response", "text"),
    [
        (ToolResponse("a\n", "", 0), "a\n"),
        (ToolResponse("a", "b\n", 0), "a\n(no newline)\n--- stderr\nb\n"),
        (ToolResponse("", "b\n", 2), "--- stderr\nb\n--- exit status\n2\n"),
        (ToolResponse("", "", 1), "--- exit status\n1\n"),
    ],
)
def test_the_output_of_a_test_is_what_the_model_gets(response, text):
    assert output(response) == text


@pytest.fixture
def collection(tmp_path):
    (tmp_path / "api.yaml").write_text(TOOLSET)
    return Collection.of(load(tmp_path / "api.yaml"), {})


def test_the_configured_modes_and_the_tests_that_ask_for_it_are_kept(collection):
    current = {item.path.name: item.current for item in collection.compare()}
    assert current.keys() >= {"system-prompt.md", "system-prompt.compact.md", "test.it-works.txt"}
    assert "test.it-counts.txt" not in current
    assert current["system-prompt.compact.md"] == collection.toolset.tool.system_prompt("compact")
    assert current["test.it-works.txt"] == "1\n"


def test_only_the_tests_that_are_asked_for_are_run(collection, monkeypatch):
    monkeypatch.setattr("bashkit.prompts.collection.run_test", lambda *given: pytest.fail("it was run"))
    assert [item.path.name for item in collection.compare(["help.md", "tool.*"])] == ["help.md", "tool.get.help.md"]


@pytest.mark.parametrize(
    ("name", "line"),
    [("system-prompt.md", 3), ("help.md", 2), ("tool.get.help.md", 5), ("test.it-works.txt", 9), ("mcp.json", 2)],
)
def test_every_document_has_a_line_that_makes_it(collection, name, line):
    assert collection.position(name) == (collection.toolset.path, line)


def test_only_the_prompt_has_a_budget(collection):
    assert (collection.budget("system-prompt.md"), collection.budget("help.md")) == (3000, None)
