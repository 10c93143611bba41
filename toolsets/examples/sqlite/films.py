"""A connection that all callbacks share: setup makes it, args.state is it, teardown closes it."""

import sqlite3

from bashkit import ToolArgs


def connect() -> sqlite3.Connection:
    """Make what the callbacks share: a database with three films."""
    database = sqlite3.connect(":memory:")
    database.execute("create table films (title, year)")
    database.executemany("insert into films values (?, ?)", [("Metropolis", 1927), ("M", 1931), ("Playtime", 1967)])
    return database


def disconnect(database: sqlite3.Connection) -> None:
    """Release it."""
    database.close()


def films(args: ToolArgs, before: int = 9999) -> sqlite3.Cursor:
    """List films.

    Args:
        before: Only those made before this year.
    """
    return args.state.execute("select title, year from films where year < ? order by year", [before])
