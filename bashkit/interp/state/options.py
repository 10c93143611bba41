"""The options of ``set -o`` and ``shopt`` with their values in a non-interactive shell (bash(1), The Set Builtin, shopt)."""

from __future__ import annotations

_SET_ON = frozenset(["braceexpand", "hashall", "interactive-comments"])
SET_DEFAULTS: dict[str, bool] = {
    name: name in _SET_ON
    for name in (
        "allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof interactive-comments keyword monitor"
        " noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix privileged verbose vi xtrace"
    ).split()
}
_SHOPT_ON = frozenset(
    "checkwinsize cmdhist complete_fullquote extquote force_fignore globasciiranges globskipdots hostcomplete interactive_comments"
    " patsub_replacement progcomp promptvars sourcepath".split()
)
SHOPT_DEFAULTS: dict[str, bool] = {
    name: name in _SHOPT_ON
    for name in (
        "autocd assoc_expand_once cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42"
        " compat43 compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob"
        " force_fignore globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit"
        " inherit_errexit interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion"
        " nocaseglob nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell"
        " shift_verbose sourcepath varredir_close xpg_echo"
    ).split()
}
