"""The decimal context of the host, and its defaults, change nothing of what scripts print."""

import decimal
import subprocess
import sys

import pytest

from bashkit import Bash, ScriptedTool

SCRIPT = r"""
printf '%.1f %g %e %a\n' 0.15 1.25e9 1.23456789 1
printf '%.3f\n' 0x1.8p-3
env printf '%.2f\n' 2.345678
set -o posix; printf '%.2f\n' 2.345678; set +o posix
seq 0 .1 .3
seq -f %.2f 1 .125 1.5
seq -0x1.8p0 -1
numfmt --to=iec 123456 1999
numfmt --from=si --round=up --format=%.2f 1.2345K
printf '%s\n' -2.55 -2.5 -.25 | sort -n
date -u -d @1700000000.123456789 +%s.%N
test 12 -lt 13 && echo less
"""


def _strict():
    with decimal.localcontext() as context:
        return decimal.Context(prec=3, rounding=decimal.ROUND_UP, Emax=9, Emin=-9, traps=list(context.traps))


@pytest.fixture
def expected():
    with decimal.localcontext(decimal.Context()):
        result = Bash().execute_sync(SCRIPT)
    assert result.stderr == ""
    return result.stdout


def test_utilities_calculate_as_always_whatever_the_context_of_the_host_is(expected):
    with decimal.localcontext(_strict()):
        result = Bash().execute_sync(SCRIPT)
    assert (result.stdout, result.stderr) == (expected, "")


def test_utilities_that_are_imported_under_other_defaults_calculate_as_always(expected):
    program = f"""
import decimal
decimal.DefaultContext.prec = 3
decimal.DefaultContext.rounding = decimal.ROUND_UP
for signal in decimal.DefaultContext.traps:
    decimal.DefaultContext.traps[signal] = True
decimal.setcontext(decimal.DefaultContext)
from bashkit import Bash
print(Bash().execute_sync({SCRIPT!r}).stdout, end="")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == expected


def test_a_callback_has_the_context_of_its_host():
    tool = ScriptedTool("api")
    tool.add_tool("third", "a third", lambda args: str(decimal.Decimal(1) / 3))
    with decimal.localcontext(prec=5):
        assert tool.execute_sync("third; printf '%.2f ' 1; third").stdout == "0.333331.00 0.33333"
