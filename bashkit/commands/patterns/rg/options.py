"""The options of rg: what it knows, which of them undo others that were given before, and how their arguments are read."""

from __future__ import annotations

from bashkit.commands.patterns.rg.expressions import PatternError
from bashkit.interp.utility.command import Arguments, flag, help_flag, value
from bashkit.syntax.digits import is_digits

_CHOICES = {
    "color": ("WHEN", ("always", "ansi", "auto", "never")),
    "engine": ("ENGINE", ("auto", "default", "pcre2")),
    "sort": ("SORTBY", ("accessed", "created", "modified", "none", "path")),
    "sortr": ("SORTBY", ("accessed", "created", "modified", "none", "path")),
}
USAGE = """
USAGE:
    
    rg [OPTIONS] PATTERN [PATH ...]
    rg [OPTIONS] -e PATTERN ... [PATH ...]
    rg [OPTIONS] -f PATTERNFILE ... [PATH ...]
    rg [OPTIONS] --files [PATH ...]
    rg [OPTIONS] --type-list
    command | rg [OPTIONS] PATTERN
    rg [OPTIONS] --help
    rg [OPTIONS] --version

For more information try --help

"""  # noqa: W293 - the blanks are ripgrep's
_UNDOES = {  # what an option takes back of those before it, by their keys
    "C": ("A", "B", "passthru"), "A": ("C", "passthru"), "B": ("C", "passthru"), "passthru": ("A", "B", "C"),
    "l": ("files-without-match",), "files-without-match": ("l",),
    "column": ("no-column",), "no-column": ("column",), "heading": ("no-heading",), "no-heading": ("heading",),
    "context-separator": ("no-context-separator",), "no-context-separator": ("context-separator",),
    "no-auto-hybrid-regex": ("auto-hybrid-regex",), "no-binary": ("binary",), "no-crlf": ("crlf",), "no-encoding": ("E",),
    "no-fixed-strings": ("F",), "no-follow": ("L",), "no-glob-case-insensitive": ("glob-case-insensitive",),
    "no-hidden": ("hidden",), "no-ignore-file-case-insensitive": ("ignore-file-case-insensitive",), "no-json": ("json",),
    "no-max-columns-preview": ("max-columns-preview",), "no-multiline": ("U",), "no-multiline-dotall": ("multiline-dotall",),
    "no-pcre2": ("P",), "no-pre": ("pre",), "no-search-zip": ("z",), "no-sort-files": ("sort-files",), "no-stats": ("stats",),
    "no-text": ("a",), "no-trim": ("trim",), "ignore": ("no-ignore",), "ignore-dot": ("no-ignore-dot",),
    "ignore-exclude": ("no-ignore-exclude",), "ignore-files": ("no-ignore-files",), "ignore-parent": ("no-ignore-parent",),
    "ignore-vcs": ("no-ignore-vcs",), "messages": ("no-messages",), "require-git": ("no-require-git",),
}  # fmt: skip
_NEVER = (
    "--line-buffered", "--no-line-buffered", "--block-buffered", "--no-block-buffered", "--ignore-global", "--no-ignore-global",
    "--ignore-messages", "--no-ignore-messages", "--no-one-file-system", "--one-file-system", "--no-pcre2-unicode", "--unicode",
    "--pcre2-unicode",
)  # fmt: skip

