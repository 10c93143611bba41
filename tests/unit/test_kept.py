"""What a process keeps of scripts that have ended is little, whatever they did."""

import gc
import tracemalloc

import pytest

from bashkit import Bash
from bashkit.regex import automaton, cache

MANY = 10_000  # objects: each script makes at least 300 for each turn


MATCH = "for i in {1..100}; do [[ a == $text$i ]]; done"
REMOVE = "for i in {1..100}; do x=${text#$text$i}; done"
FIND = "for i in {1..100}; do find / -maxdepth 0 -name $text$i; done"
PRINT = 'for i in {1..100}; do printf "$text$i" > /dev/null; done'


@pytest.mark.parametrize(
    ("script", "piece"), [*((script, piece) for script in (MATCH, REMOVE, FIND) for piece in ("[ab]", "@(a)")), (PRINT, "%d ")]
)
def test_patterns_and_formats_are_kept_where_they_are_small(script, piece):
    Bash(env={"text": "a"}).execute_sync(script)
    gc.collect()
    before = len(gc.get_objects())
    Bash(env={"text": piece * 300}).execute_sync(f"shopt -s extglob; {script}")
    gc.collect()
    assert len(gc.get_objects()) - before < MANY


def test_separators_are_kept_where_they_are_few():
    tracemalloc.start()
    try:
        Bash(env={"text": "a" * 100_000}).execute_sync("for i in {1..40}; do IFS=$i$text; set -- $i; read -r a b <<< x; done")
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 2_000_000
    finally:
        tracemalloc.stop()


def test_re_is_made_to_drop_the_long_patterns_that_it_keeps(monkeypatch):
    purged = []
    monkeypatch.setattr(cache, "_LONG", cache.Overflow(20_000, lambda: purged.append(1)))
    script = 'for i in {1..20}; do [[ a =~ $text$i ]]; echo a | sed -E "s/$text$i//"; done'
    Bash(env={"text": r"(a)\1" + "ab" * 1200}).execute_sync(script)
    assert len(purged) > 3


@pytest.mark.skipif(not automaton.is_there, reason="re2 is not there")
def test_re2_is_made_to_drop_the_engines_that_it_keeps(monkeypatch):
    purged = []
    monkeypatch.setattr(automaton.re2, "purge", lambda: purged.append(1))
    Bash(env={"text": "ab" * 4000}).execute_sync("for i in {1..20}; do [[ a =~ $text$i(b|c)+ ]]; done")
    assert len(purged) > 3
