"""A request to Anthropic's API and the answer to what the model calls, without a framework and without a key."""

import json

from bashkit import load

notes = load("../python/notes.yaml")
print(json.dumps([tool["name"] for tool in notes.definitions("anthropic")]))
call = {"type": "tool_use", "id": "1", "name": "notes", "input": {"commands": "add_note --text milk | jq -r .text"}}
print(notes.handle(call)["content"])
