"""The lines of a command as one entry of the history list (bash(1), HISTORY; cmdhist and lithist of shopt)."""

from __future__ import annotations

import re

from bashkit.limits import turn

_HERE = re.compile(r"""<<(-?)[ \t]*((?:'[^']*'|"[^"]*"|\\.|[^\s;&|<>()'"\\])+)""")
_TOKEN = re.compile(
    r"""\\.?|['"`]|\$\(\(|[$<>]\(|\$\{|\(\(|;;&?|;&|&&|\|\||\|&|<<<|<<|[;&|(){}#]|[ \t]+|[^\s;&|(){}#'"`\\$<>]+|.""", re.DOTALL
)
_STARTERS = frozenset("if then elif else while until do ! time {".split())
_NO_SEMICOLON = frozenset(
    ["{", "(", "pattern)", "()", ";", "&", "|", ";;", ";&", ";;&", "&&", "||", "|&", "\n", "in", "function"]
)
_NO_SEMICOLON |= _STARTERS
_NESTED = frozenset(["$(", "$((", "((", "=("])
_NAMED = frozenset(["for", "case", "select", "function"])
_LITERAL = frozenset(["'", '"', "`", "$(", "$(("])


class Joining:
    """Joins the lines of a command, one after the other.

    Args:
        literal: Newlines stay (``lithist``).
    """

    def __init__(self, *, literal: bool) -> None:
        self._parts: list[str] = []
        self._literal = literal
        self._open: list[str] = []  # quotes and parentheses that no line has closed
        self._documents: list[tuple[str, bool]] = []  # delimiters of here-documents to come; tabs may stand before them
        self._token = "\n"  # the last one, a newline behind another counted
        self._head: list[str] = []  # the words of the running simple command, or `for name in`
        self._comment = ""  # the last line is one ("alone"), or has one ("behind")
        self._lines = 0
        self._in_document = False

    def text(self) -> str:
        """The entry."""
        return "".join(self._parts)

    def add(self, line: str) -> None:
        """Put one more line, without its newline, behind the others."""
        if self._documents:
            self._add_document_line(line)
            return
        literal = self._literal or (bool(self._open) and self._open[-1] in _LITERAL)
        is_comment = not literal and line.lstrip(" \t").startswith("#") and self._lines > 0
        is_empty = not literal and self._comment == "alone" and not line
        if self._lines == 0:
            self._parts.append(line)
        elif self._open[-1:] == ["\\"]:
            self._open.pop()
            if line:
                self._parts[-1] = self._parts[-1].removesuffix("\\")
                self._parts.append(line)
        elif not is_comment and not is_empty:
            delimiter = "\n" if literal else self._delimiter(line)
            if line or delimiter != " ":
                self._parts.append(delimiter + line)
        self._lines += 1
        self._scan(line)
        self._comment = "alone" if is_comment else "behind" if self._has_comment else ""

    def _add_document_line(self, line: str) -> None:
        self._parts.append(f"{'' if self._in_document else chr(10)}{line}\n")
        self._in_document = True
        delimiter, tabs = self._documents[0]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            del self._documents[0]
            if not self._documents:
                self._in_document = False
                self._token = "\n"

    def _delimiter(self, line: str) -> str:
        """What joins a line to those before it."""
        if self._comment or "<<" in line:
            return "\n"
        if self._open and self._open[-1] in {"${", "=("}:
            return " "
        if self._open and self._open[-1] == "((":
            return "; "
        if self._token in _NO_SEMICOLON:
            return " "
        head = self._head
        if len(head) == 2 and head[0] in _NAMED:
            if line.lstrip(" \t").startswith("in") or head[0] in {"case", "function"}:
                return " "
            return ";"
        return "; "

    # -- reading -------------------------------------------------------------------------------------------------------

    def _scan(self, line: str) -> None:
        """Take in the tokens of a line."""
        self._has_comment = False
        if not self._open and not (len(self._head) == 2 and self._head[0] in _NAMED):
            self._head = []
        self._begins = not self._open
        wordless = True  # the line has no token yet
        position, before = 0, " "
        heres: list[tuple[str, bool]] = []
        while position < len(line):
            match = _TOKEN.match(line, position)
            assert match is not None
            turn()
            token = match[0]
            inner = self._open[-1] if self._open else ""
            position = match.end()
            if token == "\\" and inner not in {"'", '"'}:
                self._open.append("\\")
            elif inner in {"'", '"', "`", "${"}:
                self._within(token, inner)
            elif token == "#":
                self._has_comment = True
                if before in " \t;&|()":
                    break
            elif token == "<<" and inner not in {"((", "$(("}:
                here = _HERE.match(line, match.start())
                if here is not None:
                    heres.append((re.sub(r"""['"\\]""", "", here[2]), bool(here[1])))
                    position = here.end()
            elif token in {"'", '"', "`", "${"}:
                self._open.append(token)
                self._word("''")
            else:
                self._syntax(token, before)
            wordless = wordless and token.isspace()
            before = token[-1]
        if wordless and self._open[-1:] not in (["'"], ['"'], ["\\"]):
            self._token = "\n"
        self._documents = heres

    def _within(self, token: str, inner: str) -> None:
        """A token in quotes or in ``${…}``."""
        if inner == "'":
            if token == "'":
                self._open.pop()
            elif token[-1:] == "'" and token[0] == "\\":
                self._open.pop()
        elif token == {"${": "}"}.get(inner, inner):
            self._open.pop()
        elif token in {"$(", "$((", "${"} or (token in {"'", "`", '"'} and inner != '"') or (token == "`" and inner == '"'):
            self._open += [token] * (2 if token == "$((" else 1)

    def _syntax(self, token: str, before: str) -> None:
        """A token outside quotes."""
        nested = bool(self._open) and self._open[-1] in _NESTED
        if token in {"$(", "<(", ">("}:
            self._open.append("$(")
            self._word(token)
        elif token == "$((":
            self._open += [token, token]
            self._word(token)
        elif token == "((" and not nested:
            self._open += ["((", "(("]
            self._word("((")
        elif token in {"(", "(("}:
            self._parenthesis(before, nested=nested)
            if token == "((":
                self._parenthesis("(", nested=bool(self._open) and self._open[-1] in _NESTED)
        elif token == ")":
            self._close()
        elif token in {"{", ";", "&", "|", ";;", ";&", ";;&", "&&", "||", "|&"}:
            if not nested:
                self._token = token
                self._head = []
        elif not token.isspace() and not nested:
            self._word(token)

    def _parenthesis(self, before: str, *, nested: bool) -> None:
        if before == "=":
            self._open.append("=(")
        elif nested:
            self._open.append(self._open[-1])
        else:
            pattern = self._token in {"in", ";;", ";&", ";;&"}
            self._open.append("pattern(" if pattern else "function(" if self._head else "(")
            self._token = "("
            self._head = []

    def _close(self) -> None:
        opened = self._open.pop() if self._open else "pattern("
        if opened in {"pattern(", "function("}:
            self._token = "pattern)" if opened == "pattern(" else "()"
            self._head = []
        elif opened == "(":
            self._token = ")"
        elif opened in _NESTED:
            self._word("()")

    def _word(self, word: str) -> None:
        """A word, or a part of one."""
        if self._open and self._open[-1] in _NESTED and word not in {"((", "$(", "()", "$(("}:
            return
        if self._begins and word != "in":
            self._head = []
        self._begins = False
        head = self._head
        if not head and word in _STARTERS:
            self._token = word
            return
        is_in = word == "in" and len(head) == 2 and head[0] in {"for", "case", "select"}
        self._token = "in" if is_in and head[0] == "case" else word if word == "function" and not head else "word"
        if len(head) < 3:
            head.append(word)
        if is_in and head[0] == "case":
            self._head = []
