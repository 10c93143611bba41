"""Scripts of skills as programs (K03, K10): words, files of the session, the skill's own files."""

import json
import sys

import pytest

from bashkit.toolset import check, load
from bashkit.toolset.callbacks.skill import exchange
from bashkit.toolset.testing.callback_modes import in_mode, recorded

SOURCE = "version: 1\nname: t\nsources:\n  - skills: ./skills\n"
ECHO = "import sys; print(sys.argv[1:]); sys.stdout.write(sys.stdin.read())"
UPPER = """#!/usr/bin/env python3
import argparse, pathlib
parser = argparse.ArgumentParser(description="Writes in capitals.")
parser.add_argument("source")
parser.add_argument("-o", "--output", default="-")
given = parser.parse_args()
text = pathlib.Path(given.source).read_text().upper()
if given.output == "-":
    print(text, end="")
else:
    pathlib.Path(given.output).parent.mkdir(exist_ok=True)
    pathlib.Path(given.output).write_text(text)
    print("wrote", pathlib.Path(given.output).resolve())
"""


@pytest.fixture
def skills(folder):
    def make(files, name="s", front=""):
        folder.write(f"skills/{name}/SKILL.md", f"---\nname: {name}\ndescription: d\n{front}---\nRead REFERENCE.md.\n")
        for file, text in files.items():
            folder.write(f"skills/{name}/{file}", text)
        return folder.write("t.yaml", SOURCE)

    return make


def run(path, script, **options):
    return load(path, environ={}).make_tool(**options).execute_sync(script)


# -- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("s.show a --flag -x 'b c'", "['a', '--flag', '-x', 'b c']\n"),
        ("s.show a -- --data 1", "['a', '--', '--data', '1']\n"),
        ("s.show -- --data 1", "['--data', '1']\n"),
        ("""s.show a --data '{"n": 1}'""", "['a']\n{\"n\":1}"),
        ("echo plain | s.show a", "['a']\nplain\n"),
        ("s.show a", "['a']\n"),
        ("s.show", "[]\n{}"),
        ("echo 1 | s.show", "[]\n1"),
        ("""s.show '{"args": ["x"]}'""", "['x']\n"),
    ],
)
def test_k03_other_words_are_the_arguments_of_the_script(skills, command, printed):
    result = run(skills({"scripts/show.py": ECHO}), command)
    assert (result.stdout, result.stderr, result.exit_code) == (printed, "", 0)


@pytest.mark.parametrize(
    ("way", "command", "stdout", "status"),
    [
        ("argv", "s.show a --data 1", "['a', '--data', '1']\n", 0),
        ("argv", "echo x | s.show", "[]\nx\n", 0),
        ("argv", "s.show", "[]\n", 0),
        ("json", "s.show --data 1", "[]\n1", 0),
        ("json", "s.show a", "", 2),
    ],
)
def test_k03_input_says_how_arguments_come(skills, folder, way, command, stdout, status):
    skills({"scripts/show.py": ECHO})
    result = run(folder.write("t.yaml", SOURCE + f"    input: {way}\n"), command)
    assert (result.stdout, result.exit_code) == (stdout, status)


def test_k03_a_declared_script_takes_words_too(skills, folder):
    skills({"scripts/show.py": ECHO})
    text = """\
version: 1
name: t
tools:
  - name: show
    description: Shows its words.
    input_schema: {type: object, properties: {args: {type: array, items: {type: string}}}}
    rest: args
    callback: {skill: ./skills/s, script: scripts/show.py, input: argv}
"""
    path = folder.write("t.yaml", text)
    assert check(path, environ={}) == []
    assert run(path, "show a -b; cat /skills/s/SKILL.md | head -n 2").stdout == "['a', '-b']\n---\nname: s\n"


def test_the_parameter_rest_must_be_an_array(folder):
    text = "version: 1\nname: t\ntools:\n  - {name: a, description: d, rest: args, stub: x}\n"
    assert [str(problem).partition("t.yaml:")[2] for problem in check(folder.write("t.yaml", text), environ={})] == [
        "4:5: tool a: rest: 'args' is not an array in input_schema.properties"
    ]