_POSITIVE = (
    value("-A", "--after-context", metavar="NUM", help="show NUM lines after each match"),
    value("-B", "--before-context", metavar="NUM", help="show NUM lines before each match"),
    value("-C", "--context", metavar="NUM", help="show NUM lines before and after each match"),
    flag("-b", "--byte-offset", help="print the byte offset for each matching line"),
    flag("-s", "--case-sensitive", help="search case sensitively (default)"),
    flag("-i", "--ignore-case", help="case insensitive search"),
    flag("-S", "--smart-case", help="case insensitive if the pattern is all lowercase"),
    value("--color", metavar="WHEN", help="never, auto, always or ansi"),
    value("--colors", metavar="COLOR_SPEC", help="how a part looks: path, line, column or match, :fg, :bg or :style, :VALUE"),
    flag("--column", help="show column numbers"),
    flag("-c", "--count", help="only show the count of matching lines for each file"),
    flag("--count-matches", help="only show the count of individual matches for each file"),
    value("-e", "--regexp", metavar="PATTERN", help="a pattern to search for"),
    value("-f", "--file", metavar="PATTERNFILE", help="search for patterns from the given file"),
    flag("--binary", help="search binary files up to their first match"),
    value("-E", "--encoding", metavar="ENCODING", help="the text encoding of the files; auto and none are what they are"),
    flag("-z", "--search-zip", help="search in compressed files"),
    flag("--include-zero", help="with --count, print files without matches too"),
    flag("--stats", help="print statistics about the search"),
    flag("--files", help="print each file that would be searched"),
    flag("-l", "--files-with-matches", help="only print the paths with at least one match"),
    flag("--files-without-match", help="only print the paths that contain zero matches"),
    flag("-F", "--fixed-strings", help="treat the pattern as a literal string"),
    flag("-L", "--follow", help="follow symbolic links"),
    value("-g", "--glob", metavar="GLOB", help="include or exclude files"),
    value("--iglob", metavar="GLOB", help="include or exclude files case insensitively"),
    flag("--heading", help="print the file name above the matches"),
    flag("--hidden", "-.", help="search hidden files and directories"),
    flag("-v", "--invert-match", help="invert matching"),
    flag("--crlf", help="let $ match before a carriage return at the end of a line"),
    flag("--null-data", help="lines end with a NUL byte"),
    flag("--json", help="show search results in a JSON Lines format"),
    flag("-n", "--line-number", help="show line numbers"),
    flag("-N", "--no-line-number", help="suppress line numbers"),
    flag("-x", "--line-regexp", help="only show matches surrounded by line boundaries"),
    value("-M", "--max-columns", metavar="NUM", help="don't print lines longer than this limit"),
    flag("--max-columns-preview", help="show the beginning of the lines that exceed --max-columns"),
    value("-m", "--max-count", metavar="NUM", help="limit the number of matches"),
    value("--max-depth", "-d", "--maxdepth", metavar="NUM", help="descend at most NUM directories"),
    value("--max-filesize", metavar="NUM+SUFFIX?", help="ignore files larger than NUM"),
    flag("--mmap", "--no-mmap", help="(ignored: how files are read changes nothing)"),
    flag("-U", "--multiline", help="enable matching across multiple lines"),
    value("--pre", metavar="COMMAND", help="search what COMMAND FILE writes, where the file is its standard input, too"),
    value("--pre-glob", metavar="GLOB", help="only so for the files that match"),
    flag("--multiline-dotall", help="make '.' match new lines when multiline is enabled"),
    flag("--no-config", help="(ignored: there is no configuration file)"),
    flag("--no-ignore", help="don't respect ignore files"),
    flag("--no-ignore-vcs", help="don't respect version control ignore files"),
    flag("--no-ignore-exclude", help="don't respect .git/info/exclude"),
    flag("--no-messages", help="suppress some error messages"),
    flag("-0", "--null", "--print0", help="print a NUL byte after file paths"),
    flag("-o", "--only-matching", help="print only matched parts of a line"),
    value("--path-separator", metavar="SEPARATOR", help="what stands between the names of a path, one byte"),
    flag("--passthru", "--passthrough", help="print both matching and non-matching lines"),
    value("--engine", metavar="ENGINE", help="default, pcre2 or auto: the latter two have look-around"),
    flag("--auto-hybrid-regex", help="have look-around where an expression needs it"),
    flag("-P", "--pcre2", help="(the expressions are those of Perl anyway)"),
    flag("-p", "--pretty", help="alias for --color always --heading --line-number"),
    flag("-q", "--quiet", help="do not print anything to stdout"),
    value("-r", "--replace", metavar="TEXT", help="replace matches with the given text"),
    value("--sort", metavar="SORTBY", help="by path (as always), modified, accessed or created, or none"),
    flag("--sort-files", help="(as --sort path)"),
    value("--sortr", metavar="SORTBY", help="likewise, the order is turned round"),
    flag("-a", "--text", help="search binary files as if they were text"),
    value("-j", "--threads", metavar="NUM", help="(ignored: files are searched one after the other)"),
    flag("--trim", help="trim prefixed whitespace from matches"),
    value("--type-add", metavar="TYPE_SPEC", help="add a new glob for a file type: NAME:GLOB"),
    value("--type-clear", metavar="TYPE", help="clear globs for a file type"),
    flag("--ignore-file-case-insensitive", help="process ignore files case insensitively"),
    value("--ignore-file", metavar="PATH", help="specify additional ignore files"),
    value("--field-match-separator", metavar="SEPARATOR", help="what follows names and numbers of matching lines"),
    value("--field-context-separator", metavar="SEPARATOR", help="what follows those of lines of context"),
    value("--context-separator", metavar="SEPARATOR", help="set the context separator string"),
    flag("--glob-case-insensitive", help="-g is --iglob"),
    flag("--no-ignore-dot", help="don't respect .ignore files"),
    flag("--no-ignore-files", help="don't respect --ignore-file arguments"),
    flag("--no-ignore-parent", help="don't respect ignore files in parent directories"),
    flag("--no-require-git", help="respect .gitignore outside of repositories too"),
    value("-t", "--type", metavar="TYPE", help="only search files matching TYPE"),
    value("-T", "--type-not", metavar="TYPE", help="do not search files matching TYPE"),
    flag("--type-list", help="show all supported file types"),
    flag("-u", "--unrestricted", help="reduce the level of smart filtering"),
    flag("--vimgrep", help="show results in vim compatible format"),
    flag("-H", "--with-filename", help="print the file path with the matched lines"),
    flag("-I", "--no-filename", help="never print the file path"),
    flag("-w", "--word-regexp", help="only show matches surrounded by word boundaries"),
)
_SPELLED = {option.key for option in _POSITIVE}
OPTIONS = (
    *_POSITIVE,
    *(
        flag(f"--{name}", help=f"take back {' '.join(f'-{key}' if len(key) == 1 else f'--{key}' for key in undone)}")
        for name, undone in _UNDOES.items()
        if name not in _SPELLED
    ),
    flag(*_NEVER, help="(ignored: this is how it is anyway)"),
    flag("-V", "--version", help="print version information"),
    help_flag("-h"),
)


