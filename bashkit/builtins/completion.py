"""Programmable completion: compgen, complete, compopt (bash(1), Programmable Completion)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.registry import DECLARED, builtin, refuse_option
from bashkit.errors import ScriptSyntaxError
from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.expand.globbing import names_that_match
from bashkit.interp.expand.lists import is_set
from bashkit.interp.expand.words import compile_scalar
from bashkit.interp.run.functions import call_function
from bashkit.interp.run.lookup import executable_names
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import capture
from bashkit.interp.run.traps import SIGNALS
from bashkit.interp.state.quoting import plain_quote
from bashkit.interp.state.variables import EXPORT, AssociativeArray, IndexedArray, Variable, bucket
from bashkit.limits import Words, paced_if_many, turn
from bashkit.regex.glob import compile_glob
from bashkit.syntax import Parser
from bashkit.syntax.nodes import Literal, Word
from bashkit.syntax.source import UnterminatedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell

_LETTERS = {
    "a": "alias", "b": "builtin", "c": "command", "d": "directory", "e": "export", "f": "file", "g": "group", "j": "job",
    "k": "keyword", "s": "service", "u": "user", "v": "variable",
}  # fmt: skip
_PLACEHOLDERS = {"-D": "_DefaultCmD_", "-E": "_EmptycmD_", "-I": "_InitialWorD_"}  # what bash has in their place
_BUCKETS = 512
_SPECIAL = re.compile(r"""[\s'"\\$`|&;()<>*?\[\]!{}^]|^#|(?:^|[=:])~""")
_NO_FUNCTION = re.compile(r"[\s|&;()<>]")
_BLANKS = frozenset(" \t\n")
_WORD = 8  # microseconds to read and expand a word
_PIECES = re.compile(r"""\\.|'[^']*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|\$\([^()]*\)|\$\{[^{}]*\}|`[^`]*`|.""", re.DOTALL)
_KEYWORDS = "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split()
_OPTIONS = frozenset("bashdefault default dirnames filenames noquote nosort nospace plusdirs".split())
_GIVEN_OPTIONS = re.compile(r"(?:-o \w+ )*")  # at the beginning of a specification as it is kept
_AMPERSAND = re.compile(r"\\.|&", re.DOTALL)
_PATTERNS = "[-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix]"
_USAGE = f"[-abcdefgjksuv] {_PATTERNS}"
_MAGIC = "\\*?[]"
_PARSED = "abcdefgjksuvo:A:G:W:F:C:X:P:S:"


def _files(shell: Shell, word: str) -> list[str]:
    """The names that begin with the word, hidden ones too, ``.`` and ``..`` only where the word says the dot."""
    directory, slash, start = word.rpartition("/")
    place = directory + slash
    if word.startswith("~"):
        if not slash:
            return []
        place = compile_scalar(Word((Literal(place),)))(shell)
    try:
        names = shell.machine.fs.listdir(shell.absolute(place) if place else shell.cwd)
    except OSError:
        return []
    if start.startswith("."):
        names = [".", "..", *names]
    return [directory + slash + name for name in sorted(names) if name.startswith(start)]


def _escaped(text: str) -> str:
    for character in _MAGIC:
        text = text.replace(character, "\\" + character)
    return text


def _directories(shell: Shell, word: str) -> list[str]:
    home = compile_scalar(Word((Literal(word.partition("/")[0]),)))(shell) if word.startswith("~") else ""
    found = []
    for name in _files(shell, word):
        path = home + "/" + name.partition("/")[2] if home else name
        try:
            status = shell.machine.fs.stat(shell.absolute(path))
        except OSError:  # a link that leads nowhere
            continue
        if status.type == "directory":
            found.append(name)
    return found


def _variables(shell: Shell) -> list[str]:
    return sorted(name for name, value in shell.variables.items() if is_set(shell, value))


def _exported(shell: Shell) -> list[str]:
    return sorted(
        name
        for name, value in shell.variables.items()
        if isinstance(value, Variable) and value.flags & EXPORT and is_set(shell, value)
    )


def _arrays(shell: Shell) -> list[str]:
    return sorted(name for name in shell.variables if isinstance(shell.array(name), (IndexedArray, AssociativeArray)))


def _commands(shell: Shell) -> list[str]:
    return [*sorted(shell.aliases), *_KEYWORDS, *sorted(shell.functions), *sorted(shell.builtins), *executable_names(shell)]


_LISTS: dict[str, Callable[[Shell], list[str]]] = {
    "alias": lambda shell: sorted(shell.aliases),
    "arrayvar": _arrays,
    "binding": lambda _: [],
    "builtin": lambda shell: sorted(shell.machine.builtins),
    "command": _commands,
    "disabled": lambda shell: sorted(set(shell.machine.builtins) - set(shell.builtins)),
    "enabled": lambda shell: sorted(shell.builtins),
    "export": _exported,
    "function": lambda shell: sorted(shell.functions),
    "group": lambda shell: [shell.machine.system.username],
    "helptopic": lambda _: sorted(DECLARED),
    "hostname": lambda shell: [shell.machine.system.hostname],
    "job": lambda shell: [job.command.split()[0] for job in shell.jobs.values()],
    "keyword": lambda _: list(_KEYWORDS),
    "running": lambda shell: [job.command.split()[0] for job in shell.jobs.values() if not job.task.done],
    "service": lambda _: [],
    "setopt": lambda shell: sorted(shell.options.set),
    "shopt": lambda shell: sorted(shell.options.shopt),
    "signal": lambda _: [name if name == "EXIT" else f"SIG{name}" for name in SIGNALS] + ["DEBUG", "ERR", "RETURN"],
    "stopped": lambda _: [],
    "user": lambda shell: sorted({"root", shell.machine.system.username}),
    "variable": _variables,
}
_PATHS: dict[str, Callable[[Shell, str], list[str]]] = {"directory": _directories, "file": _files}  # that a word leads to


def _check(shell: Shell, name: str, options: list[tuple[str, str]]) -> bool:
    """Whether the arguments of the options are known; reported when not."""
    for letter, argument in options:
        if letter == "A" and argument not in {*_LISTS, *_PATHS}:
            shell.complain(name, f"{argument}: invalid action name")
            return False
        if letter == "o" and argument not in _OPTIONS:
            shell.complain(name, f"{argument}: invalid option name")
            return False
        if letter == "F" and _NO_FUNCTION.search(argument):
            shell.complain(name, f"`{argument}': not a valid identifier")
            return False
    return True


@builtin("compgen", usage=_USAGE + " [word]", summary="Display possible completions depending on the options.", options=_PARSED)
def compgen(shell: Shell, options: Options, words: list[str]) -> int:
    """Print the completions of a word."""
    if not _check(shell, "compgen", options):
        return 2
    if not options:
        return 0
    word = words[0] if words else ""
    found = _generate(shell, options, word)
    given = dict(options)
    if "X" in given:
        extglob = shell.options.shopt["extglob"]
        wanted = given["X"].startswith("!") and not (extglob and given["X"].startswith("!("))
        escaped = _escaped(word)
        pattern = _AMPERSAND.sub(lambda match: escaped if match[0] == "&" else match[0], given["X"][wanted:])
        matcher = compile_glob(pattern, extglob=extglob, ignore_case=shell.options.shopt["nocasematch"])
        found = [item for item in paced_if_many(found) if matcher.matches(item) is wanted]
    prefix, suffix = given.get("P", ""), given.get("S", "")
    shell.budget.room(2 * (len(prefix) + len(suffix)) * len(found))
    found = [f"{prefix}{item}{suffix}" for item in paced_if_many(found)]
    found += _filled_up(shell, {argument for letter, argument in options if letter == "o"}, word, bool(found))
    shell.budget.words(len(found))
    shell.budget.room(sum(map(len, found)))
    shell.write("".join(f"{item}\n" for item in found))
    return 0 if found else 1


def _filled_up(shell: Shell, wanted: set[str], word: str, found: bool) -> list[str]:
    """What the options of ``-o`` add to the completions that were found: neither filtered nor given a prefix."""
    added: list[str] = []
    if "plusdirs" in wanted or ("dirnames" in wanted and not found):
        added = _directories(shell, word)
    if not found and not added and "default" in wanted:
        added = _files(shell, word)
    return added


def _generate(shell: Shell, options: list[tuple[str, str]], word: str) -> list[str]:
    """The completions, in the order in which bash makes them: actions by name, then ``-G``, ``-W``, ``-F`` and ``-C``."""
    given = dict(options)
    actions = {
        argument if letter == "A" else _LETTERS[letter] for letter, argument in options if letter == "A" or letter in _LETTERS
    }
    found: list[str] = []
    for action in sorted(actions):
        items = _PATHS[action](shell, word) if action in _PATHS else _LISTS[action](shell)
        found += [item for item in paced_if_many(items) if item.startswith(word)]
    if "G" in given:
        found += _globbed(shell, given["G"])
    if "W" in given:
        found += [item for item in _listed(shell, given["W"]) if item.startswith(word)]
    if "F" in given:
        found += _called(shell, given["F"], word)
    if "C" in given:
        shell.complain("compgen", "warning: -C option may not work as you expect")
        text = f"{given['C']} compgen {plain_quote(word)} ''"
        found += capture(shell, lambda twin: run_text(twin, text)).splitlines()
    return found


def _globbed(shell: Shell, pattern: str) -> list[str]:
    """What ``-G`` generates; a pattern without anything special is a name, if there is such a file."""
    found = names_that_match(shell, pattern)
    if found is not None:
        return found
    name = re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL)
    return [name] if shell.machine.fs.exists(shell.absolute(name)) else []


