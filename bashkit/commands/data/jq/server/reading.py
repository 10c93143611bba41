"""Reads the inputs of a request with libjq's own reader over descriptors, and buffers its output."""

from __future__ import annotations

import ctypes
import os
import select
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.commands._workers.program.answers import Answer
    from bashkit.commands.data.jq.server.libjq import INVALID, Jv, Library
else:  # the folder is all that a worker can import from
    from libjq import INVALID

_CHUNK = 65536


class Output:
    """Buffers what a program writes, to send few packets.

    jq's standard output is fully buffered and its standard error is not, so error output overtakes output here as well.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._output: list[bytes] = []
        self._size = 0

    def output(self, data: bytes) -> None:
        """Buffer standard output."""
        self._output.append(data)
        self._size += len(data)
        if self._size >= _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Send the buffered output."""
        if self._output:
            self._answer.send(b"o", self._taken())

    def error(self, data: bytes) -> None:
        """Send standard error at once."""
        self._answer.send(b"e", data)

    def exit(self, status: int) -> None:
        """Send the buffered output and the exit status together."""
        self._answer.send(b"o", self._taken(), b"x", str(status).encode())

    def _taken(self) -> bytes:
        data = b"".join(self._output)
        self._output, self._size = [], 0
        return data


class Inputs:
    """Reads a request's inputs: descriptors under ``/dev/fd``, opened by libjq's own reader, with the names that the script
    knows.

    Args:
        library: libjq.
        request: Its ``inputs`` are ``(name, content)``; content is bytes, None for the stream ``descriptor``, or the words
            of the error that opening it gave.
        descriptor: The read end of a pipe with standard input, or None.
        answer: Reports failures to open an input.
    """

    def __init__(self, library: Library, request: dict[str, Any], descriptor: int | None, answer: Output) -> None:
        self._c = library.c
        self._library = library
        self._answer = answer
        self._names: dict[str, str] = {}
        self._failures: dict[str, str] = {}
        self.failed = False
        self._descriptors: list[int] = []
        self.stream = descriptor
        library.on_missing = self._failed
        self.state = ctypes.c_void_p(self._c.jq_util_input_init(library.missing, None))
        parser = None if request["raw_input"] else self._c.jv_parser_new(request["parser_flags"])
        self._c.jq_util_input_set_parser(self.state, parser, int(bool(request["slurp"])))
        for name, content in request["inputs"]:
            self._add(name, content)

    def _add(self, name: str, content: bytes | str | None) -> None:
        if isinstance(content, str):
            path = f"/dev/fd/missing/{len(self._failures)}"
            self._failures[path] = content
        else:
            number = self.stream if content is None else _memory_file(content)
            assert number is not None
            self._descriptors.append(number)
            path = f"/dev/fd/{number}"
        self._names[path] = name
        self._c.jq_util_input_add_input(self.state, path.encode())

    def _failed(self, path: bytes) -> None:
        self.failed = True
        self._answer.error(
            self._failures.get(path.decode(), "jq: error: Could not open file").encode("utf-8", "surrogateescape") + b"\n"
        )

    @property
    def names(self) -> dict[str, str]:
        """The name of each input in libjq, and in the script."""
        return self._names

    def next(self) -> Jv:
        """The next input value, or an invalid one."""
        value: Jv = self._c.jq_util_input_next_input(self.state)
        return value

    def position(self, jq: int) -> bytes:
        """``FILE:LINE`` of the value read last."""
        path, colon, line = self._library.text(self._c.jq_util_input_get_position(jq)).decode().rpartition(":")
        return (self._names.get(path, path) + colon + line).encode("utf-8", "surrogateescape")

    def starving(self) -> bool:
        """Whether the next read would wait for the script to write."""
        return self.stream is not None and not select.select([self.stream], [], [], 0)[0]

    def close(self) -> None:
        """Release everything."""
        self._library.on_missing = _unheard  # the answer has ended, and jq opens no file that it does not get to
        for number in self._descriptors:
            if number != self.stream:
                os.ftruncate(number, 0)
        _end(self._library, self.state)
        for number in self._descriptors:
            os.close(number)


