"""What is kept between executions is bounded, however long the texts of scripts are."""

import pytest

from bashkit import Bash
from bashkit.builtins.formats import compile_format
from bashkit.interp.expand.indirection import _parse_reference
from bashkit.interp.expand.parameters import compile_parameter
from bashkit.interp.run import scripts
from bashkit.interp.runtime.zones import zone
from bashkit.regex.glob import compile_glob
from bashkit.syntax.nodes import ParameterExpansion


@pytest.fixture(autouse=True)
def nothing_kept():
    scripts.forget_scripts()


def test_a_text_is_kept_when_it_comes_again():
    bash = Bash()
    bash.execute_sync("echo a")
    assert not scripts._kept.scripts
    bash.execute_sync("echo a")
    kept = scripts._kept.scripts["echo a", 1]
    bash.execute_sync("echo a")
    Bash().execute_sync("echo a")
    assert scripts._kept.scripts["echo a", 1] is kept


def test_texts_that_come_once_leave_next_to_nothing(monkeypatch):
    monkeypatch.setattr(scripts, "_NOTED", 10)
    bash = Bash()
    for number in range(35):
        bash.execute_sync(f"echo {number}")
    assert not scripts._kept.scripts
    assert (len(scripts._kept._noted), len(scripts._kept._noted_before)) == (5, 10)
    bash.execute_sync("echo 25")
    bash.execute_sync("echo 19")
    assert list(scripts._kept.scripts) == [("echo 25", 1)]


def test_an_eval_inside_itself_is_compiled_once_more(monkeypatch):
    made = []
    init = scripts.Script.__init__
    monkeypatch.setattr(scripts.Script, "__init__", lambda script, *given: made.append(given[0]) or init(script, *given))
    Bash().execute_sync('f=\'((n++ < 20)) && eval "$f"\'; eval "$f"')
    assert len(made) == 3


def test_texts_that_become_much_make_room(monkeypatch):
    monkeypatch.setattr(scripts, "_ROOM", scripts._ROOM // 10)
    bash = Bash()
    for number in range(100):
        for _ in range(2):
            bash.execute_sync(":;" * 100 + f": {number}")
    kept = scripts._kept.scripts
    assert 10 < len(kept) < 100
    assert sum(script.steps for script in kept.values()) <= scripts._ROOM
    assert sum(script.weight for script in kept.values()) == scripts._kept._weight


def test_the_weight_is_right_when_scripts_go_while_they_run(monkeypatch):
    monkeypatch.setattr(scripts, "_ROOM", scripts._ROOM // 10)
    bash = Bash()
    for _ in range(3):
        bash.execute_sync('for i in {1..200}; do eval "' + ":;" * 50 + ' : $i"; done\n: end')
    kept = scripts._kept.scripts
    assert 10 < len(kept) < 200
    assert sum(script.weight for script in kept.values()) == scripts._kept._weight <= scripts._ROOM


def test_no_execution_is_kept_with_a_script():
    bash = Bash()
    for _ in range(2):
        bash.execute_sync("x=1\nx=2")
    assert scripts._kept.scripts
    assert all(script._parser.on_progress is None for script in scripts._kept.scripts.values())


@pytest.mark.parametrize(
    ("call", "cached"),
    [
        (lambda: compile_format("%s" * 5000), False),
        (lambda: compile_format("%s"), True),
        (lambda: _parse_reference("a[" + "x" * 5000 + "]"), False),
        (lambda: _parse_reference("a[1]"), True),
        (lambda: compile_parameter(ParameterExpansion("x" * 5000)), False),
        (lambda: compile_parameter(ParameterExpansion("x")), True),
        (lambda: compile_glob("*a" * 5000), False),
        (lambda: compile_glob("*a"), True),
        (lambda: zone("UTC" + "0" * 5000), True),  # which is UTC
    ],
)
def test_what_a_long_text_becomes_is_not_kept(call, cached):
    assert (call() is call()) is cached


@pytest.mark.parametrize("line", ["cat <<A; )\nA", "echo $(cat <<A; done)", "echo $(true; (true; done))"])
def test_a_syntax_error_is_the_same_when_the_text_is_kept(line):
    text = f"# what the first line leaves\n\n{line}\n"
    answers = [Bash().execute_sync(text) for _ in range(3)]
    assert "syntax error near" in answers[0].stderr
    assert len({(answer.exit_code, answer.stderr) for answer in answers}) == 1
