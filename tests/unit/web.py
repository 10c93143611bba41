"""A small HTTP server on the loopback address, for tests of requests."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SILENCE = None  # a body that never comes


class Web:
    """Records requests, and answers by path with what ``answers`` has: (status, headers, body), or what gives that for a body."""

    def __init__(self):
        self.seen = []
        self.answers = {}
        self.closing = threading.Event()
        web = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                web.seen.append((self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                path = self.path.partition("?")[0]
                found = web.answers.get(path, (200, {}, b'{"ok":true}'))
                status, headers, text = found(body) if callable(found) else found
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Length" not in headers:
                    self.send_header("Content-Length", str(1 if text is SILENCE else len(text)))
                self.end_headers()
                if text is SILENCE:
                    web.closing.wait(30)
                    return
                if self.command != "HEAD":
                    self.wfile.write(text)

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815 - the base class's names

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def close(self):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def last(self):
        """The last request: method and path with query."""
        return f"{self.seen[-1][0]} {self.seen[-1][1]}"

    @property
    def body(self):
        """The JSON of the last request."""
        return json.loads(self.seen[-1][3])
