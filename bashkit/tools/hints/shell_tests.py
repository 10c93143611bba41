"""Whether a script tests by itself what a command substitution prints."""

from __future__ import annotations

import re

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=[\"']?\$\((?:[^()]|\([^()]*\))*\Z")
_NEAR = 300  # characters before a program in which its assignment is looked for
_LONGEST = 20_000  # characters of a script that is searched


def tested_by_shell(script: str, program: str) -> bool:
    """Whether the script compares what the program prints with ``null``, or tests whether it is empty, or has a default for it.

    The test is by text, and in doubt the answer is yes: the question is whether to stay silent.

    Args:
        script: The whole script.
        program: A word of it, as it is after expansion.
    """
    at = script.find(program)
    if at < 0 or len(script) > _LONGEST:
        return False
    line = script[at + len(program) :].partition("\n")[0]
    if re.search(r"""\)["']?\s*[!=]=?\s*["']?null\b|grep\s+(-\w+\s+)*["']?\^?null""", line):
        return True
    assigned = _ASSIGNED.search(script[max(at - _NEAR, 0) : at])
    return assigned is not None and _tests(script, assigned[1])


def _tests(script: str, name: str) -> bool:
    """Whether a script tests a variable."""
    value = rf"""["']?\$\{{?{name}\}}?["']?"""
    return bool(
        re.search(
            rf"""-[zn]\s+{value}|{value}\s*[!=]=?\s*(["']?null\b|["']{{2}})|null["']?\s*[!=]=?\s*{value}"""
            rf"""|\$\{{{name}:?[-+=?]|case\s+{value}\s+in|\[\[\s+{value}\s+(\]\]|&&)""",
            script,
        )
    )
