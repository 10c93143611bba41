"""mktemp: names that are new."""

import re

import pytest

TRANSCRIPTS = {
    "mistakes": """
$ mktemp XX
! mktemp: too few X's in template ‘XX’
[1]
$ mktemp a.XXX.b/c
! mktemp: invalid suffix ‘.b/c’, contains directory separator
[1]
$ mktemp --suffix=.x aXXXb
! mktemp: with --suffix, template ‘aXXXb’ must end in X
[1]
$ mktemp --suffix=a/b aXXX
! mktemp: invalid suffix ‘a/b’, contains directory separator
[1]
$ mktemp a b
! mktemp: too many templates
! Try 'mktemp --help' for more information.
[1]
$ mktemp nodir/aXXX
! mktemp: failed to create file via template ‘nodir/aXXX’: No such file or directory
[1]
$ mktemp -q nodir/aXXX
[1]
$ mktemp -d nodir/aXXX
! mktemp: failed to create directory via template ‘nodir/aXXX’: No such file or directory
[1]
$ mktemp -p nodir
! mktemp: failed to create file via template ‘nodir/tmp.XXXXXXXXXX’: No such file or directory
[1]
$ mktemp -t a/XXX
! mktemp: invalid template, ‘a/XXX’, contains directory separator
[1]
$ mktemp --tmpdir /aXXX
! mktemp: invalid template, ‘/aXXX’; with --tmpdir, it may not be absolute
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


@pytest.mark.parametrize(
    ("words", "pattern"),
    [
        ([], r"/tmp/tmp\.\w{10}"),
        (["-d"], r"/tmp/tmp\.\w{10}"),
        (["aXXXX"], r"a\w{4}"),
        (["a.XXX.txt"], r"a\.\w{3}\.txt"),
        (["--suffix=.x", "aXXX"], r"a\w{3}\.x"),
        (["-p", "/home", "aXXX"], r"/home/a\w{3}"),
        (["-t", "aXXX"], r"/tmp/a\w{3}"),
        (["-u"], r"/tmp/tmp\.\w{10}"),
    ],
)
def test_makes_what_it_prints(utility, words, pattern):
    outcome = utility("mktemp", *words)
    assert re.fullmatch(pattern + "\n", outcome.stdout)
    name = outcome.stdout.rstrip("\n")
    path = name if name.startswith("/") else f"/home/user/{name}"
    assert utility.fs.exists(path) == ("-u" not in words)
    if "-u" not in words:
        stat = utility.fs.stat(path)
        assert (stat.type, stat.mode) == (("directory", 0o700) if "-d" in words else ("file", 0o600))
