"""docs/architecture.md names what is there, and no more."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = set(re.findall(r"`([\w./]+/|[\w]+\.py)`(?=[^|]*\|)", TEXT[TEXT.index("| room |") : TEXT.index("## Two seams")]))


def rooms() -> set[str]:
    """The packages and modules at the top of bashkit, and the rooms of the interpreter."""
    found = {path.name for path in (ROOT / "bashkit").glob("*.py") if not path.name.startswith("__")}
    for folder in (ROOT / "bashkit", ROOT / "bashkit" / "interp"):
        packages = [path.parent for path in folder.glob("*/__init__.py")]
        found |= {f"{package.relative_to(ROOT / 'bashkit')}/" for package in packages}
    return found - {"interp/"} | {"tui/bashkit_tui/"}


def test_the_map_has_every_room():
    assert rooms() <= ROOMS
    assert all((ROOT / room).exists() or (ROOT / "bashkit" / room).exists() for room in ROOMS)


def test_every_file_that_is_named_exists():
    for name in re.findall(r"`([a-z_/.]+\.(?:py|toml|json|md))`", TEXT):
        assert any((ROOT / folder / name).exists() for folder in ("", "bashkit")), name


def test_the_rooms_of_tools_and_toolset_are_named():
    for room in ("tools", "toolset"):
        line = next(line for line in TEXT.splitlines() if line.startswith(f"| `{room}/`"))
        packages = {path.parent.name for path in (ROOT / "bashkit" / room).glob("*/__init__.py")}
        assert packages == set(re.findall(r"`(\w+)`", line))


def test_the_drawing_is_that_of_the_import_contract():
    spec = importlib.util.spec_from_file_location("bashkit_docs_rooms", ROOT / "docs/rooms.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    assert drawing.DRAWING.read_text(encoding="utf-8") == drawing.svg(), "python docs/rooms.py draws it anew"
