"""xmllint: check, format and query XML (xmllint(1)), as far as scripts commonly use it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bashkit.commands._lines import slurp
from bashkit.commands.xmllint.tree import Node, XmlError, parse, serialize
from bashkit.commands.xmllint.xpath import Context, Parser, XPathError, text_of
from bashkit.interp.command import Arguments, HelpRequested, command

if TYPE_CHECKING:
    from bashkit.interp.process import Process

_FLAGS = {"format", "noout", "nowarning", "nonet", "noblanks", "quiet", "huge", "recover", "noent", "nocdata"}
_WITH_VALUE = {"xpath", "output", "encode"}
_DAMAGED, _EMPTY = 1, 10
_HELP = """\
Usage : xmllint [options] XMLfiles ...
	Parse the XML files and output the result of the parsing
	--format : reformat/reindent the output
	--noblanks : drop (ignorable?) blanks spaces
	--noout : don't output the result tree
	--output file or -o file: save to a given file
	--xpath expr: evaluate the XPath expression, imply --noout
	--encode encoding : (ignored: the output is UTF-8)
	--nocdata, --noent, --nonet, --nowarning, --quiet, --huge, --recover : (ignored)
	--version : display the version
"""


@command("xmllint", usage="[OPTION]... XMLFILE...", summary="Check, format and query XML documents.", options=None, model="libxml 2.9.14")
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
        elif name in _FLAGS:
            given[name] = ""
        else:
            process.say(f"Unknown option {word}\n{_HELP}")
            return 1
    if not files:
        process.say(_HELP)
        return 1
    status = 0
    for name in files:
        status = _file(process, name, given) or status
    return status


def _file(process: Process, name: str, given: dict[str, str]) -> int:
    try:
        data = bytes(slurp(process.open(name).blocks(), process.budget))
    except OSError:
        process.say(f'warning: failed to load external entity "{name}"\n')
        return 1
    try:
        document = parse(data, process.budget)
    except XmlError as error:
        lines = data.decode("utf-8", "replace").split("\n")
        line = lines[error.line - 1] if error.line <= len(lines) else ""
        process.say(f"{name}:{error.line}: parser error : {error}\n{line}\n{' ' * (error.column - 1)}^\n")
        return _DAMAGED
    if "xpath" in given:
        return _query(process, document, given["xpath"])
    if "noout" in given:
        return 0
    indent = "  " if "format" in given else ""
    if "noblanks" in given:
        _drop_blanks(document)
    process.budget.string(len(data) * 4)
    text = '<?xml version="1.0"?>\n' if b"encoding=" not in data[:100] else '<?xml version="1.0" encoding="UTF-8"?>\n'
    text += serialize(document, indent=indent)
    target = given.get("output")
    output = process.stdout if target in {None, "-"} else process.create(target or "")
    output.write(text.encode("utf-8", "surrogateescape"))
    return 0


def _drop_blanks(document: Node) -> None:
    pending = [document]
    while pending:
        node = pending.pop()
        node.children = [child for child in node.children if child.kind != "text" or child.value.strip()]
        pending.extend(node.children)


def _query(process: Process, document: Node, expression: str) -> int:
    try:
        found = Parser(expression).code(Context(document, 1, 1, process.budget))
    except (XPathError, ValueError, OverflowError) as error:
        process.say(f"XPath error : {error}\nXPath evaluation failure\n")
        return _EMPTY
    if not isinstance(found, list):
        process.write((f"{found:g}" if isinstance(found, float) and math.isfinite(found) else text_of(found)) + "\n")
        return 0
    if not found:
        process.say("XPath set is empty\n")
        return _EMPTY
    process.write("".join(serialize(node) + ("" if node.kind == "document" else "\n") for node in found))
    return 0
