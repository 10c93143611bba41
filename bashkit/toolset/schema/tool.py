"""The JSON Schema of a tool, its stubs, a mount and a test in a toolset file."""

from __future__ import annotations

from bashkit.toolset.schema_fragments import call_timeout, duration, errors, table

TOOL = table(
    "Tool",
    "One tool: a command of the scripts.",
    {
        "name": {"title": "Name", "description": "The command word.", "type": "string", "examples": ["get_user"]},
        "description": {
            "title": "Description",
            "description": "What it does, for the model.",
            "type": "string",
            "default": "",
            "examples": ["Fetch a user by ID"],
        },
        "details": {
            "title": "Details",
            "description": "More about it: its help shows it and discover searches it; prompts leave it out.",
            "type": "string",
            "default": "",
            "examples": ["Deleted users are found for 30 days."],
        },
        "category": {
            "title": "Category",
            "description": "The group it is listed in.",
            "type": "string",
            "default": "",
            "examples": ["users"],
        },
        "tags": {
            "title": "Tags",
            "description": "Words to find it by.",
            "type": "array",
            "items": {"description": "A tag.", "type": "string"},
            "default": [],
            "examples": [["lookup"]],
        },
        "effects": {
            "title": "Effects",
            "description": "The effects of a call.",
            "enum": ["read", "write", "destructive"],
            "examples": ["read"],
        },
        "input_schema": {
            "title": "Input schema",
            "description": (
                "JSON Schema 2020-12 of the arguments, an object's. Each property is a flag. Or the word signature: the Python "
                "callback's signature and docstring declare the parameters, and also the description and output_schema that the "
                "tool leaves out; its module is imported when the tools are first asked for, not when the file is read."
            ),
            "type": ["object", "string"],
            "pattern": "^signature$",
            "default": {},
            "examples": [
                {"type": "object", "properties": {"id": {"type": "integer", "description": "User ID"}}, "required": ["id"]},
                "signature",
            ],
        },
        "output_schema": {
            "title": "Output schema",
            "description": "JSON Schema of what it prints; the prompt shows it in short.",
            "type": "object",
            "examples": [{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}],
        },
        "examples": {
            "title": "Examples",
            "description": "Command lines that use it.",
            "type": "array",
            "items": {
                "description": "A command line, or a command line with its output.",
                "type": ["string", "object"],
                "properties": {
                    "command": {
                        "title": "Command",
                        "description": "The command line.",
                        "type": "string",
                        "examples": ["get_user --id 1"],
                    },
                    "output": {
                        "title": "Output",
                        "description": "What it prints: text, or a JSON value.",
                        "examples": [{"id": 1, "name": "Ada"}],
                    },
                    "description": {
                        "title": "Description",
                        "description": "What it shows.",
                        "type": "string",
                        "examples": ["The first user"],
                    },
                },
                "required": ["command"],
                "additionalProperties": False,
            },
            "default": [],
            "examples": [["get_user --id 1 | jq -r .name"]],
        },
        "callback": {
            "title": "Callback",
            "description": "What runs when it is called.",
            "$ref": "#/$defs/callback",
            "examples": [{"python": "shop.api.get_user"}, {"executable": "./get_user.sh"}],
        },
        "timeout": call_timeout(examples=["5s"]),
        "max_calls": {
            "title": "Calls at most",
            "description": "Calls that one execution of a script may make.",
            "type": "integer",
            "minimum": 0,
            "examples": [100],
        },
        "retry": table(
            "Retry",
            "A failed call is made again: when the callback raises or takes too long.",
            {
                "attempts": {
                    "title": "Attempts",
                    "description": "Calls at most, the first one included.",
                    "type": "integer",
                    "minimum": 1,
                    "default": 3,
                    "examples": [5],
                },
                "backoff": duration(
                    "Backoff",
                    "Wait before the second call. Seconds, or a number with ms, s, m or h. Default 500ms.",
                    default="500ms",
                    examples=["200ms"],
                ),
                "factor": {
                    "title": "Factor",
                    "description": "Factor by which each further wait is longer.",
                    "type": "number",
                    "minimum": 1,
                    "default": 2,
                    "examples": [1.5],
                },
                "max_backoff": duration(
                    "Backoff at most",
                    "Longest wait. Seconds, or a number with ms, s, m or h. Default 30s.",
                    default="30s",
                    examples=["10s"],
                ),
                "exit_codes": {
                    "title": "Exit codes",
                    "description": "Exit codes that are worth another call.",
                    "type": "array",
                    "items": {"description": "An exit code.", "type": "integer", "minimum": 1, "maximum": 255},
                    "default": [],
                    "examples": [[75]],
                },
            },
            examples=[{"attempts": 3, "backoff": "500ms"}],
        ),
        "cache": duration(
            "Cache",
            "Time for which a result is reused for further calls with the same arguments. Seconds, or a number with ms, "
            "s, m or h. Default: not at all.",
            examples=["5m"],
        ),
        "defaults": {
            "title": "Defaults",
            "description": (
                "fill: a parameter that a call leaves out gets the default of its schema. omit: the callback gets only what the "
                "call has given. By default omit for HTTP callbacks, else fill."
            ),
            "enum": ["fill", "omit"],
            "examples": ["omit"],
        },
        "validate_output": {
            "title": "Validate output",
            "description": "Whether its output is checked against output_schema; by default the toolset's output.validate.",
            "enum": ["off", "warn", "error"],
            "examples": ["error"],
        },
        "stdin": {
            "title": "Standard input",
            "description": (
                "true: args.stdin holds the piped text. false: standard input is not read. json: standard input is a "
                "JSON object of arguments."
            ),
            "enum": [True, False, "json"],
            "default": True,
            "examples": ["json"],
        },
        "rest": {
            "title": "Rest",
            "description": (
                "The parameter, an array of texts, that takes all words of a command line that are no flags of other parameters, "
                "in their order: for a program that parses its own options."
            ),
            "type": "string",
            "minLength": 1,
            "examples": ["args"],
        },
        "inline": {
            "title": "Inline",
            "description": (
                "The Python callback is fast and never blocks: it runs in the interpreter's own thread and cannot be interrupted."
            ),
            "type": "boolean",
            "default": False,
            "examples": [True],
        },
        "override": {
            "title": "Override",
            "description": (
                "The tool may hide a builtin of the shell or a utility that scripts rely on, such as jq. It may hide "
                "other utilities without this."
            ),
            "type": "boolean",
            "default": False,
            "examples": [True],
        },
        "errors": errors("What scripts read about an exception of the callback; by default the toolset's errors."),
        "stub": {
            "title": "Stub",
            "description": ("What the tool returns if it has no callback, or if stubs replace callbacks: text, or a JSON value."),
            "examples": [{"id": 1, "name": "Ada"}, "done"],
        },
        "stubs": {
            "title": "Stubs",
            "description": "What the tool returns for different arguments: the first case that matches a call.",
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/$defs/stub_case"},
            "examples": [[{"when": {"id": 1}, "value": {"id": 1, "name": "Ada"}}, {"error": "no such user", "exit_code": 4}]],
        },
    },
    required=["name"],
    anyOf=[{"required": ["callback"]}, {"required": ["stub"]}, {"required": ["stubs"]}],
)

