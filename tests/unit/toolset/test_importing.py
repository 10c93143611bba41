"""``bashkit import``: the tools of a source written out as a toolset file that does the same."""

import json
import re
import sys

import pytest

from bashkit.cli import main
from bashkit.toolset import check, load
from bashkit.toolset.text import document
from bashkit.toolset.text.document import read
from bashkit.toolset.text.yaml_text import yaml_text
from bashkit.toolset.writing import importing


@pytest.fixture
def run(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder.path)

    def command(*words):
        with pytest.raises(SystemExit) as caught:
            main(["import", *words])
        out, err = capsys.readouterr()
        return caught.value.code, out, err

    return command


DESCRIBES = """#!/bin/sh
if [ "$1" = --describe ]; then
  echo '{"name": "size", "description": "Size of it", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
         "effects": "read", "examples": ["size --path ."]}'
else
  echo "$1 in $(basename "$PWD")"
fi
"""
API = """\
openapi: 3.0.3
servers: [{url: 'https://api.example.com/v1'}]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      summary: "One pet: by its number"
      tags: [pets]
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
      responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
    put:
      operationId: putPet
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components: {schemas: {Pet: {type: object, properties: {name: {type: string}, mother: {$ref: '#/components/schemas/Pet'}}}}}
"""


def same(first, second):
    """The tools of two toolsets say the same."""

    def said(toolset):
        return [
            (
                t.name,
                t.description,
                json.loads(json.dumps(t.input_schema)),
                json.loads(json.dumps(t.output_schema)),
                t.tags,
                t.category,
                t.effects,
                t.stdin,
                t.examples,
            )
            for t in toolset.tools
        ]

    return said(first) == said(second)


def live(folder, source, more=""):
    return load(folder.write("live.yaml", f"version: 1\nname: t\n{more}sources:\n  - {source}\n"), environ={"KEY": "s3cret"})


def test_executables(folder, run):
    folder.write("tools/size.sh", DESCRIBES, executable=True)
    assert run("executables", "./tools", "-o", "made/tools.yaml") == (0, "", "made/tools.yaml: 1 tool\n")
    made = load(folder.path / "made/tools.yaml")
    assert check(folder.path / "made/tools.yaml") == []
    assert same(made, live(folder, "executables: ./tools"))
    script = "size --path x"
    assert made.tool.execute_sync(script).stdout == live(folder, "executables: ./tools").tool.execute_sync(script).stdout
    assert (
        made.path.read_text(encoding="utf-8")
        == """\
# yaml-language-server: $schema=toolset.schema.json
version: 1
name: tools

tools:
  - name: size
    description: Size of it
    effects: read
    input_schema:
      type: object
      properties:
        path:
          type: string
    examples: [size --path .]
    callback:
      executable: ../tools/size.sh
      cwd: ..
"""
    )


@pytest.mark.needs("bash")
def test_skills(folder, run):
    folder.write("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: PDFs\nmetadata: {version: 2}\n---\nUse $ARGUMENTS.\n")
    folder.write("skills/pdf/scripts/a.sh", '# Does A.\necho "$SKILL_VERSION"; cat')
    code, out, err = run("skills", "./skills")
    assert (code, err) == (0, "")
    path = folder.write("made.yaml", out)
    assert check(path) == []
    assert same(load(path), live(folder, "skills: ./skills"))
    script = """pdf --arguments x; pdf.a --data '{"a": 1}'; pdf.a --file x"""
    first, second = load(path).tool.execute_sync(script), live(folder, "skills: ./skills").tool.execute_sync(script)
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
    assert first.stdout == 'Use x.\n2\n{"a":1}2\n'


def test_openapi(folder, run, web):
    folder.write("api.yaml", API)
    words = ("--base-url", web.url, "--header", "Authorization: Bearer ${KEY}")
    code, out, err = run("openapi", "api.yaml", *words)
    assert (code, err) == (0, "")
    assert "secrets: [KEY]\n" in out
    path = folder.write("made.yaml", out.replace("        headers:", "        allow_private: true\n        headers:"))
    assert check(path, environ={}) == []
    made = load(path, environ={"KEY": "s3cret"})
    more = f"base_url: {web.url}\n    allow_private: true\n    headers: {{Authorization: 'Bearer ${{KEY}}'}}"
    there = live(folder, f"openapi: api.yaml\n    {more}", "secrets: [KEY]\n")
    assert same(made, there)
    for toolset in (made, there):
        response = toolset.tool.execute_sync("get_pet 7 --tags a,b; put_pet 7 --name Rex")
        assert (response.stdout, response.stderr) == ('{"ok":true}\n' * 2, "")
    assert web.seen[0] == web.seen[2]
    assert web.seen[1] == web.seen[3]


