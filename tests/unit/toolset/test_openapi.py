"""OpenAPI documents as a source: operations become tools, and calls become requests."""

import json
import re
import warnings

import pytest
import yaml
from click.testing import CliRunner

from bashkit.cli import cli
from bashkit.errors import ToolsetError
from bashkit.tools import Policy
from bashkit.toolset import load
from bashkit.toolset.sources import Asking
from bashkit.toolset.sources.openapi import OpenApiSource
from bashkit.toolset.sources.openapi.naming import operation_name, snake
from bashkit.toolset.text.document import read

from .conftest import cost

PETS = """\
openapi: 3.0.3
info: {title: Pets, version: "1"}
servers:
  - url: https://{region}.example.com/v1/
    variables: {region: {default: eu}}
paths:
  /pets:
    parameters:
      - {name: X-Request-ID, in: header, schema: {type: string}}
    get:
      operationId: listPets
      summary: List pets
      tags: [pets, animals]
      parameters:
        - {name: limit, in: query, description: "How many\\nat most", schema: {type: integer, minimum: 0, exclusiveMinimum: true}}
        - {name: "filter[kind]", in: query, schema: {type: string, nullable: true, enum: [cat, dog]}}
        - {$ref: '#/components/parameters/Tags'}
        - {name: near, in: query, style: deepObject, schema: {type: object}}
        - {name: session, in: cookie, schema: {type: string}}
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}
    post:
      operationId: createPet
      description: |
        Add a pet.

        With a long story.
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Pet'}
      responses:
        "201":
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
  /pets/{petId}:
    parameters:
      - {name: petId, in: path, required: true, schema: {type: integer}}
    get: {summary: One pet, responses: {}}
    delete: {operationId: pets/delete, deprecated: true, responses: {}}
    put:
      operationId: replaceTags
      requestBody: {content: {application/json: {schema: {type: array, items: {type: string}}}}}
      responses: {}
components:
  parameters:
    Tags: {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, example: Rex}
        secret: {type: string, writeOnly: true}
        mother: {$ref: '#/components/schemas/Pet'}
        owner: {allOf: [{$ref: '#/components/schemas/Owner'}], nullable: true}
    Owner: {type: object, properties: {name: {type: string}, pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
"""
SOURCE = "version: 1\nname: t\nsources:\n  - openapi: ./api.yaml\n"


@pytest.fixture
def api(folder):
    """Writes a document and a toolset of it, and loads it."""

    def write(text=PETS, toolset=SOURCE, environ=None, name="api.yaml"):
        folder.write(name, text)
        return load(folder.write("t.yaml", toolset.replace("api.yaml", name)), environ=environ or {})

    return write


def tools(toolset):
    return {tool.name: tool for tool in toolset.tools}


# -- names and descriptions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("listPets", "list_pets"),
        ("getHTTPStatus", "get_http_status"),
        ("pets/list-all", "pets_list_all"),
        ("Pets.find_by_ID", "pets_find_by_id"),
        ("already_snake", "already_snake"),
        ("v2Users", "v2_users"),
    ],
)
def test_operation_ids_become_command_words(identifier, name):
    assert snake(identifier) == name


def test_without_an_operation_id_the_method_and_path_name_it():
    assert operation_name(None, "get", "/users/{userId}/posts") == "get_users_user_id_posts"
    assert operation_name("  ", "get", "/") == "get"


def test_operations_become_tools(api):
    found = tools(api())
    assert list(found) == ["list_pets", "create_pet", "get_pets_pet_id", "pets_delete", "replace_tags"]
    assert [(tool.description, tool.effects, tool.category, tool.tags) for tool in found.values()] == [
        ("List pets", "read", "pets", ("pets", "animals")),
        ("Add a pet.", "write", "", ()),
        ("One pet", "read", "", ()),
        ("DELETE /pets/{petId} (deprecated)", "destructive", "", ("deprecated",)),
        ("PUT /pets/{petId}", "write", "", ()),
    ]


# -- schemas -----------------------------------------------------------------------------------------------------------


