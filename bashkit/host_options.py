"""Checks what a host passes to sessions and tools: each message says what is right."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.fs.inodes import LazyFile
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.utility.command import Command
from bashkit.limits import ISOLATIONS, ExecutionLimits
from bashkit.syntax.tokens import RESERVED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_CONTENT = (str, bytes, bytearray, memoryview)
_FIRST_SECOND, _LAST_SECOND = -62_135_596_800, 253_402_300_799  # of the years 1 and 9999


def check_execution(
    script: object, stdin: object, on_output: Callable[..., object] | None, words: object = None, *, from_file: bool = False
) -> Callable[..., None] | None:
    """Check the arguments of one execution.

    Returns:
        ``on_output`` as ``observer`` makes it.

    Raises:
        TypeError: One has a wrong type.
        DefinitionError: A word has a NUL character.
    """
    if not isinstance(script, str):
        raise TypeError(f"a script must be a text (str), not {_kind(script)}")
    if stdin is not None and not isinstance(stdin, (str, bytes)) and not callable(stdin):
        raise TypeError(f"stdin must be str or bytes, or a function that gives bytes, not {_kind(stdin)}")
    if words is not None and not (isinstance(words, (list, tuple)) and words and all(isinstance(word, str) for word in words)):
        raise TypeError("words must be a list of texts, the name of the script first")
    if words is not None and "\0" in "".join(words):
        raise DefinitionError("words must be texts without NUL characters")
    if from_file and words is None:
        raise TypeError("from_file needs words, the name of the file first")
    return None if on_output is None else observer("on_output", on_output)


def observer(name: str, function: Callable[..., object]) -> Callable[..., None]:
    """A host's function that is told what an execution does, as one that raises TypeError if it returns an awaitable.

    Raises:
        TypeError: It cannot be called, or is async.
    """
    reason = _no_hook(function)
    if reason:
        raise TypeError(f"{name} {reason}")

    def tell(*news: object) -> None:
        answer = function(*news)
        if answer is not None and inspect.isawaitable(answer):
            if inspect.iscoroutine(answer):
                answer.close()
            raise TypeError(f"{name} must be synchronous and must not return an awaitable")

    return tell


def check_session(**options: Any) -> None:
    """Check the options of ``Bash`` that are given; None is as good as left out.

    Raises:
        DefinitionError: One is wrong.
    """
    for name, value in options.items():
        if value is not None:
            _CHECKS[name](name, value)


def check_hooks(**hooks: object) -> None:
    """Check functions that are called and not awaited; None is as good as left out.

    Raises:
        DefinitionError: One cannot be called, or is async.
    """
    for name, hook in hooks.items():
        reason = "" if hook is None else _no_hook(hook)
        if reason:
            raise DefinitionError(f"{name} {reason}")


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Check that a value is one of several.

    Raises:
        DefinitionError: It is not.
    """
    if not isinstance(value, str) or value not in choices:
        raise DefinitionError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def check_instance(name: str, value: object, kind: type) -> None:
    """Check that a value is of a class.

    Raises:
        DefinitionError: It is not.
    """
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise DefinitionError(f"{name} must be {article} {kind.__name__}, not {_kind(value)}")


def _no_hook(value: object) -> str:
    """Why a value cannot be called without awaiting it; "" if it can be."""
    if not callable(value):
        return f"must be callable, not {_kind(value)}"
    if inspect.iscoroutinefunction(value) or inspect.iscoroutinefunction(type(value).__call__):
        return "must be a synchronous callable: it is called and not awaited"
    return ""


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__


def _mapping(name: str, value: Any) -> Iterable[tuple[Any, Any]]:
    if value.__class__ is not dict and not isinstance(value, Mapping):  # that takes its time
        raise DefinitionError(f"{name} must be a mapping, not {_kind(value)}")
    return value.items()


def _path(name: str, path: object) -> None:
    if not isinstance(path, str) or not path.startswith("/"):
        raise DefinitionError(f"{name}: {path!r} is not an absolute path")
    if "\0" in path:
        raise DefinitionError(f"{name}: {path!r} is no path: it has a NUL character")


