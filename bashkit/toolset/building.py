"""Builds a Toolset from checked documents. Declarations with mistakes are left out, so that the rest of a file stays usable."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit import host_files
from bashkit.commands import _python
from bashkit.errors import DefinitionError
from bashkit.limits import ExecutionLimits
from bashkit.network import NetworkPolicy
from bashkit.tools.call.policy import Policy, effects_of
from bashkit.tools.call.retry import Retry
from bashkit.tools.define.definition import Example, ToolDef
from bashkit.tools.define.schema import CheckedSchema
from bashkit.toolset.callbacks import kinds_of
from bashkit.toolset.checking.rules import mounts_of, sources_of, tools_of
from bashkit.toolset.declaration import SIGNATURE, STUBS, Declaration, Surroundings
from bashkit.toolset.prefixing import prefixed
from bashkit.toolset.secret_values import SecretValues, declared_name
from bashkit.toolset.sources import read_source
from bashkit.toolset.stubs import Stub, Stubs, cases_of
from bashkit.toolset.text.notation import duration, substitute, variables_of
from bashkit.toolset.toolset import DeclaredTool, DirectoryMount, Toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bashkit.tools.describe.languages import Language
    from bashkit.toolset.callback import Callback
    from bashkit.toolset.checking.reader import Reader
    from bashkit.toolset.source import Source
    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_MISSING = "needs the extra python: pip install 'bashkit-toolsets[python]'"


class Builder:
    """Makes a Toolset from what a Reader has read, and adds the mistakes that only building reveals to the documents' problems.

    Args:
        reader: The file, what it includes, and the environment of ``${VAR}``, ``secrets`` and the switches for stubs.

    Attributes:
        broken: The names of the tools that are left out.
        broken_callbacks: Those callbacks of broken tools that have no mistake themselves, each with the place of its tool; they
            can be resolved.
    """

    def __init__(self, reader: Reader) -> None:
        environ = reader.environ
        self._documents = [document for document in reader.documents if isinstance(document.value, dict)]
        self._environ = environ
        self._stubbed = environ.get(STUBS) == "1"
        secrets = frozenset(declared_name(entry) for document in self._documents for entry in _right(document, "secrets", ()))
        self._around = Surroundings(environ, self._names(), self._stubbed, secrets)
        self.broken: list[str] = []
        self.broken_callbacks: list[tuple[Document, DocumentPath, Callable[..., Any]]] = []

    def toolset(self, root: Document) -> Toolset:
        """Build the toolset of the file ``root`` from everything in it that has no mistake."""
        folder = Path(root.file).parent
        env, secrets = self._variables(root)
        prompt = _right(root, "prompt", {})
        output = _right(root, "output", {})
        return Toolset(
            name=_right(root, "name", Path(root.file).stem),
            description=_right(root, "description", ""),
            path=Path(root.file),
            document=root,
            declared=tuple(self._tools()),
            sources=tuple(self._sources()),
            env=env,
            secrets=secrets,
            limits=_limits(_right(root, "limits", {})),
            context=tuple(_context(root, folder, prompt.get("context", ()))),
            max_chars=prompt.get("max_chars"),
            max_tokens=prompt.get("max_tokens"),
            mounts=tuple(self._mounts(root, folder.resolve())),
            options={
                "filesystem": _right(root, "filesystem", "memory"),
                "isolation": _right(root, "isolation", "inline"),
                "language": _language_of(root),
                "python": _python_of(root),
                "persistent": _right(root, "session", "fresh") == "persistent",
                "hints": _right(root, "hints", default=True),
                "errors": _right(root, "errors", None),
                "max_result_chars": output.get("max_chars"),
                "validate_output": output.get("validate", "off"),
                "prompt_mode": prompt.get("mode", "full"),
                **_policy(_right(root, "policy", None)),
                **_network(root, {**env, **secrets.ready()}, secrets.commands()),
            },
            stubbed=self._stubbed,
            stub_env=self._around.stub_env,
            late_secrets=secrets.commands(),
        )

    def _names(self) -> frozenset[str]:
        """The names in ``env`` and ``secrets``, whether set or not."""
        names = [name for document in self._documents for name in _entries(document, "env")]
        secrets = [declared_name(entry) for document in self._documents for entry in _right(document, "secrets", ())]
        return frozenset(names + secrets)

    def _variables(self, root: Document) -> tuple[dict[str, str], SecretValues]:
        env: dict[str, str] = {}
        secrets = SecretValues(self._environ)
        for document in reversed(self._documents):  # the including file overrides the env of included ones
            given = _entries(document, "env")
            env |= {name: self._around.text(text) for name, text in given.items() if document.right(("env", name))}
            for index, entry in enumerate(_right(document, "secrets", ())):
                secrets.declare(document, ("secrets", index), entry)
        for index, entry in enumerate(_right(root, "secrets", ())):
            name = declared_name(entry)
            if name in env:
                root.at(("secrets", index), f"{name} is both a secret and part of env, which scripts see")
        return env, secrets

    # -- tools ---------------------------------------------------------------------------------------------------------

    def _tools(self) -> Iterator[DeclaredTool]:
        names = [document.prefix + str(tool.get("name")) for document in self._documents for _, tool in tools_of(document.value)]
        for document in self._documents:
            folder = Path(document.file).parent.resolve()
            for path, tool in tools_of(document.value):
                if document.right(path):
                    tool = prefixed(tool, document.prefix, names) if document.prefix else tool
                    try:
                        definition = _definition(tool)
                    except DefinitionError as error:
                        document.at(path, str(error))
                    else:
                        callback = self._callback(document, path, tool, folder)
                        if document.right(path):  # making the callback may have reported a mistake
                            yield DeclaredTool(
                                definition, callback, document, path, self._signature(document, path, tool, folder)
                            )
                            continue
                self.broken.append(document.prefix + str(tool.get("name", f"tool {path[-1]}")))
                self._note_callback(document, path, tool, folder)

    def _note_callback(self, document: Document, path: DocumentPath, tool: Mapping[str, Any], folder: Path) -> None:
        """Keep the callback of a tool whose mistake is elsewhere."""
        if isinstance(tool.get("callback"), dict) and all(document.right((*path, key)) for key in ("callback", "timeout")):
            self.broken_callbacks.append(
                (document, path, _read_callback(Declaration(document, path, folder, tool, self._around)))
            )

    def _callback(self, document: Document, path: DocumentPath, tool: Mapping[str, Any], folder: Path) -> Callable[..., Any]:
        callback = tool.get("callback")
        if callback is None or (self._stubbed and ("stub" in tool or "stubs" in tool)):
            return Stubs(tool["name"], cases_of(tool["stubs"])) if "stubs" in tool else Stub(tool["stub"])
        return _read_callback(Declaration(document, path, folder, tool, self._around))

    def _signature(self, document: Document, path: DocumentPath, tool: Mapping[str, Any], folder: Path) -> Callback | None:
        """The callback whose function declares the parameters, whether or not a stub replaces it."""
        if tool.get("input_schema") != SIGNATURE:
            return None
        return _read_callback(Declaration(document, path, folder, tool, self._around))

    # -- what surrounds them -------------------------------------------------------------------------------------------

    def _sources(self) -> Iterator[Source]:
        for document in self._documents:
            folder = Path(document.file).parent.resolve()
            for path, value in sources_of(document.value):
                if document.right(path):
                    source = read_source(Declaration(document, path, folder, value, self._around))
                    if document.right(path):  # making the source may have reported a mistake
                        yield source.prefixed(document.prefix) if document.prefix else source

    def _mounts(self, document: Document, folder: Path) -> Iterator[DirectoryMount]:
        for path, mount in mounts_of(document.value):
            if not document.right(path):
                continue
            directory = folder / self._around.text(mount["directory"])
            if directory.is_dir():
                yield DirectoryMount(mount["at"], directory, mount.get("access", "read"))
            else:
                document.at((*path, "directory"), f"there is no directory {mount['directory']}")


def _read_callback(tool: Declaration) -> Callback:
    return kinds_of(tool.callback)[0].read(tool)


def _right(document: Document, key: str, default: Any) -> Any:
    """The value of a top-level key; ``default`` if the key is missing or has a mistake."""
    return document.value.get(key, default) if document.right((key,)) else default


def _entries(document: Document, key: str) -> Mapping[str, Any]:
    value = document.value.get(key)
    return value if isinstance(value, dict) else {}


def _context(document: Document, folder: Path, given: list[str] | str) -> Iterator[str]:
    """The texts of the context modules: those in a directory, or those that a list names."""
    if isinstance(given, str):
        if (folder / given).exists() and not (folder / given).is_dir():
            document.at(("prompt", "context"), f"{given} is a file, not a directory of context modules", hint=f"write [{given}]")
        yield from _read_context(document, ("prompt", "context"), _modules(folder / given))
        return
    for index, pattern in enumerate(given):
        wild = any(letter in pattern for letter in "*?[")
        for path in sorted(folder.glob(pattern)) if wild else [folder / pattern]:
            yield from _read_context(document, ("prompt", "context", index), _modules(path) if path.is_dir() else [path])


def _modules(directory: Path) -> list[Path]:
    """The context modules of an agent's directory: ``soul.md``, then ``context/*.md`` by name. Other files are ignored."""
    soul = directory / "soul.md"
    found = [*([soul] if soul.exists() else []), *sorted((directory / "context").glob("*.md"))]
    return [path for path in found if not path.is_dir()]


