"""Selects the files that rg searches: globs, types, hidden files and ignore files (ripgrep guide, Automatic filtering;
gitignore(5)).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.ignorerules import IgnoreRule, read_rules
from bashkit.commands.patterns.rg.expressions import PatternError
from bashkit.interp.utility.command import UsageError
from bashkit.limits import ask
from bashkit.regex.glob import compile_glob
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.regex.glob import GlobMatcher

TYPES = {
    "c": "*.c *.h *.H *.cats", "cpp": "*.C *.H *.cc *.cpp *.cxx *.c++ *.h *.hh *.hpp *.hxx *.inl", "css": "*.css *.scss",
    "csv": "*.csv", "docker": "*Dockerfile*", "go": "*.go", "html": "*.ejs *.htm *.html",
    "java": "*.java *.jsp *.jspx *.properties", "js": "*.cjs *.js *.jsx *.mjs *.vue", "json": "*.json *.sarif composer.lock",
    "jsonl": "*.jsonl", "kotlin": "*.kt *.kts", "log": "*.log", "lua": "*.lua",
    "make": "[Gg][Nn][Uu]makefile [Mm]akefile *.mk *.mak", "markdown": "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn",
    "md": "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn", "perl": "*.PL *.perl *.pl *.plh *.plx *.pm *.t",
    "php": "*.php *.phtml", "py": "*.py *.pyi", "python": "*.py *.pyi", "rb": "*.gemspec *.rb Gemfile Rakefile",
    "ruby": "*.gemspec *.rb Gemfile Rakefile", "rust": "*.rs",
    "sh": "*.bash *.bashrc *.csh *.ksh *.sh *.tcsh *.zsh .bashrc .profile .zshrc", "sql": "*.psql *.sql", "swift": "*.swift",
    "tex": "*.bib *.cls *.ltx *.sty *.tex", "toml": "*.toml Cargo.lock", "ts": "*.cts *.mts *.ts *.tsx", "txt": "*.txt",
    "xml": "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xsd *.xsl *.xslt", "yaml": "*.yaml *.yml", "zig": "*.zig",
}  # fmt: skip
_DEEPEST = 200
_MOST_ALTERNATIVES = 1000
_LONGEST = 4096  # characters of a glob
_BRACES = re.compile(r"\{([^{}]*+)\}")
_IGNORE_FILES = (".gitignore", ".ignore", ".rgignore")


def known_types(arguments: Arguments) -> dict[str, str]:
    """The types with their globs, after ``--type-add`` and ``--type-clear``.

    Raises:
        UsageError: A definition is malformed.
    """
    known = dict(TYPES)
    for key, text in arguments.given:
        if key == "type-clear" and text:
            known.pop(text, None)
        elif key == "type-add":
            name, colon, glob = (text or "").partition(":")
            if not colon or not name or not glob:
                raise PatternError("invalid definition (format is type:glob, e.g., html:*.html)\n")
            if glob.startswith("include:"):
                glob = " ".join(known.get(other, "") for other in glob.removeprefix("include:").split(","))
            known[name] = f"{known.get(name, '')} {glob}".strip()
    return known


def alternatives(glob: str) -> list[str]:
    """Expand ``{a,b}`` in a glob to several globs, at most ``_MOST_ALTERNATIVES``.

    Raises:
        UsageError: The glob is too long.
    """
    if len(glob) > _LONGEST:
        raise UsageError("error parsing glob: it is too long", hint=False)
    found: list[str] = []
    pending = [glob]
    while pending and len(found) < _MOST_ALTERNATIVES:
        text = pending.pop()
        ask(1 + (len(text) >> 6))
        braces = _BRACES.search(text)
        if braces is None:
            found.append(text)
            continue
        before, after = text[: braces.start()], text[braces.end() :]
        pending += [before + part + after for part in reversed(braces[1].split(",")[:_MOST_ALTERNATIVES])]
    return found


class Selection:
    """Walks directories as the options say."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        unrestricted = sum(key == "u" for key, _ in arguments.given)
        self.binary = unrestricted > 2
        self._hidden = arguments.last("hidden", "no-hidden") == "hidden" or unrestricted > 1
        self._use_ignore = "no-ignore" not in arguments and not unrestricted
        self._use_git = self._use_ignore and "no-ignore-vcs" not in arguments
        self._use_dot = self._use_ignore and "no-ignore-dot" not in arguments
        self._needs_repository = "no-require-git" not in arguments
        self._follow = "L" in arguments
        depth = arguments.get("max-depth")
        if depth is not None and not is_digits(depth):
            raise PatternError("error: Invalid value for '--max-depth <NUM>': invalid digit found in string\n\n")
        self._depth = min(_DEEPEST, int(depth[:6])) if depth is not None else _DEEPEST
        self._globs: list[IgnoreRule] = []
        for key, text in arguments.given:
            if key in {"g", "iglob"} and text:
                ignore_case = key == "iglob" or "glob-case-insensitive" in arguments
                for glob in alternatives(text):
                    rule = IgnoreRule.read(glob, ignore_case=ignore_case)
                    self._globs += [rule] if rule else []
                    ask(len(glob) >> 2)
        self._only = self._types(arguments, "t")
        self._without = self._types(arguments, "T")
        self._given: list[IgnoreRule] | None = None  # the rules of --ignore-file, when they are read
        self._largest = _size(arguments.get("max-filesize"))

    @staticmethod
    def _types(arguments: Arguments, key: str) -> list[GlobMatcher]:
        found: list[GlobMatcher] = []
        known = known_types(arguments)
        for name in arguments.all(key):
            if name not in known and name != "all":
                raise PatternError(f"unrecognized file type: {name}\n")
            for chosen in known if name == "all" else [name]:
                found += [compile_glob(glob, extglob=False) for glob in known[chosen].split()]
        return found

    def files(self, top: str) -> Iterator[str]:
        """The files below a directory, sorted; ``""`` for the working directory."""
        root = self._process.path(top or ".")
        rules = self._rules_above(root)
        yield from self._walk(top, [], rules, 1, in_repository=self._in_repository)

    def _rules_above(self, root: str) -> list[tuple[int, list[IgnoreRule]]]:
        """The rules of ignore files in parent directories, each with the number of path components between."""
        parts = [part for part in self._process.fs.realpath(root).split("/") if part]
        self._above = parts
        cwd = [part for part in self._process.cwd.split("/") if part]
        self._below_cwd = parts[len(cwd) :] if parts[: len(cwd)] == cwd else []
        self._in_repository = not self._needs_repository or any(
            self._process.fs.exists("/" + "/".join([*parts[:count], ".git"])) for count in range(len(parts) + 1)
        )
        rules = []
        if self._given is None:
            self._given = self._given_rules()
        if self._given:
            rules.append((len(cwd) - len(parts), self._given))
        if "no-ignore-parent" in self._arguments:
            return rules
        for count in range(len(parts)):
            found = self._read_rules("/" + "/".join(parts[:count]), in_repository=self._in_repository)
            if found:
                rules.append((count - len(parts), found))
        return rules

    def _given_rules(self) -> list[IgnoreRule]:
        """The rules of ``--ignore-file``."""
        rules: list[IgnoreRule] = []
        for name in self._arguments.all("ignore-file") if self._use_ignore and "no-ignore-files" not in self._arguments else []:
            try:
                rules += read_rules(self._process, self._process.open(name))
            except OSError as error:
                self._process.say(f"{name}: {error.strerror} (os error {error.errno})\n")
        return rules

    def _read_rules(self, directory: str, *, in_repository: bool) -> list[IgnoreRule]:
        if not self._use_ignore:
            return []
        rules: list[IgnoreRule] = []
        for name in _IGNORE_FILES:
            if name == ".gitignore" and not (self._use_git and in_repository):
                continue
            if name == ".ignore" and not self._use_dot:
                continue
            path = f"{directory.rstrip('/')}/{name}"
            try:
                rules += read_rules(self._process, self._process.fs.open(path, read=True))
            except OSError:
                continue
        return rules

    def _walk(
        self, top: str, inside: list[str], rules: list[tuple[int, list[IgnoreRule]]], depth: int, *, in_repository: bool
    ) -> Iterator[str]:
        process = self._process
        process.budget.tick(20)
        if depth > self._depth:
            return
        here = "/".join([top.rstrip("/") if top != "/" else "", *inside]) if top else "/".join(inside)
        prefix = f"{here}/" if here else ("/" if top == "/" else "")
        path = process.path(here or ("/" if top == "/" else "."))
        try:
            names = sorted(process.fs.listdir(path))
        except OSError as error:
            process.say(f"{here}: {error.strerror} (os error {error.errno})\n")
            return
        in_repository = in_repository or ".git" in names
        own = self._read_rules(path, in_repository=in_repository)
        rules = [*rules, (len(inside), own)] if own else rules
        for name in names:
            try:
                kind = process.fs.stat(process.path(prefix + name), follow=self._follow).type
            except OSError:
                continue
            trail = [*inside, name]
            if not self._takes(trail, rules, is_directory=kind == "directory"):
                continue
            if kind == "directory":
                yield from self._walk(top, trail, rules, depth + 1, in_repository=in_repository)
            elif kind == "file" and self._fits(prefix + name):
                yield prefix + name

    def _fits(self, name: str) -> bool:
        return self._largest is None or self._process.fs.stat(self._process.path(name)).size <= self._largest

    def _takes(self, trail: list[str], rules: list[tuple[int, list[IgnoreRule]]], *, is_directory: bool) -> bool:
        name = trail[-1]
        for rule in reversed(self._globs):
            if rule.matches([*self._below_cwd, *trail], is_directory=is_directory):
                return not rule.keeps  # a pattern that excludes in an ignore file includes here
        if self._globs and not is_directory and any(not rule.keeps for rule in self._globs):
            return False
        kept = self._kept(trail, rules, is_directory=is_directory)
        if kept is False:
            return False
        if not is_directory:
            if any(matcher.matches(name) for matcher in self._without):
                return False
            if self._only:
                return any(matcher.matches(name) for matcher in self._only)
        return bool(kept) or self._hidden or not name.startswith(".")

    def _kept(self, trail: list[str], rules: list[tuple[int, list[IgnoreRule]]], *, is_directory: bool) -> bool | None:
        """What ignore files say: whether a file is kept; None where they say nothing."""
        for base, found in reversed(rules):
            path = trail[base:] if base >= 0 else [*self._above[base:], *trail]
            for rule in reversed(found):
                if rule.matches(path, is_directory=is_directory):
                    return rule.keeps
        return None


def _size(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.rstrip("KMGkmg")
    if not is_digits(digits):
        raise UsageError(f"error: Invalid value for '--max-filesize <NUM+SUFFIX?>': {text}", hint=False)
    return int(digits[:15]) << {"": 0, "k": 10, "m": 20, "g": 30}[text[len(digits) :].lower()]
