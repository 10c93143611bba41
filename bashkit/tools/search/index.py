"""Searches tools for a plainly worded wish: full-text search with bm25 and stemming, synonyms, and tolerance for typos."""

from __future__ import annotations

import math
import re
import threading
from difflib import get_close_matches
from typing import TYPE_CHECKING

from bashkit.tools.define import schema
from bashkit.tools.search.thesaurus import STOPWORDS, WEAK, join_phrases, synonyms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from bashkit.tools.define.definition import ToolDef

_COLUMNS = {"tools": ("name", "tags", "category", "description"), "details": ("parameters", "more")}  # column weights by table
_RANKS = {"tools": "bm25(tools, 8.0, 4.0, 2.0, 4.0)", "details": "bm25(details)"}
_PARAMETERS = 0.5  # weight of a match in a parameter, relative to one in the description
_WEAK = 0.3  # weight of a verb with little meaning
_UNASKED = 0.8  # factor for the score of a destructive tool if the query does not ask for destruction
_WRITTEN = 0.9  # factor for the score of a tool that changes something
_WRITING = re.compile(r"create|add|new|insert|register|update|edit|modify|change|set|put|patch|post")
_DESTRUCTIVE = re.compile(r"delete|remove|destroy|drop|purge|erase")
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST_WORDS = 24  # maximum words of a query
_LONGEST = 40  # maximum characters of a word
_LIKELY = 0.72  # minimum similarity of a typo and the word that was meant
_SHORTEST_TYPO, _SHORT = 4, 5  # minimum letters
_TYPO = 0.8  # weight of a match with a typo
_PREFIX = 0.5  # weight of a word of which only the beginning matches
_SHORTEST_PREFIX = 4
_FILLER = " ".join(["\u0430\u0431"] * 12)  # beside such long rows, the length of a description matters little
_RELATED = 0.4  # results need this share of the best match's score
_SAMPLED = 0.25  # the same among many tools, where the right one may rank lower
_MANY = 20
_NAMED = 3  # tools that are suggested for a name
_COMMON = re.compile(r"list|show|all|find|search|fetch|read|view|delete|remove|" + _WRITING.pattern)  # verbs that many tools have


