"""Utilities at whose input the host wants to look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands import find_command
from bashkit.interp.utility.observing import observed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.runtime.system import VirtualSystem
    from bashkit.interp.utility.command import Command
    from bashkit.worker.serving import Server


class HostObserver:
    """Asks the host, once the script has called one of its commands.

    Args:
        name: The utility.
        server: The way to the host.
        system: The machine of the session.
    """

    def __init__(self, name: str, server: Server, system: VirtualSystem) -> None:
        self._name = name
        self._server = server
        self._system = system

    def wants(self, words: list[str]) -> bool:  # noqa: ARG002 - the host decides
        """Whether the host should see it: it is known when the command has ended."""
        return True

    def __call__(self, words: list[str], beginning: Callable[[], bytes]) -> str:
        """What the host says."""
        server = self._server
        assert server.job is not None
        if not server.job.called:
            return ""
        data = beginning()
        frame = self._system.call(lambda: server.ask("observe", self._name, words, data=data))
        return str(frame.fields[2])


def observed_by_host(name: str, server: Server, system: VirtualSystem) -> Command:
    """The utility of that name, observed by the host."""
    command = find_command(name)
    assert command is not None
    return observed(command, HostObserver(name, server, system))
