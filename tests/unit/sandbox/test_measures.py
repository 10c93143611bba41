"""Each measure of a sandbox process by itself: what holds where the kernel or the installation lacks the others."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bashkit.sandbox import confine
from bashkit.sandbox.rules import Rules

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux has what is tested here")
PROGRAM = """\
import ctypes, encodings.idna, json, os, resource, socket, sys
from bashkit.sandbox import confine
from bashkit.sandbox.rules import Rules

missing, rules, port = json.loads(sys.argv[1])
for name in missing:
    setattr(confine, name, None)
libc = ctypes.CDLL(None, use_errno=True)
used = confine._address_space()
protection = confine.confine(Rules(**rules))

def tried(attempt):
    try:
        return attempt()
    except OSError as error:
        return type(error).__name__

def written(path):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o666)
    return os.fstat(descriptor).st_mode & 0o777

kinds = ("AS", "CPU", "FSIZE", "NOFILE", "CORE")
inside, outside = rules["writable"][0] if rules["writable"] else "/", sys.argv[2]
print(json.dumps({
    "protection": [protection.limits, protection.privileges, protection.files, protection.calls],
    "limits": {kind: resource.getrlimit(getattr(resource, f"RLIMIT_{kind}")) for kind in kinds},
    "used": used,
    "dumpable": libc.prctl(3, 0, 0, 0, 0),
    "environment": dict(os.environ),
    "directory": tried(os.getcwd),
    "read": tried(lambda: os.close(os.open(outside + "/file", os.O_RDONLY))),
    "write": tried(lambda: written(outside + "/new")),
    "remove": tried(lambda: os.unlink(outside + "/file")),
    "write inside": tried(lambda: written(inside + "/new")),
    "connect": tried(lambda: socket.create_connection(("127.0.0.1", port), 1).close()),
    "bind": tried(lambda: socket.create_server(("127.0.0.1", 0)).close()),
}))
"""
MEMORY, CPU = 1 << 30, 50


@pytest.fixture
def confined(tmp_path):
    """Confines a process without some of the libraries; returns what it could do then."""
    (tmp_path / "in").mkdir()
    (tmp_path / "file").write_text("x")

    def confined(*missing, writable=()):
        import socket

        rules = {"memory": MEMORY, "cpu": CPU, "readable": [], "writable": list(writable)}
        with socket.create_server(("127.0.0.1", 0)) as server:
            told = json.dumps([missing, rules, server.getsockname()[1]])
            command = [sys.executable, "-c", PROGRAM, told, str(tmp_path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return json.loads(done.stdout)

    return confined


def lacks(name):
    return getattr(confine, name) is None


@pytest.mark.parametrize("missing", [(), ("landlock",), ("seccomp",), ("landlock", "seccomp")])
def test_limits_and_privileges_hold_always(confined, missing):
    found = confined(*missing)
    files = not (lacks("landlock") or "landlock" in missing)
    assert found["protection"] == [True, True, files, not (lacks("seccomp") or "seccomp" in missing)]
    memory, *others = found["limits"].values()
    assert memory[0] == memory[1]
    assert found["used"] + MEMORY <= memory[0] <= found["used"] + MEMORY + (64 << 20)
    assert others == [[CPU, CPU], [0, 0], [256, 256], [0, 0]]
    assert (found["environment"], found["directory"]) == ({}, "/")


def test_nobody_looks_into_a_process(confined):
    assert confined("seccomp")["dumpable"] == 0


@pytest.mark.skipif(lacks("landlock"), reason="Landlock is tested")
def test_files_and_ports_without_seccomp(confined, tmp_path):
    inside = tmp_path / "in"
    found = confined("seccomp", writable=[str(inside)])
    refused = "PermissionError"
    assert [found[key] for key in ("read", "write", "remove", "connect", "bind")] == [refused] * 5
    assert found["write inside"] == 0o600
    assert found["limits"]["FSIZE"] == [1 << 30, 1 << 30]
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.skipif(lacks("seccomp"), reason="seccomp is tested")
def test_no_file_is_opened_without_landlock_unless_something_is_mounted(confined, tmp_path):
    refused = "PermissionError"
    found = confined("landlock")
    assert [found[key] for key in ("read", "write", "remove", "write inside", "connect", "bind")] == [refused] * 6
    assert found["dumpable"] == -1
    found = confined("landlock", writable=[str(tmp_path / "in")])
    assert (found["read"], found["write inside"], found["connect"]) == (None, 0o600, refused)


def test_limits_that_are_lower_already_stay(monkeypatch):
    set_to = {}
    monkeypatch.setattr(confine.resource, "getrlimit", lambda _: (5, 7))
    monkeypatch.setattr(confine.resource, "setrlimit", set_to.__setitem__)
    confine._limit(Rules(memory=MEMORY, cpu=CPU))
    assert set(set_to.values()) == {(7, 7), (0, 0)}


def test_a_limit_that_cannot_be_set_leaves_the_others(monkeypatch):
    tried = []

    def refuse(kind, _limits):
        tried.append(kind)
        raise ValueError

    monkeypatch.setattr(confine.resource, "setrlimit", refuse)
    confine._limit(Rules(memory=MEMORY, cpu=CPU))
    assert len(tried) == 5


def test_the_address_space_where_nobody_says_it(monkeypatch):
    monkeypatch.setattr("builtins.open", lambda *_, **__: (_ for _ in ()).throw(FileNotFoundError()))
    assert confine._address_space() == 1 << 30
    monkeypatch.undo()
    assert confine._address_space() == int(Path("/proc/self/statm").read_text().split()[0]) * confine.resource.getpagesize()
