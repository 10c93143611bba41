"""HTTP callbacks: what is sent, what may be reached, what comes of the answer."""

import asyncio
import json
import sys

import pytest

from bashkit.errors import CallbackNotFoundError, ToolError
from bashkit.tools import ToolArgs
from bashkit.toolset import load
from bashkit.toolset.callbacks import http
from bashkit.toolset.callbacks.http import HttpCallback
from bashkit.toolset.callbacks.http.template import literal

from ..web import SILENCE

ENV = {"KEY": "s3cret", "EMPTY": ""}


def call(target, params=None, env=None):
    return asyncio.run(target(ToolArgs(params or {}, None, ENV if env is None else env)))


def target(web, path, method="GET", **options):
    return HttpCallback(method, web.url + path, **{"allow_private": True, **options})


def refused(made, params=None, env=None):
    with pytest.raises(ToolError) as caught:
        call(made, params, env)
    return caught.value.message, caught.value.exit_code


# -- what is sent ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "params", "sent"),
    [
        ("/users/{id}", {"id": 7}, "/users/7"),
        ("/users/{id}", {"id": "a b/c?d#e&f%ü"}, "/users/a%20b%2Fc%3Fd%23e%26f%25%C3%BC"),
        ("/a/{ids}", {"ids": [1, "x,y"]}, "/a/1,x%2Cy"),
        ("/a/{flag}.json", {"flag": True}, "/a/true.json"),
        ("/$${{x}}", {}, "/$%7Bx%7D"),
        ("/a?fixed=1", {}, "/a?fixed=1"),
    ],
)
def test_arguments_in_the_url_are_percent_encoded(web, path, params, sent):
    call(target(web, path), params)
    assert web.last == f"GET {sent}"


@pytest.mark.parametrize(
    ("query", "params", "sent"),
    [
        ({"q": "{q}"}, {"q": "a b&c=d"}, "?q=a%20b%26c%3Dd"),
        ({"q": "{q}"}, {}, ""),
        ({"q": "{q}"}, {"q": None}, ""),
        ({"q": "{q}"}, {"q": ""}, "?q="),
        ({"q": "{q}"}, {"q": False}, "?q=false"),
        ({"id": "{ids}"}, {"ids": [1, 2]}, "?id=1&id=2"),
        ({"id": "{ids|,}"}, {"ids": [1, "a,b"]}, "?id=1,a%2Cb"),
        ({"id": "{ids||}"}, {"ids": [1, 2]}, "?id=1%7C2"),
        ({"id": "{ids| }"}, {"ids": [1, 2]}, "?id=1%202"),
        ({"f": "{f}"}, {"f": {"a": 1, "b": "x"}}, "?a=1&b=x"),
        ({"f[]": "{f}"}, {"f": {"a": 1}}, "?f%5Ba%5D=1"),
        ({"f": "{f|[]}"}, {"f": {"a": 1}}, "?f%5Ba%5D=1"),
        ({"f": "{f|[]}"}, {"f": ["a", "b"]}, "?f%5B%5D=a&f%5B%5D=b"),
        ({"f": "{f|[]}"}, {"f": 5}, "?f=5"),
        ({"f": "{f|[]}"}, {"f": {"a": {"b": [1]}}}, "?f%5Ba%5D%5Bb%5D%5B%5D=1"),
        ({"f": "{f|[]}"}, {"f": [{"a": 1}, {"a": 2}]}, "?f%5B0%5D%5Ba%5D=1&f%5B1%5D%5Ba%5D=2"),
        ({"sort": "{by}:{order}"}, {"by": "name"}, "?sort=name%3A"),
        ({"sort": "{by}:{order}"}, {}, ""),
        ({"limit": 10, "all": True}, {}, "?limit=10&all=true"),
        ({"key": "${KEY}"}, {}, "?key=s3cret"),
        ({"page[size]": "{n}"}, {"n": 5}, "?page%5Bsize%5D=5"),
    ],
)
def test_the_query(web, query, params, sent):
    call(target(web, "/a", query=query), params)
    assert web.last == f"GET /a{sent}"


def test_a_query_is_added_to_the_urls_own(web):
    call(target(web, "/a?v=1", query={"q": "{q}"}), {"q": "x"})
    assert web.last == "GET /a?v=1&q=x"


def test_headers_with_variables_and_arguments(web):
    headers = {"Authorization": "Bearer ${KEY}", "X-Lang": "{lang}", "X-Default": "${NONE:-d}", "Cookie": "a={a}; b={b}; c=1"}
    call(target(web, "/a", headers=headers), {"b": "x"})
    seen = web.seen[-1][2]
    assert (seen["authorization"], seen["x-default"], seen["cookie"]) == ("Bearer s3cret", "d", "b=x; c=1")
    assert "x-lang" not in seen
    assert seen["host"] == web.url.removeprefix("http://")


