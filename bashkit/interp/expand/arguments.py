"""Words that become arguments: brace expansion, splitting and pathname expansion (bash(1), EXPANSION)."""

from __future__ import annotations

import re
from itertools import chain
from operator import is_
from typing import TYPE_CHECKING

from bashkit.interp.expand.braces import BraceWord, may_have_braces
from bashkit.interp.expand.fields import Fields, long_may_match, long_needs_splitting, may_match, split_blanks
from bashkit.interp.expand.indirection import name_indirectly, reference_of, referred
from bashkit.interp.expand.lists import DEFAULTS, ListExpansion, compile_list
from bashkit.interp.expand.parameters import compile_choice, compile_parameter
from bashkit.interp.expand.words import compile_parts, constant, has_tilde, length_of, plain_text, scalar_part, tilde_parts
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.variables import LARGE
from bashkit.limits import MANY, Words, ask, paced_if_many, turn
from bashkit.regex.cache import for_short
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    DoubleQuoted,
    ExtendedGlob,
    Literal,
    ParameterExpansion,
    ProcessSubstitution,
    Quoted,
    Word,
    WordPart,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.interp.state.shell import Shell

    Scalar = Callable[[Shell], str]
    Emitter = Callable[[Shell, Fields], None]
    Expander = Callable[[Shell], list[str]]

_MAGIC = re.compile(r"[*?]")
_SPLIT = (ParameterExpansion, CommandSubstitution, ArithmeticExpansion)  # what is split where it is not quoted
_FEW = 100  # words that braces make when the command is compiled
_COMPILED = 20  # microseconds in which such a word is compiled and expanded
_NESTED = 8  # and a parenthesis of an extended pattern in it


def compile_words(words: tuple[Word, ...]) -> Expander:
    """The closure for a list of words that become arguments."""
    others = words
    if len(words) < _FEW:
        texts = [plain_text(word) for word in words]
        if None not in texts:
            turn()
            return _fixed([text for text in texts if text is not None], [])
        others = tuple([word for word, text in zip(words, texts, strict=True) if text is None])
    if not any(map(may_have_braces, others)):
        return _compile_expanded(words)
    braced = [BraceWord(word) for word in words]
    if sum(word.count for word in braced) > _FEW:
        with_braces = _compile_many(braced)
    else:
        expanded = tuple(word for each in braced for word in each.words())
        with_braces = _compile_expanded(expanded)
        if len(expanded) == len(words) and all(map(is_, expanded, words)):
            return with_braces
    without: list[Expander] = []

    def expand(shell: Shell) -> list[str]:
        if shell.options.set["braceexpand"]:
            return with_braces(shell)
        if not without:
            without.append(_compile_expanded(words))
        return without[0](shell)

    return expand


def _compile_many(words: list[BraceWord]) -> Expander:
    """The closure for words whose braces make so many that they are made one by one."""
    count = sum(word.count for word in words)
    plain = {word for word in words if word.is_plain}

    def one(shell: Shell, word: BraceWord) -> Iterable[str]:
        if word in plain:
            return word.texts()
        return chain.from_iterable(_compile_expanded((made,))(shell) for made in _one_by_one(word))

    def expand(shell: Shell) -> list[str]:
        shell.budget.words(count)
        made = one(shell, words[0]) if len(words) == 1 else chain.from_iterable(one(shell, word) for word in words)
        return Words(shell.budget, made)

    return expand


def _one_by_one(word: BraceWord) -> Iterator[Word]:
    """The words that it makes, none before its turn: compiled, they are large."""
    steps = _COMPILED + _NESTED * word.nested
    for made in word.words():
        yield made
        ask(steps)


