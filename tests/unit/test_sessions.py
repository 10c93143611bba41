"""Sessions: snapshots, clocks and random sources, and many of them at once."""

import asyncio
import base64
import gc
import json
import pickle
import tracemalloc

import pytest

from bashkit import (
    Bash,
    BashkitError,
    ExecutionLimits,
    HostDirectory,
    LazyFile,
    MemoryFileSystem,
    Overlay,
    Snapshot,
    SnapshotError,
    VirtualClock,
)
from bashkit.errors import DefinitionError


def run(bash, script):
    result = bash.execute_sync(script)
    return result.stdout + "".join(f"! {line}\n" for line in result.stderr.splitlines())


STATE = [
    # what a first script does, and what a later one must find
    ("x=1; y='a b'; z=$'\\xff\\n'", "declare -p x y z", None),
    ("declare -i n=5; declare -r r=1; declare -x e=2; declare -l low=AB; declare -u up=ab; declare u; declare -xr both=3", "declare -p n r e low up u both; r=2; n=n+1; echo $n", None),
    ("declare -a a=(one [5]=six 'x y'); a+=(more); declare -ar fixed=(1)", "declare -p a fixed; echo ${#a[@]} ${!a[@]}", None),
    ("last[9223372036854775807]=1; last+=(x y)", "echo ${#last[@]} ${last[9223372036854775807]}", "3 1\n"),
    ("declare -A m=([k]=v ['a b']=c [z]=1 [y]=2)", "declare -p m; echo ${!m[@]}", None),
    ("declare -n ref=target; target=1", "ref=2; echo $target; declare -p ref", None),
    ('f() { local v=$1; echo "f $v $x"; }; x=1; g() for i in 1 2; do echo $i; done; h() (exit 3); export -f f; readonly -f g', "f a; g; h; echo $?; declare -f f g h; declare -F", None),
    ("""f() { cat <<E
here $1
E
echo "${1:-d}" 'q' $'a\\tb' $((1 + 2)) $(echo s) `echo b` <(echo p | wc -l) > /tmp/o 2>&1; case $1 in a|b) echo ab;; *) echo other;& c) echo c;; esac
[[ $1 == a* && -n $2 || ! -e x ]] && echo yes; (( x++ )); while false; do :; done; if true; then echo t; elif false; then :; else echo e; fi; ! true | cat |& cat; }""",
     "declare -f f; f a; sed s,/dev/fd/.*,, /tmp/o", None),
    ("if true; then function time { echo mine; }; fi; a-b() { echo dash; }; shopt -s extglob",
     "a-b; declare -f time", None),
    ("shopt -s extglob\np() { case $1 in +(x)) echo xs;; !(y)) echo not y;; esac; }", "p xx; p z; p y", None),
    ("set -u -o pipefail; shopt -s nullglob extglob; set +B", "set -o | grep -E 'nounset|pipefail|brace'; shopt nullglob extglob; echo none* {a,b} $-", None),
    ("alias ll='ls -l'; shopt -s expand_aliases; alias hi='echo hi'", "alias; hi", None),
    ("trap 'echo usr' USR1; trap '' INT; trap 'echo err' ERR; trap 'echo debug' DEBUG", "trap; false", None),
    ("mkdir -p /srv/d; cd /srv/d; pushd /tmp; pushd /", "pwd; echo $OLDPWD; dirs; popd; dirs", None),
    ("umask 027; set -- a 'b c'; OPTIND=1; getopts xy o -x -y", 'umask; echo "$@" $#; getopts xy o -x -y; echo $o $OPTIND', None),
    ("getopts xyz o -xyz; getopts xyz o -xyz", "getopts xyz o -xyz; echo $o $OPTIND", None),
    ("declare -A m; declare -a n", "declare -p m n; [[ -v m ]]; echo $?", None),
    ("mkdir /y /usr/foo; rm -r /opt; rmdir /srv; : > /srv", "stat -c '%h %n' / /usr /usr/local /dev /home", None),
    ("false; (exit 7)", "echo $?", "7\n"),
    ("true | false | (exit 3)", "echo ${PIPESTATUS[@]}", None),
    ("trap 'echo err at $LINENO: $BASH_COMMAND' ERR; f() {\n\n\n  false; { (\n :\n nosuch) } 2>&1\n}", "f; trap - ERR; shopt -s extdebug; declare -F f", None),
    ('f() { g() {\n\n caller 0; }; g; echo $(echo $LINENO); local x="$(\n\n nosuch 2>&1\n :)"; echo $x $LINENO; }', "f; g", None),
    ("RANDOM=7; : $RANDOM", "echo $RANDOM $RANDOM", None),
    ("ulimit -n 64; ulimit -Sc 0; complete -W 'a b' go", "ulimit -n 65; ulimit -n -c; complete", None),
    ("enable -n echo; unset RANDOM; readonly SECONDS", "type -t echo; echo [$RANDOM]; declare -p SECONDS | cut -d= -f1", None),
    ("declare -x RANDOM; export BASHPID", "declare -p RANDOM | cut -d= -f1", None),
    ("IFS=:; unset PATH; PS4='> '", 'x=a:b; echo $x; echo "[${PATH-unset}]" $PS4', None),
    ("mkdir d; echo one > d/f; ln d/f d/g; ln -s f d/l; chmod 640 d/f; touch -d @5 d/f; mkfifo p; : > empty; printf '\\0\\377' > bin",
     "ls -lR --time-style=+%s | sed s/total.*//; cat d/l; echo two >> d/g; cat d/f; od -An -tx1 bin; stat -c '%h %a' d/f", None),
]  # fmt: skip


