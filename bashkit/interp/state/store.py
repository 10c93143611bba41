"""Reading and writing a shell's variables: attributes, arrays and elements."""

from __future__ import annotations

import re
from sys import getsizeof
from typing import TYPE_CHECKING, NoReturn, cast

from bashkit.interp.arithmetic.evaluator import evaluate
from bashkit.interp.arithmetic.parser import wrap
from bashkit.interp.runtime.control import ExpansionError, NumberError
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError, TargetError
from bashkit.interp.state.locales import lower, upper
from bashkit.interp.state.scopes import ELEMENT, Scopes, TemporaryScope
from bashkit.interp.state.variables import (
    CAPITALIZE,
    EXPORT,
    INTEGER,
    LARGE,
    LOWER,
    NAMEREF,
    READONLY,
    UPPER,
    AssociativeArray,
    DynamicVariable,
    IndexedArray,
    Variable,
    WatchedVariable,
)

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_CHANGES_NOTHING = re.compile(r"(?!.*RANDOM)(?>\w|[*/%]|[+-](?![+-])| )*+\Z").match  # a subscript that may be evaluated twice
VARIABLE = LARGE + 200  # bytes that are charged for a variable, whatever smaller value it has
_PER_ELEMENT = 150  # bytes that are charged for an element of an array, whatever short text it has
_ELEMENTS_ONLY = 52  # from this version on, `unset a[@]` removes no more than an element
_POSIX = "POSIXLY_CORRECT"  # a variable that is posix mode (bash(1), Shell Variables)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONVERTING = INTEGER | LOWER | UPPER  # attributes that change what is assigned, and nothing else
_SHORT = 64  # characters of such a text


