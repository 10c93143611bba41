"""Completion: what is offered where. In the scripts a bar marks the cursor."""

import pytest

from bashkit.tools import ToolDef
from bashkit_tui.scripts.caret_context import caret_context
from bashkit_tui.scripts.completion import Vocabulary, complete

GET = ToolDef(
    "get_user",
    "Fetch a user",
    {
        "type": "object",
        "properties": {
            "verbose": {"type": "boolean"},
            "color": {"type": "boolean", "default": True},
            "tier": {"enum": ["basic", "gold", "two words", 3]},
            "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
            "address": {"type": "object", "properties": {"city": {"type": "string"}, "kind": {"enum": ["home", "work"]}}},
            "id": {"type": "integer", "description": "Which one"},
        },
        "required": ["id"],
    },
)
FILES = {
    "/": [("home", True), ("tmp", True)],
    "/home/user": [("a b.txt", False), ("data", True), (".rc", False)],
    "/home/user/data": [("x.json", False)],
}
WORDS = Vocabulary(
    {"get_user": GET, "get_users": ToolDef("get_users"), "list": ToolDef("list")},
    ("UNIT",),
    "/home/user",
    lambda path: FILES.get(path, ()),
)


def at(script):
    offset = script.rindex("|")
    return script[:offset] + script[offset + 1 :], offset


def offered(script):
    offer = complete(*at(script), WORDS)
    return [] if offer is None else [item.label for item in offer.items]


@pytest.mark.parametrize(
    ("script", "kind", "prefix", "words"),
    [
        ("|", "command", "", ()),
        ("ge|", "command", "ge", ()),
        ("a; b && ge|", "command", "ge", ()),
        ("a -x b\nge|", "command", "ge", ()),
        ("if ge|", "command", "ge", ()),
        ("for x in 1; do ge|", "command", "ge", ()),
        ("X=1 ge|", "command", "ge", ()),
        ("(ge|", "command", "ge", ()),
        ("{ ge|", "command", "ge", ()),
        ("a $(ge|", "command", "ge", ()),
        ('a "x $(ge|', "command", "ge", ()),
        ("a `ge|", "command", "ge", ()),
        ("a <(ge|", "command", "ge", ()),
        ("a b|", "argument", "b", ("a",)),
        ("a b |", "argument", "", ("a", "b")),
        ("a 'b c' d|", "argument", "d", ("a", "b c")),
        ('a "b $(c d) e" f|', "argument", "f", ("a", "b $() e")),
        ("a $(b c) d|", "argument", "d", ("a", "$()")),
        ("a 'b c|", "argument", "b c", ("a",)),
        ('a "b c|', "argument", "b c", ("a",)),
        ("a > b|", "redirection", "b", ("a",)),
        ("a 2>b|", "redirection", "b", ("a",)),
        ("a > b c|", "argument", "c", ("a",)),
        ("X=ab|", "argument", "ab", ("=",)),
        ("a $X|", "variable", "X", ()),
        ("a ${X|", "variable", "X", ()),
        ("a ${#X|", "variable", "X", ()),
        ('a "$X|', "variable", "X", ()),
        ("a $((X + Y|", "variable", "Y", ()),
        ("a # b|", "nothing", "", ()),
        ("cat <<E\ntext|", "nothing", "", ()),
        ("cat <<E\ntext\nE\nge|", "command", "ge", ()),
        ("a \\\n b|", "argument", "b", ("a", "\n")),
        ("case x in a) ge|", "command", "ge", ()),
    ],
)
def test_the_cursor_is_in(script, kind, prefix, words):
    text, offset = at(script)
    context = caret_context(text, offset)
    assert (context.kind, context.prefix, context.words) == (kind, prefix, words if kind != "variable" else ())
    assert text[context.start : offset].replace("\\", "").endswith(prefix)


@pytest.mark.parametrize(
    ("script", "labels"),
    [
        ("get|", ["get_user", "get_users", "getopts", "getconf"]),
        ("get_user|", ["get_user", "get_users"]),
        ("t_users|", ["get_users"]),
        ("mine() { :; }; mi|", ["mine"]),
        (
            "get_user -|",
            [
                "--id",
                "--verbose",
                "--no-color",
                "--tier",
                "--tags",
                "--address",
                "--address.city",
                "--address.kind",
                "--help",
                "--dry-run",
            ],
        ),
        ("get_user --id 5 --ti|", ["--tier"]),
        ("get_user --tags a --ta|", ["--tags"]),
        ("get_user --tier |", ["basic", "gold", "two words", "3"]),
        ("get_user --tier g|", ["gold"]),
        ("get_user --tier=g|", ["gold"]),
        ("get_user --tags |", ["a", "b"]),
        ("get_user --address.kind h|", ["home"]),
        ("get_user --verbose=|", ["true", "false"]),
        ("x | get_user --ti|", ["--tier"]),
        ("apple=1; echo $ap|", ["apple"]),
        ("for apple in 1; do echo ${ap|", ["apple"]),
        ("read -r apple pear; echo $p|", ["pear"]),
        ("echo $UN|", ["UNIT"]),
        ("cat d|", ["data/"]),
        ("cat data/|", ["x.json"]),
        ("cat /ho|", ["home/"]),
        ("cat .|", [".rc"]),
        ("cat 'a|", ["a b.txt"]),
        ("echo x > d|", ["data/"]),
        ("# ge|", []),
        ("echo |", []),
    ],
)
def test_what_is_offered(script, labels):
    found = offered(script)
    assert found[: len(labels)] == labels
    assert bool(found) == bool(labels)


def test_flags_of_a_utility_come_from_its_declaration():
    assert "--lines" in offered("head --l|")


def test_keywords_and_builtins_are_commands():
    assert "while" in offered("whi|")
    assert "export" in offered("exp|")


@pytest.mark.parametrize(
    ("script", "insert"),
    [
        ("cat a|", "a\\ b.txt "),
        ("cat 'a|", "a b.txt"),
        ("get_user --tier tw|", None),
        ("get_user --tier 'tw|", None),
        ("get_user --ti|", "--tier "),
    ],
)
def test_what_is_inserted_is_quoted_as_bash_needs_it(script, insert):
    offer = complete(*at(script), WORDS)
    assert (None if offer is None else offer.items[0].insert) == insert


@pytest.mark.parametrize("script", ["'" * 3, '"$(', "${", "$((", "<<", "`", "a\\", "case", "$(`\"'", "<(", "a" * 100_000])
def test_unfinished_scripts_do_no_harm(script):
    for offset in range(0, len(script) + 1, max(1, len(script) // 20)):
        complete(script, offset, WORDS)
