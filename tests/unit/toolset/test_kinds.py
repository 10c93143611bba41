"""To add a kind of callback or source, write one file: each is written here into a folder of its own, and used."""

import json
import sys
from importlib import import_module

import pytest
from jsonschema import Draft202012Validator

from bashkit.errors import DefinitionError
from bashkit.toolset import callbacks, load, sources
from bashkit.toolset.callbacks.python import PythonCallback
from bashkit.toolset.schema.generation import schema_text, toolset_schema
from bashkit.toolset.writing.importing import open_source, write_out

CALLBACK = '''
"""Callbacks that print a text of the toolset file as often as they are told."""

from dataclasses import dataclass

from bashkit.toolset.callbacks import Callback


@dataclass(frozen=True, slots=True)
class EchoCallback(Callback):
    """A text, printed.

    Attributes:
        text: The text.
        times: How often.
    """

    text: str
    times: int = 1

    key = "echo"
    noun = "an echo callback"
    summary = "a text"
    properties = {
        "echo": {"title": "Text", "description": "What is printed.", "type": "string", "pattern": "^[^\\\\n]+$", "examples": ["hello"]},
        "times": {"title": "Times", "description": "How often.", "type": "integer", "minimum": 1, "default": 1, "examples": [2]},
    }
    required = {"times": "how often it is printed"}
    patterns = {"echo": "an echo is one line"}
    sees_secrets = False

    @classmethod
    def check(cls, tool):
        if tool.callback["echo"] == "nothing":
            tool.document.at((*tool.path, "callback", "echo"), "there is nothing to print")

    @classmethod
    def read(cls, tool):
        return cls(tool.callback["echo"], tool.callback["times"])

    def write(self, folder):
        return {"callback": {"echo": self.text, "times": self.times}}

    def __call__(self, args):
        return f"{self.text} {args['name']}\\n" * self.times
'''

SOURCE = '''
"""Sources that read a tool from every line of a text file."""

from dataclasses import dataclass, field
from pathlib import Path

from bashkit.tools.define.definition import ToolDef
from bashkit.toolset.callbacks.executable import ExecutableCallback
from bashkit.toolset.sources import EVERYTHING, Found, FoundTool, Selection, Source, SourceError


@dataclass(frozen=True, slots=True)
class LinesSource(Source):
    """A file of which every line names a tool that runs a program."""

    file: Path
    program: str
    timeout: float | None
    document: object = field(repr=False)
    path: tuple
    selection: Selection = EVERYTHING

    key = "lines"
    noun = "a source of lines"
    summary = "a file of lines"
    usage = "FILE"
    about = "a file with a name on every line"
    properties = {"lines": {"title": "Lines", "description": "The file.", "type": "string", "minLength": 1, "examples": ["names.txt"]}}
    options = {"program": {"title": "Program", "description": "What runs.", "type": "string", "default": "/bin/echo", "examples": ["/bin/cat"]}}

    @classmethod
    def read(cls, source, common):
        return cls(file=source.file(source.value["lines"]), program=source.value.get("program", "/bin/echo"), **common)

    def ask(self, asking):
        try:
            names = self.file.read_text().split()
        except OSError as error:
            raise SourceError(f"it cannot be read: {error.strerror}") from error
        return Found(tuple(FoundTool(ToolDef(name), ExecutableCallback(Path(self.program)), name) for name in names))

    def files(self):
        return (self.file,)
'''


