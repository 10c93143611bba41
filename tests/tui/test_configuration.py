"""The settings: theme and keys from a file, and what is said about mistakes in it."""

from pathlib import Path

import pytest

from bashkit_tui.app import InspectorApp
from bashkit_tui.screens.help import HelpScreen
from bashkit_tui.settings.configuration import default_file, is_key, read
from bashkit_tui.settings.key_bindings import Declared, declared
from bashkit_tui.settings.themes import LIGHT

from .conftest import GREENHOUSE

ACTIONS = {
    "script.run": Declared("Inspector", "ctrl+r,f5"),
    "toolset.check": Declared("Inspector", "f4"),
    "help.open": Declared("Everywhere", "f1"),
}


@pytest.fixture
def reading(tmp_path):
    def found(text, required=True):
        file = tmp_path / "inspector.toml"
        file.write_text(text)
        return read(file, required=required, themes=["bashkit-light", "nord"], actions=ACTIONS)

    return found


@pytest.mark.parametrize(
    ("text", "theme", "keys"),
    [
        ("", None, {}),
        ('theme = "nord"', "nord", {}),
        ('[keys]\n"script.run" = "f9, ctrl+enter"', None, {"script.run": "f9,ctrl+enter"}),
        ('[keys]\nscript.run = "f9"', None, {"script.run": "f9"}),
        ('keys = {"help.open" = "?"}', None, {"help.open": "?"}),
    ],
)
def test_what_is_right_is_taken(reading, text, theme, keys):
    found = reading(text)
    assert (found.theme, found.keys, found.mistakes) == (theme, keys, ())


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('thema = "nord"', 1, "thema: there is no such setting (did you mean theme?)"),
        ('\n\ntheme = "nrod"', 3, "theme: there is no theme 'nrod' (did you mean nord?)"),
        ("theme = 1", 1, "theme: there is no theme 1"),
        ("keys = 1", 1, "keys: it must be a table, [keys]"),
        ('# c\n[keys]\n"script.rum" = "f9"', 3, "script.rum: there is no such action (did you mean script.run?)"),
        ('[keys]\nscript.rum = "f9"', 2, "script.rum: there is no such action (did you mean script.run?)"),
        ("[keys]\n'script.run' = 9", 2, 'script.run: its keys must be a string such as "f9,ctrl+r"'),
        ('[keys]\n"script.run" = ""', 2, 'script.run: its keys must be a string such as "f9,ctrl+r"'),
        ('[keys]\n"script.run" = "f9,strg+r"', 2, "script.run: there is no key 'strg+r'"),
        ('[keys]\n"script.run" = "f4"', 2, "script.run: the key 'f4' is that of toolset.check too"),
        ('theme = "x', 1, "TOML: Unterminated string"),
        ("a = 1\nb = \n", 2, "TOML: Invalid value"),
        ("a = 1\n[keys", 2, "TOML: Expected ']' at the end of a table declaration"),
    ],
)
def test_a_mistake_is_named_with_its_line(reading, text, line, message):
    found = reading(text)
    assert [(one.line, one.message[: len(message)]) for one in found.mistakes] == [(line, message)]
    assert str(found.mistakes[0]).startswith(f"{found.mistakes[0].file}:{line}: ")


def test_the_rest_of_a_file_with_a_mistake_counts(reading):
    found = reading('theme = "nord"\n[keys]\n"script.rum" = "f9"\n"help.open" = "f9"')
    assert (found.theme, found.keys, len(found.mistakes)) == ("nord", {"help.open": "f9"}, 1)


def test_keys_may_change_their_places(reading):
    assert reading('[keys]\n"script.run" = "f4"\n"toolset.check" = "f5"').mistakes == ()


def test_a_file_that_is_gone_matters_only_when_it_was_asked_for(tmp_path):
    def found(required):
        return [str(one) for one in read(tmp_path / "x", required=required, themes=[], actions={}).mistakes]

    assert found(required=False) == []
    assert found(required=True) == [f"{tmp_path / 'x'}: there is no such file"]


def test_a_file_that_cannot_be_read_is_said(tmp_path, reading):
    (tmp_path / "inspector.toml").write_bytes(b"\xff")
    found = read(tmp_path / "inspector.toml", required=False, themes=[], actions={})
    assert found.mistakes[0].message == "the file cannot be read: it is not UTF-8"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"XDG_CONFIG_HOME": "/c", "HOME": "/h"}, "/c/bashkit/inspector.toml"),
        ({"XDG_CONFIG_HOME": "relative", "HOME": "/h"}, "/h/.config/bashkit/inspector.toml"),  # the specification: ignore it
        ({"HOME": "/h"}, "/h/.config/bashkit/inspector.toml"),
    ],
)
def test_where_the_file_is(environ, expected):
    assert default_file(environ) == Path(expected)


@pytest.mark.parametrize(
    "key", ["a", "?", "f9", "ctrl+r", "ctrl+shift+up", "question_mark", "full_stop", "minus", "escape", "é", "alt+enter"]
)
def test_keys_that_there_are(key):
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "strg+r", "ctrl+", "f99x", "ctrl+nonsense", "a b"])
def test_keys_that_there_are_not(key):
    assert not is_key(key)


def test_no_declared_keys_of_one_place_are_the_same(reading):
    by_place = [(one.group, key) for one in declared().values() for key in one.keys.split(",")]
    assert sorted(by_place) == sorted(set(by_place))


async def test_the_inspector_takes_the_settings_and_says_what_is_wrong(tmp_path, monkeypatch):
    file = tmp_path / "bashkit" / "inspector.toml"
    file.parent.mkdir()
    file.write_text('theme = "bashkit-light"\n[keys]\n"help.open" = "f11"\n"a[b].c" = "x"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    app = InspectorApp([GREENHOUSE], poll_seconds=3600, settings=True)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.theme == LIGHT.name
        assert [note.message for note in app._notifications] == [f"{file}:4: a[b].c: there is no such action"]
        await pilot.press("f11")
        assert isinstance(app.screen, HelpScreen)