def _compile_expanded(words: tuple[Word, ...]) -> Expander:
    """The closure for words whose braces are expanded."""
    expanders: list[Expander] = []
    template: list[str] = []  # the words since the last one that may be several fields
    scalars: list[tuple[int, Scalar]] = []
    for word in paced_if_many(words):
        if not word.parts:
            continue  # an empty alternative of a brace expression
        kind = classify(word)
        if isinstance(kind, str):
            template.append(kind)
        elif kind is not None:
            scalars.append((len(template), kind))
            template.append("")
        else:
            if template:
                expanders.append(_fixed(template, scalars))
                template, scalars = [], []
            expanders.append(compile_fields(word))
    if template or not expanders:
        expanders.append(_fixed(template, scalars))
    if len(expanders) == 1:
        return expanders[0]
    first, others = expanders[0], tuple(expanders[1:])

    def expand(shell: Shell) -> list[str]:
        begin = first(shell)
        large = begin.__class__ is Words
        found = begin[:]
        for expander in others:
            more = expander(shell)
            large = large or more.__class__ is Words
            found += more
        return found if not large and len(found) < MANY else Words(shell.budget, found)

    return expand


def _fixed(template: list[str], scalars: list[tuple[int, Scalar]]) -> Expander:
    if not scalars:
        return lambda shell: template[:]  # noqa: ARG005
    if len(scalars) == 1:
        index, scalar = scalars[0]

        def one(shell: Shell) -> list[str]:
            found = template[:]
            found[index] = text = scalar(shell)
            return found if len(text) < LARGE else Words(shell.budget, found)

        return one
    pairs = tuple(scalars)

    def several(shell: Shell) -> list[str]:
        found = template[:]
        size = 0
        for index, scalar in pairs:
            found[index] = text = scalar(shell)
            if len(text) > LARGE:
                size += len(text)
                shell.budget.room(size)
        return found if size < LARGE else Words(shell.budget, found)

    return several


def classify(word: Word) -> str | Scalar | None:
    """The text of a constant word, the closure of one that is always one field, or None."""
    plain = plain_text(word)
    if plain is not None:
        return plain
    if has_tilde(word):
        return None
    brackets = ""
    for part in word.parts:
        if isinstance(part, Literal):
            if _MAGIC.search(part.text):
                return None
            brackets = brackets + part.text
        elif isinstance(part, Quoted):
            continue
        elif isinstance(part, DoubleQuoted):
            if any(map(_holds_list, part.parts)):
                return None
        elif isinstance(part, ArithmeticExpansion):
            return None
        else:
            return None
    if "[" in brackets and "]" in brackets:
        return None
    text = constant(word)
    return compile_parts(word.parts) if text is None else text


def _holds_list(part: WordPart) -> bool:
    return any(map(_holds_list, part.parts)) if isinstance(part, DoubleQuoted) else _is_list(part)


def _is_list(part: WordPart) -> bool:
    """Whether a part of a double-quoted string may make several fields."""
    if not isinstance(part, ParameterExpansion):
        return False
    listed = compile_list(part)
    if listed is not None and not listed.star:
        return True
    argument = part.argument
    if part.operator in DEFAULTS and argument is not None and any(map(_holds_list, argument.parts)):
        return True
    return part.indirect and listed is None


def compile_fields(word: Word) -> Expander:
    """The closure for a word that may become any number of fields."""
    parts: list[WordPart | Scalar] = tilde_parts(word) if has_tilde(word) else list(word.parts)
    kind = _unsplit_emitter if _is_unsplit(word) else emitter
    emitters = tuple(_quoted_emitter(part) if callable(part) else kind(part) for part in parts)
    lone = parts[0] if len(parts) == 1 else None
    if isinstance(lone, ParameterExpansion):
        listed = compile_list(lone)
        if listed is not None and listed.choice is None and not _joins_unquoted(lone):
            return _single_list(listed.values, emitters[0])
        if listed is None and lone.operator in {"", "#", "##", "%", "%%", "/", "//"} and not lone.indirect:
            return _single(compile_parameter(lone))
    if isinstance(lone, ArithmeticExpansion):
        return _single(scalar_part(lone))

    def expand(shell: Shell) -> list[str]:
        fields = Fields(shell)
        for emit in emitters:
            emit(shell, fields)
        return fields.finish()

    return expand


