"""Pages of answers: ``--all`` follows Link headers, addresses and cursors in bodies, and numbers of pages and items."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from bashkit.limits import ExecutionLimits
from bashkit.toolset import load

ITEMS = [{"id": f"i{number}"} for number in range(7)]
SIZE = 3


def sliced(start):
    return ITEMS[start : start + SIZE]


def more(start):
    return start + SIZE < len(ITEMS)


def link(query, url):
    start = int(query.get("from", "0"))
    header = (
        f'<{url}/link?from={start + SIZE}&q=a>; rel="next", <{url}/link>; rel="first"' if more(start) else "</link>; rel=first"
    )
    return {"Link": header}, sliced(start)


def silent(query, url):
    start = int(query.get("from", "0"))
    return {"Link": f'<{url}/silent?from={start + SIZE}>; rel="next"'} if more(start) else {}, sliced(start)


def relative(query, _):
    start = int(query.get("from", "0"))
    return {}, {"data": sliced(start), "links": {"next": {"href": f"?from={start + SIZE}"} if more(start) else None}}


def cursor(query, _):
    start = int(query.get("cursor", "c0")[1:])
    following = f"c{start + SIZE}" if more(start) else ""
    return {}, {"ok": True, "members": sliced(start), "response_metadata": {"next_cursor": following}}


def token(query, _):
    start = int(query.get("pageToken", "0"))
    return {}, {"items": sliced(start), "errors": []} | ({"nextPageToken": str(start + SIZE)} if more(start) else {})


def page(query, _):
    return {}, sliced((int(query.get("page", "1")) - 1) * SIZE)


def zero(query, _):
    return {}, {"list": sliced(int(query.get("page", "0")) * SIZE)}


def offset(query, _):
    return {}, {"total": len(ITEMS), "results": sliced(int(query.get("offset", "0")))}


def last(query, _):
    start = next((index + 1 for index, item in enumerate(ITEMS) if item["id"] == query.get("starting_after")), 0)
    return {}, {"object": "list", "data": sliced(start), "has_more": more(start)}


def same(_query, _):
    return {}, {"items": sliced(0), "next": "/same"}


def elsewhere(_query, _):
    return {"Link": '<http://127.0.0.1:1/x>; rel="next"'}, sliced(0)


def endless(query, _):
    return {}, {"items": ["x" * 100_000], "next_cursor": query.get("cursor", "") + "1"}


def many(_query, _):
    return {}, {"cats": [], "dogs": [], "next_cursor": "x"}


def text(_query, _):
    return {}, b"<html>"


ROUTES = [link, silent, relative, cursor, token, page, zero, offset, last, same, elsewhere, endless, many, text]
PARAMETERS = {
    "cursor": {"schema": {"type": "string"}},
    "endless": {"name": "cursor"},
    "many": {"name": "cursor"},
    "token": {"name": "pageToken"},
    "page": {"schema": {"type": "integer"}},
    "silent": {"name": "page", "schema": {"type": "integer"}},
    "zero": {"name": "page", "schema": {"type": "integer", "minimum": 0}},
    "offset": {"schema": {"type": "integer"}},
    "last": {"name": "starting_after"},
}


def operation(name):
    given = PARAMETERS.get(name)
    parameters = [] if given is None else [{"name": name, "in": "query", "schema": {"type": "string"}} | given]
    headers = {} if parameters else {"headers": {"Link": {"schema": {"type": "string"}}}}
    return {"get": {"operationId": name, "parameters": parameters, "responses": {"200": {"description": "", **headers}}}}


class Server(BaseHTTPRequestHandler):
    """Answers with one page of the route."""

    def do_GET(self):
        self.server.seen.append(self.path)
        parts = urlsplit(self.path)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        route = next(one for one in ROUTES if one.__name__ == parts.path[1:])
        headers, value = route(query, f"http://127.0.0.1:{self.server.server_port}")
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(200)
        for name, content in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, content)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        server.seen = []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture
def toolset(folder, server):
    server.seen.clear()
    paths = {f"/{route.__name__}": operation(route.__name__) for route in ROUTES}
    folder.write("api.json", json.dumps({"openapi": "3.0.0", "paths": paths}))
    base = f"http://127.0.0.1:{server.server_port}"
    source = f"{{openapi: ./api.json, base_url: '{base}', allow_private: true}}"
    return load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - {source}\n"))


@pytest.mark.parametrize(
    ("command", "rest"),
    [
        ("link", None),
        ("silent", None),
        ("page", None),
        ("relative", {"links": {"next": None}, "data": ITEMS}),
        ("cursor", {"ok": True, "response_metadata": {"next_cursor": ""}, "members": ITEMS}),
        ("token", {"errors": [], "items": ITEMS}),
        ("zero", {"list": ITEMS}),
        ("offset", {"total": 7, "results": ITEMS}),
        ("last", {"object": "list", "has_more": False, "data": ITEMS}),
    ],
)
def test_all_pages_are_joined_in_the_form_of_a_page(toolset, command, rest):
    response = toolset.tool.execute_sync(f"{command} --all")
    assert (response.stderr, response.exit_code) == ("", 0)
    assert json.loads(response.stdout) == (ITEMS if rest is None else rest)


def test_without_the_flag_one_page_is_asked_for(toolset, server):
    response = toolset.tool.execute_sync("page --page 2")
    assert (json.loads(response.stdout), server.seen) == (ITEMS[3:6], ["/page?page=2"])


def test_all_pages_begin_where_the_call_says(toolset):
    assert json.loads(toolset.tool.execute_sync("page --all --page 2").stdout) == ITEMS[3:]
    assert json.loads(toolset.tool.execute_sync("offset --all --offset 4").stdout)["results"] == ITEMS[4:]


def test_the_query_of_a_next_address_is_kept_as_it_is(toolset, server):
    toolset.tool.execute_sync("link --all")
    assert server.seen == ["/link", "/link?from=3&q=a", "/link?from=6&q=a"]


def test_a_page_that_names_itself_as_the_next_is_asked_for_once(toolset, server):
    response = toolset.tool.execute_sync("same --all")
    assert (json.loads(response.stdout)["items"], server.seen) == (ITEMS[:3], ["/same"])


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("elsewhere --all", "elsewhere: the next page is on another host"),
        ("many --all", "many: the pages cannot be joined: there is not one list in them"),
        ("text --all", "text: a page is not JSON"),
    ],
)
def test_pages_that_cannot_be_joined_are_an_error(toolset, script, message):
    response = toolset.tool.execute_sync(script)
    assert (response.stdout, response.stderr) == ("", f"{message}\n")
    assert response.exit_code != 0


def test_endless_pages_end_at_the_limit_of_memory(toolset, server):
    response = toolset.make_tool(limits=ExecutionLimits(max_memory_bytes=1 << 20)).execute_sync("endless --all | wc -c")
    assert "max_memory_bytes" in response.stderr
    assert len(server.seen) < 20


def test_an_operation_without_pages_has_no_such_flag(folder):
    folder.write("api.json", json.dumps({"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "one"}}}}))
    source = "{openapi: ./api.json, base_url: 'http://127.0.0.1:1'}"
    toolset = load(folder.write("t.yaml", f"version: 1\nname: t\nsources:\n  - {source}\n"))
    assert toolset.tools[0].input_schema["properties"] == {}


def test_a_callback_declares_its_pages(folder, server):
    url = f"http://127.0.0.1:{server.server_port}/page"
    toolset = load(
        folder.write(
            "t.yaml",
            f"""\
version: 1
name: t
tools:
  - name: things
    description: Things.
    input_schema: {{properties: {{every: {{type: boolean}}}}}}
    callback: {{http: {{url: '{url}', pages: {{all: every, page: page}}, allow_private: true}}}}
""",
        )
    )
    assert json.loads(toolset.tool.execute_sync("things --every").stdout) == ITEMS