@pytest.mark.parametrize(
    ("body", "params", "sent"),
    [
        ({"name": "{name}", "age": "{age}"}, {"name": "Ada", "age": 36}, {"name": "Ada", "age": 36}),
        ({"name": "{name}", "age": "{age}"}, {"age": None}, {"age": None}),
        ({"name": "{name}"}, {}, {}),
        ({"user": {"name": "{name}"}, "fixed": [1, "{x}", "{y}"]}, {"y": 2}, {"fixed": [1, 2]}),
        (
            {"text": "Hello {name}, {{you}}", "tags": "{tags|, }"},
            {"name": "Ada", "tags": ["a", "b"]},
            {"text": "Hello Ada, {you}", "tags": "a, b"},
        ),
        ("{all}", {"all": [1, {"a": None}]}, [1, {"a": None}]),
        ({"key": "${KEY}", "cost": literal("${KEY} {x} $$")}, {}, {"key": "s3cret", "cost": "${KEY} {x} $$"}),
    ],
)
def test_a_json_body(web, body, params, sent):
    call(target(web, "/a", "POST", body=body), params)
    assert web.body == sent
    assert web.seen[-1][2]["content-type"] == "application/json"


def test_a_body_of_a_missing_argument_is_none(web):
    call(target(web, "/a", "POST", body="{all}"))
    assert web.seen[-1][3] == b""


def test_a_form_and_plain_text(web):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    call(target(web, "/a", "POST", body={"q": "{q}", "t": "{t}"}, headers=form), {"q": "a b", "t": [1, 2]})
    assert web.seen[-1][3] == b"q=a+b&t=1&t=2"
    body = {"plain": "{o}", "deep": "{o|[]}", "joined": "{t|,}", "none": "{none|[]}"}
    call(target(web, "/a", "POST", body=body, headers=form), {"o": {"k": "a b"}, "t": [1, 2]})
    assert web.seen[-1][3] == b"plain=%7B%22k%22%3A%22a+b%22%7D&deep%5Bk%5D=a+b&joined=1,2"
    call(target(web, "/a", "POST", body="{text}", headers={"Content-Type": "text/plain"}), {"text": "hi ü"})
    assert web.seen[-1][3] == "hi ü".encode()


@pytest.mark.parametrize(
    ("path", "options", "params", "message"),
    [
        ("/users/{id}", {}, {}, "--id is required"),
        ("/users/{id}", {}, {"id": ""}, "--id is empty: it is a part of the address"),
        ("/users/{id}/x", {}, {"id": ".."}, "an argument would lead to another address: it is . or .."),
        ("/a", {"headers": {"X": "{x}"}}, {"x": "a\r\nEvil: 1"}, "a header is one line"),
        ("/a", {"headers": {"X": "${UNSET}"}}, {}, "the variable UNSET is not set"),
    ],
)
def test_what_is_refused_before_anything_is_sent(web, path, options, params, message):
    assert refused(target(web, path, **options), params)[0] == message
    assert web.seen == []


# -- what comes of the answer ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "stdout"),
    [
        (b'{"a": 1.0, "b":2}', b'{"a": 1.0, "b":2}\n'),
        (b'{\n  "a": 1.50,\n  "b": [1]\n}\n', b'{"a":1.5,"b":[1]}\n'),
        (b"42", b"42\n"),
        (b"two\nlines\n", b"two\nlines\n"),
        (b"{\nnot json\n}", b"{\nnot json\n}"),
        (b"", b""),
        (b"\xff\x00\n", b"\xff\x00\n"),
    ],
)
def test_a_2xx_is_standard_output(web, body, stdout):
    web.answers["/a"] = (201, {}, body)
    assert call(target(web, "/a")).stdout == stdout


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (404, b'{\n "error": "no such user"\n}', 'HTTP 404 Not Found: { "error": "no such user" }'),
        (500, b"", "HTTP 500 Internal Server Error"),
        (400, b"x" * 600, "HTTP 400 Bad Request: " + "x" * 500 + "…"),
        (304, b"", "HTTP 304 Not Modified"),
    ],
)
def test_any_other_status_is_an_error_with_a_short_body(web, status, body, message):
    web.answers["/a"] = (status, {}, body)
    assert refused(target(web, "/a")) == (message, 1)


def test_too_large_an_answer_is_refused(web, monkeypatch):
    monkeypatch.setattr(http, "MAX_RESPONSE", 1 << 20)
    web.answers["/a"] = (200, {}, b"x" * (2 << 20))
    assert refused(target(web, "/a"))[0] == "the answer is larger than 1 MB"


