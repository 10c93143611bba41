"""A backtracking matcher that pays for each step: for back-references and Perl's constructs when ``re`` could run away.

The tree becomes a program for a small machine with an explicit stack, so neither a long text nor a deep pattern exhausts
Python's. Alternatives are tried in the order of the pattern.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, assert_never

from bashkit.regex.cache import compiled_by_re
from bashkit.regex.charset import CharSet
from bashkit.regex.syntax_tree import (
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
    Recursion,
    Repeat,
    Verb,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.limits import Budget
    from bashkit.regex.emit import Emitter
    from bashkit.regex.syntax_tree import Node

_CHAR, _PLACE, _SPLIT, _JUMP, _SAVE, _BACK, _LOOK, _PROGRESS, _MARK, _DONE, _CALL, _UNSET, _VERB, _ACCEPT = range(14)
_Instruction = tuple[int, Any, Any]  # the operation and its operands
MAX_PROGRAM = 50_000
_MAX_STEPS = 200_000  # of one search for the longest match
_MAX_CALLS = 200  # recursions inside each other
_CHOICE = 160  # bytes of a choice that is remembered, without its positions
_LOOK_AT_MEMORY = 65536  # instructions between two looks at the choices that are remembered
_TICK = 64  # instructions between two looks at the budget, about 20 microseconds


class ProgramTooLargeError(Exception):
    """The repeats of a pattern multiply into more instructions than it is worth."""


class CutError(Exception):
    """The matcher came back to a verb: nothing matches before the position.

    Args:
        position: Where to try next.
    """

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position


class Program:
    """A compiled tree.

    Args:
        node: The tree.
        groups: How many groups it captures.
        emitter: How single characters and places are written for ``re``.
        flags: Flags of ``re`` for them.
    """

    def __init__(self, node: Node, groups: int, emitter: Emitter, flags: int) -> None:
        self._emitter = emitter
        self._flags = flags
        self._code: list[_Instruction] = []
        self._slots = 2 * groups + 2
        self._marks = self._slots
        self._bodies: dict[int, Node] = {0: node}  # of the groups
        self._calls: list[tuple[int, int]] = []  # where they are called, and which
        self._write(node)
        self._emit(_DONE)
        self._write_called()

    def run(self, text: str, start: int, end: int, budget: Budget, *, whole: bool = False) -> list[int] | None:
        """Match at ``start``: the positions of the groups as ``[start0, end0, start1, …]``, -1 for unset, or None.

        Args:
            text: What to match.
            start: Where the match begins.
            end: Where the text ends.
            budget: Pays for the steps.
            whole: The match has to reach ``end``.

        Raises:
            LimitExceededError: The budget is spent.
        """
        slots = [-1] * self._marks
        slots[0] = start
        return self._run(text, start, end, budget, 0, slots, whole=whole)

    def longest(self, text: str, start: int, end: int, budget: Budget) -> int:
        """Where the longest match that begins at ``start`` ends, -1 without any; all ways are tried, each place once.

        Args:
            text: What to match.
            start: Where the match begins.
            end: Where the text ends.
            budget: Pays for the steps.
        """
        code = self._code
        remembers = any(operation == _BACK for operation, _, _ in code)
        slots = [-1] * self._marks
        stack: list[tuple[int, int, list[int]]] = [(0, start, slots)]
        seen: set[tuple[int, int]] = set()
        best = -1
        steps = 0
        while stack and steps < _MAX_STEPS:
            counter, position, slots = stack.pop()
            while True:
                steps += 1
                if steps % _TICK == 0:
                    budget.tick(20)
                operation, first, second = code[counter]
                if operation == _SPLIT and not remembers:
                    if (counter, position) in seen:
                        break
                    seen.add((counter, position))
                counter += 1
                if operation in (_CHAR, _PLACE):
                    if not first(text, position, end):
                        break
                    position += operation == _CHAR
                elif operation == _SPLIT:
                    stack.append((second, position, slots))
                    counter = first
                elif operation == _JUMP:
                    counter = first
                elif operation in (_SAVE, _MARK):
                    if remembers:
                        slots = slots.copy()
                        slots[first] = position
                elif operation == _PROGRESS:
                    if remembers and slots[first] == position:
                        break
                elif operation == _BACK:
                    low, high = slots[2 * first], slots[2 * first + 1]
                    if low < 0 or not self._same(text, low, high, position, end):
                        break
                    position += high - low
                else:
                    best = max(best, position)
                    break
        return best

    # -- writing the program --------------------------------------------------------------------------------------------

    def _emit(self, operation: int, first: object = None, second: object = None) -> int:
        if len(self._code) >= MAX_PROGRAM:
            raise ProgramTooLargeError
        self._code.append((operation, first, second))
        return len(self._code) - 1

    def _patch(self, where: int, first: object, second: object) -> None:
        self._code[where] = (self._code[where][0], first, second)

    def _write_called(self) -> None:
        """Write the groups that are called, each once more, and tell the calls where."""
        places: dict[int, int] = {}
        while self._calls:
            where, number = self._calls.pop()
            if number not in places:
                places[number] = len(self._code)
                self._write(self._bodies.get(number, Concat(())))
                self._emit(_DONE)
            self._patch(where, places[number], None)

    def _matcher(self, node: Node) -> Callable[[str, int, int], object]:
        return compiled_by_re(self._emitter.write(node), self._flags).match

    def _write(self, node: Node) -> None:
        match node:
            case Literal() | AnyChar() | CharSet() | Fold():
                self._emit(_CHAR, self._matcher(node))
            case Assertion():
                self._emit(_PLACE, self._matcher(node))
            case Concat(items):
                for item in items:
                    self._write(item)
            case Alternation(choices):
                self._alternation(choices)
            case Repeat():
                self._repeat(node)
            case Group(item, number):
                self._bodies.setdefault(number, item)
                self._emit(_SAVE, 2 * number)
                self._write(item)
                self._emit(_SAVE, 2 * number + 1)
            case Backreference(number):
                self._emit(_BACK, number)
            case Keep():
                self._emit(_SAVE, 0)
            case Recursion(number):
                self._calls.append((self._emit(_CALL), number))
            case Conditional():
                self._conditional(node)
            case Verb(kind):
                self._emit(_ACCEPT if kind == "accept" else _VERB, kind)
            case Look(item, ahead, negative):
                self._look(item, ahead=ahead, negative=negative)
            case Atomic(item):
                self._look(item, ahead=True, negative=False, consume=True)
            case _:
                assert_never(node)

    def _alternation(self, choices: tuple[Node, ...]) -> None:
        exits: list[int] = []
        for choice in choices[:-1]:
            split = self._emit(_SPLIT)
            self._write(choice)
            exits.append(self._emit(_JUMP))
            self._patch(split, split + 1, len(self._code))
        self._write(choices[-1])
        for place in exits:
            self._patch(place, len(self._code), None)

    def _conditional(self, node: Conditional) -> None:
        test = self._emit(_UNSET)
        self._write(node.yes)
        leave = self._emit(_JUMP)
        self._patch(test, node.number, len(self._code))
        self._write(node.no)
        self._patch(leave, len(self._code), None)

    def _repeat(self, node: Repeat) -> None:
        if node.possessive:
            self._look(Repeat(node.item, node.low, node.high), ahead=True, negative=False, consume=True)
            return
        for _ in range(node.low):
            self._write(node.item)
        if node.high is None:
            split = self._emit(_SPLIT)
            mark = self._marks
            self._marks += 1
            self._emit(_MARK, mark)
            self._write(node.item)
            self._emit(_PROGRESS, mark)
            self._emit(_JUMP, split)
            self._fork(split, lazy=node.lazy)
            return
        splits: list[int] = []
        for _ in range(node.high - node.low):
            splits.append(self._emit(_SPLIT))
            self._write(node.item)
        for split in splits:
            self._fork(split, lazy=node.lazy)

    def _fork(self, split: int, *, lazy: bool) -> None:
        inside, behind = split + 1, len(self._code)
        self._patch(split, *((behind, inside) if lazy else (inside, behind)))

    def _look(self, item: Node, *, ahead: bool, negative: bool, consume: bool = False) -> None:
        if not ahead:
            sign = "!" if negative else "="
            try:
                pattern = compiled_by_re(f"(?<{sign}{self._emitter.write(item)})", self._flags)
            except re.error as error:
                raise ProgramTooLargeError from error
            self._emit(_PLACE, pattern.match)
            return
        look = self._emit(_LOOK)
        self._write(item)
        self._emit(_DONE)
        self._patch(look, (negative, consume), len(self._code))

    # -- running it -----------------------------------------------------------------------------------------------------

    def _run(
        self, text: str, position: int, end: int, budget: Budget, entry: int, slots: list[int], *, whole: bool, depth: int = 0
    ) -> list[int] | None:
        code = self._code
        stack: list[tuple[int, int, list[int]]] = [(entry, position, slots)]
        steps = 0
        look = max(_LOOK_AT_MEMORY // (1 + (self._marks >> 6)) // _TICK, 1) * _TICK
        while stack:
            counter, position, slots = stack.pop()
            if counter < 0:
                raise CutError(position)
            while True:
                steps += 1
                if steps % _TICK == 0:
                    budget.tick(20)
                    if steps % look == 0:
                        held = len(stack) * (_CHOICE + 8 * self._marks)
                        budget.hold(held)
                        budget.hold(-held)
                operation, first, second = code[counter]
                counter += 1
                if operation == _CHAR:
                    if not first(text, position, end):
                        break
                    position += 1
                elif operation == _SPLIT:
                    stack.append((second, position, slots))
                    counter = first
                elif operation == _JUMP:
                    counter = first
                elif operation in (_SAVE, _MARK):
                    slots = slots.copy()
                    slots[first] = position
                elif operation == _PLACE:
                    if not first(text, position, end):
                        break
                elif operation == _PROGRESS:
                    if slots[first] == position:
                        break
                elif operation in (_DONE, _ACCEPT):
                    if whole and position != end:
                        break
                    slots = slots.copy()
                    slots[1] = position
                    return slots
                elif operation == _BACK:
                    low, high = slots[2 * first], slots[2 * first + 1]
                    if low < 0 or not self._same(text, low, high, position, end):
                        break
                    position += high - low
                elif operation == _UNSET:
                    if first == 0 or slots[2 * first + 1] < 0:
                        counter = second
                elif operation == _VERB:
                    stack.append((-1, {"skip": position, "prune": 0, "commit": end + 1}[first], slots))
                elif operation == _CALL:
                    deeper = depth + 1
                    called = (
                        self._run(text, position, end, budget, first, slots, whole=False, depth=deeper)
                        if depth < _MAX_CALLS
                        else None
                    )
                    if called is None:
                        break
                    position = called[1]
                else:
                    negative, consume = first
                    inner = self._run(text, position, end, budget, counter, slots, whole=False, depth=depth)
                    if (inner is None) != negative:
                        break
                    if inner is not None:
                        keep_end = slots[1]
                        position = inner[1] if consume else position
                        slots = inner
                        slots[1] = keep_end
                    counter = second
        return None

    def _same(self, text: str, low: int, high: int, position: int, end: int) -> bool:
        if position + high - low > end:
            return False
        if not self._flags & re.IGNORECASE:
            return text.startswith(text[low:high], position)
        return text[low:high].casefold() == text[position : position + high - low].casefold()
