"""Skills as a source (seeds/003): K01 to K11 and K13."""

import asyncio
import json
import os
import shutil
import signal
import stat
import subprocess
from pathlib import PurePosixPath

import pytest

from bashkit.errors import (
    CallbackNotFoundError,
    ScriptExecutionError,
    ScriptTimeoutError,
    ToolError,
    ToolRestrictionError,
    ToolsetError,
)
from bashkit.tools import ToolArgs
from bashkit.toolset import check, load
from bashkit.toolset.callbacks import skill as running
from bashkit.toolset.callbacks.executable import process
from bashkit.toolset.callbacks.skill import SkillScript
from bashkit.toolset.callbacks.skill.detection import Detected, detect, tool_name
from bashkit.toolset.callbacks.skill.frontmatter import Skill, read_skill
from bashkit.toolset.sources.skills.comments import first_comment

from .conftest import cost, overdue

SOURCE = "version: 1\nname: t\nsources:\n  - skills: ./skills\n"


class Shelf:
    """A folder with skills and a toolset that has them."""

    def __init__(self, folder):
        self.folder = folder
        self.path = folder.path

    def skill(self, name, *, text="Do it.", directory=None, files=None, **front):
        lines = [
            f"name: {name}",
            f"description: About {name}",
            *(f"{key.replace('_', '-')}: {value}" for key, value in front.items()),
        ]
        place = f"skills/{directory or name}"
        self.folder.write(f"{place}/SKILL.md", "---\n" + "\n".join(lines) + f"\n---\n{text}\n")
        for file, body in (files or {}).items():
            self.folder.write(f"{place}/{file}", body)
        return self.path / place

    def load(self, text=SOURCE, environ=None):
        return load(self.folder.write("t.yaml", text), environ=environ or {})

    def names(self, text=SOURCE):
        return [tool.name for tool in self.load(text).tools]

    def warnings(self, text=SOURCE):
        toolset = self.load(text)
        toolset.entries()
        return [warning.message for warning in toolset.warnings]

    def run(self, script, text=SOURCE):
        return self.load(text).tool.execute_sync(script)


@pytest.fixture
def shelf(folder):
    return Shelf(folder)


def call(directory, script, data=None, *, stdin=None, env=None, **options):
    if script.endswith(".sh") and shutil.which("bash", path=process.PATH) is None:
        pytest.skip("not installed here: bash")
    target = SkillScript(directory, PurePosixPath(script), **options)
    params = {} if data is None else {"data": data}
    return asyncio.run(target(ToolArgs(params, stdin, env or {})))


# -- K01: names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skill", "script", "name"),
    [
        ("pdf-extractor", "extract.py", "pdf-extractor.extract"),
        ("pdf-extractor", "convert.sh", "pdf-extractor.convert"),
        ("pdf-extractor", "utils/parse.py", "pdf-extractor.utils-parse"),
        ("data-tools:csv", "process.py", "data-tools:csv.process"),
        ("data-tools:csv", "utils/validate.js", "data-tools:csv.utils-validate"),
        ("s", "my_script.sh", "s.my_script"),
        ("s", "a-b.rb", "s.a-b"),
        ("s", "x.ps1", "s.x"),
    ],
)
def test_k01_the_name_table(skill, script, name):
    assert tool_name(skill, PurePosixPath(f"scripts/{script}")) == name
    assert tool_name(skill, PurePosixPath(script)) == name


def test_k01_two_scripts_that_share_a_name_are_an_error_naming_both(shelf):
    shelf.skill("pdf", files={"scripts/extract.py": "", "scripts/extract.sh": ""})
    with pytest.raises(
        ToolsetError, match=r"4:13: pdf/scripts/extract\.sh and pdf/scripts/extract\.py are both called 'pdf\.extract'"
    ):
        shelf.names()


# -- K02: the skill ----------------------------------------------------------------------------------------------------


@pytest.mark.needs("bash", "cat")
def test_k02_a_skill_is_a_prompt_tool_and_one_tool_a_script_and_each_runs_its_own(shelf):
    shelf.skill("pdf", files={"scripts/one.sh": "echo one", "scripts/two.sh": "echo two", "three.sh": "echo three"})
    assert shelf.names() == ["pdf", "pdf.three", "pdf.one", "pdf.two"]
    assert shelf.run("pdf.one; pdf.two; pdf.three").stdout == "one\ntwo\nthree\n"


