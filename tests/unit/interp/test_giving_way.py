"""What takes long asks the budget for its time, so that the host's event loop has its turn."""

import asyncio
import threading
import time
from itertools import count

import pytest

from bashkit import Bash, ExecutionLimits
from bashkit.builtins import names
from bashkit.errors import LimitExceededError
from bashkit.interp.runtime import hub
from bashkit.limits import Budget, ask, paced, turn
from bashkit.regex.automaton import Search, engine

CASES = {
    "an awk program": (10_000, "p=$(printf 'x=x+1;%.0s' {1..500}); awk \"BEGIN{$p}\""),
    "a sum of awk": (4_000, "p=$(printf 'x+%.0s' {1..150}); awk \"BEGIN{x=${p}1;y=${p}1;z=${p}1;w=${p}1}\""),
    "a sed script": (15_000, "sed -n \"$(printf 's/a%d/b/;' {1..400})\" <<< a"),
    "commands of sed": (3_000, "sed -n \"$(printf 'p;%.0s' {1..1000})\" <<< a"),
    "parentheses of bc": (4_000, "echo \"$(printf '(%.0s' {1..2000})1\" | bc"),
    "strings of grep": (30_000, "grep -F \"$(printf 'string%d\\n' {1..20000})\" <<< a"),
    "an expression": (50_000, "grep -E \"$(printf 'a?%.0s' {1..2000})\" <<< a"),
    "a page": (27_000, "for i in {1..1000}; do echo '<p>a<b>c</b>'; done | xmllint --html - | wc -c"),
    "a table": (15_000, "seq 3000 | column -t"),
    "paragraphs": (8_000, "printf '%d a b c\\n\\n' {1..1000} | fmt"),
    "lines of an array": (13_000, "mapfile -t a < <(seq 5000)"),
    "numbers in order": (125_000, "seq 20000 | sort -n | tail -1"),
    "a file that is compressed": (400_000, "head -c 4000000 /dev/zero | gzip | wc -c"),
    "keys in their order": (2_500, "declare -A m; for i in {1..2000}; do m[k$i]=; done; : ${!m[@]}"),
    "lines of a here-document": (4_000, "cat <<E\n" + "a\n" * 5000 + "E\n"),
    "redirections": (8_000, ": " + ">f " * 500),
    "values that name values": (
        1_000,
        'a0=1; for i in {1..10}; do declare a$i="b[a$((i-1))]+b[a$((i-1))]"; done; echo $((a10))',
    ),
    "escapes of a prompt": (5_000, r"x=$(printf '\\w%.0s' {1..2000}); : ${x@P}"),
    "escapes of echo": (7_000, r"echo -e $(printf '\\x41%.0s' {1..3000})"),
    "escapes of a format": (7_000, r"printf $(printf '\\x41%.0s' {1..3000})"),
    "directories of PATH": (9_000, "PATH=$(printf '/n%d:' {1..2000}); nothing"),
    "directories of CDPATH": (9_000, "CDPATH=$(printf '/n%d:' {1..2000}); cd nothing"),
    "characters that are dropped": (9_000, "read -N 5000 x < <(head -c 5000 /dev/zero)"),
    "a menu": (5_000, "select x in {1..5000}; do :; done <<< 1"),
    "elements of an array": (9_000, "a=({1..5000})"),
    "choices in braces": (25_000, 'eval "echo {$(seq -s, 3000)}"'),
    "tokens of an expression": (30_000, "echo $(( $(printf '1+%.0s' {1..5000})1 ))"),
    "values of awk in their order": (25_000, "seq 5000 | awk '{a[$1]=$1} END{asort(a)}'"),
    "files of awk": (9_000, "seq 500 | awk '{print > \"f\" $1}'"),
    "files of split": (9_000, "seq 500 | split -a 4 -l 1"),
    "lines with the same key": (12_000, "yes | head -n 5000 > f; join f f | head -n 1"),
    "negations": (40_000, "eval \"$(printf '! %.0s' {1..5000}) true\""),
    "brackets in a subscript": (20_000, "eval \"a[$(printf '[%.0s' {1..3000})\""),
    "separators": (12_000, "IFS=$(printf %b $(printf '\\\\u%x' {1000..4000})); x='a b'; set -- $x"),
    "fields": (23_000, "IFS=,; x=$(seq -s, 5000); set -- $x"),
    "words in a trace": (8_000, "x=$(head -c 200000 /dev/zero | tr '\\0' a); set -x; : $x"),
    "commands before commands": (450, "x=($(printf 'command %.0s' {1..400})); \"${x[@]}\" true"),
    "long texts of awk": (50_000, 'awk \'BEGIN { s = sprintf("%1000000s", ""); for (i = 0; i < 50; i++) t = s i }\''),
    "two keys": (15_000, "seq 30000 | sort -k1,1n -k2,2n | tail -n 1"),
    "files to touch": (8_000, "touch {1..2000}"),
    "directories to make": (8_000, "mkdir {1..2000}"),
    "modes to change": (16_000, "touch {1..2000}; chmod 600 {1..2000}"),
    "owners to change": (16_000, "touch {1..2000}; chown user {1..2000}"),
    "files to link": (16_000, "touch {1..2000}; mkdir t; ln {1..2000} t"),
    "files to remove": (16_000, "touch {1..2000}; rm {1..2000}"),
    "a directory": (3_000, "touch $(seq 1500); ls -l | wc -l"),
    "a long stack of directories": (3_000, "x=$(printf '%0500000d' 1); pushd -n /$x > /dev/null; dirs > /dev/null"),
    "keys of sort": (260_000, "sort $(printf -- '-k1,1 %.0s' {1..2000}) /dev/null"),
    "lines of diff": (200_000, "seq 20000 > a; seq 2 20000 > b; diff -w a b"),
    "escapes of a variable of awk": (50_000, "awk -v \"x=$(printf '\\\\n%.0s' {1..20000})\" 'BEGIN { print length(x) }'"),
    "a long hunk": (400_000, "seq 20000 > a; sed s/$/x/ a > b; diff a b > p; patch a p"),
    "lines of rg": (20_000, "seq 5000 | rg --column 1"),
    "lines between matches of rg": (80_000, "seq 10000 | rg --passthru --column x"),
    "matches of rg in one line": (40_000, "head -c 5000 /dev/zero | tr '\\0' a | rg --vimgrep a"),
    "long lines of sort": (130_000, "for i in {1..4}; do head -c 3000000 /dev/zero | tr '\\0' 1; echo; done | sort -n"),
    "delimiters of paste": (400_000, "paste -s -d \"$(head -c 500000 /dev/zero | tr '\\0' x)\" /dev/null"),
    "names that are changed": (9_000, "x=$(printf '%080d'); touch $x; tar cf a --transform \"s/0/$x/g;s/0/$x/g;s/0/$x/\" $x"),
    "backquotes": (30_000, "echo `" + ": a b;" * 500 + "`"),
}


