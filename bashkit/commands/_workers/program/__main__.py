"""The program of a worker process: loads one server, gives up its rights, and answers requests until its host leaves.

It is run by a bare interpreter (``python -I -S FOLDER SERVER DESCRIPTOR [ARGUMENT]...``) and imports nothing of the project, so
that a request which crashes or eats memory takes only this process with it. SERVER is a folder with a module ``server`` and its
class ``Server``, which is made of the ARGUMENTs and answers one request after another.

Both directions carry frames: a request is a length and a marshalled dict; an answer is made of frames of a letter, a length and
that many bytes, and its last frame has the letter ``x``. The first request has what the kernel is to refuse, ``Refusals`` of
``bashkit.sandbox.confine``; its answer says that the program is ready.
"""

from __future__ import annotations

import marshal
import socket
import struct
import sys
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from bashkit.commands._workers.program.answers import Answer
    from bashkit.commands._workers.program.confinement import (
        Confinement,
        end_with,
        load_what_ends_threads,
        refuse_calls,
        refuse_files,
    )
else:  # the folder is run as a script and is all that can be imported from
    from answers import Answer
    from confinement import Confinement, end_with, load_what_ends_threads, refuse_calls, refuse_files

_CHUNK = 65536


class Server(Protocol):
    """Answers requests.

    Attributes:
        opens_files: Whether it needs descriptors for what it is sent.
    """

    opens_files: bool

    def answer(self, request: dict[str, Any], descriptor: int | None, answer: Answer) -> None:
        """Answer one request; ``descriptor`` came with it."""


def _serve(server: Server, connection: socket.socket, confinement: Confinement) -> None:
    """Answer until the other end closes."""
    while (received := _receive(connection)) is not None:
        request, descriptor = received
        confinement.allow(request["memory"], request["seconds"])
        server.answer(request, descriptor, Answer(connection))
        del received, request  # before the next is received


def _receive(connection: socket.socket) -> tuple[dict[str, Any], int | None] | None:
    """The next request and the descriptor that came with it; None when the other end is closed."""
    block, descriptors, _, _ = socket.recv_fds(connection, _CHUNK, 1)
    if not block:
        return None
    (length,) = struct.unpack_from("<I", block)
    parts = bytearray(memoryview(block)[4:])
    while len(parts) < length:
        block = connection.recv(min(length - len(parts), 1 << 20))
        if not block:
            return None
        parts += block
    return marshal.loads(parts), descriptors[0] if descriptors else None  # noqa: S302 - from our own parent


def main(folder: str, descriptor: str, *arguments: str) -> None:
    """Load the server, report success, and serve."""
    connection = socket.socket(fileno=int(descriptor))
    connection.setblocking(True)  # a host that has a default timeout, or uses gevent, makes others
    sys.path.insert(0, folder)
    try:
        from server import Server  # type: ignore[import-not-found]  # found in the folder

        server = Server(*arguments)
    except Exception as error:
        Answer(connection).send(b"e", str(error).encode())
        return
    received = _receive(connection)
    if received is None:
        return
    refusals, files = received
    confinement = Confinement()
    load_what_ends_threads()
    refuse_files(files)
    end_with(connection)
    confinement.restrict(opens_files=server.opens_files)
    refuse_calls(refusals["calls"], refusals["seccomp"])
    Answer(connection).send(b"x", b"")
    _serve(server, connection, confinement)


if __name__ == "__main__":
    main(*sys.argv[1:])
