"""The label of an archive (GNU tar manual, 9.7 Including a Label in the Archive)."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.commands.archives.tar.archiver import LABEL_TYPE, Archiver
from bashkit.commands.archives.tar.errors import HINT, TarError
from bashkit.commands.archives.tar.members import members, open_archive
from bashkit.commands.archives.tar.selection import has_wildcards
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments

_PAX_LABEL = "GNU.volume.label"


def label_of(archive: tarfile.TarFile, first: tarfile.TarInfo | None) -> str | None:
    """The label of an archive; None if it has none."""
    if first is not None and first.type == LABEL_TYPE:
        return first.name
    return archive.pax_headers.get(_PAX_LABEL)


def check_label(label: str | None, arguments: Arguments) -> None:
    """Check that an archive has the label of ``-V``.

    Raises:
        TarError: It has another label.
    """
    wanted = arguments.get("V")
    if wanted is None:
        return
    if label is None:
        raise TarError(f"Archive not labeled to match {mention(wanted)}")
    if not compile_glob(wanted, extglob=False).matches(label):
        raise TarError(f"Volume {mention(label)} does not match {mention(wanted)}")


def add_label(archive: tarfile.TarFile, label: str, now: float) -> None:
    """Write a label at the beginning of an archive.

    Raises:
        TarError: The format does not support labels.
    """
    if archive.format == tarfile.USTAR_FORMAT:
        raise TarError("GNU features wanted on incompatible archive format" + HINT, fatal=False)
    info = tarfile.TarInfo(label)
    info.type, info.mtime, info.mode = LABEL_TYPE, int(now), 0
    archive.addfile(info)


class LabelTester(Archiver):
    """``--test-label``: prints the label, or checks that it is one of the operands."""

    def run(self) -> int:
        """Return 0 if the label matches, else 1."""
        data = self._load(self._archive)
        try:
            with open_archive(data) as archive:
                label = label_of(archive, next(members(archive, self._process.budget), None))
        except tarfile.TarError:
            label = None
        wanted = [place.name for place in self._names.places]
        if label is not None and (not wanted or self._verbosity):
            self._process.write(f"{label}\n")
        if not wanted:
            return 0
        if label is not None and any(self._matches(label, name) for name in wanted):
            return 0
        if self._verbosity:
            self._process.warn("Archive label mismatch" if label is not None else "No label found")
            if "wildcards" not in self._arguments and any(has_wildcards(name) for name in wanted):
                self._warn_of_wildcards()
        return 1

    def _matches(self, label: str, name: str) -> bool:
        return compile_glob(name, extglob=False).matches(label) if "wildcards" in self._arguments else label == name
