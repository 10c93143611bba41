"""Parts of the toolset schema that several keys share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools.define.definition import ERRORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    Schema = Mapping[str, Any]

DOTTED = "^[^\\W\\d]\\w*(\\.[^\\W\\d]\\w*)+$"  # the path of a function in Python
VARIABLE_NAME = "^[A-Za-z_][A-Za-z0-9_]*$"
URL = "^(https?://|\\$\\{).+"  # the scheme may come from a variable
PREFIX = {
    "title": "Prefix",
    "description": "Prefix of its tools' names in scripts.",
    "type": "string",
    "pattern": "^[A-Za-z_][A-Za-z0-9_.:-]*$",
    "examples": ["pets_"],
}
_DURATION = "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)?$"


def table(title: str, description: str, properties: Schema, **more: Any) -> dict[str, Any]:
    """An object with known keys, which also allows keys that begin with ``x-``."""
    return {
        "title": title,
        "description": description,
        "type": "object",
        "properties": dict(properties),
        "patternProperties": {"^x-": {"description": "Extension keys are kept for other programs and ignored here."}},
        "additionalProperties": False,
        **more,
    }


def duration(title: str, description: str, **more: Any) -> dict[str, Any]:
    """A duration: seconds, or a number with a unit."""
    return {
        "title": title,
        "description": description,
        "type": ["number", "string"],
        "pattern": _DURATION,
        "exclusiveMinimum": 0,
        **more,
    }


def call_timeout(**more: Any) -> dict[str, Any]:
    """The time limit of a call."""
    text = "Time that one call may take. Seconds, or a number with ms, s, m or h: 500ms, 30s, 2m."
    return duration("Timeout", text, **more)


def header_texts(description: str, example: Mapping[str, str]) -> dict[str, Any]:
    """Header texts of a request."""
    return {
        "title": "Headers",
        "description": description,
        "type": "object",
        "additionalProperties": {
            "description": "Text; ${VAR} is replaced from env and secrets, {name} by an argument.",
            "type": "string",
        },
        "default": {},
        "examples": [dict(example)],
    }


ALLOW: Schema = {
    "title": "Allow",
    "description": "Hosts that may be reached, redirects included: api.example.com, *.example.com, host:8443. "
    "Default: the host of the URL.",
    "type": "array",
    "items": {"description": "A host.", "type": "string", "minLength": 1},
    "examples": [["api.example.com"]],
}
ALLOW_PRIVATE: Schema = {
    "title": "Allow private",
    "description": "Whether loopback and private addresses may be reached, too.",
    "type": "boolean",
    "default": False,
    "examples": [True],
}


def errors(description: str) -> Schema:
    """A key that says what scripts read about exceptions of callbacks."""
    return {
        "title": "Errors",
        "description": (
            f"{description} message: its message, without paths and credentials of the host. type: the name of its class. A "
            "ToolError always tells its message."
        ),
        "enum": list(ERRORS),
        "examples": ["message"],
    }
