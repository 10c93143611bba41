"""TZ: names of the zone database and POSIX rules; nothing that a script writes there makes the host open another file."""

import sys
from datetime import datetime
from zoneinfo import TZPATH

import pytest

from bashkit import Bash
from bashkit.interp.runtime.zones import _zone, zone

opened = None


def _watch(event, arguments):
    if opened is not None and event == "open":
        opened.append(str(arguments[0]))


sys.addaudithook(_watch)

RULES = [
    ("Europe/Oslo", 1_700_000_000, "CET +0100"),
    (":Europe/Oslo", 1_720_000_000, "CEST +0200"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_711_846_799, "CET +0100"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", 1_711_846_800, "CEST +0200"),
    ("EST5EDT,M3.2.0,M11.1.0", 1_720_000_000, "EDT -0400"),
    ("XST5XDT", 1_720_000_000, "XDT -0400"),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_700_000_000, "AEDT +1100"),
    ("<+0330>-3:30", 0, "+0330 +0330"),
    ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", 1_720_000_000, "-02 -0200"),
    ("XYZ3", 0, "XYZ -0300"),
    ("GMT", 0, "GMT +0000"),
    ("PST", 0, "PST +0000"),
    ("Europe/Atlantis", 0, "Europe +0000"),
    ("ABC5DEF,J60,300", 1_720_000_000, "DEF -0400"),
    ("UTC0", 0, "UTC +0000"),
    ("", 0, "UTC +0000"),
]


@pytest.mark.parametrize(("text", "moment", "shown"), RULES)
def test_zones(text, moment, shown):
    assert f"{datetime.fromtimestamp(moment, zone(text)):%Z %z}" == shown


NO_ZONES = [
    "/etc/passwd",
    ":/etc/passwd",
    "../../../etc/passwd",
    "Europe/../../../../etc/passwd",
    "localtime",
    "posixrules",
    "posix/Europe/Oslo",
    "right/Europe/Oslo",
    "tzdata.zi",
    "Europe",
    "Europe/Atlantis",
    "Os.path",
    "A" * 100_000,
    "A/" * 1000,
    "EST5EDT,M13.9.9,M1.1.1",
    "ABC99",
    "ABC24",
    "ABC-23DEF",
    "ABC5" * 1000,
    "ABC5DEF,M3.2.0/" + "9" * 1000 + ",M1.1.1",
]


@pytest.mark.parametrize("text", NO_ZONES)
def test_what_is_no_zone_is_utc_and_opens_nothing_else(text):
    global opened  # noqa: PLW0603 - an audit hook is for ever
    script = "date -d @0 +%Z; printf '%(%Z)T\\n' 0; touch -d @0 f; ls -l --time-style=+%Z f | cut -d' ' -f6; awk 'BEGIN { print strftime(\"%Z\", 0) }'; jq -n '0 | localtime | .[3]'"
    Bash().execute_sync(script)
    _zone.cache_clear()
    opened = []
    try:
        result = Bash(env={"TZ": text}).execute_sync(script)
        assert not datetime.fromtimestamp(0, zone(text)).utcoffset()
    finally:
        found, opened = opened, None
    name = f"{datetime.fromtimestamp(0, zone(text)):%Z}"
    assert result.stdout == f"{name}\n" * 4 + "0\n"
    assert [path for path in found if not path.startswith(TZPATH) and "tzdata" not in path] == []
