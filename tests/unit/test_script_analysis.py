"""``Bash.analyze``: the commands and files that a script names, and whether it hides more. Nothing runs."""

import pytest

from bashkit import Bash, BashError, BashTool


def names(script):
    return Bash().analyze(script).command_names


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("cat notes | grep -i todo > out", ["cat", "grep"]),
        ("echo $(rm a) `rm b` <(rm c)", ["rm", "rm", "rm", "echo"]),
        ("echo $(f $(g))", ["g", "f", "echo"]),
        ("x=$(rm a) env b", ["rm", "env"]),
        ("if [[ $(a) == b ]]; then c; fi; for i in $(d); do e; done", ["a", "c", "d", "e"]),
        ("case $(a) in b) c ;; esac; while d; do e & done; ( f ); { g; }", ["a", "c", "d", "e", "f", "g"]),
        ("cat <<E\n$(h)\nE\n", ["h", "cat"]),
        ("cat <<'E'\n$(h)\nE\n", ["cat"]),
        ("f() { rm x; }; f", ["rm", "f"]),
        ("shopt -u extglob; !(rm x); a $( !(rm y) )", ["shopt", "rm", "rm", "a"]),
        ("\"ls\" '-l'", ["ls"]),
    ],
)
def test_every_command_is_named(script, expected):
    assert names(script) == expected


def test_words_that_only_running_tells_are_none():
    analysis = Bash().analyze('A=1 rm "$x" /tmp/$y "a b" > "$z" 2>> log 2>&1 < in')
    (command,) = analysis.commands
    assert (command.name, command.args, command.assignments, command.line, command.column) == (
        "rm",
        [None, None, "a b"],
        ["A"],
        1,
        1,
    )
    assert [(one.path, one.mode, one.is_write) for one in analysis.redirects] == [
        (None, "write", True),
        ("log", "append", True),
        ("in", "read", False),
    ]


def test_contexts_and_functions():
    analysis = Bash().analyze("f() { rm x; }\necho $(date)")
    assert [command.context for command in analysis.commands] == ["function_body", "substitution", "direct"]
    assert analysis.functions == ["f"]
    assert analysis.has_command_substitution


@pytest.mark.parametrize(
    "script",
    ["$c -rf /", "$(echo rm) x", "eval 'rm x'", ". ./f", "bash -c 'rm x'", "trap 'rm x' EXIT", "alias ls=rm", "true;" * 5000],
)
def test_what_hides_more_is_opaque(script):
    assert Bash().analyze(script).is_opaque


@pytest.mark.parametrize("script", ["X=1", "cat a | wc -l", "N=3; ls | head -n 3", "echo '$c'"])
def test_what_hides_nothing_is_not(script):
    assert not Bash().analyze(script).is_opaque


def test_it_is_plain_data():
    analysis = BashTool().analyze("ls -l; ls; cat f > g")
    assert [command.args for command in analysis.commands_named("ls")] == [["-l"], []]
    told = analysis.to_dict()
    assert told["command_names"] == ["ls", "ls", "cat"]
    assert told["redirects"] == [{"path": "g", "mode": "write", "is_write": True}]
    assert told["is_opaque"] is False


def test_what_bash_would_refuse_is_an_error():
    with pytest.raises(BashError, match="bash: line 3: syntax error") as caught:
        Bash().analyze("true\nif true; then\n")
    assert caught.value.exit_code == 2


def test_nothing_runs():
    bash = Bash()
    bash.analyze("X=1; echo > /made")
    assert bash.execute_sync('[ -e /made ]; echo "$?$X"').stdout == "1\n"
