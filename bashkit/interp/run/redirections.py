"""Redirections (bash(1), REDIRECTION)."""

from __future__ import annotations

import errno
import os
import re
from sys import getsizeof
from typing import TYPE_CHECKING

from bashkit.fs import BytesStream, NullStream, Stream
from bashkit.fs.handles import MemoryStream
from bashkit.fs.inodes import Device, Fifo
from bashkit.fs.stream import DirectoryStream, NullSink, NullSource
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.expand.braces import may_have_braces
from bashkit.interp.expand.effects import may_assign
from bashkit.interp.expand.words import compile_scalar, plain_text
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.runtime.pipes import PipeReader, open_fifo, open_fifo_both
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.scopes import TemporaryScope
from bashkit.interp.state.variables import LARGE
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    ParameterExpansion,
    ProcessSubstitution,
    Quoted,
    Word,
)
from bashkit.syntax.unparse import unparse_word

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from bashkit.fs import VirtualFileSystem
    from bashkit.fs.inodes import Node
    from bashkit.interp.state.shell import Shell
    from bashkit.limits import Budget
    from bashkit.syntax.nodes import Redirection, WordPart

    Saved = list[tuple[int, Stream | None]]
    Apply = Callable[[Shell, Saved], None]

_DESCRIPTOR = re.compile(r"(?:/dev|/proc/(?:self|[0-9]+))/fd/([0-9]+)|/dev/(?:(stdin)|(stdout)|(stderr))")
_UNQUOTED = (ParameterExpansion, CommandSubstitution, ArithmeticExpansion)
_MANY = 32  # redirections of one command after which the budget is asked
_FIRST_FREE = 10  # {name}> allocates from here
MAX_DESCRIPTOR = 1 << 20


class RedirectionError(Exception):
    """A redirection that cannot be done; its message, without prefix."""


class HeldStream(BytesStream):
    """A long here-document, charged to the budget's memory until it is closed.

    Args:
        budget: What was charged.
        data: The document.
        size: How much was charged.
    """

    __slots__ = ("_budget", "_size")

    def __init__(self, budget: Budget, data: bytes, size: int) -> None:
        super().__init__(data)
        self._budget = budget
        self._size = size

    def close(self) -> None:
        """Give the memory back."""
        self._budget.hold(-self._size)


def compile_redirections(redirections: tuple[Redirection, ...], *, child: bool = False) -> Callable[[Shell], Saved | None]:
    """The closure that applies redirections in order.

    It returns what ``restore`` needs, or None when one failed: then the error is reported, the others undone and the status is 1.

    Args:
        redirections: What to apply.
        child: They are those of a process of its own, so that all of them are undone.
    """
    steps = tuple(_compile(redirection, child=child) for redirection in redirections)

    def apply(shell: Shell) -> Saved | None:
        saved: Saved = []
        try:
            for step in steps:
                step(shell, saved)
                if len(saved) > _MANY:
                    shell.budget.tick(8)
        except RedirectionError as error:
            shell.warn(str(error))  # where the redirections before it say
            restore(shell, saved)
            return None
        except (ExpansionError, BaseException):
            restore(shell, saved)
            raise
        return saved

    return apply


def failed_process(shell: Shell, error: ExpansionError) -> int:
    """Report what failed in the process of a program before it began; its status."""
    shell.tell(error)
    level = shell.subshell_level - shell.sole
    return error.status if error.fatal and shell.invocation.command_string and level <= 0 else 1


def assigns_words(redirection: Redirection) -> bool:
    """Whether a redirection may change a variable: by ``{name}``, or as what it names is expanded."""
    word = redirection.here.body if redirection.here is not None else redirection.target
    return bool(redirection.variable) or may_assign(word.parts)


def reads_any(redirections: tuple[Redirection, ...], names: Collection[str]) -> bool:
    """Whether what redirections name may depend on variables of these names."""
    return any(
        "IFS" in names and item.here is None and item.operator != "<<<" and not _is_constant(item.target.parts)
        for item in redirections
    ) or not all(
        _is_apart(part, names)
        for item in redirections
        for part in (item.here.body if item.here is not None else item.target).parts
    )


def _is_constant(parts: tuple[WordPart, ...]) -> bool:
    return all(isinstance(part, (Literal, Quoted)) for part in parts)


