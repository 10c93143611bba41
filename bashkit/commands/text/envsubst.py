"""envsubst: substitute environment variables in text (GNU gettext manual, envsubst)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import line_blocks
from bashkit.fs.stream import BLOCK
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, version_flag
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_REFERENCE = re.compile(rb"\$(?:([A-Za-z_][A-Za-z_0-9]*)|\{([A-Za-z_][A-Za-z_0-9]*)\})")


@command(
    "envsubst",
    usage="[OPTION] [SHELL-FORMAT]",
    summary="Substitute the values of environment variables in standard input.",
    options=(
        flag("-v", "--variables", help="output the variables occurring in SHELL-FORMAT"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="GNU gettext-runtime 0.21",
)
def main(process: Process, arguments: Arguments) -> int:
    """Copy standard input with ``$NAME`` and ``${NAME}`` replaced; names in SHELL-FORMAT only, when it is given."""
    if len(arguments.operands) > 1:
        raise UsageError("too many arguments", hint=False)
    if "v" in arguments:
        if not arguments.operands:
            raise UsageError("missing arguments", hint=False)
        process.stdout.write(b"".join(name + b"\n" for name in _names(arguments.operands[0])))
        return 0
    wanted = set(_names(arguments.operands[0])) if arguments.operands else None

    values: dict[bytes, bytes] = {}
    for block in line_blocks(process.stdin.blocks(), process.budget):
        parts, start = bytearray(), 0
        for found in paced(_REFERENCE.finditer(block)):
            name = found[1] or found[2]
            if wanted is not None and name not in wanted:
                continue
            value = values.get(name)
            if value is None:
                value = values[name] = process.env.get(name.decode(), "").encode("utf-8", "surrogateescape")
            parts += block[start : found.start()]
            parts += value
            start = found.end()
            if len(parts) > BLOCK:
                process.budget.tick(len(parts) >> 10)
                process.stdout.write(bytes(parts))
                parts.clear()
        parts += block[start:]
        process.stdout.write(bytes(parts))
    return 0


def _names(text: str) -> list[bytes]:
    return [found[1] or found[2] for found in _REFERENCE.finditer(text.encode("utf-8", "surrogateescape"))]
