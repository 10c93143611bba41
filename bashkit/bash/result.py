"""ExecResult: what a script did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bashkit.errors import BashError


@dataclass(slots=True)
class ExecResult:
    """What a script did.

    Attributes:
        stdout: Everything it wrote to standard output; bytes that are not UTF-8 are lone surrogates (``surrogateescape``).
        stderr: Everything it wrote to standard error.
        exit_code: Its exit status, 0 to 255.
        error: None, or the category of what ended it: ``parse``, ``limit:<name>``, ``timeout``, ``cancelled``,
            ``crash`` (of a sandbox process), ``internal``.
    """

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    error: str | None = None

    @property
    def success(self) -> bool:
        """Whether the exit status is 0."""
        return self.exit_code == 0

    @property
    def stdout_bytes(self) -> bytes:
        """Standard output, byte by byte."""
        return self.stdout.encode("utf-8", "surrogateescape")

    @property
    def stderr_bytes(self) -> bytes:
        """Standard error, byte by byte."""
        return self.stderr.encode("utf-8", "surrogateescape")

    def checked(self) -> ExecResult:
        """Itself.

        Raises:
            BashError: The exit status is not 0.
        """
        if self.exit_code:
            raise BashError(self.exit_code, self.stdout, self.stderr)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dictionary."""
        return {"stdout": self.stdout, "stderr": self.stderr, "exit_code": self.exit_code, "error": self.error}