def _listed(shell: Shell, text: str) -> list[str]:
    """The words of ``-W``: split by IFS where nothing is quoted, then expanded, but not to the names of files.

    A quote that is not closed ends with the list.
    """
    reader = _reader(shell, _blank_separated(text, shell.separators()))
    found = Words(shell.budget, ())
    noglob, shell.options.noglob = shell.options.noglob, True
    try:
        while reader.position < len(reader.text):
            shell.budget.tick(_WORD)
            begin = reader.position
            try:
                word = reader.read_word(stop=_BLANKS)
            except UnterminatedError as error:
                quote = error.message[-2]
                if quote not in "'\"":
                    raise
                reader = _reader(shell, reader.text[begin:] + quote)
                continue
            if word is None:
                reader.position += 1
            else:
                made = compile_words((word,))(shell)
                found += made
                found.charge(sum(map(len, made)))
    except ScriptSyntaxError as error:
        shell.complain("compgen", error.message)
    finally:
        shell.options.noglob = noglob
    return found


def _reader(shell: Shell, text: str) -> Parser:
    reader = Parser(text, shell.line)
    reader.on_progress = shell.budget.tick
    return reader


def _blank_separated(text: str, separators: str) -> str:
    """The text with a blank for each unquoted separator, and a backslash before each blank that is none."""

    def replace(match: re.Match[str]) -> str:
        turn()
        found = match[0]
        if found in separators:
            return " "
        return "\\" + found if found in _BLANKS else found

    return _PIECES.sub(replace, text)