def test_help_is_that_of_a_script_which_has_one(skills):
    path = skills({"scripts/upper.py": UPPER, "scripts/show.py": ECHO, "scripts/dry.sh": 'echo "$@" # --dry-run'})
    assert "usage: upper.py [-h] [-o OUTPUT] source" in run(path, "s.upper --help").stdout
    assert run(path, "s.show --help").stdout.startswith("Usage: s.show [--data <value>] [WORD]...\n")
    assert json.loads(run(path, "s.show a --dry-run").stdout) == {"args": ["a"]}


@pytest.mark.needs("bash")
def test_a_script_with_a_dry_run_gets_that_word(skills):
    assert run(skills({"scripts/dry.sh": 'echo "$@" # --dry-run'}), "s.dry a --dry-run").stdout == "a --dry-run\n"


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_k10_files_of_the_session_go_in_and_come_back(skills, isolation):
    path = skills({"scripts/upper.py": UPPER})
    script = """
        mkdir in; echo one > in/a.txt; echo two > /tmp/b.txt
        s.upper in/a.txt -o out/a.txt; cat out/a.txt
        s.upper /tmp/b.txt --output=/tmp/B.txt; cat /tmp/B.txt
        cd in; s.upper a.txt -o ../c.txt; cat ../c.txt; s.upper ../in/../../user/c.txt
        s.upper <(echo three)
    """
    result = run(path, script, isolation=isolation)
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "wrote /home/user/out/a.txt", "ONE", "wrote /tmp/B.txt", "TWO", "wrote /home/user/c.txt", "ONE", "ONE", "THREE",
    ]  # fmt: skip


def test_k10_what_a_script_changes_and_removes_is_changed_and_removed(skills):
    body = """
import os, pathlib, shutil, sys
os.remove("gone"); shutil.rmtree("old"); os.mkdir("empty"); os.rename("from", "to")
pathlib.Path("same").read_text(); pathlib.Path("sub/kept").write_text("new\\n")
os.symlink("to", "link"); os.symlink("/etc/hostname", "outside")
"""
    script = """
        mkdir -p old/deep sub; touch gone old/deep/x; echo 1 > from; echo 2 > same; touch -d @5 same; echo older > sub/kept
        s.change x; find . | sort; cat to link sub/kept; stat -c %Y same
    """
    result = run(skills({"scripts/change.py": body}), script)
    assert (result.stdout, result.stderr) == (
        ".\n./empty\n./link\n./same\n./sub\n./sub/kept\n./to\n1\n1\nnew\n5\n",
        "",
    )


def test_k10_what_a_failing_script_wrote_comes_back_too(skills):
    body = "import sys; open('part', 'w').write('half'); print('begun'); sys.exit('broke in ' + __import__('os').getcwd())"
    result = run(skills({"scripts/fail.py": body}), "s.fail x; echo $?; cat part")
    assert result.stdout == "begun\n1\nhalf"
    assert result.stderr == "s.fail: Script execution failed with exit code 1\nbroke in /home/user\n"


def test_k10_data_that_names_a_file_of_the_session_finds_it(skills):
    body = (
        "import json, sys; given = json.load(sys.stdin); print(open(given['file']).read(), end=''); open('out', 'w').write('w')"
    )
    path = skills({"scripts/read.py": body})
    script = """
        echo hi > x.pdf; s.read --data '{"file": "x.pdf"}'; cat out; echo
        echo ho > /tmp/y.pdf; jq -n '{file: "/tmp/y.pdf"}' | s.read
    """
    assert run(path, script).stdout == "hi\nw\nho\n"


def test_k10_paths_lead_to_the_session_and_not_to_the_host(skills, folder):
    host = folder.write("secret.txt", "of the host\n")
    path = skills({"scripts/upper.py": UPPER})
    up = "../" * 20
    result = run(path, f"s.upper {host}; s.upper {up}{host}; s.upper --output=/tmp/x {host}; ln -s {host} l; s.upper l; echo end")
    assert result.stdout == "end\n"
    assert result.stderr.count("No such file or directory") == 4


def test_k10_links_in_circles_and_files_that_cannot_be_read_are_left_out(skills):
    script = "mkdir d; ln -s .. d/up; ln -s nowhere d/none; echo x > d/locked; chmod 0 d/locked; mkfifo d/pipe; s.ls d | sort"
    body = "import os; print(*(os.path.join(place, name) for place, _, names in os.walk('.') for name in names), sep='\\n')"
    result = run(skills({"scripts/ls.py": body}), script)
    assert (result.stdout, result.stderr) == ("\n", "")