def test_parameters_become_an_input_schema_of_2020_12(api):
    schema = tools(api())["list_pets"].input_schema
    assert schema == {
        "type": "object",
        "properties": {
            "x_request_id": {"type": "string"},
            "limit": {"type": "integer", "exclusiveMinimum": 0, "description": "How many at most"},
            "filter_kind": {"type": ["string", "null"], "enum": ["cat", "dog", None]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "near": {"type": "object"},
            "session": {"type": "string"},
        },
        "additionalProperties": False,
    }


def test_a_body_is_flattened_and_references_with_cycles_become_definitions(api):
    schema = tools(api())["create_pet"].input_schema
    assert schema["required"] == ["name"]  # id is readOnly
    assert list(schema["properties"]) == ["x_request_id", "name", "secret", "mother", "owner"]
    assert schema["properties"]["mother"] == {"$ref": "#/$defs/Pet"}
    assert schema["properties"]["owner"] == {"anyOf": [{"allOf": [{"$ref": "#/$defs/Owner"}]}, {"type": "null"}]}
    assert sorted(schema["$defs"]) == ["Owner", "Pet"]
    assert "id" not in schema["$defs"]["Pet"]["properties"]
    assert schema["$defs"]["Pet"]["properties"]["name"] == {"type": "string"}


def test_the_output_schema_is_that_of_200_or_201(api):
    found = tools(api())
    assert found["list_pets"].output_schema["items"] == {"$ref": "#/$defs/Pet"}
    assert list(found["create_pet"].output_schema["$defs"]["Pet"]["properties"]) == ["id", "name", "mother", "owner"]
    assert found["pets_delete"].output_schema is None


def test_a_body_that_is_no_object_or_clashes_is_one_argument(api):
    found = tools(api())
    assert found["replace_tags"].input_schema["properties"]["body"] == {"type": "array", "items": {"type": "string"}}
    clash = (
        PETS.replace("name: petId, in: path", "name: name, in: path")
        .replace("{petId}", "{name}")
        .replace(
            "schema: {type: array, items: {type: string}}}}}", "schema: {type: object, properties: {name: {type: string}}}}}}"
        )
    )
    assert list(tools(api(clash))["replace_tags"].input_schema["properties"]) == ["name", "body"]


def test_31_keeps_what_stands_beside_a_reference(api):
    text = """\
{"openapi": "3.1.0", "servers": [{"url": "https://e.com"}], "paths": {"/a": {"get": {"parameters": [
  {"name": "x", "in": "query", "schema": {"$ref": "#/components/schemas/X", "description": "mine"}},
  {"name": "n", "in": "query", "schema": {"type": ["integer", "null"], "exclusiveMinimum": 0}}]}}},
 "components": {"schemas": {"X": {"type": "string", "examples": ["a"]}}}}
"""
    schema = tools(api(text, name="api.json"))["get_a"].input_schema
    assert schema["properties"]["x"] == {"description": "mine", "$ref": "#/$defs/X"}
    assert schema["properties"]["n"] == {"type": ["integer", "null"], "exclusiveMinimum": 0}
    assert schema["$defs"] == {"X": {"type": "string", "examples": ["a"]}}


BODIES = """\
openapi: 3.1.0
info: {title: Repos, version: "1"}
servers: [{url: "https://e.com"}]
paths:
  /merge:
    put:
      operationId: merge
      requestBody:
        content:
          application/json:
            schema:
              type: [object, "null"]
              properties:
                merge_method: {type: string, enum: [merge, squash], default: merge}
                sha: {type: string, default: head}
      responses: {}
  /only:
    put:
      operationId: only
      requestBody:
        required: true
        content:
          application/json:
            schema: {oneOf: [{$ref: '#/components/schemas/Repo'}, {type: "null"}]}
      responses: {}
  /either:
    patch:
      operationId: either
      requestBody:
        content:
          application/json:
            schema:
              anyOf:
                - {$ref: '#/components/schemas/Repo'}
                - {type: object, properties: {labels: {type: array, items: {anyOf: [{type: string}, {type: object}]}}}}
      responses: {}
components:
  schemas:
    Repo:
      type: object
      required: [name]
      properties:
        name: {type: string}
        private: {type: boolean, default: false}
        review: {type: string, enum: [APPROVE, COMMENT]}
"""


def test_a_body_that_may_be_null_or_is_one_object_is_flattened(api):
    found = tools(api(BODIES))
    assert list(found["merge"].input_schema["properties"]) == ["merge_method", "sha"]
    assert list(found["only"].input_schema["properties"]) == ["name", "private", "review"]
    assert found["only"].input_schema["required"] == ["name"]
    assert list(found["either"].input_schema["properties"]) == ["body"]


@pytest.mark.parametrize(
    ("script", "body"),
    [
        ("merge", {}),  # defaults are shown, never sent
        ("merge --merge_method SQUASH", {"merge_method": "squash"}),
        ("only --name x", {"name": "x"}),
        ("only --name x --private", {"name": "x", "private": True}),
        ("either --name x", {"name": "x"}),
        ("either --body.name x --private", {"name": "x", "private": True}),
        ("either --labels bug,ui", {"labels": ["bug", "ui"]}),
        ("""either --labels '{"name": "bug"}'""", {"labels": [{"name": "bug"}]}),
        ("""echo '{"name": "x"}' | either""", {"name": "x"}),
        ("""either '{"name": "x"}'""", {"name": "x"}),
    ],
)
def test_only_what_was_given_is_sent_and_fields_of_a_body_are_flags(api, web, script, body):
    toolset = api(BODIES, toolset=LIVE.replace("URL", web.url), environ={"KEY": "s3cret"})
    response = toolset.make_tool().execute_sync(script)
    assert (response.stderr, response.exit_code, web.body) == ("", 0, body)


def test_errors_name_the_field_of_the_body(api, web):
    clash = BODIES.replace("/only:\n", "/only/{name}:\n")
    toolset = api(clash, toolset=LIVE.replace("URL", web.url), environ={"KEY": "s3cret"})
    response = toolset.make_tool().execute_sync("only x --body.name y --review reject --body.private=maybe --nam z")
    *problems, usage = response.stderr.splitlines()
    assert sorted(problems) == [
        "only: --body.private: expected boolean, got 'maybe'",
        "only: --body.review: expected one of APPROVE, COMMENT, got 'reject'",
        "only: --nam is not a parameter (did you mean --name?)",
    ]
    assert usage == "usage: only --name <string> --body {name, private?, review?}"
    assert not web.seen


# -- requests ----------------------------------------------------------------------------------------------------------

LIVE = """\
version: 1
name: t
env: {API: URL}
secrets: [KEY]
sources:
  - openapi: ./api.yaml
    base_url: ${API}/v1
    headers: {Authorization: "Bearer ${KEY}"}
    allow_private: true
    timeout: 5s
"""


@pytest.mark.parametrize(
    ("script", "request_line", "body"),
    [
        ("list_pets", "GET /v1/pets", None),
        ("list_pets --limit 3 --filter_kind cat", "GET /v1/pets?limit=3&filter%5Bkind%5D=cat", None),
        ("list_pets --tags a,b --near '{\"lat\": 1}'", "GET /v1/pets?tags=a,b&near%5Blat%5D=1", None),
        ("get_pets_pet_id 7", "GET /v1/pets/7", None),
        ("pets_delete --petId 7", "DELETE /v1/pets/7", None),
        ("create_pet --name Rex --secret x", "POST /v1/pets", {"name": "Rex", "secret": "x"}),
        ("""echo '{"name": "Rex", "owner": null}' | create_pet""", "POST /v1/pets", {"name": "Rex", "owner": None}),
        ("replace_tags 7 --body a,b", "PUT /v1/pets/7", ["a", "b"]),
    ],
)
def test_calls_become_requests(api, web, script, request_line, body):
    toolset = api(toolset=LIVE.replace("URL", web.url), environ={"KEY": "s3cret"})
    response = toolset.make_tool(policy=Policy({"destructive": "allow"})).execute_sync(script)
    assert (response.stdout, response.stderr, response.exit_code) == ('{"ok":true}\n', "", 0)
    assert web.last == request_line
    assert web.seen[-1][2]["authorization"] == "Bearer s3cret"
    assert (web.body if body is not None else None) == body


def test_x08_in_stub_mode_nothing_is_sent(api, web):
    toolset = api(toolset=LIVE.replace("URL", web.url), environ={"KEY": "s3cret", "BASHKIT_STUBS": "1"})
    assert (
        toolset.tool.execute_sync("list_pets").stderr
        == "list_pets: stubs replace callbacks, and this tool has no stub: nothing was sent\n"
    )
    assert web.seen == []


def test_headers_and_cookies(api, web):
    api(toolset=LIVE.replace("URL", web.url), environ={"KEY": "k"}).tool.execute_sync("list_pets --x_request_id r1 --session abc")
    headers = web.seen[-1][2]
    assert (headers["x-request-id"], headers["cookie"]) == ("r1", "session=abc")


def test_forms_are_sent_as_such(api, web):
    text = PETS.replace(
        "application/json:\n            schema: {$ref", "application/x-www-form-urlencoded:\n            schema: {$ref"
    )
    api(text, toolset=LIVE.replace("URL", web.url), environ={"KEY": "k"}).tool.execute_sync("create_pet --name 'a b'")
    assert web.seen[-1][3] == b"name=a+b"


@pytest.mark.parametrize(("said", "line"), [
    ("", "login --email <string> [--code <string>]"),
    ("required: true, ", "login --email <string> [--code <string>]"),
    ("required: false, ", "login [--email <string>] [--code <string>]"),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data"])
def test_required_fields_of_a_body_are_required_unless_it_may_be_left_out(api, kind, said, line):
    schema = "{type: object, required: [email], properties: {email: {type: string}, code: {type: string}}}"
    operation = f"{{operationId: login, requestBody: {{{said}content: {{{kind}: {{schema: {schema}}}}}}}}}"
    shown = api(START + operation + "\n").tool.execute_sync("login --help").stdout
    assert shown.startswith(f"Usage: {line}\n")


@pytest.mark.parametrize("schema", [
    "{anyOf: [{$ref: '#/components/schemas/Login'}, {type: 'null'}]}",
    "{allOf: [{$ref: '#/components/schemas/Login'}], default: {email: a@b.example}}",
    "{allOf: [{$ref: '#/components/schemas/Login'}], nullable: true}",
])  # fmt: skip
def test_required_fields_of_a_body_that_may_be_null_or_has_a_default_are_not(api, schema):
    operation = f"{{operationId: login, requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}}}"
    login = "{type: object, required: [email], properties: {email: {type: string}}}"
    tool = api(f"{START}{operation}\ncomponents: {{schemas: {{Login: {login}}}}}\n").tool
    assert tool.execute_sync("login --help").stdout.startswith("Usage: login [--email <string>]\n")


def test_a_form_has_its_fields_as_the_document_says(api, web):
    text = """
openapi: 3.0.0
servers: [{url: https://e.com/v1}]
paths:
  /customers:
    post:
      operationId: create
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              properties:
                address: {type: object, properties: {city: {type: string}}}
                expand: {type: array, items: {type: string}}
                tags: {type: array, items: {type: string}}
                other: {type: object}
            encoding:
              address: {style: deepObject, explode: true}
              expand: {style: deepObject, explode: true}
              tags: {explode: false}
"""
    tool = api(text, toolset=LIVE.replace("URL", web.url), environ={"KEY": "k"}).tool
    assert not tool.execute_sync("create --address.city Oslo --expand a,b --tags c,d --other x=y").stderr
    assert web.seen[-1][3] == b"address%5Bcity%5D=Oslo&expand%5B%5D=a&expand%5B%5D=b&tags=c,d&other=%7B%22x%22%3A%22y%22%7D"


def test_wrong_arguments_and_refusals_of_the_server(api, web):
    tool = api(toolset=LIVE.replace("URL", web.url), environ={"KEY": "k"}).tool
    response = tool.execute_sync("list_pets --limit 0; list_pets --limt 3; create_pet")
    assert [line for line in response.stderr.splitlines() if not line.startswith("usage")] == [
        "list_pets: --limit: expected more than 0, got 0",
        "list_pets: --limt is not a parameter (did you mean --limit?)",
        "create_pet: --name is required: expected string",
    ]
    assert web.seen == []
    web.answers["/v1/pets/9"] = (404, {}, b'{"message":"no pet"}')
    response = tool.execute_sync("get_pets_pet_id 9")
    assert (response.stderr, response.exit_code) == ('get_pets_pet_id: HTTP 404 Not Found: {"message":"no pet"}\n', 1)


def test_the_first_server_with_its_defaults_is_the_base(api):
    callbacks = {item.definition.name: item.callback for item in api().entries()}
    assert callbacks["get_pets_pet_id"].url == "https://eu.example.com/v1/pets/{petId}"
    own = PETS.replace(
        "    get: {summary: One pet,", "    get: {summary: One pet, servers: [{url: 'https://other.example.com'}],"
    )
    callbacks = {item.definition.name: item.callback for item in api(own).entries()}
    assert callbacks["get_pets_pet_id"].url == "https://other.example.com/pets/{petId}"


def test_prefix_include_and_exclude(api):
    chosen = api(toolset=SOURCE + "    prefix: pets_\n    include: ['*pet*']\n    exclude: ['pets_*']\n")
    assert list(tools(chosen)) == ["pets_list_pets", "pets_create_pet", "pets_get_pets_pet_id"]


# -- mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("swagger: '1.2'\n", "api.yaml:1:10: only OpenAPI 3.0 and 3.1 and Swagger 2.0 are read, not version 1.2"),
        ("openapi: 4.0.0\n", "api.yaml:1:10: only OpenAPI 3.0 and 3.1 and Swagger 2.0 are read, not version 4.0.0"),
        ("paths: {}\n", "api.yaml:1:1: only OpenAPI 3.0 and 3.1 and Swagger 2.0 are read, not a document without the key openapi"),
        ("- a\n", "api.yaml:1:1: an OpenAPI document is an object, not array"),
        ("openapi: 3.0.0\npaths: []\n", "api.yaml:2:8: paths is an object, not array"),
        ("openapi: [3.0\n", "api.yaml:2:1: YAML: while parsing a flow sequence, did not find expected ',' or ']'"),
        ('{"openapi": "3.0.0",\n "paths": }\n', None),
        ("", "api.yaml:1:1: the file is empty"),
        ("openapi: 3.0.0\npaths: {/a: {get: {}}}\n", "api.yaml:1:1: the document names no server: the source needs a base_url"),
        ("openapi: 3.0.0\nservers: [{url: /v1}]\npaths: {/a: {get: {}}}\n", "api.yaml:2:17: the server /v1 is relative: the source needs a base_url"),
        ("openapi: 3.0.0\nservers: [{url: 'https://{r}.e.com'}]\npaths: {/a: {get: {}}}\n",
         "api.yaml:2:17: the variable r of the server has no default: the source needs server_variables or a base_url"),
    ],
)  # fmt: skip
def test_a_document_that_cannot_be_used_is_an_error_at_its_place(api, folder, text, problem):
    with pytest.raises(ToolsetError) as caught:
        api(text).entries()
    shown = [str(one).replace(f"{folder.path}/./", "").replace(f"{folder.path}/", "") for one in caught.value.problems]
    assert len(shown) == 1
    assert problem is None or shown == [problem]


START = "openapi: 3.0.0\nservers: [{url: 'https://e.com'}]\npaths:\n  /ok: {get: {responses: {}}}\n  /a:\n    post: "


@pytest.mark.parametrize(
    ("operation", "problem"),
    [
        ("{parameters: [{$ref: 'other.yaml#/x'}]}",
         "6:32: POST /a is skipped: the reference other.yaml#/x is remote; only references inside the document are followed"),
        ("{parameters: [{name: x, in: query, schema: {$ref: 'https://e.com/x.json'}}]}",
         "6:61: POST /a is skipped: the reference https://e.com/x.json is remote; only references inside the document are followed"),
        ("{parameters: [{$ref: '#/components/none'}]}",
         "6:32: POST /a is skipped: the reference #/components/none leads nowhere in this document"),
        ("{parameters: [{name: x}]}", "6:25: POST /a is skipped: a parameter needs name and in"),
        ("{parameters: {}}", "6:24: POST /a is skipped: parameters is an array, not object"),
        ("{parameters: [{name: x, in: body}]}", "6:39: POST /a is skipped: a parameter is in path, query, header or cookie, not 'body'"),
        ("{parameters: [{name: x, in: path, style: matrix}]}", "6:52: POST /a is skipped: the style matrix of parameters is not supported"),
        ("{parameters: [{name: x, in: header, explode: true, schema: {type: object}}]}",
         "6:25: POST /a is skipped: an object in a header is not supported with explode: true"),
        ("{requestBody: {content: {multipart/form-data: {}}}}", "6:57: POST /a is skipped: a body of multipart/form-data is an object with known fields"),
        ("{requestBody: {content: {}}}", "6:35: POST /a is skipped: the body has no content"),
        ("{parameters: [{name: x, in: query, schema: {type: objekt}}]}", None),
        ("{operationId: if}", "6:11: POST /a is skipped: the tool name 'if' is a reserved word of the shell"),
        ("[]", "6:11: POST /a is skipped: an operation is an object, not array"),
        ("{parameters: [{name: x, in: query, schema: {$ref: '#/components/schemas/A'}}]}",
         "9:14: POST /a is skipped: the reference goes in a circle"),
    ],
)  # fmt: skip
def test_one_operation_that_cannot_be_done_is_a_warning_at_its_place_and_the_others_stay(api, operation, problem):
    end = "\ncomponents:\n  schemas:\n    A: {$ref: '#/components/schemas/B'}\n    B: {$ref: '#/components/schemas/A'}\n"
    toolset = api(START + operation + end)
    assert [tool.name for tool in toolset.tools] == ["get_ok"]
    assert len(toolset.warnings) == 1
    warning = toolset.warnings[0]
    assert (warning.severity, warning.code) == ("warning", "skipped")
    without = api(START + operation + end, toolset=f"{SOURCE}    {warning.hint}\n")
    assert ([tool.name for tool in without.tools], without.warnings) == (["get_ok"], [])
    shown = str(toolset.warnings[0]).rpartition("api.yaml:")[2]
    if problem is None:
        assert shown.startswith("6:11: POST /a is skipped: properties.x.type: not a JSON Schema: 'objekt'")
    elif "circle" in problem:
        assert shown.endswith("POST /a is skipped: the reference goes in a circle")
    else:
        assert shown == problem


HOOKS = """\
openapi: 3.1.0
servers: [{url: 'https://e.com'}]
webhooks: {newPet: {post: {}}, x-hook: {}, gone: {post: {operationId: petGone}}}
paths:
  /ok:
    post: {operationId: sub, callbacks: {onEvent: {'{$request.body#/url}': {post: {}}}}}
"""


def test_webhooks_and_callbacks_are_passed_over_with_one_note_that_exclude_silences(api):
    toolset = api(HOOKS)
    assert list(tools(toolset)) == ["sub"]
    note = toolset.warnings[0]
    assert len(toolset.warnings) == 1
    assert note.message == "webhooks and callbacks are skipped, because the API sends them: new_pet, pet_gone, on_event"
    assert note.hint == "exclude: [new_pet, pet_gone, on_event]"
    silent = api(HOOKS, toolset=f"{SOURCE}    {note.hint}\n")
    assert (list(tools(silent)), silent.warnings) == (["sub"], [])


def test_check_fails_for_operations_that_are_passed_over_only_with_strict(folder):
    folder.write("api.yaml", HOOKS + "  /up: {post: {parameters: [{name: x}]}}\n")
    path = str(folder.write("t.yaml", SOURCE))
    plain = CliRunner().invoke(cli, ["check", path])
    assert (plain.exit_code, "exclude: [post_up]" in plain.output) == (0, True)
    assert CliRunner().invoke(cli, ["check", "--strict", path]).exit_code == 1


def test_operations_of_one_name_are_told_apart_by_method_and_path(api):
    text = "openapi: 3.1.0\nservers: [{url: 'https://e.com'}]\npaths:\n"
    text += "  /a: {get: {operationId: same}}\n  /b: {get: {operationId: same}}\n"
    assert list(tools(api(text))) == ["same", "get_b"]


def test_operations_of_one_method_and_nearly_one_path_are_told_apart_by_a_number(api):
    text = "openapi: 3.1.0\nservers: [{url: 'https://e.com'}]\npaths:\n"
    text += "  /a: {get: {}}\n  /a/: {get: {}}\n  /a_: {get: {}}\n  /{a}: {get: {}}\n"
    assert list(tools(api(text))) == ["get_a", "get_a_2", "get_a_3", "get_a_4"]


@pytest.mark.parametrize(
    ("pattern", "fits", "wrong"),
    [
        (r"^\p{L}+$", "Zoë", "a1"),  # ECMA-262 has them, Python has not
        (r"^[\w-.]+$", "a-b.c", "a b"),
        (r"^\P{Lu}+$", "é1", "É"),
        (r"^(?!x)[[a-z]+$", "a[", "xa"),
    ],
)
def test_patterns_are_those_of_json_schema(api, web, pattern, fits, wrong):
    parameter = f"{{name: q, in: query, schema: {{type: string, pattern: '{pattern}'}}}}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tool = api(f"{START}{{parameters: [{parameter}]}}\n").tool
        response = tool.execute_sync(f"post_a --q '{wrong}'")
    assert (response.exit_code, "expected text that matches" in response.stderr) == (2, True), response.stderr
    assert tool.execute_sync(f"post_a --q '{fits}' --dry-run").exit_code == 0


@pytest.mark.parametrize(
    ("schema", "given", "sent"),
    [
        ("{type: string, enum: [none, 1, 2, true]}", "1", "1"),
        ("{type: string, enum: [none, 1, 2, true]}", "true", "true"),
        ("{type: integer, enum: ['1', '2']}", "2", "2"),
        ("{type: number, enum: ['1', '2.5']}", "2.5", "2.5"),
        ("{type: boolean, enum: ['false', 'true']}", "false", "false"),
        ("{type: array, enum: [a, b]}", "b", "b"),
        ("{type: array, items: {type: string}, enum: [1, b]}", "1,b", "1,b"),
        ("{type: integer, enum: [created, changed]}", "created", "created"),
        ("{type: string, nullable: true, enum: [a, null]}", "a", "a"),
    ],
)
def test_a_choice_can_be_given_though_the_schema_has_another_type(api, web, schema, given, sent):
    parameter = f"{{name: q, in: query, explode: false, schema: {schema}}}"
    toolset = api(
        f"{START}{{parameters: [{parameter}]}}\n", toolset=f"{SOURCE}    base_url: {web.url}\n    allow_private: true\n"
    )
    assert toolset.tool.execute_sync(f"post_a --q {given}").stderr == ""
    assert web.last == f"POST /a?q={sent}"
    refused = toolset.tool.execute_sync("post_a --q other").stderr
    assert "expected" in refused or "none of" in refused, refused


def test_a_value_may_have_several_forms_of_one_of(api, web):
    body = "{oneOf: [{type: object, properties: {cursor: {type: string}}}, {type: object, properties: {limit: {type: integer}}}]}"
    only = "{type: object, properties: {url: {}, html: {}}, oneOf: [{required: [url]}, {required: [html]}]}"
    toolset = f"{SOURCE}    base_url: {web.url}\n    allow_private: true\n"
    operation = "{{requestBody: {{content: {{application/json: {{schema: {0}}}}}}}}}\n"
    response = api(START + operation.format(body), toolset=toolset).tool.execute_sync("""post_a --body '{"cursor":"x"}'""")
    assert (response.stderr, web.body) == ("", {"cursor": "x"})
    response = api(START + operation.format(only), toolset=toolset).tool.execute_sync("post_a --body.url a --body.html b")
    assert "only one may be given of --body.url and --body.html" in response.stderr


def test_of_definitions_that_all_lead_to_each_other_an_output_schema_has_the_closest(api):
    count = 60
    near = ", ".join(f"n{other}: {{$ref: '#/components/schemas/N{other}'}}" for other in range(count))
    text = f"openapi: 3.1.0\nservers: [{{url: 'https://e.com'}}]\npaths:\n  /a: {{get: {{responses: {answer('First')}}}}}\n"
    text += "components:\n  schemas:\n    First: {type: object, properties: {id: {type: integer}, next: {$ref: '#/components/schemas/N7'}}}\n"
    text += "".join(f"    N{number}: {{type: object, properties: {{{near}}}}}\n" for number in range(count))
    schema = tools(api(text))["get_a"].output_schema
    assert {"First", "N7"} <= schema["$defs"].keys()
    assert len(json.dumps(schema)) < 30_000
    assert {part["$ref"] for part in parts(schema) if "$ref" in part} <= {f"#/$defs/{name}" for name in schema["$defs"]}
    assert schema["$defs"]["N7"]["properties"]["n59"] == {}


def answer(name):
    return f"{{'200': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/{name}'}}}}}}}}}}"


def parts(value):
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(inner)


def test_headers_that_the_client_writes_are_no_parameters(api):
    text = (
        START
        + "{parameters: [{name: Content-Length, in: header, required: true}, {name: Host, in: header}, {name: X, in: header}]}\n"
    )
    assert list(tools(api(text))["post_a"].input_schema["properties"]) == ["x"]


def test_a_pattern_that_cannot_be_read_is_a_warning_and_costs_no_operation(api):
    schema = r"{type: string, pattern: '^\p{ASCII}+$'}"
    toolset = api(
        f"{START}{{parameters: [{{name: q, in: query, schema: {schema}}}, {{name: r, in: query, schema: {schema}}}]}}\n"
    )
    assert tools(toolset)["post_a"].input_schema["properties"] == {"q": {"type": "string"}, "r": {"type": "string"}}
    (warning,) = toolset.warnings
    shown = str(warning).rpartition("api.yaml:")[2]
    assert (warning.code, shown) == ("unchecked-pattern", r"6:78: the pattern is not checked: bad escape \p at position 1")


def test_a_field_that_is_required_twice_is_required(api):
    schema = "{allOf: [{required: [a, a], properties: {a: {}}}, {required: [b, a], properties: {b: {required: [c, c]}}}]}"
    body = f"{{requestBody: {{required: true, content: {{application/json: {{schema: {schema}}}}}}}}}"
    assert tools(api(f"{START}{body}\n"))["post_a"].input_schema["required"] == ["a", "b"]


def test_an_operation_that_is_called_as_a_builtin_is_a_warning_that_says_what_to_do(api):
    toolset = api("openapi: 3.1.0\nservers: [{url: 'https://e.com'}]\npaths: {/a: {post: {operationId: echo}}}\n")
    assert [(one.message, one.hint, one.severity) for one in toolset.entries() or toolset.warnings] == [
        (
            "POST /a is skipped: it would hide the command 'echo'",
            "give the source a prefix, or exclude it: exclude: [echo]",
            "warning",
        )
    ]


def test_swagger_1_is_refused_with_a_converter(api):
    with pytest.raises(ToolsetError) as caught:
        api("swagger: '1.2'\n").entries()
    hint = caught.value.problems[0].hint
    assert re.fullmatch(r"convert it: npx api-spec-converter --from swagger_1 --to openapi_3 \S*api\.yaml", hint)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("openapi: ./api.yaml\n    cwd: .", "5:5: an OpenAPI source takes no 'cwd'"),
        ("openapi: ./api.yaml\n    base_url: example.com", "5:15: a URL begins with http:// or https://"),
        (
            "openapi: ./api.yaml\n    headers: {A: '${NONE}'}",
            "5:18: the variable NONE is neither in env nor in secrets | secrets: [NONE]",
        ),
        (
            "openapi: ./api.yaml\n    allow: ['a b']",
            "5:13: 'a b' is not a host; write 'api.example.com', '*.example.com', 'https://host' or 'host:8443'",
        ),
        (
            "openapi: https://api.example.com/v1.json",
            "4:14: the document is a file of this machine, not an address | download it: curl -LO https://api.example.com/v1.json",
        ),
        ("openapi: ./none.yaml", "4:14: it cannot be read: No such file or directory"),
        ("openapi: 3", '4:14: expected string, got integer | write "3" in quotes'),
    ],
)
def test_y02_mistakes_of_the_source_have_positions(folder, source, problem):
    folder.write("api.yaml", PETS)
    found = folder.problems(f"version: 1\nname: t\nsources:\n  - {source}\n", resolve=True)
    assert [line.partition("/none.yaml: ")[0] for line in found] == [problem]


