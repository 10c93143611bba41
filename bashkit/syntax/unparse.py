"""Tree to text, in bash's own layout (``declare -f``, ``type``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticExpansion,
    ArithmeticFor,
    Assignment,
    Background,
    Case,
    Command,
    CommandSubstitution,
    ConditionalCommand,
    ConditionBinary,
    ConditionGroup,
    ConditionLogical,
    ConditionNot,
    ConditionUnary,
    Coprocess,
    DoubleQuoted,
    ExtendedGlob,
    For,
    FunctionDefinition,
    Group,
    If,
    ParameterExpansion,
    Pipeline,
    Redirected,
    Redirection,
    Select,
    Sequence,
    SimpleCommand,
    Subshell,
    While,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.syntax.nodes import Condition, WordPart

_INDENT = "    "


def unparse_function(definition: FunctionDefinition) -> str:
    """The definition as bash prints it."""
    body = definition.body
    redirections = ""
    if isinstance(body, Redirected) and isinstance(body.command, Group):
        documents = _here_documents(body)
        redirections = f" {_redirections(body.redirections)}{''.join(documents)}" + "\n" * bool(documents)
        body = body.command
    inner = body.body if isinstance(body, Group) else Sequence((body,))
    return f"{definition.name} () \n{{ \n{_block(inner, 1)}\n}}{redirections}"


def unparse_exported(definition: FunctionDefinition) -> str:
    """The definition as it stands in the environment of commands (bash(1), export)."""
    lines = unparse_function(definition).split("\n")[1:]
    return "() " + lines[0].rstrip() + "  " + "\n ".join(line.lstrip() for line in lines[1:-1]) + "\n" + lines[-1]


def unparse_command(command: Command) -> str:
    """One command as bash prints it (``$BASH_COMMAND``, ``jobs``): what a subshell or group has stands in one line."""
    if isinstance(command, Redirected):
        return f"{unparse_command(command.command)} {_redirections(command.redirections)}"
    if isinstance(command, Subshell):
        return f"( {_flat(command.body)} )"
    if isinstance(command, Group):
        return f"{{ {_flat(command.body)}{'' if isinstance(command.body.commands[-1], Background) else ';'} }}"
    return _command(command, 0)


def _flat(sequence: Sequence) -> str:
    """Commands in one line."""
    text = ""
    for command in sequence.commands:
        text += (" " if text.endswith("&") else "; " if text else "") + unparse_command(command)
    return text


def _block(sequence: Sequence, level: int) -> str:
    """Commands one a line, separated by semicolons."""
    text = ""
    last = len(sequence.commands) - 1
    begins_line = True
    for index, command in enumerate(sequence.commands):
        text += (_INDENT * level if begins_line else " ") + _command(command, level)
        documents = _here_documents(command)
        begins_line = not isinstance(command, Background)
        if documents:
            text += "".join(documents) + ("\n" if index == last else "\n\n")
        elif isinstance(command, Pipeline) and any(map(_here_documents, command.commands)):
            text += "" if index == last else "\n"
        elif begins_line and index != last:
            text += ";\n"
    return text


def _here_documents(command: Command) -> list[str]:
    redirections: tuple[Redirection, ...] = ()
    if isinstance(command, (SimpleCommand, Redirected)):
        redirections = command.redirections
    elif isinstance(command, Pipeline):
        return _here_documents(command.commands[-1]) if command.commands else []
    return [f"\n{item.here.body.source}{item.here.delimiter}" for item in redirections if item.here is not None]


def _inline(sequence: Sequence, level: int) -> str:
    """The commands of a condition or subshell."""
    text = ""
    for index, command in enumerate(sequence.commands):
        text += _command(command, level)
        if index < len(sequence.commands) - 1:
            text += " " if isinstance(command, Background) else ";\n" + _INDENT * level
    return text


def _word(word: Word | Assignment) -> str:
    """A word as written, but for the commands that are substituted: bash prints these in its layout, too."""
    source = word.source
    if "$(" not in source:
        return source
    text, begin = "", 0
    for inner in _substitutions(word):
        written = f"$({inner.text})"
        at = source.find(written, begin)
        if at < 0 or inner.body is None:
            continue
        flat = _by_lines(inner.body, inner.text) if "\n" in inner.text else _flat(inner.body)
        if flat is None:
            continue
        text += f"{source[begin:at]}$({' ' * flat.startswith('(')}{flat})"
        begin = at + len(written)
    return text + source[begin:]


def _by_lines(sequence: Sequence, source: str) -> str | None:
    """Commands with a line end between those that begin on different lines; None where the tree does not tell enough."""
    if "<<" in source or ";\n" in source:
        return None
    text, written, line = "", "", 0
    for command in sequence.commands:
        begin = _first_line(command)
        if not begin and (len(sequence.commands) > 1 or isinstance(command, (Subshell, Group))):
            return None
        if text:
            if "\n" in written:
                return None
            text += " " if text.endswith("&") else "\n" if line != begin else "; "
        written = unparse_command(command)
        text, line = text + written, begin
    return text


def _first_line(command: Command) -> int:
    """The line on which a command begins; 0 where the tree does not tell."""
    while not isinstance(command, SimpleCommand):
        if isinstance(command, Pipeline):
            command = command.commands[0]
        elif isinstance(command, AndOr):
            command = command.first
        elif isinstance(command, Background):
            command = command.command
        else:
            return 0
    return command.line


def _substitutions(word: Word | Assignment) -> Iterator[CommandSubstitution]:
    """The outermost command substitutions of a word, in the order in which they are written."""
    if isinstance(word, Word):
        yield from _in_parts(word.parts)
        return
    if word.subscript is not None:
        yield from _substitutions(word.subscript)
    for value in (word.value,) if isinstance(word.value, Word) else word.value:
        if isinstance(value, Word):
            yield from _substitutions(value)
        else:
            for item in (value.subscript, value.value):
                yield from _substitutions(item) if item is not None else ()


def _in_parts(parts: tuple[WordPart, ...]) -> Iterator[CommandSubstitution]:
    for part in parts:
        if isinstance(part, CommandSubstitution):
            yield part
        elif isinstance(part, (DoubleQuoted, ExtendedGlob)):
            yield from _in_parts(part.parts)
        elif isinstance(part, ArithmeticExpansion):
            yield from _in_parts(part.expression.parts)
        elif isinstance(part, ParameterExpansion):
            for inner in (part.subscript, part.argument, part.second):
                yield from _in_parts(inner.parts) if inner is not None else ()


def _redirections(redirections: tuple[Redirection, ...]) -> str:
    texts: list[str] = []
    for item in redirections:
        head = str(item.fd) if item.fd is not None else f"{{{item.variable}}}" if item.variable else ""
        if item.here is not None:
            texts.append(f"{head}{item.operator}{item.target.source}")
        elif item.operator == "<>":
            texts.append(f"{head or '0'}<> {_word(item.target)}")
        elif item.operator in {">&", "<&"}:
            default = "1" if item.operator == ">&" else "0"
            texts.append(
                f"{head or (default if item.target.source.rstrip('-').isdecimal() else '')}{item.operator}{item.target.source}"
            )
        else:
            texts.append(f"{head}{item.operator} {_word(item.target)}")
    return " ".join(texts)


def _simple(command: SimpleCommand) -> str:
    pieces = [*(_word(item) for item in command.assignments), *(_word(item) for item in command.words)]
    if command.redirections:
        pieces.append(_redirections(command.redirections))
    return " ".join(pieces)


def _command(command: Command, level: int) -> str:
    pad = _INDENT * level
    if isinstance(command, SimpleCommand):
        return _simple(command)
    if isinstance(command, Pipeline):
        joined = "".join(_stage(inner, level) for inner in command.commands[:-1])
        joined += _command(command.commands[-1], level) if command.commands else ""
        prefix = {"": "", "bash": "time ", "posix": "time -p "}[command.timed] + ("! " if command.negated else "")
        return prefix + joined
    if isinstance(command, AndOr):
        return _command(command.first, level) + "".join(
            f" {operator} {_command(inner, level)}" for operator, inner in command.rest
        )
    if isinstance(command, Background):
        return _command(command.command, level) + " &"
    if isinstance(command, Sequence):
        return _inline(command, level)
    if isinstance(command, Group):
        return f"{{ \n{_block(command.body, level + 1)}\n{pad}}}"
    if isinstance(command, Subshell):
        return f"( {_inline(command.body, level)} )"
    if isinstance(command, If):
        return _if(command, level)
    if isinstance(command, While):
        keyword = "until" if command.until else "while"
        return f"{keyword} {_inline(command.condition, level)}; do\n{_block(command.body, level + 1)};\n{pad}done"
    return _other(command, level)


def _stage(command: Command, level: int) -> str:
    """A command and the bar after it; its here-documents come before the next one."""
    documents = "".join(_here_documents(command))
    return _command(command, level) + (f" |{documents}\n  " if documents else " | ")


def _if(command: If, level: int) -> str:
    pad = _INDENT * level
    (condition, body), *rest = command.branches
    text = f"if {_inline(condition, level)}; then\n{_block(body, level + 1)}"
    if rest:
        inner = If(tuple(rest), command.otherwise)
        return f"{text};\n{pad}else\n{_INDENT * (level + 1)}{_if(inner, level + 1)};\n{pad}fi"
    if command.otherwise is not None:
        text += f";\n{pad}else\n{_block(command.otherwise, level + 1)}"
    return f"{text};\n{pad}fi"


def _other(command: Command, level: int) -> str:
    pad = _INDENT * level
    if isinstance(command, (For, Select)):
        keyword = "for" if isinstance(command, For) else "select"
        words = ' in "$@"' if command.words is None else " in " + " ".join(map(_word, command.words))
        return f"{keyword} {command.name}{words};\n{pad}do\n{_block(command.body, level + 1)};\n{pad}done"
    if isinstance(command, ArithmeticFor):
        parts = "; ".join(word.source.strip() or "1" for word in (command.initial, command.condition, command.step))
        return f"for (({parts}))\n{pad}do\n{_block(command.body, level + 1)};\n{pad}done"
    if isinstance(command, Case):
        items = "".join(
            f"\n{pad}{_INDENT}{' | '.join(map(_word, item.patterns))})"
            f"\n{_block(item.body, level + 2)}\n{pad}{_INDENT}{item.terminator or ';;'}"
            for item in command.items
        )
        return f"case {_word(command.subject)} in {items}\n{pad}esac"
    if isinstance(command, ArithmeticCommand):
        return f"(({command.expression.source}))"
    if isinstance(command, ConditionalCommand):
        return f"[[ {_condition(command.expression)} ]]"
    if isinstance(command, FunctionDefinition):
        inner = command.body.body if isinstance(command.body, Group) else Sequence((command.body,))
        return f"function {command.name} () \n{pad}{{ \n{_block(inner, level + 1)}\n{pad}}}"
    if isinstance(command, Coprocess):
        return f"coproc {command.name} {_command(command.command, level)}"
    assert isinstance(command, Redirected)
    return f"{_command(command.command, level)} {_redirections(command.redirections)}"


def _condition(condition: Condition) -> str:
    if isinstance(condition, ConditionUnary):
        return f"{condition.operator} {_word(condition.operand)}"
    if isinstance(condition, ConditionBinary):
        return f"{_word(condition.left)} {condition.operator} {_word(condition.right)}"
    if isinstance(condition, ConditionGroup):
        return f"( {_condition(condition.inner)} )"
    if isinstance(condition, ConditionNot):
        return f"! {_condition(condition.operand)}"
    if isinstance(condition, ConditionLogical):
        return f"{_condition(condition.left)} {condition.operator} {_condition(condition.right)}"
    return f"-n {_word(condition.word)}"
