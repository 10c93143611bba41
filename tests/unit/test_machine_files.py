"""The files that a machine has by itself: commands, /etc, /proc; the same in both isolation modes, and no part of snapshots."""

import pytest

from bashkit import Bash, ScriptedTool, ToolDef
from bashkit.bash.snapshot import Snapshot

ENV = {"K": "v"}
SCRIPTS = {
    "commands have files": (
        '[ -x "$(command -v jq)" ] && test -f /bin/sh && find /usr/bin -name jq; ls /usr/bin | grep -cFx -e ls -e bash -e printf -e [',
        "/usr/bin/jq\n4\n",
    ),
    "PATH leads to them": (
        "which printf; (PATH=/bin; which ls; type ls); PATH=/none; ls; echo $?",
        "/usr/bin/printf\n/bin/ls\nls is /bin/ls\n127\n",
    ),
    "a copy runs": (
        "cp /bin/basename /tmp/b; /tmp/b /x/y; ln -s /usr/bin/dirname d; ./d /x/y; /bin/sh -c 'echo $0'",
        "y\n/x\n/bin/sh\n",
    ),
    "one that was removed is gone": (
        "rm /bin/rev; rev; echo $?; /usr/bin/rev; echo $?; command -v rev || ls /bin/tac",
        "127\n127\n/bin/tac\n",
    ),
    "a file of the user's goes before": (
        "printf 'echo mine' >/usr/local/bin/rev; chmod +x /usr/local/bin/rev; rev; echo x | env rev; which -a rev",
        "mine\nmine\n/usr/local/bin/rev\n/usr/bin/rev\n/bin/rev\n",
    ),
    "PATH is exported": (
        "mkdir b; printf 'echo own' >b/t; chmod +x b/t; PATH=$PWD/b:$PATH; bash -c t; env | grep -c ^PATH=",
        "own\n1\n",
    ),
    "/etc": (
        "cut -d: -f1,3,6 /etc/passwd | tail -n +2 | head -1; cat /etc/hostname; . /etc/os-release; echo $ID; grep -c $HOSTNAME /etc/hosts",
        "user:1000:/home/user\nbashkit\nbashkit\n1\n",
    ),
    "/etc can be changed": (
        "echo x >>/etc/shells; tail -1 /etc/shells; mv /etc/hosts h; rm /etc/group; ls /etc; rmdir /opt; ls -d /opt /srv",
        "x\nhostname\nos-release\npasswd\nshells\n/srv\n",
    ),
    "/proc": (
        "[ -d /proc/$$ ] && grep -m1 ^MemTotal /proc/meminfo; tr '\\0' '\\n' </proc/self/environ | grep ^K=; echo /proc/self/fd/*; grep Pid /proc/self/status; wc -l </proc/uptime; wc -c </proc/sys/kernel/random/uuid",
        "MemTotal:        4194304 kB\nK=v\n/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2\nPid:\t1000\nPPid:\t1\n1\n37\n",
    ),
    "/proc cannot be changed": (
        "echo x 2>/dev/null >/proc/x; echo $?; rm -r /proc 2>/dev/null; echo $?; ls -d /proc",
        "1\n1\n/proc\n",
    ),
    "descriptors": (
        "echo a | cat /dev/stdin; echo b | cat /proc/self/fd/0; ls /dev/fd | head -1; [ -e /dev/stderr ] && [ ! -e /dev/fd/9 ] && echo ok",
        "a\nb\n0\nok\n",
    ),
    "they belong to root": ("stat -c '%U %a' / /tmp /usr/bin/ls ~", "root 755\nroot 1777\nroot 755\nuser 755\n"),
}


@pytest.mark.parametrize(("script", "expected"), SCRIPTS.values(), ids=SCRIPTS)
def test_scripts(script, expected):
    assert Bash(env=ENV).execute_sync(script).stdout == expected


def test_the_same_in_a_sandbox_process():
    bash = Bash(env=ENV, isolation="process")
    for script, expected in SCRIPTS.values():
        bash.restore(Bash(env=ENV).snapshot())
        assert bash.execute_sync(script).stdout == expected


def test_snapshots_hold_what_was_changed_alone():
    bash = Bash()
    fresh = len(bash.snapshot().to_bytes())
    assert fresh < 3700  # as before machines had files
    bash.execute_sync("cat /etc/* /proc/uptime /usr/bin/* >/dev/null; ls -lR / >/dev/null")
    assert bash.snapshot().tree.files == Bash().snapshot().tree.files
    bash.execute_sync("rm /bin/rev; echo x >/etc/hosts; echo y >/usr/bin/y")
    other = Bash()
    other.restore(Snapshot.from_bytes(bash.snapshot().to_bytes()))
    assert other.execute_sync("cat /etc/hosts /usr/bin/y; ls /usr/bin/rev /usr/bin/tac").stdout == "x\ny\n/usr/bin/tac\n"


def test_the_files_of_the_host_hide_those_of_the_machine():
    bash = Bash(files={"/etc/passwd": "mine\n", "/bin/tool": "echo tool"})
    assert (
        bash.execute_sync("cat /etc/passwd; chmod +x /bin/tool; tool; ls /usr/bin/tool").stdout == "mine\ntool\n/usr/bin/tool\n"
    )


def test_a_session_of_old_keeps_its_commands():
    """Its directories were its own, and no command had a file."""
    rows = [
        ["directory", -1, "", 0o755, 0, 0, 0, 0, 0],
        *(["directory", i, n, 0o755, 0, 0, 0, 0, 0] for i, n in ((0, "usr"), (1, "bin"))),
    ]
    snapshot = Bash().snapshot()
    from bashkit.fs.images import from_rows

    bash = Bash()
    bash.restore(Snapshot(snapshot.state, from_rows(rows, system=True), {}))
    assert bash.execute_sync("seq 1; command -v seq; /usr/bin/seq 2; PATH=/usr/bin; seq 1").stdout == "1\n/usr/bin/seq\n1\n2\n1\n"


def test_tools_are_files():
    tool = ScriptedTool.builder("t").tool(ToolDef("greet", "Greet"), lambda args: "hi\n").build()
    assert (
        tool.execute_sync("command -v greet; /usr/bin/greet; cp /bin/greet g; ./g; ls /bin/greet").stdout
        == "/usr/bin/greet\nhi\nhi\n/bin/greet\n"
    )


@pytest.mark.parametrize(("script", "answer"), [
    ("rm /dev/null; echo kept > /dev/null; cat < /dev/null", "kept\n"),
    ("rm -r /dev; echo lost > /dev/null || echo refused", "refused\n"),
    ("rm /dev/null; ln -s /tmp/kept /dev/null; echo kept > /dev/null; cat /tmp/kept", "kept\n"),
    ("rm /dev/null; ln -s zero /dev/null; head -c 1 < /dev/null | wc -c", "1\n"),
])  # fmt: skip
def test_what_stands_for_the_null_device_is_used(script: str, answer: str) -> None:
    """A redirection finds the device without a search, but only while it is there."""
    assert Bash().execute_sync(script).stdout == answer


def test_without_a_path_utilities_find_commands_at_the_default_places():
    """Also where a session has changed those directories."""
    bash = Bash(files={"/usr/bin/mine": "echo mine\n"})
    assert bash.execute_sync("chmod +x /usr/bin/mine; env -i seq 1; env -u PATH mine; env PATH= seq 1").stdout == "1\nmine\n"
