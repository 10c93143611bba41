"""jq: its options, statuses and messages, and that a hostile program hurts only its worker."""

import threading
from pathlib import Path

import pytest

from bashkit import Bash
from bashkit.commands._workers import pool as pool_module
from bashkit.commands._workers.pool import pool
from bashkit.commands.data.jq import session
from bashkit.errors import LimitExceededError
from bashkit.fs import Stream
from bashkit.interp.runtime.control import SigPipe

ADVICE = "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs at https://jqlang.org\n"


@pytest.mark.parametrize(
    ("argv", "stdin", "expected"),
    [
        (["."], '{"a":[1,2]}', '{\n  "a": [\n    1,\n    2\n  ]\n}\n'),
        (["-c", "."], '{"a": [1, 2]}', '{"a":[1,2]}\n'),
        (["-rc", ".[]"], '["x y",{"a":1}]', 'x y\n{"a":1}\n'),
        (["-nr", '1, "a"'], "", "1\na\n"),
        (["-j", ".[]"], '["a","b",1]', "ab1"),
        (["-a", "."], '"é"', '"\\u00e9"\n'),
        (["-s", "-c", "."], "1 2\n3", "[1,2,3]\n"),
        (["-Sc", "."], '{"b":1,"a":{"d":1,"c":2}}', '{"a":{"c":2,"d":1},"b":1}\n'),
        (["--tab", "."], "[1]", "[\n\t1\n]\n"),
        (["--indent", "1", "."], "[1]", "[\n 1\n]\n"),
        (["--indent", "0", "."], "[1]", "[\n1\n]\n"),
        (["--indent", "0", "-c", "."], "[1]", "[1]\n"),
        (["--indent", "0", "."], '{"a":1}\n{"b":[2]}\n3', '{\n"a": 1\n}\n{\n"b": [\n2\n]\n}\n3\n'),
        (["-n", "$JQ_BUILD_CONFIGURATION | type"], "", '"string"\n'),
        (["-r", "--raw-output0", "-j", "."], '"a" 1', "a\0001\0"),
        (["-R", "."], "a\nb", '"a"\n"b"\n'),
        (["-Rs", "."], "a\nb\n", '"a\\nb\\n"\n'),
        (["-Rnc", "[inputs]"], "a\nb\n", '["a","b"]\n'),
        (["-nc", "[inputs]"], "1 2 3", "[1,2,3]\n"),
        (["-c", "[., input]"], "1 2 3 4", "[1,2]\n[3,4]\n"),
        (["-c", "[., input_line_number]"], "1\n2\n", "[1,1]\n[2,2]\n"),
        (["-n", "input_filename"], "", "null\n"),
        (["--raw-output0", ".[]"], '["a","b"]', "a\0b\0"),
        (["--seq", "-c", "."], "\x1e[1]", "\x1e[1]\n"),
        (["--stream", "-c", "."], '{"a":[1]}', '[["a",0],1]\n[["a",0]]\n[["a"]]\n'),
        (["-n", "--arg", "x", "1", "$x, $ARGS.named.x"], "", '"1"\n"1"\n'),
        (["-nc", "--argjson", "x", '{"a":1}', "$x"], "", '{"a":1}\n'),
        (["-nc", "$ARGS.positional", "--args", "a", "b"], "", '["a","b"]\n'),
        (["-nc", "$ARGS.positional", "--jsonargs", "1", "null"], "", "[1,null]\n"),
        (["-nc", "--", "[$__loc__.line]"], "", "[1]\n"),
        (["-nr", '@text "\\(1)", @json "\\("a")", @csv "\\([1,"b"])", @sh "\\("it\'s")"'], "", "1\n\"a\"\n1,\"b\"\n'it'\\''s'\n"),
        (["-nc", '[limit(3; repeat(1))], ("abc" | ltrimstr("a")), ({a:{b:1}} | getpath(["a","b"]))'], "", '[1,1,1]\n"bc"\n1\n'),
        (["-n", "now"], "", "1700000000.0\n"),
        (["-nr", '0 | todate, (0 | strftime("%Y"))'], "", "1970-01-01T00:00:00Z\n1970\n"),
        (["-nr", '0 | localtime | strftime("%H")'], "", "00\n"),
        (["-n", "100000000000000000"], "", "100000000000000000\n"),
        ([], '{"a":1}', '{\n  "a": 1\n}\n'),
        (["."], "", ""),
    ],
)
def test_prints(utility, argv, stdin, expected):
    outcome = utility("jq", *argv, stdin=stdin)
    assert (outcome.stdout, outcome.stderr, outcome.status) == (expected, "", 0)


