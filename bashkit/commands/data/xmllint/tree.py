"""A small XML tree, read with expat (XML 1.0; XPath 1.0, Data Model)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from bashkit.commands._notation.encoding import is_character_set
from bashkit.limits import ask, turn

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

HTML = "#html"  # the name of a document that is a page
_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
DEEPEST = 256  # the limit of libxml2
NODE = 250  # bytes of a node beside its text
_TEXT_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_NONE: dict[str, str] = {}
_ATTRIBUTE_ESCAPES = {**_TEXT_ESCAPES, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}


class XmlError(Exception):
    """A document that is not well-formed.

    Args:
        message: In the words of the parser.
        line, column: The position.
        cause: What expat says, and the bytes before that, where it found the mistake.
    """

    def __init__(self, message: str, line: int, column: int, cause: tuple[expat.ExpatError, int] | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.cause = cause


class Node:
    """A node of the tree.

    Attributes:
        kind: ``document``, ``element``, ``attribute``, ``text``, ``cdata``, ``comment`` or ``instruction``.
        name: The name of an element, attribute or instruction; of a document ``HTML`` if it is a page.
        value: The text of other nodes; of a document its DOCTYPE.
        parent: The parent node.
        children: The children of a document or element.
        attributes: The attributes of an element.
        order: Its place in the document.
    """

    __slots__ = ("_declared", "attributes", "children", "kind", "name", "order", "parent", "value")

    def __init__(self, kind: str, parent: Node | None, order: int, name: str = "", value: str = "") -> None:
        self.kind = kind
        self.parent = parent
        self.order = order
        self.name = name
        self.value = value
        self.children: list[Node] = []
        self.attributes: list[Node] = []
        self._declared: dict[str, str] | None = None

    @property
    def declared(self) -> dict[str, str]:
        """The namespaces that an element declares, by the names of the attributes, as they were when this was first asked for."""
        found = self._declared
        if found is None:
            found = {one.name: one.value for one in reversed(self.attributes) if declares_namespace(one)} or _NONE
            self._declared = found
        return found

    def text(self) -> str:
        """The string-value."""
        if self.kind not in {"document", "element"}:
            return self.value
        pieces: list[str] = []
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            if node.kind in {"text", "cdata"}:
                pieces.append(node.value)
            pending.extend(reversed(node.children))
        return "".join(pieces)

    def document(self) -> Node:
        """The document that it is in."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node


def declares_namespace(attribute: Node) -> bool:
    """Whether an attribute is the declaration of a namespace."""
    return attribute.name == "xmlns" or attribute.name.startswith("xmlns:")


def namespace_of(node: Node) -> str:
    """The namespace of an element or attribute; "" for none."""
    prefix, colon, _ = node.name.rpartition(":")
    if prefix == "xml":
        return _XML_NAMESPACE
    if node.kind not in {"element", "attribute"} or (node.kind == "attribute" and not colon):
        return ""
    wanted = f"xmlns:{prefix}" if colon else "xmlns"
    found: str | None = None
    above: Node | None = node
    while above is not None:
        if above.name == HTML:
            return ""  # pages have no namespaces
        if found is None:
            found = above.declared.get(wanted)
        above = above.parent
    return found or ""


_DECLARED = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]*)["']""")


