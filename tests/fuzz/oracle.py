"""Asking GNU bash and bashkit what a script does."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass

from bashkit import Bash

_SECONDS = 5  # of the processor
_PATIENCE = 60
_FILE_BYTES = 1 << 20
_PROCESSES = 200  # of the user that scripts run as where this process is root's
_PATH = ":".join(filter(None, (os.environ.get("BASHKIT_FUZZ_PATH"), "/usr/local/bin:/usr/bin:/bin")))
_NOBODY = 65534
_ENVIRONMENT = {"PATH": _PATH, "LC_ALL": "C.UTF-8", "HOME": "/home/user"}  # the home directory of a Bash


@dataclass(frozen=True, slots=True)
class Answer:
    """What a script did: the text it wrote to standard output, and its exit status."""

    stdout: str
    status: int


@functools.cache
def gnu_bash() -> str | None:
    """The path of a GNU bash 5.2, or None where there is none."""
    path = shutil.which("bash", path=_PATH)
    if path is None:
        return None
    return path if "GNU bash, version 5.2" in version_of("bash") else None


@functools.cache
def version_of(program: str) -> str:
    """The first line that a program prints of its version; "" where there is no such program."""
    path = shutil.which(program, path=_PATH)
    if path is None:
        return ""
    answer = subprocess.run([path, "--version"], capture_output=True, encoding="utf-8", check=False, stdin=subprocess.DEVNULL)
    return answer.stdout.partition("\n")[0]


def _restrain() -> None:
    """Bound what a generated script may do to the host: the size of its files, its time, its processes, and nothing as root."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    if os.geteuid() == 0:
        for descriptor in (1, 2):  # so that /dev/stdout can be opened
            os.fchown(descriptor, _NOBODY, _NOBODY)
        resource.setrlimit(resource.RLIMIT_NPROC, (_PROCESSES, _PROCESSES))
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)


def ask_bash(script: str, directory: str | None = None) -> Answer | None:
    """What GNU bash answers in an empty directory, with next to no environment; None when it does not end by itself.

    Args:
        script: As for ``bash -c``.
        directory: Where to run it; a temporary directory when left out.
    """
    if directory is None:
        with tempfile.TemporaryDirectory() as made:
            return ask_bash(script, made)
    path = gnu_bash()
    assert path is not None
    if os.geteuid() == 0:
        os.chown(directory, _NOBODY, _NOBODY)
    child = subprocess.Popen(
        ["bash", "-c", "--", script.encode("utf-8", "surrogateescape")],
        executable=path,
        cwd=directory,
        env=_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_restrain,  # noqa: PLW1509 - no thread of ours holds a lock that it needs
        start_new_session=True,
    )
    try:
        stdout, stderr = child.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(child)
    if child.returncode < 0 or b"fork: " in stderr:  # a limit, or a defect of its own
        return None
    return Answer(stdout.decode("utf-8", "surrogateescape"), child.returncode)


def _end(child: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a script, its subshells too: one that calls itself without end makes another each millisecond."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdout, child.stderr):
        assert stream is not None
        stream.close()


def ask_both(script: str) -> tuple[Answer, Answer, str] | None:
    """What GNU bash and bashkit answer, and bashkit's standard error; None when bash does not end by itself.

    Raises:
        AssertionError: bashkit failed inside, or did not end.
    """
    with tempfile.TemporaryDirectory() as directory:
        expected = ask_bash(script, directory)
    if expected is None:
        return None
    result = Bash(cwd=directory, timeout_seconds=_PATIENCE).execute_sync(script)
    assert result.error not in {"internal", "timeout"}, f"{script}\n{result.stderr}"
    return expected, Answer(result.stdout, result.exit_code), result.stderr
