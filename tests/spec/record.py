"""Record what GNU bash answers: ``python tests/spec/record.py language/*.yaml`` fills in stdout and status of every case.

The scripts are written by hand; bash 5.2 is the judge of what they print. Run it after adding a script.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/tmp"}


class _Literal(str):
    """Text that is written as a block."""

    __slots__ = ()


def _represent(dumper: yaml.SafeDumper, data: _Literal) -> yaml.ScalarNode:
    style = "|" if "\n" in data and "\t" not in data and " \n" not in data and data.isprintable() is False else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(data), style=style)


yaml.SafeDumper.add_representer(_Literal, _represent)


def _as_from_a_terminal() -> None:
    """Signals that whoever runs this has set aside (nohup, a job in the background) would be set aside in bash, too."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def ask_bash(script: str, stdin: str = "") -> tuple[str, int]:
    """What bash prints for a script, in an empty directory, and its status."""
    return _ask(["bash", "--norc", "-c", script.encode()], stdin.encode())[:2]


def ask_bash_for(row: dict[str, Any]) -> tuple[str, int, str]:
    """What bash prints for a row of ``scripts``, its status, and what it writes to standard error."""
    script = row["script"].encode()
    way = row.get("way", "command")
    if way == "command":
        return _ask(["bash", "-c", script])
    if way == "stdin":
        return _ask(["bash"], script)
    return _ask(["bash", "../script"], script=script)


def _ask(command: list[Any], stdin: bytes = b"", script: bytes = b"") -> tuple[str, int, str]:
    with tempfile.TemporaryDirectory() as top:
        directory = Path(top, "case")
        directory.mkdir()
        Path(top, "script").write_bytes(script)
        done = subprocess.run(
            command,
            cwd=directory,
            env=ENVIRONMENT,
            input=stdin,
            capture_output=True,
            timeout=600,
            check=False,
            preexec_fn=_as_from_a_terminal,
        )
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    return out, status, err


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a table, read by libyaml where that is at hand: there are thousands."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rows: list[dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), loader)
    return rows


def main() -> None:
    """Rewrite the files named on the command line."""
    for name in sys.argv[1:]:
        path = Path(name)
        cases = read_rows(path)
        for case in cases:
            if path.parent.name == "scripts":
                case["stdout"], case["status"], err = ask_bash_for(case)
                case.update({"stderr": err} if "stderr" in case else {})
            else:
                case["stdout"], case["status"] = ask_bash(case["script"], case.get("stdin", ""))
        blocks = [{key: _Literal(value) if isinstance(value, str) else value for key, value in case.items()} for case in cases]
        text = yaml.safe_dump(blocks, sort_keys=False, allow_unicode=True, width=130)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
