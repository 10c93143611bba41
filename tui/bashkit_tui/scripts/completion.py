"""Completion in a script: commands, flags, values, variables, files."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from bashkit.syntax import RESERVED
from bashkit.tools import json_text
from bashkit.tools.call.flags import find
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import expectation
from bashkit_tui.scripts.caret_context import CaretContext, caret_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bashkit.tools import ToolDef

Kind = Literal["tool", "function", "builtin", "utility", "keyword", "flag", "value", "variable", "file"]

_MOST = 60
_COMMANDS = frozenset(
    ["command", "builtin", "exec", "xargs", "type", "timeout", "env", "nohup", "time", "help"]
)  # their operand is a command
_VARIABLES = (
    "HOME",
    "PWD",
    "OLDPWD",
    "IFS",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "BASH_REMATCH",
    "REPLY",
    "PIPESTATUS",
    "FUNCNAME",
    "EPOCHSECONDS",
)
_ASSIGNED = re.compile(
    r"(?:^|[\s;&|(`])([A-Za-z_]\w*)(?:\[[^]\n]*\])?\+?="
    r"|\b(?:for|select)\s+([A-Za-z_]\w*)"
    r"|\b(?:read|declare|local|export|typeset|readonly|mapfile|readarray|printf)\s+((?:-\w+\s+)*[A-Za-z_][\w ]*)",
    re.MULTILINE,
)
_FUNCTION = re.compile(r"(?:^|[;&|{(\s])(?:function\s+([^\s(){};&|]+)|([^\s(){};&|=$'\"]+)\s*\(\))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion.

    Attributes:
        label: The text in the list.
        insert: The text that replaces the beginning of the word.
        detail: A description on one line.
        kind: Its source.
    """

    label: str
    insert: str
    detail: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Offer:
    """The completions at the cursor.

    Attributes:
        start: The offset of the text to replace.
        prefix: The text to replace.
        items: The completions, the best first; never empty.
    """

    start: int
    prefix: str
    items: tuple[Completion, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that a script can use.

    Attributes:
        tools: The tools by name.
        variables: The names of the environment.
        directory: The working directory.
        listing: The entries of a directory of the virtual system: each name, and whether it is a directory.
    """

    tools: Mapping[str, ToolDef] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    directory: str = "/"
    listing: Callable[[str], Iterable[tuple[str, bool]]] = field(default=lambda _: ())


def complete(script: str, offset: int, vocabulary: Vocabulary) -> Offer | None:
    """The completions at the cursor; None without any.

    Args:
        script: The text.
        offset: The cursor's place in it.
        vocabulary: The names that it can use.
    """
    context = caret_context(script, offset)
    start, prefix = context.start, context.prefix
    if context.kind == "nothing":
        return None
    if context.kind == "variable":
        found: Iterable[Completion] = _variables(script, offset, vocabulary)
    elif context.kind == "command":
        found = _files(prefix, vocabulary) if "/" in prefix else _commands(script, offset, vocabulary)
    elif context.kind == "redirection":
        found = _files(prefix, vocabulary)
    else:
        flag, equals, value = prefix.partition("=")
        if equals and flag.startswith("--"):
            start, prefix = start + len(flag) + 1, value
            found = _values(context.words[0], flag, vocabulary)
        else:
            found = _arguments(context, script, offset, vocabulary)
    items = _fitting(found, prefix)
    return Offer(start, prefix, tuple(items)) if items else None


def _fitting(found: Iterable[Completion], prefix: str) -> list[Completion]:
    """The completions that begin with the prefix, then the tools and flags that contain it."""
    every = list({item.insert.rstrip(): item for item in reversed(list(found))}.values())[::-1]
    begins = [item for item in every if item.insert.startswith(prefix)]
    if len(prefix) > 1:
        word = prefix.lstrip("-").casefold()
        known = {item.insert for item in begins}
        begins += [
            item
            for item in every
            if item.kind in {"tool", "flag"} and item.insert not in known and word and word in item.label.casefold()
        ]
    begins.sort(key=lambda item: item.insert.rstrip() != prefix)  # the complete word comes first
    return begins[:_MOST]


def _commands(script: str, offset: int, vocabulary: Vocabulary) -> Iterator[Completion]:
    from bashkit import builtins
    from bashkit.commands import command_names

    for name, definition in vocabulary.tools.items():
        yield Completion(name, f"{name} ", " ".join(definition.description.split()), "tool")
    for name in functions(script, offset):
        yield Completion(name, f"{name} ", "function of this script", "function")
    for name in sorted(RESERVED):
        yield Completion(name, name, "keyword", "keyword")
    for name in sorted(builtins.declarations()):
        yield Completion(name, f"{name} ", "builtin", "builtin")
    for name in ("help", "discover", *command_names()):
        yield Completion(name, f"{name} ", "utility", "utility")


def _arguments(context: CaretContext, script: str, offset: int, vocabulary: Vocabulary) -> Iterator[Completion]:
    command, prefix = context.words[0], context.prefix
    before = context.words[-1]
    tool = vocabulary.tools.get(command)
    if tool is not None and not tool.raw:
        if before.startswith("--") and len(context.words) > 1 and not prefix.startswith("-"):
            values = list(_values(command, before, vocabulary))
            yield from values
            if values:
                return
        if not context.quote and (prefix.startswith("-") or not prefix):
            yield from _flags(tool, context.words)
        return
    if tool is None and prefix.startswith("-") and not context.quote:
        yield from _options(command)
        return
    if command in _COMMANDS and "/" not in prefix and not context.quote:
        yield from _commands(script, offset, vocabulary)
    if prefix or command not in {"echo", "printf", "=", "for", "case"}:
        yield from _files(prefix, vocabulary, quoted=bool(context.quote))


def _flags(tool: ToolDef, words: tuple[str, ...]) -> Iterator[Completion]:
    """The flags of a tool that the command does not have yet, the required ones first; an array may repeat."""
    root = dict(tool.input_schema)
    flat = schema.expand(root, root)
    needed = schema.required(flat)
    fields = schema.fields(flat)
    given = {key for word in words if word.startswith("--") and (key := find(word[2:].partition("=")[0], fields)) is not None}
    for name in sorted(fields, key=lambda name: name not in needed):
        part = schema.expand(fields[name], root)
        kinds = schema.types(part)
        if name in given and "array" not in kinds:
            continue
        about = " ".join(str(part.get("description", "")).split())
        detail = f"{expectation(part)}{', required' if name in needed else ''}{f': {about}' if about else ''}"
        if kinds == ("boolean",):
            flag = f"--no-{name}" if part.get("default") is True else f"--{name}"
            yield Completion(flag, f"{flag} ", detail, "flag")
        else:
            yield Completion(f"--{name}", f"--{name} ", detail, "flag")
        if kinds == ("object",):
            for inner in schema.fields(part):
                yield Completion(f"--{name}.{inner}", f"--{name}.{inner} ", f"field of {name}", "flag")
    yield Completion("--help", "--help", "print how the tool is called", "flag")
    yield Completion("--dry-run", "--dry-run ", "print the parsed arguments and call nothing", "flag")


def _values(command: str, flag: str, vocabulary: Vocabulary) -> Iterator[Completion]:
    """The values that the schema allows for a flag, where it lists them."""
    tool = vocabulary.tools.get(command)
    if tool is None:
        return
    root = dict(tool.input_schema)
    flat = schema.expand(root, root)
    part: schema.Schema = flat
    for step in flag[2:].split("."):
        key = find(step, schema.fields(part))
        if key is None:
            return
        part = schema.expand(schema.fields(part)[key], root)
    if schema.types(part) == ("array",):
        part = schema.expand(part.get("items"), root)
    choices = schema.choices_of(part)
    if choices is None and schema.types(part) == ("boolean",):
        choices = [True, False]
    for choice in choices or ():
        text = choice if isinstance(choice, str) else json_text.encode(choice)
        detail = "default" if part.get("default") == choice and "default" in part else "value"
        yield Completion(text, f"{shlex.quote(text)} ", detail, "value")


def _options(name: str) -> Iterator[Completion]:
    """The options of a utility or builtin, as it declares them."""
    from bashkit import builtins
    from bashkit.commands import find_command

    command = find_command(name)
    declared = getattr(command or builtins.declarations().get(name), "options", None) or ()
    for option in declared:
        for spelling in getattr(option, "names", ()):
            yield Completion(spelling, f"{spelling} ", option.help or option.metavar or "option", "flag")


def _variables(script: str, offset: int, vocabulary: Vocabulary) -> Iterator[Completion]:
    for name in dict.fromkeys((*variables(script, offset), *vocabulary.variables, *_VARIABLES)):
        detail = "environment" if name in vocabulary.variables else "variable"
        yield Completion(name, name, detail, "variable")


def _files(prefix: str, vocabulary: Vocabulary, *, quoted: bool = False) -> Iterator[Completion]:
    folder, slash, start = prefix.rpartition("/")
    absolute = prefix.startswith("/")
    where = (folder or "/") if absolute else f"{vocabulary.directory.rstrip('/')}/{folder}".rstrip("/") or "/"
    for name, is_directory in vocabulary.listing(where):
        if not name.isprintable() or (name.startswith(".") and not start.startswith(".")):
            continue
        shown = name if quoted else _escaped(name)
        tail = "/" if is_directory else "" if quoted else " "
        yield Completion(
            name + ("/" if is_directory else ""), f"{folder}{slash}{shown}{tail}", "directory" if is_directory else "file", "file"
        )


def _escaped(name: str) -> str:
    return re.sub(r"([^\w@%+=:,./-])", r"\\\1", name, flags=re.ASCII)


def variables(script: str, offset: int) -> list[str]:
    """The variables that a script sets, the nearest to the cursor first."""
    found: dict[str, int] = {}
    for match in _ASSIGNED.finditer(script):
        for group in match.groups():
            for name in re.findall(r"[A-Za-z_]\w*", re.sub(r"-\w+", "", group or "")):
                found[name] = min(found.get(name, len(script)), abs(match.start() - offset))
    return sorted(found, key=lambda name: found[name])


def functions(script: str, offset: int) -> list[str]:
    """The functions that a script defines."""
    names = (match[1] or match[2] for match in _FUNCTION.finditer(script) if not match.start() <= offset <= match.end())
    return list(dict.fromkeys(names))
