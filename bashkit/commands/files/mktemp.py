"""mktemp: create a temporary file or directory and print its name (GNU coreutils manual, mktemp)."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_ALPHABET = string.ascii_letters + string.digits
_ATTEMPTS = 100


@command(
    "mktemp",
    usage="[OPTION]... [TEMPLATE]",
    summary="Create a temporary file or directory, safely, and print its name.",
    options=(
        flag("-d", "--directory", help="create a directory, not a file"),
        flag("-u", "--dry-run", help="do not create anything; merely print a name"),
        flag("-q", "--quiet", help="suppress diagnostics about file creation failure"),
        value("--suffix", metavar="SUFF", help="append SUFF to TEMPLATE"),
        value("-p", metavar="DIR", help="interpret TEMPLATE relative to DIR"),
        value("--tmpdir", metavar="DIR", optional=True, help="likewise; without DIR, use $TMPDIR or /tmp"),
        flag("-t", help="interpret TEMPLATE relative to $TMPDIR or /tmp"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the name; 1 when nothing could be made."""
    if len(arguments.operands) > 1:
        raise UsageError("too many templates")
    template = arguments.operands[0] if arguments.operands else "tmp.XXXXXXXXXX"
    head, marks, suffix = _taken_apart(template, arguments.get("suffix"))
    directory = _directory(process, arguments, template)
    kind = "directory" if "d" in arguments else "file"
    problem = "File exists"
    for _ in range(_ATTEMPTS):
        process.budget.tick(10)
        name = head + "".join(process.system.random.choice(_ALPHABET) for _ in paced(range(marks))) + suffix
        if directory is not None:
            name = join(directory, name)
        try:
            _make(process, name, arguments)
        except FileExistsError:
            continue
        except OSError as error:
            problem = error.strerror or ""
            break
        process.write(name + "\n")
        return 0
    if "q" not in arguments:
        shown = template + (arguments.get("suffix") or "")
        process.warn(f"failed to create {kind} via template {mention(join(directory, shown) if directory else shown)}: {problem}")
    return 1


def _taken_apart(template: str, suffix: str | None) -> tuple[str, int, str]:
    """Split a template into the text before the X's, their number, and the text after them."""
    if suffix is not None:
        if not template.endswith("X"):
            raise UsageError(f"with --suffix, template {mention(template)} must end in X", hint=False)
        if "/" in suffix:
            raise UsageError(f"invalid suffix {mention(suffix)}, contains directory separator", hint=False)
        body, tail = template, suffix
    else:
        end = template.rfind("X") + 1
        body, tail = template[:end], template[end:]
        if body and "/" in tail:
            raise UsageError(f"invalid suffix {mention(tail)}, contains directory separator", hint=False)
    head = body.rstrip("X")
    if len(body) - len(head) < 3:
        raise UsageError(f"too few X's in template {mention(body + tail)}", hint=False)
    return head, len(body) - len(head), tail


def _directory(process: Process, arguments: Arguments, template: str) -> str | None:
    named = arguments.last("p", "tmpdir")
    wanted = arguments.get(named) if named else None
    if "t" in arguments:
        if "/" in template:
            whole = template + (arguments.get("suffix") or "")
            raise UsageError(f"invalid template, {mention(whole)}, contains directory separator", hint=False)
        return process.env.get("TMPDIR") or wanted or "/tmp"  # noqa: S108 - of the virtual file system
    if named or not arguments.operands:
        if named and template.startswith("/"):
            raise UsageError(f"invalid template, {mention(template)}; with --tmpdir, it may not be absolute", hint=False)
        return wanted or process.env.get("TMPDIR") or "/tmp"  # noqa: S108 - of the virtual file system
    return None


def _make(process: Process, name: str, arguments: Arguments) -> None:
    path = process.path(name)
    if "u" in arguments:
        if process.fs.exists(path):
            raise FileExistsError
    elif "d" in arguments:
        process.fs.mkdir(path, 0o700)
    else:
        process.fs.open(path, write=True, create=True, exclusive=True, mode=0o600).close()
