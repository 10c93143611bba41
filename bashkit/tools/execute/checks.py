"""Checks of what hosts pass to a ScriptedTool.

Raises:
    DefinitionError: In all of them: an option has a value that it cannot have.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from bashkit.commands import _python
from bashkit.errors import DefinitionError
from bashkit.host_options import check_choice, check_instance
from bashkit.limits import check_count
from bashkit.tools.call.policy import Policy
from bashkit.tools.define.definition import ERRORS, VALIDATIONS, ToolDef
from bashkit.tools.describe import prompt
from bashkit.tools.describe.languages import DIALECTS
from bashkit.tools.execute.truncation import SHORTEST_LIMIT
from bashkit.tools.typed.function_tool import FunctionTool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAIR = 2


def budgets(chars: int | None, tokens: int | None, counter: Callable[[str], int]) -> tuple[prompt.Budget, ...]:
    """The maximums of the system prompt."""
    for name, most in (("prompt_max_chars", chars), ("prompt_max_tokens", tokens)):
        if most is not None:
            check_count(name, most)
    if not callable(counter):
        raise DefinitionError(f"token_counter must be a function of a text, not {counter!r}")
    found = () if chars is None else (prompt.Budget(chars),)
    return found if tokens is None else (*found, prompt.Budget(tokens, "tokens", counter))


def pairs(tools: object) -> Iterator[tuple[ToolDef, Any]]:
    """The definitions of tools and their callbacks."""
    if not isinstance(tools, Iterable):
        raise DefinitionError(f"tools are a list, not {tools!r}")
    for one in tools:
        if isinstance(one, FunctionTool):
            yield one.definition, one.callback
        elif isinstance(one, (tuple, list)) and len(one) == _PAIR and isinstance(one[0], ToolDef):
            yield one[0], one[1]
        else:
            raise DefinitionError(f"tools are pairs of a ToolDef and its callback, or functions decorated with tool, not {one!r}")


def texts(name: str, value: Iterable[str]) -> tuple[str, ...]:
    """Several texts."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise DefinitionError(f"{name} must be a list of texts, not {value!r}")
    found = tuple(value)
    for one in found:
        check_instance(f"each of {name}", one, str)
    return found


def check_choices(mode: object, validate_output: object, errors: object, policy: object) -> None:
    """Refuse what is not one of the names or kinds that the option takes."""
    check_choice("prompt_mode", mode, prompt.MODES)
    check_choice("validate_output", validate_output, VALIDATIONS)
    if errors is not None:
        check_choice("errors", errors, ERRORS)
    if policy is not None:
        check_instance("policy", policy, Policy)


def check_numbers(max_result_chars: object, trace_capacity: object, trace_streams: object) -> None:
    """Refuse what is not a number in the range of the option."""
    if max_result_chars is not None:
        check_count("max_result_chars", max_result_chars, SHORTEST_LIMIT)
    check_count("trace_capacity", trace_capacity, 0)
    check_count("trace_streams", trace_streams, 0)


def check_language(language: object, python: object) -> None:
    """Refuse a language that the options or what is installed exclude."""
    check_choice("language", language, DIALECTS)
    needed = "python=True" if python else "" if language == "bash" else f"language={language!r}"
    if needed and python is False:
        raise DefinitionError(f"{needed} needs python3, which python=False leaves out")
    if needed and not _python.is_installed():
        raise DefinitionError(f"{needed} needs the extra python: pip install 'bashkit-toolsets[python]'")
