"""Compiles calls of awk's own functions to Python expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.locale import OCTETS
from bashkit.commands.patterns.awk.compile.fixed import changes
from bashkit.commands.patterns.awk.compile.inference import FIELD, INT, NUM, STR
from bashkit.commands.patterns.awk.compile.scope import ARRAY, SCALAR
from bashkit.commands.patterns.awk.run.formats import parse_format
from bashkit.commands.patterns.awk.run.regexes import literal
from bashkit.commands.patterns.awk.syntax.signatures import SPECIAL_ARRAYS, SPECIALS
from bashkit.commands.patterns.awk.syntax.tree import AwkError, Builtin, Expr, Field, Group, Name, Number, Regex, String

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.awk.compile.inference import Types
    from bashkit.commands.patterns.awk.compile.scope import Scope
    from bashkit.commands.patterns.awk.syntax.tree import Function

Code = tuple[str, int]

_ARITHMETIC = {"int": "truncate", "sin": "sine", "cos": "cosine", "log": "lib.log", "sqrt": "lib.sqrt", "exp": "lib.exp"}
RECORD = Field(Number(0.0))
_LONG = 256  # characters from which a string that was made is counted


class BuiltinTranslator:
    """The part of Translator for awk's own functions; Translator documents what it uses."""

    scope: Scope
    function: Function | None
    folds_case: bool
    line: int
    value: Callable[[Expr], str]
    array: Callable[[Expr], str]
    pattern: Callable[[Expr], str]
    types: Types
    pinned: Callable[[Expr], tuple[Expr | tuple[str, str], str]]
    store_at: Callable[[Expr | tuple[str, str], str], str]
    expr: Callable[[Expr], Code]
    temporary: Callable[[], str]
    constant: Callable[[str, str], str]
    kept: Callable[[str, int], str]

    def text(self, node: Expr, compiled: Code | None = None) -> str:
        """Compile to a string; see Translator."""
        raise AssertionError(node, compiled)  # the translator provides it

    def number(self, node: Expr, *, exact: bool = False) -> str:
        """Compile to a number; see Translator."""
        raise AssertionError(node, exact)  # the translator provides it

    def counted(self, text: str) -> str:
        """The code for a string; a long one is charged to the budget."""
        made = self.temporary()
        return f"({made} if len({made} := {text}) <= {_LONG} else G({made}))"

    def builtin(self, node: Builtin) -> Code:
        """Compile a call; return the code and its type."""
        name, arguments = node.name, node.arguments
        if name in _ARITHMETIC:
            return f"{_ARITHMETIC[name]}({self.number(arguments[0], exact=True)})", NUM
        if name in ("and", "or", "xor", "lshift", "rshift", "compl"):
            return f"bitwise({name!r}, [{', '.join(self.number(item, exact=True) for item in arguments)}])", NUM
        method: Callable[[tuple[Expr, ...]], Code] = getattr(self, f"_call_{name}")
        return method(arguments)

    # -- strings ----------------------------------------------------------------------------------------------------------

    def _call_length(self, arguments: tuple[Expr, ...]) -> Code:
        if not arguments:
            return f"len({self.text(RECORD)})", INT
        bare = arguments[0]
        while isinstance(bare, Group):
            bare = bare.inner
        if isinstance(bare, Name) and (bare.name in SPECIAL_ARRAYS or bare.name not in SPECIALS):
            known = self.scope.kind(self.function, bare.name)
            if known == ARRAY:
                return f"len({self.array(bare)})", INT
            if known != SCALAR:
                return f"rt.length(v_{bare.name})", INT
        code, kind = self.expr(bare)
        if not kind & ~(FIELD | STR):
            return f"len({code})", INT
        return f"rt.length({self.kept(code, kind)})", INT

    def _call_substr(self, arguments: tuple[Expr, ...]) -> Code:
        passed = [self.text(arguments[0]), *(self.number(item) for item in arguments[1:])]
        made = f"substr({', '.join(passed)})"
        length = arguments[2] if len(arguments) > 2 else None
        return made if isinstance(length, Number) and length.value <= _LONG else self.counted(made), STR

    def _call_index(self, arguments: tuple[Expr, ...]) -> Code:
        if isinstance(arguments[1], Regex):
            raise AwkError("index: regexp constant as second argument is not allowed", self.line)
        text, wanted = self.text(arguments[0]), self.text(arguments[1])
        if self.folds_case:
            return f"(({text}).lower().find(({wanted}).lower()) + 1)", INT
        return f"(({text}).find({wanted}) + 1)", INT

    def _call_tolower(self, arguments: tuple[Expr, ...]) -> Code:
        return self.counted(f"lower({self.text(arguments[0])})"), STR

    def _call_toupper(self, arguments: tuple[Expr, ...]) -> Code:
        return self.counted(f"upper({self.text(arguments[0])})"), STR

    def formatted(self, arguments: tuple[Expr, ...], name: str = "printf") -> str:
        """Compile the text that printf makes."""
        if not arguments:
            return f"fatal({f'{name}: no arguments'!r})"
        first = arguments[0]
        while isinstance(first, Group):
            first = first.inner
        if not isinstance(first, String):
            return f"rt.format([{', '.join(self.value(item) for item in arguments)}])"
        form = self.constant(f"parse_format({first.value!r})", "F")
        known = parse_format(first.value)
        if known.quick and len(known.letters) == len(arguments) - 1:
            filled = [
                self.text(item) if letter == "s" else self.number(item)
                for letter, item in zip(known.letters, arguments[1:], strict=True)
            ]
            return f"{form}.fill(({''.join(part + ', ' for part in filled)}), budget)" if filled else repr(known.template % ())
        plain = "c" not in known.letters
        passed = []
        for item in arguments[1:]:
            code, kind = self.expr(item)
            # only %c distinguishes a number from a text that looks like one
            passed.append(code if plain and kind & FIELD else self.kept(code, kind))
        closing = ",)" if len(passed) == 1 else ")"
        octets = "" if plain else f", octets=rt.encoding == {OCTETS!r}"
        return f"{form}.apply(({', '.join(passed)}{closing}, S, budget{octets})"

    def _call_sprintf(self, arguments: tuple[Expr, ...]) -> Code:
        return self.counted(self.formatted(arguments, "sprintf")), STR

    def _substitute(self, name: str, arguments: tuple[Expr, ...]) -> Code:
        pattern, replacement, *rest = arguments
        target = rest[0] if rest else RECORD
        count = self.temporary()
        place, read = self.pinned(target) if changes(target) else (target, "")
        text = self.text(target, (read, self.types.of(target, self.function))) if read else self.text(target)
        passed = f"rt, {self.pattern(pattern)}, {self.text(replacement)}, {text}"
        call = f"{name}({passed})"
        if name == "gsub" and isinstance(pattern, Regex) and not self.folds_case:
            plain = literal(pattern.text)
            if plain is not None and plain[0] == "in":
                call = f"gsub_plain({passed.replace('rt, ', f'rt, {plain[1]!r}, ', 1)})"
        if not isinstance(target, (Name, Field)) and type(target).__name__ != "Index":
            return call, INT
        stored = self.store_at(place, "rt.replaced")
        unchanged = "0"
        if not read and isinstance(target, Field) and rest:  # fields are made up to a place, whether or not it changes
            unchanged = f"(R.reach({self.number(target.number)}), 0)[1]"
        return f"(({stored}, {count})[1] if ({count} := {call}) else {unchanged})", INT

    def _call_sub(self, arguments: tuple[Expr, ...]) -> Code:
        return self._substitute("sub", arguments)

    def _call_gsub(self, arguments: tuple[Expr, ...]) -> Code:
        return self._substitute("gsub", arguments)

    def _call_gensub(self, arguments: tuple[Expr, ...]) -> Code:
        pattern, replacement, how, *rest = arguments
        text = self.text(rest[0] if rest else RECORD)
        return f"gensub(rt, {self.pattern(pattern)}, {self.text(replacement)}, {self.value(how)}, {text})", STR

    def _call_match(self, arguments: tuple[Expr, ...]) -> Code:
        text, pattern, *rest = arguments
        into = f", {self.array(rest[0])}" if rest else ""
        return f"match(rt, {self.text(text)}, {self.pattern(pattern)}{into})", INT

    def _call_split(self, arguments: tuple[Expr, ...]) -> Code:
        passed = [f"rt, {self.text(arguments[0])}, {self.array(arguments[1])}"]
        if len(arguments) > 2:
            separator = arguments[2]
            while isinstance(separator, Group):
                separator = separator.inner
            if isinstance(separator, Regex):
                self.pattern(separator)
                plain = literal(separator.text)
                simple = plain is not None and plain[0] == "in" and len(plain[1]) == 1 and not self._is_special(plain[1])
                passed.append(repr(plain[1] if simple and plain else separator.text))
                passed.extend([] if simple else ["regex=True"])
            else:
                passed.append(self.text(separator))
        if len(arguments) > 3:
            passed.append(f"seps={self.array(arguments[3])}")
        return f"split({', '.join(passed)})", INT

    def _is_special(self, char: str) -> bool:
        """Whether a character that is a separator means another thing than it does as a regular expression."""
        return char == " " or (self.folds_case and char.isalpha())

    def _call_patsplit(self, arguments: tuple[Expr, ...]) -> Code:
        passed = [f"rt, {self.text(arguments[0])}, {self.array(arguments[1])}"]
        if len(arguments) > 2:
            separator = arguments[2]
            passed.append(repr(separator.text) if isinstance(separator, Regex) else self.text(separator))
        if len(arguments) > 3:
            passed.append(self.array(arguments[3]))
        return f"patsplit({', '.join(passed)})", INT

    # -- numbers ----------------------------------------------------------------------------------------------------------

    def _call_atan2(self, arguments: tuple[Expr, ...]) -> Code:
        return f"atan2({self.number(arguments[0])}, {self.number(arguments[1])})", NUM

    def _call_rand(self, arguments: tuple[Expr, ...]) -> Code:  # noqa: ARG002 - there are none
        return "lib.rand()", NUM

    def _call_srand(self, arguments: tuple[Expr, ...]) -> Code:
        return f"lib.srand({self.value(arguments[0]) if arguments else ''})", NUM

    def _call_strtonum(self, arguments: tuple[Expr, ...]) -> Code:
        return f"strtonum({self.value(arguments[0])})", NUM

    def _call_systime(self, arguments: tuple[Expr, ...]) -> Code:  # noqa: ARG002 - there are none
        return "lib.systime()", NUM

    def _call_strftime(self, arguments: tuple[Expr, ...]) -> Code:
        passed = [self.text(item) for item in arguments[:1]]
        passed += [self.number(item, exact=True) for item in arguments[1:2]]
        passed += [f"bool({self.value(item)})" for item in arguments[2:]]
        return f"lib.strftime({', '.join(passed)})", STR

    def _call_mktime(self, arguments: tuple[Expr, ...]) -> Code:
        passed = [self.text(arguments[0]), *(f"bool({self.value(item)})" for item in arguments[1:])]
        return f"lib.mktime({', '.join(passed)})", NUM

    # -- arrays and types -------------------------------------------------------------------------------------------------

    def _sorted(self, name: str, arguments: tuple[Expr, ...]) -> Code:
        passed = [self.array(item) for item in arguments[:2]] + [self.text(item) for item in arguments[2:]]
        return f"lib.{name}({', '.join(passed)})", INT

    def _call_asort(self, arguments: tuple[Expr, ...]) -> Code:
        return self._sorted("asort", arguments)

    def _call_asorti(self, arguments: tuple[Expr, ...]) -> Code:
        return self._sorted("asorti", arguments)

    def _bare(self, node: Expr) -> str:
        """Compile a value that may be an array."""
        while isinstance(node, Group):
            node = node.inner
        if isinstance(node, Name) and (node.name in SPECIAL_ARRAYS or node.name not in SPECIALS):
            if self.scope.kind(self.function, node.name) == ARRAY:
                return self.array(node)
            return f"v_{node.name}"
        return self.value(node)

    def _call_isarray(self, arguments: tuple[Expr, ...]) -> Code:
        return f"(1.0 if {self._bare(arguments[0])}.__class__ is Array else 0.0)", NUM

    def _call_typeof(self, arguments: tuple[Expr, ...]) -> Code:
        node = arguments[0]
        if isinstance(node, Field):
            return f"rt.field_type({self.number(node.number)})", STR
        return f"type_of({self._bare(node)})", STR

    # -- input, output and commands ---------------------------------------------------------------------------------------

    def _call_close(self, arguments: tuple[Expr, ...]) -> Code:
        return f"rt.close({', '.join(map(self.text, arguments))})", NUM

    def _call_fflush(self, arguments: tuple[Expr, ...]) -> Code:
        return f"rt.fflush({self.text(arguments[0]) if arguments else ''})", NUM

    def _call_system(self, arguments: tuple[Expr, ...]) -> Code:
        return f"rt.system({self.text(arguments[0])})", NUM
