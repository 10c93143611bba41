"""Mounts: what scripts can do with the host's files, and what they cannot."""

import os
import socket
from pathlib import Path

import pytest

from bashkit import Bash, BashTool, ExecutionLimits, HostDirectory, LazyFile, MemoryFileSystem, Overlay, ScriptedTool


@pytest.fixture
def host(tmp_path):
    """A directory to mount, beside one that must stay out of reach."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("secret\n")
    inside = tmp_path / "inside"
    (inside / "sub" / "deep").mkdir(parents=True)
    (inside / "a.txt").write_text("one\ntwo\n")
    (inside / "sub" / "b.txt").write_text("three\n")
    return inside


def run(bash, script):
    result = bash.execute_sync(script)
    return result.stdout + "".join(f"! {line}\n" for line in result.stderr.splitlines())


def open_descriptors():
    return len(list(Path("/proc/self/fd").iterdir()))


def snapshot_of(directory):
    return sorted(
        (str(path.relative_to(directory)), path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in directory.rglob("*")
    )


class TestReadOnly:
    @pytest.fixture
    def bash(self, host):
        return Bash(mounts={"/data": HostDirectory(host)})

    def test_files_are_read(self, bash):
        assert run(
            bash, "cat /data/a.txt; ls -R /data; wc -l < /data/sub/b.txt; cd /data/sub && pwd && cat ../a.txt | head -1"
        ) == ("one\ntwo\n/data:\na.txt\nsub\n\n/data/sub:\nb.txt\ndeep\n\n/data/sub/deep:\n1\n/data/sub\none\n")

    @pytest.mark.parametrize(("script", "message"), [
        ("echo x > /data/new", "bash: line 1: /data/new: Read-only file system"),
        ("echo x >> /data/a.txt", "bash: line 1: /data/a.txt: Read-only file system"),
        ("rm /data/a.txt", "rm: cannot remove '/data/a.txt': Read-only file system"),
        ("mkdir /data/d", "mkdir: cannot create directory ‘/data/d’: Read-only file system"),
        ("rmdir /data/sub/deep", "rmdir: failed to remove '/data/sub/deep': Read-only file system"),
        ("touch /data/new", "touch: cannot touch '/data/new': Read-only file system"),
        ("touch /data/a.txt", "touch: cannot touch '/data/a.txt': Read-only file system"),
        ("chmod 600 /data/a.txt", "chmod: changing permissions of '/data/a.txt': Read-only file system"),
        ("mv /data/a.txt /data/b", "mv: cannot move '/data/a.txt' to '/data/b': Read-only file system"),
        ("ln -s x /data/l", "ln: failed to create symbolic link '/data/l': Read-only file system"),
        ("ln /data/a.txt /data/l", "ln: failed to create hard link '/data/l' => '/data/a.txt': Read-only file system"),
        ("cp /etc/none /data/x", "cp: cannot stat '/etc/none': No such file or directory"),
        ("echo x | tee /data/new > /dev/null", "tee: /data/new: Read-only file system"),
        ("truncate -s 0 /data/a.txt", "truncate: cannot open '/data/a.txt' for writing: Read-only file system"),
        ("mkfifo /data/p", "mkfifo: cannot create fifo '/data/p': Read-only file system"),
        ("ln /data/a.txt /tmp/l", "ln: failed to create hard link '/tmp/l' => '/data/a.txt': Invalid cross-device link"),
    ])  # fmt: skip
    def test_changes_are_refused_in_the_words_of_the_utilities(self, bash, host, script, message):
        before = snapshot_of(host)
        assert run(bash, script) == f"! {message}\n"
        assert snapshot_of(host) == before

    def test_test_and_find_see_it(self, bash):
        assert run(
            bash, "[ -w /data/a.txt ] || echo no; [ -r /data/a.txt ] && echo yes; find /data -name '*.txt'; echo /data/*/*.txt"
        ) == ("no\nyes\n/data/a.txt\n/data/sub/b.txt\n/data/sub/b.txt\n")

    def test_the_host_cannot_write_there_through_the_session_either(self, bash):
        with pytest.raises(OSError, match="Read-only"):
            bash.fs.write_file("/data/x", "")


class TestEscape:
    """A script that tries to get out of the directory. ``secret`` must never show."""

    @pytest.mark.parametrize("script", [
        "cat /data/../outside/secret", "cat /data/../../outside/secret", "cat /data/sub/../../outside/secret",
        "cat /data/./../outside/secret", "cd /data; cat ../outside/secret", "cd -P /data; cat ../outside/secret",
        "cat /data//..//outside//secret", "ln -s ../outside /tmp/l; cat /tmp/l/secret", "ln -s /data/../outside /tmp/l; cat /tmp/l/secret",
    ])  # fmt: skip
    def test_dots_stop_at_the_virtual_root(self, host, script):
        assert "No such file or directory" in run(Bash(mounts={"/data": HostDirectory(host)}), script)

    @pytest.mark.parametrize("kind", [HostDirectory, lambda path: HostDirectory(path, writable=True), Overlay])
    def test_links_of_the_host_are_followed_in_the_virtual_tree(self, host, kind):
        (host / "absolute").symlink_to(host.parent / "outside")
        (host / "relative").symlink_to("../outside/secret")
        (host / "file").symlink_to("/etc/shadow")
        (host / "good").symlink_to("sub/b.txt")
        (host / "up").symlink_to("sub/deep/../../a.txt")
        (host / "loop").symlink_to("loop")
        (host / "virtual").symlink_to("/etc/issue")
        bash = Bash(mounts={"/data": kind(host)}, files={"/etc/issue": "virtual\n"})
        shown = run(
            bash,
            "cd /data; cat absolute/secret relative file good up loop virtual; ls absolute/; echo x > file; cat file; readlink relative",
        )
        assert shown == (
            "three\none\ntwo\nvirtual\nx\n../outside/secret\n"
            "! cat: absolute/secret: No such file or directory\n! cat: relative: No such file or directory\n"
            "! cat: file: No such file or directory\n! cat: loop: Too many levels of symbolic links\n"
            "! ls: cannot access 'absolute/': No such file or directory\n"
        )
        assert bash.fs.read_file("/etc/shadow") == b"x\n"

    @pytest.mark.parametrize("target", ["/etc", "..", "../outside", "sub/../../outside", "/"])
    def test_scripts_cannot_plant_links_for_programs_of_the_host(self, host, target):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert run(bash, f"ln -s {target} /out/l") == "! ln: failed to create symbolic link '/out/l': Operation not permitted\n"
        assert run(bash, "ln -s sub/b.txt /out/ok; cat /out/ok") == "three\n"
        assert not (host / "l").is_symlink()

    def test_planted_links_can_be_allowed_and_lead_nowhere_new(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True, outward_links=True)})
        assert run(bash, "ln -s ../../outside/secret /out/sub/l; readlink /out/sub/l; cat /out/sub/l") == (
            "../../outside/secret\n! cat: /out/sub/l: No such file or directory\n"
        )

    @pytest.mark.parametrize("moment", range(6))
    @pytest.mark.parametrize("kind", [HostDirectory, lambda path: HostDirectory(path, writable=True), Overlay])
    @pytest.mark.parametrize(("name", "target", "script"), [
        (b"sub", "outside", "cat /data/sub/secret; echo x > /data/sub/secret; rm /data/sub/secret; ls /data/sub"),
        (b"a.txt", "outside/secret", "cat /data/a.txt; echo x > /data/a.txt; chmod 777 /data/a.txt; truncate -s 0 /data/a.txt"),
    ])  # fmt: skip
    def test_what_becomes_a_link_meanwhile_is_not_followed(self, host, monkeypatch, moment, kind, name, target, script):
        """The race: something is replaced by a link just after it was looked at for the n-th time."""
        bash = Bash(mounts={"/data": kind(host)})
        real, seen = os.stat, []
        path = host / name.decode()

        def stat(looked_at, *args, **kwargs):
            result = real(looked_at, *args, **kwargs)
            if looked_at == name:
                seen.append(1)
                if len(seen) == moment + 1:
                    path.rename(host / "moved")
                    path.symlink_to(host.parent / target)
            return result

        monkeypatch.setattr(os, "stat", stat)
        shown = run(bash, script)
        assert "secret\n" not in shown.replace("/secret\n", "").replace("/secret:", "")
        assert (host.parent / "outside" / "secret").read_text(encoding="utf-8") == "secret\n"
        assert (host.parent / "outside" / "secret").stat().st_mode & 0o777 != 0o777

    def test_a_rename_by_the_script_does_not_redirect_a_mount(self, host):
        """The mount of a directory inside another, writable mount stays with the directory it was made for."""
        outer, inner = HostDirectory(host, writable=True), HostDirectory(host / "sub")
        bash = Bash(mounts={"/out": outer, "/in": inner})
        assert run(bash, "mv /out/sub /out/elsewhere; mkdir /out/sub; ls /in; cat /in/b.txt") == "b.txt\ndeep\nthree\n"

    def test_a_hard_link_to_a_file_outside_cannot_be_written_through(self, host):
        os.link(host.parent / "outside" / "secret", host / "hard")
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        shown = run(
            bash, "echo x > /out/hard; echo x >> /out/hard; chmod 777 /out/hard; truncate -s 0 /out/hard; touch /out/hard"
        )
        assert shown.count("Operation not permitted") == 5
        assert (host.parent / "outside" / "secret").read_text(encoding="utf-8") == "secret\n"

    def test_hard_links_that_the_script_made_are_its_own(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert run(bash, "ln /out/a.txt /out/b && echo x > /out/b && cat /out/a.txt") == "x\n"

    def test_hard_links_that_the_script_made_and_removed_allow_none_of_others(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert run(bash, "ln /out/a.txt /out/b; ln /out/a.txt /out/c; rm /out/b /out/c") == ""
        os.link(host / "a.txt", host.parent / "outside" / "planted")
        assert "Operation not permitted" in run(bash, "echo x > /out/a.txt")
        assert (host.parent / "outside" / "planted").read_text(encoding="utf-8") != "x\n"

    def test_removed_files_and_directories_make_room_for_others(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)}, limits=ExecutionLimits(max_files=40))
        script = "cd /out; for i in {1..100}; do echo $i > f && mkdir d && ln f l && ln -s f s && rm f l s && rmdir d || break; done; echo $i"
        assert run(bash, script) == "100\n"
        assert "No space left" in run(bash, "for i in {1..100}; do mkdir /out/d$i || break; done")

    def test_what_the_host_does_not_let_be_made_takes_no_room(self, host, monkeypatch):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)}, limits=ExecutionLimits(max_files=40))
        with monkeypatch.context() as patch:
            patch.setattr(os, "mkdir", lambda *_, **__: (host / "a.txt").rmdir())
            assert run(bash, "for i in {1..100}; do mkdir /out/d$i; done").count("Not a directory") == 100
        assert run(bash, "mkdir /out/new") == ""

    def test_set_user_id_bits_are_not_set(self, host):
        run(Bash(mounts={"/out": HostDirectory(host, writable=True)}), "chmod 6755 /out/a.txt; chmod 1777 /out/sub")
        assert (host / "a.txt").stat().st_mode & 0o7777 == 0o755
        assert (host / "sub").stat().st_mode & 0o7777 == 0o777


class TestSpecialFiles:
    @pytest.mark.parametrize("kind", [HostDirectory, lambda path: HostDirectory(path, writable=True), Overlay])
    def test_they_are_shown_and_refused_without_waiting(self, host, kind, monkeypatch):
        os.mkfifo(host / "pipe")
        monkeypatch.chdir(host)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("sock")
            bash = Bash(mounts={"/data": kind(host)}, limits=ExecutionLimits(timeout=5))
            shown = run(
                bash,
                "cd /data; [ -p pipe ] && echo pipe; [ -S sock ] && echo socket; cat pipe; cat sock; read x < pipe; echo x > pipe; cp pipe /tmp/x",
            )
        assert shown.startswith("pipe\nsocket\n")
        assert shown.count("No such device or address") + shown.count("pipe: Read-only file system") == 5

    def test_devices_of_the_host_are_not_opened(self):
        bash = Bash(mounts={"/host": HostDirectory("/dev")}, limits=ExecutionLimits(timeout=5))
        assert run(bash, "cat /host/zero; head -c 1 < /host/urandom; [ -c /host/null ] && echo device") == (
            "device\n! cat: /host/zero: No such device or address\n! bash: line 1: /host/urandom: No such device or address\n"
        )

    def test_a_link_of_proc_is_text(self):
        bash = Bash(mounts={"/p": HostDirectory("/proc/self")})
        assert "shadow" not in run(bash, "ls /p/root/etc/; ls /p/cwd/; cat /p/root/etc/shadow-").replace(
            "/p/root/etc/shadow-: No such file", ""
        )


class TestWritable:
    def test_the_usual_changes(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert run(
            bash,
            """
            cd /out; echo new > n; echo more >> n; mkdir -p x/y; mv n x/y/n; cp a.txt x; rm sub/b.txt; rmdir sub/deep
            chmod 640 x/a.txt; touch -d @1000 x/a.txt; truncate -s 3 x/a.txt; sed -i s/one/1/ a.txt; cat x/y/n; ls -l --time-style=+%s x/a.txt
        """,
        ) == "new\nmore\n-rw-r----- 1 user user 3 1000 x/a.txt\n".replace(
            "3 1000", (run(bash, "stat -c '%s %Y' /out/x/a.txt").strip())
        )
        assert (host / "x/y/n").read_text(encoding="utf-8") == "new\nmore\n"
        assert (host / "x/a.txt").read_text(encoding="utf-8") == "one"
        assert (host / "a.txt").read_text(encoding="utf-8") == "1\ntwo\n"
        assert not (host / "sub/b.txt").exists()
        assert (host / "x/a.txt").stat().st_mode & 0o777 == 0o640

    def test_a_file_is_made_with_the_umask_of_the_shell(self, host):
        run(Bash(mounts={"/out": HostDirectory(host, writable=True)}), "umask 777; echo x > /out/n; umask 007; echo x > /out/m")
        assert [(host / name).stat().st_mode & 0o777 for name in "nm"] == [0, 0o660]

    def test_growth_is_limited(self, host):
        bash = Bash(
            mounts={"/out": HostDirectory(host, writable=True)},
            limits=ExecutionLimits(max_file_system_bytes=100_000, max_files=40),
        )
        assert "No space left on device" in run(bash, "head -c 1000000 /dev/zero > /out/big")
        assert (host / "big").stat().st_size <= 100_000
        assert "No space left on device" in run(bash, "rm /out/big; for ((i = 0; i < 100; i++)); do : > /out/f$i || break; done")
        assert len(list(host.glob("f*"))) < 40

    def test_what_is_cut_off_makes_room_and_what_has_another_name_does_not(self, host):
        bash = Bash(mounts={"/data": HostDirectory(host, writable=True)}, limits=ExecutionLimits(max_file_system_bytes=1000))
        fill = "head -c 800 /dev/zero > /data/{}"
        assert run(bash, fill.format("f")) == ""
        assert "No space left" in run(bash, fill.format("g"))
        assert run(bash, f"rm -f /data/g; truncate -s 100 /data/f; {fill.format('g')}") == ""
        assert run(bash, "ln /data/g /data/h; rm /data/g") == ""
        assert "No space left" in run(bash, fill.format("i"))
        assert run(bash, f"rm /data/h /data/i; {fill.format('i')}") == ""

    def test_one_time_stamp_is_set_and_the_other_stays(self, host):
        bash = Bash(mounts={"/data": HostDirectory(host, writable=True)})
        os.utime(host / "a.txt", (1000, 2000))
        assert run(bash, "touch -a -d @3000 /data/a.txt") == ""
        assert ((host / "a.txt").stat().st_atime, (host / "a.txt").stat().st_mtime) == (3000, 2000)
        assert run(bash, "touch -m -d @4000 /data/a.txt") == ""
        assert ((host / "a.txt").stat().st_atime, (host / "a.txt").stat().st_mtime) == (3000, 4000)

    def test_owner_and_pipes_are_refused(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert run(bash, "mkfifo /out/p; chown root /out/a.txt; chown user /out/a.txt") == (
            "! mkfifo: cannot create fifo '/out/p': Operation not permitted\n! chown: changing ownership of '/out/a.txt': Operation not permitted\n"
        )

    def test_permissions_of_the_virtual_user_count(self, host):
        (host / "a.txt").chmod(0o400)
        (host / "sub").chmod(0o500)
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert run(bash, "echo x > /out/a.txt; echo x > /out/sub/new") == (
            "! bash: line 1: /out/a.txt: Permission denied\n! bash: line 1: /out/sub/new: Permission denied\n"
        )

    def test_open_descriptors_of_the_host_are_bounded_and_closed(self, host):
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        before = open_descriptors()
        run(
            bash,
            "for ((i = 0; i < 300; i++)); do cat /out/a.txt > /out/c; exec {fd}< /out/a.txt; done 2> /dev/null; wc -l /out/*",
        )
        assert open_descriptors() <= before + 1
        shown = run(bash, "awk 'BEGIN { for (i = 0; i < 400; i++) { f = \"/out/o\" i; print i > f } }'")
        assert open_descriptors() <= before + 1
        assert "Too many open files" in shown or len(list(host.glob("o*"))) == 400

    @pytest.mark.thorough
    def test_a_very_deep_path_needs_few_descriptors(self, host):
        before = open_descriptors()
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert (
            run(
                bash,
                "p=/out; for ((i = 0; i < 300; i++)); do p+=/d; done; mkdir -p $p; echo x > $p/f; cat $p/f; rm -r /out/d; ls /out",
            )
            == "x\na.txt\nsub\n"
        )
        assert open_descriptors() <= before + 1


class TestOverlay:
    @pytest.fixture
    def bash(self, host):
        return Bash(mounts={"/repo": Overlay(host)})

    @pytest.mark.parametrize(("script", "output"), [
        ("echo new > /repo/a.txt; cat /repo/a.txt", "new\n"),
        ("echo more >> /repo/a.txt; cat /repo/a.txt", "one\ntwo\nmore\n"),
        ("rm /repo/a.txt; ls /repo; cat /repo/a.txt", "sub\n! cat: /repo/a.txt: No such file or directory\n"),
        ("rm /repo/a.txt; echo back > /repo/a.txt; cat /repo/a.txt; rm /repo/a.txt; ls /repo", "back\nsub\n"),
        ("rm -r /repo/sub; mkdir /repo/sub; ls /repo/sub; ls /repo", "a.txt\nsub\n"),
        ("mv /repo/sub /repo/moved; cat /repo/moved/b.txt; ls /repo; ls -d /repo/sub",
         "three\na.txt\nmoved\n! ls: cannot access '/repo/sub': No such file or directory\n"),
        ("mv /repo/a.txt /repo/sub/b.txt; cat /repo/sub/b.txt; ls /repo", "one\ntwo\nsub\n"),
        ("chmod 700 /repo/a.txt; stat -c %a /repo/a.txt; cat /repo/a.txt", "700\none\ntwo\n"),
        ("touch -d @5 /repo/sub/b.txt; stat -c '%Y %s' /repo/sub/b.txt; cat /repo/sub/b.txt", "5 6\nthree\n"),
        ("ln /repo/a.txt /repo/l; echo x > /repo/l; cat /repo/a.txt; stat -c %h /repo/l", "x\n2\n"),
        ("sed -i s/two/2/ /repo/a.txt; cat /repo/a.txt", "one\n2\n"),
        ("truncate -s 2 /repo/a.txt; cat /repo/a.txt", "on"),
        ("mkdir -p /repo/x/y; echo z > /repo/x/y/z; find /repo -type f", "/repo/a.txt\n/repo/sub/b.txt\n/repo/x/y/z\n"),
        ("exec 3< /repo/a.txt; read -u 3 x; read -u 3 y; echo $x $y", "one two\n"),
        ("rmdir /repo/sub", "! rmdir: failed to remove '/repo/sub': Directory not empty\n"),
        ("rmdir /repo/sub/deep; ls /repo/sub", "b.txt\n"),
        ("ln -s ../../etc /repo/l; ln -s /repo/a.txt /repo/m; cat /repo/m", "one\ntwo\n"),
        ("mkfifo /repo/p; echo through > /repo/p & cat < /repo/p", "through\n"),
        ("mv /repo/sub /tmp/; cat /tmp/sub/b.txt; ls /repo", "three\na.txt\n"),
    ])  # fmt: skip
    def test_changes_show_and_the_host_stays_as_it_was(self, bash, host, script, output):
        before = snapshot_of(host)
        assert run(bash, script) == output
        assert snapshot_of(host) == before

    def test_every_session_has_changes_of_its_own(self, host):
        source = Overlay(host)
        one, other = (Bash(mounts={"/repo": source}) for _ in range(2))
        run(one, "rm /repo/a.txt; echo x > /repo/n")
        assert run(one, "ls /repo") == "n\nsub\n".replace("n\nsub", "n\nsub")
        assert run(other, "ls /repo") == "a.txt\nsub\n"

    def test_changes_are_counted_against_the_limits_of_the_session(self, host):
        bash = Bash(mounts={"/repo": Overlay(host)}, limits=ExecutionLimits(max_file_system_bytes=10_000, max_files=30))
        assert "No space left on device" in run(bash, "head -c 6000 /dev/zero > /tmp/a; head -c 6000 /dev/zero > /repo/b")
        assert "No space left on device" in run(bash, "rm /tmp/a /repo/b; for ((i = 0; i < 50; i++)); do : > /repo/f$i; done")

    def test_a_large_file_of_the_host_is_streamed_and_not_copied(self, host):
        with (host / "big").open("wb") as file:
            file.truncate(1 << 30)
        bash = Bash(mounts={"/repo": Overlay(host)}, limits=ExecutionLimits(max_file_system_bytes=1 << 20))
        assert (
            run(bash, "head -c 5 /repo/big | wc -c; stat -c %s /repo/big; chmod 600 /repo/big; head -c 3 /repo/big | wc -c")
            == "5\n1073741824\n3\n"
        )
        assert run(bash, "echo x >> /repo/big") == "! bash: line 1: /repo/big: No space left on device\n"
        assert run(bash, "echo x > /repo/big; cat /repo/big") == "x\n"


class TestHostThatChanges:
    def test_a_directory_that_vanishes(self, host):
        bash = Bash(mounts={"/data": HostDirectory(host), "/repo": Overlay(host)})
        run(bash, "echo x > /repo/new")
        host.rename(host.parent / "gone")
        assert run(bash, "cat /data/a.txt") == "one\ntwo\n"  # a renamed directory is still that directory
        for path in sorted((host.parent / "gone").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        (host.parent / "gone").rmdir()
        assert run(bash, "cat /data/a.txt; ls /data; ls /repo; echo alive") == (
            "alive\n! cat: /data/a.txt: No such file or directory\n! ls: cannot access '/data': No such file or directory\n"
            "! ls: cannot access '/repo': No such file or directory\n"
        )

    def test_names_that_are_no_utf8(self, host):
        Path(os.fsdecode(os.fsencode(host) + b"/\xff\xfe")).write_text("odd\n")
        bash = Bash(mounts={"/out": HostDirectory(host, writable=True)})
        assert (
            run(bash, "cat /out/$'\\xff\\xfe'; echo /out/?? | od -An -tx1; echo n > /out/$'\\x80'")
            == "odd\n 2f 6f 75 74 2f ff fe 0a\n"
        )
        assert "\udc80" in [path.name for path in host.iterdir()]

    def test_a_missing_directory_is_refused_when_it_is_named(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            HostDirectory(tmp_path / "none")
        (tmp_path / "file").write_text("")
        with pytest.raises(NotADirectoryError):
            Overlay(tmp_path / "file")


class TestAcrossMounts:
    @pytest.fixture
    def bash(self, host):
        return Bash(mounts={"/out": HostDirectory(host, writable=True), "/m": MemoryFileSystem()})

    def test_mv_copies_and_removes(self, bash, host):
        assert run(bash, "mv /out/sub /m; cat /m/sub/b.txt; ls /out; mv -v /m/sub/b.txt /out/c.txt; cat /out/c.txt") == (
            "three\na.txt\ncopied '/m/sub/b.txt' -> '/out/c.txt'\nremoved '/m/sub/b.txt'\nthree\n"
        )
        assert (host / "c.txt").read_text(encoding="utf-8") == "three\n"

    def test_rename_says_so(self, bash):
        with pytest.raises(OSError, match="cross-device"):
            bash.fs.rename("/out/a.txt", "/m/a.txt")

    def test_a_directory_moves_whatever_serial_numbers_are_above_the_mount(self, host):
        bash = Bash(mounts={"/srv/a/b/c": MemoryFileSystem(), "/home/a/b/c": Overlay(host)})
        script = "for i in {1..20}; do mkdir d$i; mv d$i e$i; done; mv e1 e1/x; ls"
        for place in ("/srv/a/b/c", "/home/a/b/c"):
            moved = run(bash, f"cd {place}; {script}").splitlines()
            assert [line for line in moved if not line.startswith("e")] == [
                *(["a.txt", "sub"] if place.startswith("/home") else []),
                "! mv: cannot move 'e1' to a subdirectory of itself, 'e1/x'",
            ]

    def test_a_mount_point_is_busy(self, bash):
        assert run(bash, "rmdir /m; rm -r /m; mv /m /x; ls -d /m; mv /tmp /m; mv /m/.. /x") == (
            "/m\n! rmdir: failed to remove '/m': Device or resource busy\n! rm: cannot remove '/m': Device or resource busy\n"
            "! mv: cannot move '/m' to '/x': Device or resource busy\n! mv: cannot move '/m/..' to '/x': Device or resource busy\n"
        )

    def test_two_mounts_of_one_file_are_the_same_file(self, host):
        bash = Bash(mounts={"/a": HostDirectory(host, writable=True), "/b": HostDirectory(host, writable=True)})
        assert run(bash, "cp /a/a.txt /b/a.txt; cat /a/a.txt >> /b/a.txt; cat /a/a.txt") == (
            "one\ntwo\n! cp: '/a/a.txt' and '/b/a.txt' are the same file\n! cat: /a/a.txt: input file is output file\n"
        )

    def test_df_lists_what_is_mounted(self, bash):
        lines = run(bash, "df -T /; df --output=target 2> /dev/null; df").splitlines()
        assert [line.split()[-1] for line in lines[-3:]] == ["/", "/m", "/out"]

    def test_a_shared_memory_file_system(self):
        shared = MemoryFileSystem()
        run(Bash(mounts={"/m": shared}), "echo x > /m/f")
        assert run(Bash(mounts={"/other": shared}), "cat /other/f") == "x\n"


class TestMounting:
    def test_mounts_inside_mounts(self, host):
        bash = Bash(
            mounts={"/repo": HostDirectory(host), "/repo/sub": MemoryFileSystem(), "/repo/sub/x/y": HostDirectory(host / "sub")}
        )
        assert run(
            bash, "ls /repo; echo n > /repo/sub/n; find /repo | sort; cat /repo/sub/x/y/../../n; cd /repo/sub/x/y; cd ..; ls"
        ) == (
            "a.txt\nsub\n/repo\n/repo/a.txt\n/repo/sub\n/repo/sub/n\n/repo/sub/x\n/repo/sub/x/y\n/repo/sub/x/y/b.txt\n/repo/sub/x/y/deep\nn\ny\n"
        )

    def test_mount_and_unmount(self, host):
        bash = Bash(files={"/mnt/below": "hidden\n"})
        bash.fs.mount("/mnt", HostDirectory(host))
        assert run(bash, "ls /mnt") == "a.txt\nsub\n"
        assert list(bash.fs.mounts()) == ["/mnt"]
        with pytest.raises(OSError, match="busy"):
            bash.fs.mount("/mnt", MemoryFileSystem())
        bash.fs.unmount("/mnt")
        assert run(bash, "cat /mnt/below") == "hidden\n"
        with pytest.raises(OSError, match="Invalid argument"):
            bash.fs.unmount("/mnt")

    def test_a_link_to_a_mount_is_followed_before_mounting(self, host):
        bash = Bash()
        run(bash, "mkdir /real; ln -s /real /link")
        bash.fs.mount("/link/data", HostDirectory(host))
        assert run(bash, "ls /real/data") == "a.txt\nsub\n"

    @pytest.mark.parametrize("path", ["relative", ""])
    def test_the_path_is_absolute(self, path):
        from bashkit import BashkitError

        with pytest.raises(BashkitError, match="absolute"):
            Bash(mounts={path: MemoryFileSystem()})

    def test_files_can_be_put_into_mounts(self, host):
        bash = Bash(mounts={"/repo": Overlay(host)}, files={"/repo/sub/extra": "x\n"}, cwd="/repo/sub")
        assert run(bash, "pwd; ls") == "/repo/sub\nb.txt\ndeep\nextra\n"
        assert not (host / "sub" / "extra").exists()

    def test_completion_of_a_script_in_a_mount(self, host):
        (host / "run.sh").write_text("echo ran $1\n")
        (host / "run.sh").chmod(0o755)
        assert (
            run(Bash(mounts={"/data": HostDirectory(host)}), "/data/run.sh a; . /data/run.sh b; bash /data/run.sh c")
            == "ran a\nran b\nran c\n"
        )


class TestLazyFiles:
    def test_the_content_is_produced_once_at_the_first_read(self):
        calls = []
        bash = Bash(files={"/f": lambda: calls.append(1) or "content\n"})
        assert run(bash, "stat -c %s /f; ls /").startswith("0\n")
        assert not calls
        assert run(bash, "cat /f; cat /f; stat -c %s /f") == "content\ncontent\n8\n"
        assert len(calls) == 1

    def test_a_declared_size_is_shown(self):
        assert (
            run(Bash(files={"/f": LazyFile(lambda: b"12345", size=5, mode=0o600)}), "stat -c '%s %a' /f; cat /f")
            == "5 600\n12345"
        )

    def test_a_file_that_is_overwritten_or_removed_is_never_produced(self):
        def fail():
            raise AssertionError

        bash = Bash(files={"/f": fail, "/g": fail})
        assert run(bash, "echo x > /f; cat /f; rm /g; ls /g 2> /dev/null") == "x\n"

    @pytest.mark.parametrize(
        ("error", "message"), [(PermissionError(13, "no"), "Permission denied"), (ValueError("x"), "Input/output error")]
    )
    def test_a_failure_is_an_errno(self, error, message):
        def fail():
            raise error

        assert run(Bash(files={"/f": fail}), "cat /f; echo next") == f"next\n! cat: /f: {message}\n"

    async def test_content_may_be_async(self):
        async def fetch():
            import asyncio

            await asyncio.sleep(0)
            return "fetched\n"

        bash = Bash(files={"/f": fetch, "/g": fetch})
        assert (await bash.execute("cat /f | tr a-z A-Z")).stdout == "FETCHED\n"
        assert bash.fs.read_file("/g") == b"fetched\n"

    def test_content_is_counted(self):
        bash = Bash(files={"/f": lambda: b"x" * 1000}, limits=ExecutionLimits(max_file_system_bytes=100))
        assert run(bash, "cat /f") == "! cat: /f: No space left on device\n"


class TestTools:
    """Every execution of a tool has a fresh shell; what it mounts is given once."""

    @pytest.fixture(params=["scripted", "bash"])
    def tool(self, request, host):
        builder = BashTool.builder() if request.param == "bash" else ScriptedTool.builder("files")
        return (
            builder.mount("/repo", Overlay(host)).mount("/data", HostDirectory(host)).file("/etc/issue", lambda: "lazy\n").build()
        )

    async def test_builders_take_mounts_and_files(self, tool):
        response = await tool.execute("cat /etc/issue /data/sub/b.txt; rm /repo/a.txt; ls /repo; echo x > /data/x")
        assert response.stdout == "lazy\nthree\nsub\n"
        assert "Read-only file system" in response.stderr
        assert (await tool.execute("ls /repo")).stdout == "a.txt\nsub\n"


class TestReadErrors:
    """A disk of the host that fails is an error of the command, never of the interpreter."""

    @pytest.mark.parametrize("script", ["cat f", "bash f", ". ./f", "./f", "read x < f", "x=$(< f)", "while read x; do :; done < f", "sort f", "grep x f",
        "sed -i p f", "awk 1 f", "cp f /tmp/g", "mv f /tmp/g", "diff f /dev/null", "tail f", "bash < f", "cat <(cat f)", "select x in a; do :; done < f"])  # fmt: skip
    def test_it_is_reported(self, host, monkeypatch, script):
        def pread(*_):
            raise OSError(5, "Input/output error")

        (host / "f").write_text("echo x\n")
        (host / "f").chmod(0o755)
        monkeypatch.setattr(os, "pread", pread)
        result = Bash(mounts={"/data": Overlay(host)}, cwd="/data").execute_sync(script)
        assert result.error is None
        assert "Input/output error" in result.stderr

    def test_a_file_that_is_too_large_to_hold(self, host):
        with (host / "big").open("wb") as file:
            file.truncate(1 << 30)
        (host / "big").chmod(0o755)
        bash = Bash(mounts={"/data": HostDirectory(host)})
        shown = run(bash, "head -c 3 /data/big | wc -c; /data/big; bash /data/big; cat /data/big > /tmp/x; rm /tmp/x")
        assert shown.startswith("3\n! ")
        assert shown.count("File too large") == 2
        assert "cat: No space left on device" in shown or "write error: No space left" in shown
