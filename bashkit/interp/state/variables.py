"""Shell variables: values, attributes and arrays (bash(1), PARAMETERS).

A plain variable — set, scalar, without attributes — is a ``str`` in the shell's dictionary; everything else is a Variable. That
makes the common read and write a dictionary operation and a subshell's copy of them cheap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit.limits import paced_if_many, sorted_in_runs, turn

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bashkit.interp.state.shell import Shell

EXPORT, READONLY, INTEGER, LOWER, UPPER, NAMEREF, TRACE, CAPITALIZE = 1, 2, 4, 8, 16, 32, 64, 128
LARGE = 1024  # characters from which a value is charged to the budget's memory
ATTRIBUTE_LETTERS = (
    (INTEGER, "i"), (NAMEREF, "n"), (READONLY, "r"), (TRACE, "t"), (EXPORT, "x"), (CAPITALIZE, "c"), (LOWER, "l"), (UPPER, "u"),
)  # fmt: skip


class IndexedArray:
    """A sparse array: elements by index, in index order.

    Attributes:
        declared: Made by ``declare -a``: as long as it is empty it counts as unset.
        charged: For how many elements the budget was asked.
    """

    __slots__ = ("_items", "_sorted", "charged", "declared")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._items: dict[int, str] = dict(enumerate(values))
        self._sorted = True
        self.declared = False
        self.charged = 0

    def copy(self) -> IndexedArray:
        """An independent copy."""
        twin = IndexedArray()
        twin._items = self._items.copy()
        twin._sorted = self._sorted
        twin.declared = self.declared
        return twin

    def _order(self) -> dict[int, str]:
        if not self._sorted:
            items = self._items
            self._items = {index: items[index] for index in sorted(items)}
            self._sorted = True
        return self._items

    def get(self, index: int) -> str | None:
        """The element at ``index``; negative counts from the end."""
        return self._items.get(index if index >= 0 else self.resolve(index))

    def take(self, index: int) -> str:
        """The element at ``index``, for who adds to it and stores it again: see ``Variable.take``."""
        text = self._items.get(index, "")
        if len(text) > LARGE:
            self._items[index] = ""
        return text

    def resolve(self, index: int) -> int:
        """A negative index as the index it means; still negative when out of range."""
        return index if index >= 0 else self.next_index() + index

    def set(self, index: int, value: str) -> None:
        """Store an element; ``index`` is not negative."""
        items = self._items
        if items and self._sorted and index not in items and index < next(reversed(items)):
            self._sorted = False
        items[index] = value

    def remove(self, index: int) -> None:
        """Drop an element if there is one."""
        items = self._items
        if index not in items:
            return
        if index == next(reversed(items)):
            items.popitem()  # which leaves no gap at the end, for ``reversed`` to go over each time
        else:
            del items[index]
        self.declared = False

    def next_index(self) -> int:
        """One more than the largest index."""
        items = self._order()
        return next(reversed(items)) + 1 if items else 0

    def append(self, values: Iterable[str]) -> None:
        """Store elements after the last one."""
        index = self.next_index()
        for value in values:
            self._items[index] = value
            index += 1

    def push(self, value: str) -> None:
        """Store one element after the last one."""
        index = self.next_index()  # which may put another dictionary in place
        self._items[index] = value

    def keys(self) -> list[str]:
        """The indices, as words."""
        return [str(index) for index in self._order()]

    def indices(self) -> list[int]:
        """The indices."""
        return list(self._order())

    def texts(self) -> Collection[str]:
        """The elements, in any order."""
        return self._items.values()

    def values(self) -> list[str]:
        """The elements."""
        return list(self._order().values())

    def items(self) -> Iterator[tuple[str, str]]:
        """Indices, as words, and elements."""
        return ((str(index), value) for index, value in self._order().items())

    def __len__(self) -> int:
        return len(self._items)


_LONG_KEY = 100  # characters from which the bucket of a key is not kept


@lru_cache(maxsize=65536)
def bucket(key: str) -> int:
    """The hash bucket of a key: 32-bit FNV-1 of signed bytes, which decides bash's order of keys."""
    return _hash(key)