@pytest.fixture
def kind(tmp_path, monkeypatch):
    """Write the file of a kind, import it, and register what it declares, until the test ends."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(callbacks.CALLBACKS, "_added", ())
    monkeypatch.setattr(sources.SOURCES, "_added", ())

    def write(registry, module, name, text):
        (tmp_path / f"{module}.py").write_text(text)
        monkeypatch.delitem(sys.modules, module, raising=False)
        return registry.register(getattr(import_module(module), name))

    return write


HEAD = "version: 1\nname: t\n"
TOOL = (
    HEAD
    + "tools:\n  - name: greet\n    input_schema: {properties: {name: {type: string}}, required: [name]}\n    callback: {CALLBACK}\n"
)


def test_a_kind_of_callback_is_one_file(folder, kind):
    kind(callbacks.CALLBACKS, "echoing", "EchoCallback", CALLBACK)
    assert folder.problems(TOOL.replace("{CALLBACK}", "{echo: Hello, times: 2}"), resolve=True) == []
    toolset = load(folder.path / "t.yaml")
    assert toolset.tool.execute_sync("greet --name Ada").stdout == "Hello Ada\nHello Ada\n"
    assert toolset.declared[0].callback.write(folder.path) == {"callback": {"echo": "Hello", "times": 2}}


@pytest.mark.parametrize(
    ("callback", "problem"),
    [
        ("{echo: nothing, times: 1}", "6:22: there is nothing to print"),
        ("{echo: Hello}", "6:15: an echo callback needs a times: how often it is printed"),
        ("{echo: Hello, times: 0}", "6:36: expected at least 1, got 0"),
        ('{echo: "a\\nb", times: 1}', "6:22: an echo is one line"),
        ("{echo: Hello, times: 1, cwd: .}", "6:39: an echo callback takes no 'cwd'"),
        ("{python: m.f, times: 1}", "6:29: a Python callback takes no 'times'"),
        ("{ecko: Hello}", "6:16: unknown key 'ecko' | did you mean echo?"),
        (
            "{zzz: 1}",
            "6:15: a callback needs python, executable, http, skill, mcp, script or echo | callback: {python: module.function}",
        ),
    ],
)
def test_mistakes_in_it_are_told_as_in_any_other(folder, kind, callback, problem):
    kind(callbacks.CALLBACKS, "echoing", "EchoCallback", CALLBACK)
    assert problem in folder.problems(TOOL.replace("{CALLBACK}", callback))


@pytest.mark.needs("echo")
def test_a_kind_of_source_is_one_file(folder, kind):
    kind(sources.SOURCES, "lining", "LinesSource", SOURCE)
    folder.write("names.txt", "one two")
    assert folder.problems(HEAD + "sources:\n  - {lines: names.txt, prefix: n_}\n", resolve=True) == []
    toolset = load(folder.path / "t.yaml")
    assert [tool.name for tool in toolset.tools] == ["n_one", "n_two"]
    assert toolset.tool.execute_sync("n_two").stdout == "{}\n"
    assert toolset.sources[0].files() == (folder.path / "names.txt",)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{lines: gone.txt}", "4:13: it cannot be read: No such file or directory"),
        (
            "{lines: '${UNSET}/a'}",
            "4:13: the variable UNSET is not set and has no default | set it, or give it a default: ${NAME:-default}",
        ),
        ("{lines: a, headers: {}}", "4:16: a source of lines takes no 'headers'"),
        ("{skills: a, program: a}", "4:17: a source of skills takes no 'program'"),
        ("{zzz: a}", "4:5: a source needs executables, skills, mcp, openapi or lines"),
    ],
)
def test_mistakes_in_a_source_are_told_as_in_any_other(folder, kind, source, problem):
    kind(sources.SOURCES, "lining", "LinesSource", SOURCE)
    assert problem in folder.problems(HEAD + f"sources:\n  - {source}\n", resolve=True)


@pytest.mark.needs("echo")
def test_a_source_from_outside_can_be_imported(folder, kind, monkeypatch):
    kind(sources.SOURCES, "lining", "LinesSource", SOURCE)
    monkeypatch.chdir(folder.path)
    folder.write("names.txt", "one")
    declared = sources.SOURCES.find("lines").of_command_line(["names.txt"], {})
    text = next(iter(write_out(open_source(declared, "names"), folder.path / "t.yaml", declared).values()))
    assert "name: one" in text
    assert load(folder.write("t.yaml", text)).tool.execute_sync("one").stdout == "{}\n"


def test_the_schema_shows_what_is_registered(kind):
    before = schema_text()
    kind(callbacks.CALLBACKS, "echoing", "EchoCallback", CALLBACK)
    kind(sources.SOURCES, "lining", "LinesSource", SOURCE)
    schema = toolset_schema()
    Draft202012Validator.check_schema(schema)
    assert json.loads(schema_text()) == schema
    assert schema_text() != before
    assert schema["$defs"]["callback"]["properties"]["echo"]["title"] == "Text"
    assert schema["$defs"]["source"]["properties"]["program"]["default"] == "/bin/echo"
    assert schema["$defs"]["callback"]["description"].endswith("a script over the other tools, or a text.")
    validator = Draft202012Validator(schema)
    document = {
        "version": 1,
        "name": "t",
        "tools": [{"name": "a", "callback": {"echo": "x", "times": 1}}],
        "sources": [{"lines": "a"}],
    }
    assert validator.is_valid(document)
    document["tools"][0]["callback"]["script"] = "ls"
    assert not validator.is_valid(document)


def test_two_kinds_do_not_have_one_key():
    with pytest.raises(DefinitionError, match="there is a kind called 'python' already"):
        callbacks.register(PythonCallback)


def test_a_key_means_one_thing(kind):
    text = CALLBACK.replace('"times"', '"arguments"').replace("times: int", "arguments: int")
    with pytest.raises(DefinitionError, match="the key 'arguments' of 'echo' means something else for 'executable'"):
        kind(callbacks.CALLBACKS, "echoing", "EchoCallback", text)


@pytest.mark.parametrize("registry", [callbacks.CALLBACKS, sources.SOURCES])
def test_every_kind_says_what_it_is(registry):
    for one in registry.kinds():
        assert next(iter(one.properties)) == one.key
        assert one.noun
        assert one.summary
        assert registry.find(one.key) is one
    assert [one.key for one in callbacks.kinds()] == ["python", "executable", "http", "skill", "mcp", "script"]
    assert [one.key for one in sources.kinds()] == ["executables", "skills", "mcp", "openapi"]


@pytest.mark.parametrize(
    ("callback", "target", "location"),
    [
        ("{python: things.get}", "things.get", ("things.py", 3)),
        ("{python: things.gone}", "things.gone", None),
        ("{executable: ./run.sh}", "run.sh", ("run.sh", None)),
        ("{executable: ./gone.sh}", "gone.sh", None),
        ("{http: {method: POST, url: 'https://example.com/${KEY}'}}", "POST https://example.com/${KEY}", None),
        ("{skill: ./pdf}", "pdf", ("pdf/SKILL.md", None)),
        ("{skill: ./pdf, script: scripts/a.py}", "pdf/scripts/a.py", None),
        ("{mcp: {command: [server]}, tool: now}", "now", None),
        ("{script: 'echo $name'}", "a script over the other tools", None),
    ],
)
def test_what_a_callback_calls_and_where_that_is(folder, callback, target, location):
    folder.write("things.py", "import nothing_of_the_kind\n\ndef get(args): pass\n")
    folder.write("run.sh", "#!/bin/sh\n", executable=True)
    folder.write("pdf/SKILL.md", "---\nname: pdf\ndescription: d\n---\n")
    path = folder.write("t.yaml", TOOL.replace("{CALLBACK}", callback).replace("name: t\n", "name: t\nenv: {KEY: k}\n"))
    found = load(path, environ={}).declared[0].callback
    assert found.target == target
    assert found.location() == (None if location is None else (folder.path / location[0], location[1]))


@pytest.mark.parametrize(
    "callback",
    [
        {"python": "things.get"},
        {"script": "echo $name"},
        {"executable": "./run.sh", "arguments": "flags", "cwd": "./data"},
        {"http": {"method": "POST", "url": "https://example.com/{name}", "headers": {"A": "b"}, "body": {"n": "{name}"}}},
        {"skill": "./pdf", "script": "scripts/a.py"},
    ],
    ids=lambda callback: next(iter(callback)),
)
def test_a_callback_is_written_as_it_is_read(folder, callback):
    path = folder.write("t.yaml", TOOL.replace("{CALLBACK}", json.dumps(callback)))
    assert load(path).declared[0].callback.write(folder.path) == {"callback": callback}
