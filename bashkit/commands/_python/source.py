"""Prepares Python source for Monty: what its ``sys`` lacks, and which calls are awaited."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

LARGEST = 1 << 18  # bytes of source that are looked through; what is longer runs as it is
_SIGNS = ("sys", "SystemExit", "async", "await", "open", "import *")  # without one of them there is nothing to prepare
_OUTPUTS = {"stdout", "stderr"}
TOOLS = "tools"  # the module of the host's functions

# Monty's own sys has no exit, no standard input and no arguments, its outputs can only be printed to, and none of its attributes
# can be set. Of a file that was not read yet it gives no lines to enumerate() and its like: seek() has it read. The names end
# with underscores, so that no class of the script changes them.
OPENING = "__open__ = open\n"  # comes once before all of it
PRELUDE = """\
import sys as __monty_sys__
def open(file, mode="r", *args, **kwargs):
    opened = __open__(file, mode, *args, **kwargs)
    if "r" in mode:
        opened.seek(0)
    return opened
class __Sys__:
    def __init__(self):
        self.argv = __argv__
        self.stdin = __stdin__
        if __reads_stdin__:
            __stdin__.seek(0)
        self.stdout = __stdout__
        self.stderr = __stderr__
        self.version = __monty_sys__.version
        self.version_info = __monty_sys__.version_info
        self.platform = "linux"
        self.maxsize = __monty_sys__.maxsize
        self.byteorder = __monty_sys__.byteorder
        self.float_info = __monty_sys__.float_info
        self.executable = "/usr/bin/python3"
        self.path = [""]
    def exit(self, code=None):
        __exit__(code)
__sys__ = __Sys__()
"""


@dataclass(frozen=True, slots=True)
class Source:
    """What Monty runs.

    Attributes:
        text: The source.
        prelude: ``PRELUDE`` comes before it.
        awaited: The offsets in bytes of the calls whose values are awaited.
        names: What the module ``sys`` is called in it.
    """

    text: str
    prelude: bool = False
    awaited: frozenset[int] = field(default_factory=frozenset)
    names: frozenset[str] = frozenset()

    def line(self, offset: int) -> int:
        """The line, from 1, of an offset in bytes."""
        return self.text.encode().count(b"\n", 0, offset) + 1


def prepare(text: str, names: frozenset[str] = frozenset(), functions: Collection[str] = ()) -> Source:
    """Replace what Monty lacks, and find the calls that are awaited. Lines stay what they are.

    Source that Python cannot parse stays as it is: Monty says what is wrong with it.

    Args:
        text: The source.
        names: What the module ``sys`` is called by code that ran before in the same session.
        functions: What ``from tools import *`` imports.
    """
    if len(text) > LARGEST or not any(sign in text for sign in (*_SIGNS, *names)):
        return Source(text)
    tree = _parsed(text)
    if tree is None:
        return Source(text)
    names |= _sys_names(tree)
    edits = sorted(_edits(tree, _Offsets(text), names, functions))
    if edits:
        data, end, pieces = text.encode(), 0, []
        for start, stop, replacement in edits:
            pieces += [data[end:start], replacement.encode(), b"\\\n" * data.count(b"\n", start, stop)]
            end = stop
        text = b"".join([*pieces, data[end:]]).decode()
        tree = _parsed(text)
        assert tree is not None  # every edit replaces an expression or a simple statement by another
    offsets = _Offsets(text)
    awaited = frozenset(offsets.of(call) for call in _awaited(tree, waits=False))
    return Source(text, bool(edits) or "open(" in text, awaited, names)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Offsets:
    """Offsets of nodes in bytes.

    Args:
        text: The source that they are of.
    """

    def __init__(self, text: str) -> None:
        self._starts = [0]
        for line in text.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def of(self, node: ast.expr | ast.stmt) -> int:
        """Where a node begins."""
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Where a node ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset


def _sys_names(tree: ast.Module) -> frozenset[str]:
    """The names under which the module sys is imported."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    return frozenset(alias.asname or "sys" for node in imports for alias in node.names if alias.name == "sys")


def _edits(
    tree: ast.Module, offsets: _Offsets, names: frozenset[str], functions: Collection[str]
) -> Iterator[tuple[int, int, str]]:
    """What is replaced: where it begins and ends, and by what."""
    for node in ast.walk(tree):
        replaced: ast.expr | ast.stmt = node  # type: ignore[assignment]  # only those that have a place are given below
        if isinstance(node, ast.Import):
            text = _import(node)
        elif isinstance(node, ast.ImportFrom):
            text = _import_from(node, functions)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "SystemExit":
            replaced, text = node.func, "__sys__.exit"  # an exception of Monty's takes texts only
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            file = next((keyword.value for keyword in node.keywords if keyword.arg == "file"), None)
            if not isinstance(file, ast.Attribute) or not _is_output(file, names):
                continue
            replaced, text = file, f"__monty_sys__.{file.attr}"  # print takes nothing but those
        else:
            continue
        if text:
            yield offsets.of(replaced), offsets.end(replaced), text


def _is_output(node: ast.Attribute, names: frozenset[str]) -> bool:
    return node.attr in _OUTPUTS and isinstance(node.value, ast.Name) and node.value.id in names


def _import(node: ast.Import) -> str:
    """``import os, sys`` as ``import os; sys = __sys__``."""
    if all(alias.name != "sys" for alias in node.names):
        return ""
    others = [ast.unparse(ast.Import([alias])) for alias in node.names if alias.name != "sys"]
    return "; ".join([*others, *(f"{alias.asname or 'sys'} = __sys__" for alias in node.names if alias.name == "sys")])


def _import_from(node: ast.ImportFrom, functions: Collection[str]) -> str:
    """``from sys import argv`` as ``argv = __sys__.argv``, ``from tools import *`` with the names of all functions."""
    if node.module == TOOLS and not node.level and node.names[0].name == "*" and functions:
        return f"from {TOOLS} import {', '.join(functions)}"
    if node.module != "sys" or node.level or node.names[0].name == "*":
        return ""
    return "; ".join(f"{alias.asname or alias.name} = __sys__.{alias.name}" for alias in node.names)


def _awaited(node: ast.AST, *, waits: bool) -> Iterator[ast.Call]:
    """The calls in a node that give something to await: those in an ``async def``, and those in what ``await`` is applied to."""
    if isinstance(node, (ast.AsyncFunctionDef, ast.Await)):
        waits = True
    elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
        waits = False
    if waits and isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _awaited(child, waits=waits)
