r"""Perl's regular expressions as ``grep -P`` has them (pcre2pattern(3)), read into a tree.

Not there: callouts do nothing, ``(*THEN)`` and ``(*MARK)`` neither, and a called group matches in one way only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bashkit.limits import turn
from bashkit.regex.charset import CharSet
from bashkit.regex.perlescapes import EscapeReader
from bashkit.regex.syntax_tree import (
    MAX_DEPTH,
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Concat,
    Conditional,
    Fold,
    Group,
    Keep,
    Literal,
    Look,
    Node,
    Recursion,
    RegexError,
    Repeat,
    Verb,
    VerbKind,
    concat,
)

_MISPLACED = "quantifier does not follow a repeatable item"
_NO_GROUP = "reference to non-existent subpattern"
_NO_TERMINATOR = "syntax error in subpattern name (missing terminator?)"
_OPTIONS = re.compile(
    r"\(\*(?:UTF8?|(UCP)|ANYCRLF|CRLF|CR|LF|ANY|NUL|BSR_ANYCRLF|BSR_UNICODE|NO_[A-Z_]+|LIMIT_[A-Z]+=\d+|NOTEMPTY\w*)\)"
)
_LOOKS = {"=": (True, False), "!": (True, True), "<=": (False, False), "<!": (False, True)}
_NAMES = re.compile(r"P?<([^>]*)(>?)|'([^']*)('?)")
_VERBS: dict[str, VerbKind] = {"ACCEPT": "accept", "COMMIT": "commit", "PRUNE": "prune", "SKIP": "skip"}
_NOT_NEWLINE = CharSet(ranges=(("\n", "\n"),), negated=True)
_NOTHING = Look(Concat(()), ahead=True, negative=True)  # never matches


@dataclass(frozen=True, slots=True)
class _Flags:
    """What ``(?imsxnU)`` switches on."""

    i: bool = False
    m: bool = False
    s: bool = False
    x: bool = False
    n: bool = False
    U: bool = False
    J: bool = False


class PerlParser(EscapeReader):
    """Reads one pattern.

    Attributes:
        ignore_case: The pattern begins with ``(?i)``.
        line_anchors: ``(?m)`` is in it.
        folds: Parts of it differ in whether case matters.
        programmed: Only the backtracking matcher can run it.
    """

    def __init__(self, pattern: str, groups: int = 0, *, ignore_case: bool = False, unicode: bool = True) -> None:
        super().__init__(pattern, unicode=unicode, ignore_case=ignore_case)
        self.groups = groups
        self.names: dict[str, int] = {}
        self.depth = 0
        self.looking = 0  # lookarounds that are open
        self.line_anchors = False
        self.programmed = False
        self._calls: list[int | str] = []  # the groups that are called, or asked for before they are there

    def parse(self) -> Node:
        """The tree of the whole pattern."""
        while (option := self.matched(_OPTIONS)) is not None:
            self.unicode = self.unicode or bool(option[1])
        start = re.compile(r"\(\?([a-zA-Z^]*)").match(self.pattern, self.index)
        self.ignore_case = self.ignore_case or (
            start is not None and "i" in start[1] and self.pattern.startswith(")", start.end())
        )
        self._flags = _Flags(i=self.ignore_case)
        node = self._alternation()
        if self.index < len(self.pattern):
            raise RegexError("unmatched closing parenthesis")
        for called in self._calls:
            if called not in self.names if isinstance(called, str) else called > self.groups:
                raise RegexError(_NO_GROUP)
        return node

    def _alternation(self, *, reset: bool = False) -> Node:
        """Sequences with ``|`` between them; with ``reset`` their groups have the same numbers (``(?|``)."""
        before = highest = self.groups
        choices = [self._sequence()]
        while self.peek("|"):
            self.index += 1
            if reset:
                highest, self.groups = max(highest, self.groups), before
            choices.append(self._sequence())
        self.groups = max(highest, self.groups)
        return choices[0] if len(choices) == 1 else Alternation(tuple(choices))

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self.index < len(self.pattern) and self.pattern[self.index] not in "|)":
            turn()
            quoted = self.matched(re.compile(r"\\Q(.*?)(?:\\E|\Z)", re.DOTALL))
            if quoted is not None:
                items += [self._folded(Literal(char)) for char in quoted[1]]
                if quoted[1]:
                    items.append(self._repeated(items.pop()))
            elif self.peek("\\E"):
                self.index += 2
            elif self._flags.x and self.matched(re.compile(r"\s+|#[^\n]*\n?")):
                continue
            else:
                atom = self._atom()
                if atom is not None:
                    items.append(self._repeated(self._folded(atom)))
        return concat(items)

    def _folded(self, item: Node) -> Node:
        """A character whose case sensitivity differs from that of the rest."""
        if self._flags.i == self.ignore_case or not isinstance(item, (Literal, CharSet)):
            return item
        self.folds = True
        return Fold(item, self._flags.i)

    def _repeated(self, item: Node) -> Node:
        start = self.index
        bounds = self._bounds()
        if bounds is None:
            return item
        if isinstance(item, (Assertion, Keep)):
            self.index = start
            raise RegexError(_MISPLACED)
        lazy, possessive = self.peek("?"), self.peek("+")
        self.index += lazy or possessive
        if self._bounds() is not None:
            raise RegexError(_MISPLACED)
        if isinstance(item, Look):
            return item if bounds[0] else Alternation((item, Concat(())))
        return Repeat(item, *bounds, lazy=lazy != self._flags.U and not possessive, possessive=possessive)

    def _bounds(self) -> tuple[int, int | None] | None:
        if self._flags.x:
            self.matched(re.compile(r"\s+"))
        char = self.pattern[self.index : self.index + 1]
        if char and char in "*+?":
            self.index += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        found = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}").match(self.pattern, self.index)
        if found is None:
            return None
        low, comma, high = found.groups()
        if max(len(low), len(high or "")) > 5 or int(low) > 65535 or int(high or 0) > 65535:
            raise RegexError("number too big in {} quantifier")
        if high and int(low) > int(high):
            raise RegexError("numbers out of order in {} quantifier")
        self.index = found.end()
        return int(low), (int(high) if high else None) if comma else int(low)

    def _atom(self) -> Node | None:
        char = self.pattern[self.index]
        if char == "(" and not (self.peek("(*") and not re.compile(r"\(\*[A-Za-z:]").match(self.pattern, self.index)):
            return self._group()
        if char == "(":
            raise RegexError(_MISPLACED)
        if self._bounds() is not None:
            raise RegexError(_MISPLACED)
        if char == "[":
            return self.bracket()
        if char == "\\":
            return self._escaped()
        self.index += 1
        if char == ".":
            return AnyChar() if self._flags.s else _NOT_NEWLINE
        if char in "^$":
            self.line_anchors |= self._flags.m
            return Assertion("line_start" if char == "^" else "line_end")
        return Literal(char)

    # -- references -----------------------------------------------------------------------------------------------------

    def _escaped(self) -> Node:
        if self.peek("\\K"):
            if self.looking:
                raise RegexError("\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)")
            self.index += 2
            return Keep()
        node = self.escape()
        if node is not None:
            return node
        called = self.matched(re.compile(r"\\g(?:<([^>]*)>|'([^']*)')"))
        if called is not None:
            return self._call(called[1] or called[2] or "")
        plain = self.matched(re.compile(r"\\(?:g(-?[0-9]+)|g\{(-?[0-9]+)\}|([0-9]+))"))
        if plain is not None:
            return self._numbered(plain[1] or plain[2] or plain[3])
        letter = self.pattern[self.index + 1]
        self.index += 2
        found = self.matched(re.compile(r"\{([^}]*)(\}?)|<([^>]*)(>?)|'([^']*)('?)"))
        if found is None or (letter == "g" and not found[0].startswith("{")):
            what = "name/number or by a plain number" if letter == "g" else "name"
            raise RegexError(f"\\{letter} is not followed by a braced, angle-bracketed, or quoted {what}")
        name, closed = (found[number] or found[number + 2] or found[number + 4] or "" for number in (1, 2))
        return self._reference(name, closed=bool(closed))

    def _numbered(self, digits: str) -> Node:
        number = int(digits[:6])
        number = self.groups + 1 + number if number < 0 else number
        if number <= 0:
            raise RegexError(_NO_GROUP)
        self._calls.append(number)
        if number > self.groups:
            return _NOTHING  # a group that comes later is not set here
        return Backreference(number)

    def _reference(self, name: str, *, closed: bool) -> Node:
        self._check_name(name, closed=closed)
        if name not in self.names:
            self._calls.append(name)
            return _NOTHING
        return Backreference(self.names[name])

    def _check_name(self, name: str, *, closed: bool) -> None:
        if not name:
            raise RegexError("subpattern name expected")
        if name[0].isdecimal():
            raise RegexError("subpattern name must start with a non-digit")
        if not closed or not name.isidentifier():
            raise RegexError(_NO_TERMINATOR)

    def _call(self, text: str) -> Node:
        """A group by number, relative or not, or by name, to be matched anew."""
        self.programmed = True
        if re.fullmatch("[+-]?[0-9]+", text):
            number = int(text[:6])
            if text[0] in "+-":
                number += self.groups + (text[0] == "-")
            if number < (text[0] in "+-"):
                raise RegexError(_NO_GROUP)
            self._calls.append(number)
            return Recursion(number)
        if text not in self.names:
            ahead = re.search(rf"\(\?(?:P?<{re.escape(text)}>|'{re.escape(text)}')", self.pattern)
            if ahead is None:
                raise RegexError(_NO_GROUP)
            skipped = re.findall(r"\\.|\((?!\?(?!P?<\w|')|\*)", self.pattern[: ahead.start()], re.DOTALL)
            return Recursion(1 + sum(part == "(" for part in skipped))
        return Recursion(self.names[text])

    # -- groups ---------------------------------------------------------------------------------------------------------

    def _group(self) -> Node | None:
        if self.depth >= MAX_DEPTH:
            raise RegexError("parentheses are too deeply nested")
        if self.peek("(*"):
            return self._verb()
        self.index += 1
        if not self.peek("?"):
            return self._inner() if self._flags.n else self._capture("")
        self.index += 1
        if self.matched(re.compile("#")):
            if not self.matched(re.compile(r"[^)]*\)")):
                raise RegexError("missing ) after (?# comment")
            return None
        if self.matched(re.compile(r"C[0-9]*\)")):
            return None
        look = self.matched(re.compile("<?[=!]"))
        if look is not None:
            return self._look(*_LOOKS[look[0]])
        if self.matched(re.compile(">")):
            return Atomic(self._inner())
        if self.matched(re.compile(r"\|")):
            self.programmed = True
            return self._inner(reset=True)
        if self.matched(re.compile(r"\(")):
            return self._condition()
        return self._special()

    def _special(self) -> Node | None:
        """A named group, a call of one, or flags."""
        called = self.matched(re.compile(r"(?:&|P>)([^)]*)(\)?)|(R|[+-]?[0-9]+)\)"))
        if called is not None:
            if called[3] is None:
                self._check_name(called[1], closed=bool(called[2]))
            return self._call("0" if called[3] == "R" else called[3] or called[1])
        back = self.matched(re.compile(r"P=([^)]*)(\)?)"))
        if back is not None:
            return self._reference(back[1], closed=bool(back[2]))
        named = self.matched(_NAMES)
        if named is not None:
            name = named[1] or named[3] or ""
            self._check_name(name, closed=bool(named[2] or named[4]))
            return self._capture(name)
        if self.matched(re.compile("P(?=.)")):
            raise RegexError("unrecognized character after (?P")
        return self._switch()

    def _switch(self) -> Node | None:
        """Flags, up to the end of the group or for a group of their own."""
        found = self.matched(re.compile(r"(\^?)([a-zA-Z]*)(?:(-)([a-zA-Z]*))?"))
        on, off = (found[2], found[4] or "") if found else ("", "")
        if any(letter not in "imsxnUJ" for letter in on + off):
            raise RegexError("unrecognized character after (? or (?-")
        closer = self.pattern[self.index : self.index + 1]
        if not closer or self.pattern[self.index - 1] == "P":
            raise RegexError("missing closing parenthesis")
        if closer not in "):":
            raise RegexError("unrecognized character after (? or (?-")
        before = self._flags
        flags = _Flags() if found and found[1] else before
        self._flags = replace(flags, **dict.fromkeys(on, True), **dict.fromkeys(off, False))
        self.index += 1
        if closer == ")":
            if re.compile(r"[*+?]|\{[0-9]+(,[0-9]*)?\}").match(self.pattern, self.index):
                raise RegexError(_MISPLACED)
            return None
        inner = self._inner()
        self._flags = before
        return inner

    def _inner(self, *, reset: bool = False) -> Node:
        """What stands up to the closing parenthesis."""
        flags = self._flags
        self.depth += 1
        inner = self._alternation(reset=reset)
        self.depth -= 1
        self._flags = flags
        if not self.peek(")"):
            raise RegexError("missing closing parenthesis")
        self.index += 1
        return Concat((inner,))

    def _capture(self, name: str) -> Node:
        self.groups += 1
        number = self.groups
        if name:
            if self.names.get(name, number) != number and not self._flags.J:
                raise RegexError("two named subpatterns have the same name (PCRE2_DUPNAMES not set)")
            self.names[name] = number
        return Group(self._inner(), number)

    def _look(self, ahead: bool, negative: bool) -> Node:
        self.looking += 1
        inner = self._inner()
        self.looking -= 1
        body = inner.items[0] if isinstance(inner, Concat) and len(inner.items) == 1 else inner
        if ahead or not isinstance(body, Alternation):
            return Look(inner, ahead, negative)
        looks = tuple(Look(choice, ahead, negative) for choice in body.choices)  # each may be as wide as it likes
        return Concat(looks) if negative else Concat((Alternation(looks),))

    def _condition(self) -> Node:
        """``(?(test)yes|no)``, its second parenthesis just read."""
        look = self.matched(re.compile(r"\?(<?[=!])"))
        if look is not None:
            ahead, negative = _LOOKS[look[1]]
            test = self._look(ahead, negative)
            yes, no = self._branches()
            opposite = self._opposite(test, ahead=ahead, negative=negative)
            return Concat((Alternation((Concat((test, yes)), Concat((opposite, no)))),))
        if self.peek("?"):
            raise RegexError("assertion expected after (?( or (?(?C)")
        if self.index >= len(self.pattern):
            raise RegexError("missing closing parenthesis")
        found = self.matched(re.compile(r"(?:<([^>)]*)>|'([^')]*)'|([^)]*))\)"))
        if found is None:
            raise RegexError("missing closing parenthesis for condition")
        self.programmed = True
        name = found[1] or found[2] or found[3] or ""
        number = self._tested(name)
        yes, no = self._branches(define=name == "DEFINE")
        return Conditional(number, yes, no)

    @staticmethod
    def _opposite(test: Node, *, ahead: bool, negative: bool) -> Node:
        if isinstance(test, Look):
            return Look(test.item, ahead, not negative)
        return Look(test, ahead=True, negative=True)

    def _tested(self, name: str) -> int:
        if name in ("DEFINE", "R") or re.fullmatch(r"R(?:[0-9]+|&\w+)", name):
            return 0
        if re.fullmatch("[+-]?[0-9]+", name):
            number = int(name[:6])
            number += 0 if name[0] not in "+-" else self.groups + (name[0] == "-")
            self._calls.append(number)
            return number
        if name not in self.names:
            raise RegexError(_NO_GROUP)
        return self.names[name]

    def _branches(self, *, define: bool = False) -> tuple[Node, Node]:
        inner = self._inner()
        body = inner.items[0] if isinstance(inner, Concat) else inner
        choices = body.choices if isinstance(body, Alternation) else (body,)
        if define and len(choices) > 1:
            raise RegexError("DEFINE subpattern contains more than one branch")
        if len(choices) > 2:
            raise RegexError("conditional subpattern contains more than two branches")
        found = list(choices)
        return found[0], found[1] if len(found) > 1 else Concat(())

    def _verb(self) -> Node:
        found = self.matched(re.compile(r"\(\*(?:([A-Z]*)(?::[^)]*)?)\)"))
        name = found[1] if found else ""
        if found is None or name not in (*_VERBS, "F", "FAIL", "THEN", "MARK", ""):
            alpha = re.compile(r"\(\*[a-z]").match(self.pattern, self.index)
            raise RegexError("(*alpha_assertion) not recognized" if alpha else "(*VERB) not recognized or malformed")
        if name in ("F", "FAIL"):
            return _NOTHING
        if name in _VERBS:
            self.programmed = True
            return Verb(_VERBS[name])
        return Concat(())
