"""BashTool: the virtual bash itself as a tool for a language model."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Literal

from bashkit.errors import DefinitionError
from bashkit.host_options import check_session
from bashkit.tools.call.trace import Trace
from bashkit.tools.define.reserved import shell_commands
from bashkit.tools.describe.manual import EXIT_STATUS, OUTPUT, Manual, configuration
from bashkit.tools.execute import contract
from bashkit.tools.execute.environment import Environment
from bashkit.tools.execute.lasting import LastingRunner, Turns
from bashkit.tools.execute.queue import ExecutionQueue
from bashkit.tools.execute.runner import ToolExecution
from bashkit.tools.execute.session_builder import SessionBuilder
from bashkit.tools.execute.truncation import OutputFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bashkit.bash import Bash
    from bashkit.bash.bash import Isolation
    from bashkit.fs import Mountable
    from bashkit.fs.api import Content
    from bashkit.interp.utility.custom import BuiltinContext
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy
    from bashkit.syntax.survey import ScriptAnalysis
    from bashkit.tools.call.cancellation import Cancellation
    from bashkit.tools.execute.contract import ToolRequest, ToolStatus

_SUMMARY = "Virtual bash interpreter with virtual filesystem"
_LASTING = "Variables, functions and files last from one call to the next.\n"

EXAMPLES: tuple[tuple[str, str], ...] = (
    ("Simple echo", "echo 'Hello, World!'"),
    ("Arithmetic", "x=5; y=3; echo $((x + y))"),
    ("Pipeline", "echo -e 'apple\nbanana' | grep a"),
    ("JSON processing", "echo '{\"n\":1}' | jq '.n'"),
    ("File operations (virtual)", "echo data > /tmp/f.txt && cat /tmp/f.txt"),
    ("Run script from VFS", "source /path/to/script.sh"),
)


class BashTool(LastingRunner):
    """Runs bash scripts; every execution has a fresh shell, unless the tool is persistent.

    Args:
        username: The user of the scripts; adds ``Home:`` to the prompt.
        hostname: The name of the virtual machine.
        limits: The limits of one execution.
        env: Environment of the scripts.
        files: Files that every fresh shell starts with, as in ``Bash``.
        mounts: Further file systems of every fresh shell, as in ``Bash``.
        builtins: Custom commands by name, as ``custom_builtins`` of ``Bash``.
        network: The hosts that curl and wget may reach, as in ``Bash``.
        isolation: Where scripts run, as in ``Bash``.
        cwd, filesystem: As in ``Bash``.
        persistent: Variables, functions and files last from one execution to the next, which take turns.
        command_names: The names of the commands that every shell has.

    Raises:
        DefinitionError: An option is wrong.
    """

    name = "bashkit"
    short_description = _SUMMARY

    def __init__(
        self,
        *,
        username: str | None = None,
        hostname: str | None = None,
        limits: ExecutionLimits | None = None,
        env: Mapping[str, str] | None = None,
        files: Mapping[str, Content] | None = None,
        mounts: Mapping[str, Mountable] | None = None,
        builtins: Mapping[str, Any] | None = None,
        network: NetworkPolicy | Mapping[str, Any] | None = None,
        isolation: Isolation = "inline",
        cwd: str | None = None,
        filesystem: Literal["memory", "none"] = "memory",
        persistent: bool = False,
        command_names: Callable[[], Iterable[str]] = shell_commands,
    ) -> None:
        check_session(
            files=files, mounts=mounts, env=env, username=username, hostname=hostname, builtins=builtins, limits=limits,
            network=network, isolation=isolation, cwd=cwd, filesystem=filesystem,
        )  # fmt: skip
        self._username = username
        self._hostname = hostname
        self._limits = limits
        self._env = dict(env or {})
        self._files = dict(files or {})
        self._mounts = dict(mounts or {})
        self._builtins = dict(builtins or {})
        self._network = network
        self._isolation: Isolation = isolation
        self._cwd = cwd
        self._filesystem: Literal["memory", "none"] = filesystem
        self.persistent = persistent
        self._command_names = command_names
        self._lasting: Bash | None = None
        self._starting = threading.Lock()
        self._queue = ExecutionQueue()
        self._outputs = OutputFiles()

    @classmethod
    def builder(cls) -> BashToolBuilder:
        """Start a builder."""
        return BashToolBuilder()

    @property
    def env(self) -> Environment:
        """The environment of the scripts. ``tool.env("REGION", "eu")`` adds a variable."""
        return Environment(self._env, self._set_env)

    def _set_env(self, name: str, text: str) -> None:
        check_session(env={name: text})
        if self._lasting is not None:
            self._lasting.set_env(name, text)
        self._env[name] = text

    def add_builtin(self, name: str, function: Callable[[BuiltinContext], Any]) -> None:
        """Declare one more custom builtin, or another in its place, for the next script: see ``Bash.add_builtin``.

        Raises:
            DefinitionError: It is no name or no function.
        """
        check_session(builtins={name: function})
        self._builtins[name] = function
        if self._lasting is not None:
            self._lasting.add_builtin(name, function)

    def remove_builtin(self, name: str) -> None:
        """Take a custom builtin away, for the next script; what it has hidden is there again.

        Raises:
            DefinitionError: There is none of that name.
        """
        if self._builtins.pop(name, None) is None:
            raise DefinitionError(f"there is no custom builtin {name!r}")
        if self._lasting is not None:
            self._lasting.remove_builtin(name)

    def analyze(self, script: str) -> ScriptAnalysis:
        """Survey a script without running it: see ``Bash.analyze``."""
        return self._bash().analyze(script)

    def _names(self) -> list[str]:
        known = sorted(self._command_names())
        return known + [name for name in self._builtins if name not in known]

    def description(self) -> str:
        """Describe the tool and every command, custom ones last."""
        return f"{_SUMMARY}. Supported tools: {' '.join(self._names())}"

    def system_prompt(self) -> str:
        """Write the text for the model's system prompt."""
        home = f"Home: /home/{self._username}\n" if self._username else ""
        return (
            f"# Bash Tool\n\n{_SUMMARY}.\n{home}{_LASTING if self.persistent else ''}\n"
            'Input: {"commands": "<bash commands>"}\nOutput: {stdout, stderr, exit_code}\n'
        )

    def help(self) -> str:
        """Write a man page."""
        page = Manual("BASH", self.version)
        page.section("NAME", ["bashkit - virtual bash interpreter with virtual filesystem"])
        page.section("SYNOPSIS", ['{"commands": "<bash commands>"}'])
        page.section("DESCRIPTION", _DESCRIPTION)
        page.words("BUILTINS", self._names())
        page.section("INPUT", ['commands    Bash commands to execute (like bash -c "commands")'])
        page.section("OUTPUT", OUTPUT)
        lines: list[str] = []
        for title, script in EXAMPLES:
            lines += ["", f"{title}:", f"    {contract.ToolRequest(script).to_json().replace(':', ': ', 1)}"]
        page.section("EXAMPLES", lines[1:])
        page.section("EXIT STATUS", EXIT_STATUS)
        page.section("SEE ALSO", ["bash(1), sh(1)"])
        configured = configuration(self._username, self._hostname, self._limits, self._env)
        if configured:
            page.section("CONFIGURATION", configured)
        return page.render()

    def _execution(
        self,
        request: ToolRequest | str,
        status: Callable[[ToolStatus], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> ToolExecution:
        if self.persistent:
            return ToolExecution(self._continued(), request, Trace(), status, Turns(self._queue, self._outputs), cancellation)
        bash = self._bash()
        bash.forget_state()
        return ToolExecution(bash, request, Trace(), status, cancellation=cancellation)

    def reset(self) -> None:
        """Drop the session of a persistent tool: the next execution begins in a fresh shell. Mounts stay."""
        self._lasting = None

    def _begun(self) -> Bash | None:
        return self._lasting

    def _continued(self) -> Bash:
        found = self._lasting
        if found is None:
            with self._starting:
                if (found := self._lasting) is None:
                    found = self._lasting = self._bash()
        return found

    def _bash(self) -> Bash:
        from bashkit.bash import Bash

        return Bash(
            env=self._env,
            files=self._files,
            mounts=self._mounts,
            username=self._username,
            hostname=self._hostname,
            limits=self._limits,
            custom_builtins=self._builtins or None,
            network=self._network,
            isolation=self._isolation,
            cwd=self._cwd,
            filesystem=self._filesystem,
        )


class BashToolBuilder(SessionBuilder):
    """Builds a BashTool step by step."""

    def __init__(self) -> None:
        super().__init__()
        self._mappings["builtins"] = {}

    def username(self, name: str) -> BashToolBuilder:
        """Set the user of the scripts."""
        self._options["username"] = name
        return self

    def hostname(self, name: str) -> BashToolBuilder:
        """Set the name of the virtual machine."""
        self._options["hostname"] = name
        return self

    def builtin(self, name: str, function: Any) -> BashToolBuilder:
        """Add a custom command, as ``custom_builtins`` of ``Bash``."""
        self._mappings["builtins"][name] = function
        return self

    def cwd(self, path: str) -> BashToolBuilder:
        """Set the working directory of a fresh shell."""
        self._options["cwd"] = path
        return self

    def persistent(self) -> BashToolBuilder:
        """Let variables, functions and files last from one execution to the next."""
        self._options["persistent"] = True
        return self

    def build(self) -> BashTool:
        """Make the tool."""
        options: dict[str, Any] = {**self._mappings, **self._options}
        return BashTool(**options)


_DESCRIPTION = [
    "Bashkit executes bash commands in a virtual environment with a virtual",
    "filesystem. All file operations are contained within the virtual environment.",
    "",
    "Supports full bash syntax including variables, pipelines, redirects,",
    "loops, conditionals, functions, and arrays.",
]
