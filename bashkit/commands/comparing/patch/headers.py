"""What stands before the hunks of a difference: the text that leads up to them, and the times of files."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.commands.comparing.patch.hunks import Difference

_TIME = re.compile(rb"\t([0-9]{4}(?:-[0-9]{2}){2})(?:( [0-9]{2}(?::[0-9]{2}){2})(?:\.[0-9]+)?( [+-][0-9]{4})?)?")
_CTIME = re.compile(rb"\t[A-Z][a-z]{2} ([A-Z][a-z]{2}) +([0-9]{1,2})( [0-9]{2}(?::[0-9]{2}){2}) ([0-9]{4})")
_MONTHS = b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"
_EPOCH = -25 * 3600, 26 * 3600  # seconds; times between them are that of the Epoch, as zones differ


def leading(difference: Difference) -> str:
    """The text before a difference, as it is shown."""
    text = b"".join(b"|" + line for line in paced_if_many(difference.text)).decode("utf-8", "surrogateescape")
    return f"The text leading up to this was:\n--------------------------\n{text}--------------------------\n" if text else ""


def is_absent(header: bytes) -> bool:
    """Whether a header has the time of a file that is not there: the Epoch, in whatever zone it was written."""
    found, dated = _TIME.search(header), _CTIME.search(header)
    if found is not None:
        day, clock, zone = (part.decode() if part else "" for part in found.groups())
    elif dated is not None and dated[1] in _MONTHS:
        day = f"{dated[4].decode()}-{_MONTHS.index(dated[1]) + 1:02}-{int(dated[2]):02}"
        clock, zone = dated[3].decode(), ""
    else:
        return False
    try:
        time = datetime.strptime(day + (clock or " 00:00:00") + (zone or " +0000"), "%Y-%m-%d %H:%M:%S %z").timestamp()
    except ValueError:  # there is no such day
        return False
    return _EPOCH[0] <= time < _EPOCH[1]
