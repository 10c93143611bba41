"""Parses HTML into a tree: tags in any case, elements without end tags, and implied elements (``xmllint --html``)."""

from __future__ import annotations

import re
from html import unescape
from html.entities import codepoint2name
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from bashkit.commands.data.xmllint.tree import DEEPEST, HTML, NODE, Node, XmlError
from bashkit.limits import ask, turn

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_VOID = frozenset("area base basefont br col embed frame hr img input isindex link meta param source track wbr".split())
_HEAD = frozenset("title base meta link style script object isindex".split())
_BLOCKS = frozenset(
    (
        "address blockquote center dir div dl fieldset form h1 h2 h3 h4 h5 h6 hr menu ol p pre table ul article aside footer "
        "header main nav section"
    ).split()
)
_INLINE = frozenset(
    "a abbr acronym applet b basefont bdo big br button cite code del dfn em embed font i iframe img input ins kbd label map "
    "object q s samp script select small span strike strong sub sup textarea tt u var".split()
)
_KNOWN = (
    _BLOCKS
    | _HEAD
    | _VOID
    | frozenset("html head body li dt dd tr td th thead tbody tfoot caption option optgroup legend button title noscript".split())
)
# The elements that an opening tag ends, and where the search for them stops.
_ENDS = {
    "li": (frozenset(["li"]), frozenset(["ul", "ol", "dir", "menu"])),
    "dt": (frozenset(["dt", "dd"]), frozenset(["dl"])),
    "dd": (frozenset(["dt", "dd"]), frozenset(["dl"])),
    "tr": (frozenset(["tr", "td", "th"]), frozenset(["table"])),
    "td": (frozenset(["td", "th"]), frozenset(["table", "tr"])),
    "th": (frozenset(["td", "th"]), frozenset(["table", "tr"])),
    "option": (frozenset(["option"]), frozenset(["select"])),
    "body": (frozenset(["head"]), frozenset(["html"])),
    **{name: (frozenset(["p"]), frozenset(["td", "th", "li", "dd", "div", "body"])) for name in _BLOCKS},
}
_ENTITIES = {code: f"&{name};" for code, name in codepoint2name.items() if name != "quot"}
_AT_ONCE = 1 << 14  # characters that are escaped at once
_LONG_TAG = 1 << 14  # characters of a tag whose attributes are counted
_MOST_ATTRIBUTES = 4096
_QUOTED = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")


