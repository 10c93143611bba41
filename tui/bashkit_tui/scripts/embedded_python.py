"""The colours of Python, and where the here-documents of a bash script have some."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language, Query
    from tree_sitter import Parser as TreeParser

_BODIES = """
(redirected_statement
  body: (command name: (command_name) @name (#match? @name "^python3?$"))
  redirect: (heredoc_redirect (heredoc_body) @body))
"""
PYTHON_COLOURS = """
(comment) @comment
(string) @string
[(integer) (float)] @number
[(true) (false) (none)] @constant
(call function: (identifier) @function)
(call function: (attribute attribute: (identifier) @function))
(function_definition name: (identifier) @function)
(keyword_argument name: (identifier) @property)
["and" "as" "assert" "async" "await" "break" "class" "continue" "def" "del" "elif" "else" "except" "finally" "for" "from" "global"
 "if" "import" "in" "is" "lambda" "nonlocal" "not" "or" "pass" "raise" "return" "try" "while" "with" "yield"] @keyword
"""


@cache
def python_grammar() -> Language | None:
    """Tree-sitter's grammar of Python; None if it is not installed."""
    try:
        import tree_sitter_python
        from tree_sitter import Language
    except ImportError:
        return None
    return Language(tree_sitter_python.language())


@cache
def _python() -> tuple[TreeParser, Query] | None:
    """What parses Python and finds its colours."""
    grammar = python_grammar()
    if grammar is None:
        return None
    from tree_sitter import Parser, Query

    return Parser(grammar), Query(grammar, PYTHON_COLOURS)


def python_query(language: Language) -> Query | None:
    """The query that finds Python in a tree of bash; None if nothing could colour it."""
    if python_grammar() is None:
        return None
    from tree_sitter import Query

    return Query(language, _BODIES)


def colours(text: str) -> Iterator[tuple[int, int, int | None, str]]:
    """The coloured parts of Python code: row, first column, the column behind the last (None: the end of the row), and what it is
    called in ``PYTHON_COLOURS``. Columns are in bytes, as for tree-sitter.
    """
    python = _python()
    if python is None:
        return
    from tree_sitter import QueryCursor

    parser, query = python
    captures = QueryCursor(query).captures(parser.parse(text.encode()).root_node)
    found = [(node, name) for name, nodes in captures.items() for node in nodes]
    for node, name in sorted(found, key=lambda one: (one[0].start_byte, -one[0].end_byte)):  # what is inside comes last
        first, last = node.start_point, node.end_point
        for row in range(first.row, last.row + 1):
            yield row, first.column if row == first.row else 0, last.column if row == last.row else None, name
