"""What a host can read and change in a session between two scripts."""

import asyncio
import gc
import threading

import pytest
from greenlet import greenlet

from bashkit import Bash
from bashkit.bash.shell_state import ShellState
from bashkit.errors import DefinitionError

MODES = pytest.mark.parametrize("isolation", ["inline", "process"])


@MODES
def test_the_state_of_a_shell(isolation):
    bash = Bash(isolation=isolation, env={"A": "1"})
    bash.execute_sync(
        "x=5; export B=2; a=(p q); a[5]=r; declare -A m=([k]=v); f() { echo hi; }; cd /tmp; trap 'echo bye' TERM; shopt -s expand_aliases\nalias ll='ls -l'; (exit 3)"
    )
    state = bash.shell_state()
    assert (state.variables["x"], state.variables["B"]) == ("5", "2")
    assert (state.env["A"], state.env["B"], "x" in state.env) == ("1", "2", False)
    assert (state.arrays["a"], state.maps["m"]) == ({0: "p", 1: "q", 5: "r"}, {"k": "v"})
    assert state.functions == {"f": "f () \n{ \n    echo hi\n}"}
    assert (state.cwd, state.aliases, state.exit_code) == ("/tmp", {"ll": "ls -l"}, 3)
    assert state.traps == {"TERM": "echo bye"}


def test_the_state_before_the_first_script():
    assert Bash(env={"A": "1"}, cwd="/w").shell_state() == ShellState({"A": "1"}, env={"A": "1"}, cwd="/w")


@MODES
def test_builtins_come_and_go(isolation):
    bash = Bash(isolation=isolation)
    assert bash.execute_sync("greet").exit_code == 127
    bash.add_builtin("greet", lambda context: "hello\n")
    assert bash.execute_sync("x=kept; greet").stdout == "hello\n"
    bash.add_builtin("greet", lambda context: f"hello {' '.join(context.argv)}\n")
    assert bash.execute_sync("greet $x").stdout == "hello kept\n"
    bash.add_builtin("cat", lambda context: "mine\n")
    assert bash.execute_sync("echo file | cat").stdout == "mine\n"
    bash.remove_builtin("cat")
    bash.remove_builtin("greet")
    assert bash.execute_sync("echo file | cat; greet").stdout == "file\n"
    with pytest.raises(DefinitionError, match="there is no custom builtin 'greet'"):
        bash.remove_builtin("greet")
    with pytest.raises(DefinitionError):
        bash.add_builtin("greet", "hello")


@MODES
def test_bytes_and_files(isolation):
    bash = Bash(isolation=isolation)
    result = bash.execute_sync(r"printf 'a\xff'; printf '\xfe' >&2; printf 'é\xff' > f; pwd > /p")
    assert (result.stdout_bytes, result.stderr_bytes) == (b"a\xff", b"\xfe")
    assert bash.read_file("/home/user/f") == "é\udcff"
    assert bash.read_file("/p") == "/home/user\n"
    with pytest.raises(FileNotFoundError):
        bash.read_file("/none")


def test_nothing_of_a_script_knows_the_thread_that_ran_it():
    """A garbage collection crashes when it meets the main greenlet of a thread that ends at that moment (greenlet 3.5)."""
    bash = Bash()
    thread = threading.Thread(target=lambda: asyncio.run(bash.execute("sleep 0.001 | cat & wait")))
    thread.start()
    thread.join()
    known = gc.get_referents(bash._session.system.hub, bash._session.system.hub.__dict__)
    assert not [one for one in known if isinstance(one, greenlet)]
    assert bash.execute_sync("echo again").stdout == "again\n"
