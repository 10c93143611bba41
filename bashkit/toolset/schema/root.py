"""The JSON Schema of a toolset file's top-level keys."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from bashkit.limits import ISOLATIONS, ExecutionLimits
from bashkit.tools.describe.languages import DIALECTS
from bashkit.tools.describe.prompt import MODES
from bashkit.toolset.schema_fragments import DOTTED, PREFIX, VARIABLE_NAME, duration, errors, table

if TYPE_CHECKING:
    from bashkit.toolset.schema_fragments import Schema


def _limits() -> dict[str, Any]:
    """The keys of ``limits``, taken from the fields of ExecutionLimits."""
    return {limit.name: _limit(limit.name, limit.metadata["description"], limit.default) for limit in fields(ExecutionLimits)}


def _limit(name: str, description: str, default: Any) -> dict[str, Any]:
    if name == "timeout":
        text = f"{description} Seconds, or a number with ms, s, m or h: 500ms, 30s, 2m. Default {default:g}s."
        return duration("Timeout", text, default=f"{default:g}s", examples=[f"{default / 2:g}s"])
    return {
        "title": f"{name.removeprefix('max_').replace('_', ' ').capitalize()} at most",
        "description": f"{description} Default {default}.",
        "type": "integer",
        "minimum": 1,
        "default": default,
        "examples": [default // 2],
    }


_BASE: dict[str, Any] = {
    "version": {"title": "Version", "description": "Version of this format.", "const": 1, "examples": [1]},
    "name": {
        "title": "Name",
        "description": "Name of the toolset: what the model's one tool is called.",
        "type": "string",
        "pattern": "^[A-Za-z_][A-Za-z0-9_-]*$",
        "maxLength": 64,
        "examples": ["ecommerce_api"],
    },
    "description": {
        "title": "Description",
        "description": "One line about the toolset.",
        "type": "string",
        "default": "",
        "examples": ["Users, orders and inventory"],
    },
    "env": {
        "title": "Environment",
        "description": "Environment of the scripts; callbacks see it as args.env, executables as their environment.",
        "type": "object",
        "propertyNames": {"pattern": VARIABLE_NAME},
        "additionalProperties": {
            "description": "Text, number or boolean. ${VAR} and ${VAR:-default} are replaced from the environment of the host.",
            "type": ["string", "number", "boolean"],
        },
        "default": {},
        "examples": [{"REGION": "eu", "API_URL": "${API_URL:-http://localhost:8080}"}],
    },
    "secrets": {
        "title": "Secrets",
        "description": (
            "Values that callbacks see in args.env, and scripts, prompts and traces never: names of variables of the host's "
            "environment, or where else to find them."
        ),
        "type": "array",
        "items": {
            "description": "Name of an environment variable; or a name, and the file or command that gives its value.",
            "type": ["string", "object"],
            "pattern": VARIABLE_NAME,
            "properties": {
                "name": {
                    "title": "Name",
                    "description": "Its name in args.env and in ${VAR}.",
                    "type": "string",
                    "pattern": VARIABLE_NAME,
                    "examples": ["API_KEY"],
                },
                "file": {
                    "title": "File",
                    "description": "A file with the value, relative to this file; newlines at its end are not part of it.",
                    "type": "string",
                    "minLength": 1,
                    "examples": ["/run/secrets/api_key"],
                },
                "command": {
                    "title": "Command",
                    "description": (
                        "A command of the host that prints the value, without a shell; it runs before the first script, in the "
                        "host's environment. Newlines at the end of its output are not part of it."
                    ),
                    "type": "string",
                    "minLength": 1,
                    "examples": ["op read op://team/shop/key"],
                },
            },
            "required": ["name"],
            "additionalProperties": False,
        },
        "uniqueItems": True,
        "default": [],
        "examples": [["API_KEY", {"name": "DB_PASSWORD", "file": "/run/secrets/db"}]],
    },
    "env_file": {
        "title": "Environment file",
        "description": (
            "A .env file, relative to this file, whose variables count as the host's environment in ${VAR} and secrets "
            "where that does not have them."
        ),
        "type": "string",
        "minLength": 1,
        "examples": [".env"],
    },
    "limits": table(
        "Limits", "Limits of one execution of a script.", _limits(), examples=[{"timeout": "30s", "max_commands": 500}]
    ),
    "filesystem": {
        "title": "Filesystem",
        "description": "memory: scripts may keep files. none: a script that writes a file gets an error.",
        "enum": ["memory", "none"],
        "default": "memory",
        "examples": ["none"],
    },
    "isolation": {
        "title": "Isolation",
        "description": (
            "inline: scripts run in the process that uses the toolset. process: each runs in a sandbox process, which is killed "
            "when it does not keep to its limits; for scripts of strangers."
        ),
        "enum": list(ISOLATIONS),
        "default": "inline",
        "examples": ["process"],
    },
    "language": {
        "title": "Language",
        "description": (
            "What a model writes its scripts in. bash: the tools are commands. python: they are functions, and the value of the "
            "last expression is printed as JSON. both: bash with python3 in it, and the prompt shows commands and functions. All "
            "but bash need the extra python."
        ),
        "enum": list(DIALECTS),
        "default": "bash",
        "examples": ["python"],
    },
    "python": {
        "title": "Python",
        "description": (
            "true: scripts have python3, to which the tools are functions, and the prompt says so; needs the extra python. "
            "false: they have none. Left out: they have it where the extra is installed, and the prompt does not mention it."
        ),
        "type": "boolean",
        "examples": [True],
    },
    "mounts": {
        "title": "Mounts",
        "description": "Directories of the host that scripts see.",
        "type": "array",
        "items": {"$ref": "#/$defs/mount"},
        "default": [],
        "examples": [[{"at": "/data", "directory": "./data"}]],
    },
    "session": {
        "title": "Session",
        "description": (
            "fresh: every script begins in a fresh shell. persistent: variables, functions and files last from one script to "
            "the next."
        ),
        "enum": ["fresh", "persistent"],
        "default": "fresh",
        "examples": ["persistent"],
    },
    "hints": {
        "title": "Hints",
        "description": (
            "Scripts get hints about likely mistakes: suggestions, missing fields, the command at which set -e ended the script."
        ),
        "type": "boolean",
        "default": True,
        "examples": [False],
    },
    "errors": errors(
        "What scripts read about exceptions of callbacks; by default the message of a ValueError or LookupError and the type of "
        "any other."
    ),
    "output": table(
        "Output",
        "How outputs are treated.",
        {
            "max_chars": {
                "title": "Chars at most",
                "description": (
                    "Maximum characters of a script's standard output for the model; the middle of a longer output is "
                    "cut out. Default: no limit for programs; 100 000 in what models are answered."
                ),
                "type": "integer",
                "minimum": 400,
                "examples": [20000],
            },
            "validate": {
                "title": "Validate",
                "description": (
                    "Whether outputs of tools are checked against their output_schema: warn says so on standard error, error "
                    "lets the call fail."
                ),
                "enum": ["off", "warn", "error"],
                "default": "off",
                "examples": ["warn"],
            },
        },
        examples=[{"max_chars": 20000, "validate": "warn"}],
    ),
    "policy": table(
        "Policy",
        "Which calls may run, by the effects that tools declare. Without it destructive calls ask the host; all others may run.",
        {
            "read": {
                "title": "Read",
                "description": "Calls of tools that read: allow, deny, or ask the host.",
                "enum": ["allow", "deny", "ask"],
                "examples": ["allow"],
            },
            "write": {
                "title": "Write",
                "description": "Calls of tools that write: allow, deny, or ask the host.",
                "enum": ["allow", "deny", "ask"],
                "examples": ["ask"],
            },
            "destructive": {
                "title": "Destructive",
                "description": "Calls of tools that destroy: allow, deny, or ask the host.",
                "enum": ["allow", "deny", "ask"],
                "examples": ["deny"],
            },
            "undeclared": {
                "title": "Undeclared",
                "description": "Calls of tools that declare no effects: allow, deny, or ask the host.",
                "enum": ["allow", "deny", "ask"],
                "examples": ["ask"],
            },
        },
        examples=[{"write": "ask", "destructive": "deny"}],
    ),
    "network": table(
        "Network",
        "What curl and wget may reach in scripts; nothing if omitted. Private addresses are refused, and redirects are checked.",
        {
            "allow": {
                "title": "Hosts",
                "description": "Hosts that may be reached.",
                "examples": [["api.example.com", "*.example.org"]],
                "type": "array",
                "items": {
                    "description": (
                        "A host: api.example.com, or *.example.com for its subdomains; https:// before it or a port "
                        "after it restricts it to that."
                    ),
                    "type": "string",
                    "minLength": 1,
                },
            },
            "methods": {
                "title": "Methods",
                "description": "HTTP methods that may be used.",
                "default": ["GET", "HEAD"],
                "examples": [["GET", "POST"]],
                "type": "array",
                "items": {"description": "A method.", "type": "string", "pattern": "^[A-Z]+$"},
                "uniqueItems": True,
            },
            "headers": {
                "title": "Headers",
                "description": (
                    "Headers that are added to requests, by host as in allow: credentials that scripts never see. ${VAR} is "
                    "replaced from env and secrets."
                ),
                "default": {},
                "examples": [{"api.github.com": {"Authorization": "Bearer ${GITHUB_TOKEN}"}}],
                "type": "object",
                "additionalProperties": {
                    "description": "Headers for one host.",
                    "type": "object",
                    "additionalProperties": {"description": "The header's text.", "type": "string"},
                },
            },
            "max_response_bytes": {
                "title": "Response bytes at most",
                "description": "Bytes that one response may have.",
                "default": 10485760,
                "examples": [1000000],
                "type": "integer",
                "minimum": 1,
            },
            "max_redirects": {
                "title": "Redirects at most",
                "description": "Redirects that one request may follow.",
                "default": 10,
                "examples": [3],
                "type": "integer",
                "minimum": 0,
            },
            "timeout": duration(
                "Timeout",
                "Time that one request may take. Seconds, or a number with ms, s, m or h. Default 30s.",
                default="30s",
                examples=["5s"],
            ),
            "allow_private": {
                "title": "Allow private",
                "description": "Loopback and private addresses may be reached, too: for tests.",
                "default": False,
                "examples": [True],
                "type": "boolean",
            },
        },
        examples=[{"allow": ["api.github.com"], "headers": {"api.github.com": {"Authorization": "Bearer ${GITHUB_TOKEN}"}}}],
        required=["allow"],
    ),
    "prompt": table(
        "Prompt",
        "Form of the system prompt.",
        {
            "mode": {
                "title": "Mode",
                "description": " ".join(f"{name}: {mode.description}." for name, mode in MODES.items()),
                "enum": list(MODES),
                "default": next(iter(MODES)),
                "examples": ["compact"],
            },
            "max_chars": {
                "title": "Chars at most",
                "description": (
                    "Maximum characters of the system prompt: a shorter mode is used if the chosen one has more; "
                    "'bashkit check' says so, and reports a prompt that is longer in every mode."
                ),
                "type": "integer",
                "minimum": 1,
                "examples": [6000],
            },
            "max_tokens": {
                "title": "Tokens at most",
                "description": "Maximum tokens of the system prompt, as max_chars; four characters are counted as one token.",
                "type": "integer",
                "minimum": 1,
                "examples": [1500],
            },
            "snapshots": {
                "title": "Snapshots",
                "description": "Further modes whose prompts are kept as snapshots.",
                "type": "array",
                "items": {"description": "A mode.", "enum": list(MODES)},
                "uniqueItems": True,
                "default": [],
                "examples": [["full", "compact"]],
            },
            "context": {
                "title": "Context",
                "description": (
                    "Markdown that is appended to the system prompt, each text after a rule (---): a directory, whose "
                    "soul.md comes first and then its context/*.md by name, and which may be missing; or a list of files, "
                    "directories of that kind and glob patterns, in this order, each pattern's files by name."
                ),
                "type": ["string", "array"],
                "minLength": 1,
                "items": {"description": "Path or glob pattern, relative to this file.", "type": "string", "minLength": 1},
                "examples": ["agents/default", ["context/*.md"]],
                "default": [],
            },
        },
        examples=[{"mode": "full", "max_chars": 6000}],
    ),
    "setup": {
        "title": "Setup",
        "description": (
            "Dotted path of a Python function that makes what the Python callbacks of this file share, such as a connection; "
            "they find what it returns in args.state. It runs once, before the first call, and may take args.env. A generator or "
            "a context manager releases after its yield what it made before. Sync or async: an async one runs on the event loop."
        ),
        "type": "string",
        "pattern": DOTTED,
        "examples": ["shop.database.connect"],
    },
    "teardown": {
        "title": "Teardown",
        "description": (
            "Dotted path of a Python function that releases what setup made, which it may take. It runs once, when the toolset "
            "is closed or the program ends. Sync or async."
        ),
        "type": "string",
        "pattern": DOTTED,
        "examples": ["shop.database.disconnect"],
    },
    "thread": {
        "title": "Thread",
        "description": (
            "any: sync Python callbacks run in several threads, so that calls overlap. same: all of this file run in one thread, "
            "one after the other, as do its setup and the import of its modules: for what belongs to its thread, such as "
            "connections of sqlite3."
        ),
        "enum": ["any", "same"],
        "default": "any",
        "examples": ["same"],
    },
    "tools": {
        "title": "Tools",
        "description": "The tools.",
        "type": "array",
        "items": {"$ref": "#/$defs/tool"},
        "default": [],
        "examples": [[{"name": "get_user", "description": "Fetch a user by ID", "callback": {"python": "shop.api.get_user"}}]],
    },
    "sources": {
        "title": "Sources",
        "description": "Sources of further tools.",
        "type": "array",
        "items": {"$ref": "#/$defs/source"},
        "default": [],
        "examples": [[{"executables": "./tools"}, {"openapi": "api.yaml", "prefix": "pets_"}]],
    },
    "tests": {
        "title": "Tests",
        "description": "Scripts and what they should print: run by 'bashkit test' and by the pytest plugin.",
        "type": "array",
        "items": {"$ref": "#/$defs/test"},
        "default": [],
        "examples": [[{"name": "gold customers", "script": "list_users --tier gold | jq length", "expect": {"stdout": "12"}}]],
    },
    "include": {
        "title": "Include",
        "description": "Other toolset files whose tools, sources, env and secrets are added.",
        "type": "array",
        "items": {
            "description": "Path, relative to this file; or a path, and a prefix for the names of its tools.",
            "type": ["string", "object"],
            "minLength": 1,
            "properties": {
                "file": {
                    "title": "File",
                    "description": "Path, relative to this file.",
                    "type": "string",
                    "minLength": 1,
                    "examples": ["crm.yaml"],
                },
                "prefix": PREFIX,
            },
            "required": ["file"],
            "additionalProperties": False,
        },
        "default": [],
        "examples": [["common.yaml", {"file": "crm.yaml", "prefix": "crm_"}]],
    },
}
# the same in all profiles
_FIXED = frozenset({"version", "name", "description", "tools", "tests", "setup", "teardown", "include"})
_PROFILES = {
    "title": "Profiles",
    "description": (
        "Settings that take the place of those of the file where a profile is chosen, by --profile or BASHKIT_PROFILE: mappings "
        "are merged, anything else is replaced."
    ),
    "type": "object",
    "propertyNames": {"pattern": "^[A-Za-z0-9][A-Za-z0-9_-]*$"},
    "additionalProperties": {
        "description": "The settings of one profile.",
        "type": "object",
        "properties": {key: part for key, part in _BASE.items() if key not in _FIXED},
        "additionalProperties": False,
    },
    "default": {},
    "examples": [{"dev": {"env": {"API_URL": "http://localhost:8080"}}, "prod": {"policy": {"write": "ask"}}}],
}
PROPERTIES: Schema = {**_BASE, "profiles": _PROFILES}
