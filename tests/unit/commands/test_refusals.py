"""Options of the real programs that are not offered: refused as unknown ones are, or with advice, and nothing is done."""

import pytest

UNKNOWN = [
    (["tar", "-w", "-cf", "x", "f"], "invalid option -- 'w'", 64),
    (["parallel", "--onall", "echo"], "unrecognized option '--onall'", 255),
    (["patch", "--merge", "f"], "unrecognized option '--merge'", 2),
    (["tree", "-H", ".", "."], "-H: HTML is not written here; -X writes XML and -J JSON", 1),
    (["file", "-m", "magic", "f"], "invalid option -- 'm'", 1),
    (["awk", "--lint", "1"], "unrecognized option '--lint'", 1),
    (["awk", "-n", "1"], "invalid option -- 'n'", 1),
    (["wget", "-K", "http://localhost/"], "invalid option -- 'K'", 2),
    (["wget", "--accept=x", "http://localhost/"], "unrecognized option '--accept=x'", 2),
]
ADVICE = [
    (
        ["wget", "-r", "http://localhost/"],
        "wget: the links of a page are never followed: name every URL, or list them in a file for -i\n",
        2,
    ),
    (["zip", "-FF", "x", "f"], "zip: -FF: parts of a damaged archive cannot be salvaged\n", 16),
    (
        ["awk", '@namespace "n"; BEGIN {}'],
        "awk: cmd. line:1: error: @namespace is not supported here: functions and variables have one name each\n",
        1,
    ),
    (["tree", "--charset=latin1", "."], "tree: --charset: 'latin1' is not supported here, should be one of: UTF-8, ASCII\n", 1),
]


@pytest.mark.parametrize(("argv", "message", "status"), UNKNOWN, ids=[" ".join(argv) for argv, _, _ in UNKNOWN])
def test_what_is_not_offered_is_an_unknown_option(utility, argv, message, status):
    utility.write("f", "text\n")
    outcome = utility(*argv)
    assert (outcome.stdout, outcome.stderr.splitlines()[0], outcome.status) == ("", f"{argv[0]}: {message}", status)
    assert not utility.fs.exists("/home/user/x")


@pytest.mark.parametrize(("argv", "message", "status"), ADVICE, ids=[" ".join(argv) for argv, _, _ in ADVICE])
def test_says_what_to_do_instead(utility, argv, message, status):
    utility.write("f", "text\n")
    outcome = utility(*argv)
    assert (outcome.stdout, outcome.stderr, outcome.status) == ("", message, status)
    assert not utility.fs.exists("/home/user/x")


def test_an_option_without_effect_says_why(utility):
    from bashkit.commands import command_names, find_command

    unexplained = [
        (name, option.names)
        for name in command_names()
        for option in find_command(name).options or ()
        if option.help.startswith("(ignored)") or "not supported" in option.help
    ]
    assert not unexplained
