"""Fuzzy matching: which names fit a few letters, which letters were meant, which name fits best."""

import pytest

from bashkit_tui.texts.fuzzy import match


@pytest.mark.parametrize(
    ("query", "candidate", "meant"),
    [
        ("user", "get_user", "____user"),
        ("GET", "get_user", "get_____"),
        ("gu", "get_user", "g___u___"),
        ("gsr", "get_user", "g____s_r"),
        ("us", "bus_user", "____us__"),  # a word's beginning is meant before its middle
        ("user get", "get_user", "get_user"),
        ("ß", "STRAßE", "____ß_"),
        ("i", "İi", "_i"),  # lower case must not move the places
    ],
)
def test_the_letters_that_are_meant(query, candidate, meant):
    found = match(query, candidate)
    assert "".join(candidate[index] if index in found.letters else "_" for index in range(len(candidate))) == meant


@pytest.mark.parametrize(("query", "candidate"), [("x", "get_user"), ("resu", "get_user"), ("user x", "get_user"), ("a", "")])
def test_what_does_not_fit(query, candidate):
    assert match(query, candidate) is None


@pytest.mark.parametrize(
    ("query", "ordered"),
    [
        ("user", ["user", "user_list", "get_user", "superuser", "us_er"]),
        ("lo", ["low_stock", "flow", "list_orders", "lxo"]),
    ],
)
def test_the_better_match_comes_first(query, ordered):
    assert sorted(ordered, key=lambda name: -match(query, name).score) == ordered


def test_a_long_name_with_the_same_letters_is_found():
    assert match("a" * 30, "a_" * 2000) is not None  # which a search through all ways to place the letters would never end