def test_no_answer_in_time_is_124(web):
    web.answers["/a"] = (200, {}, SILENCE)
    assert refused(target(web, "/a", timeout=0.3)) == ("no answer within 0.3 s", 124)


def test_no_server_and_no_http(web):
    web.close()
    assert refused(target(web, "/a"))[0] == "127.0.0.1: no connection"


# -- what may be reached -----------------------------------------------------------------------------------------------


def test_private_addresses_are_refused_unless_allowed(web):
    assert refused(target(web, "/a", allow_private=False)) == (
        "127.0.0.1 is a private address; allow_private: true lets the tool reach it",
        126,
    )
    assert web.seen == []


@pytest.mark.parametrize("host", ["169.254.169.254", "10.0.0.1", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "localhost"])
def test_no_spelling_of_a_private_address_gets_through(host):
    assert "is a private address" in refused(HttpCallback("GET", f"http://{host}/"))[0]


def test_an_argument_that_decides_the_host_needs_a_list(web):
    made = HttpCallback("GET", "http://{host}/a", allow_private=True)
    host = web.url.removeprefix("http://")
    assert (
        refused(made, {"host": "127.0.0.1"})[0]
        == "an argument decides which host is asked: the callback needs a list of hosts, allow"
    )
    listed = HttpCallback("GET", "http://{host}/a", allow=("example.com",), allow_private=True)
    assert refused(listed, {"host": "127.0.0.1"})[0] == "http://127.0.0.1:80 is not among the hosts that this tool may reach"
    assert refused(listed, {"host": "example.com@127.0.0.1"})[1] == 126  # encoded, it is one strange name
    assert host


def test_a_redirect_is_followed_and_checked_again(web):
    web.answers["/a"] = (302, {"Location": "/b"}, b"")
    web.answers["/b"] = (200, {}, b'{"at":"b"}')
    assert call(target(web, "/a")).stdout == b'{"at":"b"}\n'
    web.answers["/a"] = (302, {"Location": "http://localhost:1/b"}, b"")
    assert refused(target(web, "/a"))[0] == "http://localhost:1 is not among the hosts that this tool may reach"
    web.answers["/a"] = (302, {"Location": "/a"}, b"")
    assert refused(target(web, "/a"))[0] == "more than 5 redirects"
    web.answers["/a"] = (302, {"Location": "http://bad host/"}, b"")
    assert refused(target(web, "/a"))[1] == 126
    web.answers["/a"] = (302, {"Location": "file:///etc/passwd"}, b"")
    assert refused(target(web, "/a"))[0] == "the address is not an http or https URL"


def test_credentials_do_not_follow_to_another_host(web):
    port = web.server.server_port
    web.answers["/a"] = (307, {"Location": f"http://localhost:{port}/b"}, b"")
    allow = (f"127.0.0.1:{port}", f"localhost:{port}")
    call(target(web, "/a", allow=allow, headers={"Authorization": "Bearer ${KEY}", "X-Key": "${KEY}"}))
    assert [("s3cret" in json.dumps(headers)) for _, _, headers, _ in web.seen] == [True, False]


def test_a_post_that_is_redirected_becomes_a_get(web):
    web.answers["/a"] = (303, {"Location": "/b"}, b"")
    call(target(web, "/a", "POST", body={"a": 1}))
    assert [(method, path, body) for method, path, _, body in web.seen] == [("POST", "/a", b'{"a":1}'), ("GET", "/b", b"")]


def test_credentials_in_the_address_are_refused(web):
    made = HttpCallback("GET", web.url.replace("://", "://user:pw@"), allow_private=True)
    assert refused(made)[0] == "the address contains credentials: put them into headers"


def test_without_httpx_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    made = HttpCallback("GET", "https://example.com")
    assert refused(made) == ("httpx is missing: pip install 'bashkit-toolsets[http]' adds it", 127)
    with pytest.raises(CallbackNotFoundError, match="pip install"):
        made.resolve()


# -- in a toolset ------------------------------------------------------------------------------------------------------

TOOLSET = """\
version: 1
name: t
env: {API: URL}
secrets: [KEY]
tools:
  - name: get_user
    input_schema: {properties: {id: {type: integer}, tags: {type: array}}, required: [id]}
    callback:
      http:
        url: "${API}/users/{id}"
        query: {tag: "{tags}"}
        headers: {Authorization: "Bearer ${KEY}"}
        allow_private: true
    timeout: 5s
"""


