"""The text utilities under hostile input: they end with a limit, and leave unread what they do not need."""

import contextlib
import time
import tracemalloc

import pytest

from bashkit import Bash
from bashkit.bash.machine_files import new_root
from bashkit.commands import find_command
from bashkit.errors import LimitExceededError
from bashkit.fs import BytesStream, MemoryFileSystem, Stream
from bashkit.interp.runtime.control import SigPipe
from bashkit.interp.utility.process import Process, invoke
from bashkit.limits import Budget, ExecutionLimits


class Endless(Stream):
    """Input without an end: the same block again and again."""

    def __init__(self, block):
        super().__init__()
        self.block = block
        self.reads = 0

    def _fill(self):
        self.reads += 1
        return self.block


class Sink(Stream):
    """Takes output until its reader has seen enough."""

    writable = True

    def __init__(self, enough=1 << 40):
        super().__init__()
        self.left = enough
        self.data = b""

    def write(self, data):
        if self.left <= 0:
            raise SigPipe
        self.left -= len(data)
        self.data += data[:1000]


def run(utility, words, stdin, stdout=None, **limits):
    budget = Budget(ExecutionLimits(**limits), time.monotonic)
    stdout = stdout or Sink()
    process = Process(
        words[0],
        words[1:],
        {0: stdin, 1: stdout, 2: Sink()},
        {},
        "/tmp",
        0o22,
        utility.fs,
        budget,
        utility.system,
        utility.launcher,
    )
    return invoke(find_command(words[0]), process), stdout


LONG_LINE = [
    ["sort"], ["uniq"], ["cut", "-f1"], ["grep", "x"], ["sed", "s/x/y/"], ["rev"], ["tac"], ["nl"], ["fold", "-w", "9999999"], ["expand"], ["fmt"],
    ["paste", "-", "-"], ["column"], ["wc", "-L"], ["cat", "-n"], ["tail", "-n", "1"], ["head", "-n", "-1"], ["head", "-c", "-1G"],
    ["shuf"], ["split", "-l", "1"], ["tail", "-c", "1G"], ["unexpand"], ["comm", "-", "-"],
]  # fmt: skip


@pytest.mark.parametrize("words", LONG_LINE, ids=" ".join)
def test_a_line_without_end_ends_with_a_limit(utility, words):
    with pytest.raises(LimitExceededError):
        run(utility, words, Endless(b"a" * 65536), max_string_bytes=1 << 20, max_memory_bytes=2 << 20)


GROWTH = [
    (["sed", f"s/./{'x' * 5000}/g"], b"a" * 10_000 + b"\n"),
    (["sed", "-n", f"s/./{'x' * 5000}/gp"], b"a" * 10_000 + b"\n"),
    (["sed", ":a;s/a/aa/g;ta"], b"a\n"),
    (["sed", ":a;H;G;ba"], b"a\n"),
    (["nl", "-w", "100000000"], b"a\n" * 100),
    (["cut", "-d,", "-f1-", f"--output-delimiter={'x' * 10_000}"], b"," * 50_000 + b"\n"),
    (["column", "-t"], b"a" * 100_000 + b" b\n" + b"c d\n" * 1000),
    (["expand", "-t", "1000000"], b"\t" * 1000 + b"\n"),
    (["join", "-a1", "-e", "x" * 100_000, "-o", " ".join(["2.1"] * 1000), "-", "/dev/null"], b"a\n"),
    (["seq", "-w", "1", "1" + "0" * 3000], b""),
    (["uniq", "-D"], b"a\n" * 2_000_000),
    (["head", "-n", "-99999999999"], b"a\n" * 2_000_000),
]


@pytest.mark.parametrize(("words", "stdin"), GROWTH, ids=lambda item: " ".join(item)[:40] if isinstance(item, list) else "")
def test_output_that_an_argument_blows_up_ends_with_a_limit(utility, words, stdin):
    utility.fs = MemoryFileSystem(tree=new_root("/home/user"))
    with pytest.raises(LimitExceededError):
        run(utility, words, BytesStream(stdin), max_string_bytes=1 << 20)