def _files(name: str, value: Any) -> None:
    for path, content in _mapping(name, value):
        _path(name, path)
        right = callable(content.produce) if isinstance(content, LazyFile) else isinstance(content, _CONTENT) or callable(content)
        if not right:
            raise DefinitionError(
                f"{name}[{path!r}] must be str, bytes, LazyFile or a function that gives them, not {_kind(content)}"
            )


def _mounts(name: str, value: Any) -> None:
    for path, source in _mapping(name, value):
        _path(name, path)
        if isinstance(source, type) or not callable(getattr(source, "open_volume", None)):
            wrong = f"the class {source.__name__}" if isinstance(source, type) else _kind(source)
            raise DefinitionError(f"{name}[{path!r}] must be a HostDirectory, an Overlay or a MemoryFileSystem, not {wrong}")


def _env(name: str, value: Any) -> None:
    for key, text in _mapping(name, value):
        if not isinstance(key, str) or not key or "=" in key or "\0" in key:
            raise DefinitionError(f"{key!r} cannot be the name of an environment variable")
        if not isinstance(text, str) or "\0" in text:
            wrong = "a text with a NUL character" if isinstance(text, str) else _kind(text)
            raise DefinitionError(f"{name}[{key!r}] must be a text (str), not {wrong}")


def _builtins(name: str, value: Any) -> None:
    for word, function in _mapping(name, value):
        if not isinstance(word, str) or not word or not word.isprintable() or word in RESERVED or " " in word or "/" in word:
            raise DefinitionError(
                f"{word!r} cannot be the name of a command: one word without slashes, and none of bash's reserved words"
            )
        if not callable(function):
            raise DefinitionError(f"{name}[{word!r}] must be a function that takes a BuiltinContext, not {_kind(function)}")


def _commands(name: str, value: Any) -> None:
    for word, command in _mapping(name, value):
        if not isinstance(word, str) or not word or not isinstance(command, Command):
            raise DefinitionError(
                f"{name}[{word!r}] must be a Command as bashkit.interp.utility.command declares it, not {command!r}"
            )


def _label(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.isprintable():
        raise DefinitionError(f"{name} must be a text of printable characters, not {value!r}")


def _username(name: str, value: object) -> None:
    _label(name, value)
    if re.search(r"[/: ]|^-|^\.\.?$", str(value)):  # it names a directory, and stands in /etc/passwd and in lists
        raise DefinitionError(f"{value!r} cannot be a user name")


def _network(name: str, value: object) -> None:
    from bashkit.network import NetworkPolicy, policy_of

    if isinstance(value, Mapping):
        policy_of(value)
    elif not isinstance(value, NetworkPolicy):
        raise DefinitionError(f"{name} must be a NetworkPolicy or a mapping of its arguments, not {_kind(value)}")


def _seed(name: str, value: object) -> None:
    if not isinstance(value, int):
        raise DefinitionError(f"{name} must be a whole number, not {value!r}")


def _clock(name: str, value: Any) -> None:
    check_hooks(**{name: value})
    told = 0.0 if isinstance(value, VirtualClock) else value()  # each look at one may let time pass
    if not isinstance(told, (int, float)) or not _FIRST_SECOND <= told <= _LAST_SECOND:
        raise DefinitionError(f"{name} must give seconds since the epoch, in the years 1 to 9999, not {told!r}")


_CHECKS: dict[str, Callable[[str, Any], None]] = {
    "files": _files,
    "mounts": _mounts,
    "env": _env,
    "secrets": _env,
    "cwd": _path,
    "username": _username,
    "hostname": _label,
    "custom_builtins": _builtins,
    "builtins": _builtins,
    "commands": _commands,
    "limits": lambda name, value: check_instance(name, value, ExecutionLimits),
    "network": _network,
    "clock": _clock,
    "seed": _seed,
    "filesystem": lambda name, value: check_choice(name, value, ("memory", "none")),
    "isolation": lambda name, value: check_choice(name, value, ISOLATIONS),
}
