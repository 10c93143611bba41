"""An editor with yaml-language-server, from npm, completes, explains and checks toolset files by the schema that is shipped.

Not part of the whole suite, because it downloads the server: ``python -m pytest tests/real``. Without npm it is skipped.
"""

import json
import subprocess
from pathlib import Path

import pytest

PACKAGE = "yaml-language-server@1"
SCHEMA = Path(__file__).parents[2] / "schemas" / "toolset.schema.json"
TEXT = f"""\
# yaml-language-server: $schema={SCHEMA.as_uri()}
version: 1
name: t
tools:
  - name: get
    descripton: wrong
    callback: {{python: a.b}}
    ef
"""


class Editor:
    """A client of the language server protocol, over standard input and output.

    Args:
        program: The server.
    """

    def __init__(self, program):
        self._server = subprocess.Popen([program, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0
        self._kept = []
        self.ask("initialize", processId=None, rootUri=None, capabilities={})
        self.tell("initialized")

    def tell(self, method, **params):
        """Send a notification."""
        self._send({"method": method, "params": params})

    def ask(self, method, **params):
        """Send a request, and return its result."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._until(lambda message: message.get("id") == self._number and "method" not in message)["result"]

    def diagnostics(self):
        """The next diagnostics that are not empty."""
        found = self._until(
            lambda message: message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]
        )
        return found["params"]["diagnostics"]

    def close(self):
        """End the server."""
        self._server.kill()
        self._server.communicate()

    def _send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._server.stdin.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        self._server.stdin.flush()

    def _until(self, wanted):
        for message in self._kept:
            if wanted(message):
                self._kept.remove(message)
                return message
        while True:
            message = self._receive()
            if "id" in message and "method" in message:  # a request of the server: there is no configuration
                count = len(message.get("params", {}).get("items", ()))
                self._send({"id": message["id"], "result": [None] * count})
            elif wanted(message):
                return message
            else:
                self._kept.append(message)

    def _receive(self):
        length = 0
        while line := self._server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        assert length, "the server has ended"
        return json.loads(self._server.stdout.read(length))


@pytest.fixture(scope="module")
def editor(tmp_path_factory):
    """An editor in which the toolset is open."""
    folder = tmp_path_factory.mktemp("server")
    try:
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, PACKAGE], check=True, capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install {PACKAGE}: {error}")
    editor = Editor(folder / "node_modules/.bin/yaml-language-server")
    editor.tell("textDocument/didOpen", textDocument={"uri": "file:///t.yaml", "languageId": "yaml", "version": 1, "text": TEXT})
    yield editor
    editor.close()


def at(line, column):
    return {"textDocument": {"uri": "file:///t.yaml"}, "position": {"line": line, "character": column}}


def test_a_wrong_key_is_marked_where_it_stands(editor):
    found = [(one["range"]["start"]["line"], one["message"]) for one in editor.diagnostics()]
    assert any(line == 5 and "descripton" in message for line, message in found), found


def test_keys_are_completed_with_what_they_mean(editor):
    answer = editor.ask("textDocument/completion", **at(7, 6))
    items = {item["label"]: item for item in (answer["items"] if isinstance(answer, dict) else answer)}
    assert "effects" in items
    assert "effects of a call" in json.dumps(items["effects"]["documentation"])


def test_a_key_is_explained(editor):
    answer = editor.ask("textDocument/hover", **at(6, 6))
    assert "What runs when it is called" in json.dumps(answer["contents"])
