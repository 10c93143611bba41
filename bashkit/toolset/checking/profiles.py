"""Applies a profile of a toolset file: settings that take the place of those of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset.text.suggestions import suggestion

if TYPE_CHECKING:
    from bashkit.toolset.text.document import Document, Path

PROFILE = "BASHKIT_PROFILE"  # the variable that chooses a profile
_KEY = "profiles"


def profiles_of(value: Any) -> list[str]:
    """The names of the profiles of a toolset file."""
    found = value.get(_KEY) if isinstance(value, dict) else None
    return [name for name in found if isinstance(name, str)] if isinstance(found, dict) else []


def apply_profile(document: Document, name: str, *, required: bool) -> None:
    """Merge the settings of a profile into a document; each keeps its position. Mappings are merged, anything else is replaced.

    Args:
        document: The document.
        name: The profile.
        required: Note a problem if the document has no such profile.
    """
    names = profiles_of(document.value)
    if name not in names:
        if required:
            hint = suggestion(name, names) or (f"there are {', '.join(names)}" if names else "the file has no profiles")
            document.at((_KEY,), f"there is no profile {name!r}", hint=hint, key=True)
        return
    settings = document.value[_KEY][name]
    if not isinstance(settings, dict):
        return
    document.value = _merged(document.value, settings)
    start: Path = (_KEY, name)
    for positions in (document.values, document.keys):
        inside = {path[2:]: mark for path, mark in positions.items() if path[:2] == start and len(path) > len(start)}
        positions.update(inside)
    del document.value[_KEY]  # its mistakes are found where it was merged


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    found = dict(below)
    for key, value in above.items():
        own = found.get(key)
        found[key] = _merged(own, value) if isinstance(own, dict) and isinstance(value, dict) else value
    return found
