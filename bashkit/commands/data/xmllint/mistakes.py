"""Tells what is wrong with a document in the words of libxml2, which goes on after a mistake where expat stops."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers.expat import errors

from bashkit.limits import paced, turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.parsers.expat import ExpatError

_SHOWN = 80  # characters of the line that are shown with a mistake
_TAG = re.compile(r"""<(/?)([^\s/>]+)(?>[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_ENTITY = re.compile(r"&([^;\s&<]+);")
_ATTRIBUTE = re.compile(r"""([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')""")
_NAME = re.compile(r"[^\W\d]|[:_]")
_CLOSED = (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"))


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake.

    Attributes:
        message: What is wrong.
        place: The characters before it.
    """

    message: str
    place: int

    def told(self, name: str, text: str) -> str:
        """The mistake with its line and a mark below it.

        Args:
            name: The file.
            text: The document.
        """
        line = text.count("\n", 0, self.place) + 1
        start = max(text.rfind("\n", 0, self.place) + 1, self.place - _SHOWN)
        shown = text[start : start + _SHOWN].partition("\n")[0]
        return f"{name}:{line}: parser error : {self.message}\n{shown}\n{' ' * min(self.place - start, _SHOWN - 1)}^\n"


def mistakes(text: str, error: ExpatError, place: int) -> Iterator[Mistake]:
    """The mistakes of a document.

    Args:
        text: The document.
        error: The first of them, as expat tells it.
        place: The characters before that.
    """
    message = errors.messages[error.code]
    if not text:
        yield Mistake("Document is empty", 0)
    elif message in {errors.XML_ERROR_TAG_MISMATCH, errors.XML_ERROR_NO_ELEMENTS}:
        yield from _badly_nested(text)
    elif message == errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        yield Mistake("Extra content at the end of the document", place)
    elif message == errors.XML_ERROR_UNDEFINED_ENTITY and (entity := _ENTITY.match(text, place)):
        yield Mistake(f"Entity '{entity[1]}' not defined", entity.end())
    elif message == errors.XML_ERROR_DUPLICATE_ATTRIBUTE and (attribute := _ATTRIBUTE.match(text, place)):
        yield Mistake(f"Attribute {attribute[1]} redefined", attribute.end())
    elif message == errors.XML_ERROR_MISPLACED_XML_PI:
        yield Mistake("XML declaration allowed only at the start of the document", place + len("<?xml"))
    elif message == errors.XML_ERROR_INVALID_TOKEN and text.startswith("&", place - 1):
        yield Mistake("xmlParseEntityRef: no name", place)
    elif message == errors.XML_ERROR_INVALID_TOKEN and text.startswith("</", place - 1):
        yield Mistake("Extra content at the end of the document", place - 1)
    elif message == errors.XML_ERROR_INVALID_TOKEN and text.startswith("<", place - 1) and not _NAME.match(text, place):
        yield Mistake("StartTag: invalid element name", place)
        if not _has_element(text, place):
            yield Mistake("Extra content at the end of the document", place)
    elif message == errors.XML_ERROR_SYNTAX or (message == errors.XML_ERROR_INVALID_TOKEN and not _has_element(text, place)):
        yield Mistake("Start tag expected, '<' not found", place)
    else:
        yield Mistake(message, place)


def _has_element(text: str, place: int) -> bool:
    """Whether an element begins before a place."""
    return any(_NAME.match(text, found.end()) for found in paced(re.finditer("<", text[:place])))


def _badly_nested(text: str) -> Iterator[Mistake]:
    """The end tags that do not belong to the elements that they end, and the innermost element that has none."""
    opened: list[tuple[str, int]] = []
    place, line, counted = 0, 1, 0
    while (place := text.find("<", place)) >= 0:
        turn()
        line += text.count("\n", counted, place)
        counted = place
        closing = next((end for begin, end in _CLOSED if text.startswith(begin, place)), "")
        if closing:
            end = text.find(closing, place)
            if end < 0:
                return
            place = end + len(closing)
            continue
        tag = _TAG.match(text, place)
        if tag is None:
            return
        place = tag.end()
        if not tag[1]:
            opened += [] if tag[0].endswith("/>") else [(tag[2], line)]
            continue
        if not opened:
            yield Mistake("Extra content at the end of the document", tag.start())
            return
        name, begun = opened.pop()
        if name != tag[2]:
            yield Mistake(f"Opening and ending tag mismatch: {name} line {begun} and {tag[2]}", place)
    if opened:
        name, begun = opened[-1]
        yield Mistake(f"Premature end of data in tag {name} line {begun}", len(text))