class MemoryInputs:
    """Reads the input of a request with one text or none, for which libjq's parser is enough.

    ``Inputs`` continues from the current value if a position or the message of a parse error is needed.

    Args:
        library: libjq.
        request: A request for which ``fits`` is true.
        answer: As for ``Inputs``.
    """

    failed = False
    stream = None
    names: Mapping[str, str] = {}
    state = None

    def __init__(self, library: Library, request: dict[str, Any], answer: Output) -> None:
        self._library = library
        self._request = request
        self._answer = answer
        self._read = 0
        self._thorough: Inputs | None = None
        self._content: bytes = request["inputs"][0][1] if request["inputs"] else b""  # libjq does not copy it
        self._parser = library.c.jv_parser_new(0)
        library.c.jv_parser_set_buf(self._parser, self._content, len(self._content), 0)

    @staticmethod
    def fits(request: dict[str, Any]) -> bool:
        """Whether a request reads at most one JSON text, and its program cannot tell how it is read."""
        inputs = request["inputs"]
        if request["raw_input"] or request["parser_flags"] or request["seq"] or b"input" in request["program"] or len(inputs) > 1:
            return False
        return not inputs or (isinstance(inputs[0][1], bytes) and b"\0" not in inputs[0][1])

    def next(self) -> Jv:
        """The next input value, or an invalid one."""
        if self._thorough is not None:
            return self._thorough.next()
        c = self._library.c
        value: Jv = c.jv_parser_next(self._parser)
        if self._request["slurp"] and not self._read:
            values: Jv = c.jv_array()
            while value.kind & 15 != INVALID:
                values = c.jv_array_append(values, value)
                value = c.jv_parser_next(self._parser)
            if not self._is_error(value):
                c.jv_free(value)
                self._read = 1
                return values
            c.jv_free(values)
        if value.kind & 15 == INVALID and self._is_error(value):
            c.jv_free(value)
            return self._begin_again().next()
        self._read += 1
        return value

    def _is_error(self, value: Jv) -> bool:
        return bool(value.kind) and bool(self._library.c.jv_invalid_has_msg(self._library.c.jv_copy(value)))

    def _begin_again(self) -> Inputs:
        """Start the full reader at the current position."""
        inputs = self._thorough = Inputs(self._library, self._request, None, self._answer)
        for _ in range(self._read):
            self._library.c.jv_free(inputs.next())
        return inputs

    def position(self, jq: int) -> bytes:
        """``FILE:LINE`` of the value read last."""
        inputs = self._thorough or self._begin_again()
        self._library.c.jq_set_input_cb(jq, self._library.next_input, inputs.state)
        return inputs.position(jq)

    def starving(self) -> bool:
        """Never waits: the whole input is there."""
        return False

    def close(self) -> None:
        """Release everything."""
        self._library.c.jv_parser_free(self._parser)
        if self._thorough is not None:
            self._thorough.close()


Reading = Inputs | MemoryInputs


def reading(library: Library, request: dict[str, Any], descriptor: int | None, answer: Output) -> Reading:
    """The fastest reader for a request."""
    if MemoryInputs.fits(request):
        return MemoryInputs(library, request, answer)
    return Inputs(library, request, descriptor, answer)


def _unheard(path: bytes) -> None:
    """Say nothing of a missing file."""


def _end(library: Library, state: ctypes.c_void_p) -> None:
    """Free one of libjq's readers after reading to the end, because it closes a file only there."""
    c = library.c
    while True:
        value = c.jq_util_input_next_input(state)
        if value.kind & 15 != INVALID:
            c.jv_free(value)
        elif library.message(value) is None:
            break
    c.jq_util_input_free(ctypes.byref(state))


def _memory_file(content: bytes) -> int:
    """A descriptor of an unnamed file that contains ``content``."""
    if hasattr(os, "memfd_create"):
        number = os.memfd_create("input")
    else:
        import tempfile

        number, path = tempfile.mkstemp()
        os.unlink(path)  # noqa: PTH108 - one import fewer
    view = memoryview(content)
    while view:
        view = view[os.write(number, view) :]
    os.lseek(number, 0, os.SEEK_SET)
    return number
