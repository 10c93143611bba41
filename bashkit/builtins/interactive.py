"""What only an interactive shell has: bind, logout, suspend. A script is told so."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, offer_help, parse_options, refuse_arguments

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell

_KEYMAPS = frozenset("emacs emacs-standard emacs-meta emacs-ctlx vi vi-move vi-command vi-insert".split())


@builtin(
    "bind",
    usage="[-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command]"
    " [keyseq:readline-function or readline-command]",
    summary="Set Readline key bindings and variables.",
)
def bind(shell: Shell, arguments: list[str]) -> int:
    """There is no line editing in a script, and no function of it that could be bound to keys."""
    offer_help(shell, "bind", "".join(arguments[1:2]))
    shell.complain("bind", "warning: line editing not enabled")
    options, _ = parse_options(shell, arguments, "lpsvPSVXm:f:q:u:r:x:")
    given = dict(options)
    refusals = [f"`{given[letter]}': unknown function name" for letter in "qu" if letter in given]
    if "m" in given and given["m"] not in _KEYMAPS:
        refusals = [f"`{given['m']}': invalid keymap name"]
    elif "f" in given:
        try:
            shell.machine.fs.read_file(shell.absolute(given["f"]))
        except OSError as error:
            refusals = [f"{given['f']}: cannot read: {os.strerror(error.errno or errno.EIO)}"]
    for refusal in refusals:
        shell.complain("bind", refusal)
    return int(bool(refusals))


@builtin("logout", usage="[n]", summary="Exit a login shell.")
def logout(shell: Shell, arguments: list[str]) -> int:
    """A script runs in no login shell."""
    offer_help(shell, "logout", "".join(arguments[1:2]))
    shell.complain("logout", "not login shell: use `exit'")
    return 1


@builtin("suspend", usage="[-f]", summary="Suspend shell execution.", options="f")
def suspend(shell: Shell, options: Options, words: list[str]) -> int:
    """There is no job control in a script."""
    if words and ("f" in dict(options) or not shell.options.set["monitor"]):
        refuse_arguments(shell, "suspend")
    shell.complain("suspend", "cannot suspend: no job control")
    return 1
