"""The syntax tree: a node with an ``__init__`` of its own takes and sets its fields in their order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bashkit.syntax import reading

SOURCE = Path(reading.__file__).with_name("nodes.py")  # a compiled class does not tell its parameters


def _classes() -> list[tuple[str, ast.ClassDef, ast.FunctionDef]]:
    return [
        (node.name, node, method)
        for node in ast.parse(SOURCE.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name == "__init__"
    ]


def test_the_commonest_nodes_have_one() -> None:
    assert {"Word", "Literal", "SimpleCommand"} <= {name for name, _, _ in _classes()}


@pytest.mark.parametrize(("name", "node", "method"), _classes(), ids=[name for name, _, _ in _classes()])
def test_parameters_and_assignments_are_the_fields(name: str, node: ast.ClassDef, method: ast.FunctionDef) -> None:
    fields = [(part.target.id, ast.unparse(part.annotation)) for part in node.body if isinstance(part, ast.AnnAssign)]
    parameters = [(part.arg, ast.unparse(part.annotation)) for part in method.args.args[1:] if part.annotation is not None]
    assert parameters == fields, name
    assert [ast.unparse(line) for line in method.body] == [f"self.{field} = {field}" for field, _ in fields], name
