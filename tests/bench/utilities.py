"""Workloads of the utilities on 100 000 lines: what ``python -m tests.bench`` can run through bashkit, the real programs and the wheel.

Each workload is a name, a setup that makes its input, and a script; the setup is not timed. The input is the same for all engines.
"""

from __future__ import annotations

import random

LINES = 100_000
WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()


def lines() -> str:
    """Lines like those of a log: a number, a word, another number and a text."""
    source = random.Random(7)
    return "".join(
        f"{source.randrange(1_000_000)} {source.choice(WORDS)} {source.random():.6f} user{source.randrange(5000)}@example.com\n" for _ in range(LINES)
    )


def numbers() -> str:
    """Distinct numbers, one on each line."""
    source = random.Random(9)
    return "".join(f"{source.random() * 1000:.5f}\n" for _ in range(LINES))


def objects() -> str:
    """JSON objects, one on each line."""
    source = random.Random(8)
    return "".join(f'{{"id":{number},"name":"{source.choice(WORDS)}","n":{source.randrange(1000)}}}\n' for number in range(LINES))


INPUTS = {"log": lines, "numbers": numbers, "json": objects}

# name, input, script
UTILITIES = (
    ("grep: fixed word", "log", "grep gamma log | wc -l"),
    ("grep: count", "log", "grep -c 'user1[0-9]*@' log"),
    ("grep: -E alternation", "log", "grep -cE 'alpha|omega|user42@' log"),
    ("grep: -v", "log", "grep -vc alpha log"),
    ("grep: -o", "log", "grep -o 'user[0-9]*' log | wc -l"),
    ("grep: -i", "log", "grep -ic GAMMA log"),
    ("sed: s", "log", "sed 's/user/person/' log | wc -c"),
    ("sed: s///g", "log", "sed 's/[0-9]/#/g' log | wc -c"),
    ("sed: -n address", "log", "sed -n '/gamma/p' log | wc -l"),
    ("sed: two commands", "log", "sed -e '/alpha/d' -e 's/beta/B/' log | wc -l"),
    ("awk: field", "log", "awk '{print $2}' log | wc -c"),
    ("awk: count by key", "log", "awk '{c[$2]++} END{for(k in c) print k, c[k]}' log | sort"),
    ("awk: sum", "log", "awk '{s+=$1} END{print s}' log"),
    ("awk: sum of distinct values", "numbers", "awk '{s+=$1} END{print s}' numbers"),
    ("awk: filter", "log", "awk '$1 > 500000 && $2 == \"gamma\"' log | wc -l"),
    ("awk: print to a pipe", "log", "awk '{print $2 | \"sort -u\"}' log"),
    ("sort", "log", "sort log | tail -n 1"),
    ("sort -n", "log", "sort -n log | tail -n 1"),
    ("sort -k2,2 -k1,1n", "log", "sort -k2,2 -k1,1n log | tail -n 1"),
    ("sort -u", "log", "sort -u log | wc -l"),
    ("sort | uniq -c", "log", "cut -d' ' -f2 log | sort | uniq -c"),
    ("uniq -c", "log", "uniq -c log | wc -l"),
    ("cut -f", "log", "cut -d' ' -f2,4 log | wc -c"),
    ("cut -c", "log", "cut -c1-10 log | wc -c"),
    ("tr", "log", "tr a-z A-Z < log | wc -c"),
    ("tr -d", "log", "tr -d '0-9' < log | wc -c"),
    ("wc", "log", "wc log"),
    ("wc -l", "log", "wc -l log"),
    ("head | tail", "log", "head -n 50000 log | tail -n 1"),
    ("jq: field", "json", "jq -r .name json | wc -c"),
    ("jq: select", "json", "jq -c 'select(.n > 990)' json | wc -l"),
)
