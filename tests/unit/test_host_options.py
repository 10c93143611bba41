"""What a host passes wrongly is refused at once, with a message that says what is right."""

import functools

import pytest

from bashkit import (
    Bash,
    BashTool,
    ExecutionLimits,
    HostDirectory,
    LazyFile,
    MemoryFileSystem,
    Overlay,
    ScriptedTool,
    VirtualClock,
)
from bashkit.errors import DefinitionError
from bashkit.tools import Retry, ToolDef


async def later(*_):
    return None


class Later:
    async def __call__(self, *_):
        return None


class Number:
    """A number that is no int, like those of numpy."""

    def __index__(self):
        return 5

    def __repr__(self):
        return "Number(5)"


NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"files": {"/a": 1}}, "files['/a'] must be str, bytes, LazyFile or a function that gives them, not int"),
        (
            {"files": {"/a": LazyFile("text")}},
            "files['/a'] must be str, bytes, LazyFile or a function that gives them, not LazyFile",
        ),
        ({"files": {"a": ""}}, "files: 'a' is not an absolute path"),
        ({"files": {1: ""}}, "files: 1 is not an absolute path"),
        ({"files": {"/a\0b": ""}}, r"files: '/a\x00b' is no path: it has a NUL character"),
        ({"files": ["/a"]}, "files must be a mapping, not list"),
        ({"mounts": {"/a": "/srv"}}, "mounts['/a'] must be a HostDirectory, an Overlay or a MemoryFileSystem, not str"),
        (
            {"mounts": {"/a": Overlay}},
            "mounts['/a'] must be a HostDirectory, an Overlay or a MemoryFileSystem, not the class Overlay",
        ),
        ({"mounts": {"a": None}}, "mounts: 'a' is not an absolute path"),
        ({"env": {"A": 1}}, "env['A'] must be a text (str), not int"),
        ({"env": {"A": "\0"}}, "env['A'] must be a text (str), not a text with a NUL character"),
        ({"env": {"A=": "x"}}, "'A=' cannot be the name of an environment variable"),
        ({"env": {1: "x"}}, "1 cannot be the name of an environment variable"),
        ({"username": "a\nb"}, r"username must be a text of printable characters, not 'a\nb'"),
        *(({"username": name}, f"{name!r} cannot be a user name") for name in ("a/b", "a:b", "a b", "-a", "..")),
        ({"hostname": b"a"}, "hostname must be a text of printable characters, not b'a'"),
        ({"limits": 5}, "limits must be an ExecutionLimits, not int"),
        ({"network": ["example.com"]}, "network must be a NetworkPolicy or a mapping of its arguments, not list"),
        (
            {"network": {"allows": ["a"]}},
            "network: unknown key 'allows'; there are allow, methods, headers, max_response_bytes, timeout, max_redirects, allow_private",
        ),
        ({"network": {}}, "network: allow is missing: it lists the hosts that scripts may reach"),
        ({"network": {"allow": "a.example"}}, "network: allow must be a list of texts, not 'a.example'"),
        ({"network": {"allow": [5]}}, "network: allow must be a list of texts; 5 is not one"),
        (
            {"network": {"allow": [], "timeout": -1}},
            "network: timeout must be a positive number of seconds, at most 1e+09, not -1",
        ),
        ({"network": {"allow": [], "max_redirects": -1}}, "network: max_redirects must be a whole number of at least 0, not -1"),
        ({"network": {"allow": [], "headers": {"a.example": "x"}}}, "network: headers are mappings of names to texts, by host"),
        *(
            (
                {"network": {"allow": [], "headers": {"a.example": {"X-Key": text}}}},
                "network: the header 'X-Key' for a.example is not a name with a text of one line",
            )
            for text in (5, "a\nb")
        ),
        ({"isolation": "proces"}, "isolation must be one of inline, process, not 'proces'"),
        ({"isolation": ["process"]}, "isolation must be one of inline, process, not ['process']"),
    ],
)
@pytest.mark.parametrize("make", [Bash, BashTool, functools.partial(ScriptedTool, "t")])
def test_options_of_sessions_and_tools(make, options, message):
    with pytest.raises(DefinitionError) as caught:
        make(**options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cwd": "tmp"}, "cwd: 'tmp' is not an absolute path"),
        ({"custom_builtins": {"a": 1}}, "custom_builtins['a'] must be a function that takes a BuiltinContext, not int"),
        *(
            ({"custom_builtins": {name: print}}, f"{name!r} cannot be the name of a command: one word without slashes, and none of bash's reserved words")
            for name in ("", "a b", "a/b", "a\n", "if", 1)
        ),
        ({"commands": {"a": print}}, "commands['a'] must be a Command as bashkit.interp.utility.command declares it, not <built-in function print>"),
        ({"clock": 5}, "clock must be callable, not int"),
        *(
            ({"clock": lambda told=told: told}, f"clock must give seconds since the epoch, in the years 1 to 9999, not {told!r}")
            for told in ("x", None, NAN, -1e12, 1e300)
        ),
        ({"mounts": {"/": MemoryFileSystem()}}, "mounts['/'] cannot be made: Device or resource busy"),
        ({"clock": later}, "clock must be a synchronous callable: it is called and not awaited"),
        ({"seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"filesystem": "disk"}, "filesystem must be one of memory, none, not 'disk'"),
        *(
            ({name: value}, f"{name.replace('max_memory', 'max_memory_bytes')} must be a positive whole number, not {value!r}")
            for name in ("max_commands", "max_loop_iterations", "max_memory")
            for value in (NAN, INFINITY, 2.5, 2.0, True, 0, -1, "5", Number())
        ),
        *(
            ({"timeout_seconds": value}, f"timeout must be a positive number of seconds, at most 1e+09, not {value!r}")
            for value in (NAN, INFINITY, True, 0, -1, "5", 10**400, Number())
        ),
    ],
)  # fmt: skip
def test_options_of_sessions(options, message):
    with pytest.raises(DefinitionError) as caught:
        Bash(**options)
    assert str(caught.value) == message


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"script": None}, "a script must be a text (str), not None"),
        ({"script": b"echo"}, "a script must be a text (str), not bytes"),
        ({"script": "true", "stdin": 5}, "stdin must be str or bytes, or a function that gives bytes, not int"),
        ({"script": "true", "on_output": later}, "on_output must be a synchronous callable: it is called and not awaited"),
        ({"script": "true", "on_output": Later()}, "on_output must be a synchronous callable: it is called and not awaited"),
        ({"script": "true", "on_output": "f"}, "on_output must be callable, not str"),
        ({"script": "true", "words": "a b"}, "words must be a list of texts, the name of the script first"),
        ({"script": "true", "from_file": True}, "from_file needs words, the name of the file first"),
        ({"script": "echo", "on_output": lambda *_: later()}, "on_output must be synchronous and must not return an awaitable"),
    ],
)
async def test_arguments_of_an_execution(isolation, arguments, message):
    bash = Bash(isolation=isolation)
    for run in (bash.execute_sync, bash.execute):
        with pytest.raises(TypeError) as caught:
            await run(**arguments)
        assert str(caught.value) == message
    assert bash.execute_sync("echo alive").stdout == "alive\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"secrets": {"A": 1}}, "secrets['A'] must be a text (str), not int"),
        ({"on_call": later}, "on_call must be a synchronous callable: it is called and not awaited"),
        ({"on_error": "f"}, "on_error must be callable, not str"),
        ({"policy": {"write": "ask"}}, "policy must be a Policy, not dict"),
        ({"prompt_mode": None}, "prompt_mode must be one of full, compact, discovery, not None"),
        ({"max_result_chars": NAN}, "max_result_chars must be a whole number of at least 400, not nan"),
        ({"prompt_max_chars": 0}, "prompt_max_chars must be a positive whole number, not 0"),
        ({"trace_capacity": -1}, "trace_capacity must be a whole number of at least 0, not -1"),
        ({"trace_streams": True}, "trace_streams must be a whole number of at least 0, not True"),
        ({"max_commands": 1.5}, "max_commands must be a positive whole number, not 1.5"),
        *(
            ({"tools": [tool]}, f"tools are pairs of a ToolDef and its callback, or functions decorated with tool, not {tool!r}")
            for tool in (("get", print), ToolDef("get"), print, (print,))
        ),
        ({"tools": 5}, "tools are a list, not 5"),
        ({"context": "Be polite."}, "context must be a list of texts, not 'Be polite.'"),
        ({"context": [5]}, "each of context must be a str, not int"),
        ({"short_description": None}, "short_description must be a str, not None"),
        ({"follow": []}, "follow must be callable, not list"),
        ({"tools": [(ToolDef("get"), None)]}, "the callback of 'get' is not callable: None"),
    ],
)
def test_options_of_scripted_tools(options, message):
    with pytest.raises(DefinitionError) as caught:
        ScriptedTool("t", **options)
    assert str(caught.value) == message