class TestSnapshot:
    @pytest.mark.parametrize(("before", "after", "output"), STATE)
    @pytest.mark.parametrize("way", ["value", "bytes", "pickle", "restore"])
    def test_a_session_goes_on_where_it_was(self, before, after, output, way):
        clock = VirtualClock(1_700_000_000)
        bash = Bash(clock=clock)
        bash.execute_sync(before)
        snapshot = bash.snapshot()
        if way in {"bytes", "pickle"}:
            snapshot = Snapshot.from_bytes(snapshot.to_bytes()) if way == "bytes" else pickle.loads(pickle.dumps(snapshot))
        twin = Bash(clock=clock)
        if way == "restore":
            twin.execute_sync("x=other; cd /; set -e; echo gone > /tmp/gone")
            twin.restore(snapshot)
        else:
            twin = Bash.from_snapshot(snapshot, clock=clock)
        expected = run(bash, after)
        assert run(twin, after) == expected
        assert output is None or expected == output

    def test_restored_sessions_are_independent(self):
        bash = Bash()
        run(bash, "x=1; a=(1); f() { echo f; }; mkdir d; echo one > d/f; ln d/f d/g")
        snapshot = bash.snapshot()
        one, other = Bash.from_snapshot(snapshot), Bash.from_snapshot(snapshot)
        run(one, "x=2; a+=(2); unset -f f; echo two > d/f; rm -r /tmp; mkdir e")
        run(bash, "x=3; echo three >> d/g; chmod 600 d/f")
        look = "echo $x ${a[@]}; f; cat d/f d/g; ls; stat -c %a d/g; [ -d /tmp ] && echo tmp"
        assert run(other, look) == "1 1\nf\none\none\nd\n644\ntmp\n"
        assert run(one, look) == "2 1 2\ntwo\ntwo\nd\ne\n644\n! bash: line 1: f: command not found\n"
        assert run(bash, look) == "3 1\nf\none\nthree\none\nthree\nd\n600\ntmp\n"
        bash.restore(snapshot)
        assert run(bash, look) == "1 1\nf\none\none\nd\n644\ntmp\n"

    def test_a_stream_sees_what_is_written_after_a_restore(self):
        bash = Bash()
        run(bash, "echo one > f")
        bash.restore(bash.snapshot())
        assert run(bash, "exec 3< f; echo two >> f; cat <&3") == "one\ntwo\n"

    def test_hard_links_stay_together_when_one_is_changed(self):
        bash = Bash()
        run(bash, "mkdir -p a/b c; echo x > a/b/f; ln a/b/f c/g; ln a/b/f h")
        twin = Bash.from_snapshot(bash.snapshot())
        assert run(twin, "echo y > c/g; cat a/b/f h; rm h; stat -c %h a/b/f; [ a/b/f -ef c/g ] && echo same") == "y\ny\n2\nsame\n"
        assert run(bash, "cat a/b/f h c/g") == "x\nx\nx\n"

    def test_files_are_shared_until_they_change(self):
        bash = Bash(files={f"/data/{number}": b"x" * 10_000 for number in range(500)})
        gc.collect()
        tracemalloc.start()
        twins = [Bash.from_snapshot(bash.snapshot()) for _ in range(20)]
        for twin in twins:
            run(twin, "echo changed > /data/7; cat /data/8 | wc -c")
        used = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert used < 20 * 150_000  # 5 MB each, were they copied

    def test_limits_count_what_is_restored(self):
        bash = Bash(files={"/f": b"x" * 1000})
        snapshot = bash.snapshot()
        with pytest.raises(SnapshotError, match="No space left"):
            Bash.from_snapshot(snapshot, limits=ExecutionLimits(max_file_system_bytes=900))
        twin = Bash.from_snapshot(snapshot, limits=ExecutionLimits(max_file_system_bytes=1500))
        assert "No space left" in run(twin, "head -c 1000 /dev/zero > /g")
        assert run(twin, "rm /f /g; head -c 1400 /dev/zero > /g") == ""

    def test_names_environment_and_reset(self):
        bash = Bash(username="ada", hostname="box", env={"K": "v"}, cwd="/w")
        run(bash, "K=changed; cd /")
        twin = Bash.from_snapshot(Snapshot.from_bytes(bash.snapshot().to_bytes()))
        assert run(twin, "echo $K; whoami; hostname; pwd; echo ~") == "changed\nada\nbox\n/\n/home/ada\n"
        twin.reset()
        assert run(twin, "echo $K; pwd") == "v\n/w\n"

    def test_before_the_first_script(self):
        assert run(Bash.from_snapshot(Bash(files={"/f": "x\n"}).snapshot()), "cat /f; pwd") == "x\n/home/user\n"

    def test_seconds_go_on(self):
        bash = Bash(clock=VirtualClock(1000.0))
        run(bash, "sleep 5")
        twin = Bash.from_snapshot(bash.snapshot(), clock=VirtualClock(9_999_999.0))
        assert run(twin, "echo $SECONDS; sleep 2; echo $SECONDS") == "5\n7\n"

    def test_a_seeded_random_source_goes_on_and_another_does_not(self):
        bash = Bash(seed=1)
        run(bash, "echo $RANDOM")
        snapshot = Snapshot.from_bytes(bash.snapshot().to_bytes())
        assert run(Bash.from_snapshot(snapshot), "echo $RANDOM $SRANDOM") == run(bash, "echo $RANDOM $SRANDOM")
        assert json.loads(Bash().snapshot().state)["random"] is None

    def test_jobs_and_descriptors_are_not_kept(self):
        bash = Bash()
        run(bash, "echo x > f; exec 3< f; sleep 0.01 &")
        twin = Bash.from_snapshot(bash.snapshot())
        assert run(twin, "jobs; cat <&3") == "! bash: line 1: 3: Bad file descriptor\n"

    def test_lazy_files_stay_lazy_in_a_value_and_are_produced_for_bytes(self):
        calls = []
        bash = Bash(files={"/f": LazyFile(lambda: calls.append(1) or "content\n", size=8)})
        snapshot = bash.snapshot()
        twin = Bash.from_snapshot(snapshot)
        assert not calls
        assert run(twin, "cat /f; stat -c %s /f") == "content\n8\n"
        data = snapshot.to_bytes()
        assert len(calls) == 2
        assert run(Bash.from_snapshot(Snapshot.from_bytes(data)), "cat /f") == "content\n"

    @pytest.mark.parametrize("isolation", ["inline", "process"])
    def test_nul_characters_are_no_part_of_a_script(self, isolation):
        bash = Bash(isolation=isolation)
        result = bash.execute_sync("x=a\0b; ec\0ho $x; alias y=\0; cd '/t\0mp'; set -- \0c")
        assert (result.stdout, result.stderr) == ("ab\n", "")
        restored = Bash()
        restored.restore(Snapshot.from_bytes(bash.snapshot().to_bytes()))
        assert run(restored, "echo $x $1 $PWD") == "ab c /tmp\n"
        assert [command.name for command in bash.analyze("r\0m f").commands] == ["rm"]
        with pytest.raises(DefinitionError, match="NUL"):
            bash.execute_sync("", words=["bash", "\0"])

    def test_not_while_a_script_runs(self):
        errors = []

        def during(context):
            for method in (bash.snapshot, lambda: bash.restore(before)):
                try:
                    method()
                except BashkitError as error:
                    errors.append(str(error))
            return ""

        bash = Bash(custom_builtins={"during": during})
        before = bash.snapshot()
        run(bash, "during")
        assert len(errors) == 2
        assert all("running a script" in error for error in errors)

    def test_custom_builtins_are_given_anew(self):
        bash = Bash(custom_builtins={"greet": lambda context: "hello\n"})
        snapshot = bash.snapshot()
        assert "command not found" in run(Bash.from_snapshot(snapshot), "greet")
        assert run(Bash.from_snapshot(snapshot, custom_builtins={"greet": lambda context: "hi\n"}), "greet") == "hi\n"


