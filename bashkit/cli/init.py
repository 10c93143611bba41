"""bashkit init: write a first working toolset for the author to change."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click

from bashkit.cli import color

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_FOLDER = "toolsets"


@click.command("init", short_help="Write a first toolset.")
@click.argument("name", metavar="[NAME]", default="greeting")
@click.option(
    "-C", "directory", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Write below DIR."
)
@color.option
def command(name: str, directory: Path) -> None:
    """Write toolsets/NAME.yaml with one tool, its callback in Python, tests, and the snapshots of what a model reads.

    NAME is a Python name in lower case, by default "greeting". Existing files are not overwritten. If editors would not find the
    schema of toolset files, it is written beside the file.

    \b
    Exit status: 2 when a file exists already or cannot be written.

    \b
    Examples:
      bashkit init
      bashkit init weather && bashkit run toolsets/weather.yaml -c 'help --list'
    """
    if not _NAME.fullmatch(name):
        raise click.UsageError(f"a toolset's name is a Python name in lower case, such as my_tools, not {name!r}")
    from bashkit.toolset.schema.generation import schema_text
    from bashkit.toolset.writing.importing import SCHEMA, modeline
    from bashkit.toolset.writing.saving import save

    folder = directory / _FOLDER
    line = modeline(folder.absolute())
    texts = {f"{name}.yaml": f"{line}\n{_TOOLSET.replace('NAME', name)}", f"{name}_tools.py": _CALLBACK}
    for file in texts:
        if (folder / file).exists():
            raise click.UsageError(f"{folder / file} exists already")
    if line.endswith(f"={SCHEMA}") and not (folder / SCHEMA).exists():
        texts[SCHEMA] = schema_text()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be written: {error.strerror}") from error
    for file, text in texts.items():
        save(folder / file, text)
        click.echo(f"{folder / file}: written")
    _keep_snapshots(folder / f"{name}.yaml")
    made = shlex.quote(str(folder / f"{name}.yaml"))
    click.echo(f"next: bashkit test && bashkit snapshot && bashkit run {made} -c 'greet --name Ada'")


def _keep_snapshots(path: Path) -> None:
    from bashkit.prompts.collection import Collection
    from bashkit.toolset import load

    collection = Collection.of(load(path))
    found = collection.compare()
    for snapshot in found:
        collection.store.accept(snapshot)
    if found:
        click.echo(f"{found[0].path.parent}: {len(found)} snapshots written")


_TOOLSET = """\
version: 1
name: NAME
description: Says hello

prompt: {max_chars: 2000}

tools:
  - name: greet
    description: Greet somebody
    effects: read
    input_schema:
      type: object
      properties:
        name: {type: string, description: Who to greet}
        times: {type: integer, minimum: 1, default: 1, description: How often}
      required: [name]
    output_schema: {type: object, properties: {text: {type: string}}}
    examples: ["greet --name Ada | jq -r .text"]
    callback: {python: NAME_tools.greet}

tests:
  - name: greets twice
    script: greet --name Ada --times 2 | jq -r .text
    expect: {stdout: "Hello, Ada! Hello, Ada!"}
  - name: no name
    script: greet
    snapshot: true
"""

_CALLBACK = '''\
"""Callbacks of the toolset: each gets its arguments, converted and checked against the input schema."""


def greet(args):
    return {"text": " ".join([f"Hello, {args['name']}!"] * args["times"])}
'''
