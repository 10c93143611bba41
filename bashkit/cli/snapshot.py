"""bashkit snapshot: compare what the model reads with what was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit.cli.opening import FILE, file_of, open_toolset, warn

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.prompts import Snapshot

_VERBS = {"new": "added", "changed": "updated", "orphan": "removed"}


@click.command("snapshot", short_help="Keep and compare prompts and help texts.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option("--check/--update", "checking", default=True, help="Compare (the default), or keep the texts as they are now.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array of the files and their states.")
def command(files: tuple[Path, ...], checking: bool, as_json: bool) -> None:
    """Compare prompts and help texts with the snapshots beside each FILE, or keep them.

    \b
    Exit status: 1 when --check finds a difference.

    \b
    Examples:
      bashkit snapshot toolsets/*.yaml
      bashkit snapshot toolsets/shop.yaml --update
      bashkit snapshot --check --json | jq -r '.[] | select(.state != "same").file'
    """
    from bashkit.prompts import SnapshotStore, documents
    from bashkit.tools import json_text

    found: list[Snapshot] = []
    for path in files or (file_of(None),):
        toolset = open_toolset(path)
        texts = documents(toolset.tool)
        warn(toolset)
        store = SnapshotStore.beside(path)
        found += store.compare(texts)
        if not checking:
            store.update(texts)
    different = [snapshot for snapshot in found if snapshot.state != "same"]
    if as_json:
        click.echo(json_text.encode([{"file": str(item.path), "state": item.state} for item in found]))
    else:
        for snapshot in different:
            _show(snapshot, checking=checking)
        click.echo(f"{len(found) - len(different)} the same, {len(different)} {'different' if checking else 'updated'}")
    click.get_current_context().exit(1 if checking and different else 0)


def _show(snapshot: Snapshot, *, checking: bool) -> None:
    if not checking:
        click.echo(f"{snapshot.path}: {_VERBS[snapshot.state]}")
        return
    click.secho(f"{snapshot.path}: {snapshot.state}", bold=True)
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in snapshot.diff().splitlines():
        click.secho(line, fg=colours.get(line[:1]))
