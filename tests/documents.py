"""Runs what a document shows: its commands and programs, on the files that it shows.

``BASHKIT_UPDATE_README=1`` writes the outputs into the documents instead of comparing them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
UPDATE = os.environ.get("BASHKIT_UPDATE_README") == "1"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (?=.*[./])[\w./-]+")
_NOT_RUN = re.compile(r"<!-- not run: .+ -->\n\n\Z")
_FILES = {"yaml", "python", "sh", "markdown"}  # the languages of blocks that may be files


@dataclass(frozen=True)
class Document:
    """A Markdown document.

    Attributes:
        path: The file.
    """

    path: Path

    @property
    def text(self) -> str:
        """Its text."""
        return self.path.read_text(encoding="utf-8")

    def blocks(self) -> list[tuple[str, str]]:
        """The blocks of code: language and text."""
        return _BLOCK.findall(self.text)

    def commands(self) -> list[tuple[str, str]]:
        """The commands of all console blocks, each with the output below it."""
        return [pair for language, text in self.blocks() if language == "console" for pair in _session(text)]

    def programs(self) -> list[tuple[str, str]]:
        """The Python programs that a block with their output follows."""
        found = self.blocks()
        return [
            (text, shown)
            for (language, text), (following, shown) in pairwise(found)
            if language == "python" and following == "text"
        ]

    def unproved(self) -> list[str]:
        """The beginnings of those blocks that are neither run, nor files, nor marked by a comment that says why not."""
        found, languages = list(_BLOCK.finditer(self.text)), self.blocks()
        followed = [language for language, _ in languages[1:]] + [""]
        preceded = ["", *(language for language, _ in languages)]
        return [
            block[2].partition("\n")[0]
            for block, before, after in zip(found, preceded, followed, strict=False)
            if block[1] != "console"
            and (block[1], after) != ("python", "text")
            and (before, block[1]) != ("python", "text")
            and not (block[1] in _FILES and _FILE.fullmatch(block[2].partition("\n")[0]))
            and not _NOT_RUN.search(self.text[: block.start()])
        ]

    def make_folder(self, place: Path) -> None:
        """Write the files that the document shows, and the example toolsets, into a directory."""
        for language, text in self.blocks():
            first, _, rest = text.partition("\n")
            if language in _FILES and _FILE.fullmatch(first):
                path = place / first[2:]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(rest, encoding="utf-8")
                if rest.startswith("#!"):
                    path.chmod(0o755)
        shutil.copytree(ROOT / "toolsets", place / "toolsets", dirs_exist_ok=True)

    def check_commands(self, folder: Path) -> None:
        """Run the commands in a folder, one after the other, and compare or update their outputs."""
        for command, expected in self.commands():
            actual = shell(command, folder)
            shown = "$ " + command.replace("\n", "\n> ") + "\n"
            self._compare(shown + expected, shown + actual)

    def check_programs(self, folder: Path) -> None:
        """Run the programs in a folder, and compare or update their outputs."""
        for text, expected in self.programs():
            environment = {**os.environ, "PATH": _path(), "PYTHONPATH": str(folder)}
            done = subprocess.run(
                [sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
            )
            assert not done.stderr, done.stderr
            shown = f"```python\n{text}```\n\n```text\n"
            self._compare(shown + expected, shown + done.stdout)

    def _compare(self, expected: str, actual: str) -> None:
        if UPDATE:
            self.path.write_text(self.text.replace(expected, actual), encoding="utf-8")
        else:
            assert actual == expected


def _session(text: str) -> list[tuple[str, str]]:
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0] += "\n" + line[2:]
        else:
            found[-1][1] += line + "\n"
    return [(command, output) for command, output in found]


def _path() -> str:
    """A PATH whose ``bashkit`` is that of this interpreter."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def shell(command: str, folder: Path) -> str:
    """What a command prints in a folder, standard error included."""
    environment = {
        **os.environ,
        "PATH": _path(),
        "SHOP_CACHE": str(folder / "cache"),
        "PYTHON": sys.executable,
    }
    done = subprocess.run(
        ["bash", "-c", command + " 2>&1"], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout
