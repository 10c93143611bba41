"""uptime: tell how long the system has been running (uptime(1)); the machine starts with its file system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.strftime import Moment
from bashkit.interp.utility.command import Arguments, command, flag, help_flag, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "uptime",
    usage="[OPTION]...",
    summary="Tell how long the system has been running.",
    options=(
        flag("-p", "--pretty", help="show uptime in pretty format"),
        flag("-s", "--since", help="system up since"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="procps-ng 4.0.2",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print it."""
    zone = process.system.timezone(process.env.get("TZ", ""))
    now = process.system.now()
    started = min(process.fs.stat("/dev").ctime if process.fs.exists("/dev") else now, now)
    up = int(now - started)
    days, hours, minutes = up // 86400, up // 3600 % 24, up // 60 % 60
    if "s" in arguments:
        process.write(f"{Moment.of(started, zone).local:%Y-%m-%d %H:%M:%S}\n")
    elif "p" in arguments:
        parts = [(up // 604800, "week"), (days % 7, "day"), (hours, "hour"), (minutes, "minute")]
        shown = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
        process.write(f"up {', '.join(shown) or '0 minutes'}\n")
    else:
        passed = f"{days} day{'' if days == 1 else 's'}, " if days else ""
        passed += f"{hours:2d}:{minutes:02d}" if hours else f"{minutes} min"
        process.write(f" {Moment.of(now, zone).local:%H:%M:%S} up {passed},  0 user,  load average: 0.00, 0.00, 0.00\n")
    return 0