class TestSnapshotOfMounts:
    @pytest.fixture
    def host(self, tmp_path):
        (tmp_path / "a").write_text("host\n")
        (tmp_path / "d").mkdir()
        (tmp_path / "d" / "b").write_text("deep\n")
        return tmp_path

    @pytest.fixture
    def bash(self, host):
        bash = Bash(mounts={"/data": HostDirectory(host), "/repo": Overlay(host), "/m": MemoryFileSystem()})
        run(
            bash,
            "echo mem > /m/f; echo changed > /repo/a; rm /repo/d/b; echo new > /repo/d/n; chmod 755 /repo/d; mv /repo/d /repo/e; mkdir /repo/d",
        )
        return bash

    LOOK = "cat /data/a /m/f /repo/a /repo/e/n; ls /repo /repo/d /repo/e"
    SEEN = "host\nmem\nchanged\nnew\n/repo:\na\nd\ne\n\n/repo/d:\n\n/repo/e:\nn\n"

    def test_a_value_knows_what_was_mounted(self, bash, host):
        twin = Bash.from_snapshot(bash.snapshot())
        assert run(twin, self.LOOK) == self.SEEN
        run(twin, "echo other > /m/f; echo other > /repo/a; rm -r /repo/e")
        assert run(bash, self.LOOK) == self.SEEN
        assert (host / "a").read_text(encoding="utf-8") == "host\n"

    def test_bytes_name_directories_of_the_host_and_do_not_reach_them(self, bash, host):
        snapshot = Snapshot.from_bytes(bash.snapshot().to_bytes())
        assert str(host).encode() not in bash.snapshot().to_bytes()
        with pytest.raises(SnapshotError, match=r"'/data': give HostDirectory"):
            Bash.from_snapshot(snapshot)
        with pytest.raises(SnapshotError, match=r"'/repo': give Overlay"):
            Bash.from_snapshot(snapshot, mounts={"/data": HostDirectory(host), "/repo": HostDirectory(host)})
        twin = Bash.from_snapshot(snapshot, mounts={"/data": HostDirectory(host), "/repo": Overlay(host)})
        assert run(twin, self.LOOK) == self.SEEN

    def test_a_session_uses_its_own_mounts(self, bash):
        snapshot = Snapshot.from_bytes(bash.snapshot().to_bytes())
        run(bash, "rm -r /repo/* /m/*")
        bash.restore(snapshot)
        assert run(bash, self.LOOK) == self.SEEN

    def test_a_file_that_was_only_touched_still_comes_from_the_host(self, host):
        bash = Bash(mounts={"/repo": Overlay(host)})
        run(bash, "chmod 600 /repo/a; touch -d @7 /repo/a")
        data = bash.snapshot().to_bytes()
        assert base64.b64encode(b"host\n") not in data
        (host / "a").write_text("newer\n")
        twin = Bash.from_snapshot(Snapshot.from_bytes(data), mounts={"/repo": Overlay(host)})
        assert run(twin, "cat /repo/a; stat -c '%a %Y' /repo/a") == "newer\n600 7\n"


