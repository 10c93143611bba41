"""Assignments to closures (bash(1), PARAMETERS and Arrays)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Never

from bashkit.interp.expand.additions import added, is_long
from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.expand.braces import BraceWord, may_have_braces
from bashkit.interp.expand.words import compile_scalar, compile_subscript, element_word
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError
from bashkit.interp.state.variables import NAMEREF, READONLY, AssociativeArray, DynamicVariable, IndexedArray, Variable
from bashkit.limits import Words, paced_if_many
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    Assignment,
    CommandSubstitution,
    DoubleQuoted,
    ExpressionSubscript,
    Literal,
    ParameterExpansion,
    Quoted,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bashkit.interp.expand.arguments import Expander
    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import ArrayElement, WordPart

    Element = tuple[str | None, list[str], bool, str]  # subscript, value (one word) or values, whether it appends, its source
    Elements = Callable[[Shell], list[Element]]


_NAMES_ELEMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[").match
_LONG = 64  # characters from which an element is charged to the budget's memory


class ArrayArgument(str):
    """``name=(…)`` as an argument of declare and its kin.

    Attributes:
        name: The variable.
        elements: The elements, expanded.
        append: ``+=``.
        source: As written.
        keyed: The elements are those of an associative array: ``-A`` is spelled out, or the variable is one.
    """

    __slots__ = ("append", "elements", "keyed", "name", "source")

    name: str
    elements: list[Element]
    append: bool
    source: str
    keyed: bool


class ElementArgument(str):
    """``name[subscript]`` as an argument of ``unset``, written without quotes around it: the subscript is expanded already."""

    __slots__ = ()


def names_elements(words: Sequence[Word | Assignment]) -> bool:
    """Whether a command is ``unset`` and arguments of it name elements of arrays."""
    name = words[words[0].source == "command" and len(words) > 1] if words else None
    return name is not None and name.source == "unset" and any(map(is_element, words))


def is_element(word: Word | Assignment) -> bool:
    """Whether a word is written as a name and a subscript."""
    return isinstance(word, Word) and word.source.endswith("]") and _NAMES_ELEMENT(word.source) is not None


def compile_element(words: Expander) -> Expander:
    """The closure for such an argument of ``unset``."""

    def expand(shell: Shell) -> list[str]:
        arguments = words(shell)
        return [ElementArgument(arguments[0])] if len(arguments) == 1 else arguments

    return expand


def has_substitution(parts: tuple[WordPart, ...]) -> bool:
    """Whether expanding the parts may run commands."""
    for part in parts:
        if isinstance(part, (Literal, Quoted)):
            continue
        if isinstance(part, CommandSubstitution):
            return True
        if isinstance(part, DoubleQuoted) and has_substitution(part.parts):
            return True
        if isinstance(part, ArithmeticExpansion) and has_substitution(part.expression.parts):
            return True
        if isinstance(part, ExpressionSubscript) and has_substitution(part.word.parts):
            return True
        if isinstance(part, ParameterExpansion) and any(
            word is not None and has_substitution(word.parts) for word in (part.argument, part.second, part.subscript)
        ):
            return True
    return False


def runs_commands(assignment: Assignment) -> bool:
    """Whether evaluating an assignment may run commands, whose status it then takes."""
    words = [assignment.subscript] if assignment.subscript is not None else []
    if isinstance(assignment.value, Word):
        words.append(assignment.value)
    else:
        words.extend(element.value for element in assignment.value)
    return any(has_substitution(word.parts) for word in words)


def compile_assignment(assignment: Assignment) -> Callable[[Shell], None]:
    """The closure that performs an assignment."""
    name, append = assignment.name, assignment.append
    if not isinstance(assignment.value, Word):
        if assignment.subscript is not None:
            return _refuse_list(assignment)
        return _compile_list(name, assignment.value, append=append)
    value = compile_scalar(assignment.value, assignment=True)
    if assignment.subscript is not None:
        assign = compile_target(assignment)
        return lambda shell: assign(shell, value(shell))  # the value first, as bash does it
    if append:
        return lambda shell: shell.assign(name, value(shell), append=True)
    rest = added(assignment)
    if rest is None:
        return lambda shell: shell.assign(name, value(shell))
    more = compile_scalar(rest, assignment=True)

    def add(shell: Shell) -> None:
        if is_long(shell.variables.get(name)):
            shell.assign(name, more(shell), append=True)
        else:
            shell.assign(name, value(shell))

    return add


def _compile_list(name: str, elements: tuple[ArrayElement, ...], *, append: bool) -> Callable[[Shell], None]:
    """The closure for ``name=(…)``. Undocumented: a key and its value are expanded when those before them are assigned."""
    indexed = _compile_indexed(elements)
    associative: list[Callable[[Shell], Iterator[Element]]] = []
    pairs = elements != () and elements[0].subscript is None and not elements[0].value.source.startswith("[")

    def assign(shell: Shell) -> None:
        if not is_associative(shell, name):
            assign_array(shell, name, indexed(shell), append=append)
            return
        if not associative:
            associative.append(_compile_keyed(elements, pairs=pairs))
        assign_array(shell, name, associative[0](shell), append=append, pairs=pairs)

    return assign


def compile_target(assignment: Assignment) -> Callable[[Shell, str], None]:
    """The closure that gives the variable or element of an assignment its value."""
    name, append = assignment.name, assignment.append
    if assignment.subscript is None:
        return lambda shell, value: shell.assign(name, value, append=append)
    subscript = compile_subscript(name, assignment.subscript)
    written = assignment.subscript.source

    def assign_element(shell: Shell, value: str) -> None:
        key = subscript(shell) or (shell.empty_subscript(name) if written else "")
        shell.assign_element(name, key, value, append=append, written=written)

    return assign_element


def _refuse_list(assignment: Assignment) -> Callable[[Shell], Never]:
    label = assignment.source.partition("=")[0].removesuffix("+")

    def refuse(shell: Shell) -> Never:  # noqa: ARG001 - an assignment
        raise ExpansionError(f"{label}: cannot assign list to array member")

    return refuse


def compile_elements(elements: tuple[ArrayElement, ...]) -> Callable[[Shell, bool], list[Element]]:
    """The closure that expands an array literal, given whether it is for an associative array."""
    indexed = _compile_indexed(elements)
    associative: list[Callable[[Shell], Iterator[Element]]] = []

    def expand(shell: Shell, for_keys: bool) -> list[Element]:
        if not for_keys:
            return indexed(shell)
        if not associative:
            associative.append(
                _compile_keyed(elements, complete=True, pairs=elements[:1] != () and elements[0].subscript is None)
            )
        return list(associative[0](shell))

    return expand


def _compile_indexed(elements: tuple[ArrayElement, ...]) -> Elements:
    compiled: list[tuple[Callable[[Shell], str] | None, Callable[[Shell], list[str]], bool, str]] = []
    row: list[Word] = []  # elements without a subscript or braces, which are compiled together
    for element in elements:
        value, subscript = element.value, element.subscript
        if subscript is None:
            value = element_word(value)
        if subscript is None and not may_have_braces(value):
            row.append(value)
            continue
        if row:
            compiled.append((None, compile_words(tuple(row)), False, ""))
            row = []
        if subscript is None:
            compiled.append((None, compile_words((value,)), False, ""))
        elif (may_have_braces(subscript) or may_have_braces(value)) and BraceWord(whole := _as_word(element)).expands:
            compiled.append((None, compile_words((whole,)), False, ""))
        else:
            words = _one_word(compile_scalar(value, assignment=True, context="element"))
            compiled.append((compile_scalar(subscript, tilde=False), words, element.append, _written(element)))
    if row:
        compiled.append((None, compile_words(tuple(row)), False, ""))

    def expand(shell: Shell) -> list[Element]:
        return [
            (None if subscript is None else subscript(shell), values(shell), append, written)
            for subscript, values, append, written in compiled
        ]

    return expand


def _one_word(value: Callable[[Shell], str]) -> Callable[[Shell], list[str]]:
    return lambda shell: [value(shell)]


def _compile_keyed(
    elements: tuple[ArrayElement, ...], *, complete: bool = False, pairs: bool = True
) -> Callable[[Shell], Iterator[Element]]:
    """The closure that expands the elements of an associative array one by one: no tilde expansion, no splitting (bash 5.2).

    Args:
        elements: The elements.
        complete: The value of an empty key is expanded, too.
        pairs: Words without a subscript may be keys and values; otherwise they are refused, and stay as they are written.
    """
    compiled = tuple(
        (
            None if element.subscript is None else compile_scalar(element.subscript, tilde=False),
            compile_scalar(element.value, tilde=False),
            element.append,
            _written(element),
        )
        for element in elements
    )

    def expand(shell: Shell) -> Iterator[Element]:
        for subscript, value, append, written in compiled:
            if subscript is None:
                yield None, [value(shell) if pairs else written], append, written
            elif (key := subscript(shell)) or complete:
                yield key, [value(shell)], append, written
            else:
                yield "", [""], append, written

    return expand


def _written(element: ArrayElement) -> str:
    """An element as it stands in the script, for messages."""
    if element.subscript is None:
        return element.value.source
    return f"[{element.subscript.source}]{'+' * element.append}={element.value.source}"


def _as_word(element: ArrayElement) -> Word:
    """``[1]={a,b}``: braces are expanded first, and then the word is no longer seen as an assignment."""
    assert element.subscript is not None
    equals = "]+=" if element.append else "]="
    return _joined((Literal("["), *element.subscript.parts, Literal(equals), *element.value.parts), _written(element))


def braced_argument(assignment: Assignment) -> Word | None:
    """An argument of a declaration builtin as the word that it is where its braces are expanded; None if it has none."""
    value, subscript = assignment.value, assignment.subscript
    if not isinstance(value, Word) or not (may_have_braces(value) or (subscript is not None and may_have_braces(subscript))):
        return None
    key = () if subscript is None else (Literal("["), *subscript.parts, Literal("]"))
    word = _joined((Literal(assignment.name), *key, Literal("+=" if assignment.append else "="), *value.parts), assignment.source)
    return word if BraceWord(word).expands else None


def _joined(parts: tuple[WordPart, ...], source: str) -> Word:
    """A word of these parts, in which no literal text follows another, with its text."""
    joined: list[WordPart] = []
    for part in parts:
        if isinstance(part, Literal) and joined and isinstance(joined[-1], Literal):
            joined[-1] = Literal(joined[-1].text + part.text)
        else:
            joined.append(part)
    return Word(tuple(joined), source)


def assign_array(
    shell: Shell, name: str, elements: Iterable[Element], *, append: bool = False, associative: bool = False, pairs: bool = True
) -> None:
    """``name=(…)``, the elements expanded or, for an associative array, being expanded while they are assigned.

    Args:
        shell: The shell.
        name: The array.
        elements: The elements.
        append: Those that the array has stay.
        associative: It becomes an associative array.
        pairs: Words without a subscript are keys and values if the first element is such a word.

    Raises:
        ReadonlyError: The variable is readonly.
    """
    try:
        name = shell.resolve(name)
    except CircularReferenceError as error:
        again = partial(assign_array, shell, name, elements, append=append, associative=associative, pairs=pairs)
        shell.beyond(error, again, of_array=True)
        return
    if "[" in name:
        raise ExpansionError(f"`{name}': not a valid identifier")
    old = shell.variables.get(name)
    if isinstance(old, Variable):
        if old.flags & READONLY:
            raise ReadonlyError(name)
        if old.flags & NAMEREF and old.value is None:
            make_no_reference(shell, name, told=True)
        if isinstance(old, DynamicVariable):
            old = shell.make_array(name, associative=associative)
            if isinstance(old, DynamicVariable):
                _assign_computed(shell, old, list(elements))
                return
        associative = associative or isinstance(old.value, AssociativeArray)
    if associative:
        _assign_associative(shell, name, elements, append=append, pairs=pairs)
        return
    elements = list(elements)
    variable = shell.make_array(name)
    array = variable.value if append and isinstance(variable.value, IndexedArray) else IndexedArray()
    assert isinstance(array, IndexedArray)
    array.declared = False
    flags = variable.flags
    if not flags and all(subscript is None for subscript, *_ in elements):
        _append_all(shell, variable, array, elements)
        return
    variable.value = array  # where what is evaluated finds the elements that were assigned so far, and no others
    index = after = array.next_index()
    for subscript, values, add, written in elements:
        index = after
        if subscript is not None:
            if subscript in {"@", "*"}:
                shell.warn(f"[{subscript}]={values[0]}: cannot assign to non-numeric index")
                continue
            index = array.resolve(shell.number(subscript)) if subscript else -1
            if index < 0:
                shell.complain_of_variable(f"{written}: bad array subscript")
                continue
        shell.budget.grow(sum([len(value) for value in values if len(value) > _LONG]))
        for value in values:
            array.set(index, shell.convert(value, flags, array.take(index) if add else None) if flags or add else value)
            after = index = index + 1
        if len(array) > array.charged:
            shell.filled(array)


def make_no_reference(shell: Shell, name: str, *, told: bool) -> None:
    """A reference that refers to nothing yet is an array from now on; whether a warning says so."""
    if told:
        shell.warn(f"warning: {name}: removing nameref attribute")
    shell.own(name).flags &= ~NAMEREF


def _append_all(shell: Shell, variable: Variable, array: IndexedArray, elements: list[Element]) -> None:
    """Give a variable without attributes an array, to which elements without subscripts are added."""
    shell.budget.words(len(array) + sum([len(values) for _, values, *_ in elements]))
    for _, values, *_ in elements:
        array.append(paced_if_many(values))
        if isinstance(values, Words):
            values.hand_over()
    variable.value = array  # before it is charged: what is held is counted then, maybe
    long = sum([len(value) for _, values, *_ in elements for value in paced_if_many(values) if len(value) > _LONG])
    if long:
        shell.budget.grow(long)
    if len(array) > array.charged:
        shell.filled(array)


def _assign_computed(shell: Shell, variable: DynamicVariable, elements: list[Element]) -> None:
    """Give the elements to what the shell computes, if it takes any."""
    if variable.write_element is not None:
        words = [
            (word, written)
            for subscript, values, add, written in elements
            for word in (
                values
                if subscript is None
                else [subscript, *(variable.added(shell, value, subscript) if add else value for value in values)]
            )
        ]
        for (key, written), (value, _) in zip_longest(words[::2], words[1::2], fillvalue=("", "")):
            if key:
                variable.write_element(shell, key, value)
            else:
                shell.complain_of_variable(f"{written}: bad array subscript")
        return
    if variable.fixed:
        raise ExpansionError("")
    if variable.write_index is None:
        return
    index = 0
    for subscript, values, add, _ in elements:
        index = index if subscript is None else shell.number(subscript)
        for value in values:
            variable.write_index(shell, index, variable.added(shell, value, index) if add else value)
            index += 1


def _assign_associative(shell: Shell, name: str, elements: Iterable[Element], *, append: bool, pairs: bool) -> None:
    variable = shell.make_array(name, associative=True)
    old = variable.value
    array = old if append and isinstance(old, AssociativeArray) else AssociativeArray()
    array.declared = False
    in_pairs: bool | None = None  # the first element tells whether they are pairs of words
    pending: tuple[str, str] | None = None  # a key that waits for its value, and how it is written
    for subscript, values, add, written in elements:
        if in_pairs is None:
            in_pairs = pairs and subscript is None
        if in_pairs:
            for word in values if subscript is None else [f"[{subscript}]{'+' * add}={values[0]}"]:
                if pending is None:
                    pending = word, written
                else:
                    _set_pair(shell, variable, array, pending, word)
                    pending = None
        elif subscript is None:
            shell.complain_of_variable(f"{name}: {written}: must use subscript when assigning associative array")
        elif not subscript:
            shell.complain_of_variable(f"{written}: bad array subscript")
        else:
            base = None if not add else array.take(subscript) or (isinstance(old, AssociativeArray) and old.get(subscript)) or ""
            array.set(subscript, shell.convert(values[0], variable.flags, base))
            shell.budget.grow(len(subscript) + len(values[0]))
    if pending is not None:
        _set_pair(shell, variable, array, pending, "")
    if len(array) > array.charged:
        shell.filled(array)
    variable.value = array


def _set_pair(shell: Shell, variable: Variable, array: AssociativeArray, key: tuple[str, str], value: str) -> None:
    """Assign a value to a key that was a word of its own; with the key comes how it is written."""
    subscript, written = key
    if not subscript:
        shell.complain_of_variable(f"{written}: bad array subscript")
        return
    array.set(subscript, shell.convert(value, variable.flags))
    shell.budget.grow(len(subscript) + len(value))


def is_associative(shell: Shell, name: str) -> bool:
    """Whether a variable is an associative array."""
    return isinstance(shell.array(name), AssociativeArray)


def compile_declaration(assignment: Assignment, *, associative: bool = False) -> Callable[[Shell], str]:
    """An assignment as an argument of a declaration builtin: ``name=value`` in one word, or an ArrayArgument.

    Args:
        assignment: The argument.
        associative: The builtin is given ``-A``.
    """
    prefix = assignment.name
    equals = "+=" if assignment.append else "="
    if not isinstance(assignment.value, Word):
        if assignment.subscript is not None:
            return _refuse_list(assignment)
        elements = compile_elements(assignment.value)
        source = assignment.source

        def array(shell: Shell) -> str:
            argument = ArrayArgument(source)
            argument.name = prefix
            argument.source = source
            argument.keyed = associative or is_associative(shell, prefix)
            argument.elements = elements(shell, argument.keyed)
            argument.append = equals == "+="
            return argument

        return array
    if assignment.subscript is None:
        head = prefix + equals
        value = compile_scalar(_told_with(head, assignment.value), assignment=True)
        return lambda shell: head + value(shell)
    value = compile_scalar(assignment.value, assignment=True)
    subscript = compile_scalar(assignment.subscript, tilde=False)
    return lambda shell: f"{prefix}[{subscript(shell)}]{equals}{value(shell)}"


def _told_with(head: str, value: Word) -> Word:
    """The value of an argument ``name=value``: of a malformed expansion in it the message quotes the whole argument."""
    told = f"{value.source}: bad substitution"
    parts = [
        replace(part, argument=Word((), head + told))
        if isinstance(part, ParameterExpansion) and part.operator == "bad" and part.argument and part.argument.source == told
        else part
        for part in value.parts
    ]
    return Word(tuple(parts), value.source) if parts != list(value.parts) else value