def test_k02_one_skill_is_a_source_too(shelf):
    shelf.skill("pdf", files={"a.sh": "echo a"})
    assert shelf.names(SOURCE.replace("./skills", "./skills/pdf")) == ["pdf", "pdf.a"]


@pytest.mark.parametrize(
    ("text", "script", "printed"),
    [
        ("Take $ARGUMENTS twice: $ARGUMENTS.", "s --arguments 'the file'", "Take the file twice: the file.\n"),
        ("Take ${ARGUMENTS}.", "s --arguments 'a\\1$ARGUMENTS'", "Take a\\1$ARGUMENTS.\n"),
        ("Take $ARGUMENTS.", "s", "Take .\n"),
        ("Do it.", "s --arguments x", "Do it.\n\nARGUMENTS: x\n"),
        ("Do it.", "s", "Do it.\n"),
        ("Not $ARGUMENTSX.", "s --arguments x", "Not $ARGUMENTSX.\n\nARGUMENTS: x\n"),
    ],
)
def test_k02_the_prompt_tool_prints_the_text_with_its_arguments(shelf, text, script, printed):
    shelf.skill("s", text=text)
    assert shelf.run(script).stdout == printed


def test_k02_the_whole_frontmatter_of_the_format(folder):
    front = """---
name: pdf-processing
description: >-
  Extract text.
  Use it for PDFs.
license: Apache-2.0
compatibility: Requires git
metadata: {author: example-org, version: "1.0"}
allowed-tools: Bash(git add:*) Read
x-other: kept
---

# Text
"""
    folder.write("s/SKILL.md", front.replace("\n", "\r\n"))
    expected = Skill("pdf-processing", "Extract text. Use it for PDFs.", "# Text", "1.0", ("Bash(git add:*)", "Read"))
    assert read_skill(folder.path / "s") == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# no frontmatter\n", "1:1: SKILL.md begins with its frontmatter"),
        ("---\nname: s\n", "1:1: the frontmatter has no end"),
        ("---\nname: s\n---\n", "2:1: the frontmatter needs a description"),
        ("---\ndescription: d\n---\n", "2:1: the frontmatter needs a name"),
        ("---\n---\n", "1:1: the file is empty"),
        ("---\n- a\n---\n", "2:1: the frontmatter is a mapping of name and description, not array"),
        ("---\nname: s\ndescription: 3\n---\n", "3:14: description is text, not integer"),
        ("---\nname: s\ndescription: ''\n---\n", "3:14: description is empty"),
        ("---\nname: s\n\ndescription: Use when: now\n---\n", "4:22: YAML: mapping values are not allowed in this context"),
        ("---\nname: s\ndescription: d\nname: t\n---\n", "4:1: the key 'name' appears twice"),
        ("---\ndescription: d\nname: if\n---\n", "3:7: the skill's name 'if' is a reserved word of the shell"),
        ("---\nname: s\ndescription: d\nmetadata: [a]\n---\n", "4:11: metadata is a mapping, not array"),
        ("---\nname: s\ndescription: d\nallowed-tools: 3\n---\n", "4:16: allowed-tools is text or a list, not integer"),
        ("---\nname: s\ndescription: d\nallowed-tools: [Read, 3]\n---\n", "4:23: a tool's name is text, not integer"),
        ("---\nname: s\ndescription: d\nlicense: true\n---\n", "4:10: license is text, not boolean"),
    ],
)  # fmt: skip
def test_k02_a_mistake_is_a_warning_at_its_true_line_and_the_other_skills_stay(shelf, text, problem):
    shelf.skill("other")
    shelf.folder.write("skills/wrong/SKILL.md", text)
    toolset = shelf.load()
    assert [tool.name for tool in toolset.tools] == ["other"]
    file = shelf.path / "skills/wrong/SKILL.md"
    assert [str(warning) for warning in toolset.warnings] == [f"{file}:{problem}"]


def test_k02_a_mistake_in_the_one_skill_of_a_source_is_an_error(shelf):
    shelf.folder.write("skills/SKILL.md", "---\nname: s\n---\n")
    assert [str(problem).rpartition("SKILL.md:")[2] for problem in check(shelf.folder.write("t.yaml", SOURCE), environ={})] == [
        "2:1: the frontmatter needs a description"
    ]


# -- K03: input --------------------------------------------------------------------------------------------------------


