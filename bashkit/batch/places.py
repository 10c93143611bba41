"""Where rows come from and results go: files of this machine, what fsspec reaches by an address, and Parquet.

A batch works on files of JSON lines. Anything else is turned into one before it begins, and made of one when it has ended; in
between, the results are in a file beside, by which a run that was killed is gone on with.
"""

from __future__ import annotations

import re
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_PARQUET = ".parquet"
_PART = ".part"
_AT_ONCE = 1_000  # rows of Parquet
_BLOCK = 1 << 20  # bytes that are copied at once


@contextmanager
def readable(place: str) -> Iterator[Path]:
    """The file of JSON lines that a place has, for as long as the block lasts.

    Args:
        place: A path, or an address such as ``s3://bucket/rows.parquet``.

    Raises:
        BashkitError: It cannot be read, or what is needed for that is not installed.
    """
    if not is_address(place) and not place.endswith(_PARQUET):
        yield Path(place)
        return
    with tempfile.TemporaryDirectory(prefix="bashkit-batch-") as folder:
        path = Path(folder) / Path(place).name if is_address(place) else Path(place)
        if is_address(place):
            _fetch(place, path)
        if path.suffix == _PARQUET:
            path = _lines_of_parquet(path, Path(folder) / f"{path.name}.jsonl", place)
        yield path


@contextmanager
def results_of(place: str) -> Iterator[Path]:
    """The file that collects the results for a place, which get there when the block ends without an exception.

    Args:
        place: As for ``readable``. Where it is not a file of JSON lines of this machine, its results are collected in a file that
            is called like it with ``.part`` behind: beside it, or in the working directory.

    Raises:
        BashkitError: There is something at that place already, or it cannot be written.
    """
    if not is_address(place) and not place.endswith(_PARQUET):
        yield Path(place)
        return
    part = Path(Path(place).name if is_address(place) else place).with_name(Path(place).name + _PART)
    if not part.exists() and _exists(place):
        raise BashkitError(f"{place} exists already, and {part} does not, with which its run could be gone on with")
    if place.endswith(_PARQUET):
        _pyarrow(place)  # what is missing is told before the scripts run
    yield part
    _deliver(part, place)
    part.unlink()


def _deliver(part: Path, place: str) -> None:
    """Write what was collected to its place."""
    with tempfile.TemporaryDirectory(prefix="bashkit-batch-", dir=part.parent) as folder:
        made = part
        if place.endswith(_PARQUET):
            made = Path(folder) / "made"
            _parquet_of_lines(part, made)
        if not is_address(place):
            made.replace(place)
            return
        with _reached(place):
            import fsspec

            with made.open("rb") as source, fsspec.open(place, "wb") as target:
                _copy(source, target)


def is_address(place: str) -> bool:
    """Whether it is an address and not a path."""
    return _ADDRESS.match(place) is not None


def _exists(place: str) -> bool:
    if not is_address(place):
        return Path(place).exists()
    with _reached(place):
        import fsspec

        files, path = fsspec.core.url_to_fs(place)
        return bool(files.exists(path))


def _fetch(place: str, path: Path) -> None:
    with _reached(place):
        import fsspec

        with fsspec.open(place, "rb") as source, path.open("wb") as target:
            _copy(source, target)


def _copy(source: Any, target: Any) -> None:
    """Copy what is left of one open file to another."""
    while block := source.read(_BLOCK):
        target.write(block)


@contextmanager
def _reached(place: str) -> Iterator[None]:
    """Tell mistakes of fsspec and what is behind it, which come in all kinds, with the address."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name == "fsspec":
            raise BashkitError(f"{place}: an address needs an extra: pip install 'bashkit-toolsets[batch]'") from None
        raise BashkitError(f"{place}: pip install {error.name} adds what it needs") from None
    except ImportError as error:  # fsspec says which package reaches this kind of address
        raise BashkitError(f"{place}: {error}") from None
    except Exception as error:
        raise BashkitError(f"{place}: it cannot be reached: {error or type(error).__name__}") from None


def _pyarrow(place: object) -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet  # which makes it an attribute
    except ModuleNotFoundError:
        raise BashkitError(f"{place}: Parquet needs an extra: pip install 'bashkit-toolsets[batch]'") from None
    return pa


def _lines_of_parquet(path: Path, target: Path, place: str) -> Path:
    """Write the rows of a file of Parquet as lines of JSON; columns without a value are left out.

    ``files`` and ``env`` are maps, structs or texts of JSON.
    """
    arrow = _pyarrow(place)
    try:
        with arrow.parquet.ParquetFile(path) as source, target.open("w", encoding="utf-8") as file:
            for batch in source.iter_batches(_AT_ONCE):
                for row in batch.to_pylist(maps_as_pydicts="strict"):
                    file.write(
                        json_text.encode({key: _value(key, value) for key, value in row.items() if value is not None}) + "\n"
                    )
    except (OSError, ValueError, TypeError, arrow.ArrowException) as error:
        raise BashkitError(f"{place}: it cannot be read as Parquet: {error}") from None
    return target


def _value(key: str, value: Any) -> Any:
    if key not in {"files", "env", "calls"}:
        return value
    if isinstance(value, str):
        return json_text.decode(value)
    return {name: text for name, text in value.items() if text is not None} if isinstance(value, dict) else value


def _parquet_of_lines(part: Path, target: Path) -> None:
    """Write results as Parquet: a column for each key, the calls as JSON."""
    arrow = _pyarrow(target)
    texts = ("id", "stdout", "stderr", "error", "calls")
    schema = arrow.schema([("row", arrow.int64()), ("exit_code", arrow.int32()), *((name, arrow.string()) for name in texts)])
    with part.open(encoding="utf-8", errors="surrogateescape") as lines, arrow.parquet.ParquetWriter(target, schema) as writer:
        for rows in _pieces(lines):
            writer.write_batch(arrow.RecordBatch.from_pylist(rows, schema=schema))


def _pieces(lines: Iterator[str]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for line in lines:
        value = json_text.decode(line)
        texts = {name: _utf8(value.get(name)) for name in ("stdout", "stderr", "error")}
        value |= {"id": str(value["id"]), "calls": json_text.encode(value.get("calls"))} | texts
        rows.append({name: value[name] for name in ("row", "exit_code", "id", "calls", *texts)})
        if len(rows) == _AT_ONCE:
            yield rows
            rows = []
    if rows:
        yield rows


def _utf8(text: str | None) -> str | None:
    """A text as Parquet can keep it: a byte that is not UTF-8 is U+FFFD."""
    return text if text is None else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
