"""Programs that only look at fields have them cut for many records at once: they print what they print when records come one by one."""

import random

import pytest

from bashkit.commands.patterns.awk.run.runtime import Runtime

PROGRAMS = [
    "{ s += $1 } END { print s }",
    "{ s += $3; n++ } END { print n, s }",
    "$2 > 50",
    "$1 > 50 { print $3, NR }",
    "{ print $2 }",
    "{ print $3, $1 }",
    "{ print FILENAME, FNR, $2 }",
    '$1 == "x" { n++ } END { print n, NR }',
    "{ s += $2 } END { print s, $0, NF }",
    "$1 > m { m = $1 } END { print m }",
    "{ if ($1 > m[$2]) m[$2] = $1; if (!($2 in n) || $1 < n[$2]) n[$2] = $1 } END { for (k in m) print k, m[k], n[k] }",
    "{ if ($1 < 30) next; print $2 }",
    '{ if ($2 > 90) exit; print $1 } END { print "end", NR }',
    "{ if ($1 > 50) nextfile; print $2 }",
    "!seen[$2]++",
    "NR % 3 == 0 { print $1 }",
    "{ print length($4) }",
    "$1 + 0 == $1 { n++ } END { print n }",
    "{ if ($1 < $2) print $1; else print $2 }",
    "BEGIN { getline; print } { print $1 }",
]
WORDS = ["x", "yy", "-0", "0", "007", "+5", "1e3", "0x1A", "inf", "nan", "1_0", ".5", "5.", "é", "a-b", "98765432109876543210"]
ONE_BY_ONE = "function unused() {} "  # in a program with functions, any record may change


def _text(source, separator, *, regular):
    fields = source.randrange(1, 6)
    lines = []
    for _ in range(source.choice([0, 1, 2, 5, 40])):
        count = fields if regular else source.randrange(7)
        words = [source.choice(WORDS) if source.random() < 0.3 else str(source.randrange(100)) for _ in range(count)]
        line = separator.join(words)
        if not regular and separator == " ":
            line = source.choice(["", "  ", "\t"]) + line.replace(" ", source.choice([" ", "  ", " \t", "\x0b"]), 2)
        lines.append(line)
    return "\n".join(lines) + source.choice(["", "\n"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_columns_are_the_fields(utility, program):
    source = random.Random(program)
    for _ in range(40):
        separator = source.choice([" ", " ", ",", "\t", "|", "-"])
        options = [] if separator == " " else ["-F", separator]
        for name in ("f", "g"):
            utility.fs.write_file(f"/tmp/{name}", _text(source, separator, regular=source.random() < 0.6).encode())
        quick = utility("awk", *options, program, "/tmp/f", "/tmp/g")
        thorough = utility("awk", *options, ONE_BY_ONE + program, "/tmp/f", "/tmp/g")
        assert (quick.stdout, quick.stderr, quick.status) == (thorough.stdout, thorough.stderr, thorough.status)


def test_a_field_is_compared_at_once_with_a_number_that_an_array_keeps(utility, monkeypatch):
    """The general comparison is for what was not kept yet, and for texts."""
    compared = []
    compare = Runtime.compare
    monkeypatch.setattr(Runtime, "compare", lambda self, *values: compared.append(values) or compare(self, *values))
    lines = "".join(f"{number * 7919 % 1009} {number % 5}\n" for number in range(500))
    result = utility("awk", "{ if ($1 > m[$2]) m[$2] = $1 } END { print m[0], m[4] }", stdin=lines.encode())
    assert result.stdout.split() == ["1002", "997"]
    assert len(compared) < 10
