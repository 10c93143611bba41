"""tput: print terminal capabilities (POSIX XCU tput; tput(1)); every terminal is an xterm here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names
from bashkit.commands.system._terminals import clearing, is_known
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag
from bashkit.limits import paced
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_USAGE, _NO_TERMINAL, _UNKNOWN = 2, 3, 4
_STRINGS = {
    "bel": "\x07", "blink": "\x1b[5m", "bold": "\x1b[1m", "cbt": "\x1b[Z", "civis": "\x1b[?25l",
    "cnorm": "\x1b[?12l\x1b[?25h", "cr": "\r", "cub1": "\b", "cud1": "\n", "cuf1": "\x1b[C", "cuu1": "\x1b[A",
    "cvvis": "\x1b[?12;25h", "dch1": "\x1b[P", "dim": "\x1b[2m",
    "dl1": "\x1b[M", "ed": "\x1b[J", "el": "\x1b[K", "el1": "\x1b[1K", "home": "\x1b[H", "ht": "\t",
    "il1": "\x1b[L", "ind": "\n", "invis": "\x1b[8m", "op": "\x1b[39;49m", "rc": "\x1b8", "rev": "\x1b[7m",
    "ri": "\x1bM", "ritm": "\x1b[23m", "rmcup": "\x1b[?1049l\x1b[23;0;0t", "rmkx": "\x1b[?1l\x1b>", "rmso": "\x1b[27m",
    "rmul": "\x1b[24m", "sc": "\x1b7", "sgr0": "\x1b(B\x1b[m", "sitm": "\x1b[3m", "smcup": "\x1b[?1049h\x1b[22;0;0t",
    "smkx": "\x1b[?1h\x1b=", "smso": "\x1b[7m", "smul": "\x1b[4m", "kcuu1": "\x1bOA", "kcud1": "\x1bOB", "kcub1": "\x1bOD",
    "kcuf1": "\x1bOC", "kbs": "\x7f", "smam": "\x1b[?7h", "rmam": "\x1b[?7l", "smir": "\x1b[4h", "rmir": "\x1b[4l",
    "flash": "\x1b[?5h\x1b[?5l", "nel": "\x1bE",
    "reset": "\x1bc\x1b[!p\x1b[?3;4l\x1b[4l\x1b>", "init": "\x1b[!p\x1b[?3;4l\x1b[4l\x1b>",
}  # fmt: skip
_PARAMETERS = {
    "cub": "\x1b[{}D", "cud": "\x1b[{}B", "cuf": "\x1b[{}C", "cuu": "\x1b[{}A", "dch": "\x1b[{}P", "dl": "\x1b[{}M",
    "ech": "\x1b[{}X", "ich": "\x1b[{}@", "il": "\x1b[{}L",
}  # fmt: skip
_TAKEN = dict.fromkeys([*_PARAMETERS, "hpa", "setab", "setaf", "setb", "setf", "vpa"], 1) | {"csr": 2, "cup": 2}
_FLAGS = {"am", "bce", "km", "mir", "msgr", "npc", "xenl"}
_LACKING = {"dumb": _FLAGS - {"am"}, "vt100": {"bce"}, "screen": {"bce"}, "ansi": {"bce", "xenl"}}
_COLOURLESS = {"dumb", "vt100"}
_EDITING = {"dch1", "dl1", "il1"}
_COLOURS = {"op", "setab", "setaf", "setb", "setf"}
_RESET = {"ansi": "\x1b[0;10m", "linux": "\x1b[m\x0f", "screen": "\x1b[m\x0f", "vt100": "\x1b[m\x0f"}


@command(
    "tput",
    usage="[-T TERM] {CAPNAME [PARAMETER]...}...  or  tput [-T TERM] -S",
    summary="Initialize a terminal or query its capabilities.",
    options=(
        flag("-S", help="read commands from standard input"),
        value("-T", metavar="TERM", help="use this instead of $TERM"),
        version_flag("-V"),
        flag("-x", help="do not try to clear scrollback"),
    ),
    usage_status=_USAGE,
    stop_at_operand=True,
    model="ncurses 6.4",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the capabilities; 1 for one that the terminal has not, 2 without a terminal, 3 for an unknown terminal, 4 for an
    unknown capability, and with ``-S`` 4 and the number of lines with one that the terminal has not.
    """
    terminal = arguments.get("T") or process.env.get("TERM") or ""
    if not arguments.operands and "S" not in arguments:
        raise UsageError("no capability name", hint=True)
    if not terminal:
        process.warn("No value for $TERM and no -T specified")
        return _USAGE
    if not is_known(terminal):
        process.warn(f'unknown terminal "{terminal}"')
        return _NO_TERMINAL
    if "S" not in arguments:
        return _answer_all(process, terminal, arguments.operands, scrollback="x" not in arguments)
    lacking = 0
    for line in paced(read_names(process, process.stdin)):
        status = _answer_all(process, terminal, line.split())
        if status == _UNKNOWN:
            return status
        lacking += status
    return _UNKNOWN + lacking if lacking else 0


