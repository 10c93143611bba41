"""The worker processes for libraries in C, as a sandbox process sees them: the host starts them and hands over their sockets."""

from __future__ import annotations

import select
import socket
from typing import TYPE_CHECKING

from bashkit.commands._workers.worker import UnavailableError, Worker

if TYPE_CHECKING:
    from bashkit.commands._workers.worker import Program
    from bashkit.worker.serving import Server


class Companion(Worker):
    """A worker process that the host has started for this one.

    Args:
        server: The way to the host.
        program: What it runs.

    Raises:
        UnavailableError: As the host says.
    """

    __slots__ = ("_number", "_server")

    def __init__(self, server: Server, program: Program) -> None:
        frame = server.ask("companion", program.name)
        if not frame.fields[2]:
            raise UnavailableError(frame.fields[3])
        self.program = program
        self._server = server
        self._number = frame.fields[2]
        self._received = bytearray()
        self._connection = socket.socket(fileno=server.channel.descriptors.popleft())
        self._connection.setblocking(True)  # see Channel

    def alive(self) -> bool:
        """Whether the process is running: the other end of the socket is open."""
        poll = select.poll()
        poll.register(self._connection.fileno(), 0)  # POLLHUP is always reported
        return not poll.poll(0)

    def kill(self) -> None:
        """End the process."""
        self._connection.close()
        self._server.channel.send("dismiss", self._number)

    def wait(self) -> int:
        """The exit status of a worker that has ended or does so within a second; negative for a signal."""
        frame = self._server.ask("bury", self._number)
        self._connection.close()
        return int(frame.fields[2])