def _hash(key: str) -> int:
    turn()
    value = 2166136261
    for octet in paced_if_many(key.encode("utf-8", "surrogateescape")):
        value = (value * 16777619 & 0xFFFFFFFF) ^ (octet if octet < 128 else octet | 0xFFFFFF00)
    return value


class AssociativeArray:
    """An associative array that lists its keys in the order bash does: by hash bucket, newest first within one."""

    __slots__ = ("_items", "charged", "declared")

    def __init__(self) -> None:
        self._items: dict[str, str] = {}
        self.declared = False
        self.charged = 0

    def copy(self) -> AssociativeArray:
        """An independent copy."""
        twin = AssociativeArray()
        twin._items = self._items.copy()
        twin.declared = self.declared
        return twin

    def _order(self) -> list[str]:
        buckets = 1024
        while len(self._items) > 2 * buckets:
            buckets *= 4
        newest_first = list(reversed(self._items))
        mask = buckets - 1
        places = [(bucket(key) if len(key) < _LONG_KEY else _hash(key)) & mask for key in paced_if_many(newest_first)]
        count = len(places)  # so that the newest comes first within a bucket, too
        order = sorted_in_runs([place * count + index for index, place in enumerate(paced_if_many(places))])
        return [newest_first[rank % count] for rank in paced_if_many(order)]

    def get(self, key: str) -> str | None:
        """The element of ``key``."""
        return self._items.get(key)

    def take(self, key: str) -> str:
        """The element at ``key``, for who adds to it and stores it again: see ``Variable.take``."""
        text = self._items.get(key, "")
        if len(text) > LARGE:
            self._items[key] = ""
        return text

    def set(self, key: str, value: str) -> None:
        """Store an element."""
        self._items[key] = value

    def remove(self, key: str) -> None:
        """Drop an element if there is one."""
        if self._items.pop(key, None) is not None:
            self.declared = False

    def keys(self) -> list[str]:
        """The keys."""
        return self._order()

    def texts(self) -> Collection[str]:
        """The elements, in any order."""
        return self._items.values()

    def unordered_keys(self) -> Iterable[str]:
        """The keys, in any order."""
        return self._items

    def values(self) -> list[str]:
        """The elements, in the order of the keys."""
        return [self._items[key] for key in self._order()]

    def items(self) -> Iterator[tuple[str, str]]:
        """Keys and elements."""
        return ((key, self._items[key]) for key in self._order())

    def __len__(self) -> int:
        return len(self._items)


Value = str | IndexedArray | AssociativeArray | None


class Variable:
    """A variable with attributes, an array, or one that is declared but not set (value None).

    A subshell shares the objects of its parent until one of the two changes one: who wants to change a variable asks
    ``VariableStore.own`` for it.

    Attributes:
        value: Its value.
        flags: Its attributes.
        owner: The token of the store that may change it in place; None if no store may.
    """

    __slots__ = ("flags", "owner", "value")

    def __init__(self, value: Value = None, flags: int = 0) -> None:
        self.value = value
        self.flags = flags
        self.owner: object = None

    def copy(self) -> Variable:
        """An independent copy."""
        value = self.value
        return Variable(value if value is None or value.__class__ is str else value.copy(), self.flags)  # type: ignore[union-attr]  # the class test is faster than isinstance

    def scalar(self, shell: Shell) -> str | None:  # noqa: ARG002 - dynamic variables need it
        """The value as ``$name`` sees it: element 0 of an array."""
        value = self.value
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, IndexedArray):
            return value.get(0)
        return value.get("0")

    def take(self) -> str:
        """The text, for who adds to it and stores it again.

        A long one is not held by the variable meanwhile: CPython adds in place to a text that nobody else holds, so that the time
        for building one from pieces grows as the text does.
        """
        assert self.value is None or isinstance(self.value, str)
        text = self.value or ""
        if len(text) > LARGE:
            self.value = ""
        return text

    def letters(self) -> str:
        """The attributes as ``declare -p`` and ``${x@a}`` show them."""
        array = "a" if isinstance(self.value, IndexedArray) else "A" if isinstance(self.value, AssociativeArray) else ""
        return array + "".join(letter for bit, letter in ATTRIBUTE_LETTERS if self.flags & bit)