def _is_unsplit(word: Word) -> bool:
    """Undocumented: at a ``$`` that begins nothing bash forgets what is expanded before it, and no longer splits that."""
    unsplit = False
    for part in word.parts:
        if isinstance(part, Literal):
            unsplit = unsplit or "$" in part.text
        elif isinstance(part, DoubleQuoted):
            if _holds_list(part):
                return False
        elif isinstance(part, _SPLIT):
            unsplit = False
    return unsplit and not any(isinstance(part, ParameterExpansion) and compile_list(part) for part in word.parts)


def _unsplit_emitter(part: WordPart) -> Emitter:
    if not isinstance(part, _SPLIT):
        return emitter(part)
    scalar = scalar_part(part)
    return lambda shell, fields: fields.literal(scalar(shell))


def _single(value: Scalar) -> Expander:
    """A lone ``$x``: most values hold nothing to split or match."""

    def expand(shell: Shell) -> list[str]:
        text = value(shell)
        if shell.variables.get("IFS", " \t\n") == " \t\n":
            if text.isalnum() and len(text) < LARGE:
                return [text]
            if not (may_match if len(text) < LARGE else long_may_match)(text):
                return split_blanks(text, shell.budget)
        fields = Fields(shell)
        fields.split(text)
        return fields.finish()

    return expand


def _single_list(values: Expander, emit: Emitter) -> Expander:
    """A lone ``$@`` or ``${a[@]}``, as ``_single``."""

    def expand(shell: Shell) -> list[str]:
        found = values(shell)
        if shell.variables.get("IFS", " \t\n") == " \t\n" and not long_needs_splitting("\0".join(found)):
            found = [value for value in found if value]
            return found if len(found) < MANY else Words(shell.budget, found)
        fields = Fields(shell)
        emit(shell, fields)
        return fields.finish()

    return expand


def _quoted_emitter(scalar: Scalar) -> Emitter:
    return lambda shell, fields: fields.quoted(scalar(shell))


def emitter(part: WordPart, *, split_literals: bool = False) -> Emitter:
    """The closure that adds one part of an unquoted word to the fields.

    Args:
        part: The part.
        split_literals: Literal text is subject to splitting (the word of ``${x:-word}``).
    """
    if isinstance(part, Literal):
        text = part.text
        if split_literals:
            return lambda shell, fields: fields.split(text)  # noqa: ARG005
        return lambda shell, fields: fields.literal(text)  # noqa: ARG005
    if isinstance(part, Quoted):
        protected = part.text
        return lambda shell, fields: fields.quoted(protected)  # noqa: ARG005
    if isinstance(part, DoubleQuoted):
        return _double_quoted_emitter(part)
    if isinstance(part, ParameterExpansion):
        return _parameter_emitter(part, nested=split_literals)
    if isinstance(part, ExtendedGlob):
        return _extended_glob_emitter(part)
    if isinstance(part, ProcessSubstitution) and part.body.commands:
        return _quoted_emitter(scalar_part(part))
    scalar = scalar_part(part)
    return lambda shell, fields: fields.split(scalar(shell))


def _extended_glob_emitter(part: ExtendedGlob) -> Emitter:
    inner = tuple(emitter(piece) for piece in part.parts)
    operator = part.operator

    def emit(shell: Shell, fields: Fields) -> None:
        fields.literal(operator + "(")
        for piece in inner:
            piece(shell, fields)
        fields.literal(")")

    return emit


