"""umask: the file mode creation mask, as a number or in symbols."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell

_ALL_BITS = 0o7777


@builtin("umask", usage="[-p] [-S] [mode]", summary="Display or set file mode mask.", options="pS")
def umask(shell: Shell, options: Options, words: list[str]) -> int:
    """Show or set the file mode creation mask."""
    letters = {letter for letter, _ in options}
    if words:
        try:
            mask = _parse_mask(words[0], shell.umask)
        except ValueError as error:
            shell.complain("umask", str(error))
            return 1
        shell.umask = mask
        if "S" not in letters:
            return 0
    if "S" in letters:
        allowed = ~shell.umask
        parts = ["".join(bit for bit, on in zip("rwx", (4, 2, 1), strict=True) if allowed >> shift & on) for shift in (6, 3, 0)]
        text = f"u={parts[0]},g={parts[1]},o={parts[2]}"
    else:
        text = f"{shell.umask:04o}"
    prefix = "umask -S " if "S" in letters else "umask "
    shell.write((prefix if "p" in letters and not words else "") + text + "\n")
    return 0


def _parse_mask(text: str, mask: int) -> int:
    """The mask that an octal number or a symbolic mode makes of ``mask`` (bash(1), umask).

    Raises:
        ValueError: What is wrong with it.
    """
    if is_digits(text[:1]):
        if not re.fullmatch(r"[0-7]{1,6}", text) or int(text, 8) > _ALL_BITS:
            raise ValueError(f"{text}: octal number out of range")
        return int(text, 8) & 0o777
    allowed = ~mask & 0o777
    clauses = text.split(",")
    for number, clause in enumerate(clauses, 1):
        match = re.match(r"([ugoa]*)([-+=]?)([rwx]*)", clause)
        assert match is not None
        who, operator, what = match.groups()
        rest = clause[match.end() :]
        if not operator:
            met = rest[:1] or what[:1] or ("," if number < len(clauses) else "\0")  # bash shows the end of the text
            raise ValueError(f"`{met}': invalid symbolic mode operator")
        if rest:
            raise ValueError(f"`{rest[0]}': invalid symbolic mode character")
        shifts = [shift for letter, shift in (("u", 6), ("g", 3), ("o", 0)) if letter in who or "a" in who or not who]
        bits = sum({"r": 4, "w": 2, "x": 1}[letter] for letter in set(what))
        for shift in shifts:
            if operator == "=":
                allowed = allowed & ~(7 << shift) | bits << shift
            elif operator == "+":
                allowed |= bits << shift
            else:
                allowed &= ~(bits << shift)
    return ~allowed & 0o777
