"""What a script may do, found without running it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bashkit import ScriptedTool, ToolDef
from bashkit.toolset import load

TOOLS = [
    (ToolDef(name, effects=effects), print)
    for name, effects in [("get", "read"), ("put", "write"), ("wipe", "destructive"), ("odd", None)]
]


@pytest.fixture
def analyze():
    return ScriptedTool("t", tools=TOOLS).analyze


def calls(analysis):
    return [" ".join([call.tool, *(word or "…" for word in call.arguments)]) for call in analysis.calls]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("get --id 1", ["get --id 1"]),
        ("get a | put b && wipe || odd", ["get a", "put b", "wipe", "odd"]),
        ('x=$(get 1); echo "$(put 2)" `wipe 3` <(odd)', ["wipe 3", "get 1", "put 2", "odd"]),
        (
            "if get; then put; fi; while wipe; do odd; done; case $(get) in a) put;; esac",
            ["get", "put", "wipe", "odd", "get", "put"],
        ),
        ("f() { get; }; f", ["get"]),
        ("for id in 1 2; do get $id; done", ["get 1", "get 2"]),
        ('x=get; y=$x; $y 1; "$y" 2', ["get 1", "get 2"]),
        ("c='put --id 7'; $c", ["put --id 7"]),
        ("get $UNSET x", ["get … x"]),
        ("eval 'get 1; put 2'", ["get 1", "put 2"]),
        ("x=5; eval 'x=6'; get $x", ["get 5", "get 6"]),
        ("trap 'wipe 1' EXIT", ["wipe 1"]),
        ("alias g='get 1'; g", ["get 1"]),
        ("bash -c 'get 1'; sh -ec \"put 2\"", ["get 1", "put 2"]),
        (
            "timeout -k 5 10 get 1; env A=1 -u B put 2; command get 3; nice -n 5 wipe; exec odd",
            ["get 1", "put 2", "get 3", "wipe", "odd"],
        ),
        ("command -v get; get --help; type get; help get", []),
        ("seq 3 | xargs -n 1 get --id; xargs -I{} put {} < f", ["get --id …", "put … …"]),
        ("find . -name 'x' -exec get {} \\; -o -exec wipe 1 +", ["get …", "wipe 1"]),
        ("get 1 & wait; (put 2); { wipe 3; }; coproc odd", ["get 1", "put 2", "wipe 3", "odd"]),
        ("read x; get $x; ((y = 1)); get $y; z+=1; get $z; printf -v w 1; get $w", ["get …", "get …", "get …", "get …"]),
        ("cat <<EOF\n$(get 1)\nEOF", ["get 1"]),
        ("time get 1; ! put 2", ["get 1", "put 2"]),
    ],
)
def test_calls(analyze, script, expected):
    assert calls(analyze(script)) == expected


@pytest.mark.parametrize(
    ("script", "reads", "writes"),
    [
        ("cat a b - < c > d 2>> e", "a b c", "d e"),
        ("cat /dev/null > /dev/stderr 2>&1 <<< x", "", ""),
        (
            "grep -r x a b; grep -e x a; grep -f p a; sed s/a/b/ f; sed -i s/a/b/ g; awk '{print}' v=1 h; jq . i",
            "a b a p a f h i",
            "g",
        ),
        (
            "cp a b c; mv d e; rm -rf f; mkdir -p g; touch h; tee -a i; chmod +x j; ln -s k l; cp -t m n",
            "a b k n",
            "c d e f g h i j l m",
        ),
        ("sort -o out in; uniq a b; head -n 5 a; tail -c 3 b; wc -l *.txt; diff a b", "in a a b *.txt a b", "out b"),
        ("find a b -name x; find c -delete; dd if=a of=b; tar czf t.tgz a b; tar -xf t.tgz", "a b a a b t.tgz", "c b t.tgz ."),
        ("sqlite3 a.db 'select 1'; zip z a; unzip z -d d; split -l 5 a p", "a z a", "a.db z d p*"),
        ("for f in a b; do cat $f > $f.out; done", "a b", "a.out b.out"),
        ("echo x &> a; echo y >| b; read < c", "c", "a b"),
    ],
)
def test_files(analyze, script, reads, writes):
    found = {access: [file.path for file in analyze(script).files if file.access == access] for access in ("read", "write")}
    assert {access: sorted(set(paths)) for access, paths in found.items()} == {
        "read": sorted(set(reads.split())),
        "write": sorted(set(writes.split())),
    }
    assert all(file.known for file in analyze(script).files)


def test_a_path_that_is_not_known_is_shown_as_it_stands(analyze):
    (file,) = analyze('cat "$1/x"').files
    assert (file.path, file.known, file.access) == ('"$1/x"', False, "read")


@pytest.mark.parametrize(
    ("script", "hosts", "files"),
    [
        ("curl https://a.example/x?y -o f", ["a.example"], ["f"]),
        ("curl -sS -X POST -H 'A: b' -d @body b.example:8080/y", ["b.example"], ["body"]),
        ("wget -q -O out http://u@c.example", ["c.example"], ["out"]),
        ("for h in a b; do curl -O https://$h.example/; done", ["a.example", "b.example"], []),
        ("curl --url=https://d.example --output=g", ["d.example"], ["g"]),
    ],
)
def test_hosts(analyze, script, hosts, files):
    found = analyze(script)
    assert [host.name for host in found.hosts] == hosts
    assert [file.path for file in found.files] == files


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("$x 1", "which command $x is"),
        ('"$@"', 'which command "$@" is'),
        ('eval "$x"', "what eval runs"),
        (". lib", "what the script lib does"),
        ("source ./lib", "what the script ./lib does"),
        ('bash -c "$x"', "what bash -c runs"),
        ("bash script.sh", "what the script script.sh does"),
        ("get | sh", "what sh reads from standard input and runs"),
        ("./prog", "what the program ./prog does"),
        ("nosuch", "what nosuch is: there is no such command"),
        ("xargs $c", "which command $c is"),
        ("timeout 5 $c", "which command $c is"),
        ("source lib; c=get; $c", "which command $c is"),  # lib may set c
    ],
)
def test_what_cannot_be_known(analyze, script, reason):
    assert reason in [unknown.reason for unknown in analyze(script).unknown]


def test_nothing(analyze):
    assert analyze("x=1; echo $x; [ -n y ] && printf z; cd /tmp; export A=1").to_dict() == {
        "calls": (), "files": (), "hosts": (), "unknown": (), "error": None,
    }  # fmt: skip


def test_positions_and_effects(analyze):
    found = analyze("echo a\n  get 1 |\n    put 2")
    assert [(call.tool, call.effects, call.line, call.column) for call in found.calls] == [
        ("get", "read", 2, 3),
        ("put", "write", 3, 5),
    ]
    assert (found.tools, found.effects) == (("get", "put"), {"read", "write"})


def test_what_comes_before_a_syntax_error_is_told(analyze):
    found = analyze("get 1\nput 2 )")
    assert calls(found) == ["get 1"]
    assert (found.error.line, found.error.reason) == (2, "syntax error near unexpected token `)'")


def test_tools_that_are_scripts_are_followed(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text(
        "version: 1\nname: t\ntools:\n"
        "  - {name: get, effects: read, stub: x}\n"
        "  - {name: outer, callback: {script: 'get --id 1; inner'}}\n"
        "  - {name: inner, callback: {script: 'get --id 2; outer'}}\n"
    )
    found = load(path).analyze("echo x\nouter")
    assert [(call.tool, call.within, call.line) for call in found.calls] == [
        ("outer", (), 2),
        ("get", ("outer",), 2),
        ("inner", ("outer",), 2),
        ("get", ("outer", "inner"), 2),
        ("outer", ("outer", "inner"), 2),
    ]


def test_many_choices_are_not_told_apart(analyze):
    found = analyze("for a in {1..9}; do for b in 1 2 3 4 5 6 7; do for c in 1 2 3 4; do get $b $c; done; done; done")
    assert calls(found) == ["get … …"]


@given(st.text(alphabet="abgetpuws$(){}'\"`;|&<>=\n -[]*#!x1", max_size=60))
def test_any_text_is_analyzed(text):
    ScriptedTool("t", tools=TOOLS).analyze(text)