@pytest.mark.parametrize(("least", "script"), CASES.values(), ids=CASES)
def test_long_work_asks_for_its_time(monkeypatch, least, script):
    asked = []
    tick = Budget.tick
    monkeypatch.setattr(Budget, "tick", lambda budget, steps=1: asked.append(steps) or tick(budget, steps))
    Bash().execute_sync(script)
    assert sum(asked) >= least


def test_nobody_is_asked_outside_of_an_execution():
    ask(1 << 20)
    for _ in range(1000):
        turn()
    assert list(paced(range(2000))) == list(range(2000))
    assert list(paced([])) == []


async def test_a_long_table_is_read_beside_the_event_loop():
    script = 'for i in {1..5000}; do echo "k$i = $i"; done > x.toml; yq -p toml .k7 x.toml'
    assert (await Bash().execute(script)).stdout == "7\n"
    refused = Bash().execute_sync("head -c 3000000 /dev/zero | tr '\\0' '#' | yq -p toml .")
    assert "toml: longer than" in refused.stderr


def test_an_operation_that_took_long_is_repaid_in_turns(monkeypatch):
    turns = []

    async def both():
        async def host():
            while len(ended) < 2:
                turns.append(len(ended))
                await asyncio.sleep(0)

        async def run(script):
            await Bash().execute(script)
            ended.append(script)

        ended = []
        await asyncio.gather(host(), run("sleep 0.01"), run(":"))

    monkeypatch.setattr(hub.time, "thread_time", count(0, 10).__next__)  # every slice takes ten seconds
    asyncio.run(both())
    assert turns.count(0) > 2400


@pytest.mark.usefixtures("re2")
def test_a_slow_search_is_made_aside():
    budget, asides = Budget(ExecutionLimits()), []
    budget.aside = lambda function: asides.append(function) or function()
    text = "a" * 3000 + "c"
    for pattern, many in ((b"[ab]{900}c", 1), (b"ac", 0)):
        search = Search(
            engine(pattern, 0, longest=True, ignore_case=False), text, text.encode(), 0, reach=None, by_line=False, budget=budget
        )
        assert search.spans(0, "search")[0][1] == 3001
        assert len(asides) == many
        asides.clear()


async def test_steps_that_take_long_are_hurried(monkeypatch):
    def toil(shell):
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        steps[-1] += 1

    monkeypatch.setattr(names, "check_depth", toil)
    steps = [0]
    running = asyncio.create_task(Bash().execute("command command command command command command command command true"))
    while not running.done():
        steps.append(0)
        await asyncio.sleep(0)
    assert sum(steps) == 8
    assert max(steps) < 6  # 16 are granted at first


def test_what_is_hurried_counts_its_commands_all_the_same():
    budget = Budget(ExecutionLimits(max_commands=100))

    def run():
        budget.hurry()
        budget.command()

    for _ in range(100):
        run()
    with pytest.raises(LimitExceededError):
        run()


async def test_what_is_aside_runs_in_another_thread(monkeypatch):
    monkeypatch.setattr(Budget, "command", lambda budget: threads.append(budget.aside(threading.get_ident)))
    threads = []
    await Bash().execute("((1))")
    assert threads
    assert threading.get_ident() not in threads