def _answer_all(process: Process, terminal: str, words: list[str], *, scrollback: bool = True) -> int:
    """Print capabilities, each with the parameters that it takes of those behind it, up to the first that cannot be."""
    place = 0
    while place < len(words):
        process.budget.tick(4)
        name = words[place]
        taken = _TAKEN.get(name, 0) + 1
        status = _answer(process, terminal, name, words[place + 1 : place + taken], scrollback=scrollback)
        if status:
            return status
        place += taken
    return 0


def _answer(process: Process, terminal: str, name: str, parameters: list[str], *, scrollback: bool) -> int:
    numbers = [int(word[:6]) if is_digits(word) else 0 for word in parameters] + [0, 0]
    if name in {"cols", "lines", "colors", "it"}:
        colours = "256" if "256" in terminal else "8"
        size = process.env.get("COLUMNS" if name == "cols" else "LINES", "")
        if terminal in _COLOURLESS:
            colours = "-1"
        usual = {"cols": "80", "lines": "24", "colors": colours, "it": "-1" if terminal == "dumb" else "8"}[name]
        process.write((size if name in {"cols", "lines"} and is_digits(size) else usual) + "\n")
    elif name == "longname":
        process.write("xterm terminal emulator (X Window System)")
    elif name in _FLAGS:
        return int(name in _LACKING.get(terminal, ()))
    elif terminal == "dumb" and name not in {"bel", "cr", "cud1", "ind", "init", "reset"}:
        return 1
    elif terminal in _COLOURLESS and name in _COLOURS | _EDITING:
        return 1
    elif name == "clear":
        process.write(clearing(terminal, scrollback=scrollback))
    elif name == "sgr0" and terminal in _RESET:
        process.write(_RESET[terminal])
    elif name in _STRINGS:
        process.write(_STRINGS[name])
    elif name in {"csr", "cup"}:
        process.write(f"\x1b[{numbers[0] + 1};{numbers[1] + 1}{'r' if name == 'csr' else 'H'}")
    elif name in {"hpa", "vpa"}:
        process.write(f"\x1b[{numbers[0] + 1}{'G' if name == 'hpa' else 'd'}")
    elif name in {"setaf", "setab", "setf", "setb"}:
        process.write(_colour(numbers[0], background=name.endswith("b"), many="256" in terminal))
    elif name in _PARAMETERS:
        process.write(_PARAMETERS[name].format(numbers[0]))
    else:
        process.warn(f"unknown terminfo capability '{name}'")
        return _UNKNOWN
    return 0


def _colour(number: int, *, background: bool, many: bool) -> str:
    base = 40 if background else 30
    if not many or number < 8:
        return f"\x1b[{base // 10}{number}m"
    return f"\x1b[{base + 60 + number - 8}m" if number < 16 else f"\x1b[{base + 8};5;{number}m"
