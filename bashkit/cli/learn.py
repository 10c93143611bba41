"""bashkit learn: output schemas from what tools print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PLAIN_FILE, PROFILE, open_toolset
from bashkit.cli.terminal_text import print_document, say

if TYPE_CHECKING:
    from bashkit.toolset.learning.lessons import Lesson
    from bashkit.toolset.text.document import Document


@click.command("learn", short_help="Write the output schemas of tools from what they print.")
@click.argument("file", metavar="FILE", type=FILE)
@click.argument("tools", metavar="[TOOL]...", nargs=-1)
@click.option(
    "--recording", "recordings", metavar="FILE", multiple=True, type=PLAIN_FILE,
    help="Learn from calls that 'run --record FILE' has recorded.",
)  # fmt: skip
@click.option(
    "-c", "scripts", metavar="SCRIPT", multiple=True, help="Run a script with the real callbacks, and learn from its calls."
)
@click.option("--check", is_flag=True, help="Write nothing; fail if a tool prints what its output_schema does not say.")
@click.option("--dry-run", is_flag=True, help="Print the new file instead of writing it.")
@PROFILE
@color.option
def command(
    file: Path, tools: tuple[str, ...], recordings: tuple[Path, ...], scripts: tuple[str, ...], check: bool, dry_run: bool
) -> None:
    """Learn what the tools of FILE print, from their stubs, the tests of FILE, recorded calls and scripts that are run now.

    Each tool without an output_schema gets one, written into FILE for review; everything else in it stays as it is. What the
    values mean, and in which units they are, only the author knows: descriptions are yours to add. A tool whose outputs differ
    from its output_schema is told.

    Exit status: 0; 1 if an output differs from its output_schema, or with --check if a tool has none; 2 if FILE cannot be used.

    \b
    Examples:
      bashkit learn toolsets/shop.yaml
      bashkit learn shop.yaml get_user -c 'get_user --id 1' --dry-run
      bashkit learn shop.yaml --recording calls.jsonl --check
    """
    from bashkit.toolset.learning.lessons import lessons
    from bashkit.toolset.learning.outputs import collect

    toolset = open_toolset(file)
    known = {item.definition.name for item in toolset.declared}
    for name in tools:
        if name not in known:
            raise click.UsageError(f"{file} declares no tool {name!r}")
    found = [
        lesson
        for lesson in lessons(toolset, collect(toolset, recordings, scripts))
        if not tools or lesson.tool.definition.name in tools
    ]
    for lesson in found:
        say(_said(lesson), err=dry_run)
    missing = [lesson for lesson in found if lesson.schema is not None]
    if missing and not check:
        _write(missing, dry_run=dry_run)
    failed = any(lesson.drift for lesson in found) or (check and bool(missing))
    click.get_current_context().exit(1 if failed else 0)


def _said(lesson: Lesson) -> str:
    """The line about one tool."""
    from bashkit.tools.describe.notation import output

    item = lesson.tool
    place = f"{item.document.file}:{item.document.mark(item.path).line}: {item.definition.name}"
    count = f"{lesson.outputs} output{'' if lesson.outputs == 1 else 's'}"
    if lesson.drift:
        return "\n    ".join([f"{place}: {count} differ from output_schema", *lesson.drift])
    if lesson.schema is not None:
        return f"{place}: learned from {count}: {output(lesson.schema)}"
    if not lesson.outputs:
        # of a tool that calls others a recording has the calls of those
        recording = "" if getattr(item.callback, "calls_tools", False) else ", a --recording"
        return f"{place}: nothing to learn from: give it a stub or a test{recording}, or -c SCRIPT"
    return f"{place}: {count} as output_schema says" if item.definition.output_schema is not None else f"{place}: prints text"


def _write(found: list[Lesson], *, dry_run: bool) -> None:
    """Write the schemas into the files of their tools, or print their new texts."""
    from bashkit.toolset.text import document as documents
    from bashkit.toolset.writing.inserting import with_key
    from bashkit.toolset.writing.saving import save

    texts: dict[str, Document] = {}
    for lesson in sorted(found, key=lambda one: -one.tool.document.mark(one.tool.path).line):  # what is above keeps its lines
        document = texts.get(lesson.tool.document.file, lesson.tool.document)
        text = with_key(document, lesson.tool.path, "output_schema", lesson.schema)
        texts[lesson.tool.document.file] = documents.read(text, lesson.tool.document.file)
    for name, document in texts.items():
        if dry_run:
            print_document(document.text)
        else:
            path = Path(name)
            save(path, document.text)
            say(f"wrote {path}")