def test_a_variable_in_the_base_url_stays_one(folder, run):
    folder.write("api.yaml", API)
    _, out, _ = run("openapi", "api.yaml", "--base-url", "${API}/v1", "--name", "pets")
    assert "name: pets\nsecrets: [API]\n" in out
    assert "url: ${API}/v1/pets/{id}\n" in out


MCP = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if number is None:
        continue
    result = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}},
        "tools/list": {"tools": [{"name": "say", "description": "Say it", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]},
        "tools/call": {"content": [{"type": "text", "text": "said " + str(message.get("params", {}).get("arguments", {}).get("text"))}]},
    }.get(method, {})
    print(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}), flush=True)
"""


def test_an_mcp_server(folder, run):
    pytest.importorskip("mcp", reason="the MCP SDK is an extra")
    folder.write("server.py", MCP)
    assert run("mcp", "-o", "made/mcp.yaml", "--name", "talk", "--", sys.executable, "server.py") == (
        0,
        "",
        "made/mcp.yaml: 1 tool\n",
    )
    path = folder.path / "made/mcp.yaml"
    assert check(path) == []
    text = path.read_text(encoding="utf-8")
    assert "x-server: &server\n  command:" in text
    assert "      mcp: *server\n      tool: say\n" in text
    made = load(path)
    try:
        assert made.tool.execute_sync("say --text hi; say --text ho").stdout == "said hi\nsaid ho\n"
    finally:
        made.close()


def test_a_saved_answer_of_an_mcp_server_has_stubs_that_say_so(folder, run):
    folder.write("tools.json", json.dumps({"tools": [{"name": "say", "inputSchema": {"type": "object"}}]}))
    code, out, _ = run("mcp", "tools.json")
    assert code == 0
    path = folder.write("made.yaml", out)
    assert check(path) == []
    assert load(path).tool.execute_sync("say").stdout == "only the description of this tool is saved\n"


def test_prefix_include_and_exclude(folder, run):
    for name in ("a", "b", "c"):
        folder.write(f"skills/{name}/SKILL.md", f"---\nname: {name}\ndescription: d\n---\n")
    _, out, _ = run("skills", "./skills", "--prefix", "my-", "--include", "[ab]", "--exclude", "b")
    assert [line for line in out.splitlines() if "- name" in line] == ["  - name: my-a"]


def test_warnings_go_to_standard_error(folder, run):
    folder.write("skills/a/SKILL.md", "---\nname: a\ndescription: d\n---\n")
    folder.write("skills/b/SKILL.md", "---\nname: b\n---\n")
    code, out, err = run("skills", "skills")
    assert (code, "name: a" in out) == (0, True)
    assert err.endswith("SKILL.md:2:1: the frontmatter needs a description\n")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("skills", "none"), 2, "none:1:1: the directory cannot be read: No such file or directory"),
        (("skills", "empty"), 1, "bashkit: there is no tool in empty"),
        (("skills", "a", "b"), 2, "one skills source at a time, not a b"),
        (("skills", "empty", "-o", "there.yaml"), 2, "there.yaml exists already; --force overwrites it"),
        (("skills", "empty", "--base-url", "https://e.com"), 2, "--base-url is for OpenAPI documents"),
        (("skills", "empty", "--header", "A: b"), 2, "--header is for OpenAPI documents and for MCP servers with a URL"),
        (("openapi", "api.yaml", "--header", "A"), 2, "a header is 'NAME: TEXT', not 'A'"),
        (("openapi", "broken.yaml"), 2, "broken.yaml:1:10: only OpenAPI 3.0 and 3.1 and Swagger 2.0 are read, not version 1.2"),
        (("tools", "x"), 2, "'tools' is not one of 'executables', 'skills', 'mcp', 'openapi'"),
    ],
)
def test_what_cannot_be_imported(folder, run, words, code, message):
    (folder.path / "empty").mkdir()
    folder.write("there.yaml", "")
    folder.write("broken.yaml", "swagger: '1.2'\n")
    found, out, err = run(*words)
    assert (found, out) == (code, "")
    assert message in err


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "on", "b": "no", "c": "12:30", "d": "2024-01-01"}, "a: on\nb: no\nc: 12:30\nd: 2024-01-01\n"),
        ({"a": "true", "b": "12", "c": "1e3", "d": "null", "e": ""}, "a: 'true'\nb: '12'\nc: '1e3'\nd: 'null'\ne: ''\n"),
        ({"a": True, "b": None, "c": 12, "d": 1.5}, "a: true\nb: null\nc: 12\nd: 1.5\n"),
        ({"a": "one: two", "b": "# no", "c": "*x", "d": "it's"}, "a: 'one: two'\nb: '# no'\nc: '*x'\nd: it's\n"),
        ({"a": "two\nlines\n", "b": ["x", 1], "c": [{"d": "e"}]}, "a: |\n  two\n  lines\nb: [x, 1]\nc:\n  - d: e\n"),
        ({"a": ".inf", "b": "0x1F", "c": "0o17", "d": "<<", "e": "="}, None),
        ({"a": {}, "b": [], "c": "ü…", "d": "\u2028\x07", "e": "a\tb\nc "}, None),
    ],
)
def test_yaml_is_written_with_no_more_quotes_than_needed_and_read_back_the_same(value, text):
    written = yaml_text(value)
    assert text is None or written == text
    assert read(written, "t.yaml").value == value


def many(*tools):
    """A document with one operation for each (path, tag, summary)."""
    return "openapi: 3.0.3\nservers: [{url: 'https://api.example.com'}]\npaths:\n" + "".join(
        f"  /{path}: {{get: {{operationId: {path}, tags: ['{tag}'], summary: {words}, responses: {{}}}}}}\n"
        for path, tag, words in tools
    )


def test_what_is_too_much_for_one_file_is_written_by_category(folder, run, monkeypatch):
    tools = [
        ("list_pets", "Pets & Co", "x" * 700),
        ("add_pet", "Pets & Co", "y" * 700),
        ("list_jobs", "jobs", "z"),
        ("ping", "", "p"),
    ]
    folder.write("api.yaml", many(*tools))
    monkeypatch.setattr(importing, "MAX_CHARS", 1200)
    code, out, err = run("openapi", "api.yaml", "--header", "X-Key: ${KEY}", "-o", "made/api.yaml", "--name", "zoo")
    assert (code, out, err) == (0, "", "made/api.yaml: 4 tools in 4 included files\n")
    names = ["pets-co.yaml", "pets-co.2.yaml", "jobs.yaml", "other.yaml"]
    made = folder.path / "made"
    text = (made / "api.yaml").read_text(encoding="utf-8")
    assert f"include: [{', '.join(f'api/{name}' for name in names)}]" in text
    assert check(made / "api.yaml", environ={}) == []
    assert [tool.name for tool in load(made / "api.yaml", environ={}).tools] == [path for path, _, _ in tools]
    for name in names:  # each is a toolset itself
        assert len((made / "api" / name).read_text(encoding="utf-8")) <= 1200
        assert check(made / "api" / name, environ={}) == []
    code, _, err = run("openapi", "api.yaml")
    assert (code, err.splitlines()[0]) == (2, "Usage: bashkit import [OPTIONS] {executables|skills|mcp|openapi} SOURCE...")
    assert err.endswith("\n\nError: this is too much for one file: -o FILE writes several, --include takes fewer tools\n")
    (made / "api.yaml").unlink()
    code, _, err = run("openapi", "api.yaml", "-o", "made/api.yaml")
    assert code == 2
    assert "pets-co.yaml exists already; --force overwrites it" in err
    assert not (made / "api.yaml").exists()


def test_tools_are_not_written_twice_to_find_that_they_are_too_many(folder, run, monkeypatch):
    folder.write("api.yaml", many(*((f"thing_{number}", "things", "w" * 400) for number in range(40))))
    monkeypatch.setattr(importing, "MAX_CHARS", 2000)
    written, entry = [], importing._entry
    monkeypatch.setattr(importing, "_entry", lambda item, *rest: written.append(item) or entry(item, *rest))
    assert run("openapi", "api.yaml", "-o", "made.yaml")[0] == 0
    assert 40 < len(written) < 50


def test_a_prompt_that_would_be_long_becomes_a_search(folder, run):
    folder.write("api.yaml", many(*((f"thing_{number}", "things", "w" * 400) for number in range(200))))
    code, _, err = run("openapi", "api.yaml", "-o", "made.yaml")
    assert code == 0
    assert re.fullmatch(
        r"made.yaml: 200 tools; the prompt is in the mode discovery: with all tools it would have about 2\d{4} tokens\n", err
    )
    toolset = load(folder.path / "made.yaml")
    assert toolset.tool.prompt_mode == "discovery"
    assert toolset.long_prompt() > 10_000
    assert check(folder.path / "made.yaml", advise=True) == []
    path = folder.write("live.yaml", "version: 1\nname: live\nsources:\n  - openapi: api.yaml\n")
    (problem,) = check(path, advise=True)
    assert problem.code == "long-prompt"
    assert problem.hint == "prompt: {mode: discovery}"


def test_what_has_too_many_nodes_for_one_file_is_written_to_several(folder, run, monkeypatch):
    folder.write("api.yaml", many(*((f"thing_{number}", "things", "w") for number in range(6))))
    monkeypatch.setattr(document, "MAX_NODES", 60)
    monkeypatch.setattr(importing, "_NODE", importing.MAX_CHARS // 60)
    assert run("openapi", "api.yaml", "-o", "made.yaml", "--name", "zoo")[0] == 0
    assert len(list((folder.path / "made").iterdir())) > 1
    assert check(folder.path / "made.yaml", environ={}) == []
    assert len(load(folder.path / "made.yaml", environ={}).tools) == 6
