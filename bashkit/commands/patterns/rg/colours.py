"""The colours of ripgrep (ripgrep's manual, --colors)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bashkit.commands.patterns.grep.colours import Colours
from bashkit.commands.patterns.rg.expressions import PatternError

_NAMES = {name: number for number, name in enumerate("black red green yellow blue magenta cyan white".split())}
_STYLES = ("bold", "intense", "underline")
_NUMBER = re.compile(r"\+?[0-9]+|0x[0-9A-Fa-f]+")


@dataclass(frozen=True, slots=True)
class AnsiColours(Colours):
    """Codes written as ripgrep writes them: each on its own, between two resets. A blank stands between two codes."""

    def paint(self, code: str, text: str) -> str:
        """The text in a colour."""
        if not code:
            return text
        codes = "".join(f"\x1b[{part}m" for part in code.split(" ") if part != "0")
        return f"\x1b[0m{codes}{text}\x1b[0m"


@dataclass(frozen=True, slots=True)
class _Look:
    """How one part of the output looks.

    Attributes:
        fg, bg: Its colours: a name, or what follows ``38;`` and ``48;``.
        bold, intense, underline: Its style; what is intense has the bright colour of a name.
    """

    fg: str = ""
    bg: str = ""
    bold: bool = False
    intense: bool = False
    underline: bool = False

    @property
    def code(self) -> str:
        """Its codes."""
        given = ["1"] * self.bold + ["4"] * self.underline
        for place, colour in (("3", self.fg), ("4", self.bg)):
            if colour in _NAMES:
                number = _NAMES[colour]
                given.append(f"{place}8;5;{8 + number}" if self.intense else f"{place}{number}")
            elif colour:
                given.append(f"{place}8;{colour}")
        return " ".join(given)


def chosen_colours(specifications: list[str], *, inverted: bool) -> Colours:
    """The colours that ``--colors`` asks for, one specification after the other.

    Args:
        specifications: Its arguments.
        inverted: With ``-v`` the matches are in the lines of context.

    Raises:
        PatternError: One of them is malformed.
    """
    looks = {"path": _Look("magenta"), "line": _Look("green"), "column": _Look(), "match": _Look("red", bold=True)}
    for text in specifications:
        kind, colon, rest = text.lower().partition(":")
        if not colon:
            raise _malformed(text)
        if kind not in looks:
            raise PatternError(f"unrecognized output type '{text.partition(':')[0]}'. Choose from: {', '.join(looks)}.\n")
        looks[kind] = _changed(looks[kind], rest, text)
    path, line, column, match = (look.code for look in looks.values())
    return AnsiColours(match, match if inverted else "", "", "", path or "0", line or "0", column or "0", "")


def _malformed(text: str) -> PatternError:
    return PatternError(
        f"invalid color spec format: '{text}'. Valid format is '(path|line|column|match):(fg|bg|style):(value)'.\n"
    )


def _changed(look: _Look, change: str, text: str) -> _Look:
    attribute, colon, value = change.partition(":")
    if attribute == "none":
        return _Look()
    if attribute not in {"fg", "bg", "style"}:
        given = text.split(":")[1]
        raise PatternError(f"unrecognized spec type '{given}'. Choose from: fg, bg, style, none.\n")
    if not colon or ":" in value:
        raise _malformed(text)
    if attribute != "style":
        colour = _colour(value, text.split(":")[2])
        return replace(look, fg=colour) if attribute == "fg" else replace(look, bg=colour)
    if value.removeprefix("no") not in _STYLES:
        shown = text.split(":")[2]
        styles = ", ".join(f"no{style}, {style}" for style in _STYLES)
        raise PatternError(f"unrecognized style attribute '{shown}'. Choose from: {styles}.\n")
    style, on = value.removeprefix("no"), not value.startswith("no")
    return replace(look, **{style: on})  # type: ignore[arg-type]  # all of these are switches


def _colour(value: str, shown: str) -> str:
    if value in _NAMES:
        return value
    numbers = [_byte(part) for part in shown.split(",")]
    if len(numbers) == 1 and numbers[0] is not None:
        return f"5;{numbers[0]}"
    if len(numbers) == 3 and None not in numbers:
        return "2;" + ";".join(map(str, numbers))
    if len(numbers) > 1:
        wanted = "RGB color triple, should be '[0-255],[0-255],[0-255]' (or a hex triple)"
        raise PatternError(f"unrecognized {wanted}, but is '{shown}'\n")
    if re.fullmatch("[0-9A-Fa-f]*", shown):
        raise PatternError(f"unrecognized ansi256 color number, should be '[0-255]' (or a hex number), but is '{shown}'\n")
    names = "black, blue, green, red, cyan, magenta, yellow, white"
    raise PatternError(f"unrecognized color name '{shown}'. Choose from: {names}\n")


def _byte(text: str) -> int | None:
    """A number below 256, or None."""
    if len(text) > 99 or not _NUMBER.fullmatch(text):
        return None
    number = int(text, 16) if text.startswith("0x") else int(text)
    return number if number < 256 else None
