"""bashkit import: write the tools of a source to a toolset file."""

from __future__ import annotations

import os
import re
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from bashkit.cli import color
from bashkit.cli.opening import complete_files, warn
from bashkit.cli.terminal_text import print_document, say
from bashkit.cli.waiting import waiting_for

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from bashkit.toolset.sources import Source

_FAILED = 1
_WIDTH = 74  # of the listing, which is indented, in a help of 80 columns


def _kinds() -> dict[str, type[Source]]:
    """The kinds of sources, imported only when needed: the list of all subcommands does not show them."""
    from bashkit.toolset.sources import kinds

    return {kind.key: kind for kind in kinds()}


class _Kind(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click only
    """The command-line type for the name of a kind of source."""

    name = "kind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the name."""
        return click.Choice(list(_kinds())).convert(value, param, ctx)

    def get_metavar(self, *args: Any, **options: Any) -> str | None:
        """All names of kinds."""
        return click.Choice(list(_kinds())).get_metavar(*args, **options)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names of kinds that begin so."""
        return click.Choice(list(_kinds())).shell_complete(ctx, param, incomplete)


class _Import(click.Command):
    """The command, whose help lists the kinds of sources."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help with the kinds."""
        lines = {f"{kind.key} {kind.usage}": kind.about for kind in _kinds().values()}
        width = max(map(len, lines)) + 4
        entries = [
            wrap(about, _WIDTH, initial_indent=f"{usage:{width}}", subsequent_indent=" " * width)
            for usage, about in lines.items()
        ]
        listing = "\n    ".join(line for entry in entries for line in entry)
        self.help = (self.help or "").replace("KINDS", listing)
        super().format_help_text(ctx, formatter)


@click.command("import", cls=_Import, short_help="Write the tools of a source as a toolset.")
@click.argument("kind", type=_Kind())
@click.argument("source", nargs=-1, required=True, shell_complete=complete_files)
@click.option(
    "-o",
    "--output",
    "output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write FILE instead of standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option("--name", metavar="NAME", help="The toolset's name; by default derived from SOURCE.")
@click.option("--prefix", metavar="TEXT", help="Prefix of the tools' names.")
@click.option("--include", metavar="PATTERN", multiple=True, help="Take only tools whose names match; may be repeated.")
@click.option("--exclude", metavar="PATTERN", multiple=True, help="Leave out tools whose names match; may be repeated.")
@click.option("--base-url", metavar="URL", help="URL before the paths of an OpenAPI document; ${VAR} is kept.")
@click.option(
    "--header", "headers", metavar="'NAME: TEXT'", multiple=True, help="Header of every request; ${VAR} is kept. May be repeated."
)
@color.option
def command(kind: str, source: tuple[str, ...], output: Path | None, force: bool, name: str | None, **options: Any) -> None:
    """Write the tools of SOURCE out once, as a toolset file that no longer needs to ask it.

    \b
    KINDS

    Entries that cannot become tools are warnings on standard error. A ${VAR} is kept, and is listed among the file's secrets.
    Editors complete the file if they find its schema: 'bashkit schema > toolset.schema.json' beside it is enough.

    \b
    Exit status: 1 when there is no tool, 2 when SOURCE cannot be used.

    \b
    Examples:
      bashkit import skills ./skills -o toolsets/skills.yaml
      bashkit import mcp -o toolsets/time.yaml -- mcp-server-time \\
        --local-timezone UTC
      bashkit import openapi api.yaml --include 'list_*' \\
        --header 'Authorization: Bearer ${API_KEY}'
    """
    from bashkit.toolset.writing.importing import open_source, write_out

    if output is not None and output.exists() and not force:
        raise click.UsageError(f"{output} exists already; --force overwrites it")
    declared = _declared(kind, source, options)
    with waiting_for(f"the tools of {' '.join(source)}"):
        toolset = open_source(declared, name or _name(source))
        try:
            files = write_out(toolset, (output or Path("toolset.yaml")).absolute(), declared)
            warn(toolset)
            count = len(toolset.entries())
            tokens = toolset.long_prompt()
        finally:
            toolset.close()
    if not count:
        say(f"bashkit: there is no tool in {' '.join(source)}", err=True)
        click.get_current_context().exit(_FAILED)
    _write(files, output, force=force)
    said = f"{count} tool{'s' if count != 1 else ''}"
    if len(files) > 1:
        said += f" in {len(files) - 1} included files"
    if tokens is not None:
        said += f"; the prompt is in the mode discovery: with all tools it would have about {tokens} tokens"
    if output is not None or tokens is not None:
        say(f"{'bashkit' if output is None else os.fspath(output)}: {said}", err=True)


def _declared(kind: str, words: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The source as declared in a toolset file."""
    source = _kinds()[kind]
    headers = dict(_header(text) for text in options["headers"])
    if options["base_url"] and "base_url" not in source.options:
        raise click.UsageError("--base-url is for OpenAPI documents")
    try:
        found = source.of_command_line(words, headers)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if options["base_url"]:
        found["base_url"] = options["base_url"]
    found |= {key: list(options[key]) for key in ("include", "exclude") if options[key]}
    return found | ({"prefix": options["prefix"]} if options["prefix"] else {})


def _is_url(word: str) -> bool:
    return word.startswith(("http://", "https://"))


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise click.UsageError(f"a header is 'NAME: TEXT', not {text!r}")
    return name.strip(), value.strip()


def _name(words: tuple[str, ...]) -> str:
    """Derive a toolset's name from a path, a command or an address."""
    text = re.sub(r"^https?://|/+$", "", words[0])
    stem = Path(text).absolute().stem if not _is_url(words[0]) else text
    found = re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_-")[:64]
    return found if re.match(r"[A-Za-z_]", found) else f"tools_{found}".rstrip("_")


def _write(files: dict[Path, str], output: Path | None, *, force: bool) -> None:
    if output is None:
        if len(files) > 1:
            raise click.UsageError("this is too much for one file: -o FILE writes several, --include takes fewer tools")
        print_document(next(iter(files.values())).encode("utf-8", "replace").decode())
        return
    from bashkit.toolset.writing.saving import save

    for path in files:
        if path.exists() and not force:
            raise click.UsageError(f"{path} exists already; --force overwrites it")
    for path, text in reversed(files.items()):  # the included files first: what is there can be loaded
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.UsageError(f"{path} cannot be written: {error.strerror}") from error
        save(path, text.encode("utf-8", "replace").decode())
