"""Writes the reference pages of the documentation from the program itself, so that they cannot be wrong."""

from __future__ import annotations

import dataclasses
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

import bashkit
from bashkit.builtins import declarations
from bashkit.cli import cli
from bashkit.commands import _catalog, command_names
from bashkit.limits import ExecutionLimits
from bashkit.toolset.schema.generation import toolset_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent


def pages() -> dict[str, str]:
    """The text of every generated page, by its path."""
    return {
        "reference/toolset-file.md": toolset_file(),
        "reference/command-line.md": command_line(),
        "reference/python.md": python(),
        "reference/utilities.md": utilities(),
        "reference/builtins.md": builtins(),
        "reference/limits.md": limits(),
        "reference/exit-statuses.md": exit_statuses(),
        "explanation/fidelity.md": fidelity(),
        "explanation/growth.md": growth(),
        "explanation/benchmarks.md": benchmarks(),
        "explanation/architecture.md": _document("docs/architecture.md"),
        "explanation/security.md": _document("SECURITY.md"),
        "explanation/requirements.md": _document("docs/requirements.md"),
        "how-to/from-the-rust-wheel.md": _document("docs/from-the-rust-wheel.md"),
    }


# -- the toolset file --------------------------------------------------------------------------------------------------


def toolset_file() -> str:
    """Every key of a toolset file, from its JSON Schema."""
    schema = toolset_schema()
    lines = [
        "# The toolset file",
        "",
        "Every key of the format, from its JSON Schema (`bashkit schema`). `${VAR}` and `${VAR:-default}` are replaced where it",
        "says so. Keys that begin with `x-` are kept for other programs. Profiles and included files are explained in",
        "[Settings](../how-to/settings.md), the kinds of callbacks and sources in [Sources](../how-to/sources.md).",
        "",
        "## The file",
        "",
        *_keys(schema),
    ]
    for name, part in schema["$defs"].items():
        lines += ["", f"## {part.get('title', name).capitalize()} {{#{name}}}", "", part.get("description", ""), ""]
        lines += _keys(part, f"{name}.")
    return "\n".join(lines) + "\n"


def _keys(part: Mapping[str, Any], section: str = "", above: str = "") -> Iterator[str]:
    """A section for each key of an object; keys of inner objects follow, with dots in their names.

    Args:
        part: The schema of the object.
        section: The definition that it belongs to, for anchors.
        above: The keys around it, with a dot at the end.
    """
    needed = set(part.get("required", ()))
    for key, value in part.get("properties", {}).items():
        yield f"{'####' if above else '###'} `{above}{key}` {{#{_anchor(section + above + key)}}}"
        yield ""
        yield value.get("description", "")
        yield ""
        facts = [f"Type: {_type(value)}"]
        if key in needed:
            facts.append("required")
        if "default" in value:
            facts.append(f"default `{_json(value['default'])}`")
        bounds = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than", "maxLength": "characters at most"}
        facts += [f"{word} {value[bound]}" for bound, word in bounds.items() if bound in value]
        facts.append(f"since {since()[section + above + key]}")
        yield "; ".join(facts) + "."
        yield ""
        for example in value.get("examples", ())[:2]:
            yield from ["```yaml", f"{key}: {_json(example)}", "```", ""]
        for inner in (value, value.get("items", {})):
            if inner.get("properties") and "$ref" not in inner:
                yield from _keys(inner, section, f"{above}{key}.")


@cache
def since() -> dict[str, str]:
    """The version that brought each key, from docs/since.yaml."""
    recorded = yaml.safe_load((ROOT / "docs/since.yaml").read_text(encoding="utf-8"))
    return {key: version for version, keys in recorded.items() for key in keys}


def _type(value: Mapping[str, Any]) -> str:
    if "enum" in value:
        return " or ".join(f"`{_json(choice)}`" for choice in value["enum"])
    if "const" in value:
        return f"`{_json(value['const'])}`"
    reference = value.get("$ref", value.get("items", {}).get("$ref", ""))
    name = reference.rpartition("/")[2]
    link = f" of [{name}](#{name})" if name else ""
    kinds = value.get("type", "any value" if not name else "")
    return (" or ".join(kinds) if isinstance(kinds, list) else kinds or "object") + link


