"""``bashkit tui --web`` in a headless Chromium: keys that are pressed in the page run a tool, and the screen comes back.

Not part of the whole suite, because it needs a browser: ``python -m pytest tests/real``. Without Chromium it is skipped.
"""

import asyncio
import base64
import contextlib
import http.client
import itertools
import json
import re
import shutil
import subprocess
import sys
from urllib.parse import urlsplit

import aiohttp
import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --window-size=1400,900 --remote-debugging-port=0""".split()
TOOLSET = """\
version: 1
name: pond
description: A pond
tools:
  - {name: mark, description: Leave a mark, effects: write, callback: {python: pond_callbacks.mark}}
"""
CALLBACKS = """\
from pathlib import Path
def mark(args):
    Path(__file__).with_name("marked").write_text("marked")
    return "the pond is marked\\n"
"""
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


@pytest.fixture
def pond(tmp_path):
    (tmp_path / "pond.yaml").write_text(TOOLSET, encoding="utf-8")
    (tmp_path / "pond_callbacks.py").write_text(CALLBACKS, encoding="utf-8")
    return tmp_path / "pond.yaml"


@pytest.fixture
def address(pond, monkeypatch):
    """The address that the command prints."""
    monkeypatch.setenv("XDG_STATE_HOME", str(pond.with_name("state")))
    command = [sys.executable, "-m", "bashkit", "tui", str(pond), "--web"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        yield re.search(r"http://\S+", running.stderr.readline())[0]
        running.terminate()
        assert running.wait(30) == 143


class Page:
    """A page of a browser, over its DevTools protocol."""

    def __init__(self, socket):
        self._socket = socket
        self._numbers = itertools.count(1)
        self._answers = {}
        self.urls = []
        self.received = b""

    async def read(self):
        async for message in self._socket:
            said = json.loads(message.data)
            params = said.get("params", {})
            if "id" in said:
                self._answers[said["id"]].set_result(said)
            elif said["method"] in {"Network.requestWillBeSent", "Network.webSocketCreated"}:
                self.urls.append(params["request"]["url"] if "request" in params else params["url"])
            elif said["method"] == "Network.webSocketFrameReceived":
                data = params["response"]["payloadData"]
                self.received += base64.b64decode(data) if params["response"]["opcode"] == 2 else data.encode()

    async def ask(self, method, **params):
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": params})
        found = await asyncio.wait_for(self._answers[number], 60)
        assert "error" not in found, found
        return found["result"]

    async def value(self, expression):
        return (await self.ask("Runtime.evaluate", expression=expression))["result"]["value"]

    async def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            await self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def press(self, key, code=0):
        code = code or ord(key.upper())
        text = {"text": key} if len(key) == 1 else {}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    async def shows(self, text):
        """Until a text has come from the inspector."""
        async with asyncio.timeout(60):
            while text not in re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self.received).decode("utf-8", "replace"):  # noqa: ASYNC110 - it comes from another process
                await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def page(folder):
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as browser:  # noqa: ASYNC220 - it is quick
        try:
            port = next(found[1] for line in browser.stderr if (found := re.search(r"ws://127\.0\.0\.1:(\d+)/", line)))
            async with aiohttp.ClientSession() as http:
                pages = await (await http.get(f"http://127.0.0.1:{port}/json")).json()
                url = next(one["webSocketDebuggerUrl"] for one in pages if one["type"] == "page")
                async with http.ws_connect(url, max_msg_size=0) as socket:
                    found = Page(socket)
                    reading = asyncio.create_task(found.read())
                    await found.ask("Network.enable")
                    await found.ask("Emulation.setFocusEmulationEnabled", enabled=True)
                    yield found
                    reading.cancel()
        finally:
            browser.terminate()


async def test_keys_in_the_page_run_a_tool(address, pond, tmp_path):
    async with page(tmp_path / "profile") as shown:
        await shown.ask("Page.navigate", url=address)
        await shown.shows("pond")
        await shown.shows("mark")
        await shown.click(700, 600)
        for letter in "2mark":
            await shown.press(letter)
        await shown.press("F5", 116)
        await shown.shows("the pond is marked")
        assert pond.with_name("marked").read_text() == "marked"
        assert await shown.value("document.body.classList.contains('-first-byte')")  # the terminal is shown, not the welcome
        assert await shown.value("document.querySelector('.xterm').offsetWidth") > 1000
        assert "token" not in await shown.value("location.href")
        (tmp_path / "page.png").write_bytes(base64.b64decode((await shown.ask("Page.captureScreenshot"))["data"]))
        hosts = {urlsplit(url).netloc for url in shown.urls if not url.startswith(("data:", "blob:"))}
        assert hosts == {urlsplit(address).netloc}


def status(address, path, **headers):
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
    connection.request("GET", path, headers={"Host": parts.netloc, **headers})
    return connection.getresponse().status


def test_nobody_without_the_token_gets_in(address):
    parts = urlsplit(address)
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    token = parts.query.removeprefix("token=")
    cookie = {"Cookie": f"bashkit-{parts.port}={token}"}
    for path in ("/", "/ws", "/static/js/textual.js", "/?token=wrong", "/download/x"):
        assert status(address, path) == 401
        assert status(address, path, Cookie=f"bashkit-{parts.port}=wrong") == 401
    assert status(address, "/ws", **upgrade) == 401
    assert status(address, "/ws", **upgrade, **cookie, Origin="http://evil.example") == 403
    assert status(address, "/ws", **upgrade, **cookie, Origin=f"http://127.0.0.1:{parts.port + 1}") == 403
    assert status(address, "/ws", **upgrade, **cookie, Host="evil.example") == 421
    assert status(address, f"/?token={token}", Host=f"evil.example:{parts.port}") == 421
    assert status(address, f"/?token={token}") == 303
    assert status(address, "/", **cookie) == 200
    assert status(address, "/ws", **upgrade, **cookie, Origin=f"http://{parts.netloc}") == 101