def _is_apart(part: WordPart, names: Collection[str]) -> bool:
    """Whether a part is text, or the value of a variable that is none of these."""
    if isinstance(part, Literal):
        return "~" not in part.text
    if isinstance(part, DoubleQuoted):
        return all(_is_apart(inner, names) for inner in part.parts)
    if not isinstance(part, ParameterExpansion) or part.name in {"@", "*"}:
        return isinstance(part, Quoted)
    return not (part.operator or part.indirect or part.subscript is not None) and part.name not in names


def moves_descriptor(redirection: Redirection) -> bool:
    """Whether a redirection is ``n>&word-``."""
    return redirection.operator in {">&", "<&"} and _without_dash(redirection.target) is not None


def starts_process(redirection: Redirection) -> bool:
    """Whether a redirection has a process substitution: ``< <(commands)``."""
    return any(isinstance(part, ProcessSubstitution) for part in redirection.target.parts)


def as_child(shell: Shell, act: Callable[[], int]) -> int:
    """Do what a child does: a process substitution in its redirections is not ``$!`` of the shell."""
    jobs = shell.jobs
    kept = jobs.last, jobs.substitution
    try:
        return act()
    finally:
        jobs.last, jobs.substitution = kept


def without_assignments(redirect: Callable[[Shell], Saved | None]) -> Callable[[Shell], Saved | None]:
    """Make redirections, in whose words the assignments before the command do not show."""

    def run(shell: Shell) -> Saved | None:
        scope = shell.scopes[-1] if shell.scopes and isinstance(shell.scopes[-1], TemporaryScope) else shell.assigned
        with scope.hidden(shell.variables):
            return redirect(shell)

    return run


def restore(shell: Shell, saved: Saved) -> None:
    """Undo redirections."""
    descriptors = shell.descriptors
    for number, old in reversed(saved):
        new = descriptors.pop(number, None)
        if old is not None:
            descriptors[number] = old
        if new is not None:
            new.release()


def keep(saved: Saved) -> None:
    """Make redirections permanent (``exec``): close what they replaced."""
    for _, old in saved:
        if old is not None:
            old.release()


def _put(shell: Shell, saved: Saved, number: int, stream: Stream | None) -> None:
    """Let ``number`` refer to ``stream`` (None closes it), remembering what it was."""
    saved.append((number, shell.descriptors.pop(number, None)))
    if stream is not None:
        if len(shell.descriptors) >= shell.budget.limits.max_open_files:
            stream.release()
            raise RedirectionError(f"{number}: Too many open files")
        shell.descriptors[number] = stream
        if number == 0:
            shell.fed = stream


def _compile(redirection: Redirection, *, child: bool) -> Apply:
    operator = redirection.operator
    if redirection.here is not None or operator == "<<<":
        return _compile_here(redirection)
    if operator in {">&", "<&"}:
        return _compile_duplicate(redirection, child=child)
    word = redirection.target
    target = _compile_target(word)
    both = operator in {"&>", "&>>"}
    default = 0 if operator in {"<", "<>"} else 1
    number, variable = redirection.fd, redirection.variable

    nowhere = plain_text(word) == "/dev/null"
    null = {"<": NullSource, "<>": NullStream}.get(operator, NullSink)

    def apply(shell: Shell, saved: Saved) -> None:
        if nowhere and shell.machine.fs.has_null() and not shell.restricted:
            stream: Stream = null()
        else:
            path = _one_word(target(shell), variable or word)
            stream = open_file(shell, path, operator)
        descriptor = _descriptor(shell, number, variable, default)
        _put(shell, saved, descriptor, stream)
        if both:
            _put(shell, saved, 2, stream.retain())
        if variable and not shell.options.shopt["varredir_close"]:
            saved.pop()

    return apply


def _compile_target(word: Word) -> Callable[[Shell], list[str]]:
    """The closure for the words that the word after an operator becomes; in posix mode it is not split, and no pattern."""
    words = compile_words((word,))
    if plain_text(word) is not None or may_have_braces(word):
        return words
    whole = compile_scalar(word)
    may_vanish = all(isinstance(part, _UNQUOTED) for part in word.parts)

    def expand(shell: Shell) -> list[str]:
        if not shell.options.posix or shell.invocation.interactive:
            return words(shell)
        text = whole(shell)
        return [text] if text or not may_vanish else []

    return expand