@pytest.mark.needs("bash", "cat")
@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("s.show", "{}"),
        ("s.show --data null", "{}"),
        ("s.show --data 0", "0"),
        ("s.show --data '\"\"'", '""'),
        ("s.show --data '[]'", "[]"),
        ("s.show --data false", "false"),
        ("""s.show --data '{"file":"x.pdf"}'""", '{"file":"x.pdf"}'),
        ("s.show --data plain", '"plain"'),
        ("s.show --data 'ü'", '"ü"'),
        ("""echo '{"file": "x.pdf"}' | s.show""", '{"file":"x.pdf"}'),
        ("echo '[1, 2]' | s.show", "[1,2]"),
        ("echo '[1, 2]' | s.show --data 3", "3"),
        ("printf '' | s.show", "{}"),
        ("""s.show '{"data": {"a": 1}}'""", '{"a":1}'),
    ],
)
def test_k03_data_is_json_on_standard_input(shelf, command, seen):
    shelf.skill("s", files={"scripts/show.sh": "cat"})
    response = shelf.run(command)
    assert (response.stdout, response.stderr, response.exit_code) == (seen, "", 0)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("echo nothing | s.show", "s.show: standard input is not JSON: Expecting value: line 1 column 1 (char 0)\n"),
    ],
)
def test_k03_what_is_no_data_is_refused_before_anything_runs(shelf, command, message):
    shelf.skill("s", files={"scripts/show.sh": "touch ran"})
    response = shelf.run(command)
    assert response.exit_code == 2
    assert response.stderr.startswith(message)
    assert not (shelf.path / "skills/s/ran").exists()


# -- K04: descriptions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suffix", "text", "description"),
    [
        (".py", '"""Extract text."""\n', "Extract text."),
        (".py", '"""\nExtract text\nfrom PDF.\n\nMore.\n"""\n', "Extract text from PDF."),
        (".py", "'''\nExtract.\n'''\n", "Extract."),
        (".py", "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n\n# Extract\n# text.\n#\n# More.\nimport os\n", "Extract text."),
        (".py", "import os\n# not this\n", ""),
        (".py", "\ufeff#!/usr/bin/env python3\r\n# Windows lines.\r\n", "Windows lines."),
        (".py", "", ""),
        (".sh", "#!/bin/bash\n# Convert PDF to image\n# Supports PNG.\n\nset -e\n", "Convert PDF to image Supports PNG."),
        (".sh", "#!/bin/bash\n: '\nConvert.\nAll.\n'\necho\n", "Convert. All."),
        (".sh", "#!/bin/bash\n#######\n# Boxed.\n#######\n", "Boxed."),
        (".js", "// Extract metadata\n// from files\nlet a\n", "Extract metadata from files"),
        (".js", "'use strict';\n/**\n * Extract metadata.\n * From files.\n *\n * @param x\n */\n", "Extract metadata. From files."),
        (".js", "#!/usr/bin/env node\n/* One line. */\n", "One line."),
        (".rb", "# frozen_string_literal: true\n\n=begin\nParse.\n=end\n", "Parse."),
        (".rb", "# Parse.\n", "Parse."),
        (".pl", "#!/usr/bin/perl\n# Count.\n", "Count."),
        (".bat", "@echo off\nREM Copy files.\n", "Copy files."),
        (".ps1", "<#\nCopy.\n#>\n", "Copy."),
        (".py", "# " + "x" * 300 + "\n", "x" * 256),
    ],
)  # fmt: skip
def test_k04_the_first_comment_describes_a_script(suffix, text, description):
    assert first_comment(text, suffix) == description


def test_k04_descriptions_reach_the_tools(shelf):
    shelf.skill("s", files={"a.py": "# Does A.\n", "b.py": "print()\n"})
    assert [(tool.name, tool.description) for tool in shelf.load().tools] == [("s", "About s"), ("s.a", "Does A."), ("s.b", "")]


# -- K05, K06: how it ends ---------------------------------------------------------------------------------------------


