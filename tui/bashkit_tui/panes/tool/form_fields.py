"""The fields of a tool's form, made from its input schema, and the parameters that their values make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bashkit.tools import json_text
from bashkit.tools.call.coercion import coerce
from bashkit.tools.call.command_line import command_line
from bashkit.tools.call.validation import ArgumentChecker, flag_name
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import expectation
from bashkit_tui.scripts.syntax_notes import syntax_note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools import ToolDef

Kind = Literal["text", "number", "switch", "select", "rows", "json", "lines"]
Path = tuple[str, ...]
Typed = str | bool | list[str]  # the value of a control: a text or a choice, the state of a switch, the texts of rows

_DEEPEST = 4  # levels of nested objects whose fields get controls of their own
_SCALARS = {"string", "integer", "number", "boolean"}


@dataclass(frozen=True, slots=True)
class FormField:
    """One control of a form.

    Attributes:
        path: The path of its value in the parameters: ``("address", "city")``.
        kind: The kind of control.
        type: The expected type, in the words of the tool's own messages.
        required: Whether the tool refuses a call without it.
        default: The schema's default as text, or None.
        choices: The texts of a select's values.
        description: The author's description on one line, with the bounds of the value.
        part: The expanded schema.
    """

    path: Path
    kind: Kind
    type: str
    required: bool
    default: str | None
    choices: tuple[str, ...]
    description: str
    part: schema.Schema = field(repr=False)

    @property
    def name(self) -> str:
        """The flag without its dashes: ``address.city``."""
        return ".".join(self.path)

    @property
    def initial(self) -> Typed:
        """The value of the untouched control."""
        if self.kind == "switch":
            return self.part.get("default") is True
        return [] if self.kind == "rows" else ""


@dataclass(frozen=True, slots=True)
class Filled:
    """The result of reading a form.

    Attributes:
        params: The parameters; empty fields are left out.
        problems: The messages with which the tool would refuse the call.
        line: The call as a line of bash.
    """

    params: dict[str, Any]
    problems: tuple[str, ...]
    line: str


_WORDS = FormField(
    ("arguments",), "text", "words", required=False, default=None, choices=(), description="As bash has them", part={}
)
_STDIN = FormField(
    ("standard input",), "lines", "text", required=False, default=None, choices=(), description="Piped in", part={}
)


class Form:
    """The form of one tool.

    Args:
        definition: The tool; one in raw form has a field for its words.

    Attributes:
        fields: Its fields, the required ones first.
    """

    def __init__(self, definition: ToolDef) -> None:
        self.definition = definition
        self._root: schema.Schema = dict(definition.input_schema)
        self._checker = ArgumentChecker(self._root)
        flat = schema.expand(self._root, self._root)
        found = [_WORDS] if definition.raw else self._fields(flat, (), needed=True, depth=0)
        found += [_STDIN] if definition.stdin else []
        self.fields = tuple(sorted(found, key=lambda item: not item.required))

    def _fields(self, flat: schema.Schema, above: Path, *, needed: bool, depth: int) -> list[FormField]:
        required = schema.required(flat)
        found: list[FormField] = []
        for name, inner in schema.fields(flat).items():
            part = schema.expand(inner, self._root)
            path, wanted = (*above, name), needed and name in required
            if _is_record(part) and depth < _DEEPEST and all("." not in step for step in (*path, *schema.fields(part))):
                found += self._fields(part, path, needed=wanted, depth=depth + 1)
            else:
                found.append(_field(path, part, self._root, required=wanted))
        return found

    def read(self, typed: Mapping[Path, Typed]) -> Filled:
        """Read the parameters from the controls, validate them, and make the command line.

        Args:
            typed: The values of the controls by path; a missing one is untouched.
        """
        stdin = str(typed.get(_STDIN.path, "")) if self.definition.stdin else ""
        if self.definition.raw:
            return self._read_words(str(typed.get(_WORDS.path, "")), stdin)
        params: dict[str, Any] = {}
        problems: list[str] = []
        for item in self.fields:
            if item is _STDIN:
                continue
            try:
                given, value = _value(item, typed.get(item.path, item.initial), self._root)
            except ValueError as error:
                problems.append(f"{flag_name(list(item.path))}: {error}")
                continue
            if given:
                inner = params
                for step in item.path[:-1]:
                    inner = inner.setdefault(step, {})
                inner[item.path[-1]] = value
        unread = tuple(problem.partition(": ")[0] for problem in problems)
        if self.definition.stdin != "json" or not stdin.strip():
            found = self._checker.problems(self._checker.fill(params))
            problems += [
                problem for problem in found if not _about(problem, unread)
            ]  # an unreadable value is not reported as missing too
        return Filled(params, tuple(problems), command_line(self.definition, params, stdin))

    def _read_words(self, text: str, stdin: str) -> Filled:
        line = " ".join([command_line(self.definition, {}, stdin), text]).strip()
        note = syntax_note(line)
        return Filled({}, () if note is None else (f"--{_WORDS.name}: {note.message}",), line)


def problems_of(item: FormField, filled: Filled) -> tuple[str, ...]:
    """The problems of one field, without its name."""
    flag = flag_name(list(item.path))
    own = [problem.removeprefix(flag) for problem in filled.problems if _about(problem, (flag,))]
    return tuple(problem.removeprefix(":").strip() for problem in own)


def _about(problem: str, flags: tuple[str, ...]) -> bool:
    return any(problem.startswith((f"{flag}:", f"{flag} ", f"{flag}[", f"{flag}.")) for flag in flags)


def _is_record(part: schema.Schema) -> bool:
    """Whether an object has declared fields only."""
    plain = not part.keys() & {"patternProperties", "anyOf", "oneOf", "default"} and not isinstance(
        part.get("additionalProperties"), dict
    )
    return plain and schema.types(part) == ("object",) and bool(schema.fields(part)) and schema.choices_of(part) is None


def _field(path: Path, part: schema.Schema, root: schema.Schema, *, required: bool) -> FormField:
    choices = schema.choices_of(part)
    texts = tuple(_text(choice) for choice in choices or ())
    description = " ".join([" ".join(str(part.get("description", "")).split()), *_bounds(part)]).strip()
    default = _text(part["default"]) if "default" in part else None
    return FormField(path, _kind(part, root, texts), expectation(part), required, default, texts, description, part)


def _kind(part: schema.Schema, root: schema.Schema, texts: tuple[str, ...]) -> Kind:
    if texts:
        return "select" if len(set(texts)) == len(texts) else "json"
    kinds = {kind for kind in schema.types(part) if kind != "null"}
    if kinds == {"boolean"}:
        return "switch"
    if kinds and kinds <= {"integer", "number"}:
        return "number"
    if kinds <= _SCALARS:
        return "text"
    inner = set(schema.types(schema.expand(part.get("items"), root)))
    if kinds == {"array"} and inner and inner <= _SCALARS:
        return "rows"
    return "json"


def _bounds(part: schema.Schema) -> list[str]:
    """The bounds of a value beyond its type, in parentheses."""
    words = {
        "minimum": "at least {}",
        "maximum": "at most {}",
        "exclusiveMinimum": "more than {}",
        "exclusiveMaximum": "less than {}",
    }
    words |= {"multipleOf": "a multiple of {}", "pattern": "matches {}"}
    words |= {"minLength": "at least {} characters", "maxLength": "at most {} characters"}
    words |= {"minItems": "at least {} items", "maxItems": "at most {} items"}
    found = [text.format(part[key]) for key, text in words.items() if key in part]
    return [f"({', '.join(found)})"] if found else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json_text.encode(value)


def _value(item: FormField, typed: Typed, root: schema.Schema) -> tuple[bool, Any]:
    """Whether a control has a value, and the value.

    Raises:
        ValueError: The text is not JSON.
    """
    if isinstance(typed, bool):
        return item.required or typed != item.initial, typed
    if isinstance(typed, list):
        items = schema.expand(item.part.get("items"), root)
        return any(typed), [coerce(text, items, root) for text in typed if text]
    if not typed:
        return False, None
    if item.kind == "select":
        choices = schema.choices_of(item.part) or []
        return True, choices[item.choices.index(typed)] if typed in item.choices else typed
    if item.kind == "json":
        return bool(typed.strip()), json_text.decode(typed) if typed.strip() else None
    return True, coerce(typed, item.part, root)
