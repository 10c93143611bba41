"""Servers that mean harm, and requests that would deceive them: the client is bounded in time and memory whatever comes back."""

import gzip
import socket
import threading
import zlib

import pytest

from bashkit import Bash, ExecutionLimits, NetworkPolicy
from bashkit.commands.web._weblinks import links
from bashkit.limits import DEFAULT_LIMITS, Budget
from bashkit.network.client import HttpError, Request, fetch

pytest.importorskip("httpx", reason="HTTP needs the extra 'http'")

OK = b"HTTP/1.1 200 OK\r\n"


def _endless(*blocks):
    while True:
        yield from blocks


def _bomb(packer, megabytes):
    """Zeros that many times as long as what they are packed into; each megabyte is a block that depends on none before it."""
    first, again = (packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + again * (megabytes - 1)


def _drip():
    yield OK + b"Content-Length: 100\r\n\r\n"
    for _ in range(100):
        over.wait(0.05)
        yield b"x"


over = threading.Event()
GZIP_BOMB, DEFLATE_BOMB = _bomb(zlib.compressobj(9, zlib.DEFLATED, 31), 512), _bomb(zlib.compressobj(), 64)
LENGTH = b"Content-Length: %d\r\n\r\n"
ANSWERS = {
    "gzip": [OK, b"Content-Encoding: gzip\r\n", LENGTH % len(GZIP_BOMB), GZIP_BOMB],
    "deflate": [OK, b"Content-Encoding: deflate\r\n", LENGTH % len(DEFLATE_BOMB), DEFLATE_BOMB],
    "zstd": [OK, b"Content-Encoding: zstd\r\n", LENGTH % 4, b"\x28\xb5\x2f\xfd"],
    "br": [OK, b"Content-Encoding: br\r\n", LENGTH % 4, b"abcd"],
    "twice": [OK, b"Content-Encoding: gzip, gzip\r\n", LENGTH % 4, b"abcd"],
    "damaged": [OK, b"Content-Encoding: gzip\r\n", LENGTH % 8, b"\x1f\x8bxxxxxx"],
    "endless-body": _endless,
    "endless-headers": _endless,
    "endless-status": _endless,
    "endless-chunks": _endless,
    "endless-extension": _endless,
    "endless-trailer": _endless,
    "endless-100": _endless,
    "drip": _drip,
    "long-length": [OK, b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"],
    "two-lengths": [OK, b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"],
    "negative": [OK, b"Content-Length: -1\r\n\r\n"],
    "short": [OK, b"Content-Length: 50\r\n\r\nabc"],
    "not-http": [b"\0\xff" * 100],
    "nothing": [],
    "chunk-size": [OK, b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc"],
    "loop": [b"HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n"],
    "inward": [b"HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"],
    "file": [b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"],
    "fine": [OK, b"Content-Encoding: gzip\r\n", LENGTH % len(gzip.compress(b"fine\n")), gzip.compress(b"fine\n")],
}
ENDLESS = {
    "endless-body": (OK + b"\r\n", b"x" * 65536),
    "endless-headers": (OK, b"X-A: " + b"a" * 1000 + b"\r\n"),
    "endless-status": (b"HTTP/1.1 200 ", b"O" * 65536),
    "endless-chunks": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 5000),
    "endless-extension": (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"e" * 65536),
    "endless-trailer": (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-A: b\r\n" * 1000),
    "endless-100": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
}


def _blocks(name):
    if name in ENDLESS:
        head, again = ENDLESS[name]
        yield head
        yield from _endless(again)
    else:
        answer = ANSWERS[name]
        yield from answer() if callable(answer) else answer


@pytest.fixture(scope="module")
def server():
    """A server that answers /NAME with what is under that name; what it was sent is in ``seen``."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen = []

    def serve(connection):
        with connection:
            try:
                request = connection.recv(65536)
                seen.append(request)
                for block in _blocks(request.split(b" ")[1].strip(b"/").decode()):
                    connection.sendall(block)
            except (OSError, IndexError):
                pass

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    yield type("Server", (), {"port": listener.getsockname()[1], "seen": seen})
    over.set()
    listener.close()


def ask(server, script, patience=1.0, **limits):
    policy = NetworkPolicy(
        [f"127.0.0.1:{server.port}"], ["GET", "POST"], timeout=patience, max_response_bytes=1 << 20, allow_private=True
    )
    bash = Bash(network=policy, limits=ExecutionLimits(timeout=20, **limits), env={"U": f"http://127.0.0.1:{server.port}"})
    result = bash.execute_sync(script)
    assert result.error is None, result.error
    return result


STATUSES = [
    ("gzip", 63), ("deflate", 63), ("zstd", 0), ("br", 0), ("twice", 0), ("damaged", 61), ("endless-body", 63), ("endless-headers", 52),
    ("endless-status", 52), ("endless-chunks", (63, 28)), ("endless-extension", 52), ("endless-trailer", 52), ("endless-100", 28), ("drip", 28),
    ("long-length", (52, 56)), ("two-lengths", 52), ("negative", 52), ("short", 52), ("not-http", 52), ("nothing", 52), ("chunk-size", (52, 56)),
    ("loop", 47), ("inward", 7), ("file", 1), ("fine", 0),
]  # fmt: skip


WITHOUT_PAUSE = {"endless-chunks", "endless-100", "drip"}  # the time that one waits for these is spent with reading


@pytest.mark.parametrize(("name", "status"), STATUSES, ids=[name for name, _ in STATUSES])
def test_answers(server, name, status):
    patience = 0.2 if name in WITHOUT_PAUSE else 20.0
    result = ask(server, f"curl -sSL $U/{name} -o out; echo $?", patience)
    assert int(result.stdout) in (status if isinstance(status, tuple) else (status,)), result.stderr
    assert (ask(server, f"wget -q -O out $U/{name}", patience).exit_code == 0) == (status == 0)


def test_a_body_counts_as_memory_of_the_session(server):
    policy = NetworkPolicy([f"127.0.0.1:{server.port}"], timeout=5.0, max_response_bytes=1 << 30, allow_private=True)
    limits = ExecutionLimits(timeout=20, max_memory_bytes=1 << 20)
    for name in ("gzip", "endless-body"):
        result = Bash(network=policy, limits=limits).execute_sync(f"curl -s http://127.0.0.1:{server.port}/{name} | wc -c")
        assert result.error == "limit:max_memory_bytes"


REFUSED = [
    "Content-Length: 3",
    "content-length: 0",
    "Transfer-Encoding: chunked",
    "TRANSFER-ENCODING: identity",
    "Host: other.example.com",
    "Connection: close",
    "Upgrade: websocket",
    "Expect: 100-continue",
    "Trailer: X",
    "TE: trailers",
    "Transfer-Encoding : chunked",
    "Transfer Encoding: chunked",
    "X: a\rContent-Length: 3",
    "X: a\r\nContent-Length: 3",
    "X\r\nContent-Length: 3",
    "X\tY: a",
    "X: a\0b",
]


@pytest.mark.parametrize("header", REFUSED)
@pytest.mark.parametrize("command", ["curl -sS -d abc", "wget -O - --post-data=abc"])
def test_headers_that_frame_are_refused(server, command, header):
    before = len(server.seen)
    option = "-H" if command.startswith("curl") else "--header"
    word = "$'" + header.encode("unicode_escape").decode().replace("\\x00", "\\x01") + "'"
    result = ask(server, f"{command} {option} {word} $U/fine; echo status $?")
    assert result.stdout in {"status 43\n", "status 1\n", "status 2\n"}
    assert "header" in result.stderr.lower()
    assert len(server.seen) == before


TWISTS = [
    "curl -sS -X $'GET / HTTP/1.1\r\nX: y\r\n\r\nGET' $U/fine",
    "curl -sS $U$'/fine\r\nX: y'",
    "curl -sS -A $'a\r\nX: y' $U/fine",
    "curl -sS -e $'a\nX: y' $U/fine",
    "curl -sS -b $'a=b\r\nX: y' $U/fine",
    "curl -sS -r $'1-2\r\nX: y' $U/fine",
    "curl -sS --oauth2-bearer $'a\r\nX: y' $U/fine",
    "wget -O - -U $'a\r\nX: y' $U/fine",
    "wget -O - --referer=$'a\r\nX: y' $U/fine",
    "wget -O - --method=$'GET\r\nX: y' $U/fine",
]


@pytest.mark.parametrize("script", TWISTS)
def test_line_breaks_reach_no_server(server, script):
    before = len(server.seen)
    assert ask(server, f"{script}; (( $? ))").exit_code == 0
    assert not [request for request in server.seen[before:] if b"\nX:" in request]


def test_hosts_that_only_end_as_an_allowed_one():
    policy = NetworkPolicy(["*.example.com"])
    for host in (
        "evil.org\\.example.com",
        "evil.org%00.example.com",
        "evil.org .example.com",
        "a@b.example.com",
        "evil.org/.example.com",
    ):
        assert policy.refusal("GET", "http", host, 80) is not None
    assert policy.refusal("GET", "http", "a.example.com", 80) is None


async def test_a_name_that_changes_its_address_is_judged_when_it_is_connected_to(monkeypatch):
    import asyncio

    answers = iter(["93.184.216.34", "127.0.0.1"])
    asked = []

    async def getaddrinfo(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    class Client:
        def __init__(self, **_):
            pass

        async def __aenter__(self):
            return self

        async def __aexit__(self, *_):
            return None

        def stream(self, method, url, **_):
            asked.append(url)
            raise OSError("not connected in a test")

    import httpx

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(httpx, "AsyncClient", Client)
    policy = NetworkPolicy(["rebinding.example.com"])
    kinds = []
    for _ in range(2):
        with pytest.raises(HttpError) as caught:
            await fetch(policy, Request("GET", "http://rebinding.example.com/"))
        kinds.append(caught.value.kind)
    assert kinds == ["receive", "private"]
    assert asked == ["rebinding.example.com", "http://93.184.216.34:80/", "rebinding.example.com"]


PAGES = [
    ("<a href=x><A HREF='y&amp;z'><a href=\"w\" href=v><img src = i >", "", ["x", "y&z", "w", "i"]),
    ("<base href=http://h/><a href=x>", "http://h/", ["x"]),
    ("<!-- <a href=no> --><a href=x><!-- <a href=no>", "", ["x"]),
    ("<script>'<a href=no>'</SCRIPT><a href=x><style><a href=no>", "", ["x"]),
    ("<a href=x<a href=y>", "", ["x<a"]),
    ("<a title='>' href=x/><a/href=y>", "", ["x/", "y"]),
    ("<a href=x", "", []),
    ("a < b <a href=x> </a href=no><!doctype a href=no><?a href=no>", "", ["x"]),
]


@pytest.mark.parametrize(("text", "base", "found"), PAGES)
def test_links_of_pages(text, base, found):
    assert links(text, Budget(DEFAULT_LIMITS)) == (base, found)


@pytest.mark.parametrize(
    "part",
    ["<", "<!", "<a ", "<!--", "<![", "<a href=", "<?", "</", "&#", "<a b='", "<a b=\"'", "<script>", "<a =", "<a / ", "<a b ="],
)
def test_a_page_takes_time_in_proportion_to_its_length(part):
    budget = Budget(DEFAULT_LIMITS)
    budget.fuel = 1 << 40
    links(part * 100_000, budget)
    assert (1 << 40) - budget.fuel < 1_000_000
