"""Real shell programs from Debian's packages and npm, each run in GNU bash and in bashkit: they print the same and end alike.

Not part of the whole suite, because it downloads the packages: ``python -m pytest tests/real``. It needs GNU bash 5.2 and the clients of
the registries; what they cannot download is skipped. Nothing is installed: the packages are unpacked into a folder that both shells see
at the same place, with the same commands on their PATH. The rows are in ``shell_programs.yaml``, the command lines to complete in
``completions.yaml``.
"""

import difflib
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml

from bashkit import Bash
from bashkit.fs import HostDirectory

HERE = Path(__file__).parent
ROWS = yaml.safe_load((HERE / "shell_programs.yaml").read_text(encoding="utf-8"))
COMPLETIONS = yaml.safe_load((HERE / "completions.yaml").read_text(encoding="utf-8"))
# what differs from machine to machine, or is not the same program: bashkit's own python3, rg and yq
_HINT = re.compile(
    r"^\S+: \S+: (?:this sandbox|there is no version control|nothing can be installed) .*\n", re.MULTILINE
)  # bashkit's own
LEFT_OUT = {"curl", "hostname", "ps", "python", "python3", "rg", "sudo", "uptime", "wget", "yq"}


def _version():
    try:
        done = subprocess.run(["bash", "-c", "echo $BASH_VERSION"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout


pytestmark = pytest.mark.skipif(not _version().startswith("5.2."), reason="there is no GNU bash 5.2")


class Packages:
    """Packages in a folder, each unpacked below its name when it is first asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.missing = {}

    def need(self, name):
        """Have a package, or skip the test: ``NAME`` of Debian's, or ``npm:NAME``."""
        place = self.folder / name.removeprefix("npm:")
        if name not in self.missing and not place.exists():
            try:
                self._fetch(name, place)
            except (OSError, subprocess.SubprocessError) as error:
                self.missing[name] = error
        if name in self.missing:
            pytest.skip(f"{name} cannot be downloaded: {self.missing[name]}")

    def _fetch(self, name, place):
        loading = self.folder.parent / "loading"
        loading.mkdir(exist_ok=True)
        npm = name.startswith("npm:")
        command = ["npm", "pack", "--silent", place.name] if npm else ["apt-get", "download", name]
        subprocess.run(command, cwd=loading, check=True, capture_output=True, timeout=300)
        (file,) = loading.iterdir()
        if npm:
            with tarfile.open(file) as archive:
                archive.extractall(place, filter="data")
        else:
            subprocess.run(["dpkg-deb", "-x", file, place], check=True, capture_output=True, timeout=300)
        file.unlink()


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The folder of packages, and ``bin`` beside it with the commands that both shells have."""
    folder = tmp_path_factory.mktemp("programs")
    commands = folder / "bin"
    commands.mkdir()
    for name in Bash().execute_sync("ls /usr/bin").stdout.split():
        if name not in LEFT_OUT and shutil.which(name):
            (commands / name).symlink_to(f"/usr/bin/{name}")
    for name, program in (("sh", "bash"), ("awk", "gawk")):
        if shutil.which(program):
            (commands / name).unlink(missing_ok=True)
            (commands / name).symlink_to(f"/usr/bin/{program}")
    (folder / "packages").mkdir()
    return Packages(folder / "packages")


def in_bash(script, world, top):
    """What GNU bash prints, in a directory of its own."""
    (top / "run.sh").write_text(script, encoding="utf-8")
    for name in ("home", "work"):
        (top / name).mkdir()
    try:
        done = subprocess.run(
            ["env", "-i", *_environment(world, top), "bash", top / "run.sh"],
            cwd=top / "work",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
    finally:
        shutil.rmtree(top / "work")
    return done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), done.returncode


def in_bashkit(script, world, top):
    """What bashkit prints, in the directory of the same name of its own files."""
    shell = Bash(
        cwd=str(top / "work"),
        mounts={str(world.folder.parent): HostDirectory(world.folder.parent)},
        timeout_seconds=300,
        max_commands=50_000_000,
        max_loop_iterations=50_000_000,
    )
    shell.fs.write_file(str(top / "run.sh"), script)
    shell.fs.mkdir(str(top / "home"))
    result = shell.execute_sync(f"exec env -i {' '.join(_environment(world, top))} bash {top}/run.sh")
    assert result.error != "internal"
    return _HINT.sub("", result.stdout), _HINT.sub("", result.stderr), result.exit_code


def _environment(world, top):
    commands = world.folder.parent / "bin"
    return [f"PATH={commands}", f"P={world.folder}", f"HOME={top}/home", "LC_ALL=C.UTF-8", "TERM=dumb", "TZ=UTC"]


def compare(script, world, top):
    """Run a script in both shells."""
    expected, found = in_bash(script, world, top), in_bashkit(script, world, top)
    for theirs, ours, name in ((expected[0], found[0], "output"), (expected[1], found[1], "messages")):
        lines = difflib.unified_diff(
            theirs.splitlines(), ours.splitlines(), f"{name} of bash", f"{name} of bashkit", n=2, lineterm=""
        )
        difference = "\n".join(list(lines)[:60])
        assert not difference, difference
    assert found == expected
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: re.sub(r"[^\w.-]+", "-", row["run"]))
def test_a_program_does_the_same_in_both(row, world, tmp_path):
    for name in row["packages"].split():
        world.need(name)
    out, err, _ = compare(row["script"], world, tmp_path)
    assert out or err


DRIVER = (HERE / "completions.sh").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMPLETIONS)
def test_a_completion_function_finds_the_same_in_both(command, world, tmp_path):
    world.need("bash-completion")
    row = COMPLETIONS[command]
    lines = "".join(f"complete_line {line!r}\n" for line in row["lines"])
    out, _, _ = compare(f"{DRIVER}\n{row.get('before', '')}\n{lines}", world, tmp_path)
    assert "no function" not in out


CONFIGURE = """AC_INIT([sample], [1.2], [bugs@example.org])
AC_CONFIG_AUX_DIR([.])
AC_ARG_ENABLE([fast], [AS_HELP_STRING([--enable-fast], [be fast])], [fast=$enableval], [fast=no])
AC_ARG_WITH([data], [AS_HELP_STRING([--with-data=DIR], [where the data is])], [], [with_data=/srv])
AC_ARG_VAR([MODE], [how it works])
AC_PROG_CC
AC_PROG_INSTALL
AC_PROG_LN_S
AC_PROG_MKDIR_P
AC_PROG_AWK
AC_PROG_GREP
AC_PROG_SED
AC_CHECK_PROGS([NONE], [no-such-program another], [none])
AC_CHECK_HEADERS([stdlib.h string.h no_such.h])
AC_CHECK_FUNCS([strdup no_such_function])
AC_CHECK_LIB([m], [cos])
AC_CHECK_SIZEOF([long])
AC_C_BIGENDIAN
AC_DEFINE_UNQUOTED([FAST], ["$fast"], [how fast])
AC_SUBST([with_data])
AC_CONFIG_HEADERS([config.h])
AC_CONFIG_FILES([Makefile sub/run.sh], [chmod +x sub/run.sh])
AC_OUTPUT
"""


@pytest.fixture(scope="module")
def configure(world):
    """A folder with a configure script that Autoconf has made."""
    for name in ("autoconf", "m4", "autotools-dev", "automake"):
        world.need(name)
    packages = world.folder
    place = packages / "sample"
    if not place.exists():
        (place / "sub").mkdir(parents=True)
        (place / "configure.ac").write_text(CONFIGURE)
        (place / "Makefile.in").write_text("prefix = @prefix@\nCC = @CC@\ndata = @with_data@\n@SET_MAKE@\nall: ; @INSTALL@ x\n")
        (place / "sub/run.sh.in").write_text("#! /bin/sh\n# @configure_input@\necho @PACKAGE_STRING@ @MODE@\n")
        (place / "config.h.in").write_text("#undef FAST\n#undef HAVE_STRDUP\n#undef SIZEOF_LONG\n#undef PACKAGE_NAME\n")
        for name, source in (("install-sh", "automake/usr/share/automake-1.16"), ("config.sub", "autotools-dev/usr/share/misc")):
            shutil.copy(packages / source / name, place)
        own = packages / "autoconf/usr/share/autoconf"
        settings = (own / "autom4te.cfg").read_text().replace("/usr/share/autoconf", str(own))
        (place / "autom4te.cfg").write_text(settings)
        environment = {
            **os.environ, "autom4te_perllibdir": str(own), "AC_MACRODIR": str(own), "AUTOM4TE_CFG": str(place / "autom4te.cfg"),
            "M4": str(packages / "m4/usr/bin/m4"),
        }  # fmt: skip
        command = ["perl", packages / "autoconf/usr/bin/autom4te", "--language=autoconf", "-o", "configure", "configure.ac"]
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"autom4te makes no configure script: {done.stderr}")
    return place


# a compiler that knows what it can compile by its words
COMPILER = r"""#! /bin/bash
out=a.out source=
while (($#)); do
    case $1 in
        -o) out=$2; shift ;;
        -c) [[ $out == a.out ]] && out=conftest.o ;;
        -E) out=/dev/stdout ;;
        --version) echo "sample cc 1.0"; exit ;;
        -V | -qversion | -version) echo "cc: unrecognized option" >&2; exit 1 ;;
        *.c) source=$1 ;;
    esac
    shift