@pytest.mark.parametrize(
    "words", [["sort", "-k" + "1" * 5000], ["cut", "-c" + "1" * 5000], ["head", "-n", "1" * 5000], ["seq", "1" * 5000]]
)
def test_a_number_of_thousands_of_digits_is_no_trouble(utility, words):
    status, _ = run(utility, words, BytesStream(b"a\n"))
    assert status in (0, 1)


LOOPS = [
    ["cat"],
    ["tr", "a", "b"],
    ["wc"],
    ["uniq", "-c"],
    ["grep", "-c", "a"],
    ["sed", "-n", "$="],
    ["seq", "inf"],
    ["shuf", "-r", "-i", "1-9"],
]


@pytest.mark.parametrize("words", LOOPS, ids=" ".join)
def test_work_without_end_ends_with_the_time_limit(utility, words):
    with pytest.raises(LimitExceededError) as caught:
        run(utility, words, Endless(b"a\n" * 1000), timeout=0.2)
    assert caught.value.name == "timeout"


STREAMING = [
    ["cat"],
    ["tr", "a", "b"],
    ["grep", "a"],
    ["sed", "s/a/b/"],
    ["cut", "-c1"],
    ["nl"],
    ["rev"],
    ["fold"],
    ["cat", "-n"],
]


@pytest.mark.parametrize("words", STREAMING, ids=" ".join)
def test_output_flows_while_input_comes(utility, words):
    with pytest.raises(SigPipe):
        run(utility, words, Endless(b"a\n" * 1000), Sink(100_000))


@pytest.mark.parametrize("words", [["fold"], ["tr", "a", "b"]], ids=" ".join)
def test_a_line_flows_before_it_ends(utility, words):
    with pytest.raises(SigPipe):
        run(utility, words, Endless(b"a" * 65536), Sink(100_000), max_memory_bytes=2 << 20)


@pytest.mark.parametrize(
    "words", [["head", "-n", "2"], ["sed", "2q"], ["grep", "-m", "2", "a"], ["head", "-c", "4"]], ids=" ".join
)
def test_reading_stops_when_enough_was_seen(utility, words):
    stdin = Endless(b"a\n" * 1000)
    _, stdout = run(utility, words, stdin)
    assert stdout.data == b"a\na\n"
    assert stdin.reads <= 2


@pytest.mark.parametrize("words", [["head", "-c", "4"], ["tail", "-n", "+9", "/dev/null"]], ids=" ".join)
def test_what_is_not_needed_stays_unread(utility, words):
    stdin = BytesStream(b"1\n2\n3\n4\n")
    run(utility, words, stdin)
    assert stdin.read_all() in (b"3\n4\n", b"1\n2\n3\n4\n")


HOSTILE = [
    ["grep", "-E", "(a+)+$"], ["grep", "-E", "(a|aa)*b"], ["grep", "-E", "(.*)*x"], ["sed", "-E", "s/(a*)*b/x/"], ["grep", "-o", "a*a*a*b"],
    ["grep", "-E", "a*a*a*a*a*c"], ["sed", "s/a*a*a*c/x/"], ["grep", "-w", "a*b"], ["grep", "a.*a.*a.*b"],
]  # fmt: skip


@pytest.mark.parametrize("words", HOSTILE, ids=" ".join)
def test_a_hostile_pattern_is_no_trouble(utility, words):
    with contextlib.suppress(LimitExceededError):  # a limit is a good end, too; without one it would never end
        status, stdout = run(utility, words, BytesStream(b"a" * 50_000 + b"\n"))
        assert (status, stdout.data[:1]) in {(0, b"a"), (1, b"")}


WHOLE = (
    "tac -s x",
    "fmt",
    "pr",
    "xxd -r",
    "base64 -d",
    "strings -e l",
    "tr '\\n' y | strings",
    "tsort",
    "csplit - 1",
    "patch",
    "gzip",
    "diff - e",
    "cmp - <(yes)",
    "bc",
    "yq .",
)


