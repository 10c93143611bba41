"""ToolDef: the declaration of a tool: name, description, arguments and results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from bashkit.errors import DefinitionError
from bashkit.host_options import check_choice, check_instance
from bashkit.limits import check_count, check_seconds
from bashkit.tools.define import schema as json_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bashkit.tools.call.retry import Retry

Effects = Literal["read", "write", "destructive"]
EFFECTS: tuple[Effects, ...] = ("read", "write", "destructive")
CHANGING: frozenset[Effects | None] = frozenset({"write", "destructive"})
Validation = Literal["off", "warn", "error"]
Errors = Literal["message", "type"]
Defaults = Literal["fill", "omit"]
DEFAULTS: tuple[Defaults, ...] = ("fill", "omit")
ERRORS: tuple[Errors, ...] = ("message", "type")
VALIDATIONS: tuple[Validation, ...] = ("off", "warn", "error")

# bash(1), RESERVED WORDS: a command with such a name could be called only in quotes, which no model would write
KEYWORDS = frozenset({
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while", "{", "}",
})  # fmt: skip
_CALLABLE = re.compile(r"\w[\w.:+@%-]*")


@dataclass(frozen=True, slots=True)
class Example:
    """One way to call a tool.

    Attributes:
        command: A command line, which may pipe the tool's output on.
        output: The output of the tool, as text or as a JSON value; None if the example does not include it.
        description: What the example shows, or "".
    """

    command: str
    output: Any = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class ToolDef:
    """The declaration of a tool, in the terms of OpenAPI. The ``with_…`` methods return changed copies.

    Args:
        name: The command word.
        description: What it does, for the model.
        input_schema: JSON Schema 2020-12 of the arguments, which are an object; ``{}`` allows any.
        output_schema: JSON Schema of the output, or None.
        tags: Words for finding it.
        category: The group in which it is listed, or "".
        examples: Ways to call it; ``with_examples`` takes plain command lines, too.
        details: More about it: the help shows it and ``discover`` searches it, prompts leave it out.
        effects: The effects of a call, or None if not declared. A call that writes or destroys is refused if it has a parameter
            that ``input_schema`` does not declare, unless that says otherwise or declares none.
        stdin: Whether ``args.stdin`` is filled from a pipe; ``"json"`` reads a JSON object of arguments from the pipe.
        rest: The parameter, an array of texts, that takes all words of a command line that are no flags of other parameters, in
            their order: for programs that parse their own options. "" if there is none.
        raw: The callback takes ``(args: list[str], stdin: str | None)``, the words as they were written.
        override: The tool may hide a builtin of the shell, or a utility that scripts rely on. It may always hide other utilities.
        inline: The callback is fast and never blocks: it runs in the interpreter's own thread and cannot be interrupted.
        timeout: Maximum seconds of one call; None for only the execution's limit.
        errors: What scripts read about an exception of the callback that is no ToolError: ``message``, without paths, addresses
            and credentials of the host; ``type``: the name of its class. None for the ScriptedTool's setting.
        max_calls: Maximum number of calls per execution; None for any number.
        retry: How failed calls are retried; None for no retries.
        cache: Seconds for which a result is reused for calls with the same arguments; None for no reuse.
        defaults: ``fill``: a parameter that a call leaves out gets the ``default`` of its schema. ``omit``: the callback gets
            only what the call has given.
        validate_output: How the output is checked against ``output_schema``: ``off``; ``warn`` reports mistakes on standard
            error; ``error`` lets the call fail. None for the ScriptedTool's setting.

    Raises:
        DefinitionError: The name cannot be called on a command line, a schema is not JSON Schema, or another field is wrong.
    """

    name: str
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    output_schema: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()
    category: str = ""
    examples: tuple[Example, ...] = ()
    details: str = ""
    effects: Effects | None = None
    stdin: bool | Literal["json"] = True
    rest: str = ""
    raw: bool = False
    override: bool = False
    inline: bool = False
    timeout: float | None = None
    errors: Errors | None = None
    max_calls: int | None = None
    retry: Retry | None = None
    cache: float | None = None
    defaults: Defaults = "fill"
    validate_output: Validation | None = None

    def __post_init__(self) -> None:
        reason = bad_name(self.name)
        if reason:
            raise DefinitionError(reason)
        where = f"tool {self.name}: "
        for name in ("description", "category", "details", "rest"):
            check_instance(where + name, getattr(self, name), str)
        for name, kind in (("tags", str), ("examples", Example)):
            for one in _listed(where + name, getattr(self, name)):
                check_instance(f"{where}each of {name}", one, kind)
        if self.stdin not in (True, False, "json"):
            raise DefinitionError(f"{where}stdin must be True, False or 'json', not {self.stdin!r}")
        for name, choices in (("effects", EFFECTS), ("errors", ERRORS), ("validate_output", VALIDATIONS)):
            if getattr(self, name) is not None:
                check_choice(where + name, getattr(self, name), choices)
        check_choice(f"{where}defaults", self.defaults, DEFAULTS)
        for name in ("timeout", "cache"):
            if getattr(self, name) is not None:
                check_seconds(where + name, getattr(self, name))
        if self.max_calls is not None:
            check_count(f"{where}max_calls", self.max_calls, 0)
        if self.retry is not None and not hasattr(self.retry, "attempts"):
            raise DefinitionError(f"{where}retry must be a Retry, not {self.retry!r}")
        self._check_schemas()

    def _check_schemas(self) -> None:
        for label, schema in (("input_schema", self.input_schema), ("output_schema", self.output_schema)):
            if schema is None and label == "output_schema":
                continue
            for path, message in json_schema.mistakes(schema):
                where = ".".join([label, *map(str, path)])
                raise DefinitionError(f"tool {self.name}: {where}: {message}")
        kind = self.input_schema.get("type", "object")
        if kind != "object":
            raise DefinitionError(f"tool {self.name}: input_schema.type: arguments are an object, not {kind!r}")
        if self.rest:
            root = dict(self.input_schema)
            rest = json_schema.expand(json_schema.parameters(root).get(self.rest), root)
            if json_schema.types(rest) != ("array",):
                raise DefinitionError(f"tool {self.name}: rest: {self.rest!r} is not an array in input_schema.properties")

    def with_schema(self, schema: Mapping[str, Any]) -> ToolDef:
        """A copy with this schema of the arguments."""
        return replace(self, input_schema=schema)

    def with_output_schema(self, schema: Mapping[str, Any]) -> ToolDef:
        """A copy with this schema of the output."""
        return replace(self, output_schema=schema)

    def with_tags(self, *tags: str | Iterable[str]) -> ToolDef:
        """A copy with these tags, given one by one or as a list."""
        words = [word for tag in tags for word in ([tag] if isinstance(tag, str) else tag)]
        return replace(self, tags=tuple(words))

    def with_category(self, category: str) -> ToolDef:
        """A copy in this category."""
        return replace(self, category=category)

    def with_examples(self, *examples: str | Example | Iterable[str | Example]) -> ToolDef:
        """A copy with these examples: command lines, or Example if the output is known."""
        found: list[Example] = []
        for item in examples:
            group = [item] if isinstance(item, (str, Example)) else item
            found.extend(one if isinstance(one, Example) else Example(one) for one in group)
        return replace(self, examples=tuple(found))

    def with_effects(self, effects: Effects) -> ToolDef:
        """A copy with these declared effects of a call."""
        return replace(self, effects=effects)

    def with_stdin(self, stdin: bool | Literal["json"]) -> ToolDef:
        """A copy that treats standard input this way."""
        return replace(self, stdin=stdin)

    def with_retry(self, retry: Retry) -> ToolDef:
        """A copy whose failed calls are retried this way."""
        return replace(self, retry=retry)

    def with_cache(self, seconds: float) -> ToolDef:
        """A copy whose results are cached for so many seconds."""
        return replace(self, cache=seconds)

    def with_timeout(self, seconds: float) -> ToolDef:
        """A copy whose calls may take so many seconds."""
        return replace(self, timeout=seconds)


def _listed(name: str, value: Any) -> Iterable[Any]:
    if not isinstance(value, (tuple, list)):
        raise DefinitionError(f"{name} must be a tuple, not {value!r}")
    return value


def bad_name(name: Any) -> str:
    """Why a command line cannot call a tool ``name``; "" if it can."""
    if not isinstance(name, str) or not name:
        return f"a tool needs a name, not {name!r}"
    if name in KEYWORDS:
        return f"the tool name {name!r} is a reserved word of the shell"
    if not _CALLABLE.fullmatch(name):
        return (
            f"the tool name {name!r} cannot be called on a command line: it starts with a letter, digit or underscore "
            "and goes on with those or one of . : + @ % -"
        )
    return ""
