"""Lets a model work at a task with a toolset, and judges what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from bashkit.errors import BashkitError
from bashkit.evaluation.transcript import Transcript
from bashkit.tools.offer import Offer
from bashkit.tools.offer.calls import read_call

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bashkit.bash import Bash
    from bashkit.evaluation.models.model import Message, Model, Turn
    from bashkit.evaluation.tasks import CallCheck, Task
    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.offer.offered import Answer
    from bashkit.toolset.toolset import Toolset

Mode = Literal["full", "compact", "discovery", "tools"]


@dataclass(slots=True)
class Workplace:
    """What a model works with in one conversation: tools whose session lasts, and what they have done.

    Args:
        toolset: The toolset, with the kind of callbacks that the task asks for.
        task: The task; its files are there.
        mode: The mode of the prompt, or ``tools``: every tool by itself, and no shell.
        options: Further keyword arguments of ScriptedTool.

    Raises:
        ToolsetError: The toolset cannot be used.
    """

    toolset: Toolset
    task: Task
    mode: Mode
    options: Mapping[str, Any] = field(default_factory=dict)
    calls: list[ToolCall] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    system: str = ""
    _shells: list[Bash] = field(default_factory=list)
    _offer: Offer = field(init=False)

    def __post_init__(self) -> None:
        own: dict[str, Any] = {
            "persistent": True,
            "files": dict(self.task.files) or None,
            "on_call": self.calls.append,
            "on_shell": self._shells.append,
            **self.options,
        }
        if self.mode == "tools":
            self._offer = Offer(self.toolset.make_tool(**own), "tools")
            return
        tool = self.toolset.make_tool(**own, prompt_mode=self.mode)
        self._offer = Offer(tool, "bash", with_prompt=False)
        self.system = tool.system_prompt()

    def definitions(self, form: str) -> list[dict[str, Any]]:
        """The definitions of the tools for a provider."""
        return self._offer.definitions(form)

    async def answer(self, call: object) -> Message:
        """Answer a model's call."""
        read = read_call(call)
        answer = await self._offer.call(read.name, read.arguments)
        self.printed.append(_printed(answer))
        return read.reply(answer)

    def file(self, path: str) -> str | None:
        """The text of a file of the session; None if there is no such file."""
        if not self._shells:
            return self.task.files.get(path)
        try:
            return self._shells[-1].fs.read_file(path).decode("utf-8", "replace")
        except (OSError, BashkitError):
            return None


def _printed(answer: Answer) -> str:
    return answer.text if answer.response is None else answer.response.stdout


async def converse(model: Model, workplace: Workplace, attempt: int, max_turns: int) -> Transcript:
    """Let a model work at a task until it answers without a call.

    Args:
        model: The model.
        workplace: What it works with.
        attempt: The number of the try.
        max_turns: How often it is asked at most.

    Raises:
        ModelError: It cannot be asked.
    """
    form = model.form
    tools = workplace.definitions(form.definitions)
    messages: list[Message] = [form.question(workplace.task.prompt)]
    turns: list[Turn] = []
    started = monotonic()
    asked = 0.0  # seconds of the model, as they pass here: a replay takes none
    while True:
        before = monotonic()
        turn = await model.ask(workplace.system, messages, tools)
        asked += monotonic() - before
        turns.append(turn)
        messages.append(turn.message)
        calls = form.calls(turn.message)
        if not calls or len(turns) == max_turns:
            break
        messages += form.results([await workplace.answer(call) for call in calls])
    answer = form.text(turns[-1].message)
    unfinished = [f"after {max_turns} round trips it still calls tools"] if calls else []
    return Transcript(
        task=workplace.task.name,
        mode=workplace.mode,
        attempt=attempt,
        model=model.name,
        failures=(*unfinished, *failures(workplace, answer)),
        answer=answer,
        turns=len(turns),
        input_tokens=_sum([turn.input_tokens for turn in turns]),
        output_tokens=_sum([turn.output_tokens for turn in turns]),
        seconds=round(monotonic() - started - asked + sum(turn.seconds for turn in turns), 3),
        calls=tuple({"tool": call.tool, "arguments": call.arguments, "exit_code": call.exit_code} for call in workplace.calls),
        form=form.definitions,
        system=workplace.system,
        tools=tuple(tools),
        messages=tuple(messages),
        usage=tuple((turn.input_tokens, turn.output_tokens, turn.seconds) for turn in turns),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def failures(workplace: Workplace, answer: str) -> Iterator[str]:
    """What is wrong with the result of a conversation."""
    task = workplace.task
    if task.answer is not None:
        yield from (f"answer: {problem}" for problem in task.answer.failures(answer))
    if task.output is not None:
        yield from (f"output: {problem}" for problem in task.output.failures("".join(workplace.printed)))
    for check in task.calls:
        times = sum(_is_such(call, check) for call in workplace.calls)
        if check.times is None and not times:
            yield f"calls: there was no successful call {check}"
        elif check.times is not None and times != check.times:
            yield f"calls: {check} happened {times} times instead of {check.times}"
    for path, check_file in task.results.items():
        text = workplace.file(path)
        found = ["it is missing"] if text is None else check_file.failures(text)
        yield from (f"{path}: {problem}" for problem in found)


def _is_such(call: ToolCall, check: CallCheck) -> bool:
    if call.tool != check.tool or call.exit_code != 0:
        return False
    given = call.arguments if isinstance(call.arguments, dict) else {}
    return all(name in given and given[name] == value for name, value in check.arguments.items())