def damaged(value, path=()):
    """Every way to put something else in one place of some JSON."""
    for junk in (None, -1, 1 << 70, 1.5, True, "junk", "a\0b", "\ud800", "../../etc", [], {}, [[]], {"x": {}}):
        yield path, junk
    if isinstance(value, dict):
        for key in value:
            yield from damaged(value[key], (*path, key))
    elif isinstance(value, list):
        for index in {0, 1, 2, len(value) // 2, len(value) - 1} & set(range(len(value))):
            yield from damaged(value[index], (*path, index))


def replaced(value, path, junk):
    if not path:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], junk)
    return copy


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    host = tmp_path_factory.mktemp("host")
    (host / "a").write_text("host\n")
    (host / "d").mkdir()
    bash = Bash(mounts={"/repo": Overlay(host), "/m": MemoryFileSystem()})
    run(bash, "x=1; declare -a a=(1 2); declare -A m=([k]=v); f() { echo f; }; set -u; shopt -s nullglob; alias q=w; trap 'echo t' USR1; complete -W a b; ulimit -n 9; RANDOM=3; echo d > f; "
              "ln f g; ln -s f l; mkfifo p; chmod 600 /repo/a; rmdir /repo/d; echo n > /repo/n; echo m > /m/f; set -- p")  # fmt: skip
    return host, bash.snapshot().to_bytes()


