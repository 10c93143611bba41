"""Which variable a name means: name references, and what local scopes hide."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

from bashkit.interp.state.assignment_errors import CircularReferenceError
from bashkit.interp.state.variables import EXPORT, NAMEREF, Stored, Variable, WatchedVariable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.state.options import Options
    from bashkit.interp.state.shell import Shell
    from bashkit.limits import Budget

T = TypeVar("T")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MOST_REFERENCES = 8  # of a chain (GNU bash)
ELEMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?", re.DOTALL)


class TemporaryScope(dict[str, "Stored | None"]):
    """What the assignments before a function call hide: a scope of its own around that of the function.

    Those before an ``eval`` or ``source`` are one around each function that its text calls.

    Attributes:
        of_text: Whether the assignments stand before a text and not before the call itself.
        outer: Those before the text that the command stands in.
        localized: The names of those variables that the function has made local ones of its own.
        lasting: The names of those variables that got an attribute that lasts.
        revealed: The names of those variables that ``unset`` has removed, so that what they hide is there again.
        passed: What the values themselves have assigned, and is assigned to the hidden variables afterwards.
    """

    of_text: bool = False
    outer: TemporaryScope | None = None
    localized: frozenset[str] = frozenset()
    lasting: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    passed: tuple[tuple[str, WatchedVariable], ...] = ()

    def copy(self) -> TemporaryScope:
        """A copy that is such a scope, too."""
        twin = TemporaryScope(self)
        twin.of_text, twin.outer = self.of_text, self.outer
        twin.localized, twin.lasting, twin.revealed = self.localized, self.lasting, self.revealed
        return twin

    @contextmanager
    def hidden(self, variables: dict[str, Stored]) -> Iterator[None]:
        """Have the variables without the assignments for a while; what is assigned to them then is there afterwards, too."""
        assigned = {name: variables.pop(name, None) for name in self}
        variables.update({name: old for name, old in self.items() if old is not None})
        try:
            yield
        finally:
            for name, value in assigned.items():
                self[name] = variables.pop(name, None)
                if value is not None:
                    variables[name] = value

    def apart(self) -> TemporaryScope:
        """A copy for another shell, of those around it as well."""
        twin = self.copy()
        twin.outer = self.outer and self.outer.apart()
        return twin

    def chain(self) -> Iterator[TemporaryScope]:
        """This one, and those around it."""
        scope: TemporaryScope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def reveal(self, name: str) -> Stored | None:
        """Give up a variable: what it hides."""
        self.revealed |= {name}
        return self.pop(name)

    def follow(self, copy: TemporaryScope, *, lasting: bool) -> None:
        """Take over what became of the variables in a copy; ``lasting`` says whether they may last."""
        self.update(copy)
        self.revealed |= copy.revealed
        for name in copy.revealed:
            self.pop(name, None)
        if lasting:
            self.lasting |= copy.lasting


class Scopes:
    """The variables of a shell by name, and which of them a name means: what namerefs refer to, what local ones hide.

    Attributes:
        variables: Every variable by name; see the module ``variables``.
        scopes: What each running function hides, innermost last: name to the hidden variable, or None for "was not set".
        assigned: What the assignments before the running command hide.
        token: What marks the Variables that are this store's own; another one after each fork.
    """

    __slots__ = ("arithmetic_depth", "assigned", "scopes", "token", "variables")

    budget: Budget  # the shell's, as are its options
    options: Options
    variables: dict[str, Stored]
    scopes: list[dict[str, Stored | None]]
    assigned: TemporaryScope
    token: object
    arithmetic_depth: int

    def _start_variables(self) -> None:
        self.variables = {}
        self.scopes = []
        self.assigned = TemporaryScope()
        self.token = object()
        self.arithmetic_depth = 0

    def _fork_variables(self, twin: Scopes) -> None:
        """Give a subshell its copy; arrays are shared until one side writes (``own``)."""
        twin.variables = self.variables.copy()
        twin.scopes = [scope.copy() for scope in self.scopes] if self.scopes else []
        twin.assigned = self.assigned.apart() if self.assigned else self.assigned
        twin.token, self.token = object(), object()
        twin.arithmetic_depth = self.arithmetic_depth

    # -- name references -----------------------------------------------------------------------------------------------

    @staticmethod
    def split_reference(variable: Variable) -> tuple[str, str | None]:
        """The name and subscript that a nameref holds."""
        match = ELEMENT.fullmatch(variable.value if isinstance(variable.value, str) else "")
        return (match.group(1), match.group(2)) if match else ("", None)

    def resolve(self, name: str) -> str:
        """The name at the end of a chain of namerefs; may carry a subscript.

        Raises:
            CircularReferenceError: The chain is a circle.
        """
        seen: list[str] = []
        while True:
            value = self.variables.get(name)
            if not isinstance(value, Variable) or not value.flags & NAMEREF:
                return name
            target = value.value
            if not isinstance(target, str) or not target:
                return name
            if target == name or target in seen or len(seen) == MOST_REFERENCES:
                raise CircularReferenceError((seen or [name])[0], target, own=target == name)
            if "[" in target:
                return target
            seen.append(name)
            name = target

    def find(self, name: str) -> Stored | None:
        """The variable that ``name`` refers to, namerefs followed."""
        value = self.variables.get(name)
        if isinstance(value, Variable) and value.flags & NAMEREF:
            try:
                return self.variables.get(self.resolve(name))
            except CircularReferenceError as error:
                cast("Shell", self).warn(error.message)
                return self.hidden_global(name)
        return value

    def hidden_global(self, name: str) -> Stored | None:
        """The global variable that a local nameref hides, to which it refers by its own name."""
        return next((scope[name] for scope in self.scopes if name in scope), None)

    def beyond(self, error: CircularReferenceError, act: Callable[[], T], *, of_array: bool = False) -> T:
        """Act on what the references of a circle mean, in place of the circle (undocumented).

        A local one that refers to its own name means the global variable that it hides; so does a longer circle where an array is
        meant. For a scalar, the reference with which such a circle begins is left out: the others reach what this one hides.

        Args:
            error: The circle.
            act: Acts on the name that was given.
            of_array: It assigns an array or an element.

        Raises:
            CircularReferenceError: It is no local one.
        """
        name, variables = error.name, self.variables
        outermost = error.own or of_array
        hiding = next((scope for scope in (self.scopes if outermost else reversed(self.scopes)) if name in scope), None)
        if hiding is None:
            raise error
        if outermost:
            cast("Shell", self).warn(error.message)
        reference = variables.pop(name)
        hidden = hiding[name]
        if hidden is not None:
            variables[name] = hidden
        try:
            return act()
        finally:
            hiding[name] = variables.get(name)
            variables[name] = reference

    def refers_to_element(self, name: str) -> bool:
        """Whether a name is a reference to an element of an array, which has no length and no elements of its own."""
        variable = self.variables.get(name)
        if not isinstance(variable, Variable) or not variable.flags & NAMEREF:
            return False
        try:
            return "[" in self.resolve(name)
        except CircularReferenceError:
            return False

    # -- local scopes --------------------------------------------------------------------------------------------------

    def hide(self, name: str) -> None:
        """Begin a local variable in the innermost scope; what an assignment before this command has set becomes that."""
        scope = self.scopes[-1]
        if name in self.assigned:
            hidden = self.assigned.pop(name)
            scope.setdefault(name, hidden)
        elif name not in scope and (before := self._before_call()) is not None and name in before:
            if name not in before.lasting:
                scope[name] = before.pop(name)  # it is the same variable, with its value and attributes
                before.localized |= {name}
        elif name not in scope:
            scope[name] = old = self.variables.pop(name, None)
            if isinstance(old, Variable) and old.flags & EXPORT and (inherited := self._inherited(name, old)) is not None:
                self.variables[name] = inherited

    def _inherited(self, name: str, hidden: Variable) -> Variable | None:
        """What a local variable has of one that it hides (bash(1), local).

        That is all, if the hidden one belongs to the temporary environment of a call, and that it is exported, if it hides such
        a one itself.
        """
        outer = self.scopes[:-1]
        temporary = [scope for scope in outer if isinstance(scope, TemporaryScope) and name in {*scope, *scope.localized}]
        holder = next((place for place in reversed(range(len(outer))) if name in outer[place]), None)
        if not temporary or holder is None:
            return None
        if temporary[-1] is outer[holder] or (holder and temporary[-1] is outer[holder - 1] and name in temporary[-1].localized):
            return hidden.copy()
        return Variable(None, EXPORT)

    def _before_call(self) -> TemporaryScope | None:
        """What the assignments before the call of the running function hide, if there are any."""
        before = self.scopes[-2] if len(self.scopes) > 1 else None
        return before if isinstance(before, TemporaryScope) and not before.of_text else None

    def is_localized(self, name: str) -> bool:
        """Whether a variable was assigned before the call of the running function, which has made it local."""
        before = self._before_call()
        return before is not None and name in before.localized

    def around_function(self, call: Callable[[], T]) -> T:
        """Call a function from a text with assignments before it (``x=1 eval …``): they hold, and it may hide them."""
        assigned = self.assigned
        chain = [scope for scope in assigned.chain() if scope]
        chain.reverse()
        copies = [scope.copy() for scope in chain]
        for around in copies:
            around.of_text = True
        self.assigned = TemporaryScope()
        self.scopes += copies
        try:
            return call()
        finally:
            del self.scopes[-len(copies) :]
            self.assigned = assigned
            for scope, around in zip(chain, copies, strict=True):
                scope.follow(around, lasting=True)

    def leave_scope(self) -> None:
        """Give back what the innermost scope hides."""
        for name, hidden in self.scopes.pop().items():
            if hidden is None:
                self.variables.pop(name, None)
            else:
                self.variables[name] = hidden

    def _put_back(self, name: str, hidden: Stored | None) -> None:
        """Give back what a variable has hidden."""
        if hidden is None:
            self.variables.pop(name, None)
        else:
            self.variables[name] = hidden

    def put_outermost(self, name: str, variable: Variable) -> None:
        """Put a variable in place of the one that the locals of all functions, and all assignments before commands, hide."""
        if self.scopes or self.assigned:
            for scope in (*self.scopes, *reversed(list(self.assigned.chain()))):
                if name in scope:
                    scope[name] = variable
                    return
        self.variables[name] = variable

    def keep_temporary(self, name: str) -> None:
        """Let a variable stay that an assignment before the command has set, or one before the call of a function.

        It gets an attribute that lasts.
        """
        if name in self.assigned:
            self.assigned.lasting |= {name}
            return
        scopes = self.scopes
        place = next((place for place in reversed(range(len(scopes))) if name in scopes[place]), None)
        if place is None:
            return
        scope, before = scopes[place], scopes[place - 1] if place else None
        if isinstance(scope, TemporaryScope):
            scope.lasting |= {name}
        elif isinstance(before, TemporaryScope) and name in before.localized:
            del scope[name]
