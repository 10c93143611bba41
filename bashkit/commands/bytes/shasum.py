"""shasum: print or check SHA checksums (shasum(1) of Perl's Digest::SHA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.bytes._digests import OPTIONS, Algorithm, check, run
from bashkit.interp.utility.command import Arguments, command, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_BITS = {"1": 160, "224": 224, "256": 256, "384": 384, "512": 512}
_ALGORITHMS = {name: Algorithm(f"SHA{name}", f"sha{name}", bits) for name, bits in _BITS.items()}


@command(
    "shasum",
    usage="[OPTION]... [FILE]...",
    summary="Print or check SHA checksums.",
    options=(
        value("-a", "--algorithm", metavar="BITS", help="1 (default), 224, 256, 384, 512"),
        *OPTIONS,
        help_flag("-h"),
        version_flag("-v"),
    ),
    model="Digest::SHA 6.02",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print or check the digests."""
    name = arguments.get("a", "1") or ""
    if name not in _ALGORITHMS:
        process.warn("Unrecognized algorithm")
        process.say("Type shasum -h for help\n")
        return 1
    if "c" in arguments and "a" not in arguments:
        return check(process, arguments, [*_ALGORITHMS.values()], by_length=True)
    return run(process, arguments, _ALGORITHMS[name], tagged="tag" in arguments)