def test_k10_a_working_directory_that_is_too_large_is_not_copied(skills, monkeypatch):
    monkeypatch.setattr(exchange, "_MOST_FILES", 10)
    path = skills({"scripts/upper.py": UPPER})
    result = run(path, "touch {1..20}; echo x > a.txt; s.upper a.txt -o b; ls | wc -l; mkdir d; touch d/{1..20}; s.upper d")
    assert result.stdout == "wrote /home/user/b\n22\n"
    assert result.stderr.startswith("/home/user has more than")
    assert "s.upper: /home/user/d has more than" in result.stderr


def test_k10_a_script_that_writes_too_much_is_an_error(skills, monkeypatch):
    monkeypatch.setattr(exchange, "_MOST_BYTES", 1000)
    result = run(skills({"scripts/much.py": "open('big', 'w').write('x' * 2000)"}), "s.much a; echo $?; ls")
    assert result.stdout == "1\n"
    assert result.stderr.startswith("s.much: the program wrote more than ")


def test_k10_installed_packages_stay_behind_where_there_is_too_much(skills, monkeypatch):
    monkeypatch.setattr(exchange, "_MOST_FILES", 12)
    body = """import pathlib, sys
packages = pathlib.Path("app/node_modules/a")
packages.mkdir(parents=True)
for number in range(int(sys.argv[1])):
    (packages / str(number)).touch()
pathlib.Path("app/package.json").write_text("{}")
sys.exit(int(sys.argv[2]))"""
    path = skills({"scripts/install.py": body})
    note = "node_modules: not kept, because the program wrote more than 12 files or 64 MB\n"
    result = run(path, "s.install 20 0; find . | sort")
    assert (result.stdout, result.stderr) == (".\n./app\n./app/package.json\n", note)
    result = run(path, "s.install 20 1; ls app")
    assert (result.stdout, result.stderr) == ("package.json\n", f"s.install: Script execution failed with exit code 1\n{note}")
    assert run(path, "s.install 2 0; ls -A app/node_modules/a").stdout == "0\n1\n"


@pytest.mark.parametrize(
    ("way", "command", "place"),
    [
        ("auto", "s.put", "session"),
        ("argv", "s.put", "session"),
        ("argv", "echo '{}' | s.put", "session"),
        ("auto", "s.put --data 1", "skill"),
        ("auto", "echo '{}' | s.put", "skill"),
        ("json", "s.put", "skill"),
    ],
)
def test_k10_a_call_without_words_works_on_the_session_unless_it_has_data(skills, folder, way, command, place):
    skills({"scripts/put.py": "open('made', 'w').write('x')"})
    path = folder.write("t.yaml", f"{SOURCE}    input: {way}\n")
    found = run(path, f"cd /tmp; {command}; ls").stdout
    assert (found, (folder.path / "skills/s/made").exists()) == (("made\n", False) if place == "session" else ("", True))


def test_k10_a_file_that_the_session_cannot_take_is_an_error(skills):
    body = "open('/'.join(__import__('sys').argv[1:]), 'w').write('x')"
    result = run(skills({"scripts/put.py": body}), "mkdir d; chmod 500 d; s.put d/new; echo $?; ls d")
    assert (result.stdout, result.stderr) == ("1\n", "s.put: cannot write /home/user/d/new: Permission denied\n")


def test_k10_nothing_is_left_on_the_host(skills, monkeypatch, tmp_path):
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    path = skills({"scripts/show.py": ECHO, "scripts/fail.py": "raise SystemExit(3)"})
    run(path, "touch x; s.show x; s.fail x")
    assert list(place.iterdir()) == []


# -- the skill's own files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("isolation", ["inline", "process"])
def test_k02_the_directory_of_a_skill_is_mounted_read_only(skills, isolation):
    path = skills({"REFERENCE.md": "All of it.\n", "scripts/upper.py": UPPER})
    result = run(
        path, "cat /skills/s/REFERENCE.md; s.upper /skills/s/REFERENCE.md; touch /skills/s/x; ls /skills", isolation=isolation
    )
    assert result.stdout == "All of it.\nALL OF IT.\ns\n"
    assert "Read-only file system" in result.stderr
    prompt = load(path, environ={}).tool.system_prompt()
    assert "The files of a skill are in /skills/NAME" in prompt
    assert "NAME.build for scripts/build.py: call that, not the file" in prompt


