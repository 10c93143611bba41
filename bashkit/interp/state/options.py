"""The options of ``set -o`` and ``shopt`` with their values in a non-interactive shell (bash(1), The Set Builtin, shopt)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_SET_ON = frozenset(["braceexpand", "hashall", "interactive-comments"])
SET_DEFAULTS: dict[str, bool] = {
    name: name in _SET_ON
    for name in (
        "allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof"
        " interactive-comments keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail"
        " posix privileged verbose vi xtrace"
    ).split()
}
_SHOPT_ON = frozenset(
    (
        "checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete"
        " interactive_comments patsub_replacement progcomp promptvars sourcepath"
    ).split()
)
SHOPT_DEFAULTS: dict[str, bool] = {
    name: name in _SHOPT_ON
    for name in (
        "autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32"
        " compat40 compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail"
        " expand_aliases extdebug extglob extquote failglob force_fignore globasciiranges globskipdots globstar"
        " gnu_errfmt histappend histreedit histverify hostcomplete huponexit inherit_errexit interactive_comments"
        " lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob"
        " nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars"
        " restricted_shell shift_verbose sourcepath varredir_close xpg_echo"
    ).split()
}
SETTLED = frozenset(["login_shell", "restricted_shell"])  # they say how a shell was started


class Options:
    """The options of one shell. A change makes new Options, so that subshells share them.

    Args:
        set_options: Those of ``set -o``, by name.
        shopt: Those of ``shopt``, by name.

    Attributes:
        set: As given.
        shopt: As given.
        allexport, errexit, noglob, nounset, pipefail, posix, xtrace: Options of ``set`` that are asked for often.
    """

    __slots__ = ("allexport", "errexit", "noglob", "nounset", "pipefail", "posix", "set", "shopt", "xtrace")

    def __init__(self, set_options: Mapping[str, bool] = SET_DEFAULTS, shopt: Mapping[str, bool] = SHOPT_DEFAULTS) -> None:
        self.set = set_options
        self.shopt = shopt
        self.allexport = set_options["allexport"]
        self.errexit = set_options["errexit"]
        self.noglob = set_options["noglob"]
        self.nounset = set_options["nounset"]
        self.pipefail = set_options["pipefail"]
        self.posix = set_options["posix"]
        self.xtrace = set_options["xtrace"]

    def with_set(self, name: str, on: bool) -> Options:
        """After ``set -o name`` or ``set +o name``; posix mode brings three options of ``shopt`` with it."""
        shopt = self.shopt
        if name == "posix" and on is not self.posix:
            shopt = {**shopt, "expand_aliases": on, "shift_verbose": on}
            shopt["inherit_errexit"] = on or shopt["inherit_errexit"]  # which stays when the mode is left
        chosen = {**self.set, name: on}
        if on and name in _EDITORS:
            chosen[_EDITORS[name]] = False
        return Options(chosen, shopt)

    def with_shopt(self, name: str, on: bool) -> Options:
        """After ``shopt -s name`` or ``shopt -u name``."""
        return Options(self.set, {**self.shopt, name: on})

    def letters(self) -> str:
        """The letters of the options that are on, as they stand in ``$-``."""
        return "".join(letter for letter, name in OPTION_NAMES.items() if (self.shopt if letter == "r" else self.set)[name])


_EDITORS = {"emacs": "vi", "vi": "emacs"}  # one excludes the other
OPTION_NAMES = {
    "a": "allexport", "b": "notify", "e": "errexit", "f": "noglob", "h": "hashall", "k": "keyword", "m": "monitor", "n": "noexec",
    "p": "privileged", "r": "restricted_shell", "t": "onecmd", "u": "nounset", "v": "verbose", "x": "xtrace", "B": "braceexpand",
    "C": "noclobber", "E": "errtrace", "H": "histexpand", "P": "physical", "T": "functrace",
}  # fmt: skip
DEFAULTS = Options()