def _called(shell: Shell, name: str, word: str) -> list[str]:
    """What a completion function leaves in COMPREPLY."""
    shell.complain("compgen", "warning: -F option may not work as you expect")
    function = shell.functions.get(name)
    if function is None:
        shell.complain("completion", f"function `{name}' not found")
        return []
    shell.set_array("COMPREPLY", [])
    call_function(shell, function, [name, "compgen", word, ""])
    array = shell.array("COMPREPLY")
    found = array.values() if array is not None else []
    shell.unset("COMPREPLY")
    return found


@builtin(
    "complete",
    usage=f"[-abcdefgjksuv] [-pr] [-DEI] {_PATTERNS} [name ...]",
    summary="Specify how arguments are to be completed by Readline.",
    options=_PARSED + "prDEI",
)
def complete(shell: Shell, options: Options, names: list[str]) -> int:
    """Keep and show completion specifications; nothing uses them, for there is no line editing."""
    given = dict(options)
    if not _check(shell, "complete", options):
        return 2
    names = _meant(given, names)
    specifications = shell.completions
    if "p" in given or not (options or names):
        status = 0
        for name in names or _in_order(specifications):
            if name in specifications:
                shown = name if name in _PLACEHOLDERS else _shown(name)
                shell.write(f"complete {specifications[name]}{shown}\n")
            else:
                shell.complain("complete", f"{_PLACEHOLDERS.get(name, name)}: no completion specification")
                status = 1
        return status
    if "r" in given:
        return _remove(shell, names)
    if not names:
        refuse_option(shell, "complete", None)
    described = _described(options)
    shell.budget.grow(len(described) + sum(map(len, names)) + 200 * len(names))
    shell.completions = {**specifications, **dict.fromkeys(names, described)}
    return 0