def test_a_mount_of_the_toolset_comes_first_and_without_files_there_is_none(skills, folder):
    skills({"REFERENCE.md": "skill\n"})
    folder.write("own/REFERENCE.md", "own\n")
    text = SOURCE + "mounts:\n  - {at: /skills/s, directory: ./own}\n"
    assert run(folder.write("t.yaml", text), "cat /skills/s/REFERENCE.md").stdout == "own\n"
    none = load(folder.write("t.yaml", SOURCE + "filesystem: none\n"), environ={}).tool
    assert none.execute_sync("ls /skills").exit_code != 0
    assert "/skills" not in none.system_prompt()


def test_k10_a_python_script_imports_the_modules_of_its_skill_and_writes_no_cache(skills, folder):
    files = {"scripts/main.py": "from scripts.util import hello\nhello()", "scripts/util.py": "def hello(): print('hi')"}
    assert run(skills(files), "s.main").stdout == "hi\n"
    assert not (folder.path / "skills/s/scripts/__pycache__").exists()


# -- what is a command -------------------------------------------------------------------------------------------------


def test_k08_a_module_that_others_import_is_no_command(skills):
    program = "import util\nfrom scripts import more, tool\n"
    files = {
        "scripts/main.py": program,
        "scripts/util.py": "x = 1",
        "scripts/more.py": "x = 1",
        "scripts/tool.py": "if __name__ == '__main__':\n    print()",
        "scripts/alone.py": "print()",
    }
    toolset = load(skills(files), environ={})
    toolset.entries()
    assert [tool.name for tool in toolset.tools] == ["s", "s.alone", "s.main", "s.tool"]
    assert [(warning.message, warning.severity, warning.hint) for warning in toolset.warnings] == [
        (f"s/scripts/{name}.py is skipped: it is a module that scripts/main.py imports, and no program", "warning", hint)
        for name, hint in (("more", 'exclude: ["s.more"]'), ("util", 'exclude: ["s.util"]'))
    ]


def test_k08_build_and_dist_are_no_caches(skills):
    path = skills({"scripts/build/a.py": ECHO, "scripts/dist/b.py": ECHO, "scripts/venv/c.py": ECHO})
    assert [tool.name for tool in load(path, environ={}).tools] == ["s", "s.build-a", "s.dist-b"]


def test_skills_are_found_five_levels_deep(folder):
    for place in ("one", "a/two", "a/b/c/d/five", "a/b/c/d/e/six", ".hidden/no", "node_modules/no", "one/inner"):
        folder.write(f"skills/{place}/SKILL.md", f"---\nname: {place.rpartition('/')[2]}\ndescription: d\n---\n")
    folder.write("skills/a/lower/skill.md", "---\nname: lower\ndescription: d\n---\n")
    toolset = load(folder.write("t.yaml", SOURCE), environ={})
    assert [tool.name for tool in toolset.tools] == ["five", "two", "one"]
    assert [(warning.message, warning.hint) for warning in toolset.warnings] == [
        ("a/b/c/d/e/six is skipped: it is more than 5 levels deep", 'exclude: ["six"]'),
        ("a/lower is skipped: its file is called skill.md instead of SKILL.md", 'exclude: ["lower"]'),
    ]
    toolset = load(folder.write("t.yaml", f"{SOURCE}    exclude: [six, lower]\n"), environ={})
    toolset.entries()
    assert toolset.warnings == []