def settled(arguments: Arguments) -> Arguments:
    """The command line without the options that later ones take back.

    Raises:
        PatternError: An argument is none that its option knows.
    """
    for key, (metavar, words) in _CHOICES.items():
        word = arguments.get(key)
        if word is not None and word not in words:
            raise PatternError(
                f"error: '{word}' isn't a valid value for '--{key} <{metavar}>'\n"
                f"\t[possible values: {', '.join(words)}]\n\n{USAGE}"
            )
    kept: list[tuple[str, str | None]] = []
    undone: set[str] = set()
    for key, text in reversed(arguments.given):
        if key not in undone:
            kept.append((key, text))
            undone.update(_UNDOES.get(key, ()))
    return Arguments(kept[::-1], arguments.operands)


def number(arguments: Arguments, key: str, name: str) -> int | None:
    """The number that an option has as its argument; None where it was not given.

    Raises:
        PatternError: It is none.
    """
    text = arguments.get(key)
    if text is None:
        return None
    if not is_digits(text):
        raise PatternError(f"error: Invalid value for '--{name} <NUM>': invalid digit found in string\n\n")
    return int(text[:9])


def context(arguments: Arguments) -> tuple[int | None, int | None]:
    """How many lines before and after each match are shown, too."""
    around = number(arguments, "C", "context")
    before, after = number(arguments, "B", "before-context"), number(arguments, "A", "after-context")
    return around if before is None else before, around if after is None else after


def separator(arguments: Arguments) -> str | None:
    """What stands between runs of lines with their context; None for nothing."""
    without = "no-context-separator" in arguments or not any(context(arguments))
    return None if without else arguments.get("context-separator", "--")
