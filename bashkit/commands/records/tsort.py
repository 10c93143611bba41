"""tsort: topological sort of a directed graph (POSIX XCU tsort)."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import open_only, slurp
from bashkit.commands._notation.quoting import mention, quote_if_needed
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.limits import ask_room, paced_if_many, sorted_in_runs

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("tsort", usage="[FILE]", summary="Write totally ordered list consistent with the partial ordering in FILE.")
def main(process: Process, arguments: Arguments) -> int:
    """Print the order; 1 when the graph has a cycle."""
    if len(arguments.operands) > 1:
        raise UsageError(f"extra operand {mention(arguments.operands[1])}")
    name = arguments.operands[0] if arguments.operands else "-"
    data = slurp(process, open_only(process, name))
    process.budget.string(len(data))
    process.budget.tick(len(data) >> 8)
    ask_room(data, (b" ", b"\t", b"\n"), process.budget)
    words = re.findall(r"[^ \t\n]+", data.decode("utf-8", "surrogateescape"))
    process.budget.words(len(words))
    process.budget.tick(len(words) >> 3)
    if len(words) % 2:
        process.warn(f"{quote_if_needed(name)}: input contains an odd number of tokens")
        return 1
    return _Graph(process, name, words).sort()


class _Graph:
    """Nodes in the order of their names, with counts of predecessors."""

    def __init__(self, process: Process, name: str, words: list[str]) -> None:
        self._process = process
        self._name = name
        self._successors: dict[str, list[str]] = {}
        self._counts: dict[str, int] = {}
        for first, second in zip(words[::2], words[1::2], strict=True):
            process.budget.tick()
            for word in (first, second):
                self._successors.setdefault(word, [])
                self._counts.setdefault(word, 0)
            if first != second:
                self._successors[first].append(second)
                self._counts[second] += 1

    def sort(self) -> int:
        """Write the order and return the exit status."""
        status = 0
        left = sorted_in_runs(list(self._counts), key=lambda word: word.encode("utf-8", "surrogateescape"))
        while left:
            queue = [word for word in paced_if_many(left) if not self._counts[word]]
            position = 0
            while position < len(queue):
                word = queue[position]
                position += 1
                self._process.budget.tick(2)
                self._process.write(word + "\n")
                # Successors that were named last come first.
                for following in reversed(self._successors[word]):
                    self._counts[following] -= 1
                    if not self._counts[following]:
                        queue.append(following)
                del self._counts[word]
            left = [word for word in paced_if_many(left) if word in self._counts]
            if left:
                status = 1
                self._break_cycle(left)
        return status

    def _break_cycle(self, left: list[str]) -> None:
        """Report a cycle and drop one of its edges: a chain of predecessors grows until it meets one that is in it."""
        self._process.warn(f"{self._name}: input contains a loop:")
        places: dict[str, list[int]] = {}
        for place, word in enumerate(left):
            for following in self._successors[word]:
                places.setdefault(following, []).append(place)
        links: dict[str, str] = {}
        head, place = left[0], 0  # which has no link, so that the chain may come to it once more
        while True:
            self._process.budget.tick()
            before = places[head]
            place = before[bisect_right(before, place) % len(before)]  # the next one, round and round
            if left[place] in links:
                break
            links[left[place]] = head
            head = left[place]
        end, member = left[place], head
        while member != end:
            self._process.warn(member)
            member = links[member]
        self._process.warn(end)
        self._successors[end].remove(head)
        self._counts[head] -= 1