def _meant(given: dict[str, str], names: list[str]) -> list[str]:
    """Whose specifications are meant: with ``-D``, ``-E`` or ``-I`` that of the first of them alone."""
    return next(([f"-{letter}"] for letter in "DEI" if letter in given), names)


def _shown(name: str) -> str:
    """A name, quoted if it has what the shell would take for something else."""
    return plain_quote(name) if not name or _SPECIAL.search(name) else name


def _in_order(specifications: dict[str, str]) -> list[str]:
    """The names in the order in which bash lists them: by hash bucket, newest first within one."""
    newest_first = [*reversed(specifications)]
    return sorted(newest_first, key=lambda name: bucket(_PLACEHOLDERS.get(name, name)) & (_BUCKETS - 1))


def _remove(shell: Shell, names: list[str]) -> int:
    if not names or not shell.completions:  # bash does not look for names where there are none
        shell.completions = {}
        return 0
    status = 0
    kept = dict(shell.completions)
    for name in names:
        if kept.pop(name, None) is None:
            shell.complain("complete", f"{_PLACEHOLDERS.get(name, name)}: no completion specification")
            status = 1
    shell.completions = kept
    return status


def _described(options: list[tuple[str, str]]) -> str:
    """The options as ``complete -p`` shows them: ``-o``, the actions, then what takes an argument."""
    given = dict(options)
    pieces = [f"-o {name}" for name in sorted(argument for letter, argument in options if letter == "o")]
    letters = {name: letter for letter, name in _LETTERS.items()}
    actions = {
        argument if letter == "A" else _LETTERS[letter] for letter, argument in options if letter == "A" or letter in _LETTERS
    }
    pieces += [f"-{letters[name]}" for name in sorted(actions) if name in letters]
    pieces += [f"-A {name}" for name in sorted(actions) if name not in letters]
    for letter in "GWPSXCF":
        if letter in given:
            argument = given[letter]
            pieces.append(f"-{letter} {plain_quote(argument) if letter != 'F' else argument and _shown(argument)}")
    return "".join(piece + " " for piece in pieces)


@builtin(
    "compopt",
    usage="[-o|+o option] [-DEI] [name ...]",
    summary="Modify or display completion options.",
    options="o:DEI",
    signed=True,
)
def compopt(shell: Shell, options: Options, names: list[str]) -> int:
    """Change the options of specifications."""
    on = {argument for letter, argument in options if letter == "o"}
    off = {argument for letter, argument in options if letter == "+o"}
    if not _check(shell, "compopt", [("o", argument) for letter, argument in options if argument]):
        return 2
    names = _meant(dict(options), names)
    if not names:
        shell.complain("compopt", "not currently executing completion function")
        return 1
    status = 0
    for name in names:
        described = shell.completions.get(name)
        if described is None:
            shell.complain("compopt", f"{_PLACEHOLDERS.get(name, name)}: no completion specification")
            status = 1
            continue
        given = _GIVEN_OPTIONS.match(described)[0]  # type: ignore[index]  # it matches nothing, too
        has = set(given.split()) - {"-o"}
        if on or off:
            kept = "".join(f"-o {option} " for option in sorted((has | on) - off))
            shell.completions = {**shell.completions, name: kept + described[len(given) :]}
        else:
            signs = " ".join(f"{'-' if option in has else '+'}o {option}" for option in sorted(_OPTIONS))
            shell.write(f"compopt {signs} {name if name in _PLACEHOLDERS else _shown(name)}\n")
    return status
