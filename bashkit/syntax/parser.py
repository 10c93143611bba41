"""Parsing commands (bash(1), SHELL GRAMMAR), one complete command line at a time."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NoReturn

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.brackets import split_expressions
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Background,
    Case,
    CaseItem,
    Command,
    ConditionalCommand,
    Coprocess,
    For,
    FunctionDefinition,
    Group,
    If,
    Literal,
    Pipeline,
    Redirected,
    Redirection,
    Select,
    Sequence,
    SimpleCommand,
    Subshell,
    While,
    Word,
)
from bashkit.syntax.simple_commands import SimpleReader, unbroken
from bashkit.syntax.source import SubstitutionSyntaxError, UnshownSyntaxError, UnterminatedError
from bashkit.syntax.tokens import RESERVED

_CLOSED: Final = (Subshell, Group, If, While, For, Select, ArithmeticFor, Case, ConditionalCommand, ArithmeticCommand)
_COMPOUND: Final = frozenset(["{", "if", "while", "until", "for", "case", "select", "[[", "("])
_NOTHING: Final = frozenset[str]()
_END_OF_GROUP: Final = frozenset(["}"])
_THEN: Final = frozenset(["then"])
_END_OF_BRANCH: Final = frozenset(["elif", "else", "fi"])
_FI: Final = frozenset(["fi"])
_DO: Final = frozenset(["do"])
_DONE: Final = frozenset(["done"])
_ESAC: Final = frozenset(["esac"])
_TIME_OPTIONS: Final = re.compile(r"(?:-p(?=[ \t\n;&|)]|\Z))?(?:[ \t]*--(?=[ \t\n;&|)]|\Z))?")


class Parser(SimpleReader):
    """Turns a script into commands.

    Args:
        text: The script.
        first_line: The number of its first line.
        extglob: Extended patterns are words (``shopt extglob``).
        aliases: Alias definitions to expand (``shopt expand_aliases``), or None.
    """

    # -- entry points --------------------------------------------------------------------------------------------------

    def next_line(self) -> Sequence | None:
        """The next complete command line, or None at the end of the script.

        Raises:
            ScriptSyntaxError: What bash would refuse, worded as bash words it.
        """
        aliases, depth = self.aliases, self.depth
        try:
            return self._line()
        except ScriptSyntaxError as error:
            error.warnings, self.warnings = tuple(self.warnings), []
            # whoever asks again begins outside of all that the line had opened
            self._here, self._closing, self._in_subshell, self.aliases, self.depth = [], "", False, aliases, depth
            self._braces = 0
            raise

    def _line(self) -> Sequence | None:
        self._skip_newlines()
        if self.aliases:
            self._expand_alias()
            while self.peek() == "\n":  # what is left of an alias is a comment
                self._skip_newlines()
                self._expand_alias()
        if not self.peek():
            return None
        self._unsettled.clear()  # what a syntax error has left
        commands: list[Command] = []
        while True:
            commands.append(self._and_or())
            character = self.peek()
            separated = character in {";", "&"}
            if separated:
                if self._operator() not in {";", "&"}:
                    self._unexpected()
                self._separator(commands)
                self.skip_blanks()
                character = self.peek()
            if character in {"", "\n"}:
                self._settle(0, self.line_at(self.position))
                if character:
                    self._newline()
                else:
                    self._read_here_documents()
                break
            if character in ")|" or not separated or self._operator() in {";;", ";&", ";;&"}:
                self._unexpected()
        return Sequence(tuple(commands))

    def needs_more(self) -> bool:
        """Whether a here-document of the last line ran to the end of the text without its delimiter."""
        return self._open_here

    _open_here = False
    _braces = 0  # that are open

    def parse(self) -> Sequence:
        """The whole script at once."""
        commands: list[Command] = []
        while (line := self.next_line()) is not None:
            commands.extend(line.commands)
        return Sequence(tuple(commands))

    def read_substitution(self, closing: str) -> Sequence:
        """The commands of ``$(…)`` or ``<(…)``, up to and over the parenthesis.

        Their aliases are expanded when they run (undocumented); in posix mode here, too.
        """
        self.enter()
        aliases, self.aliases = self.aliases, self.aliases if self.posix else None
        outer, self._here = self._here, []
        closing_outer, self._closing = self._closing, closing
        subshell_outer, self._in_subshell = self._in_subshell, False
        mark = len(self._unsettled)
        try:
            body = self._sequence(_NOTHING, closing, allow_empty=True)
        except ScriptSyntaxError as error:
            if error.incomplete and error.message == "syntax error: unexpected end of file":
                self._fail_open(closing)
            if isinstance(error, UnterminatedError):
                error.substitutions = error.substitutions + 1  # mypyc does not know += of an exception
            if error.incomplete or error.recoverable:
                raise
            refused = SubstitutionSyntaxError(error.message, error.line, error.column)
            refused.silent = isinstance(error, UnshownSyntaxError) and error.silent
            raise refused from None
        if self.peek() != closing:
            self._fail_open(closing)
        if count := len(self._here):  # their bodies follow the line that the substitution stands in
            what = f"{count} unterminated here-document{'' if count == 1 else 's'}"
            self.warnings.append((self.line_at(self.position), f"command substitution: {what}"))
        self._here, self._closing, self._in_subshell, self.aliases = outer + self._here, closing_outer, subshell_outer, aliases
        self._settle(mark, self.line_at(self.position))
        self.position += 1
        self.leave()
        return body

    def _fail_open(self, closing: str) -> NoReturn:
        self._read_here_documents()
        message = f"unexpected EOF while looking for matching `{closing}'"
        raise ScriptSyntaxError(message, self.last_line(), self.column_at(len(self.text)), incomplete=True)

    # -- lists ---------------------------------------------------------------------------------------------------------

    def _separator(self, commands: list[Command]) -> bool:
        """Step over ``;`` or ``&`` if there is one; ``&`` makes the last command a background job."""
        operator = self._operator()
        if operator == "&":
            last = commands[-1]
            self.keep(self.position - self._command_start)
            commands[-1] = Background(last, self.text[self._command_start : self.position].strip(), self.line_at(self.position))
        elif operator != ";":
            return False
        self.position += 1
        return True

    def _sequence(self, enders: frozenset[str], closing: str = "", *, allow_empty: bool = False) -> Sequence:
        """Commands up to a reserved word of ``enders`` or the character ``closing``, which stays unread."""
        self.enter()
        commands: list[Command] = []
        broken: list[int] = []
        while True:
            self._skip_newlines()
            if self.aliases:
                self._expand_alias()
            character = self.text[self.position : self.position + 1]
            if character == "\n":  # what is left of an alias is a comment
                continue
            if not character:
                self._unexpected()
            if (
                character == closing
                or (enders and self._reserved() in enders)
                or (closing == ";;" and self._operator()[:2] in {";;", ";&"})
            ):
                if not commands and not allow_empty:
                    self._unexpected()
                break
            commands.append(self._and_or())
            if self.text[self.position : self.position + 1] == "\n":
                if self._closing:
                    broken.append(len(commands) - 1)
                continue
            if not self._separator(commands):
                if self.peek() == closing or (closing == ";;" and self._operator()[:2] in {";;", ";&"}):
                    continue
                if enders and self._reserved() in enders and _ends_closed(commands[-1]):
                    continue  # `{ (a) }`: a reserved word is known after the end of a compound command
                self._skip_newlines()
                self._unexpected()
        self.leave()
        return Sequence(tuple(commands), frozenset(broken)) if broken else Sequence(tuple(commands))

    def _and_or(self) -> Command:
        """A list that begins at the cursor; the blanks behind it are stepped over, as by ``_pipeline``."""
        start = self.position
        first = self._pipeline()
        rest: list[tuple[str, Command]] = []
        while self.text[self.position : self.position + 1] in {"&", "|"}:
            operator = self._operator()
            if operator not in {"&&", "||"}:
                break
            self.position += 2
            self._skip_newlines()
            rest.append((operator, self._pipeline()))
        self._command_start = start
        return AndOr(first, tuple(rest)) if rest else first

    def _pipeline(self) -> Command:
        """A pipeline that begins at the cursor; the blanks behind it are stepped over."""
        start = self.position
        negated, timed, prefixed = False, "", False
        while True:
            if prefixed:
                self.skip_blanks()
            if self.aliases:
                self._expand_alias()
            word = self._reserved()
            if word == "!":
                negated = not negated
                self.position += 1
                self.step()
            elif word == "time":  # again and again is the same as once
                timed = timed or "bash"
                self.position += 4
                self.step()
                self.skip_blanks()
                if (option := _TIME_OPTIONS.match(self.text, self.position)) is not None and option[0]:
                    timed = "posix"
                    self.position = option.end()
            else:
                break
            prefixed = True
        if prefixed and self._at_end_of_list(negated=negated):
            return Pipeline((), negated, timed, self.line_at(start))
        commands: list[Command] = []
        while True:
            commands.append(self._command())
            self.skip_blanks()
            if self.text[self.position : self.position + 1] != "|":
                break
            operator = self._operator()
            if operator not in {"|", "|&"}:
                break
            if operator == "|&":
                commands[-1] = _merge_error(commands[-1])
            self.position += len(operator)
            self._skip_newlines()
        if len(commands) == 1 and not negated and not timed:
            return commands[0]
        return Pipeline(tuple(commands), negated, timed, self.line_at(start))

    def _at_end_of_list(self, *, negated: bool) -> bool:
        """Whether ``!`` or ``time`` may have no command: not before ``&``, ``&&``, ``;;`` and the end of a subshell."""
        self.skip_blanks()
        return (
            self.peek() in {"", "\n"} or self._operator() == ";" or (self.peek() == ")" and not negated and not self._in_subshell)
        )

    # -- commands ------------------------------------------------------------------------------------------------------

    def _command(self) -> Command:
        """A command that begins at the cursor."""
        if self.aliases:
            self._expand_alias()
        word = self._reserved()
        if word in _COMPOUND or self.peek() == "(":
            self.enter()
            command = self._compound(word)
            if self.aliases:  # undocumented: the word behind it is looked up
                self.skip_blanks()
                self._expand_alias()
            redirections = self._redirections()
            self.leave()
            return self._redirected(command, redirections) if redirections else command
        if word == "function":
            return self._function_keyword()
        if word == "coproc":
            return self._coprocess()
        if word and word != "time":  # behind a "|", time is an ordinary word
            self._unexpected()
        return self._simple_command()

    def _redirected(self, command: Command, redirections: tuple[Redirection, ...]) -> Redirected:
        if isinstance(command, (Subshell, ArithmeticCommand, ConditionalCommand)):
            return Redirected(command, redirections, command.line)
        redirected = Redirected(command, redirections)
        self._unsettled.append(redirected)
        return redirected

    def _settle(self, mark: int, line: int) -> None:
        """Say where the redirections of compound commands fail.

        Undocumented: bash names the line of the ``for``, ``select`` or ``case`` around them, else the first one of the function's
        body, or the last one of the subshell, substitution or command line.
        """
        for redirected in self._unsettled[mark:]:
            redirected.line = line
        del self._unsettled[mark:]

    def _compound(self, word: str) -> Command:
        if word == "(" or not word:
            return self._parenthesis()
        if word == "[[":
            self.position += 2
            test = self.read_condition()
            return ConditionalCommand(test, self.line_at(self.position))
        if word in {"for", "select"}:
            return self._for(word)
        if word == "case":
            return self._case()
        self.position += len(word)
        if word == "{":
            return Group(self._braced())
        if word == "if":
            return self._if()
        condition = self._sequence(_DO)
        return While(condition, self._do_group(), until=word == "until")

    def _parenthesis(self) -> Command:
        if self.continued:
            self.join_parenthesis()
        start = self.position
        if self.starts_with("(("):
            end = self._matching("(", start + 1)
            if end < 0:
                self.fail_unmatched("(", ")", start)
            if self.text.startswith(")", end + 1):
                expression = self.read_expression(self.text[start + 2 : end], start + 2)
                self.position = end + 2
                return ArithmeticCommand(expression, self.line_at(end))
        self.position += 1
        outer, self._in_subshell = self._in_subshell, True
        mark = len(self._unsettled)
        body = self._sequence(_NOTHING, ")")
        self._settle(mark, self.line_at(self.position))
        self._in_subshell = outer
        self.position += 1
        return Subshell(body, self.line_at(self.position - 1))

    def _do_group(self) -> Sequence:
        self._take("do")
        body = self._sequence(_DONE)
        self.position += 4
        return body

    def _if(self) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise = None
        while True:
            condition = self._sequence(_THEN)
            self.position += 4
            body = self._sequence(_END_OF_BRANCH)
            branches.append((condition, body))
            word = self._reserved()
            self.position += len(word)
            if word == "else":
                otherwise = self._sequence(_FI)
                self.position += 2
                break
            if word == "fi":
                break
        return If(tuple(branches), otherwise)

    def _for(self, keyword: str) -> Command:
        line = self.line_at(self.position)
        self.position += len(keyword)
        self.skip_blanks()
        if self.continued and keyword == "for":
            self.join_parenthesis()
        if keyword == "for" and self.starts_with("(("):
            return self._arithmetic_for(line)
        word = self._aliased_word()
        if word is None:
            self._unexpected()
        name = unbroken(word)
        self.skip_blanks()
        here = self.peek() != "\n"
        self._skip_newlines()
        self._continue_alias()
        words: tuple[Word, ...] | None = None
        if self._reserved() == "in":
            self.position += 2
            words = self._words_to_end()
        self.skip_blanks()
        if self.peek() == ";" and self._operator() == ";":
            self.position += 1
        elif here and words is None and self._reserved() == "{":
            self._unexpected()
        mark = len(self._unsettled)
        body = self._body()
        self._settle(mark, line)
        return For(name, words, body, line) if keyword == "for" else Select(name, words, body, line)

    def _words_to_end(self) -> tuple[Word, ...]:
        words: list[Word] = []
        while True:
            self.skip_blanks()
            word = self._aliased_word()
            if word is None:
                if self.peek() not in {"\n", ";", ""}:
                    self._unexpected()
                return tuple(words)
            words.append(word)

    def _body(self) -> Sequence:
        """``do … done`` or, undocumented but old, ``{ … }``."""
        self._skip_newlines()
        if self.aliases:
            self._expand_alias()
        if self._reserved() == "{":
            self.position += 1
            return self._braced()
        return self._do_group()

    def _braced(self) -> Sequence:
        """The rest of ``{ … }``."""
        self._braces += 1
        body = self._sequence(_END_OF_GROUP)
        self._braces -= 1
        self.position += 1
        return body

    def _arithmetic_for(self, line: int) -> ArithmeticFor:
        start = self.position
        end = self._matching("(", start + 1)
        if end < 0:
            self.fail_unmatched("(", ")", start)
        if not self.text.startswith(")", end + 1):
            refused = UnshownSyntaxError("syntax error: `))' expected", self.line_at(end + 1), self.column_at(end + 1))
            refused.silent = True
            self.position = end + 1
            refused.following = self.error_in_line()
            raise refused
        pieces = split_expressions(self.text[start + 2 : end])
        if len(pieces) != 3:
            message = "syntax error: arithmetic expression required" if len(pieces) < 3 else "syntax error: `;' unexpected"
            error = ScriptSyntaxError(message, self.line_at(start), self.column_at(start))
            error.notes = ((self.line_at(start), f"syntax error: `{self.text[start : end + 2]}'"),)
            raise error
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
        subject = self._aliased_word()
        if subject is None:
            self._unexpected()
        self._skip_newlines()
        self._continue_alias()
        self._take("in")
        mark = len(self._unsettled)
        items: list[CaseItem] = []
        while True:
            self.skip_blanks()
            first = not items and self.peek() != "\n"
            self._skip_newlines()
            if self._reserved() == "esac":
                self.position += 4
                break
            items.append(self._case_item(first=first))
            if not items[-1].terminator:
                self._take("esac")
                break
        self._settle(mark, line)
        return Case(subject, tuple(items), line)

    def _case_item(self, *, first: bool) -> CaseItem:
        """Patterns and commands; only the ``first`` pattern, in the line of ``in``, may be ``}`` where a brace is open."""
        if self.peek() == "(":
            self.position += 1
            self.skip_blanks()
            first = False
        patterns: list[Word] = []
        while True:
            self.skip_blanks()
            if self._braces and (patterns or not first) and self._reserved() == "}":
                self._unexpected()
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
        body = self._sequence(_ESAC, ";;", allow_empty=True)
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
        if re.compile(r"\([ \t]*\)").match(self.text, self.position):
            self.position = self.text.index(")", self.position) + 1
        return self.read_function_body(unbroken(word), line)

    def read_function_body(self, name: str, line: int) -> FunctionDefinition:
        """The compound command that is a function's body."""
        self._skip_newlines()
        if self._reserved() not in _COMPOUND and self.peek() != "(":
            self._unexpected()
        mark, begin, read, documents = len(self._unsettled), self.position, self.steps + self.untold, len(self._here)
        body = self._command()
        self._settle(mark, self.line_at(begin))
        steps, length = self.steps + self.untold - read, self.position - begin
        return FunctionDefinition(name, body, line, steps, length, tuple(self._here[documents:]), self.line_at(self.position))

    def _coprocess(self) -> Coprocess:
        line = self.line_at(self.position)
        self.position += 6
        self.skip_blanks()
        name = "COPROC"
        match = re.compile(r"([^\s;&|<>()$`'\"\\=]+)[ \t]+(?=\{\s|\(|\[\[|(?:if|while|until|for|case|select)\b)").match(
            self.text, self.position
        )
        if match and match.group(1) not in RESERVED:
            name = match.group(1)
            self.position = match.end()
        return Coprocess(name, self._command(), line)


def _ends_closed(command: Command) -> bool:
    """Whether a command ends with a parenthesis or reserved word, after which another reserved word is recognized."""
    while True:
        if isinstance(command, AndOr):
            command = command.rest[-1][1]
        elif isinstance(command, Pipeline) and command.commands:
            command = command.commands[-1]
        elif isinstance(command, FunctionDefinition):
            command = command.body
        else:
            return isinstance(command, _CLOSED)


def _merge_error(command: Command) -> Command:
    """A command before ``|&``: its standard error goes where its output goes, after its own redirections."""
    merged = Redirection(">&", Word((Literal("1"),), "1"), 2)
    if isinstance(command, (SimpleCommand, Redirected)):
        return replace(command, redirections=(*command.redirections, merged))
    return Redirected(command, (merged,))
