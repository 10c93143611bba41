"""What shells hold is counted when the budget seems to be used up, and given back when it is gone."""

import gc

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.errors import LimitExceededError
from bashkit.limits import Budget, Words

MEGABYTE = 'x=$(head -c 1000000 /dev/zero | tr "\\0" a); '


def run(script, megabytes=8):
    return Bash(limits=ExecutionLimits(max_memory_bytes=megabytes << 20, timeout=30)).execute_sync(MEGABYTE + script)


@pytest.mark.parametrize(
    "script",
    [
        "for i in {1..20}; do declare v$i=$x$i; done",
        "for i in {1..20}; do export v$i=$x$i; done",
        "for i in {1..20}; do a[i]=$x$i; done",
        "declare -A m; for i in {1..20}; do m[$x$i]=1; done",
        "declare -A m; for i in {1..20}; do m+=([$x$i]=1); done",
        "for i in {1..20}; do declare v$x$i=; done",
        "for i in {1..20}; do alias a$i=$x$i; done",
        "for i in {1..20}; do hash -p /$x$i n$i; done",
        "for i in {1..20}; do complete -W $x$i c$i; done",
        'for i in {1..20}; do eval "f$i() { : $x; }"; done',
        'for i in {1..20}; do set -- "$@" $x$i; done',
        "for i in {1..20}; do exec {f}<<< $x$i; done",
        "f() { local y=$1$((n++)); f $y; }; f $x",
        "f() { set -- $1$((n++)); f $1; }; f $x",
        "for i in {1..9}; do { y=$x$i; sleep 9; } & done; wait",
        "for i in {1..9}; do sleep 9 <<< $x$i & done; wait",
        "for i in {1..9}; do printf %s $x$i | sleep 9 & done; wait",
        "for i in {1..9}; do { y=$(echo $x$i; sleep 9); } & done; wait",
        'for i in {1..9}; do eval "a$i=({1..20000})"; done',
        "for i in {1..9}; do mapfile -t a$i < <(seq 8000); done",
        "set -- {1..100000}; a=({1..100000})",
        ": $x$x $x$x $x$x $x$x $x$x",
        ': "$x$x$x$x$x$x$x$x$x"',
        *(
            f'for i in {{1..12}}; do {{ printf %s "$x"; sleep 9; }} | {reader} & done; wait'
            for reader in (
                "cut -c1",
                "sed p",
                "awk 1",
                "grep x",
                "rev",
                "fold -w 999999999",
                "head -n -1",
                "tail -n 1",
                "tail -c 1G",
                "xargs",
                "read y",
                "read -d x y",
                "read -t 9 y",
                "mapfile y",
                "mapfile -n 9 y",
                "numfmt",
                "bash",
                ". /dev/stdin",
            )
        ),
    ],
)
def test_whatever_holds_text_is_counted(script):
    assert run(script).error == "limit:max_memory_bytes"


ANSWERS = ["xargs", "xargs -0", "xargs -p", "numfmt", "grep -m 1 2", "sed R/dev/zero f", "cp -i f g", "rm -i f", "unzip a.zip"]
ANSWERS += ["zip -z a.zip f", 'dc -e "?"', r"find f -ok echo \;", "select y in a; do :; done"]


@pytest.mark.parametrize("reader", ANSWERS)
def test_a_line_without_end_is_too_long(reader):
    bash = Bash(limits=ExecutionLimits(max_string_bytes=4 << 20, timeout=20))
    bash.execute_sync("echo 1 | tee f g; zip a.zip f")
    assert bash.execute_sync(f"tr '\\0' 1 < /dev/zero | {reader}").error == "limit:max_string_bytes"


@pytest.mark.parametrize(
    "script",
    [
        "for i in {1..30}; do y=$x$i; unset y; done",
        "for i in {1..30}; do a[1]=$x$i; done",
        "for i in {1..30}; do a[i]=$x$i; unset 'a[i]'; done",
        "declare -A m; for i in {1..30}; do m[$x$i]=1; m=(); done",
        "f() { local y=$x$1; }; for i in {1..30}; do f $i; done",
        "for i in {1..30}; do (y=$x$i; a=($x)); z=$(y=$x$i); done",
        "for i in {1..30}; do set -- $x$i; done",
        "for i in {1..30}; do : $x$i $x; done",
        "for i in {1..30}; do cat <<< $x$i; done > /dev/null",
        "for i in {1..30}; do a=({1..20000}); set -- {1..20000}; done",
        'for i in {1..30}; do eval "f() { : $x; }"; done',
        "for i in {1..30}; do y=$(echo $x$i); done",
    ],
)
def test_what_is_gone_counts_no_more(script):
    assert run(script, 16).error is None