def _anchor(name: str) -> str:
    return name.replace(".", "-").replace("_", "-")


def _json(value: Any) -> str:
    """A value as YAML's flow style has it, on one line."""
    return json.dumps(value, ensure_ascii=False)


# -- the command line --------------------------------------------------------------------------------------------------


def command_line() -> str:
    """Every subcommand, as its own help explains it."""
    lines = [
        "# The command line",
        "",
        "Every command explains itself with `--help`. Without a FILE most of them use the bundled shop.",
        "",
    ]
    context = click.Context(cli, info_name="bashkit", max_content_width=80)
    for name in cli.list_commands(context):
        lines += _command(cli.get_command(context, name), f"bashkit {name}", context)
    return "\n".join(lines)


def _command(command: click.Command | None, name: str, above: click.Context) -> Iterator[str]:
    assert command is not None
    context = click.Context(command, info_name=name.rpartition(" ")[2], parent=above, max_content_width=80)
    yield from [f"## {name}", "", "```text", command.get_help(context).rstrip(), "```", ""]
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            yield from _command(command.get_command(context, inner), f"{name} {inner}", context)


# -- what scripts find -------------------------------------------------------------------------------------------------


def utilities() -> str:
    """Every utility with its options."""
    lines = [
        "# Utilities",
        "",
        "The programs that scripts find. `bashkit help NAME` prints the same, `NAME --help` does so in a script.",
        "",
    ]
    lines.append(" ".join(f"[{name}](#{_slug(name)})" for name in command_names()))
    for name in command_names():
        lines += ["", f"## {name} {{#{_slug(name)}}}", "", *_described(name)]
    return "\n".join(lines) + "\n"


def builtins() -> str:
    """Every builtin of the shell. A bar within code does not end a cell, and a backslash before it would be shown."""
    lines = [
        "# Builtins",
        "",
        "The commands that are part of the shell; bash(1) explains their options.",
        "",
        "| Builtin | What it does |",
        "|---|---|",
    ]
    for name in sorted(declarations()):
        found = _catalog.describe(name)
        if found is not None:
            lines.append(f"| `{found['usage']}` | {_cell(found['summary'])} |")
    return "\n".join(lines) + "\n"


def _described(name: str) -> Iterator[str]:
    found = _catalog.describe(name)
    assert found is not None
    yield from [found["summary"], "", "```text", found["usage"], "```"]
    if found["options"]:
        yield from ["", "| Option | What it does |", "|---|---|"]
        for option in found["options"]:
            names = ", ".join(f"`{one}`" for one in option["names"])
            argument = f" {option['argument']}" if option["argument"] else ""
            yield f"| {names}{_cell(argument)} | {_cell(option['help'])} |"


def _slug(name: str) -> str:
    return "bracket" if name == "[" else name


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


# -- tables ------------------------------------------------------------------------------------------------------------


def limits() -> str:
    """The limits of an execution."""
    lines = [
        "# Limits",
        "",
        "What one execution of a script may use, as keys of `limits` in a toolset, or as `ExecutionLimits` in Python. A script",
        "that goes beyond one of them ends at once; what it has printed is kept, and the response names the limit.",
        "",
        "| Limit | Default | What it limits |",
        "|---|---|---|",
    ]
    for limit in dataclasses.fields(ExecutionLimits):
        shown = f"{limit.default} s" if limit.name == "timeout" else f"{limit.default:,}".replace(",", " ")
        lines.append(f"| `{limit.name}` | {shown} | {limit.metadata['description']} |")
    return "\n".join(lines) + "\n"


_STATUSES = {
    "0": "Success.",
    "1": "The tool failed: its callback raised an exception, or reported a failure without another status. Or a limit ended the "
    "script: the response's `error` names it.",
    "2": "The command line is wrong: an argument is missing, of the wrong type, or unknown to a tool that writes; nothing ran.",
    "124": "The tool, a script of a skill, or the whole script took longer than its `timeout`.",
    "126": "The call is not allowed: the policy denies it, nobody approved it, `max_calls` is reached; or a file cannot be run.",
    "127": "There is no such command.",
    "128 + N": "Signal N ended the command.",
    "141": "Nobody reads the output any more.",
}


