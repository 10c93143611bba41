"""What a sandbox process loads in these tests: the real thing, and a builtin that tries what an attacker would."""

import ctypes
import os
import re
import socket
import time
from pathlib import Path

from bashkit.worker import preload as preload_all
from bashkit.worker import serve

__all__ = ["preload", "serve"]


def preload():
    """Load everything, and declare the builtin."""
    from bashkit.builtins import declarations
    from bashkit.builtins.registry import builtin

    declarations()
    builtin("probe", summary="Try something.")(probe)
    preload_all()


def probe(shell, words):
    """``probe WHAT [ARGUMENT]...``: the name of the exception, or what came of it."""
    try:
        answer = globals()[f"try_{words[1]}"](*words[2:])
    except Exception as error:
        answer = type(error).__name__
    shell.write(f"{answer}\n")
    return 0


def try_pid():
    """Say which process this is."""
    return os.getpid()


def try_read(path):
    """Read a file of the host."""
    with Path(path).open("rb") as file:
        return len(file.read(100))


def try_list(path):
    """List a directory of the host."""
    return len(list(Path(path).iterdir()))


def try_write(path):
    """Make a file on the host."""
    return Path(path).write_bytes(b"x")


def try_connect(port):
    """Connect to the host."""
    socket.create_connection(("127.0.0.1", int(port)), 1).close()
    return "connected"


def try_unix():
    """Make a socket of another kind."""
    return socket.socket(socket.AF_UNIX)


def try_fork():
    """Start a process."""
    if os.fork() == 0:
        os._exit(0)
    return "forked"


def try_execute():
    """Become another program."""
    os.execv("/bin/sh", ["sh", "-c", "exit 7"])


def try_trace():
    """Attach to the process that this one was forked from."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    return libc.ptrace(16, os.getppid(), 0, 0)  # PTRACE_ATTACH


def try_kill(pid):
    """Send a signal to another process."""
    os.kill(int(pid), 0)
    return "allowed"


def try_raise_limits():
    """Undo a resource limit."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
    return "changed"


def try_run_code():
    """Get memory that can be written and run."""
    import mmap

    return len(mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))


def try_environment():
    """See the environment, the directory and the open files."""
    return [dict(os.environ), str(Path.cwd())]


def try_crash():
    """Read address 0, as a mistake in C code would."""
    ctypes.string_at(0)


def try_hang():
    """A C call that keeps the interpreter's lock."""
    re.match("(a+)+$", "a" * 60 + "b")


def try_sleep():
    """A C call that gives the lock away, but does not end."""
    time.sleep(1000)


def try_eat():
    """More memory than there may be."""
    return len(bytearray(8 << 30))


def try_exit():
    """End the process."""
    os._exit(0)


def try_say(text):
    """Send the host what is no frame, or not one that it expects."""
    import gc

    from bashkit.sandbox.channel import Channel

    channel = next(thing for thing in gc.get_objects() if isinstance(thing, Channel))
    channel._connection.sendall(bytes.fromhex(text))
    return "said"


def try_tell(kind, *fields):
    """Send the host a frame of a kind."""
    import gc
    import json

    from bashkit.sandbox.channel import Channel

    channel = next(thing for thing in gc.get_objects() if isinstance(thing, Channel))
    channel.send(kind, *map(json.loads, fields))
    return "told"
