"""tee: copy standard input to standard output and to files (POSIX XCU tee, GNU coreutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.quoting import quote_if_needed
from bashkit.interp.runtime.control import SigPipe
from bashkit.interp.utility.command import Arguments, command, flag, value

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_MODES = (("warn",), ("warn-nopipe",), ("exit",), ("exit-nopipe",))


def _mode(text: str) -> str:
    return choose("--output-error", text, _MODES)


@command(
    "tee",
    usage="[OPTION]... [FILE]...",
    summary="Copy standard input to each FILE, and also to standard output.",
    options=(
        flag("-a", "--append", help="append to the given FILEs, do not overwrite"),
        flag("-i", "--ignore-interrupts", help="(ignored: no interrupt reaches it)"),
        flag("-p", help="keep writing to the files when the reader of a pipe has gone"),
        value(
            "--output-error",
            metavar="MODE",
            optional=True,
            help="on write errors: warn or exit; with -nopipe not for pipes",
            check=_mode,
        ),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write each block to every output that is still open."""
    mode = arguments.get("output-error") if arguments.last("output-error", "p") != "p" else None
    chosen = _mode(mode) if mode else "warn-nopipe" if {"p", "output-error"} & {key for key, _ in arguments.given} else ""
    patient = chosen in {"warn-nopipe", "warn"}
    outputs: list[tuple[str, Stream]] = [("standard output", process.stdout)]
    status = 0
    for name in arguments.operands:
        try:
            outputs.append((name, process.create(name, append="a" in arguments)))
        except OSError as error:
            process.warn(f"{quote_if_needed(name)}: {error.strerror}")
            status = 1
            if chosen.startswith("exit"):
                return status
    while outputs and (block := process.stdin.read()):
        process.budget.tick(1 + (len(block) >> 10))
        for output in outputs.copy():
            try:
                output[1].write(block)
            except SigPipe:
                if not patient:
                    raise
                outputs.remove(output)
            except OSError as error:
                process.warn(f"{quote_if_needed(output[0])}: {error.strerror}")
                outputs.remove(output)
                status = 1
                if chosen.startswith("exit"):
                    return status
    for _, stream in outputs:
        process.close(stream)
    return status