class VariableStore(Scopes):
    """The part of a shell that holds variables: it reads and writes them, with their attributes."""

    __slots__ = ()

    # -- reading -------------------------------------------------------------------------------------------------------

    def get(self, name: str) -> str | None:
        """The scalar value of ``name``, None when unset; namerefs are followed."""
        value = self.variables.get(name)
        if value is None or value.__class__ is str:
            return value  # pyright: ignore[reportReturnType]  # narrowed by __class__
        return self._read(name, value)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # as above

    def _read(self, name: str, variable: Variable) -> str | None:
        if variable.flags & NAMEREF:
            target, subscript = self.split_reference(variable)
            if subscript is not None:
                if self.variables.get(target) is variable:
                    cast("Shell", self).warn(f"warning: {target}: circular name reference")
                    return None
                return self._refer_to_element(target, subscript)
            found = self.variables.get(target)
            if found is None or isinstance(found, str):
                return found
            if found is variable:
                return self._read_hidden(target)
            if found.flags & NAMEREF and found.value == variable.value:
                return None
            if not found.flags & NAMEREF:
                return self._read(target, found)
            try:
                reached = self.resolve(name)
                return self._read(target, found) if "[" in reached else self.get(reached)
            except CircularReferenceError as error:
                if error.name == name:
                    return self._read_hidden(name)
                cast("Shell", self).warn(error.message)
                return None
        return variable.scalar(cast("Shell", self))

    def _refer_to_element(self, name: str, subscript: str) -> str | None:
        """The value of a nameref to ``name[subscript]``."""
        if subscript in {"@", "*"}:
            array = self.array(name)
            if array is None:
                return self.get(name)
            if not array:
                return None
            return cast("Shell", self).star(array.values()) if subscript == "*" else " ".join(array.values())
        return self.get_element(name, self.expand_subscript(name, subscript))

    def _read_hidden(self, name: str) -> str | None:
        """The value of the global variable that a local nameref hides, to which it refers by its own name."""
        hidden = self.hidden_global(name)
        cast("Shell", self).warn(f"warning: {name}: circular name reference")
        return hidden.scalar(cast("Shell", self)) if isinstance(hidden, Variable) else hidden

    def expand_subscript(self, name: str, text: str) -> str:
        """A subscript that came as text, expanded; the shell knows how."""
        raise NotImplementedError

    def given_subscript(self, name: str, text: str) -> str:
        """A subscript in an argument of a builtin, expanded; with ``assoc_expand_once`` a key is taken as it is."""
        once = self.options.shopt["assoc_expand_once"] and isinstance(self.array(name), AssociativeArray)
        return text if once else self.expand_subscript(name, text)

    def array(self, name: str) -> IndexedArray | AssociativeArray | None:
        """The array that ``name`` is, or None for a scalar or nothing."""
        variable = self.find(name)
        if variable is None or isinstance(variable, str):
            return None
        value = variable.read(cast("Shell", self)) if isinstance(variable, DynamicVariable) else variable.value
        return value if isinstance(value, (IndexedArray, AssociativeArray)) else None

    def has_array(self, name: str) -> bool:
        """Whether ``name`` is an array that is set, be it to ``()``: arithmetic then never finds its elements unbound."""
        array = self.array(name)
        return array is not None and not (array.declared and not len(array))

    def get_element(self, name: str, subscript: str) -> str | None:
        """``name[subscript]``: a key of an associative array, else an arithmetic expression."""
        if not subscript:
            for _ in range(2):  # bash looks for it twice
                cast("Shell", self).complain_of_variable(f"{name}[]: bad array subscript")
            return None
        array = self.array(name)
        if isinstance(array, AssociativeArray):
            return array.get(subscript)
        index = self.number(subscript)
        if index < 0 and (array is None or array.resolve(index) < 0):
            cast("Shell", self).complain_of_variable(f"{name}: bad array subscript")
            return None
        if array is None:
            return None if index or self.refers_to_element(name) else self.get(name)
        return array.get(index)

    def number(self, text: str) -> int:
        """Evaluate a subscript or the value of an integer variable; a malformed one ends the line, and a whole ``bash -c``."""
        try:
            return evaluate(cast("Shell", self), text)
        except ExpansionError as error:
            if error.fatal:
                raise
            if cast("Shell", self).invocation.command_string:
                raise ExpansionError(error.message, 1, fatal=True) from None
            raise NumberError(error.message, error.status) from None

    def fetch_operand(self, name: str, subscript: str | None) -> str:
        """A variable's text for arithmetic; "" when unset, which counts as 0."""
        if subscript is None:
            value = self.get(name)
        elif subscript and self._is_unbound(name):
            raise ExpansionError(f"{name}: unbound variable", 127, fatal=True)  # before the subscript is evaluated
        elif subscript in {"@", "*"} and not isinstance(self.array(name), AssociativeArray):
            cast("Shell", self).complain_of_variable(f"{name}[{subscript}]: bad array subscript")
            return ""
        else:
            value = self.get_element(name, self._subscript(name, subscript))
        if value is None and self._is_unbound(name):
            raise ExpansionError(f"{name}: unbound variable", 127, fatal=True)
        return value or ""

    def _is_unbound(self, name: str) -> bool:
        """Whether arithmetic must not use this name, since it is not set and ``set -u`` is."""
        return self.options.nounset and self.get(name) is None and not self.has_array(name)

    def store_number(self, name: str, subscript: str | None, number: int) -> None:
        """Assign an arithmetic result; a bad subscript or circular reference is reported, and the expression keeps its value."""
        if subscript is None:
            try:
                self.assign(name, str(number))
            except CircularReferenceError as error:
                cast("Shell", self).warn(error.message)
            return
        if not (key := self._subscript(name, subscript)):
            cast("Shell", self).warn(f"`{name}[]': not a valid identifier")
            return
        try:
            self.assign_element(name, key, str(number))
        except ExpansionError as error:
            if not error.message.endswith("bad array subscript"):
                raise
            cast("Shell", self).complain_of_variable(error.message)

    def settle_subscript(self, name: str, text: str | None) -> str | None:
        """A subscript that is used twice, evaluated once: what it changes, it changes once."""
        if not text or _CHANGES_NOTHING(text) or text in {"@", "*"} or isinstance(self.array(name), AssociativeArray):
            return text
        if self._is_unbound(name):
            raise ExpansionError(f"{name}: unbound variable", 127, fatal=True)
        return str(self.number(self._subscript(name, text)))

    def _subscript(self, name: str, text: str) -> str:
        """A subscript inside an arithmetic expression."""
        if "$" not in text and "'" not in text and "`" not in text and '"' not in text and "\\" not in text:
            return text
        if not isinstance(self.array(name), AssociativeArray):
            return self.expand_subscript(name, text) or "0"
        if self.options.shopt["assoc_expand_once"]:
            return _ESCAPED.sub(r"\1", text)
        return self.expand_subscript(name, text)

    # -- writing -------------------------------------------------------------------------------------------------------

    def assign(self, name: str, value: str, *, append: bool = False) -> None:
        """``name=value`` or ``name+=value``.

        Raises:
            ReadonlyError: The variable is readonly.
        """
        variables = self.variables
        old = variables.get(name)
        if (old is None or old.__class__ is str) and not self.options.allexport:
            before = len(old) if old else 0  # pyright: ignore[reportArgumentType]  # narrowed by __class__
            if append and old:
                variables[name] = ""  # nothing else holds a long text now, and CPython adds to it in place
                old += value  # pyright: ignore[reportOperatorIssue]  # narrowed by __class__
                value = old
            if len(value) > LARGE:
                self.budget.text(value, before)
            if old is None:
                self.budget.grow(VARIABLE + len(name))
            variables[name] = value
            if old is None and name == _POSIX:
                cast("Shell", self).set_option("posix", True)
            return
        self._assign_slowly(name, value, append=append)

    def _assign_slowly(self, name: str, value: str, *, append: bool) -> None:
        old = self.variables.get(name)
        if old is None or isinstance(old, str):  # set -a
            self.variables[name] = Variable((old or "") + value if append else value, EXPORT)
            return
        if old.__class__ is Variable and old.flags & _CONVERTING and not old.flags & ~_CONVERTING and old.value.__class__ is str:
            if not self.options.allexport:
                variable = self.own(name)
                variable.value = self.convert(value, old.flags, variable.take() if append else None)
                return
        if old.value is None and not old.flags and old.__class__ is Variable and name != _POSIX:  # declared, as a local one is
            self.variables[name] = ""
            self.assign(name, value)
            return
        if old.flags & NAMEREF:
            target, subscript = self.split_reference(old)
            if not target:
                if old.flags & READONLY:
                    raise ReadonlyError(name)
                if not ELEMENT.fullmatch(value):
                    raise TargetError(value)
                self.own(name).value = value
                return
            if subscript is not None:
                if self.variables.get(target) is old:
                    raise ExpansionError(f"`{old.value}': not a valid identifier")
                if subscript in {"@", "*"}:
                    raise _bad_subscript(target, subscript, None)
                self.assign_element(target, self.expand_subscript(target, subscript), value, append=append)
                return
            try:
                reached = self.resolve(name)
            except CircularReferenceError as error:
                self.beyond(error, lambda: self.assign(name, value, append=append))
                return
            self.assign(target if "[" in reached else reached, value, append=append)
            return
        if old.flags & READONLY:
            raise ReadonlyError(name)
        if isinstance(old, DynamicVariable):
            if old.write is not None:
                self._assign_computed(old, value, append=append)
            return
        if isinstance(old.value, (IndexedArray, AssociativeArray)):
            self.assign_element(name, "0", value, append=append)
            if self.options.allexport:
                self.own(name).flags |= EXPORT
            return
        variable = self.own(name)
        if variable.value is None and self.options.nounset and variable.flags & INTEGER:
            variable.value = ""  # its own value may name it
        variable.value = self.convert(value, old.flags, variable.take() if append else None)
        if self.options.allexport:
            variable.flags |= EXPORT
        if name == _POSIX:
            cast("Shell", self).set_option("posix", True)

    def _assign_computed(self, variable: DynamicVariable, value: str, *, append: bool) -> None:
        """Assign to a variable that the shell computes; undocumented: a malformed number is no more than complained of."""
        shell = cast("Shell", self)
        assert variable.write is not None
        if variable.flags & INTEGER and value:
            try:
                value = str(evaluate(shell, value))
            except ExpansionError as error:
                shell.warn(error.message)
                return
        variable.write(shell, variable.added(shell, value) if append else value)

    def convert(self, value: str, flags: int, base: str | None = None) -> str:
        """``value`` as the attributes make it, added to ``base`` when that is given."""
        if flags & INTEGER:
            if base is None and len(value) < 19 and value.isdecimal() and value.isascii() and value[0] != "0":
                return value
            number = self.number(value)
            if base is not None:
                number = wrap(number + self.number(base))
            return str(number)
        before = 0 if base is None else len(base)
        if base is not None:
            base += value
            value = base
            self.budget.string(len(value))
        if len(value) > LARGE:
            self.budget.grow(getsizeof(value) - before)
        if flags & LOWER:
            return lower(value)
        if flags & UPPER:
            return upper(value)
        if flags & CAPITALIZE:
            return upper(value[:1]) + lower(value[1:])
        return value

    def assign_element(self, name: str, subscript: str, value: str, *, append: bool = False, written: str | None = None) -> None:
        """``name[subscript]=value``; makes an indexed array of a scalar or of nothing.

        Args:
            name: The array.
            subscript: The key or expression.
            value: The element.
            append: It is added to what is there.
            written: The subscript as it stands in the script, for messages.
        """
        try:
            name = self.resolve(name)
        except CircularReferenceError as error:
            self.beyond(error, lambda: self.assign_element(name, subscript, value, append=append, written=written), of_array=True)
            return
        if "[" in name:
            raise ExpansionError(f"`{name}': not a valid identifier")
        old = self.variables.get(name)
        if isinstance(old, Variable) and old.flags & READONLY:
            self._refuse_element(old, name, subscript, written)
        if not isinstance(old, Variable) or not isinstance(old.value, (IndexedArray, AssociativeArray)):
            if isinstance(old, Variable) and old.flags & NAMEREF:
                raise TargetError("")
            if not isinstance(old, DynamicVariable):
                subscript = self._first_index(name, subscript, written)
        variable = self.make_array(name)
        shell = cast("Shell", self)
        array = variable.value
        if isinstance(variable, DynamicVariable):
            if variable.write_element is not None:
                if not subscript:
                    raise _bad_subscript(name, subscript, written)
                variable.write_element(shell, subscript, variable.added(shell, value, subscript) if append else value)
            elif variable.write_index is not None:
                index = self.number(subscript)
                variable.write_index(shell, index, variable.added(shell, value, index) if append else value)
            return
        if isinstance(array, AssociativeArray):
            if not subscript:
                raise _bad_subscript(name, subscript, written)
            array.set(subscript, self.convert(value, variable.flags, array.take(subscript) if append else None))
        elif isinstance(array, IndexedArray):
            if not subscript or subscript == "@" or subscript == "*":  # noqa: PLR1714 - three comparisons beat a set here
                raise _bad_subscript(name, subscript, written)
            given = self.number(subscript)
            index = array.resolve(given)
            if index < 0:
                raise _bad_subscript(name, subscript, written)
            array.set(index, self.convert(value, variable.flags, array.take(index) if append else None))
        else:
            return
        if len(array) > array.charged:
            self.filled(array)
        if len(subscript) > _SHORT and array.__class__ is AssociativeArray:
            shell.budget.grow(len(subscript))
        if len(value) > _SHORT:
            shell.budget.grow(getsizeof(value))

    def _first_index(self, name: str, subscript: str, written: str | None) -> str:
        """The index at which a scalar, or nothing, is to become an array; it stays what it is where that cannot be."""
        if not subscript or subscript in {"@", "*"}:
            raise _bad_subscript(name, subscript, written)
        index = self.number(subscript)
        if index < -1 or (index < 0 and name not in self.variables):
            raise _bad_subscript(name, subscript, written)
        return str(index)

    def _refuse_element(self, variable: Variable, name: str, subscript: str, written: str | None) -> NoReturn:
        """Refuse the assignment to an element of a readonly variable; its index is looked at before, which may assign, too."""
        array = variable.value
        keyed = isinstance(array, AssociativeArray)
        if not subscript or (not keyed and subscript in {"@", "*"}):
            raise _bad_subscript(name, subscript, written)
        if isinstance(array, IndexedArray):
            if array.resolve(self.number(subscript)) < 0:
                raise _bad_subscript(name, subscript, written)
        elif not keyed:
            self._first_index(name, subscript, written)
        raise ReadonlyError(name)

    def empty_subscript(self, name: str) -> str:
        """What stands for a subscript of which expansion leaves nothing: 0; for an associative array, nothing that is a key."""
        return "" if isinstance(self.array(name), AssociativeArray) else "0"

    def filled(self, array: IndexedArray | AssociativeArray) -> None:
        """Account for an array that has grown, and for some more elements.

        Raises:
            LimitExceededError: There are more than ``max_words``, or they take more than ``max_memory_bytes``.
        """
        size = len(array)
        self.budget.words(size)
        more = size - array.charged + min(size, 256)
        array.charged += more
        self.budget.grow(_PER_ELEMENT * more)

    def make_array(self, name: str, *, associative: bool = False) -> Variable:
        """The array variable ``name``, made if need be; a scalar becomes element 0, even one that the shell has computed."""
        old = self.variables.get(name)
        if isinstance(old, DynamicVariable):
            value = old.read(cast("Shell", self))
            if isinstance(value, (IndexedArray, AssociativeArray)) or old.flags & READONLY:
                return old
            self.variables[name] = Variable(_array_of(value, associative=associative), old.flags)
            return self.own(name)
        if isinstance(old, Variable):
            variable = self.own(name)
            if not isinstance(variable.value, (IndexedArray, AssociativeArray)):
                variable.value = _array_of(variable.value, associative=associative)
            return variable
        self.variables[name] = Variable(_array_of(old, associative=associative))  # set -a exports no arrays
        self.budget.grow(VARIABLE + len(name))
        return self.own(name)

    def end_reference(self, name: str) -> None:
        """Make a reference that refers to nothing yet, and is to be an array, a plain variable; a warning is written."""
        variable = self.variables.get(name)
        if isinstance(variable, Variable) and variable.flags & NAMEREF and variable.value is None:
            cast("Shell", self).warn(f"warning: {name}: removing nameref attribute")
            self.own(name).flags &= ~NAMEREF

    def set_array(self, name: str, values: list[str], *, convert: bool = False) -> None:
        """Make ``name`` an indexed array of ``values``, as ``read -a``, which obeys its attributes, and ``mapfile`` do."""
        try:
            name = self.resolve(name)
        except CircularReferenceError as error:
            self.beyond(error, lambda: self.set_array(name, values, convert=convert), of_array=True)
            return
        old = self.variables.get(name)
        if isinstance(old, Variable) and old.flags & READONLY:
            raise ReadonlyError(name)
        self.end_reference(name)
        variable = self.make_array(name)
        budget = self.budget
        budget.words(len(values))
        size = _PER_ELEMENT * len(values) + sum(map(len, values))
        budget.room(size)
        if convert and variable.flags:
            values = [self.convert(value, variable.flags) for value in values]
        if not isinstance(variable, DynamicVariable):  # what the shell computes is shared by all shells
            variable.value = IndexedArray(values)
        budget.grow(size)  # now that the variable has it: what is held is counted then, maybe

    def attributed(self, name: str) -> Variable:
        """``name`` as a Variable, so that it can take attributes; made unset if need be."""
        old = self.variables.get(name)
        if isinstance(old, DynamicVariable):  # shared between shells: this one gets its own
            variable: Variable = old.with_flags(old.flags)
        elif isinstance(old, Variable):
            return self.own(name)
        else:
            variable = Variable(old)
            variable.owner = self.token
            if old is None:
                self.budget.grow(VARIABLE + len(name))
        self.variables[name] = variable
        return variable

    def own(self, name: str) -> Variable:
        """The Variable ``name``, for this store alone to change; a copy takes the place of one that another shell may hold."""
        variable = cast("Variable", self.variables[name])
        if variable.owner is not self.token:
            array = variable.value
            if isinstance(array, (IndexedArray, AssociativeArray)) and len(array) > _SHORT:
                self.budget.grow(_PER_ELEMENT * len(array))
            variable = self.variables[name] = variable.copy()
            variable.owner = self.token
        return variable

    def export(self, name: str, value: str | None = None) -> None:
        """Mark for export, with a value if one is given."""
        if value is not None:
            self.assign(name, value)
        self.attributed(name).flags |= EXPORT

    # -- removing ------------------------------------------------------------------------------------------------------

    def unset(self, name: str, *, readonly: bool = False) -> None:
        """Remove a variable, with ``readonly`` one of those, too; inside a function a caller's local gives way to what it hides.

        Raises:
            ReadonlyError: The variable is readonly.
        """
        old = self.variables.get(name)
        if not readonly and isinstance(old, Variable) and old.flags & READONLY:
            raise ReadonlyError(name)
        if name == _POSIX and old is not None:
            cast("Shell", self).set_option("posix", False)
        for assigned in self.assigned.chain():
            if name in assigned:
                self._put_back(name, assigned.reveal(name))
                return
        scopes = self.scopes
        if scopes and name not in scopes[-1] and not self.options.shopt["localvar_unset"]:
            for scope in reversed(scopes):
                if name in scope:
                    self._put_back(name, scope.reveal(name) if isinstance(scope, TemporaryScope) else scope.pop(name))
                    return
        if scopes and old is not None and any(name in scope for scope in scopes if scope.__class__ is not TemporaryScope):
            flags = EXPORT if self.is_localized(name) else 0
            self.variables[name] = Variable(None, flags)  # a local one stays, without value and attributes
        else:
            self.variables.pop(name, None)

    def unset_hidden(self, name: str, *, readonly: bool = False) -> None:
        """Remove the variable that a builtin is to assign, also from below an assignment before that builtin; see ``unset``."""
        if name in self.assigned and self.variables.get(name).__class__ is WatchedVariable:
            self._put_back(name, self.assigned.reveal(name))
        self.unset(name, readonly=readonly)

    def unset_element(self, name: str, subscript: str) -> bool:
        """Remove one element (or all, for ``@``); False if ``name`` is not an array."""
        try:
            name = self.resolve(name)
        except CircularReferenceError as error:
            return self.beyond(error, lambda: self.unset_element(name, subscript), of_array=True)
        variable = self.variables.get(name)
        if variable is None:
            return True
        if isinstance(variable, Variable) and variable.flags & READONLY:
            raise ReadonlyError(name)
        if not subscript:
            return True
        if isinstance(variable, Variable) and not isinstance(variable, DynamicVariable):
            self.own(name)
        array = self.array(name)
        if isinstance(array, AssociativeArray):
            if subscript in {"@", "*"} and cast("Shell", self).compatibility < _ELEMENTS_ONLY:
                self.unset(name)
            else:
                array.remove(subscript)
        elif array is None:
            if subscript in {"@", "*"} or self.number(subscript) != 0:
                return False
            self.unset(name)
        elif subscript in {"@", "*"}:
            self.variables[name] = Variable(IndexedArray(), variable.flags if isinstance(variable, Variable) else 0)
        else:
            index = array.resolve(self.number(subscript))
            if index < 0:
                raise ExpansionError(f"[{subscript}]: bad array subscript")
            array.remove(index)
        return True


def _bad_subscript(name: str, subscript: str, written: str | None) -> ExpansionError:
    return ExpansionError(f"{name}[{subscript if written is None else written}]: bad array subscript")


def _array_of(value: str | None, *, associative: bool) -> IndexedArray | AssociativeArray:
    """An array that has a scalar's value, if it has one, as element 0."""
    if not associative:
        return IndexedArray([] if value is None else [value])
    array = AssociativeArray()
    if value is not None:
        array.set("0", value)
    return array
