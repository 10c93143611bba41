"""sudo: run a command as another user; the only user here may do everything (sudo(8))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "sudo",
    usage="[OPTION]... [NAME=VALUE]... COMMAND [ARG]...",
    summary="Run COMMAND; in this sandbox every command has the rights it needs, so nothing changes.",
    options=(
        flag("-A", "--askpass", help="(ignored: sudo never asks for a password)"),
        flag("-E", "--preserve-env", help="(ignored: the environment is always kept)"),
        value("-g", "--group", metavar="GROUP", help="(ignored: there is one user, who may do everything)"),
        flag("-H", "--set-home", help="(ignored: there is one user, who may do everything)"),
        flag("-i", "--login", help="(ignored: there is one user, who may do everything)"),
        flag("-k", "--reset-timestamp", help="(ignored: sudo never asks for a password)"),
        flag("-n", "--non-interactive", help="(ignored: sudo never asks for a password)"),
        flag("-S", "--stdin", help="(ignored: sudo never asks for a password)"),
        flag("-s", "--shell", help="run a shell, with COMMAND as its -c when there is one"),
        value("-u", "--user", metavar="USER", help="(ignored: there is one user, who may do everything)"),
        flag("-v", "--validate", help="do nothing, successfully"),
        version_flag("-V"),
    ),
    stop_at_operand=True,
    model="sudo 1.9.13",
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status."""
    words = list(arguments.operands)
    environment = process.environment()
    while words and "=" in words[0][1:]:
        name, _, text = words.pop(0).partition("=")
        environment[name] = text
    if not words:
        if "v" in arguments or "k" in arguments:
            return 0
        if not ("s" in arguments or "i" in arguments):
            raise UsageError("a command is required")
        words = ["bash"]
    elif "s" in arguments or "i" in arguments:
        words = ["bash", "-c", " ".join(words)]
    if process.launcher.obstacle(words[0]):
        process.warn(f"{words[0]}: command not found")
        return 1
    return process.launcher.run(words, env=environment)
