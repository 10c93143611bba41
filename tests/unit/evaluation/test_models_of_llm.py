"""Models of ``llm``: a conversation with calls, told by a plugin that is registered here."""

import json

import pytest

from bashkit.evaluation.models import ModelError, open_model

from .conftest import SUM

llm = pytest.importorskip("llm", reason="llm is an extra")


class Adder(llm.Model):
    """Asks for the sum with a script, and tells it."""

    model_id = "adder"
    supports_tools = True
    can_stream = False

    def execute(self, prompt, stream, response, conversation):
        response.set_usage(input=50, output=5)
        if prompt.tool_results:
            return [f"There are {json.loads(prompt.tool_results[0].output)['stdout'].strip()}."]
        assert [tool.name for tool in prompt.tools] == ["depot"]
        assert "stock" in prompt.system
        response.add_tool_call(llm.ToolCall(name="depot", arguments={"commands": SUM}, tool_call_id="one"))
        return [""]


class Mute(llm.Model):
    """Cannot call tools."""

    model_id = "mute"

    def execute(self, prompt, stream, response, conversation):
        return ["?"]


class Plugin:
    """The plugin."""

    @staticmethod
    @llm.hookimpl
    def register_models(register):
        register(Adder())
        register(Mute())


@pytest.fixture
def plugin(monkeypatch, tmp_path):
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    from llm.plugins import pm

    pm.register(Plugin, name="bashkit-test")
    yield
    pm.unregister(name="bashkit-test")


@pytest.mark.usefixtures("plugin")
def test_a_model_of_llm_works_at_a_task(run):
    code, out, err = run("--model", "llm:adder", "--task", "total", "--mode", "full")
    assert (code, err) == (0, "")
    assert out.splitlines()[1].split()[:-1] == ["full", "1", "1", "1", "2.0", "2.0", "100", "10"]


@pytest.mark.usefixtures("plugin")
def test_what_llm_does_not_have_is_told():
    with pytest.raises(ModelError, match="llm knows no model 'nobody'"):
        open_model("llm:nobody", None, {})
    with pytest.raises(ModelError, match="the model mute of llm cannot call tools"):
        open_model("llm:mute", None, {})
