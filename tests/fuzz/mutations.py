"""Changes what known scripts are made of: pieces exchanged, doubled, removed, and whole scripts put into another form.

A case that passes says little about its neighbours. The changes stay near the cases: an option is exchanged for another one that the
same command has somewhere, an expansion for an expansion, a line for a line of any other script.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

_PIECE = re.compile(
    r"""
    (?P<parameter> \$\{[^{}\s]*\} )
  | (?P<arithmetic> \$\(\([^()\n]*\)\) )
  | (?P<variable> \$[\w@*#?!-] )
  | (?P<single> \$?'[^'\n]*' )
  | (?P<double> "[^"$`\\\n]*" )
  | (?P<option> (?<=[ \t])[-+]-?[A-Za-z][\w-]* )
  | (?P<redirection> \d?(?:<<<|>>|>&|<&|>\||<>|&>|[<>])[ ]?[\w./&$-]+ )
  | (?P<test> (?<=[ ])(?:==|=~|!=|=|<|>|-(?:eq|ne|lt|gt|le|ge))(?=[ ]) )
  | (?P<connector> &&|\|&|\|\|?|;;&|;;|;&|;|& )
  | (?P<assignment> (?<![\w$-])[A-Za-z_]\w*\+?= )
  | (?P<number> (?<![\w.])-?\d+(?![\w.]) )
  | (?P<word> [\w./:%@,-]+ )
  | (?P<blank> [ \t]+ | \n )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_CASES = Path(__file__).parents[1] / "spec" / "language"
_FIXED = {"blank", "other"}
_RESERVED = frozenset("if then elif else fi for in do done while until case esac function select time".split())
_OPERATORS = ":- - := = :+ + :? ? # ## % %% / // /# /% ^ ^^ , ,, @Q @E @P @A @a @K @k @U @u @L [0] [-1] [1] [@] [*] :0 :1 :1:2 :(-1) ::1".split()
_INSERTED = [*"* ? [ ] \\ ' \" ~ ! { } , ; # % $x \\n \\t é . - / : = + ( )".split(), " ", ""]
_FORMS = (
    "f() {{\n{}\n}}; f a b",
    "(\n{}\n)",
    "{{\n{}\n}} | cat",
    'echo "$(\n{}\n)"',
    "set -e\n{}",
    "set -u\n{}",
    "set -f\n{}",
    "set -o posix\n{}",
    "shopt -s extglob nullglob\n{}",
    "IFS=:\n{}",
    "for i in 1 2; do\n{}\ndone",
    "if ! {{\n{}\n}}; then echo no; fi",
    "trap 'echo \"exit $?\"' EXIT\n{}",
    "{}\necho $?",
    "{}\ndeclare -p a b m x y 2> /dev/null",
)
# what is not the same twice, or depends on the machine and its user
_UNFIT = re.compile(
    r"""\$\$ | (?<![\w.$}"'*?\\])/(?!dev/(?:null|std|fd)) | ~ | \$\{?0
      | RANDOM | SECONDS | EPOCH | BASHPID | PPID | PATH | HOME | USER | LOGNAME | HOST | TYPE | SHELL | COLUMNS | \bU?ID\b
      | \b(?: bashkit | chroot | date | df | enable | help | history | id | jobs | kill(?:all)? | mktemp | nproc | ps | python3? | sleep
          | stat | time | times | top | tree | ulimit | uname | w | who(?:ami)? )\b
    """,
    re.VERBOSE,
)


@dataclass(slots=True)
class Corpus:
    """Known scripts, and their pieces by kind.

    Attributes:
        scripts: They.
        pieces: The pieces of each kind; an option's kind is ``option`` and its command.
        lines: The lines of all.
    """

    scripts: list[str]
    pieces: dict[str, list[str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, scripts: Iterable[str]) -> Corpus:
        """Take scripts apart; those that cannot be compared are left out."""
        corpus = cls([script for script in scripts if not _UNFIT.search(script)])
        found: dict[str, dict[str, None]] = {}
        for script in corpus.scripts:
            corpus.lines += [line for line in script.splitlines() if line.strip()]
            for kind, piece in pieces(script):
                found.setdefault(kind, {})[piece] = None
        corpus.pieces = {kind: list(known) for kind, known in found.items()}
        return corpus


@cache
def cases() -> Corpus:
    """The cases of ``tests/spec``."""
    files = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(_CASES.glob("*.yaml"))]
    return Corpus.of(case["script"] for rows in files for case in rows)


def pieces(script: str) -> list[tuple[str, str]]:
    """The pieces of a script and their kinds."""
    made: list[tuple[str, str]] = []
    command, at_start = "", True
    for match in _PIECE.finditer(script):
        kind, text = match.lastgroup or "other", match.group()
        if kind == "option":
            kind = f"option {command}"
        elif kind == "word" and at_start and text not in _RESERVED:
            command, kind, at_start = text, "command", False
        elif kind == "connector" or text in {"\n", "(", "{", "!"} or text in _RESERVED:
            at_start = True
            kind = "reserved" if text in _RESERVED else kind
        made.append((kind, text))
    return made


def mutated(script: str, corpus: Corpus, random: Random) -> str:
    """A script with up to three changes, sometimes in another form; "" where nothing came of it that can be compared."""
    changes = random.choice((0, 1, 1, 1, 2, 2, 3))
    for _ in range(changes):
        script = random.choice(_EDITS)(script, corpus, random)
    if not changes or random.random() < 0.2:
        script = random.choice(_FORMS).format(script)
    return "" if _UNFIT.search(script) else script


def _exchange(script: str, corpus: Corpus, random: Random) -> str:
    parts = pieces(script)
    places = [place for place, (kind, _) in enumerate(parts) if kind not in _FIXED]
    if not places:
        return script
    place = random.choice(places)
    kind = parts[place][0]
    near = [piece for other, piece in parts if other == kind]
    new = random.choice(near if random.random() < 0.4 else corpus.pieces.get(kind, near))
    return _joined([*parts[:place], (kind, new), *parts[place + 1 :]])


def _exchange_kind(script: str, corpus: Corpus, random: Random) -> str:
    """A value where another kind of value stood."""
    parts = pieces(script)
    kinds = ("parameter", "variable", "single", "double", "number", "word", "arithmetic")
    places = [place for place, (kind, _) in enumerate(parts) if kind in kinds]
    if not places:
        return script
    place = random.choice(places)
    kind = random.choice(kinds)
    return _joined([*parts[:place], (kind, random.choice(corpus.pieces[kind])), *parts[place + 1 :]])


def _remove(script: str, _: Corpus, random: Random) -> str:
    parts = pieces(script)
    if parts:
        del parts[random.randrange(len(parts))]
    return _joined(parts)


def _double(script: str, _: Corpus, random: Random) -> str:
    parts = pieces(script)
    if not parts:
        return script
    place = random.randrange(len(parts))
    between = [("blank", " ")] if random.random() < 0.5 else []
    return _joined([*parts[: place + 1], *between, *parts[place:]])


def _swap(script: str, _: Corpus, random: Random) -> str:
    parts = pieces(script)
    places = [place for place, (kind, _) in enumerate(parts) if kind not in _FIXED]
    if len(places) < 2:
        return script
    one, other = random.sample(places, 2)
    parts[one], parts[other] = parts[other], parts[one]
    return _joined(parts)


def _operator(script: str, _: Corpus, random: Random) -> str:
    """Another operator in an expansion of a parameter."""
    found = list(re.finditer(r"(\$\{[!#]?\w+(?:\[[^\]]*\])?)([^{}\w]*|@\w)", script))
    if not found:
        return script
    match = random.choice(found)
    return script[: match.start(2)] + random.choice(_OPERATORS) + script[match.end(2) :]


def _insert(script: str, _: Corpus, random: Random) -> str:
    """A character that means something, anywhere."""
    place = random.randrange(len(script) + 1)
    return script[:place] + random.choice(_INSERTED) + script[place:]


def _quote(script: str, _: Corpus, random: Random) -> str:
    """Quotes around a piece, or other quotes, or none."""
    parts = pieces(script)
    places = [place for place, (kind, _) in enumerate(parts) if kind not in _FIXED]
    if not places:
        return script
    place = random.choice(places)
    kind, text = parts[place]
    bare = text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
    parts[place] = (
        kind,
        random.choice((f"'{bare}'", f'"{bare}"', bare, f"$'{bare}'", f"\\{bare}", f'"$(echo {bare})"', f"$(echo {bare})")),
    )
    return _joined(parts)


def _line(script: str, corpus: Corpus, random: Random) -> str:
    """A line of another script, or one less, or two in the other order."""
    lines = script.splitlines()
    place = random.randrange(len(lines) + 1)
    match random.randrange(3):
        case 0:
            lines.insert(place, random.choice(corpus.lines))
        case 1 if place < len(lines):
            del lines[place]
        case _ if len(lines) > 1:
            lines.insert(place, lines.pop(random.randrange(len(lines))))
    return "\n".join(lines) + "\n"


def _joined(parts: list[tuple[str, str]]) -> str:
    return "".join(text for _, text in parts)


_EDITS = (
    _exchange,
    _exchange,
    _exchange,
    _exchange_kind,
    _remove,
    _double,
    _swap,
    _operator,
    _operator,
    _insert,
    _quote,
    _quote,
    _line,
)
