"""Finding the bracket that closes another one, before what is between them is read."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from bashkit.syntax.source import Source

IN_ANSI_C: Final = re.compile(r"(?>[^'\\]{1,512}+|\\.){1,256}+", re.DOTALL)
_UP_TO_BACKQUOTE: Final = re.compile(r"(?>[^`\\]{1,512}+|\\.){1,256}+", re.DOTALL)
_UP_TO_QUOTE: Final = re.compile(r'(?>[^"\\]{1,512}+|\\.){1,256}+', re.DOTALL)
_CASE: Final = r"(?<![^\s;&|(){])(?:case|esac)(?![^\s;&|)}])"
_BEFORE_COMMAND: Final = re.compile(r"(?:[;&|(){\n]|(?:\s|[;&|({])(?:do|then|else|elif|if|while|until|!))\s*\Z")
_NEAR: Final = 16  # characters in which that is looked for
_BRACKETS: Final = {
    "(": re.compile(rf"""[()\\'"]|{_CASE}"""),
    "[": re.compile(r"""[\[\]\\'"]"""),
    "{": re.compile(r"""(?<=\$)[{(]|[}\\'"`]"""),
}


class BracketReader(Source):
    """A cursor that knows where brackets are closed."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        super().__init__(text, first_line)
        self._closings: dict[str, dict[int, int]] = {}  # where brackets are closed, by kind, as far as that was looked for

    def replace(self, end: int, text: str) -> None:
        """As ``Source.replace``."""
        super().replace(end, text)
        self._closings = {}
        self.spend(len(self.text) >> 12)

    def _matching(self, opening: str, start: int) -> int:
        """The position of the bracket that closes the one at ``start``, quotes respected; -1 when there is none."""
        known = self._closings.setdefault(opening, {})
        if start in known:
            return known[start]
        text, special, position = self.text, _BRACKETS[opening], start
        opened: list[int] = []
        cases: list[int] = []  # of every `case` that has not ended: how many brackets are around it
        while (match := self.search(special, position)) is not None:
            self.step()
            character, at = match.group(), match.start()
            position = at + 1
            if character == "\\":
                position += 1
            elif character == "'":
                if at and text[at - 1] == "$":
                    position = self.after_row(IN_ANSI_C, position) + 1
                    if position > len(text):
                        break
                elif not (at and text[at - 1] == "#"):
                    quote = text.find("'", position)
                    if quote < 0:
                        break
                    position = quote + 1
            elif character == '"':
                position = self.after_row(_UP_TO_QUOTE, position)
                position += text.startswith('"', position)
            elif character == opening:
                opened.append(at)
            elif character == "`":
                position = self.after_row(_UP_TO_BACKQUOTE, position) + 1
            elif character == "(" and opening == "{":
                position = max(self._matching("(", at) + 1, position)
            elif character in {"case", "esac"}:
                # Elsewhere it is the name of a variable, or an argument.
                if opened and text[opened[-1] - 1] in "$<>" and _BEFORE_COMMAND.search(text, max(0, at - _NEAR), at):
                    if character == "case":
                        cases.append(len(opened))
                    elif cases:
                        cases.pop()
            elif cases and cases[-1] == len(opened):
                pass  # the parenthesis ends a pattern
            elif opened:
                known[opened.pop()] = at
                if not opened:
                    return at
        known.update(dict.fromkeys(opened, -1))
        return -1

    def fail_unmatched(self, opening: str, closing: str, start: int) -> NoReturn:
        """As fail_unterminated, where a quote may be what is not closed behind ``start``."""
        special, position = _BRACKETS[opening], start
        while (match := self.search(special, position)) is not None:
            self.spend(1)  # nothing is kept of it
            character, position = match.group(), match.end() + (match.group() == "\\")
            if character in {"'", '"'}:
                position = (self.text.find("'", position) if character == "'" else self.after_row(_UP_TO_QUOTE, position)) + 1
                if not position or position > len(self.text):
                    self.fail_unterminated(character, start)
        self.fail_unterminated(closing, start)


def split_expressions(text: str) -> list[str]:
    """The parts of ``((a; b; c))``, split at semicolons outside quotes, ``$(…)`` and ``${…}``."""
    pieces: list[str] = []
    begin = position = depth = 0
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
        elif character in {"'", '"', "`"}:
            close = text.find(character, position + 1)
            position = close if close > 0 else position
        elif character in "({" and (depth or text[position - 1 : position] == "$"):
            depth += 1
        elif character in ")}" and depth:
            depth -= 1
        elif character == ";" and depth == 0:
            pieces.append(text[begin:position])
            begin = position + 1
        position += 1
    pieces.append(text[begin:])
    return pieces