def test_a_list_is_charged_while_it_lives():
    budget = Budget(ExecutionLimits())
    before = budget.memory
    words = Words(budget, ["word"] * 5000)
    assert budget.memory < before - 5000 * 50
    del words
    gc.collect()
    assert budget.memory == before


def test_words_behind_the_first_are_charged_once_and_as_long_as_they_live():
    budget = Budget(ExecutionLimits())
    before = budget.memory
    words = Words(budget, map(str, range(5000)))
    charged = budget.memory
    rest = words.after(1).after(2)
    del words
    assert rest == [str(number) for number in range(3, 5000)]
    assert budget.memory == charged
    del rest
    assert budget.memory == before


def test_a_list_is_asked_for_before_it_is_made():
    budget = Budget(ExecutionLimits(max_memory_bytes=1 << 20))
    made = []
    with pytest.raises(LimitExceededError):
        Words(budget, (made.append(number) or str(number) for number in range(400_000)))
    assert len(made) < 50_000


def test_a_count_gives_back_what_was_not_held():
    budget = Budget(ExecutionLimits(max_memory_bytes=1 << 20))
    budget.measure = lambda: 1000
    for _ in range(100):
        budget.grow(100_000)
    budget.measure = lambda: 2 << 20
    with pytest.raises(LimitExceededError):
        for _ in range(100):
            budget.grow(100_000)


def test_a_large_array_is_no_long_string():
    result = Bash().execute_sync("a=({1..400000}); echo ${#a[@]}")
    assert (result.stdout, result.error) == ("400000\n", None)


@pytest.mark.parametrize(
    "script",
    [
        ": ${a}{b} 'c' \"d$e\"" * 20_000,
        "if false; then\n" + ": $a b > c\n" * 50_000 + "fi",
        "a=(" + "$x [1]=y " * 50_000 + ")",
        "x=" + "~:" * 100_000,
        "cat <<E\n" + "$x$y\n" * 100_000 + "E\n",
        "echo `" + "a;" * 500_000 + "`",
        ">a " * 100_000,
    ],
    ids=["words", "commands", "elements", "tildes", "here-document", "backquotes", "redirections"],
)
def test_what_a_text_becomes_is_charged(script):
    assert Bash(limits=ExecutionLimits(max_memory_bytes=24 << 20)).execute_sync(script).error == "limit:max_memory_bytes"


@pytest.mark.thorough
@pytest.mark.parametrize("before", ["", "shopt -s expand_aliases; alias x=y\n", "bash <<'E'\n"])
def test_what_a_line_became_is_given_back(before):
    line = "if true; then " + ": a b c; " * 2_000 + "fi\n"
    script = before + line * 20 + ("E\n" if before.startswith("bash") else "")
    assert Bash(limits=ExecutionLimits(max_memory_bytes=12 << 20)).execute_sync(script).error is None


def test_what_evals_inside_each_other_become_is_held_together():
    body = ": a b c; " * 2_000
    script = f"b='{body}'; f() {{ eval \"$b : $1; f $(($1 + 1))\"; }}; f 1"
    assert Bash(limits=ExecutionLimits(max_memory_bytes=24 << 20)).execute_sync(script).error == "limit:max_memory_bytes"


def test_a_small_script_is_charged_for_nothing(monkeypatch):
    monkeypatch.setattr(Budget, "hold", lambda budget, length: pytest.fail("charged"))
    assert Bash().execute_sync("x=1\nif true; then y=$x; fi\n: {1..9}").exit_code == 0


def test_an_array_that_fits_just_so_is_charged_all_the_same():
    result = Bash().execute_sync("a=({1..370000}); echo one; x=$(head -c 16000000 /dev/zero | tr '\\0' a); echo two")
    assert (result.stdout, result.error) == ("one\n", "limit:max_memory_bytes")


def test_names_that_match_are_counted_as_they_are_found():
    bash = Bash(limits=ExecutionLimits(max_words=20_000, timeout=60))
    result = bash.execute_sync("mkdir t; cd t; for i in {1..9}; do ln -s . l$i; done; echo */*/*/*/*/*/*")
    assert result.error == "limit:max_words"
