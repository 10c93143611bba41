"""Hypothesis strategies that generate small bash scripts from the rules in ``rules/*.txt``.

A file of rules holds one area of the language. ``name:`` begins a rule; every indented line below it is an alternative, the simplest
first, because Hypothesis shrinks towards it. ``«name»`` stands for a rule of the same file or of ``common.txt``, ``¶`` for a newline,
``␣`` for a blank that must survive at the end of a line, ``ε`` for nothing. ``script`` is where generation begins. Below ``needs``
stand the programs that a shell does not come with, each with the version that bashkit follows (``jq jq-1.8``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

RULES = Path(__file__).parent / "rules"
AREAS = sorted(path.stem for path in RULES.glob("*.txt") if path.stem != "common")

_REFERENCE = re.compile("«([a-z0-9]+)»")
_DEPTH = 7  # rules inside each other, above which only the shortest way out is taken
_EXPANSIONS = 70  # rules in one script, after which the same holds
_TOKEN = re.compile(r"\n|[ \t]+|\$\(\(|\$[({']|;;&|;[;&]|&&|\|\||<<-|<<<|>>|[<>]&|&>|\(\(|\)\)|\[\[|\]\]|[\w./-]+|.", re.DOTALL)
_INSERTED = "( ) { } [[ ]] (( )) ; ;; ;& && || | ! ' \" ` $( $(( ${ < > << <<< >& if then else elif fi for in do done while case esac function = \\ #".split()


@dataclass(frozen=True, slots=True)
class Alternative:
    """One right-hand side of a rule.

    Attributes:
        parts: Text and the names of rules, alternating; text comes first.
        height: How deep the shallowest expansion of it is.
    """

    parts: tuple[str, ...]
    height: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, and the alternatives that end soonest."""

    alternatives: st.SearchStrategy[Alternative]
    shortest: st.SearchStrategy[Alternative]


def _read(path: Path) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith("    "):
            found[line.removesuffix(":")] = alternatives = []
            continue
        text = line[4:].replace("¶", "\n").replace("␣", " ").replace("ε", "")
        alternatives.append(tuple(_REFERENCE.split(text)))
    return found


def _heights(rules: dict[str, list[tuple[str, ...]]]) -> dict[str, int]:
    """The height of every rule: that of its shallowest alternative."""
    heights: dict[str, int] = {}
    while len(heights) < len(rules):
        known = len(heights)
        for name, alternatives in rules.items():
            ready = [
                1 + max((heights[r] for r in parts[1::2]), default=0)
                for parts in alternatives
                if all(r in heights for r in parts[1::2])
            ]
            if ready and name not in heights:
                heights[name] = min(ready)
        if len(heights) == known:
            raise ValueError(f"rules without an end: {sorted(set(rules) - set(heights))}")
    return heights


@cache
def grammar(area: str) -> dict[str, Rule]:
    """The rules of an area, those of ``common.txt`` included."""
    rules = _read(RULES / "common.txt") | _read(RULES / f"{area}.txt")
    heights = _heights(rules)
    done: dict[str, Rule] = {}
    for name, written in rules.items():
        alternatives = [Alternative(parts, max((heights[r] for r in parts[1::2]), default=0)) for parts in written]
        least = min(alternative.height for alternative in alternatives)
        shortest = [alternative for alternative in alternatives if alternative.height == least]
        done[name] = Rule(st.sampled_from(alternatives), st.sampled_from(shortest))
    return done


def needs(area: str) -> dict[str, str]:
    """The programs that an area compares with, and how the first line of their ``--version`` begins."""
    return dict(parts[0].split(" ", 1) for parts in _read(RULES / f"{area}.txt").get("needs", []))


@st.composite
def scripts(draw: st.DrawFn, area: str) -> str:
    """Scripts of one area."""
    rules = grammar(area)
    left = _EXPANSIONS

    def expand(name: str, depth: int) -> str:
        nonlocal left
        left -= 1
        rule = rules[name]
        parts = draw(rule.alternatives if depth and left > 0 else rule.shortest).parts
        if len(parts) == 1:
            return parts[0]
        return "".join(expand(part, max(depth - 1, 0)) if index % 2 else part for index, part in enumerate(parts))

    return expand("script", _DEPTH).replace("$$", "$")  # the number of the process is not the same


@st.composite
def damaged_scripts(draw: st.DrawFn) -> str:
    """Scripts of any area of the shell in which tokens were removed, doubled, swapped or added."""
    whole = draw(st.sampled_from([area for area in AREAS if not needs(area)]).flatmap(scripts))
    tokens = _TOKEN.findall(whole.replace("kill", ":").replace(" & ", "; "))  # no signal gone astray, no race
    for _ in range(draw(st.integers(1, 3))):
        if not tokens:
            break
        place = draw(st.integers(0, len(tokens) - 1))
        edit = draw(st.sampled_from(("remove", "double", "swap", "add")))
        if edit == "remove":
            del tokens[place]
        elif edit == "double":
            tokens.insert(place, tokens[place])
        elif edit == "swap":
            other = draw(st.integers(0, len(tokens) - 1))
            tokens[place], tokens[other] = tokens[other], tokens[place]
        else:
            tokens.insert(place, f" {draw(st.sampled_from(_INSERTED))} ")
    return "".join(tokens).replace("$$", "$")
