"""yq: process YAML, JSON, XML, TOML, INI and CSV with jq's expressions (mikefarah's yq, as far as its language is jq's)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._notation.counts import clamped
from bashkit.commands.data.yq.markup import READERS, write_ini, write_xml
from bashkit.commands.data.yq.reading import FormatError, documents
from bashkit.commands.data.yq.writing import (
    Number,
    parse,
    to_string,
    write_json,
    write_properties,
    write_table,
    write_toml,
    write_yaml,
)
from bashkit.commands.data.yq.written import Written
from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_FORMATS = {
    "y": "yaml", "yaml": "yaml", "yml": "yaml", "j": "json", "json": "json", "toml": "toml", "csv": "csv", "c": "csv",
    "tsv": "tsv", "t": "tsv", "a": "auto", "auto": "auto", "p": "props", "props": "props", "properties": "props",
    "x": "xml", "xml": "xml", "i": "ini", "ini": "ini",
}  # fmt: skip
_WRITABLE = {"yaml", "json", "toml", "csv", "tsv", "props", "xml", "ini"}
_EXTRA = (
    "def keys: keys_unsorted; def upcase: ascii_upcase; def downcase: ascii_downcase; def to_json: tojson; "
    'def from_json: fromjson; def trim: sub("^\\\\s+"; "") | sub("\\\\s+$"; "");'
    " def with(p; f): p |= f; def omit(keys): keys as $k"
    ' | if type == "object" then with_entries(select(.key as $n | $k | index($n) | not))'
    " else [to_entries[] | select(.key as $n | $k | index($n) | not) | .value] end;"
    ' def sort_keys(f): f |= (if type == "object" then to_entries | sort_by(.key) | from_entries else . end); def explode(f): .;'
    ' def tag: {"null": "!!null", "boolean": "!!bool", "string": "!!str", "array": "!!seq", "object": "!!map"}[type]'
    ' // (if . == floor then "!!int" else "!!float" end); def kind: {"array": "seq", "object": "map"}[type] // "scalar";'
    " def __parent(f; $n): path(f) as $p | getpath($p[:[($p | length) - $n, 0] | max]); def __parent(f): __parent(f; 1);"
    " def __parents(f): path(f) as $p | [range(($p | length) - 1; -1; -1) as $n | getpath($p[:$n])];"
    " def __root(f): path(f) as $p | getpath([]); def __key(f): path(f)[-1]; def __path(f): path(f);"
    " def filter(f): map(select(f)); def pivot: transpose; def to_number: tonumber; def to_string: tostring; "
)
_LONGEST = 1 << 17  # characters of an expression: what an argument of a program may have on Linux
_WORDS = re.compile(
    r"(\"(?:[^\"\\]|\\.)*\")|\b(strenv|env)\(\s*([A-Za-z_]\w*)\s*\)"
    r"|\bselect\(\s*(?:fileIndex|fi|file_index)\s*==\s*(\d+)\s*\)"
    r"|\bdocumentIndex\b|\bdocument_index\b|\bdi\b",
    re.ASCII,
)
_REDUCE = re.compile(r"^\s*(?:select\(.*?\)|\.)\s+as\s+\$(\w+)\s+ireduce\s*\((.*)\)\s*$", re.ASCII | re.DOTALL)
_PLACE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\|\s*\b(parent|parents|root|key|path)\b(?:\(\s*(\d+)\s*\)|(?!\s*\())", re.ASCII)
_BRACKET = re.compile(r"\"(?:[^\"\\]|\\.)*\"|[(\[{)\]},]|[|+*]?=(?!=)")
_FAILURE = re.compile(r"^jq: error(?: \(at [^)]*\))?: ?|^jq: ")


def _subcommand(words: list[str]) -> list[str]:
    """Rewrite subcommands as options, and remove ``=`` between a one-letter flag and its value."""
    result: list[str] = []
    for index, word in enumerate(words):
        if not result and word in {"eval", "e"}:
            continue
        if not result and word in {"eval-all", "ea"}:
            result.append("--eval-all")
            continue
        if word == "--":
            return result + words[index:]
        matched = re.fullmatch(r"-([opI])=(.*)", word)
        if matched:
            word = f"-{matched[1]}{matched[2]}"
        elif re.fullmatch(r"(-r|--unwrapScalar|-N|--no-doc)=(true|false)", word):
            name, _, state = word.partition("=")
            if name in {"-r", "--unwrapScalar"}:
                word = "--wrap-scalar" if state == "false" else "-r"
            elif state == "false":
                continue
        result.append(word)
    return result


@command(
    "yq",
    usage="[eval|eval-all] [OPTION]... [EXPRESSION] [FILE]...",
    summary="Process YAML, JSON, XML, TOML, INI, CSV and TSV documents with jq's expressions.",
    options=(
        flag("--eval-all", help="load all documents of all files before running the expression (eval-all)"),
        flag("-M", "--no-colors", help="(ignored: output has no colours)"),
        flag("-e", "--exit-status", help="set exit status if there are no matches or null or false is returned"),
        value("--expression", metavar="EXPRESSION", help="the expression"),
        value("--from-file", metavar="FILE", help="load the expression from FILE"),
        value("-f", "--front-matter", metavar="ACTION", help="of a file with front matter: extract it, or process it in place"),
        value("-I", "--indent", metavar="N", help="sets indent level for output (2)"),
        flag("-i", "--inplace", help="update the file in place"),
        value("-p", "--input-format", metavar="FORMAT", help="auto, yaml, json, xml, toml, ini, props, csv or tsv"),
        value("-o", "--output-format", metavar="FORMAT", help="auto, yaml, json, xml, toml, ini, props, csv or tsv"),
        flag("-N", "--no-doc", help="don't print document separators (---)"),
        flag("-n", "--null-input", help="don't read input, simply evaluate the expression given"),
        flag("-0", "--nul-output", help="use NUL char to separate values"),
        flag("-P", "--prettyPrint", help="output YAML in block style, whatever the input is"),
        flag("-r", "--unwrapScalar", help="print strings without quotes (default for YAML)"),
        flag("--wrap-scalar", help="-r=false"),
        flag("-j", "--tojson", help="output as json"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    rewrite=_subcommand,
    model="mikefarah/yq v4.44.3",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the results; 1 when a document or the expression is wrong."""
    try:
        return _Run(process, arguments).run()
    except FormatError as error:
        process.say(f"Error: {error}\n")
        return 1


