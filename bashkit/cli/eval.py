"""bashkit eval: let a model work at tasks with a toolset, and measure how well it does."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

import click

from bashkit.cli import color
from bashkit.cli.opening import ALLOW, FILE, PLAIN_FILE, PROFILE, allowing, open_toolset, warn
from bashkit.cli.terminal_text import print_json, say
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bashkit.evaluation.conversation import Mode
    from bashkit.evaluation.run import Evaluation
    from bashkit.evaluation.transcript import Transcript


@click.command("eval", short_help="Measure how well a model uses a toolset.")
@click.argument("tasks", type=PLAIN_FILE)
@click.option("--toolset", "file", required=True, type=FILE, help="The toolset.")
@click.option("--model", metavar="KIND:NAME", help="Ask this model: openai:NAME, anthropic:NAME or llm:NAME.")
@click.option("--base-url", metavar="URL", help="The model's interface is here: any server that speaks OpenAI's or Anthropic's.")
@click.option("--replay", metavar="RUN", type=PLAIN_FILE, help="Ask no model: it says what it said in this recorded run.")
@click.option(
    "--mode",
    "modes",
    type=click.Choice(["full", "compact", "discovery", "tools"]),
    multiple=True,
    help="A prompt mode, or 'tools' for plain tools without a shell; may be repeated. Default: the toolset's mode, and tools.",
)
@click.option("--task", "pattern", metavar="PATTERN", default="*", help="Only tasks whose name matches; * and ? are wildcards.")
@click.option("--tries", type=click.IntRange(1), default=2, show_default=True, help="Conversations until a task is done.")
@click.option("--max-turns", type=click.IntRange(1), default=20, show_default=True, help="Round trips of one conversation.")
@click.option("--jobs", type=click.IntRange(1), default=4, show_default=True, help="Conversations at the same time.")
@click.option("--record", metavar="RUN", type=click.File("w", encoding="utf-8"), help="Write the conversations as JSON lines.")
@click.option("--against", metavar="RUN", type=PLAIN_FILE, help="Say what is different from this recorded run.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON for each conversation instead of a table.")
@ALLOW
@PROFILE
@color.option
def command(
    tasks: Path,
    file: Path,
    model: str | None,
    base_url: str | None,
    replay: Path | None,
    pattern: str,
    record: IO[str] | None,
    against: Path | None,
    as_json: bool,
    allow: tuple[str, ...],
    **given: Any,
) -> None:
    """Let a model work at the tasks of a file with a toolset, in an agent's loop, and check what comes of it.

    The table has a row for each mode of the prompt: how many tasks are done at the first try and by the second, and what a
    first try costs. A tool's stub, if it has one, replaces its callback, unless the task says 'callbacks: real'.

    \b
    A task:
      version: 1
      tasks:
        - name: gold customers
          prompt: How many gold customers are there? Answer with the number.
          expect:
            answer: "12"  # also output, files; {equals, contains, lacks, matches}
            calls: [{tool: list_users, args: {tier: gold}}]

    A recorded run holds whole conversations. A replay needs no model: it shows whether the model's scripts still do the tasks
    with the toolset as it is now. Keys come from OPENAI_API_KEY and ANTHROPIC_API_KEY.

    Exit status: 0 if every task is done in every mode, 1 if not, 2 for an unusable command line, file or model.

    \b
    Examples:
      bashkit eval tasks.yaml --toolset shop.yaml --model openai:gpt-5 \\
        --record run.jsonl
      bashkit eval tasks.yaml --toolset shop.yaml --model openai:qwen3 \\
        --base-url http://localhost:11434/v1 --mode full
      bashkit eval tasks.yaml --toolset shop.yaml --replay run.jsonl
      bashkit eval tasks.yaml --toolset shop.yaml --model llm:gpt-5-mini \\
        --against run.jsonl
    """
    import asyncio
    from fnmatch import fnmatchcase

    from bashkit.evaluation.report import comparison, table
    from bashkit.evaluation.run import Evaluation
    from bashkit.evaluation.tasks import read_tasks
    from bashkit.evaluation.transcript import read_transcripts
    from bashkit.tools import json_text

    if (model is None) == (replay is None):
        raise click.UsageError("either --model or --replay says who works at the tasks")
    chosen = [task for task in read_tasks(tasks) if fnmatchcase(task.name, pattern)]
    if not chosen:
        raise click.UsageError(f"no task of {tasks} matches {pattern!r}")
    earlier = read_transcripts(against) if against is not None else {}
    toolset = open_toolset(file)
    try:
        modes: tuple[Mode, ...] = given.pop("modes") or (toolset.options["prompt_mode"], "tools")
        evaluation = Evaluation(toolset, chosen, modes, **given, options=allowing(toolset, allow))
        transcripts = asyncio.run(_evaluate(evaluation, model, base_url, replay, record))
        warn(toolset)
    finally:
        toolset.close()
    if as_json:
        for one in transcripts:
            print_json(json_text.encode(one.result()))
    else:
        say(table(transcripts), nl=False)
    if against is not None:
        say(f"\nagainst {against}:\n\n{comparison(earlier, transcripts)}", nl=False, err=as_json)
    done = {(one.task, one.mode) for one in transcripts if one.passed}
    click.get_current_context().exit(0 if len(done) == len(chosen) * len(modes) else 1)


async def _evaluate(
    evaluation: Evaluation, name: str | None, base_url: str | None, replay: Path | None, record: IO[str] | None
) -> list[Transcript]:
    from bashkit.evaluation.models import open_model
    from bashkit.evaluation.transcript import Replayed, read_transcripts

    if replay is not None:
        recorded = read_transcripts(replay)
        return await evaluation.run(lambda key: Replayed(recorded[key]) if key in recorded else None, _noting(record))
    model = open_model(str(name), base_url, os.environ)
    try:
        return await evaluation.run(lambda _: model, _noting(record))
    finally:
        await model.aclose()


def _noting(record: IO[str] | None) -> Callable[[Transcript], None]:
    """What is done with a transcript as soon as it is there: it is written, and a person who waits sees it."""

    def note(transcript: Transcript) -> None:
        if record is not None and not record.closed:  # closed: another conversation, which ended at the same time, has failed
            try:
                record.write(f"{transcript.line()}\n")
                record.flush()
            except OSError as error:
                with suppress(OSError):
                    record.close()  # or click does, and tells the error in other words
                raise BashkitError(f"{record.name} cannot be written: {error.strerror}") from error
        if sys.stderr.isatty():
            outcome = "done" if transcript.passed else "failed"
            say(f"{transcript.task} ({transcript.mode}, try {transcript.attempt}): {outcome}", err=True)

    return note
