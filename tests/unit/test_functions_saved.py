"""Functions that are saved with a session come back as they were: the text that a session writes is read again."""

import json
from pathlib import Path

import pytest
import yaml

from bashkit import Bash
from bashkit.errors import ScriptSyntaxError
from bashkit.syntax import Parser
from bashkit.syntax.nodes import FunctionDefinition
from bashkit.syntax.unparse import unparse_function

TABLE = Path(__file__).parents[1] / "spec" / "scripts" / "printed_functions.yaml"


def definitions():
    for row in yaml.safe_load(TABLE.read_text(encoding="utf-8")):
        try:
            commands = Parser(row["script"], extglob=True).parse().commands
        except ScriptSyntaxError:
            continue
        yield from (command for command in commands if isinstance(command, FunctionDefinition))


def test_what_is_printed_to_be_read_is_read_as_the_same():
    found = list(definitions())
    assert len(found) > 40
    for definition in found:
        text = "function " + unparse_function(definition, readable=True)
        (again,) = Parser(text, extglob=True).parse().commands
        assert "function " + unparse_function(again, readable=True) == text


def test_what_was_saved_is_saved_as_the_same():
    """Its lines among it: they are those of the script, not those of the text that is read."""
    bash, again = Bash(), Bash()
    for row in yaml.safe_load(TABLE.read_text(encoding="utf-8")):
        bash.execute_sync(f"shopt -s extglob\n\n{row['script']}")
    again.restore(bash.snapshot())
    saved, twice = (json.loads(session.snapshot().state)["shell"]["functions"] for session in (bash, again))
    assert len(saved) > 10
    assert saved == twice


@pytest.mark.parametrize(
    ("body", "printed"),
    [
        ("if cat <<B; then echo yes; else echo no; fi; echo end\nin\nB\n", "in\nyes\nend\n"),
        ("while cat <<B; do echo $'t\\tt'; break; done\nin\nB\n", "in\nt\tt\n"),
        ("cat <<A || cat <<B && echo ok\na\nA\nb\nB\n", "a\nok\n"),
        ("cat <<A | cat - && cat <<B | tr b c\na\nA\nb\nB\n", "a\nc\n"),
        ("if true & then wait; fi; (echo a; cat <<B); echo end\nin\nB\n", "a\nin\nend\n"),
    ],
)
def test_here_documents_come_back(body, printed):
    bash = Bash()
    bash.execute_sync(f"f() {{ {body}}}")
    assert bash.execute_sync("f").stdout == printed
    again = Bash()
    again.restore(bash.snapshot())
    assert again.execute_sync("f").stdout == printed
