"""awk: input, output, commands, operands and limits (POSIX XCU awk, gawk manual)."""

import pytest

from bashkit.errors import LimitExceededError
from bashkit.fs import BytesStream
from bashkit.interp.runtime.capture import Capture
from bashkit.interp.utility.process import Process, invoke
from bashkit.limits import Budget, ExecutionLimits


@pytest.fixture
def shell(utility):
    """Lets ``sh -c COMMAND`` run a few commands, so that pipes can be tested without a shell."""
    inner = utility.launcher.run

    def run(argv, *, stdin=None, stdout=None, **streams):
        assert argv[:2] == ["sh", "-c"]
        words = argv[2].split()
        if words[0] == "exit":
            return int(words[1])
        return inner(words, stdin=stdin, stdout=stdout, **streams)

    utility.launcher.run = run
    return utility


def test_getline_forms(shell):
    shell.write("f", "one\ntwo\n")
    program = """
        NR == 1 { getline; print "plain", $0, NR
                  getline x; print "var", x, $0, NR
                  while ((getline l < "f") > 0) n = n l ","
                  print "file", n, NR
                  close("f"); getline < "f"; print "record", $0, NF, NR
                  "echo a b" | getline; print "command", $2
                  "echo c" | getline y; print "into", y
                  print (getline z < "none"), (getline x), NR }
        END { print NR, $0 }
    """
    assert shell("awk", program, stdin="1\n2\n3\n").stdout == (
        "plain 2 2\nvar 3 2 3\nfile one,two, 3\nrecord one 1 3\ncommand b\ninto c\n-1 0 3\n3 a b\n"
    )


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('BEGIN { while (("echo x" | getline l) > 0) print "got " l }', "got x\n"),
        ('BEGIN { "echo " "a" | getline x; print x }', "a\n"),
        ('BEGIN { cmd = "echo q"; cmd | getline x; close(cmd); cmd | getline y; print x y }', "qq\n"),
        ('BEGIN { getline line < "-"; print line }', "in\n"),
        ("BEGIN { x = getline; print x, $0; print getline }", "1 in\n0\n"),
        ('BEGIN { print "b" | "sort"; print "a" | "sort"; print "head" }', "a\nb\nhead\n"),
        ('BEGIN { print "first"; print "x" | "cat"; close("cat"); print "last" }', "first\nx\nlast\n"),
        ('BEGIN { print "x" | "cat"; close("cat"); print "y" | "cat" }', "x\ny\n"),
        ('BEGIN { printf "a"; r = system("exit 3"); print r; print system("echo b") }', "a3\nb\n0\n"),
        ('BEGIN { print "x" | "exit 4"; print close("exit 4"), close("nothing") }', "4 -1\n"),
        ('BEGIN { print "o" > "/dev/stdout"; print "p" }', "o\np\n"),
        ('BEGIN { print fflush(), fflush("none") }', "0 -1\n"),
    ],
)
def test_commands(shell, program, expected):
    assert shell("awk", program, stdin="in\n").stdout == expected


def test_output_files(utility):
    utility.write("old", "kept\n")
    program = """{ print $1 > $2 ".txt"; print "more" >> "old"; print 1, 2 > "list" }
                 END { print "e" > "/dev/stderr"; close("list"); while ((getline l < "list") > 0) print l }"""
    found = utility("awk", program, stdin="a x\nb y\nc x\n")
    assert (found.stdout, found.stderr) == ("1 2\n1 2\n1 2\n", "e\n")
    assert [utility.read(name) for name in ("x.txt", "y.txt", "old")] == ["a\nc\n", "b\n", "kept\nmore\nmore\nmore\n"]


def test_more_files_than_descriptors(utility):
    program = 'BEGIN { for (j = 0; j < 2; j++) for (i = 0; i < 400; i++) print j > ("f" i) }'
    assert utility("awk", program).status == 0
    assert {utility.read(f"f{number}") for number in range(400)} == {"0\n1\n"}


def test_greater_compares_inside_parentheses(utility):
    assert utility("awk", 'BEGIN { print (2 > 1), (1 > 2) ? "a" : "b"; print 1 > "f" }').stdout == "1 b\n"
    assert utility.read("f") == "1\n"


OPERANDS = [
    (["{ print FILENAME, FNR, NR, $0 }", "a", "b"], "a 1 1 A1\na 2 2 A2\nb 1 3 B1\n"),
    (["{ print x $0 }", "x=1", "a", "x=2", "b"], "1A1\n1A2\n2B1\n"),
    (["-v", "x=a\\tb", "BEGIN { print x }"], "a\tb\n"),
    (["-v", "n=10", "BEGIN { print (n > 9), n == 10.0 }"], "1 1\n"),
    (["BEGIN { print ARGC, ARGV[1], ARGV[2] }", "p", "q=1"], "3 p q=1\n"),
    (['BEGIN { ARGV[1] = ""; ARGV[2] = "b"; ARGC = 3 } { print }', "a"], "B1\n"),
    (["END { print x }", "x=7", "b"], "7\n"),
    (["{ print $2 }", "FS=1", "a"], "\n\n"),
    (['FNR == 1 { print FILENAME; nextfile } { print "no" }', "a", "b"], "a\nb\n"),
    (["--assign", "x=5", "--field-separator=1", "{ print x $1 }", "b"], "5B\n"),
    (["-f", "prog", "-f", "lib", "b"], "[B1]\n"),
    (["--", '{ print "-" $0 }', "b"], "-B1\n"),
    (["{ print }", "b", "-"], "B1\nin\n"),
    (["{ print FILENAME }"], "-\n"),
]