def _double_quoted_emitter(part: DoubleQuoted) -> Emitter:
    if not any(map(_holds_list, part.parts)):
        return _quoted_emitter(scalar_part(part))
    emitters: list[Emitter] = []
    beside_list = any(isinstance(inner, ParameterExpansion) and _is_many(inner) for inner in part.parts)
    for inner in part.parts:
        if beside_list and isinstance(inner, ParameterExpansion) and inner.indirect and compile_list(inner) is None:
            emitters.append(_indirect_emitter(inner, quoted=True, beside_list=True))
        elif isinstance(inner, ParameterExpansion) and _is_list(inner):
            emitters.append(_list_in_quotes(inner))
        elif beside_list and isinstance(inner, ParameterExpansion) and _is_torn(inner):
            emitters.append(_torn(inner))
        elif isinstance(inner, DoubleQuoted):
            emitters.append(_double_quoted_emitter(inner))
        elif isinstance(inner, (Literal, Quoted)):
            emitters.append(_quoted_emitter(scalar_part(inner)))
        else:
            emitters.append(_unless_empty(scalar_part(inner, quoted=True)))

    def emit(shell: Shell, fields: Fields) -> None:
        for piece in emitters:
            piece(shell, fields)

    return emit


def _is_many(part: ParameterExpansion) -> bool:
    listed = compile_list(part)
    return listed is not None and not listed.star and listed.choice is None


def _is_torn(part: ParameterExpansion) -> bool:
    """Whether ``*`` with an operator: beside ``"$@"`` in the same quotes, bash takes its elements apart."""
    listed = compile_list(part)
    return listed is not None and listed.choice is None and bool(part.operator or part.listing or part.indirect)


def _torn(part: ParameterExpansion) -> Emitter:
    listed = compile_list(part, quoted=True)
    assert listed is not None
    values = listed.values

    def emit(shell: Shell, fields: Fields) -> None:
        found, between = values(shell), shell.separators()[:1]
        if not between:
            found = ["".join(found)]
        elif between in " \t\n":
            found = [value for value in found if value]
        if found:
            fields.splice(found)

    return emit


def _unless_empty(scalar: Scalar) -> Emitter:
    """An expansion beside a list in one pair of quotes: when both are empty there is no field."""

    def emit(shell: Shell, fields: Fields) -> None:
        text = scalar(shell)
        if text:
            fields.quoted(text)

    return emit


def _list_in_quotes(part: ParameterExpansion) -> Emitter:
    """An expansion inside double quotes that may make several fields."""
    listed = compile_list(part, quoted=True)
    if listed is not None and listed.choice is None:
        values = listed.values
        return lambda shell, fields: fields.splice(values(shell))
    if part.indirect and listed is None:
        return _indirect_emitter(part, quoted=True)
    argument = part.argument
    if argument is None or part.operator not in DEFAULTS or (listed is None and part.operator[-1] in "=?"):
        return _quoted_emitter(compile_parameter(part, quoted=True))
    inner = _double_quoted_emitter(DoubleQuoted(argument.parts)) if argument.parts else None
    choose = compile_choice(part) if listed is None else None

    def emit(shell: Shell, fields: Fields) -> None:
        if listed is not None and listed.choice is not None:
            found = listed.choice(shell)
            if found is not None:
                fields.splice([shell.star(found)] if listed.star else found)
                return
        elif choose is not None:
            value = choose(shell)
            if value is not None:
                fields.quoted(value)
                return
        if inner is not None:
            inner(shell, fields)
        fields.quoted("")

    return emit


def _indirect_emitter(part: ParameterExpansion, *, quoted: bool, beside_list: bool = False) -> Emitter:
    """``${!name}``: what it refers to is known only now."""

    def emit(shell: Shell, fields: Fields) -> None:
        final = referred(shell, part)
        if final is not None:
            try:
                if beside_list and not _is_list(final):
                    _unless_empty(scalar_part(final, quoted=True))(shell, fields)
                else:
                    _referred_emitter(final, quoted=quoted)(shell, fields)
            except ExpansionError as error:
                name_indirectly(error, final, part)
                raise
        elif quoted:
            fields.quoted(reference_of(shell, part))
        else:
            fields.split(reference_of(shell, part))

    return emit


