"""Lint rules: they warn about valid declarations that make a toolset harder for a model. Each rule is rarely wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.tools.define.definition import KEYWORDS
from bashkit.tools.define.reserved import INTROSPECTION, hides_utility, shell_commands
from bashkit.tools.define.schema import subschemas
from bashkit.tools.describe.prompt import tokens
from bashkit.toolset.callbacks import Callback, kinds_of
from bashkit.toolset.secret_values import declared_name
from bashkit.toolset.writing.scaffolding import DESCRIPTION, PARAMETER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.errors import Problem
    from bashkit.toolset.text.document import Path
    from bashkit.toolset.toolset import DeclaredTool, Toolset

_SCREEN_LINES = 24
_SCREEN_CHARS = 1600  # about one screen of text
_NULLABLE = frozenset({"default", "const", "example"})  # keywords whose value may be null
_SEPARATORS = re.compile(r"[-_.:]")
_PLAIN = re.compile(r"(?:[\w .,:=/@%+|-]|'[^']*')+")  # a command line without expansions
_QUOTED = re.compile(r"'[^']*'")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)")


def lint(toolset: Toolset, *, strict: bool = False) -> list[Problem]:
    """Warn about the declarations of a toolset file. Tools from sources are skipped, because the author cannot change them.

    Args:
        toolset: The toolset.
        strict: Warn also about what only a careful author declares.

    Raises:
        ToolsetError: A source cannot be read.
    """
    found: list[Problem] = []
    known = known_commands(toolset)
    for item in toolset.declared:
        found += _about_tool(item)
        found += _about_parameters(item)
        found += _about_strays(item)
        found += _about_examples(item)
        found += _about_stub(item)
        found += (*_about_output(item), *_about_placeholders(item)) if strict else ()
        if isinstance(item.callback, Callback):
            found += item.callback.lint(item.document, item.path, known)
    return found + list(_about_names(toolset)) + list(_about_secrets(toolset)) + list(_about_prompt(toolset))


def known_commands(toolset: Toolset) -> frozenset[str]:
    """Every command that a script of the toolset may use."""
    return shell_commands() | {tool.name for tool in toolset.tools} | set(INTROSPECTION) | {"bash", "sh"} | KEYWORDS


def _declared(item: DeclaredTool) -> Mapping[str, Any]:
    value: Any = item.document.value
    for step in item.path:
        value = value[step]
    found: Mapping[str, Any] = value
    return found


# -- a tool ------------------------------------------------------------------------------------------------------------


def _about_tool(item: DeclaredTool) -> Iterator[Problem]:
    tool, document, path = item.definition, item.document, item.path
    name = (*path, "name")
    if not tool.description.strip():
        yield document.warning(
            name,
            "no-description",
            f"the tool {tool.name!r} has no description",
            hint="say in one line what a model gets from it",
        )
    elif len(tool.description) > _SCREEN_CHARS or tool.description.count("\n") >= _SCREEN_LINES:
        message = f"the description of {tool.name!r} is longer than a screen"
        yield document.warning(
            (*path, "description"),
            "long-description",
            message,
            hint="say the most important first, and leave the rest to examples",
        )
    if tool.effects is None:
        hint = "effects: read, write or destructive; a policy decides by them, and what changes something refuses unknown flags"
        yield document.warning(name, "no-effects", f"the tool {tool.name!r} does not declare the effects of a call", hint=hint)
    if hides_utility(tool.name) and not tool.override:
        message = f"the tool {tool.name!r} hides the utility of that name"
        yield document.warning(
            name, "hides-utility", message, hint="scripts can no longer call the utility; override: true confirms that"
        )
    if tool.name != tool.name.lower() and "_" in tool.name:
        hint = f"{tool.name.lower()}, as models write it"
        yield document.warning(name, "mixed-case", f"the name {tool.name!r} mixes capitals and underscores", hint=hint)


def _about_output(item: DeclaredTool) -> Iterator[Problem]:
    """Warn about a tool of which nothing says what it prints; a stub that is no object says that."""
    tool = item.definition
    stub = _declared(item).get("stub", {})
    said = tool.output_schema is not None or any(example.output is not None for example in tool.examples)
    if not said and isinstance(stub, (dict, list)):
        yield item.document.warning(
            (*item.path, "name"),
            "no-output-schema",
            f"nothing says what {tool.name!r} prints",
            hint=f"bashkit learn {item.document.file}, or output_schema: {{type: string}} for text",
        )


def _about_placeholders(item: DeclaredTool) -> Iterator[Problem]:
    """Warn about what ``bashkit new tool`` has written for the author to replace."""
    tool = item.definition
    places: list[Path] = []
    if tool.description.strip() == DESCRIPTION.replace("NAME", tool.name):
        places.append((*item.path, "description"))
    for name, schema in tool.input_schema.get("properties", {}).items():
        if isinstance(schema, dict) and schema.get("description") == PARAMETER:
            places.append((*item.path, "input_schema", "properties", name, "description"))
    for path in places:
        yield item.document.warning(
            path, "placeholder", "this description is a placeholder", hint="write what a model should know of it"
        )


def _about_parameters(item: DeclaredTool) -> Iterator[Problem]:
    properties = item.definition.input_schema.get("properties", {})
    for name, schema in properties.items():
        path: Path = (*item.path, "input_schema", "properties", name)
        if not isinstance(schema, dict) or "$ref" in schema:
            continue
        text = f"{schema.get('title', '')} {schema.get('description', '')}".strip()
        if not text:
            message = f"the parameter {name!r} has no description"
            yield item.document.warning(
                path,
                "no-parameter-description",
                message,
                hint="a few words: what it is, and in which unit",
                key=True,
            )
            continue
        choices = schema.get("enum")
        if isinstance(choices, list) and choices and all(isinstance(choice, str) and len(choice) == 1 for choice in choices):
            if not any(re.search(rf"\b{re.escape(choice)}\b", text) for choice in choices):
                message = f"a model cannot know what {', '.join(choices)} stand for"
                hint = f'say it in the description: "{choices[0]}: …"'
                yield item.document.warning((*path, "enum"), "opaque-enum", message, hint=hint)


def _about_strays(item: DeclaredTool) -> Iterator[Problem]:
    """Warn about keys of an unquoted text: ``{description: Price at most, in cents}`` has a description and a key ``in cents``
    without a value.
    """
    for key, schema in (("input_schema", item.definition.input_schema), ("output_schema", item.definition.output_schema)):
        for path, part in subschemas(schema) if _has_null(schema) else ():
            for name in [name for name, value in part.items() if value is None and name not in _NULLABLE]:
                message = f"{name!r} is a key without a value: the comma before it ends the text"
                yield item.document.warning(
                    (*item.path, key, *path, name),
                    "stray-key",
                    message,
                    hint="put the whole text in quotes",
                    key=True,
                )


def _has_null(value: Any) -> bool:
    """Whether a schema contains null anywhere; most contain none and need no further check."""
    if isinstance(value, (dict, list)):
        return any(map(_has_null, value.values() if isinstance(value, dict) else value))
    return value is None


def _about_examples(item: DeclaredTool) -> Iterator[Problem]:
    tool = item.definition
    for index, example in enumerate(tool.examples):
        path: Path = (*item.path, "examples", index)
        lines = _pipeline(example.command)
        if lines is None:
            from bashkit.syntax.reading import read_script

            read = read_script(example.command)
            if read.error is not None:
                yield item.document.warning(path, "example", f"the example is not a command line: {read.error.message}")
                continue
            lines = [command.words for command in read.commands]
        names = [words[0] for words in lines]
        if not any(tool.name in words for words in lines):  # the first command, or one behind xargs
            yield item.document.warning(path, "example", f"the example does not call {tool.name}")
        elif tool.output_schema is None and "jq" in names:
            message = f"the example reads fields of {tool.name} that no output_schema declares"
            yield item.document.warning(
                path,
                "no-output-schema",
                message,
                hint="output_schema: the prompt shows it, and a model need not guess",
            )


def _pipeline(text: str) -> list[tuple[str | None, ...]] | None:
    """The words of a plain pipeline, split without the parser because most examples are plain; None for any other script."""
    if not _PLAIN.fullmatch(text):
        return None
    stages = [tuple(stage.split()) for stage in _QUOTED.sub("x", text).split("|")]
    if not all(stages) or any(stage[0] in KEYWORDS or "=" in stage[0] for stage in stages):
        return None
    return list(stages)


def _about_stub(item: DeclaredTool) -> Iterator[Problem]:
    tool, declared = item.definition, _declared(item)
    if tool.output_schema is None:
        return
    places: list[tuple[Path, Any]] = [((*item.path, "stub"), declared["stub"])] if "stub" in declared else []
    for index, case in enumerate(declared.get("stubs", ())):
        inner: Path = (*item.path, "stubs", index)
        if "value" in case:
            places.append(((*inner, "value"), case["value"]))
        places += [((*inner, "values", turn), value) for turn, value in enumerate(case.get("values", ()))]
    if not places:
        return
    from bashkit.tools.call.validation import OutputChecker
    from bashkit.toolset.stubs import Stub

    checker = OutputChecker(tool.output_schema)
    for path, value in places:
        complaints = checker.complaints(_output(Stub(value)))
        if complaints:
            yield item.document.warning(path, "stub", f"the stub does not match output_schema: {complaints[0]}")


def _output(stub: Any) -> str:
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.tools.define.result import to_bytes

    return to_bytes(stub(ToolArgs()).stdout).decode("utf-8", "surrogateescape")


# -- the toolset -------------------------------------------------------------------------------------------------------


def _about_names(toolset: Toolset) -> Iterator[Problem]:
    """Warn about names that a model may confuse: ``getUser`` and ``get_user``; ``list`` and ``lists``.

    ``get_user`` and ``get_users`` are a convention that models know: after a verb, the plural says what is returned. A single
    word has no verb to tell it apart.
    """
    seen: dict[str, str] = {}
    for item in toolset.declared:
        name = item.definition.name
        plain = _SEPARATORS.sub("", name).lower()
        key = plain.removesuffix("s") if not _SEPARATORS.search(name) and name == name.lower() else plain
        for form in {plain, key}:
            other = seen.get(form)
            if other is not None:
                message = f"a model will take {name!r} and {other!r} for each other"
                yield item.document.warning((*item.path, "name"), "similar-names", message, hint="give one of them another word")
                break
        for form in {plain, key}:
            seen.setdefault(form, name)


def _about_secrets(toolset: Toolset) -> Iterator[Problem]:
    document = toolset.document
    value = document.value if isinstance(document.value, dict) else {}
    kinds: list[Any] = [kind for item in toolset.declared for kind in kinds_of(_declared(item).get("callback", {}))]
    if any(one.sees_secrets for one in [*kinds, *toolset.sources]) or "include" in value:
        return
    used = set(_VARIABLE.findall(document.text))
    for index, entry in enumerate(value.get("secrets", ())):
        name = declared_name(entry)
        if name not in used:
            yield document.warning(
                ("secrets", index),
                "unused-secret",
                f"no request of this toolset uses {name}",
                hint=f"write ${{{name}}} where it belongs",
            )


def _about_prompt(toolset: Toolset) -> Iterator[Problem]:
    asked = toolset.options.get("prompt_mode", "full")
    if toolset.prompt_problem() is not None:
        return
    if toolset.max_chars is None and toolset.max_tokens is None:
        size = toolset.long_prompt() if asked == "full" else None
        if size is not None:
            message = f"the prompt has about {size} tokens: a model reads them in every conversation"
            yield toolset.document.warning(("prompt",), "long-prompt", message, hint="prompt: {mode: discovery}")
        return
    taken = toolset.tool.prompt_mode
    if taken != asked:
        text = toolset.tool.system_prompt(asked)
        most = f"{tokens(text)} tokens" if toolset.max_chars is None else f"{len(text)} characters"
        message = f"the prompt is written in the mode {taken}: in the mode {asked} it has {most}"
        hint = f"allow {most}, shorten descriptions, or say mode: {taken}"
        yield toolset.document.warning(toolset.prompt_place, "long-prompt", message, hint=hint)