class ToolIndex:
    """An index of tools, built when it is first searched.

    Args:
        definitions: The tools.
    """

    __slots__ = ("_connection", "_definitions", "_lock", "_rows", "_vocabulary")

    def __init__(self, definitions: Iterable[ToolDef]) -> None:
        self._definitions = tuple(definitions)
        self._connection: sqlite3.Connection | None = None
        self._rows = 0
        self._vocabulary: list[str] = []
        self._lock = threading.Lock()

    def search(self, text: str, among: Sequence[ToolDef] | None = None) -> list[ToolDef]:
        """Find the tools that match ``text``, the best match first.

        Args:
            text: A few words, or a sentence.
            among: The tools to search; by default all.
        """
        concepts = _concepts(text)
        if not concepts:
            return []
        with self._lock:
            self._build()
            totals = self._totals(concepts)
        wanted = None if among is None else {item.name for item in among}
        rows = [row for row in totals if wanted is None or self._definitions[row].name in wanted]
        if not rows:
            return []
        least = (_SAMPLED if len(self._definitions) > _MANY else _RELATED) * max(totals[row] for row in rows)
        return [self._definitions[row] for row in sorted(rows, key=lambda row: (-totals[row], row)) if totals[row] >= least]

    def named(self, name: str) -> list[str]:
        """The tools that are about every telling word in a name that no tool has: ``list_pull_requests`` finds ``pulls_list``."""
        concepts = [concept for concept in _concepts(_spaced(name).replace("-", " ").replace(".", " ")) if concept not in WEAK]
        telling = [concept for concept in concepts if not _COMMON.fullmatch(concept)]
        if not telling:
            return []
        with self._lock:
            self._build()
            rows = [set(self._concept(concept)) for concept in telling]
            totals = self._totals(concepts)
        found = set.intersection(*rows)
        best = sorted(found, key=lambda row: (-totals[row], row))[:_NAMED]
        return [self._definitions[row].name for row in best if totals[row] >= _RELATED * totals[best[0]]]

    def _totals(self, concepts: list[str]) -> dict[int, float]:
        """The score of each tool that matches any of the concepts."""
        totals: dict[int, float] = {}
        asked: set[int] = set()
        for concept in concepts:
            rows = self._concept(concept)
            if not rows:
                continue
            rarity = math.log(1 + len(self._definitions) / len(rows)) * (_WEAK if concept in WEAK else 1.0)
            for row, score in rows.items():
                totals[row] = totals.get(row, 0.0) + score * rarity
            words = (concept, *synonyms(concept))
            if any(map(_DESTRUCTIVE.match, words)) or any(map(_WRITING.fullmatch, words)):
                asked.update(rows)
        for row in totals.keys() - asked:
            definition = self._definitions[row]
            if definition.effects == "destructive" or _DESTRUCTIVE.match(definition.name):
                totals[row] *= _UNASKED
            elif _WRITING.match(definition.name):
                totals[row] *= _WRITTEN
        return totals

    def _concept(self, word: str) -> dict[int, float]:
        """How well each tool matches one word of the query or a synonym of it."""
        plain = "_" not in word
        scores = self._match(f'"{word.replace("_", " ")}"', 1.0)
        alike = synonyms(word)
        if plain and not scores and not alike:  # an unknown word may be the beginning of another one, or a typo
            if len(word) >= _SHORTEST_PREFIX:
                scores = self._match(f'"{word}"*', _PREFIX)
            if not scores:
                close = self._nearest(word)
                for other in close:
                    _raise(scores, self._match(f'"{other}"', _TYPO))
                alike = synonyms(close[0]) if close else {}
        for other, weight in alike.items():
            _raise(scores, self._match(f'"{other}"', weight))
        return scores

    def _nearest(self, word: str) -> list[str]:
        """The known words that ``word`` may be a typo of: of similar length, with the same first letter."""
        if len(word) < _SHORTEST_TYPO:
            return []
        reach = 1 if len(word) <= _SHORT else 2
        likely = [other for other in self._vocabulary if other[0] == word[0] and abs(len(other) - len(word)) <= reach]
        return get_close_matches(word, likely, 2, _LIKELY)

    def _match(self, term: str, weight: float) -> dict[int, float]:
        """How strongly each tool matches a term: bm25 without the rarity, which is computed for the whole concept."""
        assert self._connection is not None
        scores: dict[int, float] = {}
        for table, rank in _RANKS.items():
            factor = weight if table == "tools" else weight * _PARAMETERS
            found = self._connection.execute(f"SELECT rowid, {rank} FROM {table} WHERE {table} MATCH ?", (term,)).fetchall()  # noqa: S608
            if found:
                rarity = math.log((self._rows - len(found) + 0.5) / (len(found) + 0.5))
                _raise(scores, {row - 1: -score / rarity * factor for row, score in found})
        return scores

    def _build(self) -> None:
        if self._connection is not None:
            return
        import sqlite3

        connection = sqlite3.connect(":memory:", check_same_thread=False)
        texts = [_texts(item) for item in self._definitions]
        # bm25 counts no rarity for a word that half of the rows contain; the filler rows prevent that
        rows = texts + [dict.fromkeys(text, _FILLER) for text in texts * 2]
        for table, columns in _COLUMNS.items():
            connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5({', '.join(columns)}, tokenize='porter unicode61')")
            places = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", [[row[name] for name in columns] for row in rows])  # noqa: S608
        self._rows = len(rows)
        words = {word for text in texts for value in text.values() for word in _WORD.findall(value.casefold())}
        self._vocabulary = sorted(word for word in words if len(word) > 2 and not word.isdecimal())
        self._connection = connection


def _raise(scores: dict[int, float], others: dict[int, float]) -> None:
    for row, score in others.items():
        if score > scores.get(row, 0.0):
            scores[row] = score


def _concepts(text: str) -> list[str]:
    joined = join_phrases(text[:1000].casefold().replace("-", " "))
    words = [word for piece in joined.split() for word in (_WORD.findall(piece) if not synonyms(piece) else [piece])]
    words = [word[:_LONGEST] for word in dict.fromkeys(words)]
    telling = [word for word in words if word not in STOPWORDS and (len(word) > 1 or word.isdecimal())]
    return telling[:_MOST_WORDS]


def _texts(definition: ToolDef) -> dict[str, str]:
    root = dict(definition.input_schema)
    parameters: list[str] = []
    for name, part in schema.fields(schema.expand(root, root)).items():
        flat = schema.expand(part, root)
        parameters += [name, str(flat.get("description", "")), *map(str, schema.choices_of(flat) or ())]
    found = {
        "name": definition.name,
        "tags": " ".join(definition.tags),
        "category": definition.category,
        "description": definition.description,
        "parameters": " ".join(parameters),
        "more": definition.details,
    }
    return {name: _spaced(text) for name, text in found.items()}


def _spaced(text: str) -> str:
    """Split names into words: ``getUser_byID`` becomes ``get User by ID``."""
    return _HUMP.sub(" ", text).replace("_", " ").encode("utf-8", "replace").decode()