def test_loading_reads_no_document(folder):
    load(folder.write("t.yaml", SOURCE))  # there is none


def test_a_document_that_is_nested_too_deeply_is_refused(api):
    deep = '{"openapi": "3.0.0", "x-a": ' + "[" * 90 + "]" * 90 + "}"
    api(deep, name="api.json").entries()
    deep = '{"openapi": "3.0.0", "x-a": ' + "[" * 200 + "]" * 200 + "}"
    with pytest.raises(ToolsetError, match="nested deeper than 100 levels"):
        api(deep, name="api.json").entries()


def with_schemas(schemas):
    parameter = {"name": "x", "in": "query", "schema": {"$ref": "#/components/schemas/S0"}}
    body = {"required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}
    paths = {"/a": {"get": {"parameters": [parameter]}, "post": {"requestBody": body}}, "/ok": {"get": {}}}
    return json.dumps(
        {"openapi": "3.1.0", "servers": [{"url": "https://e.com"}], "paths": paths, "components": {"schemas": schemas}}
    )


def test_a_chain_of_two_thousand_schemas_is_followed_to_its_end(api):
    schemas = {
        f"S{n}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{n + 1}"}}} for n in range(2000)
    }
    found = tools(api(with_schemas({**schemas, "S2000": {"type": "string"}}), name="api.json"))
    assert list(found) == ["get_a", "post_a", "get_ok"]
    assert len(found["get_a"].input_schema["$defs"]) == 2001
    assert len(found["post_a"].input_schema["$defs"]) == 2000


