"""Finding utilities: a file in a room is a utility, and the table of a room gives further names."""

import importlib.util
import subprocess
import sys

import pytest

from bashkit import Bash, commands
from bashkit.commands import _catalog, text

SHOUT = '''\
"""shout: repeat lines in capitals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "shout",
    usage="[OPTION]... [FILE]...",
    summary="Write lines in capitals.",
    options=(value("-n", "--times", metavar="N", help="write each line N times"),),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write every line."""
    for name in arguments.operands or ["-"]:
        for block in process.open(name).blocks():
            for line in block.decode().splitlines(keepends=True):
                process.write(line.upper() * int(arguments.get("n", "1")))
    return 0
'''
SCRIPT = "printf 'a\\nb\\n' > f; shout -n 2 f | uniq -c; echo c | xargs -I{} sh -c 'echo {} | shout'; type shout; shout -x"
SAYS = "      2 A\n      2 B\nC\nshout is /usr/bin/shout\n"
REFUSES = "shout: invalid option -- 'x'\nTry 'shout --help' for more information.\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "shout.py"
    path.write_text(SHOUT, encoding="utf-8")
    return path


@pytest.fixture
def room(file, monkeypatch):
    """A room that the file is in."""
    caches = (commands._modules, commands.command_names, commands.find_command)
    monkeypatch.setattr(text, "__path__", [*text.__path__, str(file.parent)])
    for cached in caches:
        cached.cache_clear()
    yield text
    sys.modules.pop("bashkit.commands.text.shout", None)
    for cached in caches:
        cached.cache_clear()


def test_a_new_utility_is_one_file(room):
    assert "shout" in commands.command_names()
    bash = Bash()
    result = bash.execute_sync(SCRIPT)
    assert (result.stdout, result.stderr, result.exit_code) == (SAYS, REFUSES, 1)
    assert bash.execute_sync("shout --help").stdout.startswith("Usage: shout [OPTION]... [FILE]...\nWrite lines in capitals.\n")
    assert _catalog.describe("shout")["options"][0]["names"] == ["-n", "--times"]


def test_the_same_file_is_a_command_of_one_session(file):
    spec = importlib.util.spec_from_file_location("shout", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = Bash(commands={"shout": module.main}).execute_sync(SCRIPT)
    assert (result.stderr, result.exit_code) == (REFUSES, 1)
    assert result.stdout.startswith("      2 A\n      2 B\nC\n")
    assert Bash().execute_sync("shout").exit_code == 127


SHADOWED = """
mkdir bin; printf '#!/bin/sh\\necho mine "$@"\\n' > bin/shout; chmod +x bin/shout
PATH=$PWD/bin:$PATH; shout a; env shout b; echo c | xargs shout; type -P shout; PATH=/nowhere; shout --help | read -r first; echo $?
"""


def test_a_script_that_path_leads_to_first_runs_instead_of_a_command_of_the_session(file):
    spec = importlib.util.spec_from_file_location("shout", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    result = Bash(commands={"shout": module.main}, cwd="/tmp").execute_sync(SHADOWED)
    assert result.stdout == "mine a\nmine b\nmine c\n/tmp/bin/shout\n0\n"


def test_every_file_declares_the_utility_that_it_is_named_after():
    assert all(commands.find_command(name).name == name for name in commands.command_names())


def test_a_variant_is_beside_its_utility_and_gives_options_that_it_has():
    for room in commands._rooms():
        for name, variant in getattr(room, "VARIANTS", {}).items():
            utility = commands.find_command(variant.of)
            assert commands._modules()[variant.of].startswith(f"{room.__name__}."), name
            assert name not in commands._modules()
            assert {*variant.lacks} <= {spelling for option in utility.options or () for spelling in option.names}, name
            assert not {*variant.lacks} & {*commands.find_command(name).spellings}


@pytest.mark.parametrize(
    ("further", "plain"),
    [
        ("egrep 'b+' f", "grep -E 'b+' f"),
        ("fgrep -c . f", "grep -F -c . f"),
        ("gawk '{print $1}' f", "awk '{print $1}' f"),
        ("md5sum f", "cksum -a md5 --untagged f"),
        ("sha256sum --tag f", "cksum -a sha256 f"),
        ("b2sum -l 128 f", "cksum -a blake2b -l 128 --untagged f"),
        ("base64 -w 3 f", "basenc --base64 -w 3 f"),
        ("gzip < f | zcat", "gzip < f | gzip -dc"),
        ("xz < f | xzcat", "xz < f | xz -dc"),
    ],
)
def test_a_variant_is_its_utility_with_options(further, plain):
    one, other = (Bash(files={"/home/user/f": "a b\nbb\n"}).execute_sync(script) for script in (further, plain))
    assert one.stdout == other.stdout != ""
    assert (one.stderr, one.exit_code) == (other.stderr, other.exit_code)


@pytest.mark.parametrize("script", ["md5sum -a sha1 f", "base64 --base32 f"])
def test_a_variant_lacks_what_chooses_it(script):
    assert "option" in Bash().execute_sync(script).stderr


def test_listing_the_names_imports_no_utility():
    program = "import sys; from bashkit.commands import command_names; command_names(); print('bashkit.commands.text.cat' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
