"""Reads the first comment of a script, which describes the script before any code."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from bashkit import host_files

_LONGEST = 256  # maximum characters of a description
_READ = 16 << 10  # bytes of a script that are read
_CODING = re.compile(r"#.*coding[=:]\s*[-\w.]+|#\s*vim:|#\s*frozen_string_literal:|#\s*typed:")
_DECORATION = re.compile(r"[\s#*/=~_-]*")

# the start and end of a block comment
_HASHED: tuple[tuple[str, str], ...] = ()
_BLOCKS: dict[str, tuple[tuple[str, str], ...]] = {
    ".py": (('"""', '"""'), ("'''", "'''"), ('r"""', '"""'), ("r'''", "'''")),
    ".sh": ((": '", "'"), (': "', '"'), (":'", "'")),
    ".js": (("/**", "*/"), ("/*", "*/")),
    ".rb": (("=begin", "\n=end"),),
    ".pl": (("=pod", "\n=cut"), ("=head1", "\n=cut")),
    ".ps1": (("<#", "#>"),),
}
_MARKS = {".js": ("//",), ".bat": ("@rem", "rem", "::"), ".cmd": ("@rem", "rem", "::")}
_SKIPPED = ("#!", "'use strict'", '"use strict"', "@echo off")


def describe(path: Path) -> str:
    """The first paragraph of a script's first comment on one line, at most 256 characters; "" when code comes first."""
    try:
        state = path.stat()
    except OSError:
        return ""
    return _describe(str(path), state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=4096)
def _describe(file: str, *_state: int) -> str:
    path = Path(file)
    try:
        with host_files.open_file(path) as stream:
            text = stream.read(_READ).decode("utf-8", "replace")
    except OSError:
        return ""
    return first_comment(text, path.suffix.lower())


def first_comment(text: str, suffix: str) -> str:
    """Like ``describe``, but takes the text of a script.

    Args:
        text: The script.
        suffix: ``.py``, ``.sh``, …, which decides the comment syntax.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    while lines and _no_comment(lines[0]):
        lines.pop(0)
    if not lines:
        return ""
    rest = "\n".join(lines).lstrip(" \t")
    for opening, closing in _BLOCKS.get(suffix, _HASHED):
        if rest.startswith(opening):
            return _paragraph(rest[len(opening) :].partition(closing)[0].split("\n"), "*" if suffix == ".js" else "")
    return _line_comments(lines, _MARKS.get(suffix, ("#",)))


def _no_comment(line: str) -> bool:
    """Whether a line may stand before the comment: an empty line, the shebang, the coding, a language switch."""
    plain = line.strip()
    return not plain or plain.lower().startswith(_SKIPPED) or _CODING.match(plain) is not None


def _line_comments(lines: list[str], marks: tuple[str, ...]) -> str:
    found = []
    for line in lines:
        plain = line.strip()
        mark = next((mark for mark in marks if plain.lower().startswith(mark)), None)
        if mark is None:
            break
        found.append(plain[len(mark) :].lstrip(mark[-1]))
    return _paragraph(found, "")


def _paragraph(lines: list[str], margin: str) -> str:
    """The first paragraph, without lines of dashes and without the asterisk margin of block comments."""
    words: list[str] = []
    for line in lines:
        plain = line.strip()
        if margin:
            plain = plain.lstrip(margin).strip()
        if _DECORATION.fullmatch(plain):
            if words:
                break
            continue
        words.append(plain)
    return " ".join(" ".join(words).split())[:_LONGEST].rstrip()
