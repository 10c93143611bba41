import stat
from pathlib import Path

import pytest

from bashkit.toolset import check

from .web import Web


class Folder:
    """A folder in which a toolset file is written and checked."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name, text, executable=False):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if executable:
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def problems(self, text, resolve=False, environ=None):
        """``line:column: message`` of each problem, and its hint after a bar."""
        found = check(self.write("t.yaml", text), resolve, environ=environ or {})
        return [f"{p.line}:{p.column}: {p.message}" + (f" | {p.hint}" if p.hint else "") for p in found]


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def web():
    server = Web()
    yield server
    server.close()
