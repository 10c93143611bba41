"""Utilities that work on whole blocks of lines: the same results as line by line, and no more memory than a block needs."""

import random
import tracemalloc
from collections import Counter
from itertools import groupby

import pytest

from bashkit import Bash

LINES = "".join(
    f"{number * 7919 % 10007} {'alpha beta Gamma delta'.split()[number % 4]} {number / 7:.3f} user{number}@x\n"
    for number in range(5000)
)
RECORDS = "".join(
    f'{{"id":{number},"name":"n{number % 13}","tags":["a","b{number % 3}"],"none":null}}\n' for number in range(2000)
)


def _out(script, **files):
    result = Bash(files={f"/w/{name}": text for name, text in files.items()}, cwd="/w").execute_sync(script)
    return result.stdout, result.stderr, result.exit_code


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ("-E 'alpha|user42@'", lambda line: "alpha" in line or "user42@" in line),
        ("-i GAMMA", lambda line: "gamma" in line.lower()),
        ("'[0-9]\\{4\\} beta'", lambda line: len(line.split()[0]) == 4 and " beta" in line),
        ("'user1[0-9]*@'", lambda line: " user1" in line),
        ("-e 'x*'", lambda _: True),
        ("-x 'none'", lambda _: False),
    ],
)
def test_grep_selects_the_same_lines_in_every_mode(options, chosen):
    lines = LINES.splitlines(keepends=True)
    yes, no = [line for line in lines if chosen(line)], [line for line in lines if not chosen(line)]
    assert _out(f"grep {options} f", f=LINES)[0] == "".join(yes)
    assert _out(f"grep -c {options} f", f=LINES)[0] == f"{len(yes)}\n"
    assert _out(f"grep -v {options} f", f=LINES)[0] == "".join(no)
    assert _out(f"grep -vc {options} f", f=LINES)[0] == f"{len(no)}\n"


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ("-n", lambda line: (int(line.split()[0]), line)),
        ("-k2,2 -k1,1n", lambda line: (line.split()[1], int(line.split()[0]), line)),
        ("-k3,3n", lambda line: (float(line.split()[2]), line)),
        ("-t@ -k2", lambda line: (line.split("@")[1], line)),
        ("-t' ' -k2,2 -k4", lambda line: (line.split()[1], line.split()[3], line)),
    ],
)
def test_sort_by_keys_of_many_lines(options, key):
    assert _out(f"sort {options} f", f=LINES)[0].splitlines() == sorted(LINES.splitlines(), key=key)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1_0 a\n2 b\n", "1 0 2 0 3\n"),
        ("inf a\n2 b\n", "0 1 2 0 2\n"),
        ("1e1 a\n 3\n\n", "10 0 3 0 0 0 13\n"),
    ],
)
def test_awk_takes_for_numbers_what_awk_does_and_python_does_not(text, expected):
    program = '{ printf "%s %s ", $1 + 0, ($1 > "i") ; s += $1 } END { print s }'
    assert _out(f"awk '{program}' f", f=text)[0] == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("NR > 1 { print NR, FNR, $0; exit } END { print NR, $0 }", "2 2 b 2\n2 b 2\n"),
        ("{ print $NF, NF, $(NF - 1) }", "1 2 a\n2 2 b\n3 2 c\n"),
        ("{ while (1) { n++; next } } END { print n, NR }", "3 3\n"),
        ('$2 > m { m = $2; w = $1 } END { print m, w, $5 "" }', "3 c \n"),
        ('{ printf "%s:%d:%5.1f|", $1, $2 * 2.5, $2 }', "a:2:  1.0|b:5:  2.0|c:7:  3.0|"),
        ('{ printf "%d %f ", "+inf", "-nan" }', "+inf -nan +inf -nan +inf -nan "),
    ],
)
def test_awk_programs_that_leave_the_record_alone(program, expected):
    assert _out(f"awk '{program}' f", f="a 1\nb 2\nc 3\n") == (expected, "", 0)


@pytest.mark.thorough
@pytest.mark.parametrize("flags", ["", "-c", "-r", "-rc", "-j", "--tab", "--indent 1", "-S"])
@pytest.mark.parametrize(
    "program",
    [
        ".",
        ".name",
        ".tags[]",
        "select(.id > 1990)",
        '"\\(.id) \\(.name)"',
        "[.id, .none]",
        ".tags | map(. + .)",
        ".id / (.id - 700)",
        "{}",
        "empty",
    ],
)
def test_jq_writes_without_a_worker_what_it_writes_with_one(flags, program):
    without, with_one = (_out(f"jq {flags} {how} '{program}' f", f=RECORDS) for how in ("", "--unbuffered"))
    assert without == with_one


