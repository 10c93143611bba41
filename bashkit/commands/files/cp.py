"""cp: copy files (POSIX XCU cp; GNU coreutils manual, cp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.canonical import canonical
from bashkit.commands._filesystem.targets import Placement, is_directory, join, placements
from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.quoting import quote
from bashkit.commands.files import _contexts
from bashkit.commands.files._copying import Copier, Policy
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_WHEN = {"reflink": (("auto",), ("always",), ("never",)), "sparse": (("never",), ("auto",), ("always",))}
_ATTRIBUTES = (("mode",), ("timestamps",), ("ownership",), ("links",), ("context",), ("xattr",), ("all",))


@command(
    "cp",
    usage="[OPTION]... SOURCE... DEST or -t DIRECTORY SOURCE...",
    summary="Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.",
    options=(
        *backups.OPTIONS,
        flag("-a", "--archive", help="same as -dR --preserve=all"),
        flag("--attributes-only", help="don't copy the file data, just the attributes"),
        flag("-d", help="same as --no-dereference --preserve=links"),
        flag("-f", "--force", help="if an existing destination file cannot be opened, remove it and try again"),
        flag("-H", help="follow command-line symbolic links in SOURCE"),
        flag("-i", "--interactive", help="prompt before overwrite"),
        flag("-l", "--link", help="hard link files instead of copying"),
        flag("-L", "--dereference", help="always follow symbolic links in SOURCE"),
        flag("-n", "--no-clobber", help="do not overwrite an existing file"),
        flag("-P", "--no-dereference", help="never follow symbolic links in SOURCE"),
        flag("-p", help="same as --preserve=mode,ownership,timestamps"),
        value("--preserve", metavar="ATTR_LIST", optional=True, help="preserve the specified attributes"),
        value("--no-preserve", metavar="ATTR_LIST", help="don't preserve the specified attributes"),
        flag("--parents", help="use full source file name under DIRECTORY"),
        flag("-R", "-r", "--recursive", help="copy directories recursively"),
        value(
            "--reflink",
            metavar="WHEN",
            optional=True,
            help="auto, always or never (a copy has its own data)",
            check=among("--reflink", _WHEN["reflink"]),
        ),
        flag("--remove-destination", help="remove each existing destination file before copying"),
        value(
            "--sparse",
            metavar="WHEN",
            help="(ignored: holes are stored as zeros)",
            check=among("--sparse", _WHEN["sparse"]),
        ),
        flag("--strip-trailing-slashes", help="remove any trailing slashes from each SOURCE argument"),
        flag("-s", "--symbolic-link", help="make symbolic links instead of copying"),
        value("-t", "--target-directory", metavar="DIRECTORY", help="copy all SOURCE arguments into DIRECTORY"),
        flag("-T", "--no-target-directory", help="treat DEST as a normal file"),
        flag("-u", "--update", help="copy only when the SOURCE file is newer than the destination file"),
        flag("-v", "--verbose", help="explain what is being done"),
        flag("-x", "--one-file-system", help="(ignored: mounted directories are part of the tree)"),
        flag("--copy-contents", help="copy contents of special files when recursive"),
        *_contexts.OPTIONS,
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy each source; 1 when one could not be copied."""
    if "l" in arguments and "s" in arguments:
        raise UsageError("cannot make both hard and symbolic links")
    if "reflink" in arguments and _when(arguments, "reflink") == "always" and _when(arguments, "sparse") != "auto":
        raise UsageError("--reflink can be used only with --sparse=auto")
    policy = _policy(arguments)
    _contexts.ignore(process, arguments)
    if "strip-trailing-slashes" in arguments:
        into = arguments.get("t") or next(reversed(arguments.operands), "")
        sources = len(arguments.operands) - ("t" not in arguments) if is_directory(process, into) else 0
        stripped = [name.rstrip("/") or name[:1] for name in arguments.operands[:sources]]
        arguments = Arguments(arguments.given, stripped + arguments.operands[sources:])
    pairs = placements(process, arguments)
    if policy.force and len(pairs) == 1 and (kept := _own_backup(process, arguments, pairs[0])) is not None:
        arguments = Arguments([pair for pair in arguments.given if pair[0] not in backups.KEYS], arguments.operands)
        pairs = [Placement(pairs[0].source, kept)]
    copier = Copier(process, arguments, policy)
    directory = arguments.get("t") or arguments.operands[-1]
    if "parents" in arguments and ("T" in arguments or not is_directory(process, directory)):
        raise UsageError("with --parents, the destination must be a directory")
    named: set[str] = set()
    keeps_all = len(pairs) == 1 or "b" in arguments or "backup" in arguments
    for pair in pairs:
        if not keeps_all and _is_named_again(process, pair.source, named, directories=policy.recursive):
            continue
        if "parents" not in arguments:
            copier.copy(pair.source, pair.target)
        elif copier.parents(directory, pair.source):
            copier.copy(pair.source, join(directory, pair.source.strip("/")))
    return 1 if copier.failed else 0