def test_k05_exit_0_returns_standard_output_and_anything_else_is_an_error_with_code_and_stderr(shelf):
    directory = shelf.skill(
        "s", files={"ok.sh": "echo fine; echo note >&2", "bad.sh": "echo part; echo 'no such page' >&2; exit 3"}
    )
    result = call(directory, "ok.sh")
    assert (result.stdout, result.stderr, result.exit_code) == (b"fine\n", b"note\n", 0)
    with pytest.raises(ScriptExecutionError) as caught:
        call(directory, "bad.sh")
    error = caught.value
    assert (error.message, error.exit_code, error.stdout, error.stderr) == (
        "Script execution failed with exit code 3\nno such page",
        3,
        b"part\n",
        b"no such page\n",
    )
    response = shelf.run("s.bad")
    assert (response.stdout, response.stderr, response.exit_code) == (
        "part\n",
        "s.bad: Script execution failed with exit code 3\nno such page\n",
        3,
    )


def test_k05_the_errors_are_tool_errors_and_public():
    import bashkit

    assert issubclass(bashkit.ScriptExecutionError, ToolError)
    assert issubclass(bashkit.ScriptTimeoutError, ScriptExecutionError)
    assert issubclass(bashkit.ToolRestrictionError, ToolError)


def test_k05_a_long_standard_error_is_cut_in_the_message_only(shelf):
    directory = shelf.skill("s", files={"bad.sh": "printf 'x%.0s' {1..9000} >&2; exit 1"})
    with pytest.raises(ScriptExecutionError) as caught:
        call(directory, "bad.sh")
    assert caught.value.message.startswith("Script execution failed with exit code 1\n[1000 characters left out] … xxx")
    assert len(caught.value.stderr) == 9000


@pytest.mark.needs("bash", "sleep")
async def test_k06_a_timeout_is_124_keeps_partial_output_and_leaves_no_grandchild(shelf, pipe, hours_pass):
    body = f"exec 9>{pipe.path}; sleep 600 & echo partial; echo up >&9; sleep 600"
    target = SkillScript(shelf.skill("s", files={"slow.sh": body}), PurePosixPath("slow.sh"), timeout=30)
    running = asyncio.create_task(target(ToolArgs({}, None, {})))
    await pipe.written(running)
    with pytest.raises(ScriptTimeoutError) as caught:
        await overdue(running, hours_pass)
    assert (caught.value.exit_code, caught.value.stdout) == (124, b"partial\n")
    assert caught.value.message == "Script timed out after 30s: s/slow.sh"
    assert pipe.ended()


@pytest.mark.needs("bash", "sleep")
def test_k06_the_time_limit_is_the_sources_and_30_seconds_without_one(shelf):
    shelf.skill("s", files={"slow.sh": "sleep 600"})
    assert [item.callback.timeout for item in shelf.load().entries()[1:]] == [30.0]
    response = shelf.run("s.slow", SOURCE + "    timeout: 300ms\n")
    assert (response.exit_code, response.stderr) == (124, "s.slow: Script timed out after 0.3s: s/slow.sh\n")


def test_k06_a_signal_is_named(shelf):
    directory = shelf.skill("s", files={"dies.sh": "kill -SEGV $$"})
    with pytest.raises(ScriptExecutionError, match=r"^Script execution failed with exit code 139: killed by SIGSEGV$") as caught:
        call(directory, "dies.sh")
    assert caught.value.exit_code == 128 + signal.SIGSEGV


# -- K07: restrictions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "allowed", [None, "Bash", "Read Bash", "Read, Bash", "Bash(git:*)", "[Read, 'Bash(git add:*)']", "Read Bash(git commit -m:*)"]
)
def test_k07_scripts_run_where_bash_is_allowed_or_nothing_is_said(shelf, allowed):
    directory = shelf.skill("s", files={"a.sh": "echo ran"}, **({} if allowed is None else {"allowed_tools": allowed}))
    assert call(directory, "a.sh").stdout == b"ran\n"


@pytest.mark.parametrize(
    ("allowed", "listed"),
    [("Read", "['Read']"), ("Read, Grep", "['Read', 'Grep']"), ("[]", "[]"), ("BashOutput", "['BashOutput']")],
)
def test_k07_present_without_bash_refuses_with_the_list(shelf, allowed, listed):
    directory = shelf.skill("s", files={"a.sh": "touch ran"}, allowed_tools=allowed)
    with pytest.raises(ToolRestrictionError) as caught:
        call(directory, "a.sh")
    assert caught.value.message == f"Tool 'Bash' not allowed for skill 's'. Allowed: {listed}"
    assert not (directory / "ran").exists()
    assert shelf.run("s.a").exit_code == 126


# -- K08, K09: detection -----------------------------------------------------------------------------------------------


