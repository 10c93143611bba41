"""XML, INI and Java properties as the values that mikefarah's yq makes of them, and back."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from bashkit.commands._notation.encoding import is_character_set
from bashkit.commands.data.yq.reading import FormatError, scalar
from bashkit.commands.data.yq.writing import Number
from bashkit.limits import ask_room

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.data.yq.written import Written
    from bashkit.interp.utility.process import Process

_DEEPEST = 500
_NODE = 250  # bytes of an element or a text beside its characters
_ATTRIBUTE, _CONTENT, _INSTRUCTION, _DIRECTIVE = "+@", "+content", "+p_", "+directive"
_NO_ELEMENT = 3  # expat's number
_PIECE = 1 << 16  # bytes that are parsed between two looks at the budget
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\r": "&#xD;"})
_DECLARED = re.compile(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)")
_SECTION = re.compile(r"\[(.*)\]")
_QUOTED_KEY = re.compile(r'("[^"]*+")\s*+[=:]')
_SEPARATOR = re.compile(r"[=:]")
_INLINE_COMMENT = re.compile(r"\s+[#;].*")
_PROPERTY = re.compile(r"((?:\\.|[^\\=:\s])*)(?:\s*[=:]\s*|\s+|$)(.*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)


def from_xml(data: bytes, process: Process) -> str:
    """A document's elements as JSON: attributes begin with ``+@``, the text beside them or beside elements is ``+content``.

    Raises:
        FormatError: It is not well-formed, or declares entities.
    """
    declared = _DECLARED.match(data)
    if declared is not None and not is_character_set(declared[1].decode()):
        raise FormatError(f"xml: encoding {declared[1].decode()} is not supported")
    reader = _XmlReader(process)
    for start in range(0, len(data), _PIECE):
        process.budget.tick(_PIECE >> 4)
        reader.feed(data[start : start + _PIECE])
    reader.feed(b"", last=True)
    text = json.dumps(reader.root.value(), ensure_ascii=False)
    process.budget.string(len(text))
    return text


class _Element:
    """An element that is being read."""

    __slots__ = ("children", "name", "texts")

    def __init__(self, name: str) -> None:
        self.name = name
        self.texts: list[str] = []
        self.children: dict[str, list[Any]] = {}

    def value(self) -> Any:
        """A text, or the children by name; several of a name are a list."""
        content: Any = self.texts[0] if len(self.texts) == 1 else self.texts or None
        if not self.children:
            return content
        children = {name: items[0] if len(items) == 1 else items for name, items in self.children.items()}
        return children if content is None else {_CONTENT: content, **children}


class _XmlReader:
    """Takes expat's events."""

    def __init__(self, process: Process) -> None:
        self.root = _Element("")
        self._process = process
        self._open = [self.root]
        self._text: list[str] = []
        self._parser = parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.CommentHandler = lambda text: self._flush()  # noqa: ARG005 - expat's signature
        parser.ProcessingInstructionHandler = self._instruction
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity

    def feed(self, data: bytes, *, last: bool = False) -> None:
        """Parse a piece of the document."""
        try:
            self._parser.Parse(data, last)
        except (LookupError, ValueError):
            raise FormatError("xml: its encoding is not supported") from None
        except expat.ExpatError as error:
            if last and error.code == _NO_ELEMENT and len(self._open) == 1 and not self.root.children:  # an empty file
                return
            raise FormatError(f"XML syntax error on line {error.lineno}: {expat.ErrorString(error.code)}") from None

    def _flush(self) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        if text:
            self._process.hold(_NODE + len(text))
            self._open[-1].texts.append(text)

    def _start(self, name: str, attributes: list[str]) -> None:
        self._process.budget.tick()
        self._process.hold(_NODE + sum(map(len, attributes)))
        self._flush()
        if len(self._open) > _DEEPEST:
            raise FormatError("nesting too deep")
        element = _Element(name)
        for index in range(0, len(attributes), 2):
            element.children[_ATTRIBUTE + attributes[index]] = [attributes[index + 1]]
        self._open.append(element)

    def _end(self, name: str) -> None:
        self._flush()
        element = self._open.pop()
        self._add(name, element.value())

    def _add(self, name: str, value: Any) -> None:
        self._open[-1].children.setdefault(name, []).append(value)

    def _instruction(self, target: str, text: str) -> None:
        self._flush()
        self._add(_INSTRUCTION + target, text)

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        text = f'version="{version}"' + (f' encoding="{encoding}"' if encoding else "")
        self._add(_INSTRUCTION + "xml", text + {0: ' standalone="no"', 1: ' standalone="yes"'}.get(standalone, ""))

    def _doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:  # noqa: ARG002 - expat's
        where = f' PUBLIC "{public}" "{system}"' if public else f' SYSTEM "{system}"' if system else ""
        self._add(_DIRECTIVE, f"DOCTYPE {name}{where}")

    def _entity(self, name: str, *rest: object) -> None:  # noqa: ARG002 - expat's signature
        raise FormatError(f"XML: the entity {name} is declared, and entities are not expanded")


