"""Finds what Python code may do without running it: the tools it calls, and the files it opens by name."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from bashkit.commands._python.source import LARGEST
from bashkit.tools.analyze.findings import Call, File, Unknown
from bashkit.tools.describe.stubs import python_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.tools.analyze.findings import Found
    from bashkit.tools.define.definition import Effects

PYTHONS = frozenset({"python", "python3"})
_MODULE = "tools"
_READING = frozenset("read_text read_bytes iterdir stat exists is_file is_dir listdir scandir".split())
_WRITING = frozenset(
    "write_text write_bytes touch mkdir makedirs unlink rmdir remove removedirs rename replace symlink_to hardlink_to".split()
)
_RUNNING = frozenset({"eval", "exec", "compile", "__import__"})
_OWN = frozenset({*dir(builtins), "help", "discover"})


def read_python(code: str, tools: Mapping[str, Effects | None], found: Found, *, ambient: bool) -> None:
    """Note what code may do.

    Args:
        code: The code.
        tools: The tools, and their effects.
        found: Where it is noted.
        ambient: The tools are functions without an import, and code that ran before may have defined names.
    """
    if len(code) > LARGEST:
        found.unknown.append(Unknown(f"what Python code of more than {LARGEST} characters does", 1, 1))
        return
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        found.error = Unknown(f"syntax error: {getattr(error, 'msg', None) or type(error).__name__}", line, column)
        return
    _Reader(tree, tools, found, ambient=ambient).read()


class _Reader:
    """Reads one text of code."""

    def __init__(self, tree: ast.Module, tools: Mapping[str, Effects | None], found: Found, *, ambient: bool) -> None:
        self._tree, self._effects, self._found, self._ambient = tree, tools, found, ambient
        self._tools = {python_name(name): name for name in reversed(list(tools))}
        self._paths: set[str] = set()  # names of modules and classes whose methods touch files
        self._modules: set[str] = set()
        self._bound = set(_bindings(tree))
        own = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
        self._functions = {name: tool for name, tool in self._tools.items() if name not in own} if ambient else {}

    def read(self) -> None:
        """Note everything."""
        for node in ast.walk(self._tree):
            if isinstance(node, ast.ImportFrom) and node.module == _MODULE:
                self._import(node)
            elif isinstance(node, ast.Import):
                self._modules |= {alias.asname or alias.name for alias in node.names if alias.name == _MODULE}
        named: set[ast.AST] = set()  # where a function is called, or asked about
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                named |= {node.func, *(node.args if isinstance(node.func, ast.Name) and node.func.id == "help" else ())}
                self._call(node)
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and node not in named:
                self._value(node)

    def _import(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._functions |= self._tools
            elif alias.name in self._tools:
                self._functions[alias.asname or alias.name] = self._tools[alias.name]

    def _tool(self, node: ast.expr) -> str | None:
        """The tool that an expression names."""
        if isinstance(node, ast.Name):
            return self._functions.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in self._modules:
            return self._tools.get(node.attr)
        return None

    def _call(self, node: ast.Call) -> None:
        tool = self._tool(node.func)
        if tool is not None:
            self._found.calls.append(Call(tool, self._effects[tool], tuple(_words(node)), node.lineno, node.col_offset + 1))
        elif isinstance(node.func, ast.Name):
            self._function(node.func.id, node)
        elif isinstance(node.func, ast.Attribute):
            self._method(node.func, node)

    def _function(self, name: str, node: ast.Call) -> None:
        if name == "open" and node.args:
            mode = node.args[1] if len(node.args) > 1 else next((key.value for key in node.keywords if key.arg == "mode"), None)
            for access in _accesses(mode):
                self._file(node.args[0], access, node)
        elif name in _RUNNING:
            self._unknown(f"what {name} runs", node)
        elif name == "getattr" and node.args and isinstance(node.args[0], ast.Name) and node.args[0].id in self._modules:
            self._unknown(f"which function of {_MODULE} {ast.unparse(node)} is", node)
        elif self._ambient and name not in _OWN and name not in self._bound:
            self._unknown(f"what {name} does: it is not defined here", node)

    def _method(self, function: ast.Attribute, node: ast.Call) -> None:
        """Note a method of a path, or a function of os."""
        name, target = function.attr, function.value
        if isinstance(target, ast.Name) and target.id == "os":
            path = node.args[0] if node.args else ast.Constant(".")
        elif isinstance(target, ast.Call) and ast.unparse(target.func) in {"Path", "pathlib.Path"} and len(target.args) == 1:
            path = target.args[0]
        elif name in {"write_text", "write_bytes", "read_text", "read_bytes"}:  # of nothing but a path
            path = target
        else:
            return
        if name in _READING:
            self._file(path, "read", node)
        elif name in _WRITING:
            self._file(path, "write", node)
        elif name == "open":
            for access in _accesses(node.args[0] if node.args else None):
                self._file(path, access, node)

    def _value(self, node: ast.Name | ast.Attribute) -> None:
        """Note a tool that is not called where it is named: passed on, or given another name."""
        tool = self._tool(node) if isinstance(node.ctx, ast.Load) else None
        if tool is not None:
            self._found.calls.append(Call(tool, self._effects[tool], (None,), node.lineno, node.col_offset + 1))
            self._unknown(f"what {ast.unparse(node)} is called with: it is passed on as a value", node)

    def _file(self, path: ast.expr, access: str, node: ast.Call) -> None:
        known = isinstance(path, ast.Constant) and isinstance(path.value, str)
        text = str(path.value) if isinstance(path, ast.Constant) else ast.unparse(path)
        self._found.files.append(File(text, access, known, node.lineno, node.col_offset + 1))

    def _unknown(self, reason: str, node: ast.expr) -> None:
        self._found.unknown.append(Unknown(reason, node.lineno, node.col_offset + 1))


def _bindings(tree: ast.Module) -> Iterator[str]:
    """The names that code gives to something."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]


def _words(node: ast.Call) -> Iterator[str | None]:
    """The arguments of a call as a command line has them; None for one that is not known."""
    for value in node.args:
        yield _text(value)
    for keyword in node.keywords:
        if keyword.arg is None:
            yield None
        else:
            yield f"--{keyword.arg}"
            yield _text(keyword.value)


def _text(value: ast.expr) -> str | None:
    return str(value.value) if isinstance(value, ast.Constant) else None


def _accesses(mode: ast.expr | None) -> tuple[str, ...]:
    """What opening a file with a mode does to it."""
    if mode is None:
        return ("read",)
    if not isinstance(mode, ast.Constant) or not isinstance(mode.value, str) or "+" in mode.value:
        return ("read", "write")
    return ("read",) if "r" in mode.value else ("write",)
