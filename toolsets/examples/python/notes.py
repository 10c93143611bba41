"""Notes in memory: typed functions, whose signatures and docstrings declare the tools."""

from dataclasses import dataclass

_NOTES: list["Note"] = []


@dataclass
class Note:
    """A note."""

    text: str
    tag: str = ""


def add_note(text: str, tag: str = "") -> Note:
    """Keep a note.

    Args:
        text: What to remember.
        tag: A word to find it by.
    """
    _NOTES.append(Note(text, tag))
    return _NOTES[-1]


def list_notes(tag: str = "") -> list[Note]:
    """List the notes.

    Args:
        tag: Only those with this tag.
    """
    return [note for note in _NOTES if tag in {"", note.tag}]