TEST = table(
    "Test",
    "A script, and what it should print.",
    {
        "name": {
            "title": "Name",
            "description": "What it shows, in a few words.",
            "type": "string",
            "pattern": "^[^\\W_][^\\r\\n]*$",
            "maxLength": 60,
            "examples": ["gold customers"],
        },
        "script": {
            "title": "Script",
            "description": "The bash script that runs.",
            "type": "string",
            "examples": ["list_users --tier gold | jq length"],
        },
        "python": {
            "title": "Python",
            "description": "The Python code that runs instead: the tools are functions, whatever the toolset's language is.",
            "type": "string",
            "examples": ["len(list_users(tier='gold'))"],
        },
        "callbacks": {
            "title": "Callbacks",
            "description": "stub: a tool's stub, if it has one, replaces its callback. real: every callback runs.",
            "enum": ["stub", "real"],
            "default": "stub",
            "examples": ["real"],
        },
        "expect": table(
            "Expect",
            "The expected result; exit_code is 0 unless it or a snapshot says otherwise.",
            {
                "stdout": {
                    "title": "Standard output",
                    "description": "Its standard output; a missing final newline is ignored.",
                    "type": "string",
                    "examples": ["12"],
                },
                "stderr": {
                    "title": "Standard error",
                    "description": "Its standard error; a missing final newline is ignored.",
                    "type": "string",
                    "examples": ["get_user: no user 9\n"],
                },
                "exit_code": {
                    "title": "Exit code",
                    "description": "Its exit status.",
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 255,
                    "default": 0,
                    "examples": [2],
                },
            },
            examples=[{"stdout": "12", "exit_code": 0}],
        ),
        "snapshot": {
            "title": "Snapshot",
            "description": "Keep the model's output as a snapshot beside the prompts.",
            "type": "boolean",
            "default": False,
            "examples": [True],
        },
    },
    required=["name"],
    anyOf=[{"required": ["script"]}, {"required": ["python"]}],
)

MOUNT = table(
    "Mount",
    "A directory of the host that scripts see.",
    {
        "at": {
            "title": "Place",
            "description": "Where scripts see it, an absolute path.",
            "type": "string",
            "pattern": "^/.+",
            "examples": ["/data"],
        },
        "directory": {
            "title": "Directory",
            "description": "The directory, relative to this file; ${VAR} is replaced.",
            "type": "string",
            "minLength": 1,
            "examples": ["./data", "${DATA_DIR:-/srv/data}"],
        },
        "access": {
            "title": "Access",
            "description": (
                "read: nothing can be changed. overlay: changes stay in memory. write: scripts change the directory itself."
            ),
            "enum": ["read", "overlay", "write"],
            "default": "read",
            "examples": ["overlay"],
        },
    },
    required=["at", "directory"],
)

STUB_CASE = table(
    "Stub case",
    "What a tool returns for certain arguments.",
    {
        "when": {
            "title": "Arguments",
            "description": "Arguments that a call must have; it may have others too. If omitted, any call matches.",
            "type": "object",
            "default": {},
            "examples": [{"id": 1}],
        },
        "value": {
            "title": "Value",
            "description": "What it returns: text, or a JSON value.",
            "examples": [{"id": 1, "name": "Ada"}],
        },
        "values": {
            "title": "Values",
            "description": "Results of successive calls; the last one repeats.",
            "type": "array",
            "minItems": 1,
            "items": {"description": "Text, or a JSON value."},
            "examples": [["first", "second"]],
        },
        "error": {
            "title": "Error",
            "description": "The call fails with this message.",
            "type": "string",
            "examples": ["no such user"],
        },
        "exit_code": {
            "title": "Exit code",
            "description": "Its exit status; by default 1 for an error.",
            "type": "integer",
            "minimum": 0,
            "maximum": 255,
            "default": 0,
            "examples": [4],
        },
        "delay": duration(
            "Delay", "Time that the call takes. Seconds, or a number with ms, s, m or h: 500ms, 30s.", examples=["200ms"]
        ),
    },
)