@pytest.mark.parametrize(("argv", "expected"), OPERANDS)
def test_operands(utility, argv, expected):
    for name, content in {
        "a": "A1\nA2\n",
        "b": "B1\n",
        "prog": "{ print f($0) }\n",
        "lib": 'function f(x) { return "[" x "]" }',
    }.items():
        utility.write(name, content)
    assert utility("awk", *argv, stdin="in\n").stdout == expected


@pytest.mark.parametrize(
    ("argv", "stderr", "status"),
    [
        (["{ print }", "none"], "awk: fatal: cannot open file `none' for reading: No such file or directory\n", 2),
        (["{ print }", "/tmp"], "awk: warning: command line argument `/tmp' is a directory: skipped\n", 0),
        (["-f", "none"], "awk: fatal: cannot open source file `none' for reading: No such file or directory\n", 2),
        (["-v", "1x=3", "BEGIN {}"], "awk: fatal: `1x' is not a legal variable name\n", 2),
    ],
)
def test_operand_messages(utility, argv, stderr, status):
    found = utility("awk", *argv)
    assert (found.stderr, found.status) == (stderr, status)


def test_environment(utility):
    program = 'BEGIN { print ENVIRON["HOME"], (ENVIRON["N"] > 9), length(ENVIRON) }'
    assert utility("awk", program, env={"HOME": "/h", "N": "10"}).stdout == "/h 1 2\n"


def test_time(utility):
    program = 'BEGIN { print systime(), strftime("%Y-%m-%d %H:%M:%S", 0), mktime("2020 01 01 00 00 00"), mktime("x") }'
    assert utility("awk", program).stdout == "1700000000 1970-01-01 00:00:00 1577836800 -1\n"
    assert utility("awk", 'BEGIN { print strftime("%H", 0) }', env={"TZ": "Asia/Tokyo"}).stdout == "09\n"


@pytest.mark.parametrize("when", ["1e300", "-1e18", "log(0)", "-log(0)", "log(-1)"])
def test_a_time_that_no_calendar_has_is_no_text(utility, when):
    assert utility("awk", f'BEGIN {{ print "[" strftime("%Y", {when}) "]" }}').stdout == "[]\n"


def limited(utility, program, stdin=b"", **limits):
    budget = Budget(ExecutionLimits(**limits))
    output = Capture(budget)
    process = Process(
        "awk",
        [program],
        {0: BytesStream(stdin), 1: output, 2: Capture(budget)},
        {},
        utility.cwd,
        0o022,
        utility.fs,
        budget,
        utility.system,
        utility.launcher,
    )
    from bashkit.commands import find_command

    with pytest.raises(LimitExceededError) as caught:
        invoke(find_command("awk"), process)
    return caught.value.name


@pytest.mark.parametrize(
    ("program", "limit"),
    [
        ("BEGIN { while (1); }", "timeout"),
        ("BEGIN { do {} while (1) }", "timeout"),
        ("BEGIN { for (;;) continue }", "timeout"),
        ("function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { f(60) }", "timeout"),
        ('BEGIN { while (1) printf "" }', "timeout"),
        ("function f() { f() } BEGIN { f() }", "max_function_depth"),
        ("function f(x) { return g(x) + 1 } function g(x) { return f(x) } BEGIN { f(1) }", "max_function_depth"),
        ('BEGIN { x = "a"; while (1) x = x x }', "max_string_bytes"),
        ('BEGIN { while (1) x = x "aaaaaaaaaaaaaaaaaaaa" }', "max_string_bytes"),
        ('BEGIN { printf "%999999999d", 1 }', "max_string_bytes"),
        ('BEGIN { printf "%*d", 999999999, 1 }', "max_string_bytes"),
        ('BEGIN { printf "%.*f", 999999999, 1 }', "max_string_bytes"),
        ('BEGIN { x = "aaaaaaaa"; while (1) gsub(/a/, "aaaaaaaa", x) }', "max_string_bytes"),
        ('BEGIN { x = "aaaaaaaa"; while (1) gsub(/a|b/, "&&&&&&&&", x) }', "max_string_bytes"),
        ("BEGIN { $99999999 = 1 }", "max_words"),
        ("BEGIN { NF = 1e15 }", "max_words"),
        ("BEGIN { while (1) a[i++] = 1 }", "max_words"),
        ("function f(n,  a) { while (1) a[n++] = 1 } BEGIN { f(0) }", "max_words"),
        ('BEGIN { while (1) a[i++ % 50] = sprintf("%1000000d", i) }', "max_memory_bytes"),
        ('BEGIN { while (1) print "x" }', "max_output_bytes"),
        ("{ while (1) a[i++] = $0 }", "timeout"),
        ('BEGIN { while (1) a[i++ % 10] = i / 7 "" }', "timeout"),
    ],
)
def test_limits(utility, program, limit):
    limits = {"max_words": 50_000, "max_string_bytes": 1 << 22, "max_memory_bytes": 1 << 25, "max_output_bytes": 1 << 20}
    if limit == "timeout":
        limits = {"max_words": 1 << 40, "timeout": 0.2}
    assert limited(utility, program, b"x\n", **limits) == limit
