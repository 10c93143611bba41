"""Compresses and expands bytes, charging the budget before anything grows."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import struct
import zlib
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from bashkit.commands.archives._lzw import LzwError, expand_lzw

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_STEP = 1 << 18
_BLOCK = 1 << 16  # bytes that are expanded at once, so that little is copied again behind each member
_MEMBER = 20  # steps that beginning a member counts
_SMALLEST_WINDOW, _LARGEST_WINDOW = 4096, 1 << 20
_EXPANDER_MEMORY = 80 << 20  # enough for the output of xz -9
CUT_OFF = "premature end"
_ZSTD_FRAME = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"\x1f\x9d": "compress",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    _ZSTD_FRAME: "zstd",
    b"]\0\0": "lzma",
}
_ZSTD_MEMORY = 128 << 20  # bytes of a window, as zstd itself has it
_NAME, _EXTRA, _COMMENT, _CHECKED = 8, 4, 16, 2


class CorruptError(Exception):
    """Compressed data is damaged; the message is gzip's.

    Args:
        message: What is wrong.
        partial: What was expanded before the data ended.
    """

    def __init__(self, message: str, partial: bytes = b"") -> None:
        super().__init__(message)
        self.partial = partial


class _Packer(Protocol):
    """The common interface of the standard library's compressors."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


class _Expander(Protocol):
    """The common interface of the standard library's decompressors."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes: ...


def _zstd_module() -> Any:
    """The library for zstd: Python's own from 3.14 on, or the wheel; None if there is neither."""
    for name in ("compression.zstd", "zstandard"):
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


ZSTD = _zstd_module()


class MissingLibraryError(Exception):
    """There is no library for this format; the message says how it is installed."""

    def __init__(self) -> None:
        super().__init__("zstd is not available: install bashkit-toolsets[zstd]")


def discard(process: Process, target: str) -> None:
    """Remove the file that was to be replaced by what a damaged file holds: the programs have emptied it by then."""
    path = process.path(target)
    if process.fs.exists(path):
        process.fs.unlink(path)


def kind_of(data: bytes) -> str | None:
    """Recognize ``gzip``, ``compress``, ``bzip2``, ``xz``, ``lzma`` or ``zstd`` by the first bytes; None for anything else."""
    return next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)


