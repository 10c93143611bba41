"""Registries of kinds: the kinds that a folder of modules declares, and those that a program adds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from bashkit.errors import DefinitionError
from bashkit.importing import imported

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(Protocol):
    """The protocol of a class that declares a kind under its own ``key``."""

    key: ClassVar[str]
    rank: ClassVar[int]

    @classmethod
    def schemas(cls) -> Mapping[str, Any]:
        """The JSON Schemas of all keys that the kind declares."""
        ...


K = TypeVar("K", bound=Kind)


@dataclass(slots=True)
class Registry(Generic[K]):
    """The kinds of callbacks or of sources, by rank and then in the order of registration.

    Attributes:
        package: The package whose modules declare one each; a module whose name starts with an underscore declares none.
        base: Their base class.
    """

    package: str
    base: type
    _added: tuple[type[K], ...] = ()

    def kinds(self) -> tuple[type[K], ...]:
        """All registered kinds."""
        own: tuple[type[K], ...] = _declared(self.package, self.base)
        return tuple(sorted((*own, *self._added), key=lambda kind: kind.rank))

    def find(self, key: str) -> type[K] | None:
        """The kind that a key names."""
        return next((kind for kind in self.kinds() if kind.key == key), None)

    def register(self, kind: type[K]) -> type[K]:
        """Add a program's own kind.

        Raises:
            DefinitionError: The key is taken, or it means something else in another kind.
        """
        if self.find(kind.key) is not None:
            raise DefinitionError(f"there is a kind called {kind.key!r} already")
        for other in self.kinds():
            theirs = other.schemas()
            for key, schema in kind.schemas().items():
                if theirs.get(key, schema) != schema:
                    raise DefinitionError(f"the key {key!r} of {kind.key!r} means something else for {other.key!r}")
        self._added = (*self._added, kind)
        return kind


@cache
def _declared(package: str, base: type) -> tuple[type, ...]:
    names = [module.name for module in iter_modules(imported(package).__path__) if not module.name.startswith("_")]
    modules = [imported(f"{package}.{name}") for name in names]
    return tuple(
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base) and "key" in vars(kind) and kind.__module__ == module.__name__
    )