class TestHostileBytes:
    @pytest.mark.parametrize("bad", [
        b"", b"x", b"\x80\x04}.", b"bashkit-snapshot", b"bashkit-snapshot 1\n", b"bashkit-snapshot 2\n{}", b"bashkit-snapshot -1\n{}",
        b"bashkit-snapshot 1\n{}", b"bashkit-snapshot 1\n[]", b"bashkit-snapshot 1\n\xff", b"bashkit-snapshot 1\n" + b"[" * 200_000,
        b"bashkit-snapshot 1\n" + b"9" * 10_000, b"bashkit-snapshot " + b"9" * 5000 + b"\n{}", b"bashkit-snapshot 1\nNaN",
    ], ids=lambda bad: repr(bad[:24]))  # fmt: skip
    def test_what_is_no_snapshot(self, bad):
        with pytest.raises(SnapshotError):
            Snapshot.from_bytes(bad)

    def test_another_version(self, data):
        with pytest.raises(SnapshotError, match="version 2; this bashkit reads version 1"):
            Snapshot.from_bytes(data[1].replace(b"snapshot 1", b"snapshot 2", 1))

    @pytest.mark.parametrize("time", [8.4e12, -8.4e12, 1e300])
    def test_a_time_that_no_calendar_has(self, data, time):
        head, _, body = data[1].partition(b"\n")
        value = json.loads(body)
        value["files"][0][7] = time
        with pytest.raises(SnapshotError, match="a time must be a number"):
            Snapshot.from_bytes(head + b"\n" + json.dumps(value).encode())

    def test_more_lines_than_a_function_can_have(self, data):
        head, _, body = data[1].partition(b"\n")
        value = json.loads(body)
        value["session"]["shell"]["functions"][0]["lines"] = [1] * 1000
        with pytest.raises(SnapshotError, match="more lines than characters"):
            Snapshot.from_bytes(head + b"\n" + json.dumps(value).encode())

    def test_a_cut_anywhere(self, data):
        for end in range(0, len(data[1]), 97):
            with pytest.raises(SnapshotError):
                Snapshot.from_bytes(data[1][:end])

    @pytest.mark.parametrize("place", [-1, 0, 1, 2])
    def test_a_further_name_is_one_of_a_file_before_it(self, place):
        bash = Bash()
        run(bash, "echo d > f; ln f g")
        head, _, body = bash.snapshot().to_bytes().partition(b"\n")
        value = json.loads(body)
        index = next(index for index, row in enumerate(value["files"]) if row[0] == "link")
        value["files"][index][-1] = index + place
        hostile = head + b"\n" + json.dumps(value).encode()
        if place < 0:
            assert run(Bash.from_snapshot(Snapshot.from_bytes(hostile)), "cat g") == "d\n"
        else:
            with pytest.raises(SnapshotError, match="a link"):
                Snapshot.from_bytes(hostile)

    @pytest.mark.thorough
    def test_junk_in_any_place(self, data):
        """Every value replaced by junk: refused, or harmless when restored and used."""
        host, stored = data
        head, _, body = stored.partition(b"\n")
        value = json.loads(body)
        refused = 0
        places = list(damaged(value))
        source = Overlay(host)
        for path, junk in places:
            hostile = head + b"\n" + json.dumps(replaced(value, path, junk)).encode()
            try:
                bash = Bash.from_snapshot(
                    Snapshot.from_bytes(hostile), mounts={"/repo": source}, limits=ExecutionLimits(timeout=60)
                )
            except SnapshotError:
                refused += 1
                continue
            result = bash.execute_sync(
                "declare -p > /dev/null; declare -f; alias; trap; ls -lR / > /dev/null; cat /repo/* f; echo x > new; rm -rf /repo/* f"
            )
            assert result.error in {None, "parse"}, (path, junk, result)
        assert refused > len(places) // 2
        assert (host / "a").read_text(encoding="utf-8") == "host\n"

    @pytest.mark.parametrize("text", [
        "touch /pwned", "function f () { :; }; touch /pwned", "$(touch /pwned)", "f() { :", "function f () { :; } > $(touch /pwned)", "",
    ])  # fmt: skip
    def test_a_function_is_parsed_and_never_run(self, data, text):
        head, _, body = data[1].partition(b"\n")
        value = json.loads(body)
        value["session"]["shell"]["functions"][0]["text"] = text
        try:
            bash = Bash.from_snapshot(
                Snapshot.from_bytes(head + b"\n" + json.dumps(value).encode()), mounts={"/repo": Overlay(data[0])}
            )
        except SnapshotError:
            return
        assert run(bash, "ls /pwned").startswith("! ls: cannot access")

    @pytest.mark.parametrize("lower", [["..", "secret"], ["/etc/passwd"], ["a/../../x"], [".."], ["."], [""]])
    def test_an_overlay_cannot_be_made_to_reach_outside(self, data, lower):
        head, _, body = data[1].partition(b"\n")
        value = json.loads(body)
        row = next(row for row in value["mounts"]["/repo"]["files"] if row[0] == "lower")
        row[9] = lower
        with pytest.raises(SnapshotError, match="cannot be the name of a file"):
            Snapshot.from_bytes(head + b"\n" + json.dumps(value).encode())


