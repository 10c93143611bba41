"""rg: statistics, counts of zero, compressed files and encodings, as ripgrep 13 prints them."""

import gzip
import json
import re

import pytest

from bashkit import Bash

FILES = {
    "/w/a.txt": "foo a\nbar\nfoo foo\n",
    "/w/b.txt": "nothing\n",
    "/w/a.txt.gz": gzip.compress(b"foo a\nbar\n"),
    "/w/u.txt": "foo b\nbar\n".encode("utf-16"),
    "/w/l.txt": b"caf\xe9 foo\n",
    "/w/d.bin": b"foo\0bar\n",
}
CASES = [
    ("rg -c --include-zero foo a.txt b.txt", "a.txt:2\nb.txt:0\n", 0),
    ("rg --count-matches --include-zero foo a.txt b.txt", "a.txt:3\nb.txt:0\n", 0),
    ("rg -c --include-zero foo b.txt", "0\n", 1),
    ("rg -c foo b.txt", "", 1),
    ("rg -z foo a.txt.gz", "foo a\n", 0),
    ("rg foo a.txt.gz", "", 1),
    ("rg foo u.txt; rg -E utf-16 bar u.txt", "foo b\nbar\n", 0),
    ("rg -E latin1 café l.txt", "café foo\n", 0),
    ("rg -l --binary bar -g '!u.txt'", "a.txt\nd.bin\n", 0),
    ("rg -l bar -g '!u.txt'", "a.txt\n", 0),
    ("rg --files -0 -g '*.txt' | tr '\\0' ' '", "a.txt b.txt l.txt u.txt ", 0),
]


@pytest.mark.parametrize(("script", "stdout", "status"), CASES)
def test_rg(script, stdout, status):
    result = Bash(files=FILES, cwd="/w").execute_sync(script)
    assert (result.stdout, result.stderr, result.exit_code) == (stdout, "", status)


@pytest.mark.parametrize(
    ("options", "shown", "counts"),
    [
        ("foo a.txt b.txt", "a.txt:foo a\na.txt:foo foo\n", (3, 2, 1, 2, 26, 26)),
        ("-c foo a.txt b.txt", "a.txt:2\n", (3, 2, 1, 2, 0, 26)),
        ("-q foo a.txt", "", (3, 2, 1, 1, 0, 18)),
        ("-v foo a.txt", "bar\n", (0, 1, 1, 1, 4, 18)),
        ("nope a.txt", "", (0, 0, 0, 1, 0, 18)),
    ],
)
def test_statistics(options, shown, counts):
    result = Bash(files=FILES, cwd="/w").execute_sync(f"rg --stats {options}")
    head, _, report = result.stdout.rpartition("\n\n") if shown else ("", "", result.stdout.removeprefix("\n"))
    assert head + "\n" * bool(shown) == shown
    names = ("matches", "matched lines", "files contained matches", "files searched", "bytes printed", "bytes searched")
    lines = report.splitlines()
    assert lines[:6] == [f"{count} {name}" for count, name in zip(counts, names, strict=True)]
    assert [re.sub(r"^[0-9.]+", "N", line) for line in lines[6:]] == ["N seconds spent searching", "N seconds"]


def test_json_ends_with_statistics_and_a_summary():
    result = Bash(files=FILES, cwd="/w").execute_sync("rg --json foo a.txt b.txt")
    *_, end, summary = map(json.loads, result.stdout.splitlines())
    assert (end["type"], summary["type"]) == ("end", "summary")
    expected = {
        "searches": 1,
        "searches_with_match": 1,
        "bytes_searched": 18,
        "bytes_printed": 438,
        "matched_lines": 2,
        "matches": 3,
    }
    for stats in (end["data"]["stats"], summary["data"]["stats"]):
        assert {name: stats[name] for name in expected} == expected


def test_an_unknown_encoding_is_refused():
    result = Bash(files=FILES, cwd="/w").execute_sync("rg -E nope foo a.txt")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "grep config error: unknown encoding: nope\n", 2)


@pytest.mark.parametrize(
    ("options", "content", "expected"),
    [
        ("--crlf 'foo$'", "foo\r\nbar\r\n", "foo\r\n"),
        ("--crlf '[$]x$'", "$x\r\n$xy\r\n", "$x\r\n"),
        ("--null-data foo", "foo\0bar\0a foo\0", "foo\0a foo\0"),
        ("--null-data -c '^bar$'", "foo\0bar\0", "1\n"),
    ],
)
def test_other_ends_of_lines(options, content, expected):
    bash = Bash()
    bash.fs.write_file("/home/user/f", content.encode())
    assert bash.execute_sync(f"rg {options} f").stdout == expected


def test_context_in_json():
    bash = Bash()
    bash.fs.write_file("/home/user/f", b"a\nfoo\nb\nc\nfoo\n")
    script = "rg --json -A1 -B1 foo f | jq -r 'select(.data.line_number)|[.type,.data.line_number]|join(\" \")'"
    assert bash.execute_sync(script).stdout == "context 1\nmatch 2\ncontext 3\ncontext 4\nmatch 5\n"


def test_no_file_was_searched():
    bash = Bash()
    bash.fs.write_file("/home/user/f", b"a\n")
    result = bash.execute_sync("rg -g '*.x' a")
    assert result.exit_code == 2
    assert result.stderr.startswith("No files were searched")


def test_types_of_later_releases_are_known():
    shell = Bash(files={f"/w/{name}": "x\n" for name in ("a.pyi", "b.mjs", "c.cts", "d.rs")}, cwd="/w")
    assert shell.execute_sync("rg -l -tpython x; rg -l -tjs x; rg -l -t ts x").stdout == "a.pyi\nb.mjs\nc.cts\n"