def test_k08_every_language_in_the_root_and_five_levels_of_scripts(shelf):
    files = {
        f"scripts/x{index}{suffix}": ""
        for index, suffix in enumerate((".py", ".sh", ".js", ".rb", ".pl", ".bat", ".cmd", ".ps1"))
    }
    files |= {"root.py": "", "other/no.py": "", "scripts/notes.md": "", "scripts/data.json": "", "scripts/UPPER.PY": ""}
    files |= {"scripts/1/2/3/4/5/deep.py": "", "scripts/1/2/3/4/5/6/deeper.py": ""}
    directory = shelf.skill("s", files=files)
    found = [str(script) for script in detect(directory).scripts]
    assert found == [
        "root.py",
        "scripts/UPPER.PY",
        *sorted(f for f in files if f.startswith("scripts/x")),
        "scripts/1/2/3/4/5/deep.py",
    ]


def test_k08_hidden_files_caches_and_links_are_skipped_without_a_word(shelf):
    names = (
        "scripts/.hidden.py",
        "scripts/.git/hook.sh",
        "scripts/__pycache__/a.py",
        "scripts/node_modules/m.js",
        "scripts/__init__.py",
        "scripts/a.py",
    )
    directory = shelf.skill("s", files=dict.fromkeys(names, ""))
    (directory / "scripts/link.py").symlink_to("a.py")
    (directory / "linked.py").symlink_to("scripts/a.py")
    (directory / "scripts/folder").symlink_to(".git")
    assert detect(directory) == Detected((PurePosixPath("scripts/a.py"),), ())


def test_k08_a_missing_interpreter_is_reported_by_the_call_and_the_tool_is_listed(shelf, monkeypatch):
    monkeypatch.setitem(running.INTERPRETERS, ".rb", ("no-such-ruby",))
    shelf.skill("s", files={"a.rb": "# Parses.\n", "b.bat": "rem Copies.\n"})
    assert shelf.names() == ["s", "s.a", "s.b"]
    response = shelf.run("s.a")
    assert (response.exit_code, response.stderr) == (127, "s.a: a.rb needs no-such-ruby, which is not installed here\n")
    assert shelf.run("s.b").stderr == "s.b: b.bat needs cmd.exe, which is not installed here\n"


def test_k08_one_bad_file_name_does_not_remove_the_others(shelf):
    directory = shelf.skill("s", files={"scripts/my script.py": "", "scripts/good.py": ""})
    (directory / "scripts" / os.fsdecode(b"b\xffd.py")).write_text("")
    toolset = shelf.load()
    assert [tool.name for tool in toolset.tools] == ["s", "s.good"]
    assert [warning.message.split(":")[0] for warning in toolset.warnings] == [
        "s/scripts/b\\udcffd.py is skipped",
        "s/scripts/my script.py is skipped",
    ]


def test_k09_links_that_lead_outside_and_setuid_files_are_refused(shelf):
    directory = shelf.skill("s", files={"scripts/ok.sh": "", "scripts/set.sh": "", "scripts/group.sh": ""})
    shelf.folder.write("outside/evil.sh", "touch ran")
    (directory / "scripts/evil.sh").symlink_to(shelf.path / "outside/evil.sh")
    (directory / "scripts/folder").symlink_to(shelf.path / "outside")
    (directory / "scripts/set.sh").chmod(stat.S_ISUID | 0o755)
    (directory / "scripts/group.sh").chmod(stat.S_ISGID | 0o755)
    assert detect(directory) == Detected(
        (PurePosixPath("scripts/ok.sh"),),
        (
            (PurePosixPath("scripts/folder"), "it is a link that leads outside of the skill"),
            (PurePosixPath("scripts/evil.sh"), "it is a link that leads outside of the skill"),
            (PurePosixPath("scripts/group.sh"), "it is setuid or setgid"),
            (PurePosixPath("scripts/set.sh"), "it is setuid or setgid"),
        ),
    )


def test_k09_scripts_that_are_a_link_themselves_are_refused(shelf):
    directory = shelf.skill("s")
    shelf.folder.write("outside/evil.sh", "touch ran")
    (directory / "scripts").symlink_to(shelf.path / "outside")
    assert detect(directory).refused == ((PurePosixPath("scripts"), "it is a link that leads outside of the skill"),)