def _read_context(document: Document, place: DocumentPath, files: list[Path]) -> Iterator[str]:
    for path in files:
        try:
            text = host_files.read_text(path).replace("\r\n", "\n")
        except OSError as error:
            document.at(place, f"{path.name} cannot be read: {error.strerror}")
        else:
            if text.strip():
                yield text


def _definition(tool: Mapping[str, Any]) -> ToolDef:
    kinds = kinds_of(tool.get("callback", {}))
    own = bool(kinds) and kinds[0].own_timeout
    return ToolDef(
        name=tool["name"],
        description=tool.get("description", ""),
        input_schema=CheckedSchema({} if tool.get("input_schema") == SIGNATURE else tool.get("input_schema", {})),
        output_schema=CheckedSchema(tool["output_schema"]) if "output_schema" in tool else None,
        details=tool.get("details", ""),
        tags=tuple(tool.get("tags", ())),
        category=tool.get("category", ""),
        examples=tuple(Example(item) if isinstance(item, str) else Example(**item) for item in tool.get("examples", ())),
        effects=tool.get("effects"),
        stdin=tool.get("stdin", True),
        rest=tool.get("rest", ""),
        override=tool.get("override", False),
        inline=tool.get("inline", False),
        timeout=duration(tool["timeout"]) if "timeout" in tool and not own else None,  # other kinds apply the timeout themselves
        errors=tool.get("errors"),
        max_calls=tool.get("max_calls"),
        retry=_retry(tool["retry"]) if "retry" in tool else None,
        cache=duration(tool["cache"]) if "cache" in tool else None,
        defaults=tool.get("defaults", kinds[0].defaults if kinds else "fill"),
        validate_output=tool.get("validate_output"),
    )