def gzip_member(data: bytes, process: Process, *, level: int, name: str = "", modified: int = 0) -> bytes:
    """Write one member of a gzip file (RFC 1952).

    Args:
        data: The content.
        process: Its budget is charged between the steps.
        level: 1 to 9.
        name: The original name, or empty.
        modified: Its modification time in seconds since the epoch, or 0.
    """
    flags = _NAME if name else 0
    extra = 2 if level == 9 else 4 if level == 1 else 0
    head = struct.pack("<4BI2B", 0x1F, 0x8B, 8, flags, max(0, min(modified, 0xFFFFFFFF)), extra, 3)
    title = name.encode("utf-8", "surrogateescape") + b"\0" if name else b""
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = _packed(packer, data, process)
    return head + title + body + struct.pack("<2I", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def gzip_header(data: bytes) -> tuple[str, int]:
    """The name and time in the header of a gzip file; empty and 0 if not stored."""
    if len(data) < 10 or kind_of(data) != "gzip":
        return "", 0
    flags, modified = data[3], struct.unpack_from("<I", data, 4)[0]
    position = 10
    if flags & _EXTRA:
        position += 2 + struct.unpack_from("<H", data.ljust(position + 2, b"\0"), position)[0]
    if not flags & _NAME:
        return "", modified
    end = data.find(b"\0", position)
    return data[position : max(end, position)].decode("utf-8", "surrogateescape"), modified


CHECKS = {"none": lzma.CHECK_NONE, "crc32": lzma.CHECK_CRC32, "crc64": lzma.CHECK_CRC64, "sha256": lzma.CHECK_SHA256}


def compress(data: bytes, kind: str, level: int, process: Process, *, checksum: bool = True, check: str = "crc64") -> bytes:
    """Write ``data`` as a gzip, bzip2 or xz file.

    Args:
        data: The content.
        kind: ``gzip``, ``bzip2``, ``xz``, ``lzma`` or ``zstd``.
        level: 1 to 9, 0 for xz and lzma, up to 19 for zstd.
        process: Its budget is charged between the steps.
        checksum: zstd's output ends with one.
        check: One of ``CHECKS``, which xz's output has; the others know no choice.

    Raises:
        MissingLibraryError: There is no library for zstd.
    """
    if kind == "zstd":
        return _packed(_zstd_packer(level, checksum=checksum), data, process)
    if kind == "gzip":
        return gzip_member(data, process, level=level)
    packer: _Packer
    if kind == "bzip2":
        packer = bz2.BZ2Compressor(level)
    else:
        # A compressor needs a multiple of its dictionary's size, and a dictionary larger than the data is useless.
        window = max(_SMALLEST_WINDOW, min(_LARGEST_WINDOW, len(data)))
        form, coder = lzma.FORMAT_XZ, lzma.FILTER_LZMA2
        if kind == "lzma":  # whose files begin with the size: a large power of two is what they are known by
            form, coder, window = lzma.FORMAT_ALONE, lzma.FILTER_LZMA1, max(1 << 16, 1 << (window - 1).bit_length())
        kept = CHECKS[check] if kind == "xz" else -1
        packer = lzma.LZMACompressor(form, kept, filters=[{"id": coder, "preset": level, "dict_size": window}])
    return _packed(packer, data, process)


def _zstd_packer(level: int, *, checksum: bool) -> _Packer:
    if ZSTD is None:
        raise MissingLibraryError
    packer: _Packer
    if ZSTD.__name__ == "compression.zstd":
        key = ZSTD.CompressionParameter
        packer = ZSTD.ZstdCompressor(options={key.compression_level: level, key.checksum_flag: int(checksum)})
    else:
        packer = ZSTD.ZstdCompressor(level, write_checksum=checksum).compressobj()
    return packer


def _packed(packer: _Packer, data: bytes, process: Process) -> bytes:
    """Compress in steps; long data in threads, because a step that completes a block may take a tenth of a second."""
    pieces = []
    inline = len(data) < _STEP
    for start in range(0, len(data), _STEP):
        process.budget.tick(_STEP >> 3)
        pieces.append(process.system.call(partial(packer.compress, data[start : start + _STEP]), inline=inline))
    return b"".join([*pieces, process.system.call(packer.flush, inline=inline)])


def expand(data: bytes, kind: str, budget: Budget) -> bytes:
    """Expand all members of compressed data; what follows them is ignored."""
    return expand_all(data, kind, budget)[0]


def expand_all(data: bytes, kind: str, budget: Budget) -> tuple[bytes, bytes]:
    """Expand all members of compressed data.

    Returns:
        Their content, and the garbage that follows them, if it is more than zeros, or zeros that xz does not allow.

    Args:
        data: The whole file.
        kind: The result of ``kind_of``.
        budget: Charged before the result grows.

    Raises:
        CorruptError: The data is damaged or ends too early.
        MissingLibraryError: There is no library for zstd.
    """
    if kind == "zstd":
        return _expand_zstd(data, budget), b""
    if kind == "compress":
        try:
            return expand_lzw(data, budget), b""
        except LzwError as error:
            raise CorruptError(str(error)) from None
    pieces: list[bytes] = []
    size = position = 0
    while position < len(data):
        budget.tick(_MEMBER)
        expander: _Expander = (
            _Gzip()
            if kind == "gzip"
            else bz2.BZ2Decompressor()
            if kind == "bzip2"
            else lzma.LZMADecompressor(memlimit=_EXPANDER_MEMORY)
        )
        try:
            while not expander.eof:
                block = data[position : position + _BLOCK] if expander.needs_input else b""
                position += len(block)
                piece = expander.decompress(block, _STEP)
                if not piece and not expander.eof and position == len(data):
                    raise CorruptError("unexpected end of file", b"".join(pieces))
                size += len(piece)
                budget.string(size)
                budget.tick(len(piece) >> 7)
                pieces.append(piece)
        except (OSError, zlib.error, lzma.LZMAError, ValueError) as error:
            raise CorruptError(_reason(str(error))) from None
        position -= len(expander.unused_data)
        if kind == "xz" and data[position : position + 1] == b"\0":  # padding: a multiple of four bytes
            padding = len(data) - position - len(data[position:].lstrip(b"\0"))
            position += padding if not padding % 4 else 0
        if kind == "lzma" or kind_of(data[position : position + 8]) != kind:
            break
    return b"".join(pieces), data[position:] if kind == "xz" or data[position:].strip(b"\0") else b""


def _expand_zstd(data: bytes, budget: Budget) -> bytes:
    if ZSTD is None:
        raise MissingLibraryError
    if ZSTD.__name__ == "compression.zstd":
        largest = {ZSTD.DecompressionParameter.window_log_max: _ZSTD_MEMORY.bit_length() - 1}
        reader = ZSTD.ZstdFile(io.BytesIO(data), options=largest)
    else:
        decompressor = ZSTD.ZstdDecompressor(max_window_size=_ZSTD_MEMORY)
        _refuse_unfinished(data, budget)
        reader = decompressor.stream_reader(io.BytesIO(data), read_across_frames=True)
    pieces: list[bytes] = []
    size = 0
    try:
        while piece := reader.read(_STEP):
            size += len(piece)
            budget.string(size)
            budget.tick(len(piece) >> 7)
            pieces.append(piece)
    except EOFError:
        raise CorruptError(CUT_OFF) from None
    except ZSTD.ZstdError as error:
        raise CorruptError(str(error).rpartition(": ")[2]) from None
    return b"".join(pieces)


def _refuse_unfinished(data: bytes, budget: Budget) -> None:
    """Refuse a frame that is cut off (RFC 8878), which the library takes for one whose rest is still to come.

    Raises:
        CorruptError: It is.
    """
    position = 0
    while data.startswith(_ZSTD_FRAME, position) or _SKIPPABLE.match(data, position):
        if data.startswith(_ZSTD_FRAME, position):
            try:
                begin = position + ZSTD.frame_header_size(data[position : position + 18])
            except ZSTD.ZstdError:
                raise CorruptError(CUT_OFF) from None
            checksum = 4 if data[position + 4] & 4 else 0
            position, last = begin, False
            while not last and position < len(data):
                budget.tick()
                block = int.from_bytes(data[position : position + 3], "little")
                last, position = bool(block & 1), position + 3 + (1 if block >> 1 & 3 == 1 else block >> 3)
            position += checksum if last else 1
        else:
            position += 8 + int.from_bytes(data[position + 4 : position + 8], "little")
        if position > len(data):
            raise CorruptError(CUT_OFF)


def _reason(text: str) -> str:
    if "crc" in text or "check" in text:
        return "invalid compressed data--crc error"
    if "length" in text:
        return "invalid compressed data--length error"
    return "invalid compressed data--format violated"


class _Gzip:
    """One gzip member through zlib, with the interface of the other decompressors."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        """Whether the member is complete."""
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        """Whether the last block is used up."""
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        """The data after the member."""
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """The next bytes."""
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