def test_k09_a_skill_md_that_leads_outside_is_refused(shelf):
    shelf.folder.write("secret.md", "---\nname: s\ndescription: d\n---\nsecret\n")
    (shelf.path / "skills/s").mkdir(parents=True)
    (shelf.path / "skills/s/SKILL.md").symlink_to(shelf.path / "secret.md")
    assert shelf.warnings() == ["SKILL.md is a link that leads outside of the skill"]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("../evil.sh", "it leads outside of the skill"),
        ("scripts/../../evil.sh", "it leads outside of the skill"),
        ("/bin/sh", "it leads outside of the skill"),
        ("scripts/none.sh", "it is not there"),
        ("scripts", "it is not a regular file"),
        ("SKILL.md", "no interpreter is known for .md"),
        ("scripts/swapped.sh", "it is a link that leads outside of the skill"),
    ],
)
def test_k09_a_call_looks_again(shelf, script, reason):
    directory = shelf.skill("s", files={"scripts/ok.sh": ""})
    shelf.folder.write("skills/evil.sh", "touch ran")
    (directory / "scripts/swapped.sh").symlink_to(shelf.path / "skills/evil.sh")
    with pytest.raises(CallbackNotFoundError, match=f": {reason}$"):
        call(directory, script)


# -- K10: what a script sees -------------------------------------------------------------------------------------------


def test_k10_environment_and_directory(shelf, monkeypatch):
    monkeypatch.setenv("HOST_SECRET", "leak")
    directory = shelf.skill(
        "s",
        files={"scripts/a.sh": 'echo "$SKILL_NAME|$SKILL_BASE_DIR|$SKILL_VERSION|$REGION|$HOST_SECRET|$PWD"'},
        metadata="{version: 2.1}",
    )
    expected = f"s|{directory}|2.1|eu||{directory}\n"
    assert call(directory, "scripts/a.sh", env={"REGION": "eu"}).stdout.decode() == expected


@pytest.mark.needs("bash", "cat")
def test_k10_stub_mode_is_told(shelf):
    shelf.skill("s", files={"a.sh": 'echo "[$SHELLCLAW_STUB]"'})
    assert shelf.load(environ={"SHELLCLAW_STUB": "1"}).tool.execute_sync("s.a").stdout == "[1]\n"


def test_k10_too_large_arguments_are_refused(shelf, monkeypatch):
    monkeypatch.setattr(running, "_MAX_ARGUMENTS", 1 << 20)
    directory = shelf.skill("s", files={"a.sh": "wc -c"})
    assert call(directory, "a.sh", "x" * ((1 << 20) - 2)).stdout.strip() == str(1 << 20).encode()
    with pytest.raises(ScriptExecutionError, match="the data has 1048577 bytes, more than 1 MB"):
        call(directory, "a.sh", "x" * ((1 << 20) - 1))


def test_k10_a_flood_is_capped_with_a_visible_mark_and_odd_bytes_survive(shelf, monkeypatch):
    monkeypatch.setattr(process, "MAX_OUTPUT", 1000)
    directory = shelf.skill("s", files={"flood.sh": "head -c 5000 /dev/zero | tr '\\0' x", "odd.sh": r"printf 'a\377b'"})
    assert call(directory, "flood.sh").stdout == b"x" * 1000 + b"\n[4000 more bytes were dropped]\n"
    assert call(directory, "odd.sh").stdout == b"a\xffb"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "import json, sys\nprint(json.load(sys.stdin)['n'] + 1)"),
        ("a.sh", "read -r line; echo $(( ${line//[^0-9]/} + 1 ))"),
        ("a.js", "const d = JSON.parse(require('fs').readFileSync(0)); console.log(d.n + 1)"),
        ("a.pl", 'local $/; my ($n) = <STDIN> =~ /(\\d+)/; print $n + 1, "\\n";'),
        ("a.rb", "require 'json'; puts JSON.parse(STDIN.read)['n'] + 1"),
    ],
)
def test_k10_scripts_of_every_language(shelf, name, text):
    directory = shelf.skill("s", files={name: text})
    program = running.INTERPRETERS["." + name.partition(".")[2]][0]
    if shutil.which(program, path=process.PATH) is None and program != "python3":
        pytest.skip(f"{program} is not installed")
    assert call(directory, name, {"n": 41}).stdout == b"42\n"


# -- K11: several sources, and changes ---------------------------------------------------------------------------------


