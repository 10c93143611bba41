r"""Tools: definitions, arguments, and the ScriptedTool that makes commands of them.

A tool is a definition and a callback; a ScriptedTool runs scripts in which its tools are commands:

>>> from bashkit.tools import Cancellation, Policy, Retry, ScriptedTool, ToolDef, ToolError
>>> def get_user(args):
...     if args["id"] > 2:
...         raise ToolError(f"no user {args['id']}", exit_code=3)
...     return {"id": args["id"], "name": ["Ada", "Grace"][args["id"] - 1]}
>>> definition = (
...     ToolDef("get_user", "Fetch user by ID")
...     .with_schema({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]})
...     .with_output_schema({"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}})
...     .with_effects("read")
... )
>>> tool = ScriptedTool.builder("people").tool(definition, get_user).build()
>>> response = tool.execute_sync("get_user --id 1 | jq -r .name; get_user --id 9 || echo nobody")
>>> response.stdout, response.stderr, response.exit_code
('Ada\nnobody\n', 'get_user: no user 9\n', 0)
>>> [(call.tool, call.arguments, call.exit_code) for call in response.trace]
[('get_user', {'id': 1}, 0), ('get_user', {'id': 9}, 3)]

``await tool.execute(…)`` does the same on an event loop. Messages say how to correct a mistake; ``hints=False`` turns
that off:

>>> print(tool.execute_sync("set -e; get_user --id 1 | jq -r .nmae; get_user --usr 1").stderr, end="")
hint: .nmae: no such key (did you mean .name?); . has id, name
get_user: --id is required: expected integer
usage: get_user --id <integer>
hint: set -e ended the script at line 1: get_user --usr 1 exited with status 2

Very many tools are found rather than listed; ``prompt_mode`` and ``prompt_max_chars`` decide what the model reads:

>>> names = [(verb, noun) for verb in ("get", "delete") for noun in ("customer", "invoice")]
>>> many = [(ToolDef(f"{verb}_{noun}", f"{verb} one {noun}"), print) for verb, noun in names]
>>> shop = ScriptedTool("shop", tools=many, prompt_mode="discovery")
>>> [one.name for one in shop.tools()]
['shop', 'shop_discover']
>>> print(shop.execute_sync("discover --search 'get rid of a bill' | head -1").stdout, end="")
delete_invoice   delete one invoice

The host decides what may run, is told what ran, and can cancel it; a tool may declare that calls are retried and results cached:

>>> drop = ToolDef("drop", effects="destructive")
>>> policy = Policy(approve=lambda call: call.arguments.get("table") == "test")
>>> guarded = ScriptedTool("db", tools=[(drop, lambda args: "dropped\n")], policy=policy)
>>> guarded.execute_sync("drop --table test; drop --table users").stdout
'dropped\n'
>>> steady = definition.with_retry(Retry(attempts=3, backoff=0.1)).with_cache(60)
>>> cancellation = Cancellation()
>>> cancellation.cancel()  # from any thread
>>> tool.execute_sync("sleep 60", cancellation=cancellation).error
'cancelled'

A session goes on where the last script ended; what is too long for the model is cut, and is still there for the next script:

>>> session = ScriptedTool("work", persistent=True, max_result_chars=400)
>>> "everything is in /tmp/stdout-1.txt" in session.execute_sync("x=kept; seq 1000").stdout
True
>>> session.execute_sync("echo $x; tail -1 /tmp/stdout-1.txt").stdout
'kept\n1000\n'
"""

from bashkit.errors import ToolError
from bashkit.tools.call.cancellation import Cancellation
from bashkit.tools.call.policy import Denied, PlannedCall, Policy
from bashkit.tools.call.retry import Retry
from bashkit.tools.call.trace import ToolCall, Trace
from bashkit.tools.define.arguments import ToolArgs
from bashkit.tools.define.definition import Example, ToolDef
from bashkit.tools.define.result import ToolResult
from bashkit.tools.execute.bash_tool import BashTool
from bashkit.tools.execute.contract import Tool, ToolRequest, ToolResponse, ToolStatus
from bashkit.tools.execute.discovery import DiscoveryTool
from bashkit.tools.execute.scripted import OrchestratorTool, ScriptedTool
from bashkit.tools.typed.function_tool import FunctionTool, tool

__all__ = [
    "BashTool",
    "Cancellation",
    "Denied",
    "DiscoveryTool",
    "Example",
    "FunctionTool",
    "OrchestratorTool",
    "PlannedCall",
    "Policy",
    "Retry",
    "ScriptedTool",
    "Tool",
    "ToolArgs",
    "ToolCall",
    "ToolDef",
    "ToolError",
    "ToolRequest",
    "ToolResponse",
    "ToolResult",
    "ToolStatus",
    "Trace",
    "tool",
]
