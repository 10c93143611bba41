"""All kinds of storage behave alike: the same random system calls give the same results and the same tree everywhere."""

import errno
import os
import random

import pytest

from bashkit.fs import HostDirectory, MemoryFileSystem, Overlay

NAMES = ["a", "b", "c"]
SECRET = b"outside\n"


def populate(write, mkdir, symlink):
    """The tree that every kind begins with."""
    mkdir("a")
    mkdir("a/b")
    mkdir("c")
    write("a/a", b"first")
    write("a/b/c", b"second")
    write("b", b"third")
    symlink("a/b", "c/a")


def on_host(directory):
    directory.mkdir()
    populate(
        lambda path, data: (directory / path).write_bytes(data),
        lambda path: (directory / path).mkdir(),
        lambda target, path: (directory / path).symlink_to(target),
    )
    return directory


def in_memory(tmp_path=None):
    files, inner = MemoryFileSystem(clock=lambda: 0.0), MemoryFileSystem(clock=lambda: 0.0)
    populate(
        lambda path, data: inner.write_file(f"/{path}", data),
        lambda path: inner.mkdir(f"/{path}"),
        lambda target, path: inner.symlink(target, f"/{path}"),
    )
    files.mount("/m", inner)
    return files


def in_overlay(tmp_path):
    files = MemoryFileSystem(clock=lambda: 0.0)
    files.mount("/m", Overlay(on_host(tmp_path / "lower")))
    return files


def in_host_directory(tmp_path):
    files = MemoryFileSystem(clock=lambda: 0.0)
    files.mount("/m", HostDirectory(on_host(tmp_path / "host"), writable=True, outward_links=True))
    return files


def after_snapshots(tmp_path):
    return in_memory()


def volume(files):
    return files.mounts()["/m"][1]


def steps(source, count):
    """Random system calls under ``/m``."""

    def path(deepest=3):
        return "/m/" + "/".join(
            source.choice([*NAMES, *NAMES, "..", "."][: 8 if source.random() < 0.1 else 6])
            for _ in range(source.randint(1, deepest))
        )

    for _ in range(count):
        call = source.choice(
            [
                "write",
                "append",
                "overwrite",
                "read",
                "mkdir",
                "rmdir",
                "unlink",
                "rename",
                "rename",
                "symlink",
                "link",
                "chmod",
                "truncate",
                "listdir",
                "readlink",
                "exclusive",
            ]
        )
        if call in {"rename", "link"}:
            yield call, (path(), path())
        elif call == "symlink":
            yield call, (source.choice(["a", "b/c", "/m/a", "/m/c/b", "../b", "nowhere"]), path())
        elif call == "chmod":
            yield (
                call,
                (path(), source.choice([0o700, 0o755, 0o740])),
            )  # the owner keeps every right: the host denies them to all but root
        elif call == "truncate":
            yield call, (path(), source.choice([0, 3, 10]))
        else:
            yield call, (path(),)


def perform(files, call, arguments):
    """The result of a system call, or its errno."""
    try:
        if call in {"write", "append", "overwrite", "exclusive"}:
            stream = files.open(
                arguments[0],
                write=True,
                append=call == "append",
                create=call != "overwrite",
                truncate=call == "write",
                exclusive=call == "exclusive",
            )
            stream.write(call.encode())
            stream.release()
            return None
        if call == "read":
            stream = files.open(arguments[0], read=True)
            data = stream.read_all()
            stream.release()
            return data
        result = getattr(files, call)(*arguments)
        return sorted(result) if call == "listdir" else result
    except OSError as error:
        return errno.errorcode[error.errno]


def dump(files, top="/m"):
    """Everything below a directory."""
    files = files.unchecked()
    shown = []
    pending = [top]
    while pending:
        path = pending.pop()
        stat = files.stat(path, follow=False)
        content = None
        if stat.type == "directory":
            pending.extend(f"{path}/{name}" for name in files.listdir(path))
        elif stat.type == "file":
            content = files.read_file(path)
        else:
            content = files.readlink(path)
        shown.append(
            (
                path.removeprefix(top),
                stat.type,
                stat.mode if stat.type != "symlink" else 0,
                stat.links if stat.type == "file" else 0,
                content,
            )
        )
    return sorted(shown)


@pytest.mark.parametrize("make", [in_overlay, in_host_directory, after_snapshots])
@pytest.mark.parametrize("seed", range(15))
def test_they_agree(make, seed, tmp_path):
    os.umask(0o022)
    source = random.Random(seed)
    model, tested = in_memory(), make(tmp_path)
    frozen = []
    for number, (call, arguments) in enumerate(steps(source, 300)):
        expected, found = perform(model, call, arguments), perform(tested, call, arguments)
        assert found == expected, f"step {number}: {call}{arguments}"
        if make is after_snapshots and number % 40 == 0:
            frozen.append((volume(tested).freeze(), dump(tested)))
    assert dump(tested) == dump(model)
    for tree, then in frozen:
        restored = MemoryFileSystem()
        restored.mount("/m", MemoryFileSystem(tree=tree))
        assert dump(restored) == then
    if make is in_overlay:
        fresh = MemoryFileSystem(clock=lambda: 0.0)
        fresh.mount("/m", HostDirectory(tmp_path / "lower"))
        assert dump(fresh) == dump(in_memory())


@pytest.mark.parametrize("kind", [HostDirectory, Overlay, lambda path: HostDirectory(path, writable=True, outward_links=True)])
@pytest.mark.parametrize("seed", range(15))
def test_no_maze_of_links_leads_outside(kind, seed, tmp_path):
    """Random links of the host, random paths through them: what is outside is neither read nor changed."""
    source = random.Random(seed)
    (tmp_path / "out" / "d").mkdir(parents=True)
    for name in NAMES:
        (tmp_path / "out" / name).write_bytes(SECRET)
        (tmp_path / "out" / "d" / name).write_bytes(SECRET)
    top = on_host(tmp_path / "in")
    directories = [top, top / "a", top / "a/b", top / "c"]
    for number in range(25):
        target = source.choice(
            [
                "..",
                "../..",
                "../out",
                "../out/d",
                str(tmp_path / "out"),
                "/",
                ".",
                "l1",
                "l2/..",
                "../in/../out",
                "l3/../../out/a",
                "/m/l1/..",
            ]
        )
        (source.choice(directories) / f"l{number % 8}").unlink(missing_ok=True)
        (source.choice(directories) / f"l{number % 8}").unlink(missing_ok=True)
        place = source.choice(directories) / f"l{number % 8}"
        if not place.is_symlink():
            place.symlink_to(target)
    files = MemoryFileSystem()
    files.mount("/m", kind(top))
    for _ in range(400):
        path = "/m/" + "/".join(
            source.choice([*(f"l{n}" for n in range(8)), "..", "out", "d", *NAMES]) for _ in range(source.randint(1, 6))
        )
        assert perform(files, "read", (path,)) != SECRET, path
        perform(files, source.choice(["write", "append", "unlink", "mkdir", "listdir"]), (path,))
        perform(files, "rename", (path, path + "x"))
        perform(files, "symlink", (source.choice(["../../out/a", str(tmp_path / "out" / "a"), "l1/../.."]), path + "y"))
    for directory in (tmp_path / "out", tmp_path / "out" / "d"):
        assert sorted(entry.name for entry in directory.iterdir() if entry.name != "d") == NAMES
        assert all((directory / name).read_bytes() == SECRET for name in NAMES)
