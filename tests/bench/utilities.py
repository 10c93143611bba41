"""Workloads of the utilities on 100 000 lines, against the real programs, whose start is part of their time."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.bench.workloads import Workload

if TYPE_CHECKING:
    from pathlib import Path

LINES = 100_000
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()


def lines() -> str:
    """Lines like those of a log: a number, a word, another number and a text."""
    source = random.Random(7)
    return "".join(
        f"{source.randrange(1_000_000)} {source.choice(WORDS)} {source.random():.6f} user{source.randrange(5000)}@example.com\n"
        for _ in range(LINES)
    )


def numbers() -> str:
    """Distinct numbers, one on each line."""
    source = random.Random(9)
    return "".join(f"{source.random() * 1000:.5f}\n" for _ in range(LINES))


def table() -> str:
    """Rows of comma-separated values: a name, a word, a text and a number."""
    source = random.Random(11)
    return "".join(
        f"user{source.randrange(5000)},{source.choice(WORDS)},text {number},{source.randrange(1_000_000)}\n"
        for number in range(LINES)
    )


def objects() -> str:
    """JSON objects, one on each line."""
    source = random.Random(8)
    return "".join(f'{{"id":{number},"name":"{source.choice(WORDS)}","n":{source.randrange(1000)}}}\n' for number in range(LINES))


_SCRIPTS = (
    ("grep: fixed word", "grep gamma log | wc -l"),
    ("grep: count", "grep -c 'user1[0-9]*@' log"),
    ("grep: -E alternation", "grep -cE 'alpha|omega|user42@' log"),
    ("grep: -v", "grep -vc alpha log"),
    ("grep: -vE groups", "grep -vE 'a(1|2|3)[0-9]+' log | wc -l"),
    ("grep: -o", "grep -o 'user[0-9]*' log | wc -l"),
    ("grep: -i", "grep -ic GAMMA log"),
    ("sed: s", "sed 's/user/person/' log | wc -c"),
    ("sed: s///g", "sed 's/[0-9]/#/g' log | wc -c"),
    ("sed: -n address", "sed -n '/gamma/p' log | wc -l"),
    ("sed: two commands", "sed -e '/alpha/d' -e 's/beta/B/' log | wc -l"),
    ("awk: field", "awk '{print $2}' log | wc -c"),
    ("awk: count by key", "awk '{c[$2]++} END{for(k in c) print k, c[k]}' log | sort"),
    ("awk: sum", "awk '{s+=$1} END{printf \"%.0f\\n\", s}' log"),
    ("awk: sum of distinct values", "awk '{s+=$1} END{print s}' numbers"),
    ("awk: filter", "awk '$1 > 500000 && $2 == \"gamma\"' log | wc -l"),
    ("awk: print to a pipe", "awk '{print $2 | \"sort -u\"}' log"),
    ("sort", "sort log | tail -n 1"),
    ("sort -n", "sort -n log | tail -n 1"),
    ("sort -k2,2 -k1,1n", "sort -k2,2 -k1,1n log | tail -n 1"),
    ("sort -u", "sort -u log | wc -l"),
    ("sort -t, -k4,4n", "sort -t, -k4,4n table | tail -n 1"),
    ("sort | uniq -c", "cut -d' ' -f2 log | sort | uniq -c"),
    ("uniq -c", "uniq -c log | wc -l"),
    ("cut -f", "cut -d' ' -f2,4 log | wc -c"),
    ("cut -c", "cut -c1-10 log | wc -c"),
    ("tr", "tr a-z A-Z < log | wc -c"),
    ("tr -d", "tr -d '0-9' < log | wc -c"),
    ("wc", "wc log"),
    ("wc -l", "wc -l log"),
    ("head | tail", "head -n 50000 log | tail -n 1"),
    ("tac | head", "tac log | head -n 5"),
    ("paste", "paste numbers numbers | wc -c"),
    ("paste -s", "paste -sd, numbers | wc -c"),
    ("jq: field", "jq -r .name json | wc -c"),
    ("jq: select", "jq -c 'select(.n > 990)' json | wc -l"),
    ("jq: from a pipe", "cat json | jq -c '{name, half: (.n / 2)}' | wc -l"),
)

UTILITIES = tuple(Workload(name, script, kind="utility") for name, script in _SCRIPTS)


def write_inputs(folder: Path) -> None:
    """Write the files that the scripts read."""
    for name, make in (("log", lines), ("numbers", numbers), ("table", table), ("json", objects)):
        (folder / name).write_text(make(), encoding="utf-8")
