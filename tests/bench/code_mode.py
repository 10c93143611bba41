"""Code mode beside its peer, the CodeMode of ``pydantic-ai-harness``: python -m tests.bench.code_mode

Both run the same Python, a few calls of ten tools, in Monty, in one session. Measured are the characters that a model reads about the
tools, and the milliseconds from its request to the answer: without the model, with everything that each does around the code.
Without the peer (``pip install 'pydantic-ai-harness[code-mode]'``) only the own figures are shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from importlib.util import find_spec
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from bashkit import ScriptedTool, tool

if TYPE_CHECKING:
    from collections.abc import Callable

_ROUNDS = 40  # runs of each example; the peer allows a thousand calls of the host in a session
_TOOLS = 10
EXAMPLES = {
    "ten calls one after the other": "\n".join([f"x{n} = await get_thing{n}(id={n})" for n in range(_TOOLS)] + ["[x0, x9]"]),
    "ten calls at the same time": (
        "import asyncio\n"
        f"found = await asyncio.gather({', '.join(f'get_thing{n}(id={n})' for n in range(_TOOLS))})\n"
        "{'sum': sum(one['id'] for one in found)}"
    ),
    "ten calls in a loop": "total = 0\nfor n in range(10):\n    total += (await get_thing0(id=n))['id']\ntotal",
    "no call": "sum(n * n for n in [1, 2, 3])",
}


def things() -> list[Callable[[int], dict[str, Any]]]:
    """The tools."""

    def made(number: int) -> Callable[[int], dict[str, Any]]:
        def get_thing(id: int) -> dict[str, Any]:  # noqa: A002 - the tool's parameter
            """Get a thing by its ID."""
            return {"id": id, "name": f"thing {number}"}

        get_thing.__name__ = get_thing.__qualname__ = f"get_thing{number}"
        return get_thing

    return [made(number) for number in range(_TOOLS)]


async def own() -> tuple[int, dict[str, float]]:
    """Characters of the prompt and the request's schema, and milliseconds of each example."""
    api = ScriptedTool("run_code", tools=[tool(thing) for thing in things()], language="python", persistent=True)
    size = len(api.system_prompt()) + len(json.dumps(api.input_schema()))
    taken = {}
    for name, code in EXAMPLES.items():
        times = []
        for _ in range(_ROUNDS):
            begin = time.perf_counter()
            response = await api.execute(code)
            times.append((time.perf_counter() - begin) * 1e3)
            assert response.exit_code == 0, response.stderr
        taken[name] = median(times)
    return size, taken


async def peer() -> tuple[int, dict[str, float]]:
    """The same of the peer, with a model that sends an example as often as is measured."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from pydantic_ai.usage import UsageLimits
    from pydantic_ai_harness import CodeMode

    sizes: list[int] = []
    taken = {}
    for name, code in EXAMPLES.items():
        begun: list[float] = []

        def model(_: Any, info: AgentInfo, code: str = code, begun: list[float] = begun) -> ModelResponse:
            begun.append(time.perf_counter())
            definition = info.function_tools[0]
            sizes.append(len(definition.description or "") + len(json.dumps(definition.parameters_json_schema)))
            if len(begun) > _ROUNDS:
                return ModelResponse([TextPart("done")])
            return ModelResponse([ToolCallPart("run_code", {"code": code})])

        agent = Agent(FunctionModel(model), capabilities=[CodeMode()])
        for thing in things():
            agent.tool_plain(thing)
        await agent.run("", usage_limits=UsageLimits(request_limit=None))
        taken[name] = median((after - before) * 1e3 for before, after in pairwise(begun))
    return sizes[0], taken


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(prog="python -m tests.bench.code_mode", description=__doc__.partition("\n")[0]).parse_args()
    columns = {"bashkit": asyncio.run(own())}
    if find_spec("pydantic_ai_harness") is not None:
        columns["pydantic-ai-harness"] = asyncio.run(peer())
    print(f"{'':<32}" + "".join(f"{name:>22}" for name in columns))
    print(f"{'characters that a model reads':<32}" + "".join(f"{size:>22}" for size, _ in columns.values()))
    for name in EXAMPLES:
        print(f"{f'ms, {name}':<32}" + "".join(f"{taken[name]:>22.2f}" for _, taken in columns.values()))


if __name__ == "__main__":
    main()
