"""Tools: definitions, arguments, and the ScriptedTool that makes commands of them."""

from bashkit.tools.arguments import ToolArgs
from bashkit.tools.bash_tool import BashTool
from bashkit.tools.cancellation import Cancellation
from bashkit.tools.contract import Tool, ToolRequest, ToolResponse, ToolStatus
from bashkit.tools.definition import Example, ToolDef
from bashkit.tools.discovery import DiscoveryTool
from bashkit.tools.policy import Denied, PlannedCall, Policy
from bashkit.tools.result import ToolResult
from bashkit.tools.retry import Retry
from bashkit.tools.scripted import OrchestratorTool, ScriptedTool
from bashkit.tools.trace import ToolCall, Trace

__all__ = [
    "BashTool",
    "Cancellation",
    "Denied",
    "DiscoveryTool",
    "Example",
    "OrchestratorTool",
    "PlannedCall",
    "Policy",
    "Retry",
    "ScriptedTool",
    "Tool",
    "ToolArgs",
    "ToolCall",
    "ToolDef",
    "ToolRequest",
    "ToolResponse",
    "ToolResult",
    "ToolStatus",
    "Trace",
]