def test_colors(utility):
    assert utility("jq", "-C", "-c", ".", stdin="[null]").stdout == "\x1b[1;39m[\x1b[0m\x1b[0;90mnull\x1b[0m\x1b[1;39m]\x1b[0m\n"
    assert utility("jq", "-C", "-c", ".", stdin="null", env={"JQ_COLORS": "0;31"}).stdout == "\x1b[0;31mnull\x1b[0m\n"
    assert utility("jq", "-C", "-M", ".", stdin="null").stdout == "null\n"


@pytest.mark.parametrize(
    ("argv", "stdin", "stdout", "stderr", "status"),
    [
        (["-e", "."], "1 null", "1\nnull\n", "", 1),
        (["-e", "."], "null 1", "null\n1\n", "", 0),
        (["-e", "empty"], "1", "", "", 4),
        (["--exit-status", ".a"], "{}", "null\n", "", 1),
        ([".+1"], '1 "a"\n', "2\n", 'jq: error (at <stdin>:1): string ("a") and number (1) cannot be added\n', 5),
        ([".+1"], '"a"\n1\n', "2\n", 'jq: error (at <stdin>:1): string ("a") and number (1) cannot be added\n', 0),
        (["-n", "{a:1} | error"], "", "", 'jq: error (at <unknown>) (not a string): {"a":1}\n', 5),
        (["."], "1\n{", "1\n", "jq: parse error: Unfinished JSON term at EOF at line 2, column 1\n", 5),
        (["-n", '"bye\\n" | halt_error'], "", "", "bye\n", 5),
        (["-n", "{} | halt_error(3)"], "", "", "{}\n", 3),
        (["1, halt, 2"], "1 2", "1\n", "", 0),
        (["-n", "1 | debug | stderr"], "", "1\n", '["DEBUG:",1]\n1', 0),
        (["-n", "input"], "", "", "jq: error (at <stdin>:0): break\n", 5),
        (
            ["{"],
            "1",
            "",
            (
                "jq: error: syntax error, unexpected end of file at <top-level>, line 1, column 1:\n"
                "    {\n    ^\njq: 1 compile error\n"
            ),
            3,
        ),
        (
            ["now | foo"],
            "1",
            "",
            (
                "jq: error: foo/0 is not defined at <top-level>, line 1, column 7:\n"
                "    now | foo\n          ^^^\njq: 1 compile error\n"
            ),
            3,
        ),
        ([".", "missing"], "", "", "jq: error: Could not open file missing: No such file or directory\n", 2),
        ([".", "/tmp"], "", "", "jq: error: Is a directory\n", 2),
        (["--arg", "x"], "", "", f"jq: --arg takes two parameters (e.g. --arg varname value)\n{ADVICE}", 2),
        (["--argjson", "x", "{", "."], "", "", f"jq: invalid JSON text passed to --argjson\n{ADVICE}", 2),
        (["-n", "1", "--jsonargs", "{"], "", "", f"jq: invalid JSON text passed to --jsonargs\n{ADVICE}", 2),
        (
            ["--slurpfile", "x", "missing", "."],
            "",
            "",
            "jq: Bad JSON in --slurpfile x missing: Could not open missing: No such file or directory\n",
            2,
        ),
        (["-f", "missing"], "", "", "jq: Could not open missing: No such file or directory\n", 2),
        (["--indent", "8", "."], "", "", f"jq: --indent takes a number between -1 and 7\n{ADVICE}", 2),
        (["-Z", "."], "", "", f"jq: Unknown option -Z\n{ADVICE}", 2),
        (["--zzz", "."], "", "", f"jq: Unknown option --zzz\n{ADVICE}", 2),
        (["-L", "x", "."], "", "", "jq: -L is not supported: there are no modules to search for\n", 2),
        (
            ["--raw-output0", "."],
            '"a\\u0000"',
            "",
            "jq: error (at <stdin>:0): Cannot dump a string containing NUL with --raw-output0 option\n",
            5,
        ),
        (
            ["--seq", "-c", "."],
            "\x1e1\n\x1e[",
            "\x1e1\n",
            "jq: ignoring parse error: Unfinished JSON term at EOF at line 2, column 2\n",
            0,
        ),
    ],
)
def test_statuses_and_messages(utility, argv, stdin, stdout, stderr, status):
    outcome = utility("jq", *argv, stdin=stdin)
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