def test_options_of_a_builder_are_added_to_what_it_has():
    builder = ScriptedTool.builder("t").env("A", "a").file("/a", "file a\n").options(env={"B": "b"}, files={"/b": "file b\n"})
    assert builder.build().execute_sync("echo $A $B; cat /a /b").stdout == "a b\nfile a\nfile b\n"
    with pytest.raises(DefinitionError, match="env must be a mapping, not int"):
        ScriptedTool.builder("t").options(env=5).build()


def test_what_builders_are_given_is_checked():
    with pytest.raises(DefinitionError, match="files: 'a' is not an absolute path"):
        ScriptedTool.builder("t").file("a", "").build()
    with pytest.raises(DefinitionError, match="cannot be the name of a command"):
        BashTool.builder().builtin("a b", print).build()
    with pytest.raises(DefinitionError, match="errors must be one of message, type"):
        ScriptedTool.builder("t").options(errors="none").build()


SECONDS = "a positive number of seconds, at most 1e+09"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        *((functools.partial(ToolDef, "t", timeout=value), f"tool t: timeout must be {SECONDS}, not {value!r}") for value in (NAN, INFINITY, 0, -1, True, "5")),
        *((functools.partial(ToolDef, "t", cache=value), f"tool t: cache must be {SECONDS}, not {value!r}") for value in (NAN, 0, True)),
        *((functools.partial(ToolDef, "t", max_calls=value), f"tool t: max_calls must be a whole number of at least 0, not {value!r}") for value in (NAN, -1, 1.5, True)),
        (functools.partial(ToolDef, "t", retry=3), "tool t: retry must be a Retry, not 3"),
        (functools.partial(Retry, 1.5), "attempts of a retry must be a positive whole number, not 1.5"),
        (functools.partial(Retry, backoff=NAN), "backoff of a retry must be 0 or more seconds, at most 1e+09, not nan"),
        (functools.partial(Retry, factor=INFINITY), "factor of a retry must be a number of at least 1, not inf"),
        (functools.partial(Retry, max_backoff=-1), "max_backoff of a retry must be 0 or more seconds, at most 1e+09, not -1"),
        (functools.partial(Retry, exit_codes=("75",)), "an exit code of a retry must be a positive whole number, not '75'"),
        (functools.partial(Retry, exit_codes=75), "exit_codes of a retry is a tuple of numbers, not 75"),
        (functools.partial(LazyFile, str, size=-5), "the size of a LazyFile must be a whole number of at least 0, not -5"),
        (functools.partial(LazyFile, str, mode="644"), "the mode of a LazyFile must be a whole number of at least 0, not '644'"),
        (functools.partial(ExecutionLimits, max_files=0.5), "max_files must be a positive whole number, not 0.5"),
    ],
)  # fmt: skip
def test_numbers_of_tools(make, message):
    with pytest.raises(DefinitionError) as caught:
        make()
    assert str(caught.value) == message


