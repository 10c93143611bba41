"""Tokens of the shell's grammar: operators, reserved words, here-documents, aliases (bash(1), RESERVED WORDS, ALIASES)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NoReturn

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.conditions import ConditionReader
from bashkit.syntax.escapes import visible
from bashkit.syntax.nodes import HereDocument, Quoted, Redirected, Word
from bashkit.syntax.source import BLANKS, METACHARACTERS, OPERATOR
from bashkit.syntax.unparse import unparse_word

if TYPE_CHECKING:
    from collections.abc import Mapping

RESERVED: Final = frozenset(
    "! [[ ]] case coproc do done elif else esac fi for function if in select then time until while { }".split()
)
_WORD_TEXT: Final = re.compile(r"[^ \t\n;&|<>()\\'\"$`]{1,16}")  # of a word no longer than a reserved one
_ALIAS: Final = re.compile(r"[^ \t\n;&|<>()\\'\"$`]{1,1024}")
_LONGEST: Final = 18  # characters of a word of that length and a line continuation
_RESERVED_OR_BROKEN: Final = re.compile(
    rf"({'|'.join(sorted(map(re.escape, RESERVED)))})(?=[ \t\n;&|<>()]|\Z)|{_WORD_TEXT.pattern}(?=\\\n)"
)
_ENDS_WORD: Final = METACHARACTERS | {""}
_BY_BEGINNING: Final = {  # the reserved words by their first two characters, what ends a short one among them
    beginning: tuple([word for word in RESERVED if word.startswith(beginning) or word == beginning[0]])
    for beginning in sorted({word + end if len(word) == 1 else word[:2] for word in RESERVED for end in _ENDS_WORD})
}
_SKIPPED: Final = re.compile(r"[ \t]|\\\n")
_ENDS_NO_WORD: Final = _ENDS_WORD | {"\\"}
_BEGIN_OPERATOR: Final = frozenset(";&|<>()")
_IN_OPERATOR: Final = frozenset(";&|<>\\")  # what may follow in the same operator
_PAIRS: Final = frozenset(["&&", "||", ";;", "|&", ">>", "<<", ";&"])
_AFTER_PAIR: Final = frozenset("&<>-\\")  # what may follow these
_DESCRIPTOR: Final = re.compile(r"(?<![^ \t\n;&|<>()])[0-9]+\Z")  # before the operator of a redirection
_MOST_DIGITS: Final = 16


_BROKEN_OPERATOR: Final = re.compile(r"(?:[;&|<>()-]|\\\n){1,64}")
_BROKEN_WORD: Final = re.compile(r"(?:[^\s\\;&|<>()'\"$`]|\\\n){1,64}")


class TokenReader(ConditionReader):
    """Reads the tokens between words.

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
        self.warnings: list[tuple[int, str]] = []  # lines and messages about what is well-formed and suspicious
        self._here: list[HereDocument] = []
        self._unsettled: list[Redirected] = []  # compound commands whose line for messages about redirections is not known yet
        self._alias_ends: list[tuple[str, int, bool]] = []  # names, where their texts end, and whether they last to the end

    # -- tokens --------------------------------------------------------------------------------------------------------

    def _operator(self) -> str:
        character = self.text[self.position : self.position + 1]
        if character == "\n":
            return character
        if character not in _BEGIN_OPERATOR:
            return ""
        pair = self.text[self.position : self.position + 2]
        if pair[1:] not in _IN_OPERATOR:
            return character
        if pair in _PAIRS and self.text[self.position + 2 : self.position + 3] not in _AFTER_PAIR:
            return pair
        match = OPERATOR.match(self.text, self.position)
        if match is None:
            return ""
        continued = self.text.startswith("\\\n", match.end())
        if continued and self._join(_BROKEN_OPERATOR, OPERATOR, match.end()):
            return self._operator()
        return match.group()

    def _reserved(self) -> str:
        """The reserved word at the cursor, or ""."""
        position = self.position
        if position == self._looked_at:
            return self._found_there
        self._looked_at, self._found_there = position, ""
        if not self.continued or self.text.find("\\\n", position, position + _LONGEST) < 0:
            beginning = self.text[position : position + 2]
            for word in _BY_BEGINNING.get(beginning, ()):
                end = position + len(word)
                if self.text[position:end] == word and self.text[end : end + 1] in _ENDS_WORD:
                    self._found_there = "" if beginning == "!(" and self.extglob and not self.negates else word
            return self._found_there
        match = _RESERVED_OR_BROKEN.match(self.text, position)
        if match is not None:
            word = match.group()
            if match.end() == match.end(1):
                self._found_there = word
            elif self._join(_BROKEN_WORD, _WORD_TEXT, match.end()):
                return self._reserved()
            elif word in RESERVED and (self._after(match.end()) or " ") in METACHARACTERS:
                self._found_there = word
        return self._found_there

    def _after(self, position: int) -> str:
        """The character at a position, or the one after the line continuations there."""
        position = self.past(position)
        return self.text[position : position + 1]

    _looked_at = -1  # where _reserved looked last, and what it found
    _found_there = ""

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
            if not self._ended and self.text[-1:] not in {"\n", ""}:
                self.fail("syntax error near unexpected token `newline'")  # a last line that has none is read as if it had one
            self._read_here_documents()
            raise ScriptSyntaxError(
                "syntax error: unexpected end of file",
                self.last_line(),
                self.column_at(self.position),
                incomplete=True,
            )
        start = self.position
        token = self._operator()
        if not token or (token in {"<", ">"} and self.text[start + 1 : start + 2] == "("):
            token = self._refused_word() or self.peek()
            if token.startswith('$"'):
                token = token[1:]
        elif token[0] in "<>" and (number := _DESCRIPTOR.search(self.text, max(start - _MOST_DIGITS, 0), start)) is not None:
            token = number[0]  # that of a file descriptor is a token, too
        if token == "\n":
            token = "newline"
        message = f"syntax error near unexpected token `{visible(token)}'"
        raise ScriptSyntaxError(message, self.line_at(self.position), self.column_at(start))  # the line where the token ends

    def _refused_word(self) -> str:
        """A word that stands where it may not, as bash prints it; empty where there is none."""
        word = self.read_word()
        return unparse_word(word) if word else ""

    def _newline(self) -> None:
        """Step over a newline and read the here-documents that begin after it."""
        self.position += 1
        if self._here:
            self._read_here_documents()

    def _skip_newlines(self) -> None:
        if self._here:
            self.skip_blanks()
            if self.text[self.position : self.position + 1] == "\n":
                self._newline()
        self.skip_lines()
        self._ended = self.position >= len(self.text)

    _ended = False  # the text has ended where a newline may stand
    _in_subshell = False  # what is being read stands directly in parentheses
    _closing = ""  # what ends the command substitution that is being read

    def _read_here_documents(self) -> None:
        """Read the bodies of here-documents, which follow the line; that of an alias is the line that it stands in."""
        end = max((end for _, end, _ in self._alias_ends if end >= self.position), default=-1)
        if end < 0:
            self._read_bodies()
            return
        position = self.position
        self.position = begin = self.text.find("\n", end) + 1 or len(self.text)
        self._read_bodies()
        after, line = self.position, self.line_at(self.position) - 1
        self.position = begin
        self.replace(after, "")
        self.position = position
        self._known = end, line
        self._looked_at = -1

    def _read_bodies(self) -> None:
        pending, self._here = self._here, []
        for here in pending:
            begin = self.position
            lines: list[str] = []
            while True:
                if self.position >= len(self.text):
                    self._open_here = True
                    end = self.last_line() - 1
                    self._warn_of_end(here, begin, end)
                    break
                if not len(lines) & 255:
                    self.spend(128)
                start = self.position
                line = self._here_line(continued=not here.quoted)
                joined = line.replace("\\\n", "") if "\n" in line else line
                if here.strip_tabs:
                    joined = joined.lstrip("\t")
                if joined == here.delimiter:
                    break
                # Undocumented: EOF) ends a here-document and the substitution.
                if self._closing and joined.startswith(here.delimiter) and self._closing in joined[len(here.delimiter) :]:
                    self.position = self.text.index(here.delimiter, start) + len(here.delimiter)
                    self._warn_of_end(here, begin, self.line_at(start))
                    break
                lines.append(joined + "\n")
            body = "".join(lines)
            if here.quoted:
                here.body = Word((Quoted(body),) if body else (), body)
            else:
                here.body = self.read_here_body(body, self.line_at(begin))

    def _warn_of_end(self, here: HereDocument, begin: int, line: int) -> None:
        opened = self.line_at(begin) - self.text.startswith("\n", begin - 1)  # the text may end with the line of the operator
        where = f"here-document at line {opened}"
        self.warnings.append((line, f"{where} delimited by end-of-file (wanted `{here.delimiter}')"))

    def _here_line(self, *, continued: bool) -> str:
        """The next line of a here-document; what follows a backslash at its end belongs to it if it can be ``continued``."""
        pieces: list[str] = []
        while True:
            end = self.text.find("\n", self.position)
            piece = self.text[self.position :] if end < 0 else self.text[self.position : end]
            self.position = len(self.text) if end < 0 else end + 1
            if not pieces and not (continued and piece[-1:] == "\\"):
                return piece
            pieces.append(piece)
            if end < 0 or not _odd_backslashes(piece):
                return "\n".join(pieces)
            if not len(pieces) & 255:
                self.spend(128)

    # -- aliases -------------------------------------------------------------------------------------------------------

    def _alias_continues(self) -> bool:
        """Whether the text just expanded ended with a blank, so that the next word is checked too."""
        return bool(self._alias_ends) and self._alias_blank == self.position

    _alias_blank = -1

    def _continue_alias(self) -> None:
        """Expand the word at the cursor when the alias before it ended with a blank."""
        if self._alias_continues():
            self._expand_alias()

    def _aliased_word(self) -> Word | None:
        """The word at the cursor, as ``read_word``."""
        self._continue_alias()
        return self.read_word()

    def in_alias(self) -> bool:
        """Whether a line has ended inside the text of an alias, whose other lines follow."""
        return any(end > self.position for _, end, _ in self._alias_ends)

    def _expand_alias(self) -> None:
        """Replace an alias at the cursor by its text (bash(1), ALIASES), unless it stands in that text.

        Undocumented: one that makes up the end of another alias is over before its own last word, which may be it again; one
        that makes up the end of such a one is not; and so on.
        """
        if not self.aliases:
            return
        while True:
            match = _ALIAS.match(self.text, self.position)
            if match is None or match.group() not in self.aliases:
                return
            following = self._after(match.end())
            if following and following not in METACHARACTERS:
                return
            name = match.group()
            self._alias_ends = [alias for alias in self._alias_ends if alias[1] > self.position]
            lasts = not self._alias_ends or self._alias_ends[-1][2] is not (self._alias_ends[-1][1] == match.end())
            around = [alias for alias in self._alias_ends if alias[2] or alias[1] > match.end()]
            if any(known == name for known, _, _ in around):
                return
            value = self.aliases[name]
            space = " " if following in {"<", ">", "("} and _ends_in_word(value) else ""  # undocumented: that word is whole
            grown = len(value) + len(space) - len(name)
            if self._alias_blank > self.position:
                self._alias_blank += grown
            end = self.position + len(value)
            inner = any(other == match.end() for _, other, _ in self._alias_ends)  # that alias decides on the next word
            self._alias_ends = [(known, other + grown, lasted) for known, other, lasted in around]
            self._alias_ends.append((name, end, lasts))
            if len(self.text) + grown > 1 << 20:
                self.fail("alias expansion too long")
            line = self.line_at(self.position)
            self.replace(match.end(), value + space)
            self._known = end, line  # the lines of an alias are not counted
            self._looked_at = -1
            if value and value[-1] in BLANKS and not inner:
                while (skipped := _SKIPPED.match(self.text, end)) is not None:
                    end = skipped.end()
                self._alias_blank = end
            self.skip_blanks()


def _ends_in_word(text: str) -> bool:
    """Whether the text of an alias ends in a word, and not within quotes."""
    return text[-1:] not in _ENDS_NO_WORD and not ('"' in text or "'" in text)


def _odd_backslashes(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1
