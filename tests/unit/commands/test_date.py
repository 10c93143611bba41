"""date: formats, date strings and zones, with GNU date 9.1 as the witness."""

import pytest

TRANSCRIPTS = {
    "directives": """
$ date -d '2024-01-15 10:20:30.123456789' '+%% %a %A %b %B %c'
% Mon Monday Jan January Mon Jan 15 10:20:30 2024
$ date -d '2024-01-15 10:20:30.123456789' '+%C %d %D %e %F %g %G %h'
20 15 01/15/24 15 2024-01-15 24 2024 Jan
$ date -d '2024-01-15 10:20:30.123456789' '+%H %I %j %k %l %m %M'
10 10 015 10 10 01 20
$ date -d '2024-01-15 10:20:30.123456789' '+%N %p %P %q %r %R %s %S'
123456789 AM am 1 10:20:30 AM 10:20 1705314030 30
$ date -d '2024-01-15 10:20:30.123456789' '+%T %u %U %V %w %W %x %X %y %Y'
10:20:30 1 02 03 1 03 01/15/24 10:20:30 24 2024
$ date -d '2024-01-15 10:20:30.123456789' '+%z %:z %::z %:::z %Z'
+0000 +00:00 +00:00:00 +00 UTC
$ date -d '2024-01-15 10:20:30.123456789' '+%E %Q %! %+'
%E %Q %! %+
""",
    "flags and widths": """
$ date -d '2024-01-15 10:20:30.123456789' '+%-d|%_d|%05d|%3N|%-N'
15|15|00015|123|123456789
$ date -d '2024-01-15 10:20:30.123456789' '+%^a|%#Z|%10Y|%10a|%-j|%-I'
MON|utc|0000002024|       Mon|15|10
$ date -d '2024-01-15 10:20:30.123456789' '+%_5m|%+4Y|%Ey|%Od|%-z|%_z|%010z'
    1|2024|24|15|+0|   +0|+000000000
""",
    "week numbers": """
$ date -d 2021-01-03 '+%U %V %W %G %g %j %u %w'
01 53 00 2020 20 003 7 0
$ date -d 2023-12-31 '+%U %V %W %G %g %j %u %w'
53 52 52 2023 23 365 7 0
$ date -d 2024-12-30 '+%U %V %W %G %g %j %u %w'
52 01 53 2025 25 365 1 1
""",
    "dates": """
$ date -d '2024-01-15' '+%F %T.%N'
2024-01-15 00:00:00.000000000
$ date -d '20240115' '+%F %T.%N'
2024-01-15 00:00:00.000000000
$ date -d '20240115T101112' '+%F %T.%N'
! date: invalid date ‘20240115T101112’
[1]
$ date -d '20240115 1011' '+%F %T.%N'
2024-01-15 10:11:00.000000000
$ date -d '2024/03/04' '+%F %T.%N'
2024-03-04 00:00:00.000000000
$ date -d '1/2/99' '+%F %T.%N'
1999-01-02 00:00:00.000000000
$ date -d '1/2/05' '+%F %T.%N'
2005-01-02 00:00:00.000000000
$ date -d '12/25/2024' '+%F %T.%N'
2024-12-25 00:00:00.000000000
$ date -d '15 Jan 2024' '+%F %T.%N'
2024-01-15 00:00:00.000000000
$ date -d '15-Jan-2024' '+%F %T.%N'
2024-01-15 00:00:00.000000000
$ date -d 'Jan 15, 2024 3pm' '+%F %T.%N'
2024-01-15 15:00:00.000000000
$ date -d 'January 5 2024' '+%F %T.%N'
2024-01-05 00:00:00.000000000
$ date -d 'Nov 14 22:13:20 2024' '+%F %T.%N'
2024-11-14 22:13:20.000000000
$ date -d '24-1-5' '+%F %T.%N'
2024-01-05 00:00:00.000000000
$ date -d '@123' '+%F %T.%N'
1970-01-01 00:02:03.000000000
$ date -d '@-1.5' '+%F %T.%N'
1969-12-31 23:59:58.500000000
$ date -d '@1.25' '+%F %T.%N'
1970-01-01 00:00:01.250000000
$ date -d '2024-01-15 (remark) 10:00' '+%F %T.%N'
2024-01-15 10:00:00.000000000
""",
    "times and zones": """
$ date -d '2024-01-15T10:00:00Z' '+%F %T.%N %z'
2024-01-15 10:00:00.000000000 +0000
$ date -d '2024-01-15T10:00:00+02:00' '+%F %T.%N %z'
2024-01-15 08:00:00.000000000 +0000
$ date -d '2024-01-15 10:00 EST' '+%F %T.%N %z'
2024-01-15 15:00:00.000000000 +0000
$ date -d '3:15pm 1/2/2024' '+%F %T.%N %z'
2024-01-02 15:15:00.000000000 +0000
$ date -d '2024-01-15 12am' '+%F %T.%N %z'
2024-01-15 00:00:00.000000000 +0000
$ date -d '2024-01-15 12:30 am' '+%F %T.%N %z'
2024-01-15 00:30:00.000000000 +0000
$ date -d '2024-01-15 10:11:12.5 -0500' '+%F %T.%N %z'
2024-01-15 15:11:12.500000000 +0000
$ date -d 'Mon, 15 Jan 2024 10:00:00 +0100' '+%F %T.%N %z'
2024-01-15 09:00:00.000000000 +0000
$ date -d 'Mon Jan 15 10:00:00 UTC 2024' '+%F %T.%N %z'
2024-01-15 10:00:00.000000000 +0000
$ date -d '2024-01-15 10' '+%F %T.%N %z'
2024-01-15 10:00:00.000000000 +0000
$ date -d '2024-01-15 10:00:00 UTC+2' '+%F %T.%N %z'
2024-01-15 08:00:00.000000000 +0000
$ date -d '2024-01-15 10h' '+%F %T.%N %z'
2024-01-15 02:00:00.000000000 +0000
$ date -d 'TZ="America/New_York" 2024-01-15 10:00' '+%F %T.%N %z'
2024-01-15 15:00:00.000000000 +0000
""",
    "relative to a date": """
$ date -d '2024-01-15 +3 days' '+%F %T'
2024-01-18 00:00:00
$ date -d '2024-01-31 +1 month' '+%F %T'
2024-03-02 00:00:00
$ date -d '2024-02-29 +1 year' '+%F %T'
2025-03-01 00:00:00
$ date -d '2024-03-31 -1 month' '+%F %T'
2024-03-02 00:00:00
$ date -d '2024-01-15 2 weeks ago' '+%F %T'
2024-01-01 00:00:00
$ date -d '2024-01-15 yesterday' '+%F %T'
2024-01-14 00:00:00
$ date -d '2024-01-15 last year' '+%F %T'
2023-01-15 00:00:00
$ date -d '2024-01-15 next week' '+%F %T'
2024-01-22 00:00:00
$ date -d '2024-01-15 third day' '+%F %T'
2024-01-18 00:00:00
$ date -d '2024-01-15 fortnight ago' '+%F %T'
2024-01-01 00:00:00
$ date -d '2024-01-15 +1 hour 30 minutes' '+%F %T'
2024-01-15 01:30:00
$ date -d '2024-01-15 10:00 +3 days' '+%F %T'
2024-01-16 07:00:00
$ date -d 'friday 2024-01-15' '+%F %T'
2024-01-15 00:00:00
$ date -d '2024-01-15 -30 minutes' '+%F %T'
2024-01-14 23:30:00
$ date -d '2024-12-31 tomorrow' '+%F %T'
2025-01-01 00:00:00
$ date -d '1 week ago 2024-01-15' '+%F %T'
2024-01-08 00:00:00
""",
    "relative to now": """
$ date -d 'now' '+%F %T'
2023-11-14 22:13:20
$ date -d 'yesterday' '+%F %T'
2023-11-13 22:13:20
$ date -d 'tomorrow' '+%F %T'
2023-11-15 22:13:20
$ date -d 'next monday' '+%F %T'
2023-11-20 00:00:00
$ date -d 'last friday' '+%F %T'
2023-11-10 00:00:00
$ date -d 'tuesday' '+%F %T'
2023-11-14 00:00:00
$ date -d 'next tuesday' '+%F %T'
2023-11-21 00:00:00
$ date -d '2 weeks ago' '+%F %T'
2023-10-31 22:13:20
$ date -d '-1 day' '+%F %T'
2023-11-13 22:13:20
$ date -d '10:00' '+%F %T'
2023-11-14 10:00:00
$ date -d '10:00 tomorrow' '+%F %T'
2023-11-15 10:00:00
$ date -d 'next month' '+%F %T'
2023-12-14 22:13:20
$ date -d 'june 3' '+%F %T'
2023-06-03 00:00:00
$ date -d '0' '+%F %T'
2023-11-14 00:00:00
$ date
Tue Nov 14 22:13:20 UTC 2023
$ date +%s
1700000000
""",
    "invalid": """
$ date -d 'foo'
! date: invalid date ‘foo’
[1]
$ date -d '2024-13-01'
! date: invalid date ‘2024-13-01’
[1]
$ date -d '2024-02-30'
! date: invalid date ‘2024-02-30’
[1]
$ date -d '2024-01-15 25:00'
! date: invalid date ‘2024-01-15 25:00’
[1]
$ date -d '2024-01'
! date: invalid date ‘2024-01’
[1]
$ date -d '@0 +1 day'
! date: invalid date ‘@0 +1 day’
[1]
$ date -d '2024-01-15 ago ago'
! date: invalid date ‘2024-01-15 ago ago’
[1]
$ date -d '2024-01-15 10:00 +0000 UTC'
! date: invalid date ‘2024-01-15 10:00 +0000 UTC’
[1]
""",
    "options": r"""
$ date -I -d 2024-01-15
2024-01-15
$ date -Iseconds -d @0
1970-01-01T00:00:00+00:00
$ date -Ins -d @0
1970-01-01T00:00:00,000000000+00:00
$ date -Ih -d @0
1970-01-01T00+00:00
$ date --iso-8601=minutes -d @0
1970-01-01T00:00+00:00
$ date -R -d @0
Thu, 01 Jan 1970 00:00:00 +0000
$ date --rfc-3339=seconds -d @0
1970-01-01 00:00:00+00:00
$ date --rfc-3339=ns -d @0
1970-01-01 00:00:00.000000000+00:00
$ date -u -d @0
Thu Jan  1 00:00:00 UTC 1970
$ > dates '2024-01-01\n@5\nbad\n'
$ date -f dates +%s
1704067200
5
! date: invalid date ‘bad’
[1]
$ date -Ifoo
! date: invalid argument ‘foo’ for ‘--iso-8601’
! Valid arguments are:
!   - ‘hours’
!   - ‘minutes’
!   - ‘date’
!   - ‘seconds’
!   - ‘ns’
! Try 'date --help' for more information.
[1]
$ date --rfc-3339=x
! date: invalid argument ‘x’ for ‘--rfc-3339’
! Valid arguments are:
!   - ‘date’
!   - ‘seconds’
!   - ‘ns’
! Try 'date --help' for more information.
[1]
$ date -r missing
! date: missing: No such file or directory
[1]
$ date +%F +%T
! date: extra operand ‘+%T’
! Try 'date --help' for more information.
[1]
$ date -I -R
! date: multiple output formats specified
[1]
$ date foo
! date: invalid date ‘foo’
[1]
$ date -d @0 foo
! date: the argument ‘foo’ lacks a leading '+';
! when using an option to specify date(s), any non-option
! argument must be a format string beginning with '+'
! Try 'date --help' for more information.
[1]
$ date -d @0 -r x
! date: the options to specify dates for printing are mutually exclusive
! Try 'date --help' for more information.
[1]
$ date -x
! date: invalid option -- 'x'
! Try 'date --help' for more information.
[1]
$ touch -d @100 stamped
$ date -r stamped +%s
100
$ date -s 2024-01-01
Mon Jan  1 00:00:00 UTC 2024
! date: cannot set date: Operation not permitted
[1]
$ date -s 2024-01-01 +%Y
2024
! date: cannot set date: Operation not permitted
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        ("America/New_York", "2024-11-03 01:30", "2024-11-03 01:30:00 -0400 EDT"),
        ("America/New_York", "2024-03-09 12:00 1 day", "2024-03-10 12:00:00 -0400 EDT"),
        ("America/New_York", "2024-03-09 12:00 24 hours", "2024-03-10 13:00:00 -0400 EDT"),
        ("Europe/Oslo", "@0", "1970-01-01 01:00:00 +0100 CET"),
        ("Europe/Oslo", "2024-07-01 12:00 UTC", "2024-07-01 14:00:00 +0200 CEST"),
        ("Asia/Kolkata", "2024-07-01", "2024-07-01 00:00:00 +0530 IST"),
        ("Europe/London", "4 months ago", "2023-07-14 23:13:20 +0100 BST"),
        ("Europe/London", "4 months ago 22:13:20", "2023-07-14 22:13:20 +0100 BST"),
        ("Australia/Sydney", "120 days ago", "2023-07-18 08:13:20 +1000 AEST"),
        ("America/New_York", "3000 hours ago", "2023-07-12 18:13:20 -0400 EDT"),
        ("UTC", "third friday next month", "2024-01-01 00:00:00 +0000 UTC"),
    ],
)
def test_zone(utility, zone, text, expected):
    assert utility("date", "-d", text, "+%F %T %z %Z", env={"TZ": zone}).stdout == expected + "\n"


def test_a_time_that_the_clock_skips_is_invalid(utility):
    outcome = utility("date", "-d", "2024-03-10 02:30", env={"TZ": "America/New_York"})
    assert (outcome.stderr, outcome.status) == ("date: invalid date ‘2024-03-10 02:30’\n", 1)