class _Builder:
    """Builds the tree from expat's events."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._count = 0
        self._cdata = False
        self.root = Node("document", None, 0)
        self.current = self.root
        self._depth = 0

    def _node(self, kind: str, name: str = "", value: str = "") -> Node:
        self._process.budget.tick(4)
        self._process.hold(NODE + len(value))
        self._count += 1
        return Node(kind, self.current, self._count, name, value)

    def start(self, name: str, attributes: list[str]) -> None:
        node = self._node("element", name)
        self.current.children.append(node)
        self.current = node
        self._depth += 1
        if self._depth > DEEPEST:
            raise XmlError("Excessive depth in document", 1, 1)
        node.attributes = [
            self._node("attribute", attributes[index], attributes[index + 1]) for index in range(0, len(attributes), 2)
        ]

    def end(self, name: str) -> None:  # noqa: ARG002 - expat's signature
        assert self.current.parent is not None
        self.current = self.current.parent
        self._depth -= 1

    def text(self, data: str) -> None:
        kind = "cdata" if self._cdata else "text"
        children = self.current.children
        if children and children[-1].kind == kind:
            children[-1].value += data
        elif self.current is not self.root:
            children.append(self._node(kind, value=data))

    def comment(self, data: str) -> None:
        self.current.children.append(self._node("comment", value=data))

    def instruction(self, name: str, data: str) -> None:
        self.current.children.append(self._node("instruction", name, data))

    def doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        if not internal:
            place = f' PUBLIC "{public}" "{system}"' if public else f' SYSTEM "{system}"' if system else ""
            self.root.value = f"<!DOCTYPE {name}{place}>"

    def cdata(self, on: bool) -> None:
        self._cdata = on


def parse(data: bytes, process: Process) -> Node:
    """Read a document, which the process holds.

    Raises:
        XmlError: It is not well-formed, or declares entities, which are not supported.
    """
    process.budget.tick(len(data) >> 4)
    builder = _Builder(process)
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.specified_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.CommentHandler = builder.comment
    parser.ProcessingInstructionHandler = builder.instruction
    parser.StartDoctypeDeclHandler = builder.doctype
    parser.StartCdataSectionHandler = lambda: builder.cdata(True)
    parser.EndCdataSectionHandler = lambda: builder.cdata(False)

    def refuse(*_: object) -> None:
        raise XmlError("entity declarations are not supported", parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    parser.EntityDeclHandler = refuse
    declared = _DECLARED.match(data)
    if declared is not None and not is_character_set(declared[1].decode()):
        raise XmlError(f"Unsupported encoding {declared[1].decode()}", 1, declared.end(1) + 1)
    try:
        parser.Parse(data, True)
    except (LookupError, ValueError):  # a character set that is named in UTF-16, or has more bytes to a character
        raise XmlError("Unsupported encoding", 1, 1) from None
    except expat.ExpatError as error:
        cause = (error, parser.ErrorByteIndex)
        raise XmlError(expat.ErrorString(error.code), error.lineno, error.offset + 1, cause) from None
    return builder.root


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(char, char) for char in text)


def opening(node: Node) -> str:
    """The start tag of an element, without its bracket."""
    return f"<{node.name}" + "".join(f' {one.name}="{_escaped(one.value, _ATTRIBUTE_ESCAPES)}"' for one in node.attributes)


def serialize(node: Node, *, indent: str = "", depth: int = 0) -> str:
    """Write a node as XML.

    Args:
        node: The node.
        indent: The indentation per level, in elements without text; empty to keep the document's form.
        depth: The number of levels above it.
    """
    if node.kind == "attribute":
        return f' {node.name}="{_escaped(node.value, _ATTRIBUTE_ESCAPES)}"'
    if node.kind == "text":
        return _escaped(node.value, _TEXT_ESCAPES)
    if node.kind == "cdata":
        return f"<![CDATA[{node.value}]]>"
    if node.kind == "comment":
        return f"<!--{node.value}-->"
    if node.kind == "instruction":
        return f"<?{node.name} {node.value}?>" if node.value else f"<?{node.name}?>"
    if node.kind == "document":
        return "".join(
            [node.value + "\n" if node.value else "", *(serialize(child, indent=indent) + "\n" for child in node.children)]
        )
    turn()
    if not node.children:
        return opening(node) + "/>"
    children = node.children
    mixed = any(child.kind in {"text", "cdata"} and child.value.strip() for child in children)
    if indent and not mixed:
        kept = [child for child in children if child.kind not in {"text", "cdata"}]
        if not kept:
            return (
                opening(node) + "/>"
                if not children
                else f"{opening(node)}>{''.join(child.value for child in children)}</{node.name}>"
            )
        inner = "".join(f"\n{indent * (depth + 1)}{serialize(child, indent=indent, depth=depth + 1)}" for child in kept)
        ask(len(inner) >> 10)
        return f"{opening(node)}>{inner}\n{indent * depth}</{node.name}>"
    inner = "".join(serialize(child) for child in children)
    ask(len(inner) >> 10)
    return f"{opening(node)}>{inner}</{node.name}>"