def _format(text: str | None, what: str) -> str:
    if text is None:
        return "auto"
    if text not in _FORMATS:
        raise FormatError(f"unknown {what} '{text}' please use [yaml|json|props|csv|tsv|xml|toml|ini]")
    return _FORMATS[text]


class _Run:
    """One command line."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._input = _format(arguments.get("p"), "format")
        self._form = "json" if "j" in arguments else _format(arguments.get("o"), "format")
        if self._form == "auto" and ("P" in arguments or self._input != "auto"):
            self._form = "yaml"
        self._front = arguments.get("f")
        if self._front not in {None, "extract", "process"}:
            raise FormatError(f"unknown front matter action '{self._front}': must be extract or process")
        self._rest = b""  # what follows the front matter
        self._blank = False  # nulls are elements without content
        indent = arguments.get("I", "2") or ""
        if not is_digits(indent) or clamped(indent) > 7:
            raise FormatError(f'invalid argument "{indent}" for "-I, --indent" flag')
        self._indent = clamped(indent)
        self._files = list(arguments.operands)
        self._last = ""  # the last result, for -e

    def run(self) -> int:
        """Evaluate the expression and return the exit status."""
        process, arguments = self._process, self._arguments
        expression = self._expression()
        if "n" in arguments:
            self._write(process.stdout, [self._evaluate(expression, "null", "-n")], self._form)
        elif "eval-all" in arguments:
            self._all(expression)
        elif "i" in arguments:
            if not self._files:
                raise FormatError("write in place flag only applicable when giving an expression and at least one file")
            for name in self._files:
                form, found = self._read(name)
                results = [self._evaluate(expression, text) for text in found]
                output = Substitution(process.budget)
                self._write(output, results, self._form if self._form != "auto" else form)
                process.create(name).write(output.value() + self._rest)
        else:
            separated = False
            for name in self._files or ["-"]:
                form, found = self._read(name)
                results = [self._evaluate(expression, text) for text in found]
                self._write(process.stdout, results, self._form if self._form != "auto" else form, separated=separated)
                process.stdout.write(self._rest)
                separated = separated or any(results)
        return 1 if "e" in arguments and self._last in {"", "null", "false"} else 0

    def _expression(self) -> str:
        process, arguments = self._process, self._arguments
        file = arguments.get("from-file")
        if file is not None:
            return slurp(process, process.open(file)).decode("utf-8", "surrogateescape")
        given = arguments.get("expression")
        if given is not None:
            return given
        if not self._files:
            if process.piped or "n" in arguments:
                return "."
            raise UsageError("no expression given", hint=True)
        if self._files[0] == "-" or (process.fs.exists(process.path(self._files[0])) and self._files[0] != "."):
            return "."
        return self._files.pop(0) or "."

    def _read(self, name: str) -> tuple[str, list[str]]:
        """The format of a file, and its documents."""
        process = self._process
        try:
            data = slurp(process, process.open(name))
        except OSError as error:
            raise FormatError(f"open {name}: {(error.strerror or '').lower()}") from None
        if self._front is not None:
            data, self._rest = _front_matter(data)
            if self._front == "extract":
                self._rest = b""
        form = self._input
        if form == "auto":
            form = _FORMATS.get(name.rpartition(".")[2], "yaml") if "." in name else "yaml"
        self._blank = self._blank or form == "xml"
        try:
            reader = READERS.get(form)
            return form, documents(data, form, process) if reader is None else [reader(data, process)]
        except FormatError as error:
            raise FormatError(f"bad file '{name}': {error}") from None

    def _all(self, expression: str) -> None:
        """All documents of all files at once."""
        found: list[str] = []
        form = "yaml"
        for number, name in enumerate(self._files or ["-"]):
            kind, texts = self._read(name)
            form = kind if not number else form
            found += texts
        reduced = _REDUCE.match(expression)
        if reduced is not None:
            expression = f"reduce $__docs[] as ${reduced[1]} ({reduced[2]})"
        elif expression.strip() == "[.]":
            expression = "$__docs"
        elif not re.search(r"\b(fileIndex|fi|file_index)\b", expression):
            expression = f"$__docs[] | ({expression})"
        result = self._evaluate(f". as $__docs | {expression}", f"[{','.join(found)}]")
        if "i" in self._arguments and self._files:
            output = Substitution(self._process.budget)
            self._write(output, [result], self._form if self._form != "auto" else form)
            self._process.create(self._files[0]).write(output.value())
            return
        self._write(self._process.stdout, [result], self._form if self._form != "auto" else form)

    def _evaluate(self, expression: str, text: str, *options: str) -> list[str]:
        """Evaluate the expression for one document; return the results as JSON.

        Raises:
            FormatError: jq reports an error.
        """
        process = self._process
        process.budget.string(len(text))
        output, errors = Substitution(process.budget), Substitution(process.budget)
        words = ["jq", "-c", *options, _EXTRA + _translated(expression)]
        data = text.encode("utf-8", "surrogateescape")
        status = process.launcher.run(words, stdin=BytesStream(data), stdout=output, stderr=errors)
        if status:
            message = errors.value().decode("utf-8", "surrogateescape").strip().split("\n")[0]
            raise FormatError(_FAILURE.sub("", message).partition(" at <top-level>")[0] or "cannot evaluate the expression")
        return output.value().decode("utf-8", "surrogateescape").splitlines()

    def _write(self, output: Stream, results: list[list[str]], form: str, *, separated: bool = False) -> None:
        """Write the results, a list for each document."""
        form = "yaml" if form == "auto" else form
        if form not in _WRITABLE:
            raise FormatError(f"unknown format '{form}'")
        out = Written(self._process.budget)
        out.add("---\n" if self._front == "process" else "")
        for found in results:
            if not found:
                continue
            if separated and form == "yaml" and "N" not in self._arguments:
                out.add("---\n")
            separated = True
            for text in found:
                self._show(text, form, out)
            self._last = found[-1]
        output.write(out.text().encode("utf-8", "surrogateescape"))

    def _show(self, text: str, form: str, out: Written) -> None:
        """Write a result, which is a JSON text, in a format."""
        end = "\0" if "0" in self._arguments else "\n"
        item = _without_nulls(parse(text)) if self._blank and form in {"yaml", "xml"} else parse(text)
        wrapped = "wrap-scalar" in self._arguments
        if isinstance(item, str) and not isinstance(item, Number):
            if form == "json":
                out.add((item if "r" in self._arguments else text) + end)
            else:
                out.add((to_string(item, 2) if wrapped else item) + end)
        elif not isinstance(item, (list, dict)) or (form == "json" and not self._indent):
            out.add(text + end)
        elif form == "json":
            write_json(item, self._indent, out)
            out.add(end)
        elif form in {"csv", "tsv"}:
            write_table(item, "\t" if form == "tsv" else ",", out)
        elif form == "props":
            write_properties(item, [], out)
        elif form == "xml":
            write_xml(item, self._indent, out)
        elif form == "ini":
            write_ini(item, out)
        elif form == "toml":
            write_toml(item, out)
        else:
            write_yaml(item, self._indent or 2, out)


def _front_matter(data: bytes) -> tuple[bytes, bytes]:
    """The document at the beginning of a file, and the rest with the line that begins it."""
    begin = 4 if data.startswith(b"---\n") else 0
    found = re.compile(rb"^(---[ \t\r]*|\.\.\.[ \t\r]*)$", re.MULTILINE).search(data, begin)
    return (data[begin:], b"") if found is None else (data[begin : found.start()], data[found.start() :])


def _without_nulls(item: Any) -> Any:
    """The value with nothing in the place of nulls."""
    if isinstance(item, dict):
        return {name: _without_nulls(child) for name, child in item.items()}
    if isinstance(item, list):
        return [_without_nulls(child) for child in item]
    return Number("") if item is None else item


def _translated(expression: str) -> str:
    """Translate what yq and jq spell differently; strings are unchanged."""
    if len(expression) > _LONGEST:
        raise FormatError("the expression is too long")

    def replace(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        if found[2]:
            variable = f"$ENV.{found[3]}"
            return f'({variable} // "")' if found[2] == "strenv" else f"({variable} | . as $t | try fromjson catch $t)"
        return f"$__docs[{found[4]}]" if found[4] else "0"

    return _with_places(_WORDS.sub(replace, expression))


def _with_places(expression: str) -> str:
    """Write ``expression | parent`` as a function of the expression, which knows the path."""
    while True:
        found = _PLACE.search(expression)
        while found is not None and found[0][0] == '"':
            found = _PLACE.search(expression, found.end())
        if found is None:
            return expression
        begin = _begin_of_pipeline(expression, found.start())
        count = f"; {found[2]}" if found[2] else ""
        call = f"__{found[1]}({expression[begin : found.start()]}{count})"
        expression = expression[:begin] + call + expression[found.end() :]


def _begin_of_pipeline(expression: str, end: int) -> int:
    """Where the pipeline begins that ends there: behind a bracket that is open, a comma or an assignment."""
    opened = [0]
    for found in _BRACKET.finditer(expression, 0, end):
        mark = found[0]
        if mark in "([{":
            opened.append(found.end())
        elif mark in ")]}" and len(opened) > 1:
            opened.pop()
        elif mark[0] in ",=|+":
            opened[-1] = found.end()
    return opened[-1]
