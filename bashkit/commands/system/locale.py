"""locale: get locale-specific information (POSIX XCU locale); the locale is C.UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, flag, help_flag, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_CATEGORIES = (
    "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES",
    "LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION",
)  # fmt: skip
_LONG_MONTHS = "January;February;March;April;May;June;July;August;September;October;November;December"
_LONG_DAYS = "Sunday;Monday;Tuesday;Wednesday;Thursday;Friday;Saturday"
_KEYWORDS = {
    "LC_TIME": {
        "abday": "Sun;Mon;Tue;Wed;Thu;Fri;Sat", "day": _LONG_DAYS, "abmon": "Jan;Feb;Mar;Apr;May;Jun;Jul;Aug;Sep;Oct;Nov;Dec",
        "mon": _LONG_MONTHS, "am_pm": "AM;PM", "d_t_fmt": "%a %b %e %H:%M:%S %Y", "d_fmt": "%m/%d/%y", "t_fmt": "%H:%M:%S",
        "t_fmt_ampm": "%I:%M:%S %p",
    },
    "LC_NUMERIC": {"decimal_point": ".", "thousands_sep": "", "grouping": "-1"},
    "LC_CTYPE": {"charmap": "UTF-8"},
    "LC_MESSAGES": {"yesexpr": "^[yY]", "noexpr": "^[nN]", "yesstr": "", "nostr": ""},
}  # fmt: skip


@command(
    "locale",
    usage="[OPTION]... [NAME]...",
    summary="Get locale-specific information.",
    options=(
        flag("-a", "--all-locales", help="write names of available locales"),
        flag("-m", "--charmaps", help="write names of available charmaps"),
        flag("-v", "--verbose", help="print more information"),
        help_flag("-?", "--usage"),
        version_flag("-V"),
        flag("-c", "--category-name", help="write names of selected categories"),
        flag("-k", "--keyword-name", help="write names of selected keywords"),
    ),
    usage_status=64,
    model="GNU libc 2.36",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the settings, or what the operands name; 1 for an unknown name."""
    if "a" in arguments or "m" in arguments:
        process.write("C\nC.utf8\nPOSIX\n" if "a" in arguments else "ANSI_X3.4-1968\nUTF-8\n")
        return 0
    if not arguments.operands:
        _settings(process)
        return 0
    status = 0
    for name in arguments.operands:
        found = _KEYWORDS.get(name)
        if found is None:
            found = next(({name: entries[name]} for entries in _KEYWORDS.values() if name in entries), None)
            category = next((key for key, entries in _KEYWORDS.items() if name in entries), "")
        else:
            category = name
        if found is None:
            if name not in _CATEGORIES:
                process.warn(f'unknown name "{name}"')
                status = 1
            continue
        if "c" in arguments:
            process.write(category + "\n")
        process.write("".join(f'{key}="{text}"\n' if "k" in arguments else f"{text}\n" for key, text in found.items()))
    return status


def _settings(process: Process) -> None:
    environment = process.env
    everything = environment.get("LC_ALL", "")
    language = environment.get("LANG", "")
    process.write(f"LANG={language}\nLANGUAGE={environment.get('LANGUAGE', '')}\n")
    for name in _CATEGORIES:
        own = environment.get(name)
        process.write(f"{name}={own}\n" if own and not everything else f'{name}="{everything or language or "POSIX"}"\n')
    process.write(f"LC_ALL={everything}\n")
