"""Writes a tree as lines, as JSON and as XML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from bashkit.commands._filesystem.modes import letters
from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._notation.locale import OCTETS, as_octets, encoding
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.listing.tree.gather import Node
from bashkit.commands.listing.tree.notes import marks
from bashkit.interp.runtime.pieces import in_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs import Stat
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_RECENT = 15_778_476  # half a year in seconds
_CONTROLS = [*range(32), 127]
_HIDDEN = dict.fromkeys([*_CONTROLS, *range(0xDC80, 0xDD00)], "?")  # with octets that are no characters
_OCTAL = {code: f"\\{code & 0xFF:03o}" for code in _HIDDEN}
_MARKS = {"directory": "/", "symlink": "", "fifo": "|"}
_KINDS = {"symlink": "link", "character": "char"}
_BRANCHES = {  # the marks before a file, before the last one, and beside what is below either
    "utf-8": ("├── ", "└── ", "│\u00a0\u00a0 "),
    "ascii": ("|-- ", "`-- ", "|   "),
    "ansi": ("tqq ", "mqq ", "x   "),
    "cp437": ("\udcc3\udcc4\udcc4 ", "\udcc0\udcc4\udcc4 ", "\udcb3   "),
}
_COLORS = {"directory": "01;34", "symlink": "01;36", "fifo": "40;33", "character": "40;33;01"}


def human(size: int, base: int = 1024) -> str:
    """Write a size with one letter, rounded as tree does: ``2.9K``."""
    if size < base:
        return str(size)
    amount, letters_left = float(size), "kMGTPEZ" if base == 1000 else "KMGTPEZ"
    index = -1
    while amount >= base and index < len(letters_left) - 1:
        amount /= base
        index += 1
    return f"{amount:.{1 if amount < 10 else 0}f}{letters_left[index]}"


class Shower:
    """Writes trees.

    Args:
        process: The utility.
        arguments: Its options.
        write: Receives the text.
    """

    def __init__(self, process: Process, arguments: Arguments, write: Callable[[str], None]) -> None:
        self._process = process
        self._arguments = arguments
        self._write = write
        self._zone = process.system.timezone(process.env.get("TZ", ""))
        self._sized = any(key in arguments for key in ("s", "h", "si", "du"))
        self._human = 1000 if "si" in arguments else 1024 if "h" in arguments else 0
        charset = (arguments.get("charset") or encoding(process.env)).lower()
        self._graphics = (
            "ansi" if "A" in arguments else "cp437" if "S" in arguments else "utf-8" if charset in {"utf-8", "utf8"} else "ascii"
        )

    # -- details --------------------------------------------------------------------------------------------------------

    def _details(self, node: Node) -> Iterator[tuple[str, str]]:
        """The requested details, each with its name in JSON and XML."""
        arguments, stat = self._arguments, node.stat
        if "inodes" in arguments:
            yield "inode", str(stat.ino)
        if "device" in arguments:
            yield "dev", "0"
        if "p" in arguments:
            yield "mode", f"{stat.mode & 0o7777:04o}"
            yield "prot", letters(stat.type, stat.mode)
        if "u" in arguments:
            yield "user", name_of(self._process, stat.uid)
        if "g" in arguments:
            yield "group", name_of(self._process, stat.gid, group=True)
        if self._sized:
            yield "size", human(node.size, self._human) if self._human else str(node.size)
        if "D" in arguments:
            yield "time", self._time(stat)

    def _time(self, stat: Stat) -> str:
        when = stat.ctime if "c" in self._arguments else stat.mtime
        now = self._process.system.now()
        form = self._arguments.get("timefmt") or ("%b %e %H:%M" if now - _RECENT <= when <= now else "%b %e  %Y")
        return strftime(form, Moment.of(when, self._zone), self._process.budget)

    def _head(self, node: Node) -> str:
        widths = {"inode": 7, "dev": 3, "size": 4 if self._human else 11}
        shown = []
        for key, text in self._details(node):
            if key in {"user", "group"}:
                shown.append(text[:32].ljust(8))
            elif key != "mode":
                shown.append(text.rjust(widths.get(key, 0)))
        return f"[{' '.join(shown)}]  " if shown else ""

    def unopened(self, name: str, stat: Stat | None) -> None:
        """Write a line about an operand that is no directory, with its details if it is there."""
        head, mark = ("", "") if stat is None else (self._head(Node(name, name, stat, size=stat.size)), self._top_mark(stat))
        self._write(f"{head}{self._quoted(name)}{mark}  [error opening dir]\n")

    # -- lines ----------------------------------------------------------------------------------------------------------

    def lines(self, root: Node) -> None:
        """Write a tree as lines."""
        pending: list[tuple[Node, str, str]] = [(root, "", "")]
        middle, end, bar = _BRANCHES[self._graphics]
        while pending:
            node, prefix, branch = pending.pop()
            self._process.budget.tick(10)
            indent = "" if "i" in self._arguments else prefix + branch
            if self._graphics == "ansi" and indent:
                indent = f"\x1b(0{indent}\x1b(B"
            head, name = self._head(node), self._named(node, top=node is root)
            self._write((head + indent if "metafirst" in self._arguments else indent + head) + name + node.remark + "\n")
            below = prefix + {end: "    ", middle: bar}.get(branch, "")
            if node.note:
                self._note(node, " " * len(head) if "metafirst" in self._arguments else "", below)
            children = node.children or []
            last = len(children) - 1
            pending.extend((children[index], below, end if index == last else middle) for index in range(last, -1, -1))

    def _note(self, node: Node, blank: str, below: str) -> None:
        """Write the note about a file under its line."""
        indent = f"\x1b(0{below}\x1b(B" if self._graphics == "ansi" and below else below
        for mark, line in zip(marks(len(node.note), ascii_only=self._graphics == "ascii"), node.note, strict=True):
            self._write(f"{blank}{indent} {mark} {line}\n")

    def _named(self, node: Node, *, top: bool) -> str:
        arguments = self._arguments
        shown = self._colored(
            node.stat,
            self._quoted(node.path if "f" in arguments or top else node.name),
            broken=bool(node.target) and not node.target_stat,
        )
        if node.target:
            target = self._quoted(node.target)
            return f"{shown} -> {self._colored(node.target_stat, target)}{self._mark(node.target_stat)}"
        return shown if shown.endswith("/") else shown + (self._top_mark(node.stat) if top else self._mark(node.stat))

    def _top_mark(self, stat: Stat) -> str:
        """What ``-F`` adds to the name of an operand: links, too, have a mark there."""
        return "@" if stat.type == "symlink" and "F" in self._arguments else self._mark(stat)

    def _mark(self, stat: Stat | None) -> str:
        """What ``-F`` adds to the name of a file."""
        if stat is None or "F" not in self._arguments or "d" in self._arguments:
            return ""
        return "*" if stat.type == "file" and stat.mode & 0o111 else _MARKS.get(stat.type, "")

    def _quoted(self, name: str) -> str:
        table = _HIDDEN if "q" in self._arguments else {} if "N" in self._arguments else _OCTAL
        if table:
            name = as_octets(name) if encoding(self._process.env) == OCTETS else name
            name = in_pieces(lambda piece: piece.translate(table), name, self._process.budget)
        return f'"{name}"' if "Q" in self._arguments else name

    def _colored(self, stat: Stat | None, text: str, *, broken: bool = False) -> str:
        if self._arguments.last("C", "n") != "C" or "TERM" not in self._process.env:
            return text
        color = "00" if stat is None else _COLORS.get(stat.type, "00")
        if broken:
            color = "40;31;01"
        elif stat is not None and stat.type == "file" and stat.mode & 0o111:
            color = "01;32"
        return f"\x1b[{color}m{text}\x1b[0m"

    # -- records --------------------------------------------------------------------------------------------------------

    def record(self, root: Node, *, xml: bool) -> str:
        """A tree as JSON or XML, without a newline at the end."""
        opening, closing = (self._open_xml, self._close_xml) if xml else (self._open_json, self._close_json)
        pieces: list[str] = []
        pending: list[tuple[Node, int, bool, bool]] = [(root, 1, True, False)]
        while pending:
            node, depth, last, done = pending.pop()
            self._process.budget.tick(20)
            if done:
                pieces.append("  " * depth + closing(node))
            elif node.children or (node.remark and not node.target):
                pieces.append("  " * depth + opening(node, top=node is root, filled=True))
                pieces.append("\n")
                pending.append((node, depth, last, True))
                pending.extend(
                    (child, depth + 1, number == 0, False) for number, child in enumerate(reversed(node.children or []))
                )
                continue
            else:
                pieces.append("  " * depth + opening(node, top=node is root, filled=False))
            if node is not root:
                pieces.append("\n" if last or xml else ",\n")
        text = "".join(pieces)
        self._process.budget.string(len(text))
        return text

    def _open_json(self, node: Node, *, top: bool, filled: bool) -> str:
        name = node.path if top or "f" in self._arguments else node.name
        fields = [("type", _KINDS.get(node.stat.type, node.stat.type)), ("name", name)]
        if node.target:
            fields.append(("target", node.target))
        fields += [("info", "\n".join(node.note))] if node.note else []
        fields.extend(self._details(node))
        plain = {"inode", "dev"} | (set() if self._human else {"size"})
        text = ",".join(f'"{key}":{text if key in plain else json.dumps(text, ensure_ascii=False)}' for key, text in fields)
        if not filled:
            return "{" + text + "}"
        error = f'{{"error": {json.dumps(node.remark.strip(" []"))}}}\n' if node.remark else ""
        return "{" + text + ',"contents":[' + error

    def _close_json(self, node: Node) -> str:
        del node
        return "]}"

    def _open_xml(self, node: Node, *, top: bool, filled: bool) -> str:
        name = node.path if top or "f" in self._arguments else node.name
        fields = [("name", name), *([("target", node.target)] if node.target else [])]
        fields += [("info", "\n".join(node.note))] if node.note else []
        fields.extend((key, str(node.size) if key == "size" else text) for key, text in self._details(node))
        kind = _KINDS.get(node.stat.type, node.stat.type)
        text = f"<{kind}" + "".join(f' {key}="{escape(text, {chr(34): "&quot;"})}"' for key, text in fields) + ">"
        text += f"<error>{escape(node.remark.strip(' []'))}</error>" if node.remark else ""
        if filled:
            return text
        return f"{text}{chr(10) + '  ' if top else ''}</{kind}>"

    def _close_xml(self, node: Node) -> str:
        return f"</{_KINDS.get(node.stat.type, node.stat.type)}>"
