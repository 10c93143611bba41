"""The exit statuses that several parts of the command line share."""

from __future__ import annotations

USAGE = 2  # the command line or a toolset file cannot be used
SIGNALLED = 128  # plus the signal's number
BROKEN_PIPE = 141  # SIGNALLED + SIGPIPE: nobody reads the output any more