def test_files(utility):
    utility.write("a.json", '{"x":1}\n')
    utility.write("/data/b.json", '{"x":2}\n"s"\n')
    utility.write("p.jq", "# comment\n.x\n")
    assert utility("jq", "-c", "[.x?, input_filename]", "a.json", "/data/b.json").stdout == (
        '[1,"a.json"]\n[2,"/data/b.json"]\n["/data/b.json"]\n'
    )
    assert utility("jq", ".x", "/data/b.json").stderr == 'jq: error (at /data/b.json:2): Cannot index string with string ("x")\n'
    assert utility("jq", "-f", "p.jq", "a.json").stdout == "1\n"
    assert utility("jq", "-nc", "--slurpfile", "s", "/data/b.json", "--rawfile", "r", "a.json", "[$s, $r]").stdout == (
        '[[{"x":2},"s"],"{\\"x\\":1}\\n"]\n'
    )
    outcome = utility("jq", ".x", "a.json", "missing", "a.json")
    assert (outcome.stdout, outcome.status) == ("1\n1\n", 2)
    assert utility("jq", "-c", ".", "-", "a.json", stdin="0\n").stdout == '0\n{"x":1}\n'


def test_environment_is_the_scripts(utility, monkeypatch):
    monkeypatch.setenv("HOST_SECRET", "1")
    assert utility("jq", "-nc", "$ENV, env.A", env={"A": "b"}).stdout == '{"A":"b"}\n"b"\n'
    assert utility("jq", "-nc", "$ENV", env={"A": "c"}).stdout == '{"A":"c"}\n'
    assert utility("jq", "-nr", '0 | localtime | strftime("%H")', env={"TZ": "Europe/Oslo"}).stdout == "01\n"


def test_modules_tell_nothing_about_the_host(utility, tmp_path):
    (tmp_path / "there.json").write_text('{"secret": 1}')
    (tmp_path / ".jq").write_text("def secret: 1;")
    outcomes = [utility("jq", "-n", f'import "{name}" as $x {{search: "{tmp_path}"}}; $x') for name in ("there", "gone")]
    assert outcomes[0] == outcomes[1]
    assert outcomes[0].status == 3
    assert utility("jq", "-n", "$ENV.HOME | secret", env={"HOME": str(tmp_path)}).status == 3


def test_stdin_is_left_alone_without_need(utility):
    stream = Forbidden()
    assert _run_with(utility, stream, "-n", "1").stdout == "1\n"


class Forbidden(Stream):
    def _fill(self):
        raise AssertionError("standard input was read")


class Endless(Stream):
    """Objects for ever, one a read."""

    def __init__(self):
        super().__init__()
        self.reads = 0

    def _fill(self):
        self.reads += 1
        return b'{"n":%d}\n' % self.reads


class Lines(Stream):
    """A reader that leaves after some lines."""

    writable = True

    def __init__(self, count):
        super().__init__()
        self.count = count
        self.text = b""

    def write(self, data):
        self.text += data
        if self.text.count(b"\n") >= self.count:
            raise SigPipe


def _run_with(utility, stdin, *argv, stdout=None):
    from bashkit import commands
    from bashkit.interp.runtime.capture import Capture
    from bashkit.interp.utility.process import Process, invoke
    from bashkit.limits import Budget, ExecutionLimits

    budget = Budget(ExecutionLimits(timeout=10))
    capture = Capture(budget)
    process = Process(
        "jq",
        list(argv),
        {0: stdin, 1: stdout or capture, 2: capture},
        {},
        "/",
        0o022,
        utility.fs,
        budget,
        utility.system,
        utility.launcher,
    )
    status = invoke(commands.find_command("jq"), process)
    return type("Result", (), {"stdout": capture.value().decode(), "status": status})


def test_endless_input_streams(utility):
    stdin, stdout = Endless(), Lines(3)
    with pytest.raises(SigPipe):
        _run_with(utility, stdin, "-c", ".n", stdout=stdout)
    assert stdout.text.splitlines()[:3] == [b"1", b"2", b"3"]
    assert _run_with(utility, Endless(), "-n", "first(inputs).n").stdout == "1\n"
    assert _run_with(utility, Endless(), "if .n == 2 then halt else .n end").stdout == "1\n"


def test_large_input_and_output(utility):
    data = "[" + ",".join(map(str, range(200_000))) + "]"
    outcome = utility("jq", "-c", ".", stdin=data)
    assert outcome.stdout == data + "\n"


def test_runaway_program_times_out(utility):
    with pytest.raises(LimitExceededError) as caught:
        utility("jq", "-n", "def f: f; f", timeout=0.2)
    assert caught.value.name == "timeout"
    assert utility("jq", "-n", "1?").stdout == "1\n"