def _retry(value: Mapping[str, Any]) -> Retry:
    known = {field.name for field in fields(Retry)}
    given: dict[str, Any] = {
        key: duration(part) if key.endswith("backoff") else part for key, part in value.items() if key in known
    }
    if "exit_codes" in given:
        given["exit_codes"] = tuple(given["exit_codes"])
    return Retry(**given)


def _policy(value: Mapping[str, Any] | None) -> dict[str, Policy]:
    if value is None:
        return {}
    return {"policy": Policy({effects_of(name): rule for name, rule in value.items() if name[:2] != "x-"})}


def _network(document: Document, variables: Mapping[str, str], later: frozenset[str]) -> dict[str, NetworkPolicy]:
    """The network policy of scripts; request headers are filled from ``env`` and ``secrets``.

    Args:
        document: The document.
        variables: The values that are known.
        later: The names of those that are not; a header with one is left as it is written.
    """
    value = _right(document, "network", None)
    if value is None:
        return {}
    headers: dict[str, dict[str, str]] = {}
    for host, texts in value.get("headers", {}).items():
        headers[host] = {}
        for name, text in texts.items():
            try:
                filled = substitute(text, {**variables, **dict.fromkeys(later, "x")})
            except (LookupError, ValueError) as error:
                document.at(("network", "headers", host, name), str(error.args[0]), hint="list it in env or secrets")
            else:
                headers[host][name] = text if later.intersection(variables_of(text)) else filled
    given = {
        key: value[key] for key in ("allow", "methods", "max_response_bytes", "max_redirects", "allow_private") if key in value
    }
    if "timeout" in value:
        given["timeout"] = duration(value["timeout"])
    try:
        return {"network": NetworkPolicy(headers=headers, **given)}
    except DefinitionError as error:
        document.at(("network",), str(error).removeprefix("network: "), key=True)
        return {}


def _python_of(root: Document) -> bool | None:
    """Whether scripts have ``python3``; None where the file does not say."""
    wanted: bool | None = _right(root, "python", None)
    if wanted and not _python.is_installed():
        root.at(("python",), f"python {_MISSING}")
        return None
    return wanted


def _language_of(root: Document) -> Language:
    """What scripts are written in; bash where the file asks for what is not there."""
    language: Language = _right(root, "language", "bash")
    if language == "bash":
        return "bash"
    if _right(root, "python", None) is False:
        root.at(("language",), f"language: {language} needs python3, which python: false leaves out")
    elif not _python.is_installed():
        root.at(("language",), f"language: {language} {_MISSING}")
    else:
        return language
    return "bash"


def _limits(value: Mapping[str, Any]) -> ExecutionLimits | None:
    known = {field.name for field in fields(ExecutionLimits)}
    given: dict[str, Any] = {key: duration(limit) if key == "timeout" else limit for key, limit in value.items() if key in known}
    return ExecutionLimits(**given) if given else None
