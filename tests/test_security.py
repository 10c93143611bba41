"""SECURITY.md promises nothing that no test holds."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)+)`", PAGE)))
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("name", NAMED)
def test_a_promise_has_its_test(name):
    file, *parts = name.split("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    body = tree.body
    for part in parts:
        found = [node for node in body if getattr(node, "name", None) == part]
        assert found, f"{name} is not there"
        body = getattr(found[0], "body", [])


def test_each_promise_names_a_test():
    assert len(ROWS) > 8
    for row in ROWS:
        assert "`tests/" in row.rsplit("|", 2)[1], row