class _HtmlBuilder(HTMLParser):
    """Builds the tree from the parser's events."""

    def __init__(self, process: Process) -> None:
        super().__init__(convert_charrefs=True)
        self._process = process
        self._budget = process.budget
        self._count = 0
        self.root = Node("document", None, 0, HTML)
        self._closed = False  # the body's or the document's end tag was there
        self._open: list[Node] = [self.root]

    def _node(self, kind: str, name: str = "", value: str = "") -> Node:
        self._budget.tick(4)
        self._process.hold(NODE + len(value))
        self._count += 1
        return Node(kind, self._open[-1], self._count, name, value)

    def _push(self, name: str, attributes: list[tuple[str, str | None]]) -> Node:
        if len(self._open) > DEEPEST:
            raise XmlError("Excessive depth in document", *self.getpos())
        node = self._node("element", name)
        self._open[-1].children.append(node)
        self._process.hold(len(attributes) * NODE)
        node.attributes = [Node("attribute", node, node.order, key, key if text is None else text) for key, text in attributes]
        self._open.append(node)
        return node

    def _imply(self, name: str) -> None:
        """Open the elements that must enclose an element."""
        if len(self._open) == 1 and name != "html":
            self._push("html", [])
        if len(self._open) == 2 and name not in {"html", "head", "body", "frameset"}:
            self._push(
                "head" if name in _HEAD and not any(child.name == "body" for child in self._open[1].children) else "body", []
            )
        elif len(self._open) > 2 and self._open[2].name == "head" and name not in _HEAD and name != "head":
            del self._open[2:]
            if name not in {"body", "frameset"}:
                self._push("body", [])

    def close(self) -> None:
        """The text ends: what begins and does not end before that, such as a comment, is text.

        HTMLParser would look for the end of each that begins in it, again and again.
        """
        rest, self.rawdata = self.rawdata, ""
        if rest:
            self.handle_data(rest if self.cdata_elem else unescape(rest))

    def parse_starttag(self, i: int) -> int:
        """Parse an opening tag, for whose attributes nobody can ask for time.

        Raises:
            XmlError: They are too many.
        """
        end = self.rawdata.find(">", i)
        if end - i > _LONG_TAG and len(_QUOTED.sub("", self.rawdata[i:end]).split()) > _MOST_ATTRIBUTES:
            raise XmlError("Too many attributes", *self.getpos())
        return super().parse_starttag(i)

    def handle_decl(self, decl: str) -> None:
        if decl.lower().startswith("doctype"):
            self.root.value = f"<!{decl}>"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"html", "body"} and (known := next((node for node in self._open if node.name == tag), None)) is not None:
            known.attributes += [Node("attribute", known, known.order, key, text or "") for key, text in attrs]
            return
        ended, stops = _ENDS.get(tag, (frozenset[str](), frozenset[str]()))
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].name in stops:
                break
            if self._open[index].name in ended:
                del self._open[index:]
        self._imply(tag)
        self._push(tag, attrs)
        if tag in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in {"html", "body"}:
            self._closed = True
            return
        index = next((index for index in range(len(self._open) - 1, 0, -1) if self._open[index].name == tag), 0)
        if index:
            del self._open[index:]

    def handle_data(self, data: str) -> None:
        self._budget.tick(1 + (len(data) >> 8))
        if not data.strip() and (self._closed or len(self._open) <= 2):
            return
        if len(self._open) <= 2 or self._open[-1].name == "head":
            if not data.strip():
                self._open[-1].children.append(self._node("text", value=data))
                return
            self._imply("p")
        if self._open[-1].name == "body" and data.strip() and not self._open[-1].children:
            self._push("p", [])
        children = self._open[-1].children
        kind = "cdata" if self._open[-1].name in {"script", "style"} else "text"
        if children and children[-1].kind == kind:
            self._budget.tick(len(children[-1].value) >> 12)
            children[-1].value += data
        else:
            children.append(self._node(kind, value=data))

    def handle_comment(self, data: str) -> None:
        self._open[-1].children.append(self._node("comment", value=data))


def parse_html(text: str, process: Process) -> Node:
    """Parse a page and repair all mistakes in it.

    Raises:
        XmlError: Its elements are nested too deeply.
    """
    process.budget.tick(len(text) >> 4)
    builder = _HtmlBuilder(process)
    try:
        end = text.rfind(">") + 1
        builder.feed(text[:end])
        builder.rawdata += text[end:]  # no tag ends here: HTMLParser would look for the end of each
        builder.close()
    except AssertionError as error:
        raise XmlError(str(error), *builder.getpos()) from None
    return builder.root


def serialize_html(node: Node) -> str:
    """Write a tree as HTML, one line per block unless there is text between two blocks."""
    turn()
    if node.kind == "document":
        return "".join([node.value + "\n" if node.value else "", *(serialize_html(child) for child in node.children), "\n"])
    if node.kind == "comment":
        return f"<!--{node.value}-->"
    if node.kind in {"text", "cdata"}:
        parent = node.parent
        return node.value if parent is not None and parent.name in {"script", "style"} else _escaped(node.value)
    attributes = "".join(f' {one.name}="{_escaped(one.value).replace(chr(34), "&quot;")}"' for one in node.attributes)
    start = f"<{node.name}{attributes}>"
    if not node.children:
        return start if node.name in _VOID else f"{start}</{node.name}>"
    breaks = node.name in _KNOWN and len(node.children) > 1 and not node.name.startswith("p")
    pieces = [start, "\n" if breaks and node.children[0].kind != "text" else ""]
    for child, following in zip(node.children, [*node.children[1:], None], strict=True):
        pieces.append(serialize_html(child))
        ends_line = child.kind == "element" and child.name in _KNOWN - _INLINE
        if ends_line and following is not None and following.kind != "text" and not node.name.startswith("p"):
            pieces.append("\n")
    pieces.append("\n" if breaks and node.children[-1].kind != "text" else "")
    return "".join([*pieces, f"</{node.name}>"])


def _escaped(text: str) -> str:
    """Escape the characters for which HTML has names."""
    if text.isascii():
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    pieces: list[str] = []
    for start in range(0, len(text), _AT_ONCE):
        pieces.append(text[start : start + _AT_ONCE].translate(_ENTITIES))
        ask(_AT_ONCE >> 2)
    return "".join(pieces)
