"""ScriptedToolBuilder: builds a ScriptedTool step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.tools.execute.session_builder import SessionBuilder
from bashkit.tools.typed.function_tool import FunctionTool

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.describe.languages import Language
    from bashkit.tools.execute.scripted import ScriptedTool


class ScriptedToolBuilder(SessionBuilder):
    """Builds a ScriptedTool step by step.

    Args:
        name: The name of the tool.
        make: Makes the tool from the parts: ScriptedTool, or a subclass.
    """

    def __init__(self, name: str, make: Callable[..., ScriptedTool]) -> None:
        super().__init__()
        self._name = name
        self._make = make
        self._tools: list[tuple[ToolDef, Callable[..., Any]]] = []
        self._mappings["secrets"] = {}

    def short_description(self, text: str) -> ScriptedToolBuilder:
        """Set the one-line description for listings."""
        self._options["short_description"] = text
        return self

    def tool(
        self, definition: ToolDef | FunctionTool[..., Any], callback: Callable[..., Any] | None = None, *, raw: bool = False
    ) -> ScriptedToolBuilder:
        """Add a tool.

        Args:
            definition: Its declaration; or a function decorated with ``tool``, which needs nothing else.
            callback: Its callback.
            raw: The callback is of the form ``(args: list[str], stdin: str | None)``.

        Raises:
            DefinitionError: The callback is missing.
        """
        if isinstance(definition, FunctionTool):
            callback, definition = definition.callback, definition.definition
        if callback is None:
            raise DefinitionError(f"the tool {definition.name!r} has no callback")
        self._tools.append((replace(definition, raw=True) if raw else definition, callback))
        return self

    def secret(self, name: str, text: str) -> ScriptedToolBuilder:
        """Set a value that only callbacks see, in ``args.env``."""
        self._mappings["secrets"][name] = text
        return self

    def language(self, language: Language) -> ScriptedToolBuilder:
        """Set what scripts are written in: ``bash``, ``python`` or ``both``."""
        self._options["language"] = language
        return self

    def python(self, *, available: bool = True) -> ScriptedToolBuilder:
        """Set whether scripts have ``python3``, to which the tools are functions."""
        self._options["python"] = available
        return self

    def options(self, **options: Any) -> ScriptedToolBuilder:
        """Set further keyword arguments of ScriptedTool; mappings are added to what is there."""
        for name, value in options.items():
            if name in self._mappings and isinstance(value, Mapping):
                self._mappings[name].update(value)
            else:
                self._options[name] = value
        return self

    def build(self) -> ScriptedTool:
        """Make the tool.

        Raises:
            DefinitionError: As for ScriptedTool.
        """
        return self._make(self._name, tools=self._tools, **{**self._mappings, **self._options})