done
[[ $source ]] || { echo "cc: no input" >&2; exit 1; }
if grep -q 'no_such\|__STDC_VERSION__ <\|__BIG_ENDIAN__\|bogus endian' "$source"; then echo "$source: error" >&2; exit 1; fi
if [[ $out == /dev/stdout ]]; then cat "$source"; exit; fi
printf '#! /bin/sh\necho 8 > conftest.val\nexit 0\n' > "$out"
chmod +x "$out"
"""
WAYS = {
    "help": "--help",
    "short help": "--help=short",
    "version": "--version",
    "wrong option": "--no-such-option",
    "no compiler": "CC=false",
    "all": "--build=x86_64-pc-linux-gnu --prefix=/opt/x --enable-fast --with-data='/a b' MODE='quick one' CC=$PWD/cc",
    "not there": "--srcdir=/nowhere CC=$PWD/cc",
    "cached": "-C -q CC=$PWD/cc && $P/sample/configure -C CC=$PWD/cc",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_configure_script_does_the_same_in_both(way, configure, world, tmp_path):
    assert configure
    script = f"export CONFIG_SHELL=/bin/bash\ncat > cc <<'END'\n{COMPILER}END\nchmod +x cc\nbash $P/sample/configure {WAYS[way]}; echo $?\n"
    script += "cat Makefile sub/run.sh config.h 2>/dev/null && sub/run.sh && sh ./config.status --recheck && sh ./config.status Makefile\n"
    compare(script, world, tmp_path)