@pytest.mark.thorough
@pytest.mark.parametrize("command", WHOLE)
def test_what_reads_a_whole_input_holds_it(command):
    bash = Bash(limits=ExecutionLimits(max_memory_bytes=1 << 20), files={"/home/user/e": ""}, timeout_seconds=600)
    result = bash.execute_sync(f"yes | head -c 3000000 | {command}")
    assert result.error == "limit:max_memory_bytes"


@pytest.mark.thorough
def test_what_works_file_by_file_holds_one_at_a_time():
    bash = Bash(
        limits=ExecutionLimits(max_memory_bytes=3 << 19),
        files={f"/home/user/f{number}": "a b\n" * 100_000 for number in range(5)},
    )
    result = bash.execute_sync("strings f* | wc -l; rg -c --column a f*; gzip -k f*; tac -s x f* > /dev/null")
    assert (result.error, result.stderr) == (None, "")


LISTS = {
    "file -f": "file -f l",
    "du -X": "du -X l",
    "grep --exclude-from": "grep -r --exclude-from=l x .",
    "diff -X": "diff -r -X l . .",
    "rg -f": "rg -f l l",
    "rg --ignore-file": "rg --files --ignore-file l",
    "tree --gitfile": "tree --gitfile=l",
    "tree --fromfile": "tree --fromfile l",
    "tar -T": "tar cf x -T l",
    "cpio -o": "cpio -o < l",
    "cpio -E": "echo l | cpio -o 2> /dev/null | cpio -i -E l",
    "zip -@": "zip -q x.zip -@ < l",
    "hexdump -f": "hexdump -f l l",
    "tput -S": "tput -T xterm -S < l",
    "split -n r": "split -n r/2 l",
    "parallel --pipe": "parallel --pipe -N 100000 wc < l",
    "history -r": "history -r l",
    "patch": "patch < l",
    "yq -p ini": "yq -p ini . l",
}


@pytest.mark.parametrize("script", LISTS.values(), ids=LISTS)
def test_a_list_of_very_many_lines_is_counted_before_it_is_made(script):
    bash = Bash(limits=ExecutionLimits(max_memory_bytes=6 << 20))
    assert bash.execute_sync("yes '' | head -c 4000000 > l").error is None
    assert bash.execute_sync(script).error == "limit:max_memory_bytes"


COPIES = {
    "xargs -I": "head -c 100000 /dev/zero | tr '\\0' a | xargs -I % echo $(printf '%%%.0s' {1..2000})",
    "parallel": "parallel echo $(printf '{}%.0s' {1..2000}) ::: $(head -c 100000 /dev/zero | tr '\\0' a)",
    "rg -r": "head -c 100000 /dev/zero | tr '\\0' a | rg -r $(printf '$0%.0s' {1..2000}) '.+'",
    "find -printf": "mkdir $(printf 'a%.0s' {1..200}); find . -printf $(printf '%%p%.0s' {1..15000})",
    "awk OFS": 'echo {1..2000} | awk \'BEGIN { OFS = sprintf("%20000s", "") } { $1 = $1; print }\'',
}


@pytest.mark.parametrize("script", COPIES.values(), ids=COPIES)
def test_copies_of_a_long_text_are_counted_before_they_are_made(script):
    bash = Bash(limits=ExecutionLimits(max_string_bytes=2 << 20))
    tracemalloc.start()
    result = bash.execute_sync(script)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.error == "limit:max_string_bytes" or (result.stderr, result.exit_code) == ("xargs: command too long\n", 1)
    assert peak < 16 << 20


def test_inputs_that_are_pasted_are_counted_together():
    bash = Bash(limits=ExecutionLimits(max_memory_bytes=16 << 20))
    result = bash.execute_sync("seq 8000 > a; paste $(printf 'a %.0s' {1..500}) | tail -n 1 | wc -w")
    assert (result.stdout, result.error) == ("500\n", None)
    result = bash.execute_sync("head -c 400000 /dev/zero > a; paste $(printf 'a %.0s' {1..60}) | wc -c")
    assert result.error == "limit:max_memory_bytes"
