"""Files of a session in requests: bodies of files and parts, and answers that are no text."""

import asyncio
import email.parser
import email.policy
import hashlib

import pytest
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.errors import ToolError
from bashkit.limits import ExecutionLimits
from bashkit.tools import ToolArgs
from bashkit.toolset import load
from bashkit.toolset.callbacks.http import HttpCallback

API = """\
openapi: 3.0.3
paths:
  /photos:
    post:
      operationId: addPhoto
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo]
              properties:
                photo: {type: string, format: binary, description: The picture.}
                more: {type: array, items: {$ref: '#/components/schemas/Blob'}}
                title: {type: string}
                place: {type: object, properties: {lat: {type: number}}}
                tags: {type: array, items: {type: string}}
      responses: {}
  /blob:
    put:
      operationId: putBlob
      requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
      responses: {}
  /image:
    get:
      operationId: getImage
      responses: {"200": {content: {image/png: {schema: {type: string, format: binary}}}}}
  /any: {get: {operationId: getAny, responses: {}}}
components:
  schemas: {Blob: {type: string, format: binary}}
"""
TOOLSET = "version: 1\nname: t\nsources:\n  - {openapi: ./api.yaml, base_url: 'URL', allow_private: true}\n"
PNG = b"\x89PNG\r\n\x1a\n\0\xff" + bytes(range(256))


@pytest.fixture
def run(folder, web):
    """Runs a script with the tools of the document, in a session with two files."""
    folder.write("api.yaml", API)
    toolset = load(folder.write("t.yaml", TOOLSET.replace("URL", web.url)))
    web.answers["/image"] = web.answers["/any"] = (200, {"Content-Type": "image/png"}, PNG)

    def execute(script, **options):
        tool = toolset.make_tool(files={"/home/user/a.png": PNG, "/home/user/b.txt": "two"}, **options)
        return tool.execute_sync("cd /home/user\n" + script)

    yield execute
    toolset.close()


def parts(web):
    """The parts of the last request: name, file name, kind and content."""
    head = f"Content-Type: {web.seen[-1][2]['content-type']}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + web.seen[-1][3])
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get_content_type() if "content-type" in part else None,
            part.get_payload(decode=True),
        )
        for part in message.iter_parts()
    ]


def test_parts_are_files_of_the_session_texts_and_json(run, web):
    response = run("add_photo --photo a.png --more b.txt,a.png --title 'a b' --place.lat 1.5 --tags x,y")
    assert (response.stderr, response.exit_code, response.stdout) == ("", 0, '{"ok":true}\n')
    assert parts(web) == [
        ("photo", "a.png", "image/png", PNG),
        ("more", "b.txt", "text/plain", b"two"),
        ("more", "a.png", "image/png", PNG),
        ("title", None, None, b"a b"),
        ("place", None, "application/json", b'{"lat":1.5}'),
        ("tags", None, None, b"x"),
        ("tags", None, None, b"y"),
    ]


def test_a_body_of_bytes_is_a_file_or_standard_input(run, web):
    assert run("put_blob a.png").exit_code == 0
    assert (web.seen[-1][2]["content-type"], web.seen[-1][3]) == ("application/octet-stream", PNG)
    assert run("head -c 4 a.png | put_blob -").exit_code == 0
    assert web.seen[-1][3] == PNG[:4]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("put_blob none", "put_blob: none: No such file or directory"),
        ("put_blob .", "put_blob: .: Is a directory"),
        ("get_image -o /proc/x > saved", "get_image: cannot write /proc/x: Permission denied"),
    ],
)
def test_files_that_cannot_be_read_or_written_are_named(run, script, message):
    response = run(script)
    assert (response.stderr, response.exit_code) == (f"{message}\n", 1)


def test_the_parameters_of_files_are_described_as_paths(folder, run):
    schema = run("add_photo --help").stdout
    assert "The picture; path of a file, - for standard input" in schema


@pytest.mark.parametrize("option", ["-o", "--output_file"])
def test_an_answer_is_saved_in_a_file(run, option):
    response = run(f"get_image {option} x.png; sha256sum < x.png")
    assert response.stdout == f"saved {len(PNG)} bytes of image/png as x.png\n{hashlib.sha256(PNG).hexdigest()}  -\n"


@pytest.mark.parametrize("options", [{}, {"isolation": "process"}])
def test_a_binary_answer_is_redirected_and_piped_as_it_is_and_never_shown(run, options):
    response = run("get_any > x.png; cmp x.png a.png && get_any | cmp - a.png; get_image", **options)
    refusal = f"get_image: the answer is {len(PNG)} bytes of image/png, which is not text: "
    assert response.stderr == refusal + "--output_file FILE saves it, > FILE and | COMMAND take it\n"
    assert (response.stdout, response.exit_code) == ("", 23)


def test_without_a_session_files_are_refused(web):
    callback = HttpCallback("PUT", web.url, body="{f}", files=("f",), allow_private=True)
    with pytest.raises(ToolError, match="--f is a file of a session"):
        asyncio.run(callback(ToolArgs({"f": "x"})))
    assert web.seen == []


def test_a_file_counts_for_the_memory_of_the_execution(run):
    limits = ExecutionLimits(max_memory_bytes=1 << 20)
    response = run("truncate -s 2M big; put_blob big", limits=limits)
    assert (response.exit_code, "max_memory_bytes" in response.stderr) == (1, True)


def test_names_of_files_cannot_add_headers_to_a_part(run, web):
    run("cp b.txt $'a\\r\\nX-Bad: 1\"b'; add_photo --photo $'a\\r\\nX-Bad: 1\"b'")
    assert b'filename="a%0D%0AX-Bad: 1%22b"' in web.seen[-1][3]


def test_imported_tools_send_and_save_files_too(folder, web):
    api = folder.write("api.yaml", API)
    written = folder.path / "imported.yaml"
    words = ["import", "openapi", str(api), "--base-url", web.url, "-o", str(written)]
    assert CliRunner().invoke(cli, words).exit_code == 0
    text = written.read_text(encoding="utf-8").replace("url:", "allow_private: true\n        url:")
    with load(folder.write("t.yaml", text)) as toolset:
        web.answers["/image"] = (200, {"Content-Type": "image/png"}, PNG)
        response = toolset.make_tool(files={"/a.png": PNG}).execute_sync(
            "put_blob /a.png; get_image -o /tmp/b; cmp /a.png /tmp/b"
        )
    assert (response.stderr, response.exit_code, web.seen[0][3]) == ("", 0, PNG)
