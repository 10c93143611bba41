"""Credentials by security schemes, and servers with variables."""

import base64

import pytest

from bashkit.errors import ToolsetError
from bashkit.toolset import load

API = """\
openapi: 3.1.0
servers:
  - url: URL/{region}/v1
    variables: {region: {default: eu, enum: [eu, us]}}
security: [{Key: []}]
paths:
  /key: {get: {operationId: key}}
  /none: {get: {operationId: none, security: []}}
  /optional: {get: {operationId: optional, security: [{}, {Token: []}]}}
  /either: {get: {operationId: either, security: [{Missing: []}, {Key: [], Session: []}]}}
  /query: {get: {operationId: query, parameters: [{name: q, in: query}], security: [{Query: []}]}}
  /cookie: {get: {operationId: cookie, parameters: [{name: a, in: cookie}], security: [{Session: []}]}}
  /basic: {get: {operationId: basic, security: [{Login: []}]}}
  /oauth: {get: {operationId: oauth, security: [{OAuth: [read]}]}}
components:
  securitySchemes:
    Key: {type: apiKey, in: header, name: X-API-Key}
    Query: {type: apiKey, in: query, name: api_key}
    Session: {type: apiKey, in: cookie, name: sid}
    Token: {type: http, scheme: bearer}
    Login: {type: http, scheme: basic}
    OAuth: {type: oauth2, flows: {}}
    Missing: {type: openIdConnect, openIdConnectUrl: 'https://e.com'}
"""
TEXTS = "Key: 'k-${KEY}', Query: '${KEY}', Session: '${KEY}', Token: '${KEY}', Login: 'ada:${KEY}', OAuth: '${KEY}'"
TOOLSET = "version: 1\nname: t\nsecrets: [KEY]\nsources:\n  - openapi: ./api.yaml\n    allow_private: true\n"
BASIC = "Basic " + base64.b64encode(b"ada:s3cret").decode()


@pytest.fixture
def write(folder, web):
    def write(options="", text=API):
        folder.write("api.yaml", text.replace("URL", web.url))
        return load(folder.write("t.yaml", TOOLSET + options), environ={"KEY": "s3cret"})

    return write


@pytest.mark.parametrize(
    ("script", "request_line", "sent"),
    [
        ("key", "GET /eu/v1/key", {"x-api-key": "k-s3cret"}),
        ("none", "GET /eu/v1/none", {}),
        ("optional", "GET /eu/v1/optional", {"authorization": "Bearer s3cret"}),
        ("either", "GET /eu/v1/either", {"x-api-key": "k-s3cret", "cookie": "sid=s3cret"}),
        ("query --q x", "GET /eu/v1/query?q=x&api_key=s3cret", {}),
        ("cookie --a 1", "GET /eu/v1/cookie", {"cookie": "a=1; sid=s3cret"}),
        ("cookie", "GET /eu/v1/cookie", {"cookie": "sid=s3cret"}),
        ("basic", "GET /eu/v1/basic", {"authorization": BASIC}),
        ("oauth", "GET /eu/v1/oauth", {"authorization": "Bearer s3cret"}),
    ],
)
def test_a_request_carries_what_its_operation_asks_for_and_nothing_else(write, web, script, request_line, sent):
    response = write(f"    security: {{{TEXTS}}}\n").tool.execute_sync(script)
    assert (response.stderr, web.last) == ("", request_line)
    headers = web.seen[-1][2]
    assert {name: headers[name] for name in ("x-api-key", "authorization", "cookie") if name in headers} == sent


def test_credentials_that_are_missing_are_a_warning_with_the_lines_to_write(write):
    toolset = write()
    assert toolset.entries()
    (warning,) = toolset.warnings
    assert (warning.severity, warning.message) == (
        "warning",
        "the API wants credentials: Key, Missing, Query, Session, Login, OAuth",
    )
    texts = 'Key: "${KEY}", Missing: "${MISSING}", Query: "${QUERY}", Session: "${SESSION}", Login: "${LOGIN}", OAuth: "${OAUTH}"'
    assert warning.hint == f"security: {{{texts}}}, with secrets: [KEY, MISSING, QUERY, SESSION, LOGIN, OAUTH]"


@pytest.mark.parametrize("options", ["    headers: {Authorization: x}\n", "    include: [none, optional]\n"])
def test_nothing_is_said_where_there_are_headers_or_nothing_is_wanted(write, options):
    toolset = write(options)
    assert (bool(toolset.entries()), toolset.warnings) == (True, [])


def test_a_name_that_is_no_scheme_is_an_error_at_its_place(write):
    with pytest.raises(ToolsetError) as caught:
        write("    security: {Kay: '${KEY}'}\n").entries()
    problem = caught.value.problems[0]
    assert (problem.line, problem.column) == (7, 16)
    assert problem.message.startswith("the document has no security scheme 'Kay'; it has Key, Query, Session,")


def test_a_variable_of_a_credential_must_be_known(write):
    with pytest.raises(ToolsetError, match="the variable KAY is neither in env nor in secrets"):
        write("    security: {Key: '${KAY}'}\n")


def test_the_variables_of_a_server_have_values(write, web):
    write("    server_variables: {region: us}\n    headers: {X: y}\n").tool.execute_sync("key")
    assert web.last == "GET /us/v1/key"


def test_a_variable_of_a_server_has_one_of_its_values(write):
    with pytest.raises(ToolsetError, match="the variable region of the server is one of eu, us, not asia"):
        write("    server_variables: {region: asia}\n").entries()


def test_a_callback_has_basic_authentication(folder, web):
    text = f"""\
version: 1
name: t
secrets: [KEY]
tools:
  - name: me
    description: Me.
    input_schema: {{}}
    callback: {{http: {{url: '{web.url}/me', basic: 'ada:${{KEY}}', allow_private: true}}}}
"""
    load(folder.write("t.yaml", text), environ={"KEY": "s3cret"}).tool.execute_sync("me")
    assert web.seen[-1][2]["authorization"] == BASIC
