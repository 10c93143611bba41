"""stty: set the options of a terminal (POSIX XCU stty); there is none, and it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SETTINGS = frozenset(
    "parenb parodd cmspar cs5 cs6 cs7 cs8 hupcl hup cstopb cread clocal crtscts ignbrk brkint ignpar parmrk inpck istrip inlcr igncr "
    "icrnl ixon ixoff tandem iuclc ixany imaxbel iutf8 opost olcuc ocrnl onlcr onocr onlret ofill ofdel nl isig icanon iexten echo "
    "echoe crterase echok echonl noflsh xcase tostop echoprt prterase echoctl ctlecho echoke crtkill flusho extproc evenp parity oddp "
    "ek sane cooked raw pass8 litout cbreak decctlq tabs lcase LCASE crt dec drain size speed".split()
)
_WITH_VALUE = frozenset(
    "intr quit erase kill eof eol eol2 swtch start stop susp dsusp rprnt werase lnext discard min time line rows cols columns ispeed ospeed".split()
)


def _rewrite(words: list[str]) -> list[str]:
    """Keep the settings that are turned off (``-echo``) from being read as options."""
    return [f"!{word[1:]}" if word.startswith("-") and word[1:] in _SETTINGS else word for word in words]


@command(
    "stty",
    usage="[-F DEVICE | --file=DEVICE] [SETTING]...",
    summary="Print or change terminal characteristics.",
    options=(
        flag("-a", "--all", help="print all current settings in human-readable form"),
        flag("-g", "--save", help="print all current settings in a stty-readable form"),
        value("-F", "--file", metavar="DEVICE", help="open and use the specified DEVICE instead of stdin"),
    ),
    rewrite=_rewrite,
)
def main(process: Process, arguments: Arguments) -> int:
    """Check the settings, then say that there is no terminal; 1 always."""
    pending = iter(arguments.operands)
    for word in pending:
        if word in _WITH_VALUE:
            if next(pending, None) is None:
                raise UsageError(f"missing argument to {mention(word)}")
        elif word.removeprefix("!") not in _SETTINGS and not word.isdecimal():
            raise UsageError(f"invalid argument {mention(word)}")
    device = arguments.get("F")
    problem = "Inappropriate ioctl for device"
    if device is not None:
        try:
            process.open(device)
        except OSError as error:
            problem = error.strerror or problem
    process.warn(f"{device if device is not None else repr('standard input')}: {problem}")
    return 1