def test_jq_names_the_line_of_an_error_behind_many_values():
    broken = RECORDS + "{]\n"
    assert _out("jq -c .id f | tail -n 1", f=broken)[0] == "1999\n"
    assert _out("jq -c .id f", f=broken)[1:] == _out("jq -c --unbuffered .id f", f=broken)[1:]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "stage",
    [
        "grep -v q",
        "grep -iE 'x|y'",
        "awk '{ s += $1 } END { print s }'",
        "awk '{ print $1 }'",
        "awk '{ print | \"cat\" }'",
        "cut -d' ' -f1",
        "uniq -c",
        "jq -c .",
    ],
)
def test_a_stream_takes_no_more_memory_than_the_pipe(stage):
    tracemalloc.start()
    try:
        assert Bash().execute_sync(f"seq 200000 | {stage} | tail -n 1 > /dev/null").exit_code == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 7 << 20  # all the lines at once would be 10 million bytes and more


def test_awk_reads_and_writes_commands_while_they_run():
    assert _out('awk \'BEGIN { "yes" | getline line; print line; print close("yes") }\'')[0] == "y\n141\n"
    output, errors, _ = _out("yes | awk '{ print | \"head -n 2\" }'; echo ${PIPESTATUS[1]}")
    assert output == "y\ny\n2\n"
    assert errors.endswith(' fatal: print to "head -n 2" failed: Broken pipe\n')


def test_awk_writes_its_own_output_before_what_a_closed_command_has_left():
    assert _out('awk \'BEGIN { print "b" | "cat"; print "a"; close("cat"); print "c" }\'')[0] == "a\nb\nc\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [("", "a b a c d b"), ("-u", "a b a c d b"), ("-r", "b a c a d b")],
)
def test_sort_merges_files_line_by_line_whether_they_are_in_order_or_not(options, expected):
    script = f"sort -m {options} x y | xargs"
    assert _out(script, x="b\na\nc\n", y="a\nd\nb\n")[0] == expected + "\n"


@pytest.mark.parametrize(("before", "after"), [(0, 1), (2, 0), (3, 3), (40, 500), (5000, 0), (1, 99999999)])
def test_grep_shows_lines_around_matches_from_one_block_to_the_next(before, after):
    lines = LINES.splitlines()
    chosen = [index for index, line in enumerate(lines) if "99@" in line]
    near = sorted({place for index in chosen for place in range(max(index - before, 0), min(index + after + 1, len(lines)))})
    expected = ""
    for position, index in enumerate(near):
        if position and near[position - 1] != index - 1:
            expected += "--\n"
        expected += f"{index + 1}{':' if '99@' in lines[index] else '-'}{lines[index]}\n"
    assert _out(f"grep -n -B{before} -A{after} 99@ f", f=LINES) == (expected, "", 0)


@pytest.mark.parametrize("longest", [1, 3, 50, 3000])
@pytest.mark.parametrize("end", ["\n", ""])
def test_uniq_finds_the_runs_that_groupby_finds(longest, end):
    source = random.Random(longest)
    runs = [[source.choice(["", "a", "ab", "a" * 40])] * source.randrange(1, longest + 1) for _ in range(60_000 // longest)]
    text = "\n".join(line for run in runs for line in run) + end
    lines = text.removesuffix("\n").split("\n")
    found = [(len(list(run)), line) for line, run in groupby(lines)]
    assert _out("uniq -c f", f=text)[0] == "".join(f"{size:7} {line}\n" for size, line in found)
    assert _out("uniq -d f", f=text)[0] == "".join(f"{line}\n" for size, line in found if size > 1)
    assert _out("sort f | uniq -c", f=text)[0] == "".join(f"{size:7} {line}\n" for line, size in sorted(Counter(lines).items()))


def test_sort_repeats_few_lines_and_many_after_them():
    lines = ["b", "a"] * 5000 + [f"{number * 7919 % 10007}" for number in range(9000)]
    text = "\n".join(lines) + "\n"
    assert _out("sort f", f=text)[0].splitlines() == sorted(lines)
    assert _out("sort -r f", f=text)[0].splitlines() == sorted(lines, reverse=True)
    assert _out("sort -u f", f=text)[0].splitlines() == sorted(set(lines))
