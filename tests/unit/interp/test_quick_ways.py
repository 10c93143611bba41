"""What is frequent in hot loops stays out of the general ways, which take several times as long."""

import pytest

from bashkit import Bash
from bashkit.builtins import variables
from bashkit.interp.expand import arithmetic_words
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
    monkeypatch.setattr(arithmetic_words, "evaluate", counted("evaluate", arithmetic_words.evaluate))
    monkeypatch.setattr(variables, "declare_names", counted("declare", variables.declare_names))
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


def test_local_variables_of_a_recursive_function_hide_those_of_its_caller(calls):
    """They may have no value, or be an array there."""
    script = """
    a=(1 2); sum() { local n=$1 rest a; ((n == 0)) && { R=0; return; }; sum $((n - 1)); rest=$R; R=$((rest + n)); declare -p a; }
    sum 3; declare -p a; inner() { local list; declare -p list; list=x; }; outer() { local -a list=(p q); inner; echo "${list[@]}"; }; outer
    """
    assert Bash().execute_sync(script).stdout == "declare -- a\n" * 3 + 'declare -a a=([0]="1" [1]="2")\ndeclare -- list\np q\n'
    assert calls.pop("declare") == 5  # declare -p


def test_local_variables_with_attributes_need_no_general_declaration(calls):
    """Each is new in its function; a call within the function hides it again."""
    script = """
    f() { local -i n=$1; local -r k=$1 t; local -n r=out; local -a list; local -A m; declare -l s=ABC; local b=(x y)
          list+=($n); m[k]=$n; n+=1; ((n < 4)) && f $n; r=$s$k${list[0]}${m[k]}${b[1]}; }
    for ((i = 0; i < 3; i++)); do f 1; done; echo $out $n
    """
    assert Bash().execute_sync(script).stdout == "abc111y\n"
    assert "declare" not in calls


def test_numbers_that_are_expanded_first_need_no_parsing(calls):
    """Neither as operands nor in subscripts."""
    script = """
    declare -A grid; for ((i = 0; i < 300; i++)); do sum=$(($sum+0 + $i * 2)); ((grid[$((i % 3)),$sum] += grid[$i,0] + 1)); done
    echo $sum ${#grid[@]}; twice() { echo $(($1*2)); }; twice 4; for i in 1 2 3; do if (( $i % 2 == 0 )); then echo $i; fi; done
    """
    assert Bash().execute_sync(script).stdout == "89700 300\n8\n2\n"
    assert calls.pop("evaluate") <= 3


def test_operators_on_what_is_expanded_first_need_no_parsing(calls):
    """As where a script counts with ``${seen[$key]:-0}``."""
    script = """
    declare -A seen; for ((i = 0; i < 300; i++)); do key=k$((i % 7)); seen[$key]=$((${seen[$key]:-0} + ${step:-1})); done
    echo ${seen[k0]}
    """
    assert Bash().execute_sync(script).stdout == "43\n"
    assert "evaluate" not in calls


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("x=0 y=7; echo $(($y/$x))", '7/0: division by 0 (error token is "0")'),
        ("x=0 y=7; declare -A a; echo $((a[$y,$x] % $x + 1))", 'a[7,0] % 0 + 1: division by 0 (error token is "0 + 1")'),
        ("z=-3; echo $((2**$z))", '2**-3: exponent less than 0 (error token is "3")'),
        ("x=$'\\001[\\0019' y=1/0; echo $((1 + $x + y))", "1 + \x01[\x019 + y: syntax error: operand expected"),
    ],
)
def test_messages_show_what_stood_there(script, message):
    assert message in Bash().execute_sync(script).stderr


def test_commands_are_looked_for_where_the_directories_have_changed():
    """While they are as the machine has them, nobody looks."""
    script = """
    type -a ls; env nosuch 2>&1; printf 'echo mine\\n' > /usr/local/bin/ls; chmod +x /usr/local/bin/ls
    type -a ls; env ls; xargs ls <<< x; rm /usr/local/bin/ls /usr/bin/ls; env ls 2>&1; PATH=/tmp; /usr/bin/env cat 2>&1
    """
    found = "ls is /usr/bin/ls\nls is /bin/ls\n"
    missing = "env: ‘nosuch’: No such file or directory\n"
    gone = missing.replace("nosuch", "ls") + missing.replace("nosuch", "cat")
    assert Bash().execute_sync(script).stdout == f"{found}{missing}ls is /usr/local/bin/ls\n{found}mine\nmine\n{gone}"