SCRIPT = """
    date; echo $SECONDS $EPOCHSECONDS $EPOCHREALTIME; sleep 3600; date +%s.%N; printf '%(%F %T)T %(%s)T\\n' -1 -1
    (sleep 5; echo five $SECONDS) & (sleep 2; echo two) & wait; timeout 3 sleep 10; echo $?; read -t 7 x < <(sleep 100); echo $? $SECONDS
    echo x > /tmp/f; stat -c '%Y %X %Z' /tmp/f; ls -l --time-style=full-iso /; find /tmp -newermt @0 -printf '%T@ %p\\n'; time sleep 1.5
    echo $RANDOM $RANDOM $SRANDOM; seq 20 | shuf | xargs; shuf -n 2 -e a b c; mktemp; mktemp -d; head -c 8 /dev/urandom | od -An -tx1
    awk 'BEGIN { srand(); print srand(), rand(), systime() }'; seq 9 | sort -R | xargs; echo $$ $BASHPID $!
    RANDOM=5; echo $RANDOM; touch -d tomorrow /tmp/g; stat -c %y /tmp/g
"""


class TestClockAndRandom:
    def test_two_runs_are_the_same_to_the_last_digit(self):
        def once():
            return Bash(clock=VirtualClock(1_700_000_000), seed=42).execute_sync(SCRIPT)

        first, second = once(), once()
        assert first == second
        assert first.error is None
        assert first.stdout.startswith(
            "Tue Nov 14 22:13:20 UTC 2023\n0 1700000000 1700000000.000000\n1700003600.000000000\n2023-11-14 23:13:20 1700003600\n"
            "two\nfive 3605\n124\n142 3615\n1700003615 1700003615 1700003615\n"
        )
        assert "real\t0m1.500s" in first.stderr

    async def test_the_event_loop_makes_no_difference(self):
        expected = Bash(clock=VirtualClock(1_700_000_000), seed=42).execute_sync(SCRIPT)
        assert await Bash(clock=VirtualClock(1_700_000_000), seed=42).execute(SCRIPT) == expected

    def test_another_seed_gives_other_numbers(self):
        outputs = {
            run(Bash(seed=seed), "echo $RANDOM; shuf -i 1-1000 | head -3; mktemp -u; od -An -N4 -tx1 /dev/urandom")
            for seed in range(3)
        }
        assert len(outputs) == 3

    def test_time_goes_on_between_calls_and_can_be_moved(self):
        clock = VirtualClock(0.0)
        bash = Bash(clock=clock)
        run(bash, "sleep 10")
        clock.advance(5)
        assert run(bash, "date +%s; echo $SECONDS") == "15\n15\n"

    def test_a_loop_that_waits_for_the_clock_needs_a_tick(self):
        assert run(Bash(clock=VirtualClock(0.0, tick=0.01)), "while ((SECONDS < 5)); do :; done; echo $SECONDS") == "5\n"

    def test_a_host_function_comes_before_the_clock(self):
        async def slow(context):
            await asyncio.sleep(0.01)
            return "answer\n"

        bash = Bash(clock=VirtualClock(0.0), custom_builtins={"slow": slow})
        assert run(bash, "sleep 1 & slow; date +%s; wait; date +%s") == "answer\n0\n1\n"

    def test_the_time_limit_counts_real_seconds(self, hours_pass):
        result = Bash(
            clock=VirtualClock(0.0), custom_builtins={"work": lambda context: hours_pass()}, limits=ExecutionLimits(timeout=60)
        ).execute_sync("sleep 1000; echo slept; work; while :; do :; done")
        assert (result.stdout, result.error) == ("slept\n", "timeout")


