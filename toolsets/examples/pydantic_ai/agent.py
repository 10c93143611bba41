"""An agent of Pydantic AI with the one tool (extra pydantic-ai); a function stands for the model, so that it needs no network."""

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from bashkit.integrations.pydantic_ai import bash_tool


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Call the tool once and answer with what it says."""
    last = messages[-1].parts[-1]
    if last.part_kind == "tool-return":
        return ModelResponse([TextPart(str(last.content))])
    script = "add_note --text milk > a; list_notes | jq length"
    return ModelResponse([ToolCallPart(info.function_tools[0].name, {"commands": script})])


agent = Agent(FunctionModel(model), toolsets=[bash_tool("../python/notes.yaml")])
print(agent.run_sync("Note that we need milk. How many notes are there?").output)
