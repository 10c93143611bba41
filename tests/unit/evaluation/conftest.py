"""A toolset, tasks, and a server that speaks as models do: what it says is decided by a function."""

import json

import pytest

from bashkit.cli import main

from ..web import Web

TOOLSET = """\
version: 1
name: depot
secrets: [DEPOT_KEY]
tools:
  - name: stock
    description: Pieces of a product
    effects: read
    input_schema: {type: object, properties: {sku: {type: string}}, required: [sku]}
    output_schema: {type: object, properties: {pieces: {type: integer}}}
    stubs:
      - {when: {sku: A}, value: {pieces: 3}}
      - {when: {sku: B}, value: {pieces: 4}}
      - {error: no such product}
  - name: order
    description: Order pieces
    effects: write
    input_schema: {type: object, properties: {sku: {type: string}, pieces: {type: integer}}, required: [sku, pieces]}
    stub: {ok: true}
"""
TASKS = """\
version: 1
tasks:
  - name: total
    prompt: How many pieces of A and B are there?
    expect:
      answer: "7"
      calls: [{tool: stock, args: {sku: A}, times: 1}, stock, {tool: order, times: 0}]
  - name: report
    prompt: Write the pieces of A to /report.txt
    files: {/notes.txt: remember}
    expect:
      files: {/report.txt: {equals: "3"}, /notes.txt: remember}
"""
SUM = "echo $(( $(stock --sku A | jq .pieces) + $(stock --sku B | jq .pieces) ))"


class FakeModel:
    """A server for OpenAI's chat completions and Anthropic's messages.

    ``brain(prompt, results, tools)`` is told the question, the results of calls so far and the names of the tools; it answers with
    a text, or with a list of calls, each a name and arguments.
    """

    def __init__(self, brain):
        self.brain = brain
        self.web = Web()
        self.web.answers = {"/v1/chat/completions": self._openai, "/v1/messages": self._anthropic}
        self.url = f"{self.web.url}/v1"

    def _openai(self, body):
        request = json.loads(body)
        messages = [message for message in request["messages"] if message["role"] != "system"]
        results = [message["content"] for message in messages if message["role"] == "tool"]
        said = self.brain(messages[0]["content"], results, [tool["function"]["name"] for tool in request["tools"]])
        message = {"role": "assistant", "content": said if isinstance(said, str) else None}
        if not isinstance(said, str):
            functions = [{"name": name, "arguments": json.dumps(given)} for name, given in said]
            message["tool_calls"] = [
                {"id": f"c{index}", "type": "function", "function": one} for index, one in enumerate(functions)
            ]
        usage = {"prompt_tokens": 100 * len(messages), "completion_tokens": 10}
        return 200, {}, json.dumps({"choices": [{"message": message}], "usage": usage}).encode()

    def _anthropic(self, body):
        request = json.loads(body)
        messages = request["messages"]
        blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
        results = [block["content"] for block in blocks if block["type"] == "tool_result"]
        said = self.brain(messages[0]["content"], results, [tool["name"] for tool in request["tools"]])
        if isinstance(said, str):
            content = [{"type": "text", "text": said}]
        else:
            content = [
                {"type": "tool_use", "id": f"t{index}", "name": name, "input": given} for index, (name, given) in enumerate(said)
            ]
        usage = {"input_tokens": 100 * len(messages), "output_tokens": 10}
        return 200, {}, json.dumps({"content": content, "usage": usage}).encode()


def clever(prompt, results, tools):
    """A model that does both tasks, with whatever it is given."""
    if "report" in prompt:
        if results:
            return "Done."
        return [("depot", {"commands": "stock --sku A | jq .pieces > /report.txt"})]
    if "depot" in tools:
        return f"There are {json.loads(results[0])['stdout'].strip()}." if results else [("depot", {"commands": SUM})]
    if results:
        return f"There are {sum(json.loads(result)['pieces'] for result in results)}."
    return [("stock", {"sku": sku}) for sku in "AB"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEPOT_KEY", "hunter22")
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "depot.yaml").write_text(TOOLSET)
    (tmp_path / "tasks.yaml").write_text(TASKS)
    return tmp_path


@pytest.fixture
def serve():
    """Starts servers; they are closed after the test."""
    started = []

    def start(brain=clever):
        started.append(FakeModel(brain))
        return started[-1]

    yield start
    for server in started:
        server.web.close()


@pytest.fixture
def run(place, capsys):
    def command(*words):
        with pytest.raises(SystemExit) as caught:
            main(["eval", "tasks.yaml", "--toolset", "depot.yaml", *words])
        out, err = capsys.readouterr()
        return caught.value.code, out, err

    return command
