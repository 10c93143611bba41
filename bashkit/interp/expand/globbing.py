"""Pathname expansion (bash(1), Pathname Expansion)."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

from bashkit.interp.runtime.control import LineError
from bashkit.interp.runtime.pieces import finditer, has_any
from bashkit.interp.runtime.sorting import ordered
from bashkit.interp.state.locales import counts_bytes, in_locale
from bashkit.limits import MANY, Words, paced
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.state.shell import Shell
    from bashkit.limits import Budget

_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MAGIC = re.compile(r"(?<!\\)(?:[*?]|[+@!]\()")  # where two backslashes are none
_BRACKET = re.compile(r"(?<!\\)\[")
_DIVIDING = re.compile(r"\\.|[?*+@!]\(|[)/]", re.DOTALL)
_BEGINS_WITH_DOT = re.compile(r"(?:[?*+@]\((?:[^()]*\|)?)*\\?\.")  # itself, or an alternative of its group; "!(" never does
_LOOKUP = 8  # microseconds to look for a file
_LONGEST = 4096  # characters of a path


def expand_pathname(shell: Shell, pattern: str, text: str) -> list[str]:
    """The names that match, sorted; ``text`` when there is none, or what nullglob and failglob say.

    Args:
        shell: Its options and working directory count.
        pattern: The word, quoted characters escaped by backslashes.
        text: The word after quote removal.
    """
    found = names_that_match(shell, pattern)
    if found is None:
        return [text]
    ignore = shell.get("GLOBIGNORE")
    if ignore:
        found = _drop_ignored(shell, found, ignore)
    if found:
        return found
    if shell.options.shopt["failglob"]:
        raise LineError(f"no match: {text}")
    return [] if shell.options.shopt["nullglob"] else [text]


def names_that_match(shell: Shell, pattern: str) -> list[str] | None:
    """The names that match, sorted, and nothing left out; None where nothing in the pattern is special."""
    budget = shell.budget
    components = [] if pattern.count("/") > _LONGEST else _split_slashes(pattern, budget)
    if not any(_has_magic(component, budget) for component in components):
        return None
    matches = _matches(shell, components)
    found = list(islice(matches, MANY))
    if len(found) < MANY:
        budget.words(len(found))
        return sorted(set(found))
    return [name for name, _ in groupby(paced(ordered(Words(budget, chain(found, matches)), budget)))]


def _drop_ignored(shell: Shell, found: list[str], ignore: str) -> list[str]:
    options = shell.options.shopt
    compiled = partial(compile_glob, extglob=options["extglob"], ignore_case=options["nocaseglob"])
    ignored = [[*map(compiled, pattern.split("/"))] for pattern in split_colons(ignore)]
    endings = [pattern.endswith("*") and not pattern.endswith("\\*") for pattern in split_colons(ignore)]

    def dropped(name: str) -> bool:
        parts = name.split("/")
        if parts[-1] in {".", ".."}:
            return True
        for pattern, is_open in zip(ignored, endings, strict=True):
            count = len(pattern)
            if len(parts) > count and is_open:  # a last asterisk stands for slashes, too
                words = [*parts[: count - 1], "/".join(parts[count - 1 :])]
            else:
                words = parts
            if len(words) == count and all(matcher.matches(word) for matcher, word in zip(pattern, words, strict=True)):
                return True
        return False

    return [name for name in found if not dropped(name)]


def split_colons(text: str) -> list[str]:
    """The patterns of GLOBIGNORE: colons inside brackets do not separate."""
    return re.findall(r"(?:\[[^\]]*\]|\\.|[^:\\])+", text)


def _matches(shell: Shell, components: list[str]) -> Iterator[str]:
    if components[0] == "":
        yield from _walk(shell, "/", "/", components[1:])
    else:
        yield from _walk(shell, shell.cwd, "", components)


def _split_slashes(pattern: str, budget: Budget) -> list[str]:
    """Components of a pattern; a slash inside an extended pattern or bracket does not separate."""
    if "/" not in pattern:
        return [pattern]
    components: list[str] = []
    depth = begin = 0
    for match in finditer(_DIVIDING, pattern):
        mark = match.group()
        budget.tick()
        if mark[-1] == "(":
            depth += 1
        elif mark == ")":
            depth = max(0, depth - 1)
        elif mark == "/" and not depth:
            components.append(pattern[begin : match.start()])
            begin = match.end()
    components.append(pattern[begin:])
    return components


def _has_magic(text: str, budget: Budget) -> bool:
    """Whether one component of a pattern is more than a name."""
    if "\\" in text:
        text = text.replace("\\\\", "\0\0")
    if has_any(_MAGIC, text, budget):
        return True
    bracket = _BRACKET.search(text)
    return bracket is not None and bracket.start() < text.rfind("]")


def _walk(shell: Shell, directory: str, prefix: str, components: list[str], *, literal: bool = True) -> Iterator[str]:
    """Names that match the rest of a pattern.

    Args:
        shell: The shell.
        directory: Where to look.
        prefix: What the user wrote, or matched, for ``directory``.
        components: The rest of the pattern.
        literal: Nothing before ``components`` was a pattern.
    """
    component, *rest = components
    shell.budget.tick()
    if not component and rest:  # a doubled slash
        yield from _walk(shell, directory, prefix + "/" * (literal and any(rest)), rest, literal=literal)
        return
    if not component:  # a trailing slash: directories only
        yield prefix
        return
    if component == "**" and shell.options.shopt["globstar"]:
        while rest[:1] == ["**"]:
            rest, literal = rest[1:], False
        yield from _walk_deep(shell, directory, prefix, rest, literal=literal)
        return
    names = _names(shell, directory, component)
    if _has_magic(component, shell.budget):
        literal = False
        ignore = shell.get("GLOBIGNORE") if rest else None
        if ignore:  # it counts for the directories on the way too
            kept = set(_drop_ignored(shell, [prefix + name for name in names], ignore))
            names = [name for name in names if prefix + name in kept]
    for name in names:
        path = f"{directory.rstrip('/')}/{name}"
        if not rest:
            yield prefix + name
        elif _is_directory(shell, path):
            yield from _walk(shell, path, f"{prefix}{name}/", rest, literal=literal)


def _walk_deep(shell: Shell, directory: str, prefix: str, rest: list[str], *, literal: bool) -> Iterator[str]:
    """``**``: this directory and every one below it; links to directories are shown but not followed."""
    while len(rest) > 1 and not rest[0]:  # slashes behind a pattern count as one
        rest = rest[1:]
    pending = [(directory, prefix)]
    while pending:
        here, shown = pending.pop()
        shell.budget.tick()
        if rest and (shown or rest != [""]):
            yield from _walk(shell, here, shown, rest, literal=False)
        elif shown and not rest:
            yield shown if here == directory and literal else shown.rstrip("/")
        for name in _names(shell, here, "*"):
            path = f"{here.rstrip('/')}/{name}"
            if _is_directory(shell, path, follow=False):
                pending.append((path, f"{shown}{name}/"))
            elif not rest:
                yield shown + name
            elif rest == [""] and _is_directory(shell, path):
                yield f"{shown}{name}/"


def _is_directory(shell: Shell, path: str, *, follow: bool = True) -> bool:
    shell.budget.tick(_LOOKUP)
    try:
        return shell.machine.fs.lookup(path, follow=follow).type == "directory"
    except OSError:
        return False


def _names(shell: Shell, directory: str, component: str) -> list[str]:
    """The entries of a directory that match one component."""
    fs = shell.machine.fs
    if not _has_magic(component, shell.budget):
        name = _UNESCAPE.sub(r"\1", component)
        try:
            fs.lookup(f"{directory.rstrip('/')}/{name}", follow=False)
        except OSError:
            return []
        return [name]
    try:
        names = fs.listdir(directory)
    except OSError:
        return []
    hidden = shell.options.shopt["dotglob"] or bool(shell.get("GLOBIGNORE"))
    explicit = _BEGINS_WITH_DOT.match(component) is not None
    if explicit and not shell.options.shopt["globskipdots"]:
        names = [".", "..", *names]
    shell.budget.tick(len(names))
    options = shell.options.shopt
    extglob, ignore_case = options["extglob"], options["nocaseglob"]
    bytewise = counts_bytes(shell)
    if bytewise:
        component = in_locale(shell, component)
    matcher = compile_glob(component, extglob=extglob, ignore_case=ignore_case)
    names = [name for name in names if hidden or explicit or not name.startswith(".")]
    if bytewise:
        return [name for name in names if matcher.matches(in_locale(shell, name))]
    return [name for name in names if matcher.matches(name)]
