"""Prints the differences for ``bashkit snapshot``: for people, as JSON, and for GitHub."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from bashkit.cli import github
from bashkit.cli.diff_text import styled
from bashkit.cli.terminal_text import print_json, say, visible
from bashkit.host_files import working_directory
from bashkit.prompts.sizes import describe, size_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.prompts.snapshots import PromptSnapshot, SnapshotStore
    from bashkit.toolset import Toolset


class Documents(Protocol):
    """Where documents come from: what a model reads about a toolset, or scripts that are tried again."""

    @property
    def toolset(self) -> Toolset:
        """The toolset."""
        ...

    def budget(self, name: str) -> int | None:
        """The maximum characters of a document, or None."""
        ...

    def position(self, name: str) -> tuple[Path, int]:
        """The file and line (from 1) that define a document's content."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A document and its snapshot, with the toolset they belong to.

    Attributes:
        snapshot: Both texts.
        store: The store of the snapshot.
        collection: Where the document comes from; None if the toolset is gone.
    """

    snapshot: PromptSnapshot
    store: SnapshotStore
    collection: Documents | None

    @property
    def path(self) -> str:
        """The file's path, relative to the current directory if that is shorter."""
        return shown(self.snapshot.path)

    @property
    def state(self) -> str:
        """The state in one word, including an unfinished merge."""
        return "conflict" if self.snapshot.conflicted else self.snapshot.state

    @property
    def source(self) -> tuple[str, int]:
        """The file and line (from 1) that define the document's content."""
        if self.collection is None:
            return self.path, 1
        path, line = self.collection.position(self.snapshot.path.name)
        return shown(path), line

    @property
    def budget(self) -> int | None:
        """The maximum number of characters, or None."""
        return None if self.collection is None else self.collection.budget(self.snapshot.path.name)

    def note(self) -> str:
        """The source of the document and its size."""
        size = describe(self.snapshot.kept, self.snapshot.current, self.budget)
        if self.collection is None:
            return f"no toolset {self.store.folder.name} is beside it any more; {size}"
        file, line = self.source
        return f"from {file}:{line}; {size}"


def shown(path: Path) -> str:
    """A path relative to the current directory."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links
    here = working_directory()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(path)


def report(found: Sequence[Compared], done: Mapping[int, str], *, form: str, writing: bool) -> None:
    """Print the results.

    Args:
        found: All compared documents.
        done: The results of accepting, by ``id``.
        form: ``text``, ``json`` or ``github``.
        writing: Whether changes were to be accepted.
    """
    if form == "json":
        from bashkit.tools import json_text

        print_json(json_text.encode([_as_json(item, done.get(id(item), "")) for item in found]))
        return
    for item in found:
        if id(item) in done:
            say(f"{item.path}: {done[id(item)]}")
        elif item.snapshot.state != "same":
            (_annotate if form == "github" else show)(item)
    click.echo(_summary(found, done, writing=writing))


def show(item: Compared) -> None:
    """Print one difference for people."""
    click.secho(visible(f"{item.path}: {item.state}"), bold=True, nl=False)
    say(f", {item.note()}")
    if item.snapshot.conflicted:
        click.secho("it contains the markers of an unfinished merge: this text was never accepted", fg="yellow")
    for line in styled(item.snapshot.diff()):
        click.echo(line)


def _annotate(item: Compared) -> None:
    """Write an annotation at the line that defines the text, and the difference in a collapsible group."""
    file, line = item.source
    message = f"{item.path}: {item.state}; {describe(item.snapshot.kept, item.snapshot.current, item.budget)}"
    title = f"{item.snapshot.path.name} is not what was accepted"
    say(github.annotation("error", message, file=file, line=line, title=title))
    say(f"::group::{github.escaped(item.path)}")
    for text in item.snapshot.diff().split("\n")[:-1]:
        click.echo(f" {visible(text)}")  # a line of a prompt must not start a workflow command
    click.echo("::endgroup::")


def _as_json(item: Compared, done: str) -> dict[str, Any]:
    snapshot = item.snapshot
    file, line = item.source
    sizes = {
        key: None if text is None else size_of(text) for key, text in (("before", snapshot.kept), ("after", snapshot.current))
    }
    value: dict[str, Any] = {
        "file": item.path,
        "state": item.state,
        "toolset": None if item.collection is None else item.collection.toolset.name,
        "source": file,
        "line": line,
        "characters": {key: size and size.characters for key, size in sizes.items()},
        "tokens": {key: size and size.tokens for key, size in sizes.items()},
        "budget": item.budget,
        "diff": snapshot.diff(),
    }
    return value | ({"done": done} if done else {})


def _summary(found: Sequence[Compared], done: Mapping[int, str], *, writing: bool) -> str:
    states = [item.state for item in found if item.snapshot.state != "same" and id(item) not in done]
    same = sum(1 for item in found if item.snapshot.state == "same" and id(item) not in done)
    kinds = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    text = f"{same} the same"
    if writing:
        text += f", {len(done)} updated"
    if states or not writing:
        text += f", {len(states)} different{f' ({kinds})' if kinds else ''}"
    if states and not writing:
        text += "\naccept them with: bashkit snapshot --review, or --update"
        if any(item.collection is None for item in found):
            text += "; remove what toolsets left behind with --prune"
    return text
