"""SessionBuilder: what the builders of BashTool and ScriptedTool set alike, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

    from bashkit.bash.bash import Isolation
    from bashkit.fs import Mountable
    from bashkit.fs.api import Content
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy


class SessionBuilder:
    """Collects the keyword arguments of a tool that are about the shells of its scripts."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}
        self._mappings: dict[str, dict[str, Any]] = {"env": {}, "files": {}, "mounts": {}}

    def env(self, name: str, text: str) -> Self:
        """Set a variable of the scripts' environment."""
        self._mappings["env"][name] = text
        return self

    def file(self, path: str, content: Content) -> Self:
        """Add a file that every fresh shell starts with, as ``files`` of ``Bash``."""
        self._mappings["files"][path] = content
        return self

    def mount(self, path: str, source: Mountable) -> Self:
        """Add a HostDirectory, an Overlay or a MemoryFileSystem, as ``mounts`` of ``Bash``."""
        self._mappings["mounts"][path] = source
        return self

    def network(self, policy: NetworkPolicy) -> Self:
        """Set the hosts that curl and wget may reach, as ``network`` of ``Bash``."""
        self._options["network"] = policy
        return self

    def isolation(self, isolation: Isolation) -> Self:
        """Set where scripts run, ``inline`` or ``process``, as ``isolation`` of ``Bash``."""
        self._options["isolation"] = isolation
        return self

    def limits(self, limits: ExecutionLimits) -> Self:
        """Set the limits of one execution."""
        self._options["limits"] = limits
        return self
