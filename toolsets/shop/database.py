"""The shop's database, built from shop.sql at the first use in a cache directory that all processes share."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SQL = Path(__file__).with_name("shop.sql")


def path(env: Mapping[str, str]) -> Path:
    """Return the database file, built if it does not exist yet.

    Args:
        env: ``SHOP_CACHE`` in it names the directory; by default the user's cache directory, or that of temporary files where
            there is none or nothing can be written into it.

    Raises:
        OSError: Nothing can be written into any of them.
    """
    sql = _SQL.read_text(encoding="utf-8")
    digest = hashlib.sha256(sql.encode()).hexdigest()[:12]  # a changed shop.sql gets a new database
    *others, last = [directory / f"shop-{digest}.db" for directory in _directories(env)]
    for file in others:
        with suppress(OSError):
            return _built(sql, file)
    return _built(sql, last)


def _directories(env: Mapping[str, str]) -> list[Path]:
    if env.get("SHOP_CACHE"):
        return [Path(env["SHOP_CACHE"]).absolute()]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))  # noqa: PTH111 - without a home it raises nothing
    own = [cache / "bashkit" / "shop"] if cache.is_absolute() else []  # a user who is not in the list of users has no home
    return [*own, Path(tempfile.gettempdir()) / f"bashkit-shop-{os.getuid()}"]


def _built(sql: str, file: Path) -> Path:
    if not file.exists():
        _build(sql, file)
    return file


def _build(sql: str, file: Path) -> None:
    """Build the database in a temporary file and rename it; if two processes build at the same time, the first one wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=".building-", dir=file.parent)
    os.close(descriptor)
    building = Path(name)
    try:
        with closing(sqlite3.connect(building)) as connection:
            connection.executescript(f"BEGIN;\n{sql}\nCOMMIT;")
        try:
            file.hardlink_to(building)
        except FileExistsError:
            pass  # the other process was faster, and its file may have changed already
    finally:
        building.unlink()


def query(env: Mapping[str, str], sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The rows of a SELECT, each as a dict."""
    with closing(sqlite3.connect(f"{path(env).as_uri()}?mode=ro", uri=True, timeout=5.0)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(sql, values)]


def execute(env: Mapping[str, str], sql: str, values: Sequence[Any] = ()) -> None:
    """Run a statement in its own transaction.

    Raises:
        sqlite3.IntegrityError: The database's rules forbid it.
    """
    with closing(sqlite3.connect(path(env), timeout=5.0)) as connection, connection:
        connection.execute(sql, values)
