"""Archives and compressed files that mean harm: what they expand to is charged before it is made, and none causes an internal error."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.commands.archives._compression import CorruptError, expand
from bashkit.limits import DEFAULT_LIMITS, Budget

pytestmark = pytest.mark.thorough


def run(script, files, **limits):
    bash = Bash(files={f"/w/{name}": data for name, data in files.items()}, cwd="/w", limits=ExecutionLimits(**limits))
    return bash.execute_sync(script)


PACKERS = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize(
    "text", [b"", b"x", bytes(1 << 20), random.Random(1).randbytes(300_000)], ids=["none", "one", "zeros", "noise"]
)
def test_expands_what_was_compressed(kind, text):
    pack, budget = PACKERS[kind], Budget(DEFAULT_LIMITS)
    packed = pack(text)
    assert expand(packed, kind, budget) == text
    assert expand(packed + pack(b"more") + packed, kind, budget) == text + b"more" + text
    assert expand(packed + b"\0garbage", kind, budget) == text
    for cut in {1, 6, len(packed) // 2, len(packed) - 1} - {0}:
        with pytest.raises(CorruptError):
            expand(packed[:cut], kind, budget)


@pytest.mark.parametrize("kind", PACKERS)
def test_many_members_cost_in_proportion(kind):
    budget = Budget(DEFAULT_LIMITS)
    budget.fuel = 1 << 40
    assert expand(PACKERS[kind](b"") * 3000, kind, budget) == b""
    assert (1 << 40) - budget.fuel < 3000 * 100


def tar(*members, form=tarfile.PAX_FORMAT):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=form) as archive:
        for name, content, changes in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for key, value in changes.items():
                setattr(info, key, value)
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def header(kind, size, name=b"x"):
    """One header block, whatever it says."""
    block = bytearray(512)
    block[: len(name)] = name
    block[100:108] = b"0000644\0"
    block[124:136] = b"%011o\0" % size if size < 8**11 else b"\x80" + size.to_bytes(11, "big")
    block[136:148] = b"%011o\0" % 0
    block[148:156] = b" " * 8
    block[156:157] = kind
    block[257:265] = b"ustar\x0000"
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def padded(data):
    return data + bytes(-len(data) % 512)


def extended(*records):
    text = b"".join(records)
    return header(b"x", len(text)) + padded(text) + header(b"0", 0) + bytes(1024)


def sparse(size, count=1):
    """A file that says it is larger than its archive (GNU tar manual, Sparse Formats)."""
    numbers = b"GNU.sparse.major=1\n", b"GNU.sparse.minor=0\n", b"GNU.sparse.name=big\n", b"GNU.sparse.realsize=%d\n" % size
    records = b"".join(b"%d %s" % (len(text) + 3, text) for text in numbers)
    table = padded(b"%d\n0\n1\n" % count)
    return header(b"x", len(records)) + padded(records) + header(b"0", len(table) + 1) + table + padded(b"x") + bytes(1024)


TARS = {
    "sparse": sparse(1 << 40),
    "sparse-table": sparse(10, 10**9),
    "huge-size": header(b"0", 1 << 62) + bytes(1024),
    "huge-directory": header(b"5", 1 << 62) + bytes(1024),
    "pax-huge": header(b"x", 1 << 40) + bytes(1024),
    "pax-digits": extended(b"2000011 a=" + b"1" * 2_000_000 + b"\n"),
    "pax-many-digits": extended(b"900011 a=" + b"1" * 900_000 + b"\n"),
    "pax-length": extended(b"9" * 5000 + b" path=x\n"),
    "pax-zero": extended(b"0 path=x\n"),
    "pax-charset": extended(b"30 hdrcharset=\xff\xff\xff\xff\xff\xff\xff\xff\n"),
    "pax-numbers": extended(b"16 size=1e999999\n", b"17 mtime=infinity\n", b"11 uid=nan\n", b"18 size=99999999999999999999\n"),
    "pax-inf": extended(b"13 mtime=inf\n"),
    "pax-nul": extended(b"12 path=a\0b\n"),
    "pax-name": extended(b"12 path=\xff\xfe\n"),
    "long-names": (header(b"L", 5) + padded(b"name\0")) * 2500 + header(b"0", 0) + bytes(1024),
    "long-links": (header(b"K", 5) + padded(b"name\0")) * 2500 + header(b"0", 0) + bytes(1024),
    "extended-headers": (header(b"x", 9) + padded(b"9 path=x\n")) * 2500 + header(b"0", 0) + bytes(1024),
    "long-name": header(b"L", 30_000) + padded(b"n/" * 15_000) + header(b"0", 0) + bytes(1024),
    "mtime": tar(("x", b"", {"mtime": 10**15})),
    "mtime-before": tar(("x", b"", {"mtime": -(10**15)})),
    "uid": tar(("x", b"", {"uid": 10**20})),
    "up": tar(("../../../etc/x", b"x", {}), ("/etc/y", b"y", {}), ("a/../../z", b"z", {}), ("..", b"", {"type": tarfile.DIRTYPE})),
    "links": tar(("l", b"", {"type": tarfile.SYMTYPE, "linkname": "/etc"}), ("l/x", b"x", {}), ("h", b"", {"type": tarfile.LNKTYPE, "linkname": "../../etc/passwd"})),
    "self": tar(("l", b"", {"type": tarfile.SYMTYPE, "linkname": "l"}), ("l/x", b"x", {}), ("h", b"", {"type": tarfile.LNKTYPE, "linkname": "h"})),
    "devices": tar(*((f"d{kind}", b"", {"type": kind, "devmajor": 1, "devminor": 3}) for kind in (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"Z"))),
    "same": tar(*[("x", b"y", {})] * 300),
    "names": tar(("", b"", {}), (".", b"", {}), ("/", b"", {}), ("x" * 5000, b"", {}), ("\n\x1b[31m", b"", {}), ("a/" * 300, b"", {})),
    "empty": b"",
    "zeros": bytes(10240),
    "noise": random.Random(2).randbytes(20480),
}  # fmt: skip
OPERATIONS = ["tf", "tvvf", "xf", "xOf", "df", "rf", "uf", "--delete -f", "Af", "--test-label -f", "xf --to-command=cat", "xPf"]


@pytest.mark.parametrize("name", TARS)
def test_no_archive_harms(name):
    files = {"a.tar": TARS[name], "new": b"new"}
    for operation in OPERATIONS:
        letters, _, rest = operation.partition("f ") if "--" not in operation else (operation, "", "")
        command = f"tar {letters}f a.tar {rest} " if not letters.endswith("f") else f"tar {letters} a.tar {rest}"
        operand = {"rf": "new", "uf": "new", "--delete -f": "x", "Af": "a.tar"}.get(operation, "")
        result = run(f"cp a.tar keep; {command} {operand}; ls -R . >/dev/null; echo $?", files, timeout=5)
        assert result.error in {None, "limit:max_string_bytes", "limit:max_output_bytes", "limit:max_memory_bytes"}, (
            command,
            result.stderr[-300:],
        )


def test_damaged_archives_are_refused_without_more():
    whole = tar(("a", b"x" * 600, {}), ("b" * 200, b"", {}), ("é", b"", {"type": tarfile.SYMTYPE, "linkname": "y" * 200}))
    chance = random.Random(3)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        result = run("tar tvf a.tar >/dev/null; tar xf a.tar; tar -rf a.tar a.tar; echo $?", {"a.tar": bytes(data)}, timeout=5)
        assert result.error in {None, "limit:max_string_bytes"}, result.stderr


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


ENTRY = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 3, 20, 0, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x"
ZIPS = {
    "bomb": (lambda: zipped(("x", bytes(40 << 20))), "limit:max_string_bytes"),
    "bzip2": (lambda: zipped(("x", bytes(40 << 20)), method=zipfile.ZIP_BZIP2), None),
    "lzma": (lambda: zipped(("x", bytes(40 << 20)), method=zipfile.ZIP_LZMA), None),
    "many": (
        ENTRY * 100_000 + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, len(ENTRY) * 100_000, 0, 0),
        "limit:max_files",
    ),
    "up": (zipped(("../../etc/x", b"x"), ("/etc/y", b"y"), ("a/../../z", b"z"), ("..", b""), ("\\..\\x", b"")), None),
    "names": (zipped(("x" * 5000, b""), ("\x1b[31m\n", b""), ("a/" * 300 + "b", b"")), None),
    "noise": (random.Random(4).randbytes(5000), None),
    "end": (b"PK\x05\x06" + b"\xff" * 18, None),
    "zip64": (b"PK\x06\x06" + b"\xff" * 52 + b"PK\x06\x07" + b"\xff" * 16 + b"PK\x05\x06" + b"\xff" * 18, None),
}


@pytest.mark.parametrize("name", ZIPS)
def test_no_zip_archive_harms(name):
    data, error = ZIPS[name]
    data = data() if callable(data) else data
    for operation in ("-o", "-t", "-p", "-j -o"):
        result = run(f"unzip {operation} a.zip >/dev/null; echo $?", {"a.zip": data}, timeout=5)
        assert result.error == error, (operation, result.stderr[-300:])
    assert run(
        "unzip -o a.zip; unzip -l a.zip; unzip -v a.zip; unzip -Z1 a.zip; zip a.zip /w/a.zip; ls / /etc", {"a.zip": data}
    ).error in {None, error}


def test_members_stay_inside():
    for command, name, data in (("unzip -o", "a.zip", ZIPS["up"][0]), ("tar xf", "a.tar", TARS["up"])):
        result = run(
            f"mkdir -p in/side; cd in/side; {command} ../../{name} 2>/dev/null >&2; cd /w; find / -name '[xyz]' -newer /w/{name} -not -path '/w/in/side/*' -not -path '/proc/*'",
            {name: data},
        )
        assert result.stdout == ""


def test_damaged_zip_archives_are_refused_without_more():
    whole = zipped(("a", b"x" * 600), ("dir/b", b"y"), ("é", b"z"))
    chance = random.Random(5)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        result = run(
            "unzip -l a.zip; unzip -v a.zip; unzip -t a.zip; unzip -o a.zip; zip a.zip a.zip", {"a.zip": bytes(data)}, timeout=5
        )
        assert result.error is None, result.stderr


def test_nested_bombs_stop_at_the_first_that_is_too_large():
    data = zlib.compressobj(9, zlib.DEFLATED, 31)
    inner = data.compress(bytes(64 << 20)) + data.flush()
    result = run("zcat a.gz | zcat | wc -c", {"a.gz": gzip.compress(inner)})
    assert result.error == "limit:max_string_bytes"


def test_no_member_of_cpio_leaves_its_folder():
    bash = Bash(files={"/in/x": "new\n"}, cwd="/in")
    script = """
        ln -s /etc esc; echo esc | cpio -o --quiet -H newc > /tmp/link.cpio; rm esc
        mkdir esc; cp x esc/passwd; echo esc/passwd | cpio -o --quiet -H newc > /tmp/file.cpio
        mkdir /out; cd /out; cpio -idu --quiet < /tmp/link.cpio; cpio -idu --quiet < /tmp/file.cpio; echo $?; head -n 1 /etc/passwd
        cd /in; echo /in/x | cpio -o --quiet -H newc > /tmp/whole.cpio; cd /out; cpio -id --quiet < /tmp/whole.cpio; cat in/x
    """
    result = bash.execute_sync(script)
    assert result.stdout == "2\nroot:x:0:0:root:/root:/bin/bash\nnew\n"
    assert "esc/passwd: the directory is outside of the current one" in result.stderr


def test_no_member_of_ar_leaves_its_folder():
    bash = Bash(files={"/in/x": "new\n"}, cwd="/in")
    script = "ar rc a.a x; sed 's#^x/  #../x#' a.a > b.a; mkdir d; cd d; echo old > ../x; ar x ../b.a; cat ../x; ls"
    assert bash.execute_sync(script).stdout == "old\nx\n"


@pytest.mark.parametrize(
    "script",
    [
        "echo f | cpio -o --quiet -H newc > n; (head -c 94 n; printf -- -000006E; tail -c +103 n) | cpio -it",
        "ar rc x.a f; (head -c 56 x.a; printf -- '-60       '; tail -c +67 x.a) > y.a; ar t y.a",
    ],
)
def test_negative_sizes_are_malformed(script):
    result = Bash(files={"/in/f": "text\n"}, cwd="/in", timeout_seconds=10).execute_sync(script)
    assert (result.stdout, result.error) == ("", None)
    assert "alformed" in result.stderr