def exit_statuses() -> str:
    """The exit statuses of tools in scripts, and where those of subcommands are found."""
    rows = [f"| {status} | {meaning} |" for status, meaning in _STATUSES.items()]
    return "\n".join(
        [
            "# Exit statuses",
            "",
            "Of a tool in a script; utilities and builtins have those of their models. A callback chooses another one with",
            "`ToolError(message, exit_code=3)`. Those of bashkit's own commands stand in [their help](command-line.md).",
            "",
            "| Status | Meaning |",
            "|---|---|",
            *rows,
            "",
        ]
    )


SUITES = {
    "oils": "Oils spec tests",
    "oils-recorded": "Oils spec tests where bash differs",
    "spec": "spec cases of the Rust project",
    "comparison": "just-bash's comparisons",
    "llm": "scripts written by language models",
    "jq": "jq's own tests",
    "awk": "One True AWK's tests",
}


def conformance() -> str:
    """The table of the public suites, from what the ratchet has recorded."""
    recorded = json.loads((ROOT / "tests/spec/baseline.json").read_text(encoding="utf-8"))
    rows = ["| Suite | Cases | Same as GNU |", "|---|---|---|"]
    for suite, name in SUITES.items():
        total, passed = recorded[suite]["total"], len(recorded[suite]["passed"])
        rows.append(f"| {name} | {total} | {100 * passed / total:.1f} % |")
    return "\n".join(rows) + "\n"


def fidelity() -> str:
    """How near to GNU bash scripts run."""
    text = (ROOT / "docs/fidelity.md").read_text(encoding="utf-8")
    return text.replace("<!-- conformance -->\n", conformance())


def growth() -> str:
    """How the time of scripts grows with their size."""
    text = (ROOT / "docs/growth.md").read_text(encoding="utf-8")
    table = (ROOT / "tests/bench/growth.md").read_text(encoding="utf-8").partition("\n\n| ")[2]
    return text.replace("<!-- growth -->\n", f"| {table}")


def benchmarks() -> str:
    """How long workloads take, from what the benchmarks have written."""
    text = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
    measured = (ROOT / "tests/bench/README.md").read_text(encoding="utf-8")
    made_by, _, rest = measured.partition("\n- ")
    figures = f"## All workloads\n\n- {rest.partition('## Soak')[0].strip()}\n"
    figures = re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"`tests/bench/\1`", figures)
    assert "| workload |" in figures, made_by
    return text.replace("<!-- benchmarks -->\n", figures)


# -- Python ------------------------------------------------------------------------------------------------------------

_GROUPS = {
    "Toolsets": ["load", "ToolDef", "tool", "ToolArgs", "ToolResult", "ToolError", "Retry"],
    "Tools for a model": [
        "ScriptedTool",
        "BashTool",
        "OrchestratorTool",
        "Tool",
        "ToolRequest",
        "ToolResponse",
        "ToolStatus",
        "Offer",
    ],
    "Shells": [
        "Bash",
        "ExecResult",
        "ShellState",
        "Snapshot",
        "Cancellation",
        "ExecutionLimits",
        "VirtualClock",
        "ScriptAnalysis",
    ],
    "Files": ["FileSystem", "MemoryFileSystem", "HostDirectory", "Overlay", "ReadOnly", "LazyFile"],
    "Rules": ["Policy", "Denied", "NetworkPolicy"],
    "Commands of your own": ["BuiltinContext", "BuiltinResult"],
    "Errors": [
        "BashkitError",
        "BashError",
        "SnapshotError",
        "ScriptExecutionError",
        "ScriptTimeoutError",
        "ToolRestrictionError",
    ],
}


def python() -> str:
    """The public names of the package, by group."""
    listed = {name for names in _GROUPS.values() for name in names}
    assert listed == set(bashkit.__all__), f"not in a group, or not public: {listed ^ set(bashkit.__all__)}"
    lines = ["# Python", "", "Everything here is imported from `bashkit`.", ""]
    for group, names in _GROUPS.items():
        lines += [f"## {group}", ""]
        for name in names:
            lines += [f"::: bashkit.{name}", "    options: {heading_level: 3}", ""]
    return "\n".join(lines)


def _document(name: str) -> str:
    """A document of the repository as a page: links to files of the repository become plain text, pictures stay."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("](pages/", "](../")
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)]+\)", r"\1", text)
