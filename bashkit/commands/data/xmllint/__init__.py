"""xmllint: check, format and query XML (xmllint(1)), as far as scripts commonly use it."""

from __future__ import annotations

import codecs
import math
import re
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands._notation.encoding import is_character_set
from bashkit.commands.data.xmllint.canonical import canonical
from bashkit.commands.data.xmllint.html import parse_html, serialize_html
from bashkit.commands.data.xmllint.mistakes import mistakes
from bashkit.commands.data.xmllint.tree import HTML, Node, XmlError, declares_namespace, parse, serialize
from bashkit.commands.data.xmllint.xpath import Context, Parser, XPathError, text_of
from bashkit.interp.utility.command import Arguments, HelpRequested, command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_FLAGS = {
    "format",
    "noout",
    "noblanks",
    "nocdata",
    "html",
    "xmlout",
    "c14n",
    "c14n11",
    "exc-c14n",
    "dropdtd",
    "nsclean",
    "stream",
    "walker",
    "load-trace",
}
_IGNORED = set(
    "nowarning nonet quiet huge noent noenc copy memory push pushsmall nowrap nodefdtd nofixup-base-uris oldxml10 nocompact "
    "sax1 nocatalogs loaddtd nodict nodtd".split()
)
_WITH_VALUE = {"xpath", "output", "encode", "pretty", "maxmem", "pattern", "path"}
_DAMAGED, _EMPTY = 1, 10
_MOST_MISTAKES = 100  # of one document that are told
_AT_ONCE = 1 << 20  # characters that are written at once
_CANONICAL = ("c14n", "c14n11", "exc-c14n")
_REFERENCES = "bashkit-xml-references"
_UTF_8, _HEAD = re.compile(rb"charset\s*=\s*[\"']?utf-?8", re.IGNORECASE), 1024  # where a page declares its encoding
_STANDALONE = ' standalone="yes"'
_HTML_TYPE = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "http://www.w3.org/TR/REC-html40/loose.dtd">'
_DECLARATION = re.compile(
    rb"""(?:\xef\xbb\xbf)?<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]*)["'](?:\s+standalone\s*=\s*["'](yes)["'])?"""
)
_HELP = """\
Usage : xmllint [options] XMLfiles ...
	Parse the XML files and output the result of the parsing
	--format : reformat/reindent the output
	--noblanks : drop (ignorable?) blanks spaces
	--noout : don't output the result tree
	--output file or -o file: save to a given file
	--xpath expr: evaluate the XPath expression, imply --noout
	--pretty style : pretty-print in a particular style: 0 as it is, 1 as --format
	--c14n, --c14n11, --exc-c14n : save in W3C canonical format (with comments)
	--encode encoding : output in the given encoding
	--nocdata : replace cdata section with text nodes
	--dropdtd : remove the DOCTYPE of the input docs
	--nsclean : remove redundant namespace declarations
	--html : use the HTML parser; --xmlout : save the result as XML
	--stream : only check the document
	--load-trace : print trace of all external entities loaded
	--noent, --noenc, --nonet, --nowarning, --quiet, --huge, --push, --memory ... : (ignored: they change no result here)
	--version : display the version
"""


@command(
    "xmllint",
    usage="[OPTION]... XMLFILE...",
    summary="Check, format and query XML documents.",
    options=None,
    model="libxml 2.9.14",
)
def main(process: Process, arguments: Arguments) -> int:
    """Treat each file; 1 when one is not well-formed, 10 when an XPath expression finds nothing."""
    given: dict[str, str] = {}
    files: list[str] = []
    pending = list(arguments.operands)
    while pending:
        word = pending.pop(0)
        name = {"-o": "output"}.get(word, word.lstrip("-")) if word.startswith("-") and word != "-" else ""
        if name == "help":
            raise HelpRequested(_HELP)
        if name == "version":
            raise HelpRequested(main.version())
        if not name:
            files.append(word)
        elif name in _WITH_VALUE and pending:
            given[name] = pending.pop(0)
        elif name in _FLAGS or name in _IGNORED:
            given[name] = ""
        else:
            process.say(f"Unknown option {word}\n{_HELP}")
            return 1
    if given.get("pretty", "0") not in {"0", "1"}:
        process.warn("--pretty: the style is 0 or 1")
        return 1
    if not files:
        process.say(_HELP)
        return 1
    status = 0
    for name in files:
        with freed(process):
            status = _file(process, name, given) or status
    return status


def _file(process: Process, name: str, given: dict[str, str]) -> int:
    try:
        data = slurp(process, process.open(name))
    except OSError:
        process.say(f'warning: failed to load external entity "{name}"\n')
        return 1
    if "load-trace" in given:
        process.say(f'Loaded URL="{name}" ID="(null)"\n')
    try:
        document = parse_html(_decoded(data), process) if "html" in given else parse(data, process)
    except XmlError as error:
        process.say(_told(name, data, error))
        if "stream" in given:
            process.say(f"{name} : failed to parse\n")
        return _DAMAGED
    if "stream" in given or "walker" in given:
        return 0
    if "xpath" in given:
        return _query(process, data, document, given["xpath"])
    if "noout" in given:
        return 0
    return _save(process, data, document, given)


