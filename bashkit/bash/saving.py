"""The state of a shell as plain data, for JSON, and back from untrusted data.

Functions are kept as the text that ``declare -f`` shows, which is parsed again and never run, and the lines in which they were
written. What belongs to a running script is not kept: jobs, descriptors, coprocesses, and the calls it is in.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from bashkit.errors import ScriptSyntaxError, SnapshotError
from bashkit.fs.images import number, rows_of, text
from bashkit.interp.run.functions import Body
from bashkit.interp.state.calls import Function, Invocation
from bashkit.interp.state.options import SET_DEFAULTS, SHOPT_DEFAULTS, Options
from bashkit.interp.state.shell import Shell
from bashkit.interp.state.startup import dynamic_variable
from bashkit.interp.state.tables import Traps
from bashkit.interp.state.variables import AssociativeArray, DynamicVariable, IndexedArray, OptionIndex, Stored, Variable
from bashkit.regex.cache import for_short_texts
from bashkit.syntax import Parser, nodes
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import FunctionDefinition, Word
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.interp.state.machine import Machine

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FLAGS = 255
_MAX_INDEX = (1 << 64) - 1  # a += goes on behind the last one that a script may write


def save_shell(shell: Shell) -> dict[str, Any]:
    """What a shell between two executions keeps."""
    return {
        "cwd": shell.cwd,
        "name": shell.invocation.name,
        "script_name": shell.script_name,
        "variables": {name: _save_variable(value) for name, value in shell.variables.items()},
        "functions": [_save_function(function) for function in shell.functions.values()],
        "aliases": dict(shell.aliases),
        "completions": dict(shell.completions),
        "ulimits": dict(shell.ulimits),
        "positional": list(shell.positional),
        "directories": list(shell.directories),
        "options": {name: on for name, on in shell.options.set.items() if on != SET_DEFAULTS[name]},
        "shopt": {name: on for name, on in shell.options.shopt.items() if on != SHOPT_DEFAULTS[name]},
        "traps": dict(shell.traps),
        "recording": shell.recording,
        "dice": list(shell.dice or ()),
        "disabled": sorted(set(shell.machine.builtins) - set(shell.builtins)),
        "status": shell.status,
        "pipe_statuses": shell.pipe_statuses,
        "umask": shell.umask,
        "last_background": shell.jobs.last,
        "getopts_place": list(shell.getopts_place),
        "seconds": shell.machine.system.now() - shell.seconds_base,
    }


def _save_variable(value: Stored) -> Any:
    if isinstance(value, str):
        return value
    if isinstance(value, DynamicVariable):
        return {"flags": value.flags, "dynamic": True}
    if isinstance(value.value, (IndexedArray, AssociativeArray)):
        saved = {"flags": value.flags} | ({"declared": True} if value.value.declared else {})
        if isinstance(value.value, IndexedArray):
            return saved | {"array": list(map(list, value.value.items()))}
        return saved | {"map": [[key, item] for key, item in reversed(list(value.value.items()))]}
    return {"flags": value.flags, "value": value.value}


def _save_function(function: Function) -> dict[str, Any]:
    return {
        "name": function.name,
        "text": "function " + unparse_function(function.definition, readable=True),
        "line": function.line,
        "lines": [getattr(node, name) for node, name in _lines(function.definition)],
        "source": function.source,
        "exported": function.exported,
        "readonly": function.readonly,
        "traced": function.traced,
    }


@dataclass(slots=True)
class SavedShell:
    """The state that was read, ready to be given to a shell."""

    name: str
    attributes: dict[str, Any]
    variables: dict[str, Stored]
    functions: dict[str, Function]
    options: dict[str, bool]
    shopt: dict[str, bool]
    traps: dict[str, str]
    last_job: int
    disabled: set[str]
    seconds: float

    def restore(self, machine: Machine) -> Shell:
        """A shell that goes on where the other one was."""
        shell = Shell(machine, {}, self.attributes["cwd"], Invocation(self.name))
        for name, value in self.attributes.items():
            setattr(shell, name, value)
        shell.traps = Traps(self.traps)
        shell.jobs.last = self.last_job
        shell.options = Options(self.options, self.shopt)
        shell.watch()
        if self.shopt["nocasematch"] or self.disabled:
            shell.alter()
        shell.variables = self.variables
        shell.functions = self.functions
        shell.builtins = {name: run for name, run in shell.builtins.items() if name not in self.disabled}
        shell.seconds_base = machine.system.now() - self.seconds
        return shell


def read_shell(value: object) -> SavedShell:
    """The state of a shell from data.

    Raises:
        SnapshotError: The data is damaged.
    """
    data = _Fields(value, "the shell")
    place = [number(item, "getopts_place", 0, 1 << 31) for item in data.list("getopts_place")]
    statuses = data.get("pipe_statuses")
    if len(place) != 2:
        raise SnapshotError("damaged snapshot: getopts_place must be two numbers")
    dice = data.list("dice", optional=True)
    if len(dice) not in {0, 2}:
        raise SnapshotError("damaged snapshot: dice must be two numbers")
    cwd = data.text("cwd")
    if not cwd.startswith("/"):
        raise SnapshotError("damaged snapshot: cwd must be an absolute path")
    attributes = {
        "cwd": cwd,
        "script_name": data.text("script_name"),
        "aliases": data.texts("aliases"),
        "completions": data.texts("completions", optional=True),
        "ulimits": {key: _limit(value) for key, value in data.texts("ulimits", optional=True).items()},
        "positional": [text(item, "a positional parameter") for item in data.list("positional")],
        "directories": tuple(text(item, "a directory") for item in data.list("directories", optional=True)),
        "status": data.number("status", 255),
        "pipe_statuses": None
        if statuses is None
        else [number(item, "a status", 0, 255) for item in rows_of(statuses, "pipe_statuses")],
        "umask": data.number("umask", 0o777),
        "getopts_place": (place[0], place[1]),
        "recording": data.flag("recording", optional=True),
        "dice": None if not dice else (number(dice[0], "dice", 0, (1 << 32) - 1), number(dice[1], "dice", -1, 0x7FFF)),
    }
    variables = {_name(name): _read_variable(name, item) for name, item in data.mapping("variables").items()}
    functions = {function.name: function for function in map(_read_function, data.list("functions"))}
    disabled = {text(item, "a builtin") for item in data.list("disabled")}
    seconds = data.get("seconds")
    if not isinstance(seconds, (int, float)) or not abs(seconds) < 1e15:
        raise SnapshotError("damaged snapshot: seconds must be a number")
    return SavedShell(
        data.text("name"),
        attributes,
        variables,
        functions,
        SET_DEFAULTS | data.switches("options", SET_DEFAULTS),
        SHOPT_DEFAULTS | data.switches("shopt", SHOPT_DEFAULTS),
        data.texts("traps"),
        data.number("last_background", 1 << 31),
        disabled,
        seconds,
    )


class _Fields:
    """An object of the data, whose fields are checked as they are read."""

    def __init__(self, value: object, what: str) -> None:
        if not isinstance(value, dict):
            raise SnapshotError(f"damaged snapshot: {what} must be an object")
        self._value = value
        self._what = what

    def get(self, key: str) -> Any:
        """A field that must be there."""
        if key not in self._value:
            raise SnapshotError(f"damaged snapshot: {self._what} has no {key}")
        return self._value[key]

    def text(self, key: str) -> str:
        """A text."""
        return text(self.get(key), key)

    def number(self, key: str, high: int) -> int:
        """A number from 0 on."""
        return number(self.get(key), key, 0, high)

    def flag(self, key: str, *, optional: bool = False) -> bool:
        """True or false; an ``optional`` one is false where an older snapshot does not have it."""
        return self._value.get(key) is True if optional else self.get(key) is True

    def list(self, key: str, *, optional: bool = False) -> list[Any]:
        """A list; an ``optional`` one is empty where an older snapshot does not have it."""
        return [] if optional and key not in self._value else rows_of(self.get(key), key)

    def mapping(self, key: str) -> dict[str, Any]:
        """An object."""
        value = self.get(key)
        if not isinstance(value, dict):
            raise SnapshotError(f"damaged snapshot: {key} must be an object")
        return {text(name, "a name"): item for name, item in value.items()}

    def texts(self, key: str, *, optional: bool = False) -> dict[str, str]:
        """An object of texts; an ``optional`` one is empty where an older snapshot does not have it."""
        if optional and key not in self._value:
            return {}
        return {name: text(item, key) for name, item in self.mapping(key).items()}

    def switches(self, key: str, known: dict[str, bool]) -> dict[str, bool]:
        """An object of known options and whether they are on."""
        found = self.mapping(key)
        if not found.keys() <= known.keys() or not all(isinstance(on, bool) for on in found.values()):
            raise SnapshotError(f"damaged snapshot: {key} has an option that there is not")
        return found


def _limit(value: str) -> str:
    if value != "unlimited" and not is_digits(value):
        raise SnapshotError("damaged snapshot: a limit must be a number or unlimited")
    return value


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise SnapshotError(f"damaged snapshot: {name[:40]!r} cannot be the name of a variable")
    return name


def _read_variable(name: str, value: object) -> Stored:
    if isinstance(value, str):
        return text(value, "a variable")
    data = _Fields(value, "a variable")
    flags = data.number("flags", _FLAGS)
    keys = value.keys() if isinstance(value, dict) else set()
    if "dynamic" in keys:
        found = dynamic_variable(name)
        if found is None:
            raise SnapshotError(f"damaged snapshot: {name} is not a dynamic variable")
        return found if found.flags == flags else found.with_flags(flags)
    if "array" in keys:
        array = IndexedArray()
        for index, item in map(_pair, data.list("array")):
            array.set(number(int(index) if is_digits(index) and len(index) <= 20 else -1, "an index", 0, _MAX_INDEX), item)
        array.declared = "declared" in keys
        return Variable(array, flags)
    if "map" in keys:
        table = AssociativeArray()
        for key, item in map(_pair, data.list("map")):
            table.set(key, item)
        table.declared = "declared" in keys
        return Variable(table, flags)
    content = data.get("value")
    kind = OptionIndex if name == "OPTIND" else Variable
    return kind(None if content is None else text(content, "a variable"), flags)


def _pair(value: object) -> tuple[str, str]:
    items = rows_of(value, "an element")
    if len(items) != 2:
        raise SnapshotError("damaged snapshot: an element must be a key and a value")
    return text(items[0], "a key"), text(items[1], "an element")


def _read_function(value: object) -> Function:
    data = _Fields(value, "a function")
    name, line = data.text("name"), data.number("line", 1 << 31)
    lines = tuple(number(item, "a line", 0, 1 << 31) for item in data.list("lines", optional=True))
    written = data.text("text")
    if len(lines) > len(written):
        raise SnapshotError("damaged snapshot: a function has more lines than characters")
    definition = _parsed(written, line, lines)
    if definition.name != name:
        raise SnapshotError(f"damaged snapshot: the text of the function {name[:40]!r} defines another")
    source = data.text("source")
    return Function(
        name, Body(definition), definition, line, source, data.flag("exported"), data.flag("readonly"), data.flag("traced")
    )


@for_short_texts(256)
def _parsed(source: str, line: int, lines: tuple[int, ...]) -> FunctionDefinition:
    parser = Parser(source, line - 1)  # the body begins in the third line of the text, and mostly in the second of a function
    parser.extglob = True
    try:
        tree = parser.parse()
    except ScriptSyntaxError as error:
        raise SnapshotError(f"damaged snapshot: a function is not shell code: {error.message[:100]}") from None
    definition = tree.commands[0] if len(tree.commands) == 1 else None
    if not isinstance(definition, FunctionDefinition):
        raise SnapshotError("damaged snapshot: the text of a function must be one function definition")
    numbered = _lines(definition)
    if len(numbered) == len(lines):  # otherwise its nodes are others in this version: they have the lines of the text
        for (node, name), found in zip(numbered, lines, strict=True):
            setattr(node, name, found)
    return definition


def _lines(definition: FunctionDefinition) -> list[tuple[Any, str]]:
    """Where lines are kept in a function, in the order of its text: each a node and the name of an attribute."""
    found: list[tuple[Any, str]] = []
    waiting: list[Any] = [definition]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting += reversed(node)
        elif not isinstance(node, Word) or "(" in node.source or "`" in node.source:  # other words have no commands in them
            lines, children = _ATTRIBUTES.get(type(node), ((), ()))
            found += [(node, name) for name in lines]
            waiting += [child for name in children if (child := getattr(node, name)) is not None and child != ()]
    return found


def _attributes(kind: type[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The attributes of a kind of node that are lines, and those that are nodes or tuples of them, the last one first."""
    found = [(field.name, str(field.type)) for field in fields(kind)]
    lines = tuple(name for name, _ in found if name in {"line", "end"})
    return lines, tuple(name for name, written in reversed(found) if written not in {"str", "int", "bool"})


_ATTRIBUTES = {kind: _attributes(kind) for kind in vars(nodes).values() if is_dataclass(kind) and isinstance(kind, type)}


def save_random(source: random.Random) -> list[Any]:
    """The state of a random source."""
    version, state, extra = source.getstate()
    return [version, list(state), extra]


def read_random(value: object) -> random.Random:
    """A random source that goes on where another one was.

    Raises:
        SnapshotError: The data is damaged.
    """
    items = rows_of(value, "the random source")
    source = random.Random()
    try:
        version, state, extra = items
        if extra is not None and not isinstance(extra, float):
            raise SnapshotError("damaged snapshot: invalid random state")
        source.setstate((version, tuple(number(item, "random", 0, (1 << 32) - 1) for item in rows_of(state, "random")), extra))
    except (ValueError, TypeError):
        raise SnapshotError("damaged snapshot: invalid random state") from None
    return source
