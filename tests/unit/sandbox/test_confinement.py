"""What a sandbox process cannot do, whatever a script makes it do; and what its host answers when it ends."""

import os
import socket
import sys
from pathlib import Path

import pytest

from bashkit import Bash, BuiltinResult
from bashkit.sandbox import pool as pools
from bashkit.sandbox.confine import Protection

pytestmark = pytest.mark.xdist_group("probe")
linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux has what is tested here")


@pytest.fixture(scope="module", autouse=True)
def probing():
    """Sandbox processes with the builtin ``probe``."""
    pools.pool.close()
    usual, pools.ENTRY = pools.ENTRY, "probe"
    sys.path.insert(0, str(Path(__file__).parent))
    yield
    pools.pool.close()
    pools.ENTRY = usual
    sys.path.remove(str(Path(__file__).parent))


def run(script, **options):
    return Bash(isolation="process", **options).execute_sync(script)


@linux
@pytest.mark.parametrize(
    ("attempt", "answer"),
    [
        ("read /etc/passwd", "PermissionError"),
        ("read /proc/self/environ", "PermissionError"),
        ("read /proc/self/mem", "PermissionError"),
        ("read FILE", "PermissionError"),
        ("list /", "PermissionError"),
        ("write /tmp/bashkit-probe", "PermissionError"),
        ("unix", "PermissionError"),
        ("fork", "PermissionError"),
        ("execute", "PermissionError"),
        ("trace", "-1"),
        ("kill HOST", "PermissionError"),
        ("raise_limits", "ValueError"),
        ("run_code", "PermissionError"),
        ("environment", "[{}, '/']"),
        ("eat", "MemoryError"),
    ],
)
def test_the_kernel_refuses(attempt, answer):
    attempt = attempt.replace("HOST", str(os.getpid())).replace("FILE", __file__)
    assert run(f"probe {attempt}").stdout == f"{answer}\n"


@linux
def test_the_kernel_says_that_it_is_confined():
    bash = Bash(isolation="process")
    status = Path(f"/proc/{int(bash.execute_sync('probe pid').stdout)}/status").read_text()
    assert "\nNoNewPrivs:\t1\n" in status
    assert "\nSeccomp:\t2\n" in status


@linux
def test_it_reaches_no_port_of_the_host():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert run(f"probe connect {port}").stdout == "PermissionError\n"


@linux
def test_only_what_is_mounted_is_readable(tmp_path):
    from bashkit import HostDirectory

    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "file").write_text("x")
    (outside / "file").write_text("x")
    script = f"probe read {inside}/file; probe read {outside}/file; probe write {inside}/new"
    result = run(script, mounts={"/in": HostDirectory(inside)})
    assert result.stdout == "1\nPermissionError\nPermissionError\n"
    result = run(script, mounts={"/in": HostDirectory(inside, writable=True)})
    assert result.stdout == "1\nPermissionError\n1\n"


def test_a_crash_costs_one_answer():
    bash = Bash(isolation="process")
    bash.execute_sync("x=kept; echo kept > f")
    result = bash.execute_sync("x=lost; echo before; echo warning >&2; probe crash; echo never")
    assert (result.stdout, result.error, result.exit_code) == ("before\n", "crash", 1)
    assert result.stderr == "warning\nbash: the sandbox process crashed\n"
    assert bash.execute_sync("echo $x; cat f").stdout == "kept\nkept\n"


@pytest.mark.parametrize("attempt", ["exit", "say " + "ff" * 8, "say 0500000000000000" + "00" * 5, "tell call '[\"x\"]'"])
def test_nonsense_costs_one_answer(attempt):
    result = run(f"echo before; probe {attempt}; sleep 1000", timeout_seconds=20)
    assert (result.stdout.partition("\n")[0], result.error) == ("before", "crash")
    assert run("echo fine").stdout == "fine\n"


@pytest.mark.parametrize("attempt", ["hang", "sleep"])
def test_what_does_not_end_is_killed(attempt):
    result = run(f"echo before; probe {attempt}; echo never", timeout_seconds=0.2)
    assert (result.stdout, result.error, result.exit_code) == ("before\n", "timeout", 124)
    assert result.stderr == "bash: time limit of 0.2 seconds exceeded\n"


def test_a_lie_about_the_result_is_no_result():
    for lie in (
        '{"status": 0}',
        '{"status": 0, "error": "no such", "left": null, "failure": "", "cpu": 0, "trees": null, "state": null}',
    ):
        result = run(f"echo before; probe tell result '{lie}'; sleep 1000", timeout_seconds=20)
        assert result.error == "crash"


@pytest.mark.thorough
def test_a_lie_about_files_is_found_when_they_are_needed():
    bash = Bash(isolation="process")
    lie = '{"status": 0, "error": null, "left": null, "failure": "", "cpu": 0, "clock": null, "trees": {"": [["file"]]}, "contents": [], "state": null}'
    bash.execute_sync(f"probe tell result '{lie}'; sleep 1000")
    with pytest.raises(Exception, match="damaged snapshot"):
        bash.fs.read_file("/etc/passwd")
    pools.pool.close()  # that process still sleeps


@pytest.mark.parametrize("length", ['"1"', "-1", "5", "true", "[]"])
def test_a_lie_about_the_state_costs_one_answer(length):
    bash = Bash(isolation="process")
    bash.execute_sync("x=kept")
    lie = (
        f'{{"status": 0, "error": null, "left": null, "failure": "", "cpu": 0, "clock": null, "trees": null, "state": {length}}}'
    )
    assert bash.execute_sync(f"x=lost; probe tell result '{lie}'; sleep 1000").error == "crash"
    assert bash.execute_sync("echo $x").stdout == "kept\n"


def test_commands_that_are_not_there_cannot_be_called():
    called = []
    bash = Bash(isolation="process", custom_builtins={"ok": lambda _: called.append(1) or BuiltinResult("ok\n")})
    result = bash.execute_sync("""probe tell call 7 '"other"' '"other"' '[]' '{}'; sleep 1000""")
    assert result.error == "crash"
    assert bash.execute_sync("ok").stdout == "ok\n"
    assert called == [1]


def test_protection_says_what_holds():
    assert Protection() == Protection(limits=False, privileges=False, files=False, calls=False)


def test_no_process_is_left():
    run("true")
    zygote = pools.pool.zygote
    pools.pool.close()
    assert zygote._process.returncode is not None
    assert run("echo again").stdout == "again\n"
