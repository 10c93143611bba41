"""What all adapters for agent frameworks share: from whatever names a toolset to what a model gets of it."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError, ToolError
from bashkit.tools.execute.contract import Tool
from bashkit.tools.offer import Offer
from bashkit.toolset import load
from bashkit.toolset.toolset import Toolset

if TYPE_CHECKING:
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.tools.offer import Answer, Exposure, Offered

    Source = str | Path | Toolset | Tool


class MissingPackageError(BashkitError, ImportError):
    """The package that an adapter is for is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is missing: pip install 'bashkit-toolsets[{extra}]' adds it")


def tool_of(source: Source) -> Tool:
    """The tool of a toolset.

    Args:
        source: The path of a toolset file, a Toolset, or any Tool, such as a ScriptedTool or a BashTool.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
        BashkitError: It is none of these.
    """
    if isinstance(source, (str, Path)):
        return load(source).tool
    if isinstance(source, Toolset):
        return source.tool
    if isinstance(source, Tool):
        return source
    raise BashkitError(f"a toolset is a path, a Toolset, a ScriptedTool, a BashTool or another Tool, not {type(source).__name__}")


def offer(source: Source, expose: Exposure, *, with_prompt: bool = True) -> Offer:
    """What a model gets of a toolset; see ``tool_of`` and ``Offer``."""
    return Offer(tool_of(source), expose, with_prompt=with_prompt)


def answering(source: Toolset | Tool) -> Offer:
    """What answers the calls of messages, one after the other.

    Raises:
        BashkitError: It is a path, or no toolset at all.
    """
    if isinstance(source, (str, Path)):
        raise BashkitError("pass what bashkit.load has loaded, not its path: its session lasts from message to message")
    return offer(source, "all", with_prompt=False)


def one(source: Source, *, with_prompt: bool = True) -> Offered:
    """The tool that takes scripts."""
    return offer(source, "bash", with_prompt=with_prompt).tools[0]


def identifiers(names: list[str]) -> list[str]:
    """Names that Python takes, all different."""
    found: list[str] = []
    for name in names:
        base = re.sub(r"\W", "_", name)
        base = f"_{base}" if not base.isidentifier() else base
        base = f"{base}_" if keyword.iskeyword(base) else base
        candidate, number = base, 1
        while candidate in found or (candidate != name and candidate in names):
            number += 1
            candidate = f"{base}_{number}"
        found.append(candidate)
    return found


def text(answer: Answer) -> str:
    """What the model reads, for frameworks that turn an exception into the message of a failed call.

    Raises:
        ToolError: The call failed; the message is what the model reads.
    """
    if answer.failed:
        raise ToolError(answer.text)
    return answer.text


def plain(response: ToolResponse) -> dict[str, Any]:
    """A response with its ``trace`` as JSON data, for frameworks that save what a call leaves beside its text."""
    return response.to_dict() | {"trace": [call.to_dict() for call in response.trace]}
