"""The process from which sandbox processes are forked: it has everything loaded and has seen no script.

It speaks with the host over a channel: ``fork`` with the two descriptors of a new process, ``kill``; ``ready``, ``ended`` with a
wait status. It ends, and its children with it, when the host does.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
from importlib import import_module
from typing import TYPE_CHECKING

from bashkit.sandbox.channel import Channel
from bashkit.sandbox.confine import die_with_parent, save_address_space
from bashkit.sandbox.rules import Rules

if TYPE_CHECKING:
    from bashkit.sandbox.channel import Frame

OUT_OF_MEMORY = 12  # the exit status of a process that had not enough of it for a session: ENOMEM


def main(descriptor: int, entry: str) -> None:
    """Serve until the host is gone.

    Args:
        descriptor: The zygote's end of the channel.
        entry: The module whose ``preload()`` loads what scripts may need, and whose ``serve(socket, journal, rules)`` is the
            whole of a sandbox process.
    """
    channel = Channel(socket.socket(fileno=descriptor))
    save_address_space()
    try:
        module = import_module(entry)
        module.preload()
    except Exception as error:
        channel.send("failed", f"{type(error).__name__}: {error}")
        return
    gc.collect()
    gc.freeze()
    waker, woken = socket.socketpair()
    woken.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
    children: dict[int, int] = {}  # numbers by process ID
    channel.send("ready", os.getpid())
    try:
        while True:
            readable, _, _ = select.select([channel.fileno(), waker.fileno()], [], [])
            if waker.fileno() in readable:
                waker.recv(4096)
                _reap(channel, children)
            while channel.fileno() in readable or channel.has_frame:
                readable = []
                frame = channel.receive()
                if frame is None:
                    return
                if frame.kind == "fork":
                    _fork(channel, frame, children, module.serve)
                elif frame.kind == "kill":
                    _kill(children, frame.fields[0])
    finally:
        for pid in list(children):
            os.kill(pid, signal.SIGKILL)


def _fork(channel: Channel, frame: Frame, children: dict[int, int], serve: object) -> None:
    number, *rules = frame.fields
    connection, journal = channel.descriptors.popleft(), channel.descriptors.popleft()
    pid = os.fork()
    if pid:
        children[pid] = number
        os.close(connection)
        os.close(journal)
        return
    status = 1
    try:
        die_with_parent()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else range(3, 64):  # noqa: PTH208, PTH112
            if int(name) > 2 and int(name) not in {connection, journal}:
                with contextlib.suppress(OSError):
                    os.close(int(name))
        assert callable(serve)
        serve(connection, journal, Rules(*rules))
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _reap(channel: Channel, children: dict[int, int]) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        if pid in children:
            channel.send("ended", children.pop(pid), status)


def _kill(children: dict[int, int], number: int) -> None:
    for pid, other in children.items():
        if other == number:
            os.kill(pid, signal.SIGKILL)