def test_in_a_toolset_and_no_script_or_trace_shows_the_secret(folder, web):
    toolset = load(folder.write("t.yaml", TOOLSET.replace("URL", web.url)), environ={"KEY": "s3cret"})
    assert toolset.declared[0].callback.timeout == 5
    web.answers["/users/7"] = (200, {}, b'{"echo":"s3cret"}')
    response = toolset.tool.execute_sync("get_user --id 7 --tags a,b; echo $KEY")
    assert response.stdout == '{"echo":"***"}\n\n'
    assert web.last == "GET /users/7?tag=a&tag=b"
    assert web.seen[-1][2]["authorization"] == "Bearer s3cret"
    assert "s3cret" not in response.trace.json_lines() + toolset.tool.system_prompt()
    web.answers["/users/8"] = (403, {}, b"the key s3cret is wrong")
    response = toolset.tool.execute_sync("get_user --id 8")
    assert (response.exit_code, response.stderr) == (1, "get_user: HTTP 403 Forbidden: the key *** is wrong\n")


def test_x08_in_stub_mode_nothing_is_sent(folder, web):
    path = folder.write("t.yaml", TOOLSET.replace("URL", web.url))
    response = load(path, environ={"KEY": "s3cret", "BASHKIT_STUBS": "1"}).tool.execute_sync("get_user --id 7")
    assert response.stderr == "get_user: stubs replace callbacks, and this tool has no stub: nothing was sent\n"
    assert web.seen == []


HEAD = "version: 1\nname: t\nenv: {API: 'https://x'}\ntools:\n  - name: get\n    input_schema: {properties: {id: {}}}\n    callback:\n      "


@pytest.mark.parametrize(
    ("callback", "problems"),
    [
        ("http: {url: 'https://example.com/{id}'}", []),
        ("http: {url: '${API}/{id}'}", []),
        ("http: {}", ["8:13: an HTTP callback needs a url"]),
        ("http: https://example.com", ["8:13: expected object, got string | write {url: https://example.com}"]),
        ("http: {url: example.com}", ["8:19: a URL begins with http:// or https://"]),
        (
            "http: {url: 'https://e.com', method: get}",
            ["8:44: expected GET or HEAD or POST or PUT or PATCH or DELETE or OPTIONS, got 'get' | did you mean GET?"],
        ),
        ("http: {url: 'https://e.com', hedders: {}}", ["8:36: unknown key 'hedders' | did you mean headers?"]),
        ("http: {url: 'https://e.com', headers: {A: 1}}", ['8:49: expected string, got integer | write "1" in quotes']),
        (
            "http: {url: 'https://e.com', headers: {A: '${TOKEN}'}}",
            ["8:49: the variable TOKEN is neither in env nor in secrets | secrets: [TOKEN]"],
        ),
        ("http: {url: 'https://${TOKEN}/'}", ["8:19: the variable TOKEN is neither in env nor in secrets | secrets: [TOKEN]"]),
        ("http: {url: 'https://e.com/{idd}'}", ["8:7: {idd} is not a parameter of input_schema | write {{ and }} for braces"]),
        (
            "http: {url: 'https://{id}.com/'}",
            ["8:19: an argument decides which host is asked | name the hosts: allow: [api.example.com]"],
        ),
        ("http: {url: 'https://{id}.com/', allow: ['*.com']}", []),
        (
            "http: {url: 'https://e.com', allow: ['a b']}",
            ["8:44: 'a b' is not a host; write 'api.example.com', '*.example.com', 'https://host' or 'host:8443'"],
        ),
        ("http: {url: 'https://e.com'}\n      cwd: x", ["9:7: an HTTP callback takes no 'cwd'"]),
        ("http: {url: 'https://e.com'}\n      python: a.b", ["8:7: a Python callback takes no 'http'"]),
        ("skill: ./s\n      arguments: json", ["9:7: a callback of a skill takes no 'arguments'"]),
        ("mcp: {command: [x]}", ["8:7: an MCP callback needs a tool: its name on the server"]),
        ("mcp: {command: [x]}\n      tool: t\n      script: a.py", ["10:7: an MCP callback takes no 'script'"]),
        ("mcp: {}\n      tool: t", ["8:12: an MCP server needs a command or a url | mcp: {command: [my-server, --stdio]}"]),
        (
            "mcp: {command: [], url: 'https://e.com'}\n      tool: t",
            ["8:22: expected at least one entry", "8:26: an MCP server has a command or a url, not both"],
        ),
        ("mcp: {url: 'https://e.com', env: {A: b}}\n      tool: t", ["8:35: env belongs to an MCP server with a command"]),
        (
            "mcp: {command: ['${NONE}']}\n      tool: t",
            ["8:23: the variable NONE is not set and has no default | set it, or give it a default: ${NAME:-default}"],
        ),
    ],
)
def test_y02_mistakes_of_callbacks_have_positions(folder, callback, problems):
    assert folder.problems(HEAD + callback + "\n") == problems
