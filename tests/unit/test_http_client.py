"""The HTTP client that curl, wget and HTTP callbacks have in common."""

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bashkit.network import NetworkPolicy
from bashkit.network.client import HttpError, Request, fetch, split

httpx = pytest.importorskip("httpx", reason="HTTP needs the extra 'http'")


@pytest.fixture
def server():
    """A server that redirects ``/to/STATUS/URL``, trickles ``/slow``, and answers anything else; what it saw is in ``seen``."""
    seen = []
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            self.rfile.read(int(self.headers.get("content-length") or 0))
            seen.append((self.command, self.path, {name.lower(): text for name, text in self.headers.items()}))
            _, _, rest = self.path.partition("/to/")
            status, _, target = rest.partition("/")
            self.send_response(int(status or 200))
            if target:
                self.send_header("Location", target)
            self.send_header("Content-Length", "0" if target else "6")
            self.end_headers()
            if not target and self.command != "HEAD":
                self.wfile.write(b"abc")
                self.wfile.flush()
                if self.path == "/slow":
                    over.wait(10)
                self.wfile.write(b"def")

        do_GET = do_POST = do_HEAD = answer  # noqa: N815 - the names that http.server calls

        def log_message(self, *args):
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    made.seen, made.port = seen, made.server_address[1]
    yield made
    over.set()
    made.shutdown()
    made.server_close()


def ask(server, path, method="GET", settings=None, **options):
    hosts = [f"127.0.0.1:{server.port}", f"localhost:{server.port}"]
    policy = NetworkPolicy(allow=hosts, methods=["GET", "POST", "HEAD"], allow_private=True, **(settings or {}))
    return asyncio.run(fetch(policy, Request(method, f"http://127.0.0.1:{server.port}{path}", **options)))


def failure(*arguments, **options):
    with pytest.raises(HttpError) as caught:
        ask(*arguments, **options)
    return caught.value


HEADERS = (("Authorization", "a"), ("Cookie", "b"), ("X-Key", "c"), ("Accept", "d"))


def test_another_host_gets_only_the_headers_that_it_may(server):
    ask(server, f"/to/307/http://localhost:{server.port}/", headers=HEADERS, follow=1)
    there = server.seen[-1][2]
    assert there["host"] == f"localhost:{server.port}"
    assert there["accept"] == "d"
    assert not {"authorization", "cookie", "x-key"} & there.keys()


def test_who_asks_says_which_headers_those_are(server):
    ask(server, f"/to/307/http://localhost:{server.port}/", headers=HEADERS, follow=1, kept=lambda name: name == "x-key")
    there = server.seen[-1][2]
    assert (there["x-key"], "authorization" in there) == ("c", False)


def test_the_same_host_gets_all_of_them(server):
    ask(server, "/to/307//there", headers=HEADERS, follow=1)
    assert {"authorization", "cookie", "x-key"} <= server.seen[-1][2].keys()


@pytest.mark.parametrize(
    ("status", "method", "keep", "then"),
    [
        (301, "POST", False, "GET"),
        (302, "POST", False, "GET"),
        (303, "POST", False, "GET"),
        (307, "POST", False, "POST"),
        (308, "POST", False, "POST"),
        (302, "POST", True, "POST"),
        (303, "HEAD", False, "HEAD"),
    ],
)
def test_the_method_after_a_redirect(server, status, method, keep, then):
    body = b"x" if method == "POST" else None
    response = ask(server, f"/to/{status}//there", method, body=body, follow=1, keep_method=keep)
    assert [(seen[0], seen[1]) for seen in server.seen] == [(method, f"/to/{status}//there"), (then, "/there")]
    assert ("content-length" in server.seen[-1][2]) == (then == "POST")
    assert [one.status for one in response.history] == [status]


def test_an_answer_that_redirects_is_the_answer_where_none_is_followed(server):
    assert ask(server, "/to/302//there").status == 302


def test_limits(server):
    assert failure(server, "/", limit=5).kind == "size"
    assert failure(server, "/", settings={"max_response_bytes": 5}, limit=50).kind == "size"
    assert failure(server, "/to/302//to/302//x", follow=1).kind == "redirects"
    assert failure(server, "/to/302//to/302//x", follow=9, settings={"max_redirects": 1}).kind == "redirects"
    late = failure(server, "/slow", timeout=0.2)
    assert (late.kind, late.received, str(late)) == ("timeout", 3, "no answer within 0.2 s")


def test_a_user_in_an_address_is_refused_or_passed_over_also_in_a_redirect(server):
    elsewhere = f"/to/302/http://user:pw@localhost:{server.port}/"
    assert failure(server, elsewhere, follow=1).kind == "credentials"
    ask(server, elsewhere, follow=1, allow_user=True)
    assert "authorization" not in server.seen[-1][2]


@pytest.fixture
def names(monkeypatch):
    """What names resolve to: lists of addresses, one for each time that somebody asks."""
    answers = []

    async def resolve(self, host, port, **options):
        return [(2, 1, 6, "", (address, port)) for address in answers.pop(0)]

    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.getaddrinfo", resolve)
    return answers


def ask_by_name(server, scheme="http", **options):
    policy = NetworkPolicy(allow=[f"name.example:{server.port}"], methods=["GET", "POST"], allow_private=True)
    return asyncio.run(fetch(policy, Request("POST", f"{scheme}://name.example:{server.port}/", **options)))


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(server, names):
    names += [["127.0.0.1"], ["10.0.0.1"]]
    assert ask_by_name(server).address == ("127.0.0.1", server.port)
    assert server.seen[-1][2]["host"] == f"name.example:{server.port}"


def test_an_address_that_does_not_connect_is_followed_by_the_next(server, names):
    names += [["127.0.0.2", "127.0.0.2", "127.0.0.1"], ["127.0.0.2", "127.0.0.3"], ["127.0.0.1", "127.0.0.2"]]
    assert ask_by_name(server, body=b"abc").address == ("127.0.0.1", server.port)
    with pytest.raises(HttpError) as caught:
        ask_by_name(server)
    assert (caught.value.kind, str(caught.value)) == ("connect", "name.example: no connection")
    with pytest.raises(HttpError) as caught:
        ask_by_name(server, "https")
    assert caught.value.kind == "tls"
    assert len(server.seen) == 1


def test_an_address_that_does_not_answer_is_followed_by_the_next(server, names, monkeypatch):
    stream, patience = httpx.AsyncClient.stream, []

    def stream_or_wait(client, method, url, **options):
        patience.append(client.timeout.connect)
        if "127.0.0.2" in url:
            raise httpx.ConnectTimeout("")
        return stream(client, method, url, **options)

    monkeypatch.setattr(httpx.AsyncClient, "stream", stream_or_wait)
    names += [["127.0.0.2", "127.0.0.1"]]
    assert ask_by_name(server).address == ("127.0.0.1", server.port)
    assert patience == [2.0, None]


@pytest.mark.parametrize(
    ("url", "kind"),
    [("ftp://a", "scheme"), ("a", "scheme"), ("http://", "url"), ("http://a:b/", "url"), ("http://[", "url")],
)
def test_what_is_no_address(url, kind):
    with pytest.raises(HttpError) as caught:
        split(url)
    assert caught.value.kind == kind
