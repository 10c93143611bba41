"""Follows a jq program over its input to find the fields that it reads and that are not there.

The evaluation is faithful where it is certain, and says ``UNKNOWN`` where it is not; what depends on something unknown brings no
hint. A field that is missing is a value of its own, ``Missing``: if the program tests it (``//``, ``select``, ``== null``), it
asked on purpose; if the program uses or prints it, it did not.
"""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.commands.data.jq.direct import values
from bashkit.commands.data.jq.direct.values import NotHereError
from bashkit.tools.hints import jq_program as tree
from bashkit.tools.hints.field_paths import Path, alike
from bashkit.tools.hints.jq_builtins import builtin
from bashkit.tools.hints.missing import Missing, Place
from bashkit.tools.hints.unknown import UNKNOWN, FailedError, SpentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


_ALIKE = 200  # objects in which a field is looked for that others like them do not have


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where in the data a container is.

    Attributes:
        path: Its path.
        roots: The values in one of which it is.
        container: Itself, so that its identity stays its own.
    """

    path: Path
    roots: list[Any]
    container: Any


@dataclass(frozen=True, slots=True)
class Closure:
    """A function of the program, or an argument of one.

    Attributes:
        body: Its body.
        parameters: The names of its parameters; those of values begin with ``$``.
        scope: What was defined where it stands.
        itself: Its name with the number of its parameters, if it may call itself.
    """

    body: tree.Node
    parameters: tuple[str, ...]
    scope: Scope
    itself: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is defined at a place of a program.

    Attributes:
        variables: The variables, without ``$``.
        functions: The functions, as ``name/number of parameters``.
        lenient: Whether the program asks on purpose here.
    """

    variables: ChainMap[str, Any] = field(default_factory=ChainMap[str, Any])
    functions: ChainMap[str, Closure] = field(default_factory=ChainMap[str, Closure])
    lenient: bool = False

    def with_variables(self, found: dict[str, Any]) -> Scope:
        """The scope with more variables."""
        return Scope(self.variables.new_child(found), self.functions, self.lenient)

    def with_functions(self, found: dict[str, Closure]) -> Scope:
        """The scope with more functions."""
        return Scope(self.variables, self.functions.new_child(found), self.lenient)

    def asking(self) -> Scope:
        """The scope of a part that asks on purpose."""
        return self if self.lenient else Scope(self.variables, self.functions, lenient=True)


