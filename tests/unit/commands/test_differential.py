"""The utilities against the real programs: the same scripts, the same output, the same status.

The scripts are the lines of ``differential/*.sh``. Where the output of the real program depends on the machine, or where ours
differs on purpose, the script says so in EXCEPTIONS.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bashkit import Bash

TABLES = Path(__file__).parent / "differential"
CWD = f"/tmp/differential-{os.getpid()}"  # the same path on both sides; tests may run side by side
FILES = {
    "a": "one\ntwo\nthree\nfour\nfive\n",
    "a2": "one\n2\nthree\nfour\nfive and\nsix\n",
    "A": "ONE\nTwo\nthree\nfour\nfive\n",
    "b": 'abc abcd\naab b.c 123\nfoo bar/baz\nA.B [x] \\ *+ 45\n"q" a|b {c} a^b a$b  x\n10.20.30.40 me@host.org\naa aa\n',
    "b2": "abc  abcd\naab b.c   123\nfoo bar/baz\n",
    "c": "x\n\n\ny\ny\n\n",
    "u": "h\u00e9llo\n\u00e9t\u00e9\nabc\n",
    "t": "a\tb\tc\n\tx\ty\n",
    "sp": "        a       b\n    c\n  one   two\n",
    "n": "10\n9\n2\n33\n-4\n2\n1.5\n",
    "h": "1K\n2M\n512\n1G\n3K\n",
    "m": "Mar\nJan\nfoo\nDec\n",
    "v": "v1.10\nv1.9\nv1.2.3\nv1.2\n",
    "p": "root:x:0\nbob:y:1000\nal:x:500\nnone\n",
    "p2": "a:1000,b:2000\nc:3;d\n",
    "dup": "a\na\nb\nB\nb\nc\nc\nc\n",
    "long": "the quick brown fox jumps over the lazy dog and runs away from the very angry bear that lives in the woods\n" * 2,
    "j1": "1 a\n2 b\n3 c\n5 e\n",
    "j2": "1 x\n3 y\n4 z\n5 w\n",
    "u1": "2 b\n1 a\n",
    "s1": "a\nb\nc\n",
    "s2": "b\nc\nd\n",
    "z": "one\0two\0ab\0",
    "f0": "a\0b",
    "bin": b"x\0y\xff\nbinary text\n\x01\x02abc\n",
    "bin8": bytes(range(16)),
    "same": "A" * 64,
    "empty": "",
    "pats": "one\nfour\n",
    "dash": "-x\n--long\nit's\n",
    "s.sed": "s/o/0/\n/two/d\n$a\\\nend\n",
    "prog.awk": '# c\n{ print NR ":" $0 }\n',
    "pairs": "a b\nb c\n",
    "cyc": "a b\nb a\n",
    "dates": "2024-01-02\n3 Feb 2023\n",
    "list": "a\nb\n",
    "crlf": "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\n",
    "d/1.txt": "one two\n",
    "d/2.md": "too\n",
    "d/.hid": "o\n",
    "d/sub/3.txt": "o\n",
    "d/sub/e": "",
    "d2/1.txt": "one 2\n",
    "d2/new": "n\n",
    "ref": "r\n",
}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "HOME": CWD, "TERM": "xterm", "TZ": "UTC"}
REFERENCE_TIME = 1_600_000_000

EXCEPTIONS = {
    "du -a d | cut -f2": "the order of a directory is that of the machine's file system",
    "sort -m a b": "input that is not sorted; ours sorts it",
    "od -j 100 a": "ours ends without a message behind the end of the input",
    "fmt -w 20 long": "lines broken at other places, none longer than asked for",
    "fmt -s -w10 long": "as above",
    "numfmt --field 2 --to=si --delimiter=: < p2": "the real one prints the part of the line before the mistake",
}


def version(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        return ""
    return subprocess.run(
        [path, "--version"], capture_output=True, encoding="utf-8", check=False, stdin=subprocess.DEVNULL
    ).stdout


def missing(table: str) -> str:
    """Why a table cannot be compared on this machine, or empty."""
    wanted = {
        "sed": ["sed", "bash"],
        "grep": ["grep", "bash"],
        "awk": ["gawk", "bash"],
        "text": ["sort", "column", "xxd", "bash"],
        "files": ["find", "tar", "diff", "tree", "bash"],
    }[table]
    without = [program for program in wanted if shutil.which(program) is None]
    if without:
        return f"needs {', '.join(without)}"
    found = version(wanted[0])
    if "GNU" not in found:
        return f"{wanted[0]} is not GNU's"
    return "" if table != "grep" or " 3.8" in found else "another version of grep, with another library for -P, than ours is like"


def scripts(table: str) -> list[str]:
    """The scripts of a table: lines, joined where a quotation goes on."""
    found: list[str] = []
    pending = ""
    for line in (TABLES / f"{table}.sh").read_text(encoding="utf-8").split("\n"):
        pending = f"{pending}\n{line}" if pending else line
        if subprocess_complete(pending):
            if pending.strip():
                found.append(pending)
            pending = ""
    return found


def subprocess_complete(text: str) -> bool:
    """Whether the single quotes of a script are closed."""
    outside = ""
    position = 0
    while position < len(text):
        char = text[position]
        if char == "\\" and not outside:
            position += 2
            continue
        if char == "\\" and outside == '"':
            position += 2
            continue
        if char in "'\"" and outside in {"", char}:
            outside = "" if outside else char
        position += 1
    return not outside


def real(script: str) -> tuple[str, int]:
    shutil.rmtree(CWD, ignore_errors=True)
    for name, content in FILES.items():
        path = Path(CWD, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    os.utime(Path(CWD, "ref"), (REFERENCE_TIME, REFERENCE_TIME))
    command = 'awk() { (exec -a awk gawk "$@"); }\n' if script.startswith("awk") else ""
    done = subprocess.run(
        ["bash", "--norc", "-c", (command + script).encode()],
        cwd=CWD,
        env=ENVIRONMENT,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=600,
        check=False,
    )
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode


def ours(script: str) -> tuple[str, int]:
    bash = Bash(cwd=CWD, env=ENVIRONMENT, files={f"{CWD}/{name}": content for name, content in FILES.items()}, timeout_seconds=60)
    bash.execute_sync(f"touch -d @{REFERENCE_TIME} ref")
    result = bash.execute_sync(script)
    return result.stdout, result.exit_code


@pytest.mark.thorough
@pytest.mark.parametrize("table", ["awk", "files", "grep", "sed", "text"])
def test_agrees_with_the_real_programs(table):
    reason = missing(table)
    if reason:
        pytest.skip(reason)
    different = []
    for script in scripts(table):
        if script in EXCEPTIONS:
            continue
        want, got = real(script), ours(script)
        if want != got:
            different.append(f"$ {script}\n  real {want!r}\n  ours {got!r}")
    shutil.rmtree(CWD, ignore_errors=True)
    assert not different, "\n".join([f"{len(different)} differ", *different])
