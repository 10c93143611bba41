"""An agent at work: a stand-in for the model reads the prompt, makes a mistake, reads what it is told, and gets it right."""

import json

from jsonschema import Draft202012Validator

from bashkit import load
from bashkit.toolset.package_data import examples


class Model:
    """Answers with scripts; each next one may look at what the last gave."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.read = []

    def answer(self, message):
        self.read.append(message)
        if not self.turns:
            return {"text": json.loads(message)["stdout"]}
        return {"tool": "shop", "input": {"commands": self.turns.pop(0)}}


def converse(model, tool):
    """The loop of any agent: the tool's description and prompt in, tool calls out, responses back in."""
    assert tool.input_schema()["required"] == ["commands"]
    answer = model.answer(tool.system_prompt())
    while "tool" in answer:
        assert answer["tool"] == tool.name
        Draft202012Validator(tool.input_schema()).validate(answer["input"])
        response = tool.execute_sync(answer["input"]["commands"])
        Draft202012Validator(tool.output_schema()).validate(response.to_dict())
        answer = model.answer(response.to_json())
    return answer["text"]


def test_s17_a_conversation_with_mistakes(tmp_path):
    tool = load(examples() / "shop.yaml", environ={"SHOP_CACHE": str(tmp_path)}).tool
    model = Model(
        "set -e\nuser=$(get_usr --id 1)\necho $user",
        "get_user --user 1 | jq -r .fullname",
        "get_user --id 1 | jq -r .full_name",
        "list_orders --user_id 1 --status deliverd",
        'name=$(get_user --id 1 | jq -r .name)\nspent=$(list_orders --user_id 1 --status delivered | jq "map(.total) | add // 0")\necho "$name: $spent"',
    )
    assert converse(model, tool) == "Ada Lovelace: 7879\n"
    prompt, *told = model.read
    assert "get_user --id <integer>" in prompt
    assert "did you mean `get_user`" in told[0]
    assert "--id is required: expected integer" in told[1]
    assert "hint: .full_name: no such key (did you mean .name?); . has id, name, email" in told[2]
    assert "(did you mean delivered?)" in told[3]
