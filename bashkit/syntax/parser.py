"""Parsing commands (bash(1), SHELL GRAMMAR), one complete command line at a time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.conditions import ConditionReader
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    ArrayElement,
    Assignment,
    Background,
    Case,
    CaseItem,
    Command,
    ConditionalCommand,
    Coprocess,
    For,
    FunctionDefinition,
    Group,
    HereDocument,
    If,
    Literal,
    Pipeline,
    Quoted,
    Redirected,
    Redirection,
    Select,
    Sequence,
    SimpleCommand,
    Subshell,
    While,
    Word,
)
from bashkit.syntax.source import BLANKS, MAX_WORDS, METACHARACTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

RESERVED = frozenset(
    "! [[ ]] case coproc do done elif else esac fi for function if in select then time until while { }".split()
)
DECLARATIONS = frozenset(["alias", "declare", "export", "local", "readonly", "typeset"])
_WORD_TEXT = re.compile(r"[^ \t\n;&|<>()\\'\"$`]+")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?=|\[)")
_REDIRECTION = re.compile(r"(?:([0-9]+)|\{([A-Za-z_][A-Za-z0-9_]*)\})?(<<<|<<-|<<|<&|<>|<|>>|>\||>&|>)|(&>>?)")
_OPERATOR = re.compile(r"&&|\|\||;;&|;;|;&|\|&|<<<|<<-|<<|>>|<&|>&|<>|>\||&>>|&>|[;&|()<>\n]")
_COMPOUND = frozenset(["{", "if", "while", "until", "for", "case", "select", "[[", "("])


class Parser(ConditionReader):
    """Turns a script into commands.

    Args:
        text: The script.
        first_line: The number of its first line.
        extglob: Extended patterns are words (``shopt extglob``).
        aliases: Alias definitions to expand (``shopt expand_aliases``), or None.
    """

    def __init__(
        self, text: str, first_line: int = 1, *, extglob: bool = False, aliases: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(text, first_line)
        self.extglob = extglob
        self.aliases = aliases
        self._here: list[HereDocument] = []
        self._alias_ends: list[tuple[str, int]] = []

    # -- entry points --------------------------------------------------------------------------------------------------

    def next_line(self) -> Sequence | None:
        """The next complete command line, or None at the end of the script.

        Raises:
            ScriptSyntaxError: What bash would refuse, worded as bash words it.
        """
        while True:
            self.skip_blanks()
            character = self.peek()
            if character == "\n":
                self._newline()
            elif not character:
                return None
            else:
                break
        commands: list[Command] = []
        while True:
            commands.append(self._and_or())
            self.skip_blanks()
            character = self.peek()
            if character in {";", "&"}:
                if self._operator() not in {";", "&"}:
                    self._unexpected()
                self._separator(commands)
                self.skip_blanks()
                character = self.peek()
            if not character:
                self._read_here_documents()
                break
            if character == "\n":
                self._newline()
                break
            if character in ")|" or self._operator() in {";;", ";&", ";;&"}:
                self._unexpected()
        return Sequence(tuple(commands))

    def needs_more(self) -> bool:
        """Whether a here-document of the last line ran to the end of the text without its delimiter."""
        return self._open_here

    _open_here = False

    def parse(self) -> Sequence:
        """The whole script at once."""
        commands: list[Command] = []
        while (line := self.next_line()) is not None:
            commands.extend(line.commands)
        return Sequence(tuple(commands))

    def read_substitution(self, closing: str, start: int) -> Sequence:
        """The commands of ``$(…)`` or ``<(…)``, up to and over the parenthesis."""
        self.enter()
        outer, self._here = self._here, []
        try:
            body = self._sequence(frozenset(), closing, allow_empty=True)
        except ScriptSyntaxError as error:
            if error.incomplete and error.message == "syntax error: unexpected end of file":
                self.fail_unterminated(closing, len(self.text))
            raise
        if self.peek() != closing:
            self.fail_unterminated(closing, start)
        self._here = outer
        self.position += 1
        self.leave()
        return body

    # -- tokens --------------------------------------------------------------------------------------------------------

    def _operator(self) -> str:
        match = _OPERATOR.match(self.text, self.position)
        return match.group() if match else ""

    def _reserved(self) -> str:
        """The reserved word at the cursor, or ""."""
        match = _WORD_TEXT.match(self.text, self.position)
        if match is None or match.group() not in RESERVED:
            return ""
        following = self.text[match.end() : match.end() + 1]
        return match.group() if not following or following in METACHARACTERS else ""

    def _take(self, word: str) -> None:
        """Step over a reserved word that must come now, newlines before it included."""
        self._skip_newlines()
        if self._reserved() != word:
            self._unexpected()
        self.position += len(word)

    def _unexpected(self) -> NoReturn:
        """Refuse the token at the cursor, in bash's words."""
        self.skip_blanks()
        if self.position >= len(self.text):
            raise ScriptSyntaxError(
                "syntax error: unexpected end of file", self.line_at(len(self.text)), self.column_at(self.position), incomplete=True
            )
        token = self._operator()
        if not token:
            start = self.position
            word = self.read_word()
            token = word.source if word else self.peek()
            self.position = start
        if token == "\n":
            token = "newline"
        self.fail(f"syntax error near unexpected token `{token}'")

    def _newline(self) -> None:
        """Step over a newline and read the here-documents that begin after it."""
        self.position += 1
        if self._here:
            self._read_here_documents()

    def _skip_newlines(self) -> None:
        self.skip_blanks()
        while self.peek() == "\n":
            self._newline()
            self.skip_blanks()

    def _read_here_documents(self) -> None:
        pending, self._here = self._here, []
        for here in pending:
            begin = self.position
            lines: list[str] = []
            while True:
                if self.position >= len(self.text):
                    self._open_here = True
                    break
                end = self.text.find("\n", self.position)
                line = self.text[self.position :] if end < 0 else self.text[self.position : end]
                self.position = len(self.text) if end < 0 else end + 1
                while not here.quoted and end >= 0 and _odd_backslashes(line):
                    end = self.text.find("\n", self.position)
                    line += "\n" + (self.text[self.position :] if end < 0 else self.text[self.position : end])
                    self.position = len(self.text) if end < 0 else end + 1
                if here.strip_tabs:
                    line = line.lstrip("\t")
                if line == here.delimiter:
                    break
                lines.append(line + "\n" if end >= 0 else line)
            body = "".join(lines)
            if here.quoted:
                here.body = Word((Quoted(body),) if body else (), body)
            else:
                here.body = self.read_here_body(body, self.line_at(begin))

    # -- lists ---------------------------------------------------------------------------------------------------------

    def _separator(self, commands: list[Command]) -> bool:
        """Step over ``;`` or ``&`` if there is one; ``&`` makes the last command a background job."""
        operator = self._operator()
        if operator == "&":
            last = commands[-1]
            commands[-1] = Background(last, self.text[self._command_start : self.position].strip(), self.line_at(self.position))
        elif operator != ";":
            return False
        self.position += 1
        return True

    def _sequence(self, enders: frozenset[str], closing: str = "", *, allow_empty: bool = False) -> Sequence:
        """Commands up to a reserved word of ``enders`` or the character ``closing``, which stays unread."""
        self.enter()
        commands: list[Command] = []
        while True:
            self._skip_newlines()
            character = self.peek()
            if not character:
                self._unexpected()
            if character == closing or (enders and self._reserved() in enders) or (closing == ";;" and self._operator()[:2] in {";;", ";&"}):
                if not commands and not allow_empty:
                    self._unexpected()
                break
            commands.append(self._and_or())
            self.skip_blanks()
            if self.peek() == "\n":
                continue
            if not self._separator(commands):
                if self.peek() == closing or (closing == ";;" and self._operator()[:2] in {";;", ";&"}):
                    continue
                self._unexpected()
        self.leave()
        return Sequence(tuple(commands))

    def _and_or(self) -> Command:
        self.skip_blanks()
        start = self.position
        first = self._pipeline()
        rest: list[tuple[str, Command]] = []
        while True:
            self.skip_blanks()
            operator = self._operator()
            if operator not in {"&&", "||"}:
                break
            self.position += 2
            self._skip_newlines()
            rest.append((operator, self._pipeline()))
        self._command_start = start
        return AndOr(first, tuple(rest)) if rest else first

    def _pipeline(self) -> Command:
        line = self.line_at(self.position)
        negated, timed, prefixed = False, "", False
        while True:
            self.skip_blanks()
            word = self._reserved()
            if word == "!":
                negated = not negated
                self.position += 1
            elif word == "time" and not timed:
                timed = "bash"
                self.position += 4
                self.skip_blanks()
                if re.compile(r"-p(?=[ \t\n;&|]|\Z)").match(self.text, self.position):
                    timed = "posix"
                    self.position += 2
            else:
                break
            prefixed = True
        if prefixed and self._at_end_of_command():
            return Pipeline((), negated, timed, (), line)
        commands: list[Command] = []
        merge: list[bool] = []
        while True:
            commands.append(self._command())
            self.skip_blanks()
            operator = self._operator()
            if operator not in {"|", "|&"}:
                break
            merge.append(operator == "|&")
            self.position += len(operator)
            self._skip_newlines()
        if len(commands) == 1 and not negated and not timed:
            return commands[0]
        return Pipeline(tuple(commands), negated, timed, tuple(merge), line)

    def _at_end_of_command(self) -> bool:
        self.skip_blanks()
        return self.peek() in {"", "\n", ";", ")", "&"} or self._operator() in {"&&", "||"}

    # -- commands ------------------------------------------------------------------------------------------------------

    def _command(self) -> Command:
        self.skip_blanks()
        self._expand_alias()
        word = self._reserved()
        if word in _COMPOUND or self.peek() == "(":
            self.enter()
            line = self.line_at(self.position)
            command = self._compound(word)
            redirections = self._redirections()
            self.leave()
            return Redirected(command, redirections, line) if redirections else command
        if word == "function":
            return self._function_keyword()
        if word == "coproc":
            return self._coprocess()
        if word and word != "in":
            self._unexpected()
        return self._simple_command()

    def _compound(self, word: str) -> Command:
        if word == "(" or not word:
            return self._parenthesis()
        if word == "[[":
            line = self.line_at(self.position)
            self.position += 2
            return ConditionalCommand(self.read_condition(), line)
        if word in {"for", "select"}:
            return self._for(word)
        if word == "case":
            return self._case()
        self.position += len(word)
        if word == "{":
            body = self._sequence(frozenset("}"))
            self.position += 1
            return Group(body)
        if word == "if":
            return self._if()
        condition = self._sequence(frozenset(["do"]))
        return While(condition, self._do_group(), until=word == "until")

    def _parenthesis(self) -> Command:
        start = self.position
        if self.starts_with("(("):
            end = self._matching("(", ")", start + 1)
            if end >= 0 and self.text.startswith(")", end + 1):
                line = self.line_at(start)
                expression = self.read_expression(self.text[start + 2 : end], start + 2)
                self.position = end + 2
                return ArithmeticCommand(expression, line)
        self.position += 1
        body = self._sequence(frozenset(), ")")
        self.position += 1
        return Subshell(body)

    def _do_group(self) -> Sequence:
        self._take("do")
        body = self._sequence(frozenset(["done"]))
        self.position += 4
        return body

    def _if(self) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise = None
        while True:
            condition = self._sequence(frozenset(["then"]))
            self.position += 4
            body = self._sequence(frozenset(["elif", "else", "fi"]))
            branches.append((condition, body))
            word = self._reserved()
            self.position += len(word)
            if word == "else":
                otherwise = self._sequence(frozenset(["fi"]))
                self.position += 2
                break
            if word == "fi":
                break
        return If(tuple(branches), otherwise)

    def _for(self, keyword: str) -> Command:
        line = self.line_at(self.position)
        self.position += len(keyword)
        self.skip_blanks()
        if keyword == "for" and self.starts_with("(("):
            return self._arithmetic_for(line)
        word = self.read_word()
        if word is None:
            self._unexpected()
        name = word.source
        self._skip_newlines()
        words: tuple[Word, ...] | None = None
        if self._reserved() == "in":
            self.position += 2
            words = self._words_to_end()
        self.skip_blanks()
        if self.peek() == ";" and self._operator() == ";":
            self.position += 1
        body = self._body()
        return For(name, words, body, line) if keyword == "for" else Select(name, words, body, line)

    def _words_to_end(self) -> tuple[Word, ...]:
        words: list[Word] = []
        while True:
            self.skip_blanks()
            word = self.read_word()
            if word is None:
                if self.peek() not in {"\n", ";", ""}:
                    self._unexpected()
                return tuple(words)
            words.append(word)

    def _body(self) -> Sequence:
        """``do … done`` or, undocumented but old, ``{ … }``."""
        self._skip_newlines()
        if self._reserved() == "{":
            self.position += 1
            body = self._sequence(frozenset("}"))
            self.position += 1
            return body
        return self._do_group()

    def _arithmetic_for(self, line: int) -> ArithmeticFor:
        start = self.position
        end = self._matching("(", ")", start + 1)
        if end < 0 or not self.text.startswith(")", end + 1):
            self._unexpected()
        pieces = _split_expressions(self.text[start + 2 : end])
        if len(pieces) != 3:
            self.fail("syntax error: arithmetic expression required" if len(pieces) < 3 else "syntax error: `;' unexpected")
        offset = start + 2
        words: list[Word] = []
        for piece in pieces:
            words.append(self.read_expression(piece, offset))
            offset += len(piece) + 1
        self.position = end + 2
        self.skip_blanks()
        if self.peek() == ";" and self._operator() == ";":
            self.position += 1
        return ArithmeticFor(words[0], words[1], words[2], self._body(), line)

    def _case(self) -> Case:
        line = self.line_at(self.position)
        self.position += 4
        self.skip_blanks()
        subject = self.read_word()
        if subject is None:
            self._unexpected()
        self._take("in")
        items: list[CaseItem] = []
        while True:
            self._skip_newlines()
            if self._reserved() == "esac":
                self.position += 4
                return Case(subject, tuple(items), line)
            items.append(self._case_item())
            if not items[-1].terminator:
                self._take("esac")
                return Case(subject, tuple(items), line)

    def _case_item(self) -> CaseItem:
        if self.peek() == "(":
            self.position += 1
            self.skip_blanks()
        patterns: list[Word] = []
        while True:
            self.skip_blanks()
            word = self.read_word()
            if word is None:
                self._unexpected()
            patterns.append(word)
            self.skip_blanks()
            if self.peek() == "|" and self._operator() == "|":
                self.position += 1
                continue
            if self.peek() != ")":
                self._unexpected()
            self.position += 1
            break
        body = self._sequence(frozenset(["esac"]), ";;", allow_empty=True)
        operator = self._operator()
        terminator = operator if operator in {";;", ";&", ";;&"} else ""
        self.position += len(terminator)
        return CaseItem(tuple(patterns), body, terminator)

    def _function_keyword(self) -> Command:
        line = self.line_at(self.position)
        self.position += 8
        self.skip_blanks()
        word = self.read_word()
        if word is None:
            self._unexpected()
        self.skip_blanks()
        if self.peek() == "(":
            self.position += 1
            self.skip_blanks()
            if self.peek() != ")":
                self._unexpected()
            self.position += 1
        return self._function_body(word.source, line)

    def _function_body(self, name: str, line: int) -> FunctionDefinition:
        self._skip_newlines()
        if self._reserved() not in _COMPOUND and self.peek() != "(":
            self._unexpected()
        return FunctionDefinition(name, self._command(), line)

    def _coprocess(self) -> Coprocess:
        start, line = self.position, self.line_at(self.position)
        self.position += 6
        self.skip_blanks()
        name = "COPROC"
        match = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=[{(]|\[\[|(?:if|while|until|for|case|select)\b)").match(self.text, self.position)
        if match and match.group(1) not in RESERVED:
            name = match.group(1)
            self.position = match.end()
        command = self._command()
        return Coprocess(name, command, self.text[start : self.position].strip(), line)

    # -- simple commands -----------------------------------------------------------------------------------------------

    def _simple_command(self) -> Command:
        start = self.position
        line, column = self.line_at(start), self.column_at(start)
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        declaring = False
        end = start
        while True:
            self.skip_blanks()
            redirection = self._redirection()
            if redirection is not None:
                redirections.append(redirection)
                end = self.position
                continue
            if not words or declaring:
                if not words and assignments:
                    self._expand_alias()
                assignment = self._assignment(declared=bool(words))
                if assignment is not None:
                    if words and isinstance(assignment.value, tuple) and _text(words[0]) in {"command", "builtin"}:
                        self.fail("syntax error near unexpected token `('")
                    (words or assignments).append(assignment)
                    end = self.position
                    continue
            if self._alias_continues():
                self._expand_alias()
            word = self.read_word()
            if word is None:
                break
            end = self.position
            if not words and self.peek() == "(" and not redirections and not assignments:
                return self._function_parentheses(word, line)
            if not words or (declaring is False and all(_text(item) in {"command", "builtin"} for item in words)):
                declaring = word.literal in DECLARATIONS
            words.append(word)
            if not len(words) & 1023:
                self._progress(len(words))
            self.skip_blanks()
            if len(words) == 1 and self.peek() == "(" and not redirections and not assignments:
                return self._function_parentheses(word, line)
        if not words and not assignments and not redirections:
            self._unexpected()
        if self.peek() == "(":
            self._unexpected()
        return SimpleCommand(tuple(assignments), tuple(words), tuple(redirections), line, column, self.text[start:end])

    def _progress(self, count: int) -> None:
        if count > MAX_WORDS:
            self.fail(f"more than {MAX_WORDS} words in one command")
        if self.on_progress is not None:
            self.on_progress(1024)

    def _function_parentheses(self, word: Word, line: int) -> Command:
        self.position += 1
        self.skip_blanks()
        if self.peek() != ")":
            self._unexpected()
        self.position += 1
        return self._function_body(word.source, line)

    def _assignment(self, *, declared: bool) -> Assignment | None:
        """The assignment at the cursor, or None when the word is none."""
        match = _ASSIGNMENT.match(self.text, self.position)
        if match is None:
            return None
        start = self.position
        subscript: Word | None = None
        name, operator = match.groups()
        if operator == "[":
            self.position = match.end() - 1
            try:
                subscript = self.read_subscript()
            except ScriptSyntaxError:
                self.position = start
                return None
            match = re.compile(r"\+?=").match(self.text, self.position)
            if match is None:
                self.position = start
                return None
            operator = match.group()
        self.position = match.end()
        append = operator == "+="
        if self.peek() == "(" and not (declared and subscript is not None):
            elements = self._array_elements()
            return Assignment(name, elements, subscript, append, self.text[start : self.position])
        if self.peek() == "(" and not declared:
            self._unexpected()
        value = self.read_word() or Word(())
        return Assignment(name, value, subscript, append, self.text[start : self.position])

    def read_array(self) -> tuple[ArrayElement, ...]:
        """A text that is one array literal."""
        elements = self._array_elements()
        if self.position < len(self.text):
            self._unexpected()
        return elements

    def _array_elements(self) -> tuple[ArrayElement, ...]:
        start = self.position
        self.position += 1
        self.enter()
        elements: list[ArrayElement] = []
        while True:
            self._skip_newlines()
            if self.peek() == ")":
                self.position += 1
                self.leave()
                return tuple(elements)
            if not self.peek():
                self.fail_unterminated(")", start)
            elements.append(self._array_element())

    def _array_element(self) -> ArrayElement:
        start = self.position
        if self.peek() == "[":
            subscript = self.read_subscript()
            match = re.compile(r"\+?=").match(self.text, self.position)
            if match:
                self.position = match.end()
                return ArrayElement(self.read_word() or Word(()), subscript, match.group() == "+=")
            self.position = start
        word = self.read_word()
        if word is None:
            self._unexpected()
        return ArrayElement(word)

    def _redirections(self) -> tuple[Redirection, ...]:
        found: list[Redirection] = []
        while True:
            self.skip_blanks()
            redirection = self._redirection()
            if redirection is None:
                return tuple(found)
            found.append(redirection)

    def _redirection(self) -> Redirection | None:
        match = _REDIRECTION.match(self.text, self.position)
        if match is None:
            return None
        digits, variable, operator, both = match.groups()
        operator = operator or both
        if operator in {"<", ">"} and self.text.startswith("(", match.end()):
            return None  # a process substitution
        self.position = match.end()
        fd = int(digits) if digits else None
        self.skip_blanks()
        target = self.read_word()
        if target is None:
            self._unexpected()
        here = None
        if operator in {"<<", "<<-"}:
            delimiter, quoted = _delimiter(target)
            here = HereDocument(delimiter, quoted, operator == "<<-")
            self._here.append(here)
        return Redirection(operator, target, fd, variable or "", here)

    # -- aliases -------------------------------------------------------------------------------------------------------

    def _alias_continues(self) -> bool:
        """Whether the text just expanded ended with a blank, so that the next word is checked too."""
        return bool(self._alias_ends) and self._alias_blank == self.position

    _alias_blank = -1

    def _expand_alias(self) -> None:
        """Replace an alias at the cursor by its text (bash(1), ALIASES)."""
        if not self.aliases:
            return
        while True:
            match = _WORD_TEXT.match(self.text, self.position)
            if match is None or match.group() not in self.aliases:
                return
            following = self.text[match.end() : match.end() + 1]
            if following and following not in METACHARACTERS:
                return
            name = match.group()
            self._alias_ends = [(known, end) for known, end in self._alias_ends if end > self.position]
            if any(known == name for known, _ in self._alias_ends):
                return
            value = self.aliases[name]
            grown = len(value) - len(name)
            self._alias_ends = [(known, end + grown) for known, end in self._alias_ends]
            self._alias_ends.append((name, self.position + len(value)))
            if len(self.text) + grown > 1 << 20:
                self.fail("alias expansion too long")
            self.replace_text(self.text[: self.position] + value + self.text[match.end() :])
            if value[-1:] in BLANKS and value:
                end = self.position + len(value)
                while self.text[end : end + 1] in {" ", "\t"}:
                    end += 1
                self._alias_blank = end
            self.skip_blanks()


def _text(item: Word | Assignment) -> str | None:
    return item.literal if isinstance(item, Word) else None


def _odd_backslashes(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _delimiter(word: Word) -> tuple[str, bool]:
    """The delimiter of a here-document after quote removal, and whether any of it was quoted."""
    pieces: list[str] = []
    quoted = False
    for part in word.parts:
        if isinstance(part, Literal):
            pieces.append(part.text)
        elif isinstance(part, Quoted):
            pieces.append(part.text)
            quoted = True
        else:
            source = word.source
            if '"' in source or "'" in source or "\\" in source:
                return re.sub(r"\\(.)|[\"']", r"\1", source), True
            return source, False
    return "".join(pieces), quoted


def _split_expressions(text: str) -> list[str]:
    """The parts of ``((a; b; c))``, split at semicolons outside quotes and parentheses."""
    pieces: list[str] = []
    begin = position = depth = 0
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
        elif character in {"'", '"', "`"}:
            close = text.find(character, position + 1)
            position = close if close > 0 else position
        elif character in "({":
            depth += 1
        elif character in ")}":
            depth -= 1
        elif character == ";" and depth == 0:
            pieces.append(text[begin:position])
            begin = position + 1
        position += 1
    pieces.append(text[begin:])
    return pieces