def _told(name: str, data: bytes, error: XmlError) -> str:
    """What is wrong with a document, and where."""
    if error.cause is None:
        lines = data.decode("utf-8", "replace").split("\n")
        line = lines[error.line - 1] if error.line <= len(lines) else ""
        return f"{name}:{error.line}: parser error : {error}\n{line}\n{' ' * (error.column - 1)}^\n"
    cause, index = error.cause
    text = data.decode("utf-8", "replace")
    place = len(data[:index].decode("utf-8", "replace"))
    return "".join(mistake.told(name, text) for mistake in islice(mistakes(text, cause, place), _MOST_MISTAKES))


def _decoded(data: bytes) -> str:
    """Decode a page: as UTF-8 if it says so, otherwise as Latin-1, like libxml2."""
    if data.startswith(b"\xef\xbb\xbf") or _UTF_8.search(data[:_HEAD]):
        return data.decode("utf-8", "replace")
    return data.decode("latin-1")


def _save(process: Process, data: bytes, document: Node, given: dict[str, str]) -> int:
    """Write the document in the form that the options select."""
    if "noblanks" in given:
        _drop_blanks(document)
    process.budget.string(len(data) * 4)
    if "nocdata" in given:
        _change(document, _as_text)
    if "nsclean" in given:
        _change(document, _clean)
    if "dropdtd" in given:
        document.value = ""
    declared = _DECLARATION.match(data)
    if any(key in given for key in _CANONICAL):
        text, encoding = canonical(document, exclusive="exc-c14n" in given), "UTF-8"
    else:
        encoding = given.get("encode") or (declared[1].decode() if declared is not None else "")
        text = _text(document, encoding, declared is not None and bool(declared[2]), given)
    if encoding and not is_character_set(encoding):
        process.say(f"output error : unknown encoding {encoding}\n")
        return 0
    try:
        encoded = text.encode(encoding or "ascii", "xmlcharrefreplace" if encoding else _REFERENCES)
    except UnicodeEncodeError:
        encoded = text.encode("utf-8", "surrogateescape")
    target = given.get("output")
    output = process.stdout if target in {None, "-"} else process.create(target or "")
    output.write(encoded)
    return 0


def _text(document: Node, encoding: str, standalone: bool, given: dict[str, str]) -> str:
    """Write the document with its declaration."""
    indent = "  " if "format" in given or given.get("pretty") == "1" else ""
    if "html" in given:
        document.value = document.value or _HTML_TYPE
        if "xmlout" not in given:
            return serialize_html(document)
        return f'<?xml version="1.0" standalone="yes"?>\n{serialize(document, indent=indent)}'
    head = f' encoding="{encoding}"' if encoding else ""
    return f'<?xml version="1.0"{head}{_STANDALONE if standalone else ""}?>\n{serialize(document, indent=indent)}'


def _change(document: Node, change: Callable[[Node], None]) -> None:
    pending = [document]
    while pending:
        node = pending.pop()
        change(node)
        pending.extend(node.children)


def _as_text(node: Node) -> None:
    if node.kind == "cdata":
        node.kind = "text"


def _clean(node: Node) -> None:
    """Remove namespace declarations that a parent element already makes."""
    kept = []
    for one in node.attributes:
        above = node.parent
        found = None
        while declares_namespace(one) and above is not None and found is None:
            found = above.declared.get(one.name)
            above = above.parent
        if found is None or found != one.value:
            kept.append(one)
    node.attributes = kept


def _hexadecimal(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write characters as ``&#xE9;``, as libxml2 does without a declared encoding."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(f"&#x{ord(char):X};" for char in error.object[error.start : error.end]), error.end


codecs.register_error(_REFERENCES, _hexadecimal)


def _drop_blanks(document: Node) -> None:
    pending = [document]
    while pending:
        node = pending.pop()
        node.children = [child for child in node.children if child.kind != "text" or child.value.strip()]
        pending.extend(node.children)


def _query(process: Process, data: bytes, document: Node, expression: str) -> int:
    try:
        found = Parser(expression).code(Context(document, 0, 0, process.budget))
    except (XPathError, ValueError, OverflowError) as error:
        place = error.place if isinstance(error, XPathError) else None
        where = f"{expression}\n{' ' * place}^\n" if place is not None else ""
        before = error.before if isinstance(error, XPathError) else ""
        process.say(f"{before}XPath error : {error}\n{where}XPath evaluation failure\n")
        return _EMPTY
    if not isinstance(found, list):
        process.write((f"{found:g}" if isinstance(found, float) and math.isfinite(found) else text_of(found)) + "\n")
        return 0
    if not found:
        process.say("XPath set is empty\n")
        return _EMPTY
    held: list[str] = []
    size = 0
    for node in found:
        held.append((_whole(data, node) if node.kind == "document" else serialize(node)) + "\n")
        size += len(held[-1])
        if size > _AT_ONCE:
            process.write("".join(held))
            held.clear()
            size = 0
    process.write("".join(held))
    return 0


def _whole(data: bytes, document: Node) -> str:
    """A document that an expression finds, with its declaration."""
    if document.name == HTML:
        head = ' encoding="UTF-8" standalone="yes"'
        document.value = document.value or _HTML_TYPE
    else:
        declared = _DECLARATION.match(data)
        head = f' encoding="{declared[1].decode()}"{_STANDALONE if declared[2] else ""}' if declared is not None else ""
    return f'<?xml version="1.0"{head}?>\n{serialize(document)}'
