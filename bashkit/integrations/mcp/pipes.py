"""Pipes: the messages of one client over standard input and output, which nothing else may read or write meanwhile.

Threads read and write, as standard input may be a file, a pipe or a terminal. They are daemons, so that a client that neither
sends nor reads does not keep the process alive.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import threading
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from bashkit.integrations.mcp.values import MOST, TOO_MANY, count_values
from bashkit.tools import json_text
from bashkit.tools.json_text import clean_all

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCError

    Messages = MemoryObjectSendStream[SessionMessage]
    Outgoing = MemoryObjectReceiveStream[SessionMessage]

_DEEPEST = 150  # arrays and objects inside each other in a message; pydantic reads about 200
_FORM = "is an object with jsonrpc, method and params as JSON-RPC 2.0 has them"
MAX_MESSAGE = 16 << 20  # bytes of one line
_CHUNK = 1 << 16
_ENDS = 1 << 10  # bytes that are kept of each end of a line that is too long
_ID = rb'"id"\s*:\s*("[\w-]{0,99}"|-?\d{1,15})\s*'
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_FIRST_ID = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb",\s*)?" + _ID + rb",")
_LAST_ID = re.compile(rb",\s*" + _ID + rb"(?:,\s*" + _VERSION + rb")?\}\s*$")

log = logging.getLogger("bashkit.mcp")


@asynccontextmanager
async def standard_streams() -> AsyncIterator[tuple[Any, Any]]:
    """The streams of messages for a server of the SDK.

    Meanwhile descriptor 0 is empty and descriptor 1 is standard error, for this process and those that it starts: what a callback
    prints is no message.
    """
    import anyio
    from mcp.shared.message import SessionMessage

    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    into, incoming = anyio.create_memory_object_stream[SessionMessage](0)
    outgoing, out = anyio.create_memory_object_stream[SessionMessage](0)
    loop = asyncio.get_running_loop()
    back = outgoing.clone()
    threading.Thread(target=_read, args=(source, into, back, loop), name="bashkit-mcp-read", daemon=True).start()
    writing = asyncio.create_task(_write(sink, out))
    try:
        yield incoming, outgoing
    finally:
        outgoing.close()
        back.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(1):  # the last answers; a client that does not read them loses them
                await writing
        writing.cancel()
        for stream in (incoming, into, out):
            stream.close()
        with suppress(OSError):
            sys.stdout.flush()  # what callbacks have printed and Python has kept
        os.dup2(source, 0)
        os.dup2(sink, 1)


def _read(source: int, into: Messages, back: Messages, loop: asyncio.AbstractEventLoop) -> None:
    """Pass on what the client sends, no faster than it is taken; what is no message is refused."""
    from mcp.shared.message import SessionMessage

    with suppress(RuntimeError):  # the loop is closed
        for message in _messages(source):
            if isinstance(message, SessionMessage):
                passing = _passed(into, message)
            else:
                log.warning("the client has sent what is no message: %s", message.error.message)
                passing = _passed(back, SessionMessage(message))
            if asyncio.run_coroutine_threadsafe(passing, loop).result():
                return
        loop.call_soon_threadsafe(into.close)


async def _passed(into: Messages, message: SessionMessage) -> bool:
    """Pass a message on; return whether nobody wants any more."""
    import anyio

    try:
        await into.send(message)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return True
    return False


def _messages(source: int) -> Iterator[SessionMessage | JSONRPCError]:
    """The messages of the client, and the answers to what is none."""
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCNotification, jsonrpc_message_adapter

    for sent in _lines(source):
        line = bytes(sent.text)
        if sent.too_long:
            yield _unread(line, f"has at most {MAX_MESSAGE >> 20} MB")
        elif len(line) > _CHUNK and line.lstrip()[:1] == b"[":
            yield _invalid(None)  # whatever is in it: lists of very many are not read
        elif count_values(line) > MOST:
            yield _unread(line[:_ENDS] + line[-_ENDS:], TOO_MANY)
        elif line.strip():
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                yield _with_surrogates(line) or _refusal(line)
                continue
            if isinstance(message, JSONRPCNotification) and b'"id"' in line and _has_id(line):
                yield _refusal(line)  # its ID is of a wrong type: nobody would answer
            else:
                yield SessionMessage(message)


def _has_id(line: bytes) -> bool:
    try:
        return "id" in json_text.decode(line.decode())
    except ValueError:
        return True


def _with_surrogates(line: bytes) -> SessionMessage | None:
    r"""The message of a client that writes halves of characters, such as ``\ud800``, which pydantic refuses to read."""
    from mcp.shared.message import SessionMessage
    from mcp.types import jsonrpc_message_adapter

    try:
        found = json_text.decode(line.decode())
        if json_text.deeper(found, _DEEPEST):  # pydantic has refused it for that, and a server of the SDK would end
            return None
        return SessionMessage(jsonrpc_message_adapter.validate_python(clean_all(found), by_name=False))
    except ValueError:
        return None


def _refusal(line: bytes) -> JSONRPCError:
    """The answer to a line that is no message (JSON-RPC 2.0, 5.1): it has the ID of the request, if that has one."""
    from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError

    try:
        found = json_text.decode(line.decode())
    except ValueError as error:
        return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message=f"Parse error: {error}"))
    number = found.get("id") if isinstance(found, dict) and "method" in found else None
    known = number if isinstance(number, (str, int)) and not isinstance(number, bool) else None
    if json_text.deeper(found, _DEEPEST):
        return _invalid(known, f"has at most {_DEEPEST} arrays and objects inside each other")
    return _invalid(known)


def _invalid(number: str | int | None, why: str = _FORM) -> JSONRPCError:
    """The answer to what is JSON and no message."""
    from mcp.types import INVALID_REQUEST, ErrorData, JSONRPCError

    error = ErrorData(code=INVALID_REQUEST, message=f"Invalid request: a message {why}")
    return JSONRPCError(jsonrpc="2.0", id=number, error=error)


class _Line:
    """What the client has sent of a line; of one that is too long its ends alone."""

    def __init__(self) -> None:
        self.text = bytearray()
        self.too_long = False

    def add(self, data: bytes) -> None:
        self.text += data
        if len(self.text) > (2 * _ENDS if self.too_long else MAX_MESSAGE):
            self.too_long = True
            del self.text[_ENDS:-_ENDS]


def _lines(source: int) -> Iterator[_Line]:
    """The lines of the client."""
    line = _Line()
    while True:
        try:
            data = os.read(source, _CHUNK)
        except OSError:
            return
        if not data:
            yield line
            return
        first, *further = data.split(b"\n")
        line.add(first)
        for piece in further:
            yield line
            line = _Line()
            line.add(piece)


def _unread(ends: bytes, why: str) -> JSONRPCError:
    """The answer to a line that is not decoded; clients write the ID of a request before its parameters, or last."""
    found = _FIRST_ID.match(ends) or _LAST_ID.search(ends)
    return _invalid(None if found is None else json_text.decode(found[1].decode()), why)


async def _write(sink: int, out: Outgoing) -> None:
    """Write messages, each in a thread, so that a client that does not read blocks nobody else."""
    async for message in out:
        line = message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        if not await _in_daemon(sink, line):
            return


async def _in_daemon(sink: int, data: bytes) -> bool:
    """Write all of ``data``; return whether the client took it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bool] = loop.create_future()

    def finish(well: bool) -> None:
        if not done.done():
            done.set_result(well)

    def write() -> None:
        view = memoryview(data)
        well = True
        try:
            while view:
                view = view[os.write(sink, view) :]
        except OSError:
            well = False
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(finish, well)

    threading.Thread(target=write, name="bashkit-mcp-write", daemon=True).start()
    return await done
