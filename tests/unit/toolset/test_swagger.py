"""Swagger 2.0 documents: they are read as the OpenAPI 3.0 documents that say the same."""

import pytest

from bashkit.toolset import load

API = """\
swagger: "2.0"
info: {title: Pets, version: "1"}
host: HOST
basePath: /v1
schemes: [http]
produces: [application/json]
security: [{Key: []}]
securityDefinitions:
  Key: {type: apiKey, in: header, name: X-Key}
  Login: {type: basic}
parameters:
  Trace: {name: X-Trace, in: header, type: string}
  Pet: {name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}
responses:
  Pets: {description: ok, schema: {type: array, items: {$ref: '#/definitions/Pet'}}}
paths:
  /pets:
    parameters: [{$ref: '#/parameters/Trace'}]
    get:
      operationId: listPets
      parameters:
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: csv}
        - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: multi}
        - {name: limit, in: query, type: integer, maximum: 10, description: At most.}
      responses: {"200": {$ref: '#/responses/Pets'}}
    post:
      operationId: addPet
      parameters: [{$ref: '#/parameters/Pet'}]
      responses: {}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, type: string}]
    get:
      operationId: getPet
      parameters: [{name: id, in: path, required: true, type: integer}]
      security: [{Login: []}]
      responses: {}
  /login:
    post:
      operationId: login
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: user, in: formData, required: true, type: string}, {name: days, in: formData, type: integer}]
      responses: {}
  /photo:
    post:
      operationId: addPhoto
      consumes: [multipart/form-data]
      parameters: [{name: photo, in: formData, type: file, description: The picture.}, {name: title, in: formData, type: string}]
      responses: {}
    get: {operationId: getPhoto, produces: [image/png], responses: {"200": {description: ok, schema: {type: file}}}}
  /bad: {post: {operationId: bad, parameters: [{$ref: '#/parameters/None'}]}}
definitions:
  Pet:
    type: object
    required: [name]
    properties: {name: {type: string, x-nullable: true}, mother: {$ref: '#/definitions/Pet'}}
"""
TOOLSET = """\
version: 1
name: t
secrets: [KEY]
sources:
  - openapi: ./api.yaml
    security: {Key: "${KEY}", Login: "ada:${KEY}"}
    allow_private: true
    exclude: [EXCLUDE]
"""


@pytest.fixture
def toolset(folder, web):
    folder.write("api.yaml", API.replace("HOST", web.url.removeprefix("http://")))
    return load(folder.write("t.yaml", TOOLSET.replace("EXCLUDE", "bad")), environ={"KEY": "s3cret"})


@pytest.mark.parametrize(
    ("script", "request_line", "kind", "body"),
    [
        ("list_pets", "GET /v1/pets", None, b""),
        ("list_pets --tags a,b --ids 1,2 --limit 3", "GET /v1/pets?tags=a,b&ids=1&ids=2&limit=3", None, b""),
        ("add_pet --name null", "POST /v1/pets", "application/json", b'{"name":null}'),
        ("add_pet --name Rex --mother.name Ada", "POST /v1/pets", "application/json", b'{"name":"Rex","mother":{"name":"Ada"}}'),
        ("get_pet 7", "GET /v1/pets/7", None, b""),
        ("login ada --days 3", "POST /v1/login", "application/x-www-form-urlencoded", b"user=ada&days=3"),
    ],
)
def test_operations_are_called(toolset, web, script, request_line, kind, body):
    response = toolset.tool.execute_sync(script)
    assert (response.stderr, response.stdout) == ("", '{"ok":true}\n')
    assert (web.last, web.seen[-1][2].get("content-type"), web.seen[-1][3]) == (request_line, kind, body)


def test_parameters_and_answers_have_their_schemas(toolset):
    (tool,) = (tool for tool in toolset.tools if tool.name == "list_pets")
    assert tool.input_schema["properties"] == {
        "x_trace": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "limit": {"type": "integer", "maximum": 10, "description": "At most."},
    }
    assert tool.output_schema["items"] == {"$ref": "#/$defs/Pet"}
    assert tool.output_schema["$defs"]["Pet"]["properties"]["name"] == {"type": ["string", "null"]}


def test_headers_carry_the_credentials(toolset, web):
    toolset.tool.execute_sync("list_pets --x_trace t1; get_pet 7")
    (first, second) = (headers for _, _, headers, _ in web.seen)
    assert (first["x-key"], first["x-trace"], "authorization" in first) == ("s3cret", "t1", False)
    assert second["authorization"].startswith("Basic ")


def test_files_are_sent_and_saved(toolset, web):
    web.answers["/v1/photo"] = lambda body: (200, {"Content-Type": "image/png"}, b"\x89PNG\0") if not body else (200, {}, b"{}")
    response = toolset.tool.execute_sync("echo x > p.png; add_photo --photo p.png --title t; get_photo -o q.png; wc -c < q.png")
    assert (response.stdout, response.stderr) == ("{}\nsaved 5 bytes of image/png as q.png\n5\n", "")
    assert b'name="photo"; filename="p.png"\r\nContent-Type: image/png\r\n\r\nx\n' in web.seen[0][3]


def test_what_cannot_be_followed_is_a_warning_at_its_place(folder, web):
    folder.write("api.yaml", API.replace("HOST", "e.com"))
    toolset = load(folder.write("t.yaml", TOOLSET.replace("EXCLUDE", "none")), environ={"KEY": "s3cret"})
    assert len(toolset.tools) == 6
    (warning,) = toolset.warnings
    line = API.splitlines().index("  /bad: {post: {operationId: bad, parameters: [{$ref: '#/parameters/None'}]}}") + 1
    assert (warning.line, warning.hint) == (line, "exclude: [bad]")
    assert warning.message == "POST /bad is skipped: the reference #/parameters/None leads nowhere in this document"
