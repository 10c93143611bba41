"""What is frequent in hot loops stays out of the general ways, which take several times as long."""

import pytest

from bashkit import Bash
from bashkit.interp.jit.support import NAMES
from bashkit.interp.state.store import VariableStore

LOCALS = """
count() { local i total=0; for ((i = 0; i < 1000; i++)); do total=$((total + i)); done; echo $total; declare -p i total; }
count; echo ${i-unset}
"""


@pytest.fixture
def calls(monkeypatch):
    """How often each of the general ways was taken."""
    counts = {}

    def counted(name, run):
        def call(*arguments, **options):
            counts[name] = counts.get(name, 0) + 1
            return run(*arguments, **options)

        return call

    monkeypatch.setattr(VariableStore, "_assign_slowly", counted("assign", VariableStore._assign_slowly))
    for name in ("operand", "operand_element"):
        monkeypatch.setitem(NAMES, name, counted(name, NAMES[name]))
    return counts


def test_a_local_variable_without_attributes_is_a_plain_one(calls):
    """It is declared first, and has its value from then on like any other."""
    result = Bash().execute_sync(LOCALS)
    assert result.stdout == '499500\ndeclare -- i="1000"\ndeclare -- total="499500"\nunset\n'
    assert sum(calls.values()) <= 4


def test_a_subscript_may_multiply(calls):
    script = "a=({0..99}); for ((i = 0; i < 500; i++)); do ((sum += a[i % 10 * 9] * a[2*3])); done; echo $sum"
    assert Bash().execute_sync(script).stdout == "121500\n"
    assert not calls