def _one_word(words: list[str], shown: str | Word) -> str:
    if len(words) != 1:
        raise RedirectionError(f"{shown if isinstance(shown, str) else unparse_word(shown)}: ambiguous redirect")
    return words[0]


def _descriptor(shell: Shell, number: int | None, variable: str, default: int) -> int:
    if variable:
        number = next(n for n in range(_FIRST_FREE, MAX_DESCRIPTOR) if n not in shell.descriptors)
        name, bracket, subscript = variable.partition("[")
        try:
            if bracket:
                shell.assign_element(name, shell.expand_subscript(name, subscript[:-1]), str(number))
            else:
                shell.assign(variable, str(number))
        except ReadonlyError as error:
            shell.complain_of_variable(error.message)
            raise RedirectionError(f"{variable}: cannot assign fd to variable") from None
        return number
    if number is None:
        return default
    if number > MAX_DESCRIPTOR:
        raise RedirectionError(f"{number}: Bad file descriptor")
    return number


def open_file(shell: Shell, path: str, operator: str) -> Stream:
    """Open the target of a redirection.

    Raises:
        RedirectionError: It cannot be opened; the message names it.
    """
    match = _DESCRIPTOR.fullmatch(path)
    if match:
        number = whole_number(match.group(1)) if match.group(1) else 0 if match.group(2) else 1 if match.group(3) else 2
        stream = shell.descriptors.get(number)
        if stream is None:
            raise RedirectionError(f"{path}: No such file or directory")
        if isinstance(stream, MemoryStream):
            return _open_again(shell, stream, path, operator)
        return stream.open_both() if operator == "<>" and isinstance(stream, PipeReader) else stream.retain()
    if path.startswith(("/dev/tcp/", "/dev/udp/")):
        raise RedirectionError(f"{path}: network is not available")
    if not path:
        raise RedirectionError(f"{path}: No such file or directory")
    if shell.restricted and operator != "<":
        raise RedirectionError(f"{path}: restricted: cannot redirect output")
    try:
        return _open(shell, shell.absolute(path), operator)
    except OSError as error:
        if error.errno == errno.EEXIST:
            raise RedirectionError(f"{path}: cannot overwrite existing file") from None
        raise RedirectionError(f"{path}: {error.strerror or os.strerror(error.errno or errno.EIO)}") from None


def _open_again(shell: Shell, stream: MemoryStream, path: str, operator: str) -> Stream:
    """A file by the name of a descriptor: it is opened anew, with an offset of its own."""
    writes, appends = operator != "<", operator in {">>", "&>>"}
    empties = writes and not appends and operator != "<>"
    if empties and operator != ">|" and shell.options.set["noclobber"]:
        raise RedirectionError(f"{path}: cannot overwrite existing file")
    found = stream.again(read=operator[0] == "<", write=writes, append=appends, truncate=empties)
    return stream.retain() if found is None else found


def _open(shell: Shell, path: str, operator: str) -> Stream:
    fs = shell.machine.fs
    mode = 0o666 & ~shell.umask
    try:
        node: Node | None = fs.lookup(path)
    except OSError:
        node = None
    if isinstance(node, Device):
        return fs.open_device(node, path, read=operator[0] == "<", write=operator != "<")
    fifo = node if isinstance(node, Fifo) else None
    if operator == "<":
        if node is not None and node.type == "directory" and fs.access(path, "r"):
            return DirectoryStream()
        return open_fifo(shell.machine.hub, fifo, write=False) if fifo else fs.open(path, read=True)
    if operator == "<>":
        if fifo:
            return open_fifo_both(shell.machine.hub, fifo)
        return fs.open(path, read=True, write=True, create=True, mode=mode)
    if fifo:
        return open_fifo(shell.machine.hub, fifo, write=True)
    append = operator in {">>", "&>>"}
    if shell.options.set["noclobber"] and operator in {">", "&>"} and _is_taken(fs, node, path):
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))
    return fs.open(path, write=True, append=append, create=True, truncate=not append, mode=mode)


def _is_taken(fs: VirtualFileSystem, node: Node | None, path: str) -> bool:
    """Whether there is a file at a path, or a link that leads nowhere."""
    if node is not None:
        return node.type == "file"
    try:
        return fs.lookup(path, follow=False).type == "symlink"
    except OSError:
        return False


