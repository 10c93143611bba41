"""Hostile scripts, and what must hold for each of them whatever it does.

A file in ``cases`` is a category: a list of mappings with

- ``name``: what the script tries;
- ``script``: the script, or ``parts``: texts, and pairs of a text and how many times it is repeated;
- ``stdin``: optional;
- ``limits``: fields of ExecutionLimits, where a case needs others than the harness's;
- ``expect``: optional: ``error`` (one, or a list of those that may be), ``status``, ``stdout`` (whole), ``stderr`` (a part of it);
- ``modes``: where it is run: ``[inline, process]`` by default;
- ``sync``: true where the case is run without an event loop;
- ``needs``: a package without which nothing is expected but what holds for each of them;
- ``known``: what does not hold yet, and why: an open fault, which is counted as one.

Whatever else: the script ends within its time, its host neither grows beyond the limits nor is left with a thread that works,
a child or an open connection, nothing is written to the host's own output, no internal error is reported, and another session works.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
TIME_LIMIT = 2.0  # seconds that a script has
SOON = 0.5  # the same in a sample, for a script of which nothing is expected but that it harms nobody
LATE = 20.0  # the same in a sample, for one that must end by itself: a busy machine is no failure
GRACE = 1.0  # seconds more that ending it may take
TURN = 0.05  # seconds of the processor that one turn of the host's event loop may take
PATIENCE = 20.0  # seconds more until the harness calls it a hang: a busy machine is no failure
MEMORY = 64 + 64  # megabytes that the host may grow: the limit for variables and buffers, and what the promise allows beside it
MODES = ("inline", "process")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Case:
    """One script; see the module."""

    category: str
    name: str
    script: str
    stdin: str | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    expect: dict[str, Any] = field(default_factory=dict)
    modes: tuple[str, ...] = MODES
    sync: bool = False
    memory: float = MEMORY
    needs: str = ""
    known: str = ""

    @property
    def id(self) -> str:
        """Category and name."""
        return f"{self.category}: {self.name}"


def read_cases() -> list[Case]:
    """All cases."""
    found = []
    for path in sorted((HERE / "cases").glob("*.yaml")):
        for entry in yaml.load(path.read_text(encoding="utf-8"), _LOADER):
            parts = entry.pop("parts", None)
            script = entry.pop("script", "")
            if parts is not None:
                script = "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)
            if "needs" in entry and find_spec(entry["needs"]) is None:
                entry.pop("expect")
            found.append(Case(category=path.stem, script=script, modes=tuple(entry.pop("modes", MODES)), **entry))
    return found


def problems(case: Case, mode: str, *, strict: bool = False) -> list[str]:
    """Run a case; what did not hold.

    Args:
        case: The case.
        mode: ``inline`` or ``process``.
        strict: Time counts too: the script ends within its limit and the grace, and the event loop never stands still for long.
    """
    limits = {"timeout": TIME_LIMIT if strict else _unhurried(case.expect)} | case.limits
    job = {"script": case.script, "stdin": case.stdin, "limits": limits, "isolation": mode, "sync": case.sync}
    try:
        child = subprocess.run(
            [sys.executable, str(HERE / "child.py")],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=limits["timeout"] + PATIENCE,
            check=False,
            start_new_session=True,
            env={
                "PATH": os.environ.get("PATH", ""),
                "PYTHONPATH": os.pathsep.join(sys.path),
                "HOST_SECRET": "canary-of-the-host",
            },
        )
    except subprocess.TimeoutExpired:
        return ["hangs"]
    if child.returncode or not child.stdout:
        return [f"the host died with {child.returncode}: {child.stderr.decode(errors='replace')[-300:]}"]
    answer = json.loads(child.stdout)
    found = _broken(case, limits, answer, strict=strict)
    if child.stderr:
        found.append(f"wrote to the host's standard error: {child.stderr.decode(errors='replace')[-400:]}")
    return found


def _unhurried(expect: dict[str, Any]) -> float:
    """Seconds for a script that runs in a sample."""
    if not expect:
        return SOON
    return TIME_LIMIT if expect.get("status") == 124 or "timeout" in str(expect.get("error")) else LATE


def _broken(case: Case, limits: dict[str, Any], answer: dict[str, Any], *, strict: bool) -> list[str]:
    found = []
    if answer["growth"] > case.memory:
        found.append(f"the host grew by {answer['growth']:.0f} MB")
    if not answer["alive"]:
        found.append("another session does not work afterwards")
    if not answer["rests"]:
        found.append("something still works when the script has ended")
    if answer["error"] in {"internal", "crash"}:
        found.append(f"error: {answer['error']}: {answer['stderr'][-200:]}")
    if "canary-of-the-host" in answer["stdout"] + answer["stderr"]:
        found.append("a secret of the host shows")
    if strict and answer["seconds"] > limits["timeout"] + GRACE:
        found.append(f"took {answer['seconds']:.1f} s")
    if strict and answer["gap"] > TURN:
        found.append(f"the event loop stood still for {answer['gap'] * 1000:.0f} ms")
    found += [
        f"{key} is {answer[key]!r:.200}, not {case.expect[key]!r:.200}"
        for key in ("status", "stdout")
        if key in case.expect and answer[key] != case.expect[key]
    ]
    if "stderr" in case.expect and case.expect["stderr"] not in answer["stderr"]:
        found.append(f"stderr is {answer['stderr']!r:.300}")
    if "error" in case.expect:
        allowed = case.expect["error"]
        if answer["error"] not in (allowed if isinstance(allowed, list) else [allowed]):
            found.append(f"error is {answer['error']!r}, not {allowed!r}")
    return found