def test_a_wait_never_overflows():
    assert Retry(10_000, factor=1e300).wait(9_999) == 30.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"files": {"/a": "", "/a/b": ""}}, "files['/a/b'] cannot be made: File exists"),
        ({"files": {"/a/b": "", "/a": ""}}, "files['/a'] cannot be made: Is a directory"),
        ({"files": {"/" + "a" * 300: ""}}, f"files['/{'a' * 300}'] cannot be made: File name too long"),
        ({"cwd": "/dev/null/a"}, "cwd '/dev/null/a' cannot be made: Not a directory"),
    ],
)
def test_files_that_cannot_be_made(options, message):
    with pytest.raises(DefinitionError) as caught:
        Bash(**options)
    assert str(caught.value) == message


@pytest.mark.parametrize("isolation", ["inline", "process"])
@pytest.mark.parametrize(
    ("limit", "files"),
    [("max_file_system_bytes", {"/a": b"x" * 2000}), ("max_files", dict.fromkeys(map("/{}".format, range(999)), ""))],
)
def test_files_that_are_too_much_are_told_with_the_limit(limit, files, isolation):
    with pytest.raises(DefinitionError, match=rf"^files\['/.*'\] cannot be made: {limit} \(999\) is reached$"):
        Bash(files=files, limits=ExecutionLimits(**{limit: 999}), isolation=isolation)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda fs: fs.read_file(5), "a path must be a text (str), not int"),
        (lambda fs: fs.exists(None), "a path must be a text (str), not None"),
        (lambda fs: fs.rename("/a", b"/b"), "a path must be a text (str), not bytes"),
        (lambda fs: fs.write_file("/new/a", 5), "the content of a file is text or bytes, not int"),
        (lambda fs: fs.append_file("/a", 5), "the content of a file is text or bytes, not int"),
    ],
)
def test_what_is_no_path_and_no_content(call, message):
    fs = Bash(files={"/a": ""}).fs
    with pytest.raises(TypeError) as caught:
        call(fs)
    assert str(caught.value).startswith(message)
    assert (fs.read_file("/a"), fs.exists("/new")) == (b"", False)


