"""Parses a tool's command line: flags and positional words into one JSON object, typed by the input schema."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bashkit.limits import COMPARED, paced
from bashkit.tools import json_text
from bashkit.tools.call.coercion import coerce
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import expectation, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FLAG = re.compile(r"--([^\s=-][^\s=]*)(?:=(.*))?", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DIGITS = 18  # a longer number is not a usual integer
_LONGEST = 255  # characters of a name that somebody may have mistyped
_MAX_DEPTH = 32  # maximum parts of a dotted flag
OUTPUT = "output_file"  # the parameter for a file that gets the output: -o, too, as of curl(1)
BODY = "body"  # the parameter for a request's whole body, in whose fields unknown flags are looked for
_LONGEST_NAME = 60  # maximum characters of a flag for which suggestions are made


@dataclass(slots=True)
class Reading:
    """The result of parsing a command line.

    Attributes:
        params: The parameters.
        problems: Mistakes in the command line itself, one sentence each.
        warnings: Likely mistakes, one sentence each.
        failed: The parameters that have no value because of a mistake.
    """

    params: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)

    def fail(self, path: tuple[str, ...], problem: str) -> None:
        """Note that a parameter has no value."""
        self.problems.append(problem)
        self.failed.add(path[0])


class FlagReader:
    """Parses command lines of one tool.

    ``--key value``, ``--key=value``, ``--flag``, ``--no-flag``, ``--object.field value``, repeated flags for arrays, ``--``
    as the end of flags, positional words for the required properties in schema order, or one JSON object for everything. Dashes
    and underscores in a flag's name are equivalent. The value of a flag that is not in the schema stays a string.

    Args:
        input_schema: The tool's schema.
        rest: As in ``ToolDef``: the parameter for all words that are no flags of other parameters. After ``--`` no word is such a
            flag; it is itself one of the words unless it is the first.
    """

    __slots__ = ("_expanded", "_flat", "_plain", "_rest", "_root")

    def __init__(self, input_schema: Mapping[str, Any], rest: str = "") -> None:
        self._root = dict(input_schema)
        self._rest = rest
        self._flat = schema.expand(self._root, self._root)
        self._expanded: dict[str, schema.Schema] = {}
        self._plain: dict[str, str] = {}  # the types of parameters that are plain texts or integers; "" for all others

    def read(self, words: list[str]) -> Reading:
        """Parse the words after the command's name."""
        reading = Reading()
        whole = self._whole(words)
        if whole is not None:
            reading.params = self.placed(whole)
            return reading
        if self._rest:
            self._read_rest(deque(words), reading)
            return reading
        positionals: list[str] = []
        pending = deque(words)
        while pending:
            word = pending.popleft()
            if word == "-o" and OUTPUT in schema.fields(self._flat):
                word = f"--{OUTPUT}"
            match = _FLAG.fullmatch(word)
            if word == "--":
                positionals.extend(pending)
                break
            if match:
                self._flag(match[1], match[2], pending, reading)
            elif word.startswith("-") and len(word) > 1 and not word.startswith("--") and not _NUMBER.fullmatch(word):
                reading.problems.append(f"unknown option {word}: parameters are written --name value")
            else:
                positionals.append(word)
        self._bind(positionals, reading)
        return reading

    def _read_rest(self, pending: deque[str], reading: Reading) -> None:
        """Parse the flags of parameters and leave all other words to the parameter ``rest``."""
        others: list[str] = []
        while pending:
            word = pending.popleft()
            match = _FLAG.fullmatch(word)
            if word == "--":
                others += [*([word] if others else []), *pending]
                break
            if match and find(match[1], schema.fields(self._flat)) is not None:
                self._flag(match[1], match[2], pending, reading)
            else:
                others.append(word)
        if others:
            reading.params.setdefault(self._rest, []).extend(others)

    def placed(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """JSON arguments as the schema has them: fields of the parameter ``body`` may stand beside it."""
        known = schema.fields(self._flat)
        inner = schema.fields(self._field(BODY)) if BODY in known else {}
        moved = {name: value for name, value in params.items() if name not in known and name in inner}
        if not moved or not isinstance(params.get(BODY, {}), dict):
            return dict(params)
        rest = {name: value for name, value in params.items() if name not in moved}
        return {**rest, BODY: {**rest.get(BODY, {}), **moved}}

    def empty(self, params: Mapping[str, Any]) -> list[str]:
        """A warning for each required text that is empty, as it is if a variable is not set."""
        if "" not in params.values():
            return []
        return [f"--{name} is empty" for name in schema.required(self._flat) if params.get(name) == ""]

    def _whole(self, words: list[str]) -> dict[str, Any] | None:
        """Parse a single JSON object that replaces all flags, unless it can only be the value of the first parameter."""
        if len(words) != 1:
            return None
        value = json_text.decode_object(words[0])
        if value is None:
            return None
        if self._rest and not value.keys() <= schema.fields(self._flat).keys():
            return None
        needed = schema.required(self._flat)
        if needed and not any(key in schema.fields(self._flat) for key in value):
            kinds = schema.types(self._expand(schema.fields(self._flat).get(needed[0])))
            if not kinds or "object" in kinds:
                return None
        return value

    def _expand(self, part: Any) -> dict[str, Any]:
        return schema.expand(part, self._root)

    def _field(self, name: str) -> schema.Schema:
        """The expanded schema of a parameter."""
        part = self._expanded.get(name)
        if part is None:
            part = self._expanded[name] = self._expand(schema.fields(self._flat).get(name))
        return part

    def _flag(self, name: str, argument: str | None, pending: deque[str], reading: Reading) -> None:
        """Parse one flag and, if it needs a value, the next word."""
        key = find(name, schema.fields(self._flat))
        if key is not None and argument is None and pending and self._taken_plainly(key, pending[0], reading):
            pending.popleft()
            return
        target = self._nested(name) if key is None else ((key,), self._field(key))
        if target is None and self._negated(name, argument, reading):
            return
        others = self._flat.get("additionalProperties")
        if target is None and isinstance(others, dict):
            target = (name,), self._expand(others)
        if target is not None:
            self._typed(name, *target, argument, pending, reading)
            return
        self._suspect(name, reading)
        if argument is None:
            argument = _value(pending)
        reading.params[name] = True if argument is None else argument

    def _negated(self, name: str, argument: str | None, reading: Reading) -> bool:
        """Parse ``--no-flag``, which sets a boolean to false; False if it is no such flag."""
        if not name.startswith("no-"):
            return False
        key = find(name[3:], schema.fields(self._flat))
        target = self._nested(name[3:]) if key is None else ((key,), self._field(key))
        if target is None or "boolean" not in schema.types(target[1]):
            return False
        if argument is not None:
            reading.problems.append(f"--{name} takes no value")
        _store(reading.params, target[0], value=False)
        return True

    def _taken_plainly(self, key: str, word: str, reading: Reading) -> bool:
        """Parse the most frequent flags quickly: a text as it is, an integer as a number. Return whether that succeeded."""
        kind = self._plain.get(key)
        if kind is None:
            part = self._field(key)
            simple = str(part.get("type")) in {"string", "integer"} and not part.keys() & {"enum", "const", "nullable", "format"}
            kind = self._plain[key] = str(part["type"]) if simple else ""
        if key in reading.params:
            return False
        if kind == "string" and not word.startswith("-") and word != "null":
            reading.params[key] = word
            return True
        if kind == "integer" and word.isdecimal() and word.isascii() and len(word) < _DIGITS:
            reading.params[key] = int(word)
            return True
        return False

    def _suspect(self, name: str, reading: Reading) -> None:
        if not schema.OTHERS.isdisjoint(self._flat) or len(name) > _LONGEST_NAME:
            return  # the schema itself handles unknown parameters
        known = schema.fields(self._flat)
        close = nearest(name, [*known, *(schema.fields(self._field(BODY)) if BODY in known else ())])
        if close is not None:
            reading.warnings.append(f"--{name} is not a parameter (did you mean --{close}?)")

    def _nested(self, name: str) -> tuple[tuple[str, ...], dict[str, Any]] | None:
        """The path and schema for ``address.city``; None if it is not a field of an object."""
        head, *rest = name.split(".")
        key = find(head, schema.fields(self._flat))
        if key is None and BODY in schema.fields(self._flat) and find(head, schema.fields(self._field(BODY))) is not None:
            key, rest = BODY, [head, *rest]
        if key is None or not rest or "" in rest or len(rest) > _MAX_DEPTH:
            return None
        path: tuple[str, ...] = (key,)
        part = self._field(key)
        for step in rest:
            if schema.types(part) and "object" not in schema.types(part):
                return None
            inner = find(step, schema.fields(part)) or step
            path += (inner,)
            part = self._expand(schema.fields(part).get(inner, part.get("additionalProperties", {"type": "string"})))
        return path, part

    def _typed(
        self, name: str, path: tuple[str, ...], part: dict[str, Any], argument: str | None, pending: deque[str], reading: Reading
    ) -> None:
        kinds = schema.types(part)
        switch = bool(kinds) and set(kinds) <= {"boolean", "null"}
        if argument is None and not (switch and pending and pending[0] not in {"true", "false", *({"null"} & {*kinds})}):
            argument = _value(pending)
        if argument is None and "boolean" in kinds:
            argument = "true"
        if argument is None:
            reading.fail(path, f"--{name} needs a value: expected {expectation(part)}")
            return
        try:
            value = coerce(argument, part, self._root)
            if _store(reading.params, path, value, listed="array" in kinds):
                reading.warnings.append(f"--{name} is given more than once: {show(value)} counts")
        except ValueError as error:
            reading.fail(path, f"--{name}: {error}")

    def _bind(self, positionals: list[str], reading: Reading) -> None:
        """Assign positional words to the required properties that no flag has set, in schema order."""
        if not positionals:
            return
        free = [name for name in schema.required(self._flat) if name not in reading.params]
        words = iter(positionals)
        for name, word in zip(free, words, strict=False):
            part = self._field(name)
            group = [word, *words] if name == free[-1] and schema.types(part) == ("array",) else [word]
            for one in group:
                try:
                    _store(reading.params, (name,), coerce(one, part, self._root))
                except ValueError as error:
                    reading.fail((name,), f"--{name}: {error}")
        if len(free) < len(positionals) and not (free and schema.types(self._field(free[-1])) == ("array",)):
            extra = " ".join(map(repr, positionals[len(free) :][:5]))
            reading.problems.append(f"unexpected argument {extra}: parameters are written --name value")


def find(name: str, properties: Mapping[str, Any]) -> str | None:
    """The property with a flag's name, in the same spelling or with underscores for dashes."""
    if name in properties:
        return name
    plain = name.replace("-", "_")
    return next((key for key in properties if key.replace("-", "_") == plain), None)


def nearest(name: str, properties: Iterable[str]) -> str | None:
    """The property that a misspelled flag probably means: a similar name, or one name that starts or ends with the other."""
    plain = name[:_LONGEST].replace("-", "_").casefold()
    known = {key.casefold(): key for key in properties}
    close = get_close_matches(plain, paced(known, COMPARED), 1, 0.75)
    if close:
        return known[close[0]]
    parts = [key for key in known if len(plain) > 1 and (key.startswith(f"{plain}_") or key.endswith(f"_{plain}"))]
    parts += [key for key in known if len(key) > 1 and (plain.startswith(f"{key}_") or plain.endswith(f"_{key}"))]
    return known[parts[0]] if len(parts) == 1 else None


def _value(pending: deque[str]) -> str | None:
    """Take the next word if it is a value; None if it is a flag or missing."""
    if not pending or pending[0] == "--" or _FLAG.fullmatch(pending[0]):
        return None
    return pending.popleft()


def _store(params: dict[str, Any], path: tuple[str, ...], value: Any, *, listed: bool = False) -> bool:
    """Set a parameter; arrays, and objects that are given in several parts, grow. Return whether another value was replaced.

    Args:
        params: The parameters.
        path: The place.
        value: The value.
        listed: Whether the schema allows an array there.
    """
    for step in path[:-1]:
        inner = params.setdefault(step, {})
        if not isinstance(inner, dict):
            raise ValueError(f"{step} is already {json_text.encode(inner)}")  # noqa: TRY004 - the script's mistake, not the caller's
        params = inner
    name = path[-1]
    before = params.get(name)
    if isinstance(before, dict) and isinstance(value, dict):
        before.update(value)
    elif name in params and (listed or (isinstance(before, list) and isinstance(value, list))):
        params[name] = [*_items(before), *_items(value)]
    else:
        replaced = name in params and before != value
        params[name] = value
        return replaced
    return False


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