@pytest.mark.needs("bash")
def test_k11_the_first_source_takes_precedence_and_a_duplicate_is_one_warning(shelf):
    shelf.skill("pdf", text="mine", files={"a.sh": "echo mine", "b.sh": ""})
    for name, text in (("pdf", "yours"), ("csv", "")):
        shelf.folder.write(f"more/{name}/SKILL.md", f"---\nname: {name}\ndescription: d\n---\n{text}\n")
        shelf.folder.write(f"more/{name}/a.sh", "echo yours")
    two = SOURCE + "  - skills: ./more\n"
    toolset = shelf.load(two)
    assert [tool.name for tool in toolset.tools] == ["pdf", "pdf.a", "pdf.b", "csv", "csv.a"]
    assert [str(warning).rpartition("t.yaml:")[2] for warning in toolset.warnings] == [
        "5:13: pdf is skipped: the source on line 4 has it already and comes first"
    ]
    assert toolset.tool.execute_sync("pdf; pdf.a").stdout == "mine\nmine\n"


def test_k11_two_skills_of_one_name_in_a_directory_are_one_warning(shelf):
    shelf.skill("pdf", directory="a", files={"x.sh": ""})
    shelf.skill("pdf", directory="b", files={"x.sh": "", "y.sh": ""})
    assert shelf.warnings() == ["b is skipped: a is called 'pdf' too and comes first"]
    assert shelf.names() == ["pdf", "pdf.x"]


def test_k11_a_prefix_keeps_both(shelf):
    shelf.skill("pdf")
    assert shelf.names(SOURCE + "  - {skills: ./skills, prefix: mine-}\n") == ["pdf", "mine-pdf"]


@pytest.mark.needs("bash")
def test_k11_a_change_on_disk_is_seen(shelf):
    directory = shelf.skill("s", text="old", files={"a.sh": "# Old.\necho a"})
    toolset = shelf.load()
    assert toolset.tool.execute_sync("s").stdout == "old\n"
    shelf.skill("s", text="brand new", files={"a.sh": "# Quite new.\necho changed", "b.sh": ""})
    assert toolset.tool.execute_sync("s; s.a").stdout == "brand new\nchanged\n"
    assert [(tool.name, tool.description) for tool in shelf.load().tools] == [
        ("s", "About s"),
        ("s.a", "Quite new."),
        ("s.b", ""),
    ]
    assert set(toolset.sources[0].files()) >= {shelf.path / "skills", directory / "SKILL.md", directory}


def test_k11_what_has_not_changed_is_not_read_again(shelf, monkeypatch):
    directory = shelf.skill("s")
    first = read_skill(directory)
    assert read_skill(directory) is first


def test_y03_loading_and_asking_run_nothing(shelf):
    shelf.skill("s", files={"a.sh": "touch ran", "b.py": "open('ran', 'w')"})
    shelf.load().entries()
    assert not (shelf.path / "skills/s/ran").exists()


def test_a_missing_directory_is_an_error(shelf):
    assert shelf.folder.problems(SOURCE, resolve=True) == ["4:13: the directory cannot be read: No such file or directory"]


# -- K13: speed --------------------------------------------------------------------------------------------------------


def test_k13_what_detection_costs_grows_with_the_number_of_scripts_and_no_faster(shelf):
    def skill(name, count):
        return shelf.skill(
            name, files={f"scripts/d{index % 5}/t{index}.py": f'"""Tool {index}."""\n' for index in range(10, 10 + count)}
        )

    few, many = skill("few", 10), skill("big", 50)
    assert len(detect(many).scripts) == 50
    assert cost(lambda: detect(many)) <= 5 * cost(lambda: detect(few))


def test_k13_a_call_starts_the_interpreter_and_nothing_else(shelf, monkeypatch):
    started = []
    start = subprocess.Popen.__init__
    monkeypatch.setattr(
        subprocess.Popen, "__init__", lambda self, argv, **options: started.append(argv[1:]) or start(self, argv, **options)
    )
    directory = shelf.skill("s", files={"a.sh": "cat"})
    assert call(directory, "a.sh", 1).stdout == b"1"
    assert started == [(str(directory.resolve() / "a.sh"),)]


def test_the_prompt_of_a_toolset_with_skills_says_how_to_call_them(shelf):
    shelf.skill("pdf", files={"extract.py": "# Extract text.\n"})
    help_text = shelf.run("pdf.extract --help").stdout
    assert "Extract text." in help_text
    assert "--data" in help_text
    assert json.loads(shelf.run("pdf.extract --data '[1]' --dry-run").stdout) == {"data": [1]}