def test_no_file_has_a_nul_character_in_its_name():
    fs = Bash().fs
    with pytest.raises(OSError, match="Invalid argument"):
        fs.write_file("/a\0b", "")
    assert not fs.exists("/a\0b")


def test_what_cannot_be_mounted():
    with pytest.raises(DefinitionError, match="can be mounted, not '/srv'"):
        Bash().fs.mount("/a", "/srv")
    for source in (HostDirectory, Overlay):
        with pytest.raises(FileNotFoundError):
            source("")


def test_limits_that_leave_no_room_for_the_machine():
    with pytest.raises(DefinitionError, match="max_files: 5 are too few"):
        Bash(limits=ExecutionLimits(max_files=5))


@pytest.mark.parametrize("wrong", [Bash().snapshot().to_bytes(), None], ids=["bytes", "None"])
def test_only_a_snapshot_can_be_restored(wrong):
    for restore in (Bash().restore, Bash.from_snapshot):
        with pytest.raises(DefinitionError, match="snapshot must be a Snapshot, not "):
            restore(wrong)


@pytest.mark.parametrize("options", [{"start": "now"}, {"start": NAN}, {"start": 1e20}, {"tick": -1}])
def test_a_virtual_clock_shows_dates(options):
    with pytest.raises(DefinitionError, match="of a VirtualClock is"):
        VirtualClock(**options)


@pytest.mark.parametrize("make", [Bash, BashTool, functools.partial(ScriptedTool, "t")])
def test_only_a_text_can_be_analyzed(make):
    with pytest.raises(TypeError, match="a script must be a text"):
        make().analyze(None)
