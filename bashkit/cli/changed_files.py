"""Tells which files a script has changed (--files), and writes them to a directory (--files-to)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from bashkit.bash import Bash
    from bashkit.fs import FileSystem
    from bashkit.runs.file_changes import FileState


class _NewDirectory(click.Path):
    """A directory that does not exist or is empty, so that nothing in it is replaced and no link in it is followed."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        path = Path(super().convert(value, param, ctx))  # type: ignore[arg-type]
        if path.is_dir() and any(path.iterdir()):
            self.fail(f"the directory {str(path)!r} is not empty", param, ctx)
        return path


FILES = click.option("--files", is_flag=True, help="Print the files that the script changed to standard error.")
FILES_TO = click.option("--files-to", type=_NewDirectory(), metavar="DIRECTORY", help="Write the files that it added or changed.")


class ChangedFiles:
    """Watches the files of one execution.

    Args:
        wanted: Whether they are asked for at all.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._before: FileSystem | None = None
        self._after: FileSystem | None = None
        self._found: list[FileState] | None = None

    def look(self, bash: Bash) -> None:
        """Keep the files as they are before the script, if they are asked for.

        Raises:
            BashkitError: Something is mounted that cannot be copied.
        """
        from bashkit.runs.file_changes import files_of

        if self._wanted:
            self._before, self._after = files_of(bash), bash.fs

    def found(self) -> list[FileState]:
        """The paths that differ, in order."""
        from bashkit.runs.file_changes import compare_files

        if self._found is None:
            assert self._after is not None
            files = compare_files(self._before, self._after)
            self._found = [item for item in files.files if item.state != "same"]
            if files.cut:
                click.echo("bashkit: there are too many files to compare them all", err=True)
        return self._found

    def show(self) -> None:
        """Print a line for each, ``added /home/user/x``; a directory ends in a slash."""
        from bashkit.cli.terminal_text import visible

        for item in self.found():
            click.echo(f"{item.state:7} {visible(item.path)}{'/' if item.type == 'directory' else ''}", err=True)

    def as_json(self) -> list[dict[str, Any]]:
        """The same as JSON-like data."""
        return [{"path": item.path, "state": item.state, "type": item.type, "size": item.size} for item in self.found()]

    def write(self, directory: Path) -> None:
        """Write the files that were added or changed below a directory, by their absolute paths; links are not written.

        Raises:
            BashkitError: One cannot be written.
        """
        assert self._after is not None
        try:
            directory.mkdir(parents=True, exist_ok=True)
            for item in self.found():
                place = directory / item.path.lstrip("/")
                if item.state == "removed":
                    continue
                if item.type == "directory":
                    place.mkdir(parents=True, exist_ok=True)
                elif item.type == "file":
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_bytes(self._after.read_file(item.path))
        except OSError as error:
            raise BashkitError(f"{error.filename or directory} cannot be written: {error.strerror}") from error