class WatchedVariable(Variable):
    """A variable that notes every assignment, of the same value too.

    Attributes:
        given: The value that it began with.
        assigned: Whether it was assigned since then.
    """

    __slots__ = ("_held", "assigned", "given")

    def __init__(self, value: Value = None, flags: int = 0) -> None:
        super().__init__(value, flags)
        self.given = value
        self.assigned = False

    @property
    def value(self) -> Value:
        """The value."""
        return self._held

    @value.setter
    def value(self, value: Value) -> None:
        self._held = value
        self.assigned = True

    def copy(self) -> Variable:
        """An independent copy."""
        held = self._held
        twin = self.__class__(held if held is None or isinstance(held, str) else held.copy(), self.flags)
        twin.given, twin.assigned = self.given, self.assigned
        return twin


class OptionIndex(WatchedVariable):
    """``OPTIND``: where it was assigned, ``getopts`` begins the word anew."""

    __slots__ = ()

    def __init__(self, value: Value = "1", flags: int = INTEGER) -> None:
        super().__init__(value, flags)

    def go_on(self, value: Value) -> None:
        """Set the index as ``getopts`` itself does."""
        self._held = value
        self.assigned = False


class DynamicVariable(Variable):
    """A variable that the shell computes: ``RANDOM``, ``SECONDS``, ``FUNCNAME`` …

    Args:
        read: Gives the value.
        write: Takes an assignment; None ignores it.
        flags: Attributes.
        write_element: Takes an assignment to an element of an associative array, its key first; None ignores it.
        write_index: Takes an assignment to an element of an indexed array.
        fixed: An assignment is not just ignored: what tells of failures fails, and a list ends the line.
        base: What ``+=`` adds to; without it, what ``read`` gives.
    """

    __slots__ = ("base", "fixed", "read", "write", "write_element", "write_index")

    def __init__(
        self,
        read: Callable[[Shell], Value],
        write: Callable[[Shell, str], None] | None = None,
        flags: int = 0,
        write_element: Callable[[Shell, str, str], None] | None = None,
        write_index: Callable[[Shell, int, str], None] | None = None,
        *,
        fixed: bool = False,
        base: Callable[[Shell], str] | None = None,
    ) -> None:
        super().__init__(None, flags)
        self.base = base
        self.fixed = fixed
        self.write_index = write_index
        self.read = read
        self.write = write
        self.write_element = write_element

    def copy(self) -> Variable:
        """Another one of the same attributes: all shells share those that they have not changed."""
        return self.with_flags(self.flags)

    def with_flags(self, flags: int) -> DynamicVariable:
        """Another one of other attributes, which reads and writes the same."""
        return DynamicVariable(
            self.read, self.write, flags, self.write_element, self.write_index, fixed=self.fixed, base=self.base
        )

    def letters(self) -> str:
        """The attributes; what takes elements is an associative array."""
        return ("A" if self.write_element is not None else "") + super().letters()

    def scalar(self, shell: Shell) -> str | None:
        """The computed value."""
        value = self.read(shell)
        if isinstance(value, IndexedArray):
            return value.get(0)
        if isinstance(value, AssociativeArray):
            return value.get("0")
        return value

    def added(self, shell: Shell, value: str, subscript: str | int | None = None) -> str:
        """``value`` added to the computed one, or to an element of that."""
        if subscript is None:
            base = self.scalar(shell) if self.base is None else self.base(shell)
        else:
            array = self.read(shell)
            elements = dict(array.items()) if isinstance(array, (IndexedArray, AssociativeArray)) else {}
            base = elements.get(str(subscript))
        if self.flags & INTEGER:
            return str(int(base or "0") + int(value or "0"))
        base = base or ""
        shell.budget.string(len(base) + len(value))
        return base + value


Stored = str | Variable