class TestManySessions:
    def test_an_idle_session_is_small(self):
        script = "x=1; f() { echo $x; }; f; ls / | head -2 > /tmp/a; cat /tmp/a"
        run(Bash(), script)
        gc.collect()
        tracemalloc.start()
        sessions = [Bash() for _ in range(200)]
        for bash in sessions:
            run(bash, script)
        gc.collect()
        used = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert used / len(sessions) < 50_000

    @pytest.mark.thorough
    async def test_a_thousand_at_once(self):
        async def double(context):
            await asyncio.sleep(0.01)
            return f"{2 * int(context.argv[0])}\n"

        async def one(number):
            bash = Bash(custom_builtins={"double": double})
            return await bash.execute(
                f"sleep 0.0{number % 9}; seq {number} | tail -1; double {number} | tr 0-9 a-j; for i in 1 2 3; do double $i; done | wc -l"
            )

        results = await asyncio.gather(*(one(number) for number in range(1, 1001)))
        for number, result in enumerate(results, 1):
            assert result.stdout == f"{number}\n{''.join(chr(ord(digit) + 49) for digit in str(2 * number))}\n3\n"
            assert result.exit_code == 0

    async def test_busy_sessions_leave_everybody_his_turn(self):
        """Ten sessions only compute until one that waits and answers has ended: it is not held up by them."""
        limits = ExecutionLimits(max_commands=10**9, max_loop_iterations=10**9)
        busy = [Bash(limits=limits) for _ in range(10)]

        async def quick():
            await Bash().execute("sleep 0.01; echo")
            for bash in busy:
                bash.fs.write_file("/tmp/end", "")

        results = await asyncio.gather(quick(), *(bash.execute("until [ -e /tmp/end ]; do :; done") for bash in busy))
        assert [result.error for result in results[1:]] == [None] * 10


def test_what_a_script_makes_of_computed_variables_stays_in_its_session():
    names = "BASHOPTS BASHPID BASH_SUBSHELL DIRSTACK EPOCHSECONDS FUNCNAME GROUPS HISTCMD LINENO SECONDS SHELLOPTS SRANDOM"
    asked = f"for name in {names}; do declare -n it=$name; echo $name=${{it@a}}; done"
    before = Bash().execute_sync(asked).stdout
    changes = (
        "declare -A $name",
        "declare -a $name",
        "export $name",
        "declare -i $name",
        "eval $name[3]=4",
        "set -a; eval $name=5",
    )
    for change in changes:
        Bash().execute_sync(f"for name in {names}; do {change}; done")
    assert Bash().execute_sync(asked).stdout == before
