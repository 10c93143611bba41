"""Possessive repeats of groups: before Python 3.11.5 they are wrong unless the group itself gives nothing back (CPython's gh-106052)."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bashkit import regex
from bashkit.regex.emit import _possessive

# what the modules compile when they are imported, and which of it repeats a group possessively that is not atomic
COLLECT = """
import importlib, json, pkgutil, re, sys
from re import _constants, _parser

real, found = re.compile, []
SINGLE = {_constants.IN, _constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.ATOMIC_GROUP}

def parts(tree):
    for operator, argument in tree:
        yield operator, argument
        for item in argument if isinstance(argument, (tuple, list)) else [argument]:
            for inner in item if isinstance(item, list) else [item]:
                if isinstance(inner, _parser.SubPattern):
                    yield from parts(inner)

def compile(pattern, flags=0):
    if sys._getframe(1).f_globals["__name__"].startswith("bashkit"):
        found.append((pattern, int(flags)))
    return real(pattern, flags)

re.compile = compile
import bashkit
for module in pkgutil.walk_packages(bashkit.__path__, "bashkit."):
    source = module.module_finder.find_spec(module.name).loader.get_source(module.name)
    if not module.name.endswith("__main__") and (source is None or "compile(" in source):  # a compiled module has none
        try:
            importlib.import_module(module.name)
        except ImportError:
            pass  # of an extra that is not installed
wrong = [
    str(pattern)
    for pattern, flags in found
    for operator, argument in parts(_parser.parse(pattern, flags))
    if operator is _constants.POSSESSIVE_REPEAT and (len(argument[2]) != 1 or argument[2][0][0] not in SINGLE)
]
print(json.dumps([len(found), wrong]))
"""


def test_the_groups_that_the_code_repeats_are_atomic() -> None:
    done = subprocess.run([sys.executable, "-c", COLLECT], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    number, wrong = json.loads(done.stdout)
    assert number > 300
    assert wrong == []


@pytest.mark.parametrize(
    ("body", "written"), [("(?:ab|a)", "(?>ab|a)*+"), ("(ab|a)", "(?>(ab|a))*+"), ("[ab]", "[ab]*+"), ("a", "a*+")]
)
def test_repeats_of_a_users_pattern_are_atomic(body: str, written: str) -> None:
    assert _possessive(body, "*") == written


def test_any_characters_are_taken_at_once():
    """``re`` takes some 20 ns for each turn of a group, and next to nothing for a run of single characters."""
    assert regex.compile(".*", "extended")._re("a").pattern == "(?s:.)*+"