@for_short(1024, length_of)
def _referred_emitter(final: ParameterExpansion, *, quoted: bool) -> Emitter:
    if not quoted:
        return _parameter_emitter(final)
    return _list_in_quotes(final) if _is_list(final) else _quoted_emitter(scalar_part(final, quoted=True))


def _parameter_emitter(part: ParameterExpansion, *, nested: bool = False) -> Emitter:
    """Add a parameter's value, or its values; ``nested`` in the word of ``${x:-word}``."""
    listed = compile_list(part)
    if (
        part.operator in DEFAULTS
        and (part.operator[-1] != "?" or listed is not None)
        and not part.length
        and not (part.indirect and listed is None)
    ):
        return _default_emitter(part, listed, nested=nested)
    if listed is not None:
        values = listed.values
        if nested and not listed.star:
            return lambda shell, fields: _emit_nested(shell, fields, values(shell))
        if part.operator in {"#", "##", "%", "%%"} and part.subscript is not None:
            return lambda shell, fields: _emit_joined(shell, fields, values(shell), " ", drops=not nested)
        if _joins_unquoted(part):
            between = "" if part.listing else " "
            return lambda shell, fields: _emit_joined(shell, fields, values(shell), between)
        drops = not nested and not (part.operator == ":" and part.name in {"@", "*"})
        return lambda shell, fields: fields.split_all(values(shell), drops=drops)
    if part.indirect:
        return _indirect_emitter(part, quoted=False)
    scalar = compile_parameter(part)
    return lambda shell, fields: fields.split(scalar(shell))


def _joins_unquoted(part: ParameterExpansion) -> bool:
    """Whether an empty IFS does not keep the elements of an unquoted list apart: ``${!prefix*}`` and ``${!name[*]}``."""
    return bool(part.listing == "*" or (part.indirect and part.subscript is not None and part.subscript.literal == "*"))


def _emit_joined(shell: Shell, fields: Fields, values: list[str], between: str, *, drops: bool = False) -> None:
    if shell.separators():
        fields.split_all(values, drops=drops)
    else:
        fields.split(between.join(values))


def _emit_nested(shell: Shell, fields: Fields, values: list[str]) -> None:
    """Add ``$@`` in the word of ``${x:-word}``: bash makes one field of it where IFS has no space."""
    separators = shell.separators()
    if values and separators and " " not in separators:
        shell.budget.string(sum(map(len, values)) + len(values))
        fields.quoted(" ".join(values))
    else:
        fields.split_all(values)


def _default_emitter(part: ParameterExpansion, listed: ListExpansion | None, *, nested: bool) -> Emitter:
    """``${x:-word}`` unquoted: the word keeps its own quoting."""
    argument = part.argument
    if part.operator in {"=", ":="} and listed is None:
        scalar = compile_parameter(part)
        return lambda shell, fields: fields.split(scalar(shell))
    choice = None if listed is None else listed.choice
    choose = compile_choice(part) if listed is None else None
    parts: list[WordPart | Scalar] = []
    if argument is not None:
        parts = tilde_parts(argument, argument=True) if has_tilde(argument) else list(argument.parts)
    emitters = tuple(_quoted_emitter(p) if callable(p) else emitter(p, split_literals=True) for p in parts)
    drops = part.name not in {"@", "*"}
    joins = nested and listed is not None and not listed.star

    def emit(shell: Shell, fields: Fields) -> None:
        if choice is not None:
            found = choice(shell)
            if found is not None and joins:
                _emit_nested(shell, fields, found)
                return
            if found is not None:
                fields.split_all(found, drops=drops)
                return
        elif choose is not None:
            value = choose(shell)
            if value is not None:
                fields.split(value)
                return
        for piece in emitters:
            piece(shell, fields)

    return emit