@pytest.mark.parametrize(
    "schemas",
    [
        {"S0": {"allOf": [{"$ref": "#/components/schemas/S0"}]}},
        {
            "S0": {"allOf": [{"$ref": "#/components/schemas/S1"}]},
            "S1": {"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/S0"}]},
        },
        {"S0": {"$ref": "#/components/schemas/S1", "description": "d"}, "S1": {"not": {"$ref": "#/components/schemas/S0"}}},
    ],
)
def test_a_schema_that_consists_of_itself_is_refused(api, schemas):
    toolset = api(with_schemas(schemas), name="api.json")
    assert [tool.name for tool in toolset.tools] == ["get_ok"]
    assert {warning.message for warning in toolset.warnings} == {
        "GET /a is skipped: the reference goes in a circle",
        "POST /a is skipped: the reference goes in a circle",
    }


def document(operations):
    """An OpenAPI document with so many operations, whose answers refer to schemas that refer to each other."""
    schemas = {
        f"S{n}": {
            "type": "object",
            "properties": {"a": {"type": "string"}, "next": {"$ref": f"#/components/schemas/S{(n + 1) % 50}"}},
        }
        for n in range(50)
    }
    paths = {
        f"/r{n}/{{id}}": {
            "get": {
                "operationId": f"getThing{n}",
                "summary": "Get",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/S{n % 50}"}}}}},
            }
        }
        for n in range(operations)
    }
    return {"openapi": "3.0.0", "servers": [{"url": "https://e.com"}], "paths": paths, "components": {"schemas": schemas}}


@pytest.mark.parametrize("name", ["api.json", "api.yaml"])
def test_what_a_document_costs_grows_with_the_number_of_its_operations_and_no_faster(tmp_path, name):
    def ask(operations):
        value = document(operations)
        (tmp_path / name).write_text(json.dumps(value) if name == "api.json" else yaml.dump(value, Dumper=yaml.CSafeDumper))
        source = OpenApiSource(tmp_path / name, "", {}, (), False, None, read("", "t.yaml"), ())
        found = []
        calls = cost(lambda: found.append(source.ask(Asking())))
        assert (len(found[0].tools), found[0].skipped) == (operations, ())
        return calls

    assert ask(500) <= 5 * ask(100)