def test_k08_what_looks_like_a_script_and_is_no_command_is_said(skills):
    deep = "scripts/1/2/3/4/5/6/deep.py"
    files = {
        "scripts/a.ts": "",
        "scripts/b": "#!/bin/sh\n",
        "scripts/data.json": "{}",
        "scripts/NOTES": "text",
        deep: "",
        "top": "#!/bin/sh\n",
    }
    toolset = load(skills(files), environ={})
    toolset.entries()
    assert [warning.message for warning in toolset.warnings] == [
        "s/scripts/a.ts is skipped: no interpreter is known for .ts",
        "s/scripts/b is skipped: no interpreter is known for files without a suffix",
        "s/scripts/1/2/3/4/5/6 is skipped: it is more than 5 levels deep",
    ]


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("name: s\ndescription: " + "d" * 1025, "3:14: description has 1025 characters, more than 1024"),
        ("name: " + "n" * 65 + "\ndescription: d", "2:7: name has 65 characters, more than 64"),
        ("name: PDF_Tools\ndescription: d", "2:7: the name 'PDF_Tools' is not of the format"),
        ("name: data:csv\ndescription: d", "2:7: the name 'data:csv' is not of the format"),
    ],
)
def test_k02_what_the_format_refuses_is_a_warning(folder, front, message):
    folder.write("skills/s/SKILL.md", f"---\n{front}\n---\nText.\n")
    toolset = load(folder.write("t.yaml", SOURCE), environ={})
    assert len(toolset.tools) == 1
    (warning,) = toolset.warnings
    assert str(warning).partition("SKILL.md:")[2].startswith(message)
    assert warning.severity == "warning"


def test_what_is_excluded_is_not_complained_about(skills, folder):
    skills({"scripts/main.py": "import util", "scripts/util.py": "x = 1", "scripts/a.py": "", "scripts/a.sh": ""})
    folder.write("skills/wrong/SKILL.md", "no frontmatter\n")
    path = folder.write("t.yaml", SOURCE + "    exclude: [s.util, s.a, wrong]\n")
    toolset = load(path, environ={})
    assert [tool.name for tool in toolset.tools] == ["s", "s.main"]
    assert toolset.warnings == []


# -- recordings --------------------------------------------------------------------------------------------------------


def test_a_recording_has_the_files_and_a_replay_brings_them(skills, tmp_path):
    path = skills({"scripts/upper.py": UPPER, "scripts/fail.py": "open('left', 'wb').write(b'\\xff'); raise SystemExit(3)"})
    script = "echo x > a; s.upper a -o b; cat b; s.fail a; echo $?; od -An -tx1 left; s.upper --help | head -n 1"
    toolset, file = load(path, environ={}), tmp_path / "calls.jsonl"
    real = recorded(toolset, file).tool.execute_sync(script)
    again = in_mode(toolset, "replay", file).tool.execute_sync(script)
    assert (again.stdout, again.stderr) == (real.stdout, real.stderr)
    assert real.stdout == "wrote /home/user/b\nX\n3\n ff\nusage: upper.py [-h] [-o OUTPUT] source\n"


def test_k12_frameworks_give_words_as_an_array(skills):
    pytest.importorskip("langchain_core")
    from bashkit.integrations.langchain import create_langchain_tools

    tools = {tool.name: tool for tool in create_langchain_tools(load(skills({"scripts/show.py": ECHO}), environ={}))}
    assert tools["s_show"].invoke({"args": ["a", "--b"]}) == "['a', '--b']\n"


# -- the interpreter ---------------------------------------------------------------------------------------------------


def test_the_packages_of_a_pythonpath_come_after_the_modules_of_the_skill(skills, folder):
    path = skills(
        {
            "a.py": "import scripts.own, other; print(scripts.own.NAME, other.NAME)",
            "scripts/own.py": "NAME = 1",
            "scripts/__init__.py": "",
        }
    )
    folder.write("more/other.py", "NAME = 2")
    folder.write("more/scripts/__init__.py", "")
    folder.write("t.yaml", f"{SOURCE}env: {{PYTHONPATH: {json.dumps(str(folder.path / 'more'))}}}\n")
    assert run(path, "s.a").stdout == "1 2\n"


def test_a_python_script_runs_in_the_interpreter_that_runs_bashkit(skills):
    assert run(skills({"scripts/which.py": "import sys; print(sys.executable)"}), "s.which").stdout == f"{sys.executable}\n"


def test_a_traceback_names_the_files_that_the_session_has(skills):
    done = run(skills({"scripts/fail.py": "raise ValueError('no')"}), "s.fail; cat /skills/s/scripts/fail.py")
    assert 'File "/skills/s/scripts/fail.py", line 1' in done.stderr
    assert done.stdout == "raise ValueError('no')"
