"""bashkit snapshot: compare what the model reads with the snapshots, and accept changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import PLAIN_FILE, PROFILE, YAML, complete_files, files_of, open_toolset, warn

if TYPE_CHECKING:
    from bashkit.cli.snapshot_report import Compared

_VERBS = {"new": "added", "changed": "updated", "orphan": "removed", "same": "given LF line ends"}


@click.command("snapshot", short_help="Keep and compare what the model reads.")
@click.argument("operands", metavar="[FILE|NAME]...", nargs=-1, shell_complete=complete_files)
@click.option("--scripts", type=PLAIN_FILE, metavar="ROWS", help="Run the scripts of ROWS, and compare what they do instead.")
@click.option("--real", is_flag=True, help="With --scripts: run every callback, also where there is a stub.")
@click.option("--replay", type=PLAIN_FILE, metavar="FILE", help="With --scripts: replay what 'run --record FILE' has kept.")
@click.option("--check", is_flag=True, help="Compare and write nothing (the default).")
@click.option("--update", is_flag=True, help="Keep the texts as they are now: those called NAME, or all, and remove orphans.")
@click.option("--new-only", is_flag=True, help="Keep only texts that have no snapshot yet.")
@click.option("--review", is_flag=True, help="Show the differences one by one and ask.")
@click.option("--prune", is_flag=True, help="Remove orphans, and the snapshots of deleted toolsets.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="How to print the outcome.")
@color.option
@click.pass_context
@PROFILE
def command(
    ctx: click.Context,
    operands: tuple[str, ...],
    scripts: Path | None,
    real: bool,
    replay: Path | None,
    check: bool,
    update: bool,
    new_only: bool,
    review: bool,
    prune: bool,
    as_json: bool,
    form: str,
) -> None:
    """Compare everything a model reads about a toolset with the snapshots beside its FILE, or accept what changed.

    Kept are the system prompt, the man page, the help of every tool, the tool as OpenAI, Anthropic and MCP declare it, and
    the output of every test that says 'snapshot: true'. Without FILE, all of *.toolset.yaml and toolsets/*.yaml below the current
    directory are compared. NAME is the file name of a snapshot; * and ? are wildcards.

    With --scripts, the scripts of ROWS (see 'bashkit batch') are tried against the one toolset as it is now, with stubs in the
    place of callbacks unless --real or --replay says otherwise. What they print and call is compared with what was accepted,
    in __snapshots__ beside ROWS. So a change of a tool shows in the scripts that agents wrote.

    Changed words are marked in colour; sizes are in characters, and in tokens where tiktoken and its data are installed.
    If the variable CI is set, nothing is written.

    Exit status: 0 if everything is as accepted; 1 if something still differs; 2 when FILE cannot be used or
    a snapshot cannot be written.

    \b
    Examples:
      bashkit snapshot
      bashkit snapshot toolsets/shop.yaml --review
      bashkit snapshot --update 'tool.get_user.*' system-prompt.md
      bashkit snapshot --format github
      bashkit snapshot toolsets/shop.yaml --scripts agent.jsonl --review
      bashkit snapshot --json | jq -r '.[] | select(.state != "same").file'
    """
    from bashkit.cli.snapshot_report import report
    from bashkit.prompts.snapshots import in_ci

    _one_of(real=real, replay=replay is not None)
    if scripts is None and (real or replay is not None):
        raise click.UsageError("--real and --replay are for --scripts")
    _one_of(check=check, review=review, new_only=new_only, update=update)
    writing = update or new_only or review or prune
    if writing and in_ci():
        raise click.UsageError("nothing is written where CI is set: accept changes on your own machine and commit them")
    form = "json" if as_json else form
    found = _compare(operands) if scripts is None else _tried(operands, scripts, real=real, replay=replay)
    if review:
        from bashkit.cli.snapshot_review import review_all

        different = review_all(found)
        ctx.exit(1 if different else 0)
    done = _write(found, update=update, new_only=new_only, prune=prune)
    left = [item for item in found if item.snapshot.state != "same" and id(item) not in done]
    report(found, {id(item): _VERBS[item.snapshot.state] for item in found if id(item) in done}, form=form, writing=writing)
    ctx.exit(1 if left else 0)


def _one_of(**flags: bool) -> None:
    given = [f"--{name.replace('_', '-')}" for name, on in flags.items() if on]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} exclude each other")


def _compare(operands: tuple[str, ...]) -> list[Compared]:
    from bashkit.cli.snapshot_report import Compared
    from bashkit.prompts.collection import Collection, fits
    from bashkit.prompts.snapshots import abandoned

    named, names = _sort(operands)
    files = files_of(named)
    found: list[Compared] = []
    for path in files:
        toolset = open_toolset(path)
        collection = Collection.of(toolset)
        found += [Compared(snapshot, collection.store, collection) for snapshot in collection.compare(names)]
        warn(toolset)
    unknown = [name for name in names if not any(fits(item.snapshot.path.name, [name]) for item in found)]
    if unknown:
        raise click.UsageError(f"there is no file and no snapshot called {unknown[0]!r}")
    for folder in dict.fromkeys(path.parent for path in files):
        for store in () if names else abandoned(folder):
            found += [Compared(snapshot, store, None) for snapshot in store.compare({})]
    return found


def _tried(operands: tuple[str, ...], scripts: Path, *, real: bool, replay: Path | None) -> list[Compared]:
    """The results of scripts with those that were accepted."""
    from bashkit.batch.tried import TriedScripts
    from bashkit.cli.snapshot_report import Compared
    from bashkit.toolset.project_files import toolset_files

    files, names = _sort(operands)
    files = files or toolset_files(Path())
    if len(files) != 1:
        raise click.UsageError(f"--scripts are tried against one toolset: name its FILE{_here(files)}")
    toolset = open_toolset(files[0])
    tried = TriedScripts.read(toolset, scripts, real=real, replay=replay)
    found = [Compared(snapshot, tried.store, tried) for snapshot in tried.compare(names)]
    warn(toolset)
    if names and not found:
        raise click.UsageError(f"there is no script and no snapshot called {names[0]!r}")
    return found


def _here(files: list[Path]) -> str:
    return f" (here are {', '.join(map(str, files))})" if files else ""


def _sort(operands: tuple[str, ...]) -> tuple[list[Path], list[str]]:
    """Distinguish toolsets from the names of snapshots."""
    paths = [Path(operand) for operand in operands]
    if "" in operands:
        raise click.UsageError("the path of a toolset is empty")
    for path in paths:
        if path.suffix in YAML and not path.exists():
            raise click.UsageError(f"there is no file {str(path)!r}")
    files = [path for path in paths if path.exists() and (path.is_dir() or path.suffix in YAML)]
    return files, [operand for operand, path in zip(operands, paths, strict=True) if path not in files]


def _write(found: list[Compared], *, update: bool, new_only: bool, prune: bool) -> set[int]:
    """Accept the changes that the options select; return the identities of what was accepted."""
    done: set[int] = set()
    for item in found:
        snapshot = item.snapshot
        wanted = {
            "new": update or new_only,
            "changed": update,
            "same": update and not snapshot.settled,
            "orphan": prune or (update and item.collection is not None),
        }
        if wanted[snapshot.state]:
            item.store.accept(snapshot)
            done.add(id(item))
    return done