def _compile_here(redirection: Redirection) -> Apply:
    number, variable = redirection.fd, redirection.variable
    word = redirection.here.body if redirection.here is not None else redirection.target
    text = (
        compile_scalar(word, tilde=False, context="here")
        if redirection.here is not None
        else compile_scalar(word, assignment=True)
    )
    ending = "" if redirection.here is not None else "\n"

    def apply(shell: Shell, saved: Saved) -> None:
        body = text(shell)
        large = len(body) > LARGE
        if large:
            shell.budget.string(len(body))
            shell.budget.hold(getsizeof(body))
            shell.budget.tick(len(body) >> 9)
        data = (body + ending).encode("utf-8", "surrogateescape")
        descriptor = _descriptor(shell, number, variable, 0) if variable or number else 0
        stream = HeldStream(shell.budget, data, getsizeof(body)) if large else BytesStream(data)
        _put(shell, saved, descriptor, stream)
        if variable and not shell.options.shopt["varredir_close"]:
            saved.pop()

    return apply


def _compile_duplicate(redirection: Redirection, *, child: bool) -> Apply:
    """``n>&m``, ``n>&-``, ``n>&m-`` and ``>&file``."""
    word = redirection.target
    source = word.source
    kept = _without_dash(word)
    moves = kept is not None
    target = _compile_target(kept or word)
    number, variable, operator = redirection.fd, redirection.variable, redirection.operator
    default = 0 if operator == "<&" else 1
    file = operator == ">&" and number in {None, 1} and not variable and not moves
    named = _name_of_duplicate(source.removesuffix("-"), number, default, moves=moves)

    def apply(shell: Shell, saved: Saved) -> None:
        words = target(shell)
        text = _one_word(words, variable or word)
        if text == "-":
            _close(shell, saved, number, variable, default)
            return
        if text and not is_digits(text):
            if not file:
                raise RedirectionError(f"{variable or text}: ambiguous redirect")
            stream = open_file(shell, text, ">")
            _put(shell, saved, 1, stream)
            _put(shell, saved, 2, stream.retain())
            return
        of = whole_number(text) if text else -1
        if not variable and of == (default if number is None else number):
            return
        duplicated = shell.descriptors.get(of)
        if duplicated is None:
            if variable or (moves and not child and (default if number is None else number) in shell.descriptors):
                shell.print_error(f"{shell.origin}: redirection error: cannot duplicate fd: Bad file descriptor")
            raise RedirectionError(f"{text if variable else named}: Bad file descriptor")
        descriptor = _descriptor(shell, number, variable, default)
        lasts = not variable and not child and descriptor not in shell.descriptors
        _put(shell, saved, descriptor, duplicated.retain())
        if variable and not shell.options.shopt["varredir_close"]:
            saved.pop()
        if moves:
            _put(shell, saved, of, None)
            if lasts:  # bash brings the source back only where it brings back what it moved over
                keep([saved.pop()])

    return apply


def _without_dash(word: Word) -> Word | None:
    """The word of ``n>&word-``, which moves a descriptor, without its dash; None for another word."""
    *others, last = word.parts or (None,)
    if not isinstance(last, Literal) or not last.text.endswith("-") or word.source == "-":
        return None
    return Word((*others, Literal(last.text[:-1])), word.source[:-1])


def _name_of_duplicate(source: str, number: int | None, default: int, *, moves: bool) -> str:
    """What messages call a descriptor that cannot be duplicated: its number, or else where it would have gone."""
    if is_digits(source):
        return source
    if moves:
        return str(default if number is None else number)
    return source if number in {None, default} else str(number)


def _close(shell: Shell, saved: Saved, number: int | None, variable: str, default: int) -> None:
    if variable:
        name, bracket, subscript = variable.partition("[")
        key = shell.expand_subscript(name, subscript[:-1])
        value = (shell.get_element(name, key) if bracket else shell.get(variable)) or ""
        if not value:
            raise RedirectionError(f"{variable}: ambiguous redirect")
        stream = shell.descriptors.pop(whole_number(value), None) if is_digits(value) else None
        if stream is not None:
            stream.release()
        return
    _put(shell, saved, default if number is None else number, None)