def _when(arguments: Arguments, key: str) -> str:
    """The argument of ``--reflink``, which may be left out, or of ``--sparse``."""
    word = arguments.get(key) or ("always" if key == "reflink" else "auto")
    return choose(f"--{key}", word, _WHEN[key])


def _own_backup(process: Process, arguments: Arguments, pair: Placement) -> str | None:
    """The name for the backup of a file that is copied onto itself, which is all that is made then."""
    if pair.source != pair.target or "t" in arguments:
        return None
    try:
        stat = process.fs.stat(process.path(pair.target))
    except OSError:
        return None
    return backups.backup_name(process, arguments, pair.target) if stat.type == "file" else None


def _is_named_again(process: Process, name: str, named: set[str], *, directories: bool) -> bool:
    """Whether a source was named before; that is said."""
    path = canonical(process, name.rstrip("/") or "/", missing="all", links=False)
    if path not in named:
        named.add(path)
        return False
    try:
        kind = "directory" if process.fs.stat(process.path(name)).type == "directory" else "file"
    except OSError:
        return False
    if kind == "directory" and not directories:
        return False
    process.warn(f"warning: source {kind} {quote(name)} specified more than once")
    return True


def _policy(arguments: Arguments) -> Policy:
    preserved, dropped = _preserved(arguments)
    recursive = "R" in arguments or "a" in arguments
    link = arguments.last("L", "P", "H", "d", "a")
    usual = "none" if recursive and "l" not in arguments else "all"
    follow = {"L": "all", "P": "none", "H": "operands", "d": "none", "a": "none"}.get(link or "", usual)
    backups.refuse_with_no_clobber(arguments, arguments.last("n", "i") == "n")
    existing = {"n": "keep", "i": "ask"}.get(arguments.last("n", "i") or "", "replace")
    return Policy(
        recursive=recursive,
        follow=follow,
        mode="mode" in preserved,
        plain_mode="mode" in dropped,
        times="timestamps" in preserved,
        owner="ownership" in preserved,
        hard_links="links" in preserved,
        existing=existing,
        newer_only="u" in arguments,
        force="f" in arguments,
        remove_first="remove-destination" in arguments,
        how="link" if "l" in arguments else "symlink" if "s" in arguments else "copy",
        contents="attributes-only" not in arguments,
        special="copy-contents" not in arguments and recursive,
        verbose="v" in arguments,
    )


def _preserved(arguments: Arguments) -> tuple[set[str], set[str]]:
    """The attributes to preserve, and those that the options say not to preserve."""
    usual = {"mode", "ownership", "timestamps"}
    preserved: set[str] = set()
    dropped: set[str] = set()
    for key, argument in arguments.given:
        if key == "p" or (key == "preserve" and argument is None):
            preserved |= usual
        elif key == "a":
            preserved |= {*usual, "links"}
        elif key == "d":
            preserved.add("links")
        elif key in {"preserve", "no-preserve"}:
            words = {choose(f"--{key}", word, _ATTRIBUTES) for word in (argument or "").split(",")}
            if "context" in words and key == "preserve":
                raise UsageError("cannot preserve security context without an SELinux-enabled kernel", hint=False)
            if "all" in words:
                words |= {*usual, "links"}
            preserved = preserved | words if key == "preserve" else preserved - words
            dropped |= words if key == "no-preserve" else set()
    return preserved, dropped - preserved
