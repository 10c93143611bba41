"""Prompt strings (bash(1), PROMPTING): PS4 and ``${x@P}``."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.words import compile_scalar
from bashkit.interp.runtime.control import ExpansionError
from bashkit.limits import turn
from bashkit.syntax import Parser
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_ESCAPE = re.compile(r"\\(?:([0-7]{3}|[0-7]{1,2}\Z)|(D\{[^}]*\}?|.))", re.DOTALL)  # a number is shorter only at the end


def expand_prompt(shell: Shell, text: str, *, level: int = 0) -> str:
    """A prompt string with its escapes and expansions done.

    Args:
        shell: Where variables come from.
        text: The prompt.
        level: It is PS4, whose first character is repeated so many times more.
    """
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: _octal(match[1]) if match[1] else _escape(shell, match[2]), text)
    if ("$" in text or "`" in text or "\\" in text) and shell.options.shopt["promptvars"]:
        options, shell.options = shell.options, shell.options.with_set("xtrace", False)
        try:
            text = compile_scalar(Parser("").read_here_body(text, shell.line), tilde=False)(shell)
        except (ExpansionError, ScriptSyntaxError) as error:  # a prompt that cannot be expanded is shown as it is
            shell.warn(error.message)
        finally:
            shell.options = options
    return text[:1] * level + text


def _escape(shell: Shell, code: str) -> str:
    turn()
    system = shell.machine.system
    now = time.gmtime(system.now())
    simple = {
        "a": "\a", "e": "\x1b", "n": "\n", "r": "\r", "\\": "\\", "[": "", "]": "", "u": system.username,
        "h": system.hostname.split(".")[0], "H": system.hostname, "s": "bash", "v": "5.2", "V": "5.2.15",
        "$": "\\$" if shell.options.shopt["promptvars"] else "$",
        "j": str(len(shell.jobs)), "#": "0" if shell.invocation.command_string else "1", "!": "1", "l": "tty",
    }  # fmt: skip
    if code in simple:
        return simple[code]
    if code in {"w", "W"}:
        home = shell.get("HOME") or ""
        if code == "W":
            return "~" if shell.cwd == home else shell.cwd.rpartition("/")[2] or "/"
        inside = home and (shell.cwd == home or shell.cwd.startswith(home + "/"))
        return _trimmed("~" + shell.cwd[len(home) :] if inside else shell.cwd, shell.get("PROMPT_DIRTRIM") or "")
    formats = {"d": "%a %b %d", "t": "%H:%M:%S", "T": "%I:%M:%S", "@": "%I:%M %p", "A": "%H:%M"}
    if code in formats:
        return time.strftime(formats[code], now)
    if code.startswith("D{"):
        return time.strftime(code[2:].removesuffix("}") or "%H:%M:%S", now)
    return "\\" + code


def _octal(digits: str) -> str:
    """The byte of that number; a NUL has no place in a prompt."""
    return bytes([int(digits, 8) & 0xFF]).decode("utf-8", "surrogateescape").replace("\0", "")


def _trimmed(path: str, most: str) -> str:
    """A path of which only so many last directories are shown as PROMPT_DIRTRIM says."""
    head, *names = path.split("/")
    count = whole_number(most) if is_digits(most) else 0
    if not count or len(names) <= count:
        return path
    return f"{head}{'/' if head else ''}.../{'/'.join(names[-count:])}"