class Reader:
    """Follows one program over one input.

    Args:
        places: What is known of each reading of the program; earlier runs may have filled it.
        steps: Maximum steps.
    """

    def __init__(self, places: dict[tree.Node, Place], steps: int) -> None:
        self.places = places
        self.steps = steps
        self.inputs: Iterator[Any] = iter(())
        self.visited: dict[Place, None] = {}
        self._origins: dict[int, _Origin] = {}  # by identity
        self._decoded: list[Any] = []

    def follow(self, program: tree.Node, inputs: Iterable[Any], variables: dict[str, Any], *, null_input: bool) -> None:
        """Follow the program over its inputs."""
        roots = list(inputs)
        self.inputs = (self.known(value, Path(), roots) for value in roots)
        scope = Scope(ChainMap({name: self.known(value, Path((), f"${name}"), [value]) for name, value in variables.items()}))
        try:
            for value in iter((None,)) if null_input else self.inputs:
                try:
                    for result in self.run(program, value, scope):
                        self.use(result)
                except FailedError:
                    continue
        except (SpentError, RecursionError):
            return

    # -- values --------------------------------------------------------------------------------------------------------

    def known(self, value: Any, path: Path, roots: list[Any]) -> Any:
        """Note that a value is part of the data: at ``path`` in one of several values that are alike."""
        if value.__class__ is dict or value.__class__ is list:
            self._origins.setdefault(id(value), _Origin(path, roots, value))
        return value

    def decoded(self, value: Any) -> Any:
        """Note that a value comes of JSON in a string."""
        self._decoded.append(value)
        return self.known(value, Path((), "fromjson | "), self._decoded)

    def path(self, value: Any) -> Path | None:
        """Where in the data a container is; None if the program has made it."""
        origin = self._origins.get(id(value))
        return None if origin is None else origin.path

    def inside(self, container: Any, step: str | int, value: Any) -> Any:
        """The part of a container; it has a path if the container has one."""
        if value.__class__ is dict or value.__class__ is list:
            origin = self._origins.get(id(container))
            if origin is not None:
                self.known(value, origin.path.then(step), origin.roots)
        return value

    def like(self, made: Any, *originals: Any) -> Any:
        """Note that a container is a changed copy of part of the data."""
        origin = next((self._origins[id(one)] for one in originals if id(one) in self._origins), None)
        return made if origin is None else self.known(made, origin.path, origin.roots)

    def use(self, value: Any) -> Any:
        """The value as JSON, for an operation that relies on it; ``UNKNOWN`` if a part of it is unknown."""
        if value.__class__ is Missing:
            value.use()
            return None
        if (value.__class__ is not dict and value.__class__ is not list) or self.path(value) is not None:
            return value
        self.steps -= len(value)
        parts = value.values() if value.__class__ is dict else value
        used = [self.use(part) for part in parts]
        if any(part is UNKNOWN for part in used):
            return UNKNOWN
        if all(before is after for before, after in zip(parts, used, strict=True)):
            return value
        return dict(zip(value, used, strict=True)) if value.__class__ is dict else used

    @staticmethod
    def truth(value: Any) -> bool:
        """Whether a value counts as true; a field that is not there is asked for. What is unknown counts as true."""
        if value.__class__ is Missing:
            value.ask()
            return False
        return values.truth(value)

    def parts(self, value: Any) -> Iterator[Any]:
        """The values of ``value[]``."""
        if value is UNKNOWN:
            yield UNKNOWN
            return
        if value.__class__ is Missing:
            self.use(value)
        if value.__class__ is not dict and value.__class__ is not list:
            raise FailedError
        for step, part in list(value.items() if value.__class__ is dict else enumerate(value)):
            self._step()
            yield self.inside(value, step, part)

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise SpentError

    # -- programs ------------------------------------------------------------------------------------------------------

    def run(self, node: tree.Node, value: Any, scope: Scope) -> Iterator[Any]:
        """The results of a part of the program for one value.

        Raises:
            FailedError: The program fails.
            SpentError: It takes too many steps.
        """
        self._step()
        return self._runs[node.__class__](self, node, value, scope)

    def _identity(self, _node: tree.Identity, value: Any, _scope: Scope) -> Iterator[Any]:
        yield value

    def _literal(self, node: tree.Literal, _value: Any, _scope: Scope) -> Iterator[Any]:
        yield node.value

    def _text(self, node: tree.Text, value: Any, scope: Scope) -> Iterator[Any]:
        for part in node.parts:
            for piece in self.run(part, value, scope):
                self.use(piece)
        yield UNKNOWN

    def _index(self, node: tree.Index, value: Any, scope: Scope) -> Iterator[Any]:
        for target in self.run(node.target, value, scope):
            if isinstance(node.key, tree.Literal):
                yield self._field(node, target, node.key.value, scope)
            else:
                for key in self.run(node.key, value, scope):
                    yield self.part(target, self.use(key))

    def _field(self, node: tree.Index, target: Any, key: Any, scope: Scope) -> Any:
        """``target.key`` with a key that the program spells out."""
        if target.__class__ is not dict or key.__class__ is not str:
            return self.part(target, key)
        place = self.places.get(node)
        if place is None:
            place = self.places[node] = Place(key)
        self.visited[place] = None
        if key in target:
            place.found = True
            return self.inside(target, key, target[key])
        if scope.lenient:
            place.asked = True
            return None
        origin = self._origins.get(id(target))
        if origin is None:
            return None
        if not place.settled and any(
            key in other for other in alike(origin.roots, origin.path, _ALIKE) if isinstance(other, dict)
        ):
            place.found = True
        return Missing(place, origin.path, target)

    def part(self, target: Any, key: Any) -> Any:
        """``target[key]`` for any key."""
        if target is UNKNOWN or key is UNKNOWN:
            return UNKNOWN
        if target is None or target.__class__ is Missing:
            return target
        if target.__class__ is dict and key.__class__ is str:
            return self.inside(target, key, target.get(key))
        if target.__class__ is list and values.is_number(key):
            place = int(key) + (len(target) if key < 0 else 0)
            return self.inside(target, place, target[place]) if 0 <= place < len(target) else None
        if target.__class__ is list and key.__class__ in {list, dict}:
            return UNKNOWN
        raise FailedError

    def _slice(self, node: tree.Slice, value: Any, scope: Scope) -> Iterator[Any]:
        low = self.value(node.low, value, scope) if node.low else None
        high = self.value(node.high, value, scope) if node.high else None
        for target in self.run(node.target, value, scope):
            if target.__class__ in {list, str} and {low.__class__, high.__class__} <= {int, type(None)}:
                for step, part in enumerate(target if target.__class__ is list else ()):
                    self.inside(target, step, part)
                yield target[low:high]
            else:
                yield target if target is None or target.__class__ is Missing else UNKNOWN

    def _iterate(self, node: tree.Iterate, value: Any, scope: Scope) -> Iterator[Any]:
        for target in self.run(node.target, value, scope):
            yield from self.parts(target)

    def _try(self, node: tree.Try, value: Any, scope: Scope) -> Iterator[Any]:
        try:
            yield from self.run(node.body, value, scope.asking())
        except FailedError:
            if node.handler is not None:
                yield from self.run(node.handler, UNKNOWN, scope)

    def _variable(self, node: tree.Variable, _value: Any, scope: Scope) -> Iterator[Any]:
        yield scope.variables.get(node.name, UNKNOWN)

    def _pipe(self, node: tree.Pipe, value: Any, scope: Scope) -> Iterator[Any]:
        for left in self.run(node.left, value, scope):
            yield from self.run(node.right, left, scope)

    def _comma(self, node: tree.Comma, value: Any, scope: Scope) -> Iterator[Any]:
        yield from self.run(node.left, value, scope)
        yield from self.run(node.right, value, scope)

    def _operation(self, node: tree.Operation, value: Any, scope: Scope) -> Iterator[Any]:
        if node.sign == "//":
            yield from self._alternative(node, value, scope)
            return
        for left in self.run(node.left, value, scope):
            if node.sign in {"and", "or"} and self.truth(left) is (node.sign == "or") and left is not UNKNOWN:
                yield node.sign == "or"
                continue
            for right in self.run(node.right, value, scope):
                yield self._joined(node.sign, left, right)

    def _alternative(self, node: tree.Operation, value: Any, scope: Scope) -> Iterator[Any]:
        found = False
        try:
            for left in self.run(node.left, value, scope.asking()):
                if self.truth(left):
                    found = True
                    yield left
        except FailedError:
            pass
        if not found:
            yield from self.run(node.right, value, scope)

    def _joined(self, sign: str, left: Any, right: Any) -> Any:
        """The result of an operator."""
        if sign in {"and", "or"}:
            return UNKNOWN if left is UNKNOWN or right is UNKNOWN else self.truth(right)
        if sign == "!=" or (sign == "==" and (right is None or right.__class__ is bool)):
            for side in (left, right):
                if isinstance(side, Missing):
                    side.ask()
                    return sign == "!="
        left, right = self.use(left), self.use(right)
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        try:
            result = _OPERATORS[sign](left, right)
        except NotHereError:
            return UNKNOWN
        return self.like(result, left, right) if result.__class__ is dict else result

    def _assignment(self, node: tree.Assignment, value: Any, scope: Scope) -> Iterator[Any]:
        for result in self.run(node.value, UNKNOWN if node.sign == "|=" else value, scope.asking()):
            if node.sign not in {"|=", "//="}:
                self.use(result)
        yield UNKNOWN

    def _negation(self, node: tree.Negation, value: Any, scope: Scope) -> Iterator[Any]:
        for inner in self.run(node.inner, value, scope):
            number = self.use(inner)
            yield -number if values.is_number(number) else UNKNOWN

    def _array(self, node: tree.Array, value: Any, scope: Scope) -> Iterator[Any]:
        yield list(self.run(node.body, value, scope)) if node.body is not None else []

    def _object(self, node: tree.Object, value: Any, scope: Scope) -> Iterator[Any]:
        made: list[dict[str, Any]] = [{}]
        for key, item in node.entries:
            names = [self.use(name) for name in self.run(key, value, scope)]
            if any(name.__class__ is not str for name in names):
                yield UNKNOWN
                return
            results = list(self.run(item, value, scope))
            made = [{**one, name: result} for one in made for name in names for result in results]
            for _ in made:
                self._step()
        yield from made

    def _if(self, node: tree.If, value: Any, scope: Scope) -> Iterator[Any]:
        for test in self.run(node.test, value, scope.asking()):
            if test is UNKNOWN or self.truth(test):
                yield from self.run(node.yes, value, scope)
            if test is UNKNOWN or not self.truth(test):
                yield from self.run(node.no, value, scope)

    def _binding(self, node: tree.Binding, value: Any, scope: Scope) -> Iterator[Any]:
        for source in self.run(node.source, value, scope):
            yield from self.run(node.body, value, scope.with_variables(self._bound(node.patterns, source, value, scope)))

    def _bound(self, patterns: tuple[tree.Pattern, ...], source: Any, value: Any, scope: Scope) -> dict[str, Any]:
        """The variables that patterns bind; with several patterns nothing is certain."""
        found: dict[str, Any] = {}
        pending = [(pattern, source if len(patterns) == 1 else UNKNOWN) for pattern in patterns]
        for pattern, part in pending:  # the list grows during the loop
            if pattern.name:
                found[pattern.name] = part
            for key, inner in pattern.parts:
                name = self.value(key, value, scope)
                pending.append((inner, self.part(part, name) if part.__class__ in {dict, list} else UNKNOWN))
        return found

    def _fold(self, node: tree.Fold, value: Any, scope: Scope) -> Iterator[Any]:
        state = self.value(node.start, value, scope)
        for source in self.run(node.source, value, scope):
            inner = scope.with_variables(self._bound(node.patterns, source, value, scope))
            state = self.value(node.update, state, inner)
            if node.extract is not None:
                yield from self.run(node.extract, state, inner)
        if node.extract is None:
            yield state

    def _definition(self, node: tree.Definition, value: Any, scope: Scope) -> Iterator[Any]:
        name = f"{node.name}/{len(node.parameters)}"
        yield from self.run(node.rest, value, scope.with_functions({name: Closure(node.body, node.parameters, scope, name)}))

    def _call(self, node: tree.Call, value: Any, scope: Scope) -> Iterator[Any]:
        closure = scope.functions.get(f"{node.name}/{len(node.arguments)}")
        if closure is None:
            return builtin(self, node, value, scope)
        return self._applied(closure, node.arguments, value, scope)

    def _applied(self, closure: Closure, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
        """The results of a function of the program."""
        functions = {closure.itself: closure} if closure.itself else {}
        variables = {}
        for name, argument in zip(closure.parameters, arguments, strict=True):
            plain = name.removeprefix("$")
            if plain != name:
                variables[plain] = self.value(argument, value, scope)
            functions[f"{plain}/0"] = Closure(argument, (), scope)
        inner = closure.scope.with_functions(functions).with_variables(variables)
        return self.run(closure.body, value, inner.asking() if scope.lenient else inner)

    def value(self, node: tree.Node, value: Any, scope: Scope) -> Any:
        """The single result of a part of the program; ``UNKNOWN`` if there is none, or more than one."""
        found = list(self.run(node, value, scope))
        return found[0] if len(found) == 1 else UNKNOWN

    _runs: ClassVar[dict[type[tree.Node], Callable[[Reader, Any, Any, Scope], Iterator[Any]]]] = {
        tree.Identity: _identity,
        tree.Literal: _literal,
        tree.Text: _text,
        tree.Index: _index,
        tree.Slice: _slice,
        tree.Iterate: _iterate,
        tree.Try: _try,
        tree.Variable: _variable,
        tree.Pipe: _pipe,
        tree.Comma: _comma,
        tree.Operation: _operation,
        tree.Assignment: _assignment,
        tree.Negation: _negation,
        tree.Array: _array,
        tree.Object: _object,
        tree.If: _if,
        tree.Binding: _binding,
        tree.Fold: _fold,
        tree.Definition: _definition,
        tree.Call: _call,
    }


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": values.equal,
    "!=": lambda left, right: not values.equal(left, right),
    "<": values.less,
    ">": lambda left, right: values.less(right, left),
    "<=": lambda left, right: not values.less(right, left),
    ">=": lambda left, right: not values.less(left, right),
    "+": values.add,
    "-": values.subtract,
    "*": values.multiply,
    "/": values.divide,
    "%": values.modulo,
}
