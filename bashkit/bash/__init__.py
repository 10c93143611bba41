"""The session API: Bash, what it keeps between executions, one execution, snapshots."""

from bashkit.bash.bash import Bash
from bashkit.bash.result import ExecResult

__all__ = ["Bash", "ExecResult"]