def write_xml(item: Any, indent: int, out: Written) -> None:
    """Write a mapping as elements.

    Raises:
        FormatError: It is a list, which has no name for an element.
    """
    if not isinstance(item, dict):
        raise FormatError("cannot encode !!seq to XML - only maps can be encoded")
    for name, value in item.items():
        if name == _DIRECTIVE:
            out.add(f"<!{_plain(value)}>\n")
        elif name.startswith(_INSTRUCTION):
            out.add(f"<?{name.removeprefix(_INSTRUCTION)} {_plain(value)}?>\n")
        else:
            _write_element(name, value, " " * indent, 0, out)


def _write_element(name: str, value: Any, indent: str, depth: int, out: Written) -> None:
    if depth > _DEEPEST:
        raise FormatError("nesting too deep")
    before = indent * depth
    if isinstance(value, list):
        for item in value:
            _write_element(name, item, indent, depth, out)
        return
    if not isinstance(value, dict):
        out.add(f"{before}<{name}>{_plain(value).translate(_ESCAPES)}</{name}>\n")
        return
    attributes = "".join(
        f' {key.removeprefix(_ATTRIBUTE)}="{_plain(text).translate(_ESCAPES)}"'
        for key, text in value.items()
        if key.startswith(_ATTRIBUTE)
    )
    content = value.get(_CONTENT, "")
    text = " ".join(map(_plain, content)) if isinstance(content, list) else _plain(content)
    head = f"{before}<{name}{attributes}>{text.translate(_ESCAPES)}"
    children = {key: child for key, child in value.items() if key != _CONTENT and not key.startswith(_ATTRIBUTE)}
    if not children:
        out.add(f"{head}</{name}>\n")
        return
    out.add(head + "\n")
    for key, child in children.items():
        _write_element(key, child, indent, depth + 1, out)
    out.add(f"{before}</{name}>\n")


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def from_ini(data: bytes, process: Process) -> str:
    """Sections as objects of strings, after the settings that stand before the first section.

    Raises:
        FormatError: A line is neither a section, a setting nor a comment.
    """
    result: dict[str, Any] = {}
    table = result
    for line in _text(data, process).splitlines():
        process.budget.tick()
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        section = _SECTION.fullmatch(line)
        if section is not None:
            table = result.setdefault(section[1].strip(), {})
            continue
        key, value = _setting(line)
        quote = value[:1]
        if quote and quote in "\"'" and value.find(quote, 1) > 0:
            value = value[1 : value.find(quote, 1)]
        else:
            value = _INLINE_COMMENT.sub("", value)
        table[key] = value
    return json.dumps(result, ensure_ascii=False)


def _setting(line: str) -> tuple[str, str]:
    """The key and the value of a line of an INI file."""
    found = _QUOTED_KEY.match(line)
    if found is not None:
        key = found[1]
    else:
        found = _SEPARATOR.search(line)
        if found is None or found.start() == 0:
            raise FormatError(f"failed to parse INI content: key-value delimiter not found: {line}")
        key = line[: found.start()].rstrip()
    return key.strip('"'), line[found.end() :].lstrip()


def write_ini(item: Any, out: Written) -> None:
    """Write a mapping of scalars, and of mappings of scalars, as sections; the signs of a section stand in one column.

    Raises:
        FormatError: It is something else.
    """
    if not isinstance(item, dict):
        raise FormatError("INI encoder supports only MappingNode at the root level")
    first = {name: value for name, value in item.items() if not isinstance(value, dict)}
    _write_settings(first, out)
    between = "\n" if first else ""
    for name, value in item.items():
        if isinstance(value, dict):
            out.add(f"{between}[{name}]\n")
            _write_settings(value, out)
            between = "\n"


def _write_settings(table: dict[str, Any], out: Written) -> None:
    if any(isinstance(value, (dict, list)) for value in table.values()):
        raise FormatError("INI encoder supports only scalar values in a section")
    width = max(map(len, table), default=0)
    for name, value in table.items():
        out.add(f"{name.ljust(width)} = {'' if value is None else _plain(value)}\n")


def from_properties(data: bytes, process: Process) -> str:
    """``a.b.0 = x`` as nested objects; keys that are all numbers are a list's.

    Raises:
        FormatError: A key stands for a value and for what has keys.
    """
    result: dict[str, Any] = {}
    for line in re.sub(r"\\\n[ \t]*", "", _text(data, process)).splitlines():
        process.budget.tick()
        line = line.lstrip()
        if not line or line[0] in "#!":
            continue
        found = _PROPERTY.fullmatch(line)
        assert found is not None
        *parents, last = _unescaped(found[1]).split(".")
        table = result
        if len(parents) > _DEEPEST:
            raise FormatError("nesting too deep")
        for name in parents:
            table = table.setdefault(name, {})
            if not isinstance(table, dict):
                raise FormatError(f"cannot set a key under {name}: it has a value")
        table[last] = Number(scalar(_unescaped(found[2])))
    return _listed(result)


def _text(data: bytes, process: Process) -> str:
    process.budget.tick(len(data) >> 2)
    ask_room(data, (b"\n",), process.budget)
    return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def _unescaped(text: str) -> str:
    letters = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else letters.get(found[2], found[2]), text)


def _listed(item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    if item and all(name == str(index) for index, name in enumerate(item)):
        return "[" + ",".join(map(_listed, item.values())) + "]"
    return "{" + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{_listed(child)}" for name, child in item.items()) + "}"


READERS: dict[str, Callable[[bytes, Process], str]] = {"xml": from_xml, "ini": from_ini, "props": from_properties}