def test_memory_eater_dies_alone(utility):
    outcome = utility("jq", "-n", '"a" * 1000000000 | length')
    assert outcome.stderr.startswith("jq: error: cannot allocate memory: ")
    assert (outcome.stderr.endswith(" bytes in all (max_memory_bytes)\n"), outcome.status) == (True, 134)
    assert utility("jq", "-n", "1?").stdout == "1\n"


def test_killed_worker_is_replaced(utility):
    assert utility("jq", "-n", "1?").stdout == "1\n"
    for _, worker in pool._idle:
        worker._process.kill()
        worker._process.wait()
    assert utility("jq", "-n", "2").stdout == "2\n"


def test_threads_share_the_pool(utility):
    results = []
    threads = [threading.Thread(target=lambda n=n: results.append(utility("jq", "-n", str(n)).stdout)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [f"{n}\n" for n in range(6)]
    assert len(pool._idle) <= pool_module._IDLE


def _borrowed():
    ticket = pool.ask(session.PROGRAM, None)
    assert ticket.served.wait(60)
    return ticket.worker


def test_worker_dies_with_its_connection():
    worker = _borrowed()
    worker.send({})  # refused by the worker, which ends
    assert pool.bury(worker) is not None
    other = _borrowed()
    other._connection.close()
    assert other._process.wait(60) == 0
    pool.discard(other)


def _descriptors(process):
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def test_no_descriptor_is_left_open(utility):
    def count():
        assert utility("jq", "-n", "1?").status == 0  # by now the worker is done with what came before
        return _descriptors("self"), _descriptors(pool._idle[-1][1]._process.pid)

    before = count()
    for _ in range(5):
        _run_with(utility, Endless(), "-n", "first(inputs)")
    assert count() == before


def test_help_and_version(utility):
    assert "--slurpfile name file" in utility("jq", "--help").stdout
    assert utility("jq", "--version").stdout == "jq-1.8\n"


def test_without_the_wheel(utility, monkeypatch):
    pool.close()
    monkeypatch.setattr(session, "find_spec", lambda name: None)
    outcome = utility("jq", "map(.)?")
    assert (outcome.stderr, outcome.status) == ("jq: error: the Python package 'jq' is not installed\n", 2)


TEXTS = [
    "",
    "\n\n",
    "1",
    "1 2\n\n3",
    '{"a":\n1}\n{"a":"x"}\n',
    "[1,\n2",
    "1\n{]",
    "1 x 2",
    "1 tru",
    '"a\\ud800"',
    '\ufeff"bom"',
    "nan",
    "1e1000",
    "[" * 300,
    "\x1e1",
]
PROGRAMS = [
    ".",
    ".a",
    "error",
    "[.[]]",
    ".a + 1",
    '., error("x\\ny")',
    "error({a:1})",
    "halt_error",
    "$__loc__",
    "empty",
    "debug, stderr",
    "try error catch .",
    "1 as [$x] | $x",
]


@pytest.mark.parametrize("options", [[], ["-c"], ["-s"], ["-e"], ["-n"], ["-r", "-s"], ["-es"]])
def test_both_ways_to_read_a_text_answer_the_same(utility, options):
    for text in TEXTS:
        for program in PROGRAMS:
            quick = utility("jq", *options, program, stdin=text)
            # A program in which the letters "input" occur is read for by libjq's own reader.
            thorough = utility("jq", *options, f"{program} # input", stdin=text)
            assert (quick.stdout, quick.stderr, quick.status) == (thorough.stdout, thorough.stderr, thorough.status), (
                program,
                text,
            )


def test_a_file_that_is_not_reached_is_not_missed_in_the_next_answer():
    assert Bash().execute_sync("echo 1 > f; jq -n 'input | halt' f secret").stderr == ""
    assert Bash().execute_sync("echo 1 > f; jq 'input_filename' f").stderr == ""


@pytest.mark.parametrize("argv", [("--slurpfile", "a", "/tmp", "."), ("--rawfile", "a", "/tmp", "."), ("-f", "/tmp")])
def test_a_folder_is_no_text(utility, argv):
    outcome = utility("jq", *argv)
    assert outcome.stderr.endswith("Could not open /tmp: It's a directory\n")
    assert outcome.status == 2


def test_a_name_after_two_dots_is_a_syntax_error(utility):
    assert utility("jq", "-n", "..a").status == 3
    assert utility("jq", "-n", "...a").stdout == "null\n"
