"""Toolset files with mistakes, and everything that is said about each: what a table of ``test_broken.py`` is made of."""

HEAD = "version: 1\nname: t\n"
TOOL = HEAD + "tools:\n  - name: get\n    description: Get\n"
STUB = TOOL + "    stub: 1\n"
HTTP_KEYS = "method, url, headers, query, basic, body, files, output, pages, allow, allow_private"

# what some of them include
FILES = {
    "loop.yaml": "version: 1\nname: l\ninclude: [t.yaml]\n",
    "broken.yaml": "version: 1\nname: b\ntolls: []\n",
    "same.yaml": "version: 1\nname: s\ntools: [{name: get, stub: 1}]\n",
    "list.yaml": "- 1\n",
    "bad.yaml": "a: [\n",
}

# name, text, and ``line:column: message | hint`` of each mistake, in the order of the report; ``FOLDER`` is where the file is
BROKEN = [
    ("empty file", "", ["1:1: the file is empty"]),
    ("only a comment", "# x\n", ["1:1: the file is empty"]),
    ("a scalar", "hello\n", ["1:1: a toolset is keys and values, not text | write version: 1 on the first line"]),
    ("null document", "~\n", ["1:1: a toolset is keys and values, not nothing | write version: 1 on the first line"]),
    ("two documents", HEAD + "---\nversion: 1\nname: t\n", ["3:1: a toolset is one document | remove what follows ---"]),
    (
        "tab indentation",
        HEAD + "limits:\n\ttimeout: 1s\n",
        [
            "4:1: YAML: while scanning for the next token, found character that cannot start any token | indent with spaces: YAML does not allow tabs",
        ],
    ),
    ("unclosed bracket", HEAD + "secrets: [A\n", ["4:1: YAML: while parsing a flow sequence, did not find expected ',' or ']'"]),
    ("unclosed quote", HEAD + "description: 'a\n", ["4:1: YAML: while scanning a quoted scalar, found unexpected end of stream"]),
    (
        "bad indentation",
        HEAD + "tools:\n  - name: a\n   stub: 1\n",
        [
            "5:4: YAML: while parsing a block collection, did not find expected '-' indicator",
        ],
    ),
    ("control character", HEAD + "description: a\x07b\n", ["3:15: YAML: control characters are not allowed: U+0007"]),
    (
        "bad escape",
        HEAD + 'description: "a\\qb"\n',
        [
            "3:16: YAML: while parsing a quoted scalar, found unknown escape character | write \\\\ for a backslash, or use single quotes",
        ],
    ),
    ("not utf8", b"version: 1\nname: \xff\n", ["1:1: the file cannot be read: it is not UTF-8"]),
    ("duplicate key", HEAD + "name: u\n", ["3:1: the key 'name' appears twice | it was first given on line 2"]),
    ("duplicate nested key", STUB + "    stub: 2\n", ["7:5: the key 'stub' appears twice | it was first given on line 6"]),
    ("undefined alias", HEAD + "env: *nope\n", ["3:6: *nope is not defined before"]),
    ("self alias", HEAD + "env: &a {A: *a}\n", ["3:13: *a contains itself"]),
    (
        "alias bomb",
        HEAD
        + "x-a: &a [1,1,1,1,1,1,1,1,1,1]\nx-b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nx-c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nx-d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\nx-e: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n",
        [
            "7:28: the document has more than 100000 nodes with its aliases expanded",
        ],
    ),
    ("merge of a scalar", HEAD + "limits: {<<: 3}\n", ["3:14: << takes a mapping or a list of mappings"]),
    (
        "merge of a list with a scalar",
        HEAD + "x-a: &a {timeout: 1s}\nlimits: {<<: [*a, 3]}\n",
        [
            "4:14: << takes a mapping or a list of mappings",
        ],
    ),
    (
        "merged unknown key",
        HEAD + "x-a: &a {timout: 1s}\nlimits: {<<: *a}\n",
        [
            "4:1: unknown key 'timout' | did you mean timeout?",
        ],
    ),
    ("key is a list", HEAD + "? [a]\n: 1\n", ["3:3: a key is a plain word"]),
    ("custom tag", HEAD + "description: !secret x\n", ["3:14: the tag !secret is not supported"]),
    (
        "python tag",
        HEAD + "x-a: !!python/object:os.system {}\n",
        [
            "3:6: the tag tag:yaml.org,2002:python/object:os.system is not supported",
        ],
    ),
    ("nan", HEAD + "limits: {timeout: .nan}\n", ["3:19: .nan is a number that JSON cannot express"]),
    ("too many digits", HEAD + "limits: {max_words: " + "9" * 5000 + "}\n", ["3:21: the number has more than 4300 digits"]),
    ("deep nesting", HEAD + "x-a: " + "[" * 70 + "]" * 70 + "\n", ["3:70: nested deeper than 64 levels"]),
    ("directive", "%YAML 3.0\n---\nversion: 1\nname: t\n", ["1:1: YAML: found incompatible YAML document"]),
    (
        "reserved letter",
        HEAD + "description: @x\n",
        [
            "3:14: YAML: while scanning for the next token, found character that cannot start any token | put the text in quotes",
        ],
    ),
    (
        "text after quoted",
        HEAD + "description: 'a' b\n",
        [
            "3:18: YAML: while parsing a block mapping, did not find expected key",
        ],
    ),
    (
        "colon in plain",
        HEAD + "description: a: b\n",
        [
            "3:15: YAML: mapping values are not allowed in this context | put the text in quotes",
        ],
    ),
    ("no version", "name: t\n", ["1:1: a toolset needs a version | write version: 1 on the first line"]),
    ("version text", "version: '1'\nname: t\n", ["1:10: expected 1, got '1' | write 1 without quotes"]),
    ("version 2", "version: 2\nname: t\n", ["1:10: expected 1, got 2"]),
    ("version true", "version: true\nname: t\n", ["1:10: expected 1, got true"]),
    ("no name", "version: 1\n", ["1:1: a toolset needs a name"]),
    (
        "name empty",
        "version: 1\nname: ''\n",
        [
            "2:7: a toolset's name starts with a letter or underscore and goes on with letters, digits, _ and -",
        ],
    ),
    ("name number", "version: 1\nname: 7\n", ['2:7: expected string, got integer | write "7" in quotes']),
    (
        "name with spaces",
        "version: 1\nname: my tools\n",
        [
            "2:7: a toolset's name starts with a letter or underscore and goes on with letters, digits, _ and -",
        ],
    ),
    ("name long", "version: 1\nname: " + "a" * 65 + "\n", ["2:7: expected at most 64 characters, got 65"]),
    ("name null", "version: 1\nname:\n", ["2:6: expected string, got null | give it a value, or leave the key out"]),
    ("unknown top key", HEAD + "tool: []\n", ["3:1: unknown key 'tool' | did you mean tools?"]),
    (
        "unknown far key",
        HEAD + "zzz: 1\n",
        [
            "3:1: unknown key 'zzz' | known here: version, name, description, env, secrets, env_file, limits, filesystem, isolation, language, python, mounts, session, hints, errors, output, policy, network, prompt, setup, teardown, thread, tools, sources, tests, include, profiles",
        ],
    ),
    ("description list", HEAD + "description: [a]\n", ["3:14: expected string, got array"]),
    ("tools mapping", HEAD + "tools: {get: {stub: 1}}\n", ["3:8: expected array, got object | write each entry behind a hyphen"]),
    ("tools null", HEAD + "tools:\n", ["3:7: expected array, got null | give it a value, or leave the key out"]),
    ("tool text", HEAD + "tools: [get]\n", ["3:9: expected object, got string | write {name: get}"]),
    ("tool null", HEAD + "tools:\n  -\n", ["4:4: expected object, got null"]),
    (
        "env list",
        HEAD + "env: [A]\n",
        ["3:6: expected object, got array | such as {REGION: eu, API_URL: '${API_URL:-http://localhost:8080}'}"],
    ),
    ("env bad name", HEAD + "env: {1A: x}\n", ["3:7: the name of a variable has letters, digits and _, and no digit first"]),
    (
        "env name with hyphen",
        HEAD + "env: {A-B: x}\n",
        [
            "3:7: the name of a variable has letters, digits and _, and no digit first",
        ],
    ),
    (
        "env null value",
        HEAD + "env: {A: }\n",
        [
            "3:10: expected string or number or boolean, got null | give it a value, or leave the key out",
        ],
    ),
    (
        "env unset variable",
        HEAD + "env: {A: '${NOPE}'}\n",
        [
            "3:10: the variable NOPE is not set and has no default | set it, or give it a default: ${NAME:-default}",
        ],
    ),
    (
        "env unclosed",
        HEAD + "env: {A: '${SET'}\n",
        [
            "3:10: ${SET is not a variable: write ${NAME} or ${NAME:-default}, and $$ for a dollar sign",
        ],
    ),
    (
        "env empty var",
        HEAD + "env: {A: '${}'}\n",
        [
            "3:10: ${} is not a variable: write ${NAME} or ${NAME:-default}, and $$ for a dollar sign",
        ],
    ),
    ("secrets text", HEAD + "secrets: KEY\n", ["3:10: expected array, got string | write [KEY]"]),
    ("secrets number", HEAD + "secrets: [1]\n", ["3:11: expected string or object, got integer"]),
    (
        "secrets bad name",
        HEAD + "secrets: [api-key]\n",
        [
            "3:11: the name of a variable has letters, digits and _, and no digit first",
        ],
    ),
    ("secrets twice", HEAD + "secrets: [A, A]\n", ["3:14: 'A' is listed twice"]),
    ("limits unknown", HEAD + "limits: {max_comands: 1}\n", ["3:10: unknown key 'max_comands' | did you mean max_commands?"]),
    ("limits zero", HEAD + "limits: {max_commands: 0}\n", ["3:24: expected at least 1, got 0"]),
    ("limits text", HEAD + "limits: {max_commands: many}\n", ["3:24: expected integer, got string"]),
    ("limits float", HEAD + "limits: {max_commands: 1.5}\n", ["3:24: expected integer, got number"]),
    ("limits bool", HEAD + "limits: {max_commands: true}\n", ["3:24: expected integer, got boolean"]),
    (
        "limits timeout words",
        HEAD + "limits: {timeout: 5 minutes}\n",
        [
            "3:19: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
        ],
    ),
    ("limits timeout zero", HEAD + "limits: {timeout: 0}\n", ["3:19: a duration is more than 0"]),
    ("limits timeout negative", HEAD + "limits: {timeout: -1}\n", ["3:19: a duration is more than 0"]),
    ("limits timeout list", HEAD + "limits: {timeout: [1]}\n", ["3:19: expected number or string, got array"]),
    ("filesystem", HEAD + "filesystem: disk\n", ["3:13: expected memory or none, got 'disk'"]),
    ("mount relative", HEAD + "mounts: [{at: data, directory: .}]\n", ["3:15: a mount is at an absolute path: /data"]),
    ("mount missing at", HEAD + "mounts: [{directory: .}]\n", ["3:10: a mount needs 'at'"]),
    (
        "mount access",
        HEAD + "mounts: [{at: /d, directory: ., access: rw}]\n",
        [
            "3:41: expected read or overlay or write, got 'rw'",
        ],
    ),
    ("mount no dir", HEAD + "mounts: [{at: /d, directory: nowhere}]\n", ["3:30: there is no directory nowhere"]),
    (
        "mount unset",
        HEAD + "mounts: [{at: /d, directory: '${NOPE}'}]\n",
        [
            "3:30: the variable NOPE is not set and has no default | set it, or give it a default: ${NAME:-default}",
        ],
    ),
    ("mount twice", HEAD + "mounts: [{at: /d, directory: .}, {at: /d/, directory: .}]\n", ["3:39: two mounts are at /d/"]),
    (
        "mount no fs",
        HEAD + "filesystem: none\nmounts: [{at: /d, directory: .}]\n",
        [
            "4:1: mounts are not possible with filesystem: none",
        ],
    ),
    ("mount text", HEAD + "mounts: [/d]\n", ["3:10: expected object, got string | write {directory: /d}"]),
    ("session", HEAD + "session: persist\n", ["3:10: expected fresh or persistent, got 'persist' | did you mean persistent?"]),
    ("hints", HEAD + "hints: yes\n", ["3:8: expected boolean, got string | write true"]),
    ("output small", HEAD + "output: {max_chars: 10}\n", ["3:21: expected at least 400, got 10"]),
    ("output validate", HEAD + "output: {validate: true}\n", ["3:20: expected off or warn or error, got true"]),
    (
        "policy rule",
        HEAD + "policy: {destructive: denied}\n",
        [
            "3:23: expected allow or deny or ask, got 'denied' | did you mean deny?",
        ],
    ),
    (
        "policy key",
        HEAD + "policy: {delete: deny}\n",
        [
            "3:10: unknown key 'delete' | known here: read, write, destructive, undeclared",
        ],
    ),
    ("policy text", HEAD + "policy: deny\n", ["3:9: expected object, got string | such as {write: ask, destructive: deny}"]),
    ("prompt mode", HEAD + "prompt: {mode: short}\n", ["3:16: expected full or compact or discovery, got 'short'"]),
    ("prompt max", HEAD + "prompt: {max_chars: -1}\n", ["3:21: expected at least 1, got -1"]),
    ("prompt snapshots", HEAD + "prompt: {snapshots: [full, full]}\n", ["3:28: 'full' is listed twice"]),
    ("prompt context number", HEAD + "prompt: {context: 3}\n", ["3:19: expected string or array, got integer"]),
    ("prompt context missing", HEAD + "prompt: {context: [no.md]}\n", ["3:20: no.md cannot be read: No such file or directory"]),
    ("include missing", HEAD + "include: [no.yaml]\n", ["3:11: the included file cannot be read: No such file or directory"]),
    ("include text", HEAD + "include: no.yaml\n", ["3:10: expected array, got string | write [no.yaml]"]),
    ("include itself", HEAD + "include: [t.yaml]\n", ["3:11: the file includes itself"]),
    (
        "include circle",
        HEAD + "include: [loop.yaml]\n",
        [
            "loop.yaml:3:11: the files include each other: t.yaml > loop.yaml > t.yaml",
        ],
    ),
    ("include twice", HEAD + "include: [same.yaml, ./same.yaml]\n", ["3:22: ./same.yaml is included already"]),
    ("include broken", HEAD + "include: [broken.yaml]\n", ["broken.yaml:3:1: unknown key 'tolls' | did you mean tools?"]),
    (
        "include duplicate",
        STUB + "include: [same.yaml]\n",
        [
            "same.yaml:3:16: two tools are called 'get' | the other one: FOLDER/t.yaml:4",
        ],
    ),
    (
        "include list",
        HEAD + "include: [list.yaml]\n",
        [
            "list.yaml:1:1: a toolset is keys and values, not a list | write version: 1 on the first line",
        ],
    ),
    (
        "include bad yaml",
        HEAD + "include: [bad.yaml]\n",
        [
            "bad.yaml:2:1: YAML: while parsing a flow node, did not find expected node content",
        ],
    ),
    ("include empty name", HEAD + "include: ['']\n", ["3:11: expected some text, got ''"]),
    ("include a directory", HEAD + "include: [.]\n", ["3:11: the included file cannot be read: Is a directory"]),
    ("no name tool", HEAD + "tools:\n  - stub: 1\n", ["4:5: a tool needs a name"]),
    ("tool name number", HEAD + "tools:\n  - {name: 3, stub: 1}\n", ['4:12: expected string, got integer | write "3" in quotes']),
    (
        "tool name space",
        HEAD + "tools:\n  - {name: get user, stub: 1}\n",
        [
            "4:12: the tool name 'get user' cannot be called on a command line: it starts with a letter, digit or underscore and goes on with those or one of . : + @ % -",
        ],
    ),
    (
        "tool name slash",
        HEAD + "tools:\n  - {name: a/b, stub: 1}\n",
        [
            "4:12: the tool name 'a/b' cannot be called on a command line: it starts with a letter, digit or underscore and goes on with those or one of . : + @ % -",
        ],
    ),
    ("tool name empty", HEAD + "tools:\n  - {name: '', stub: 1}\n", ["4:12: a tool needs a name, not ''"]),
    (
        "tool name reserved",
        HEAD + "tools:\n  - {name: done, stub: 1}\n",
        [
            "4:12: the tool name 'done' is a reserved word of the shell",
        ],
    ),
    (
        "tool name builtin",
        HEAD + "tools:\n  - {name: grep, stub: 1}\n",
        [
            "4:12: the tool 'grep' would hide the command of that name | write override: true if it should",
        ],
    ),
    (
        "tool name help",
        HEAD + "tools:\n  - {name: help, stub: 1}\n",
        [
            "4:12: the tool 'help' would hide the command of that name | write override: true if it should",
        ],
    ),
    (
        "tool twice",
        HEAD + "tools:\n  - {name: a, stub: 1}\n  - {name: a, stub: 1}\n",
        [
            "5:12: two tools are called 'a' | the other one: FOLDER/t.yaml:4",
        ],
    ),
    (
        "tool no callback",
        HEAD + "tools:\n  - {name: get}\n",
        [
            "4:5: the tool 'get' needs a callback | add callback: {python: module.function}, or a stub",
        ],
    ),
    ("tool unknown key", STUB + "    desciption: x\n", ["7:5: unknown key 'desciption' | did you mean description?"]),
    ("tool parameters", STUB + "    parameters: {}\n", ["7:5: unknown key 'parameters' | did you mean input_schema?"]),
    (
        "description null",
        HEAD + "tools:\n  - {name: get, description: , stub: 1}\n",
        [
            "4:30: expected string, got null | give it a value, or leave the key out",
        ],
    ),
    ("category list", STUB + "    category: [a]\n", ["7:15: expected string, got array"]),
    ("tags text", STUB + "    tags: read\n", ["7:11: expected array, got string | write [read]"]),
    ("tags number", STUB + "    tags: [1]\n", ['7:12: expected string, got integer | write "1" in quotes']),
    ("effects", STUB + "    effects: delete\n", ["7:14: expected read or write or destructive, got 'delete'"]),
    (
        "effects list",
        STUB + "    effects: [read]\n",
        [
            '7:14: expected read or write or destructive, got ["read"] | did you mean read?',
        ],
    ),
    ("input text", STUB + "    input_schema: object\n", ["7:19: an input schema is an object, or the word signature"]),
    ("input array", STUB + "    input_schema: {type: array}\n", ["7:26: arguments are an object, not 'array'"]),
    (
        "input or nothing",
        STUB + '    input_schema: {type: [object, "null"]}\n',
        ["7:26: arguments are an object, not ['object', 'null']"],
    ),
    (
        "input list",
        STUB + "    input_schema: {type: [[1]]}\n",
        ["7:27: not a JSON Schema: [1] is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']"],
    ),
    ("nul in a pattern", STUB + '    input_schema: {properties: {a: {type: string, pattern: "[^\\0]"}}}\n', []),
    ("nul in a source", 'version: 1\nname: a\nsources:\n  - executables: "a\\0b"\n', ["4:18: the text has a NUL character"]),
    (
        "nul in a callback",
        'version: 1\nname: a\ntools:\n  - name: get\n    description: Get\n    callback: {executable: "a\\0b"}\n',
        ["6:28: the text has a NUL character"],
    ),
    ("nul in an include", 'version: 1\nname: a\ninclude: ["a\\0b"]\n', ["3:11: the text has a NUL character"]),
    ("nul in an env_file", 'version: 1\nname: a\nenv_file: "a\\0b"\n', ["3:11: the text has a NUL character"]),
    ("nul in a mount", 'version: 1\nname: a\nmounts:\n  - {at: "/a\\0", directory: .}\n', ["4:10: the text has a NUL character"]),
    ("nul in env", 'version: 1\nname: a\nenv: {A: "a\\0b"}\n', ["3:10: the text has a NUL character"]),
    (
        "input bad type",
        STUB + "    input_schema: {properties: {id: {type: int}}}\n",
        [
            "7:44: not a JSON Schema: 'int' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] | did you mean integer?",
        ],
    ),
    (
        "input property text",
        STUB + "    input_schema: {properties: {id: integer}}\n",
        [
            "7:37: not a JSON Schema: 'integer' is not of type 'object', 'boolean' | write {type: integer}",
        ],
    ),
    (
        "input properties list",
        STUB + "    input_schema: {properties: [id]}\n",
        [
            "7:32: not a JSON Schema: ['id'] is not of type 'object'",
        ],
    ),
    (
        "required of a property",
        STUB + "    input_schema: {properties: {id: {type: integer, required: true}, ok: {required: false}}}\n",
        [
            "7:63: not a JSON Schema: true is not of type 'array' | required of the object lists the names: required: [id]",
            "7:85: not a JSON Schema: false is not of type 'array' | leave it out: that is the default",
        ],
    ),
    (
        "input required text",
        STUB + "    input_schema: {required: id}\n",
        [
            "7:30: not a JSON Schema: 'id' is not of type 'array' | write [id]",
        ],
    ),
    ("input required unknown", STUB + "    input_schema: {properties: {id: {}}, required: [ids]}\n", []),
    (
        "input bad pattern",
        STUB + "    input_schema: {properties: {id: {pattern: '['}}}\n",
        [
            "7:47: not a regular expression: unterminated character set at position 0",
        ],
    ),
    (
        "input bad ref",
        STUB + "    input_schema: {properties: {id: {$ref: '#/$defs/no'}}}\n",
        [
            "7:44: the reference #/$defs/no leads nowhere in this schema",
        ],
    ),
    (
        "input remote ref",
        STUB + "    input_schema: {$ref: 'http://x/y'}\n",
        [
            "7:26: the reference http://x/y is remote; only references inside the schema are followed",
        ],
    ),
    (
        "input min text",
        STUB + "    input_schema: {properties: {id: {minimum: one}}}\n",
        [
            "7:47: not a JSON Schema: 'one' is not of type 'number'",
        ],
    ),
    (
        "input enum text",
        STUB + "    input_schema: {properties: {id: {enum: a}}}\n",
        [
            "7:44: not a JSON Schema: 'a' is not of type 'array' | write [a]",
        ],
    ),
    (
        "output text",
        STUB + "    output_schema: string\n",
        ["7:20: expected object, got string | such as {type: object, properties: {id: {type: integer}, name: {type: string}}}"],
    ),
    (
        "output bad type",
        STUB + "    output_schema: {type: objct}\n",
        [
            "7:27: not a JSON Schema: 'objct' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] | did you mean object?",
        ],
    ),
    ("examples text", STUB + "    examples: get --id 1\n", ["7:15: expected array, got string | write [get --id 1]"]),
    (
        "example key",
        STUB + "    examples: [{comand: get}]\n",
        [
            "7:16: an example needs a command",
            "7:17: unknown key 'comand' | did you mean command?",
        ],
    ),
    ("example number", STUB + "    examples: [1]\n", ["7:16: expected string or object, got integer"]),
    (
        "timeout words",
        STUB + "    timeout: soon\n",
        [
            "7:14: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
        ],
    ),
    ("timeout zero unit", STUB + "    timeout: 0s\n", ["7:14: a duration is more than 0"]),
    (
        "timeout null",
        STUB + "    timeout:\n",
        [
            "7:13: expected number or string, got null | give it a value, or leave the key out",
        ],
    ),
    ("max_calls", STUB + "    max_calls: -1\n", ["7:16: expected at least 0, got -1"]),
    ("retry number", STUB + "    retry: 3\n", ["7:12: expected object, got integer | such as {attempts: 3, backoff: 500ms}"]),
    ("retry attempts", STUB + "    retry: {attempts: 0}\n", ["7:23: expected at least 1, got 0"]),
    (
        "retry backoff",
        STUB + "    retry: {backoff: fast}\n",
        [
            "7:22: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
        ],
    ),
    ("retry factor", STUB + "    retry: {factor: 0.5}\n", ["7:21: expected at least 1, got 0.5"]),
    (
        "retry codes",
        STUB + "    retry: {exit_codes: [0, 300]}\n",
        [
            "7:26: expected at least 1, got 0",
            "7:29: expected at most 255, got 300",
        ],
    ),
    ("cache true", STUB + "    cache: true\n", ["7:12: expected number or string, got boolean"]),
    ("validate_output", STUB + "    validate_output: yes\n", ["7:22: expected off or warn or error, got 'yes'"]),
    ("stdin text", STUB + "    stdin: text\n", ["7:12: expected true or false or json, got 'text'"]),
    ("inline", STUB + "    inline: 1\n", ["7:13: expected boolean, got integer | write true"]),
    ("override", STUB + "    override: 'true'\n", ["7:15: expected boolean, got string | write true"]),
    (
        "override null",
        STUB + "    override: null\n",
        ["7:15: expected boolean, got null | give it a value, or leave the key out"],
    ),
    ("errors", STUB + "    errors: typ\n", ["7:13: expected message or type, got 'typ' | did you mean type?"]),
    ("errors of all", HEAD + "errors: none\n", ["3:9: expected message or type, got 'none'"]),
    ("callback text", TOOL + "    callback: m.f\n", ["6:15: expected object, got string | write {python: m.f}"]),
    ("callback null", TOOL + "    callback: \n", ["6:14: expected object, got null | give it a value, or leave the key out"]),
    (
        "callback empty",
        TOOL + "    callback: {}\n",
        [
            "6:15: a callback needs python, executable, http, skill, mcp or script | callback: {python: module.function}",
        ],
    ),
    (
        "callback two kinds",
        TOOL + "    callback: {python: m.f, executable: x}\n",
        [
            "6:29: a Python callback takes no 'executable'",
        ],
    ),
    (
        "callback python one word",
        TOOL + "    callback: {python: f}\n",
        [
            "6:24: a Python callback is a dotted path: module.function",
        ],
    ),
    (
        "callback python path",
        TOOL + "    callback: {python: ./m.py}\n",
        [
            "6:24: a Python callback is a dotted path: module.function",
        ],
    ),
    (
        "callback python number",
        TOOL + "    callback: {python: 1}\n",
        [
            '6:24: expected string, got integer | write "1" in quotes',
        ],
    ),
    ("callback python keyword", TOOL + "    callback: {python: m.f, cwd: .}\n", ["6:29: a Python callback takes no 'cwd'"]),
    ("callback typo", TOOL + "    callback: {pyton: m.f}\n", ["6:16: unknown key 'pyton' | did you mean python?"]),
    ("callback exe empty", TOOL + "    callback: {executable: ''}\n", ["6:28: expected some text, got ''"]),
    (
        "callback exe style",
        TOOL + "    callback: {executable: ./x, arguments: args}\n",
        [
            "6:44: expected json or stdin or flags, got 'args' | did you mean flags?",
        ],
    ),
    (
        "callback exe cwd unset",
        TOOL + "    callback: {executable: ./x, cwd: '${NOPE}'}\n",
        [
            "6:38: the variable NOPE is not set and has no default | set it, or give it a default: ${NAME:-default}",
        ],
    ),
    ("callback exe tool", TOOL + "    callback: {executable: ./x, tool: y}\n", ["6:33: an executable callback takes no 'tool'"]),
    (
        "callback http text",
        TOOL + "    callback: {http: 'https://x'}\n",
        [
            "6:22: expected object, got string | write {url: https://x}",
        ],
    ),
    ("callback http no url", TOOL + "    callback: {http: {method: GET}}\n", ["6:22: an HTTP callback needs a url"]),
    ("callback http scheme", TOOL + "    callback: {http: {url: 'ftp://x'}}\n", ["6:28: a URL begins with http:// or https://"]),
    (
        "callback http method",
        TOOL + "    callback: {http: {url: 'https://x', method: get}}\n",
        [
            "6:49: expected GET or HEAD or POST or PUT or PATCH or DELETE or OPTIONS, got 'get' | did you mean GET?",
        ],
    ),
    (
        "callback http header",
        TOOL + "    callback: {http: {url: 'https://x', headers: {A: 1}}}\n",
        [
            '6:54: expected string, got integer | write "1" in quotes',
        ],
    ),
    (
        "callback http var",
        TOOL + "    callback: {http: {url: 'https://x/${NOPE}'}}\n",
        [
            "6:28: the variable NOPE is neither in env nor in secrets | secrets: [NOPE]",
        ],
    ),
    (
        "callback http host",
        TOOL + "    callback: {http: {url: 'https://{h}/'}}\n",
        [
            "6:28: an argument decides which host is asked | name the hosts: allow: [api.example.com]",
        ],
    ),
    (
        "callback http allow",
        TOOL + "    callback: {http: {url: 'https://x', allow: ['x y']}}\n",
        [
            "6:49: 'x y' is not a host; write 'api.example.com', '*.example.com', 'https://host' or 'host:8443'",
        ],
    ),
    (
        "callback http key",
        TOOL + "    callback: {http: {url: 'https://x', timeout: 1s}}\n",
        [
            f"6:41: unknown key 'timeout' | known here: {HTTP_KEYS}",
        ],
    ),
    (
        "callback http private",
        TOOL + "    callback: {http: {url: 'https://x', allow_private: maybe}}\n",
        [
            "6:56: expected boolean, got string",
        ],
    ),
    (
        "callback http query",
        TOOL + "    callback: {http: {url: 'https://x', query: {a: [1]}}}\n",
        [
            "6:52: expected string or number or boolean, got array",
        ],
    ),
    ("callback skill number", TOOL + "    callback: {skill: 1}\n", ['6:23: expected string, got integer | write "1" in quotes']),
    ("callback skill cwd", TOOL + "    callback: {skill: s, cwd: x}\n", ["6:26: a callback of a skill takes no 'cwd'"]),
    (
        "callback mcp no tool",
        TOOL + "    callback: {mcp: {command: [x]}}\n",
        [
            "6:15: an MCP callback needs a tool: its name on the server",
        ],
    ),
    (
        "callback mcp text",
        TOOL + "    callback: {mcp: server, tool: t}\n",
        ["6:21: expected object, got string | such as {command: [mcp-server-time]}"],
    ),
    (
        "callback mcp none",
        TOOL + "    callback: {mcp: {}, tool: t}\n",
        [
            "6:21: an MCP server needs a command or a url | mcp: {command: [my-server, --stdio]}",
        ],
    ),
    (
        "callback mcp both",
        TOOL + "    callback: {mcp: {command: [x], url: 'http://x'}, tool: t}\n",
        [
            "6:36: an MCP server has a command or a url, not both",
        ],
    ),
    (
        "callback mcp command text",
        TOOL + "    callback: {mcp: {command: x}, tool: t}\n",
        [
            "6:31: expected array, got string | write [x]",
        ],
    ),
    (
        "callback mcp env with url",
        TOOL + "    callback: {mcp: {url: 'http://x', env: {A: b}}, tool: t}\n",
        [
            "6:39: env belongs to an MCP server with a command",
        ],
    ),
    (
        "callback script syntax",
        TOOL + "    callback: {script: 'if true; fi'}\n",
        [
            "6:34: the script: syntax error near unexpected token `fi'",
        ],
    ),
    ("callback script empty", TOOL + "    callback: {script: ''}\n", ["6:24: expected some text, got ''"]),
    ("callback script list", TOOL + "    callback: {script: [a]}\n", ["6:24: expected string, got array"]),
    ("callback script cwd", TOOL + "    callback: {script: x, cwd: y}\n", ["6:27: a bash callback takes no 'cwd'"]),
    (
        "http unknown parameter",
        TOOL + "    input_schema: {properties: {id: {}}}\n    callback: {http: {url: 'https://x/{ix}'}}\n",
        [
            "7:16: {ix} is not a parameter of input_schema | write {{ and }} for braces",
        ],
    ),
    ("stub and stubs", STUB + "    stubs: [{value: 1}]\n", ["7:5: a tool has a stub or stubs, not both"]),
    ("stubs empty", TOOL + "    stubs: []\n", ["6:12: expected at least one entry"]),
    ("stubs mapping", TOOL + "    stubs: {value: 1}\n", ["6:12: expected array, got object | write each entry behind a hyphen"]),
    ("stubs nothing", TOOL + "    stubs: [{}]\n", ["6:13: a stub gives a value, values or an error"]),
    ("stubs both", TOOL + "    stubs: [{value: 1, error: x}]\n", ["6:24: a stub gives value or error, not both"]),
    (
        "stubs delay",
        TOOL + "    stubs: [{value: 1, delay: late}]\n",
        [
            "6:31: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
        ],
    ),
    ("stubs exit", TOOL + "    stubs: [{exit_code: 300}]\n", ["6:25: expected at most 255, got 300"]),
    (
        "stubs key",
        TOOL + "    stubs: [{vaule: 1}]\n",
        [
            "6:13: a stub gives a value, values or an error",
            "6:14: unknown key 'vaule' | did you mean value?",
        ],
    ),
    ("stubs values", TOOL + "    stubs: [{values: []}]\n", ["6:22: expected at least one entry"]),
    ("stubs when list", TOOL + "    stubs: [{when: [1], value: 1}]\n", ["6:20: expected object, got array | such as {id: 1}"]),
    (
        "stubs when unknown",
        TOOL + "    input_schema: {properties: {id: {}}}\n    stubs: [{when: {idd: 1}, value: 1}]\n",
        [
            "7:21: the tool has no parameter 'idd' | did you mean id?",
        ],
    ),
    ("source text", HEAD + "sources: [./tools]\n", ["3:11: expected object, got string | write {executables: ./tools}"]),
    ("source empty", HEAD + "sources: [{}]\n", ["3:11: a source needs executables, skills, mcp or openapi"]),
    ("source two", HEAD + "sources: [{executables: a, skills: b}]\n", ["3:28: a source of executables takes no 'skills'"]),
    ("source typo", HEAD + "sources: [{executable: a}]\n", ["3:12: unknown key 'executable' | did you mean executables?"]),
    ("source exe number", HEAD + "sources: [{executables: 1}]\n", ['3:25: expected string, got integer | write "1" in quotes']),
    (
        "source exe unset",
        HEAD + "sources: [{executables: '${NOPE}'}]\n",
        [
            "3:25: the variable NOPE is not set and has no default | set it, or give it a default: ${NAME:-default}",
        ],
    ),
    (
        "source exe base",
        HEAD + "sources: [{executables: a, base_url: 'http://x'}]\n",
        [
            "3:28: a source of executables takes no 'base_url'",
        ],
    ),
    ("source skills cwd", HEAD + "sources: [{skills: a, cwd: b}]\n", ["3:23: a source of skills takes no 'cwd'"]),
    ("source skills empty", HEAD + "sources: [{skills: ''}]\n", ["3:20: expected some text, got ''"]),
    (
        "source mcp empty",
        HEAD + "sources: [{mcp: {}}]\n",
        [
            "3:17: an MCP server needs a command or a url | mcp: {command: [my-server, --stdio]}",
        ],
    ),
    (
        "source mcp both",
        HEAD + "sources: [{mcp: {command: [a], url: 'http://x'}}]\n",
        [
            "3:32: an MCP server has a command or a url, not both",
        ],
    ),
    ("source mcp cwd", HEAD + "sources: [{mcp: a.json, cwd: b}]\n", ["3:25: an MCP source takes no 'cwd'"]),
    (
        "source mcp timeout",
        HEAD + "sources: [{mcp: {command: [a], timeout: long}}]\n",
        [
            "3:41: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
        ],
    ),
    ("source mcp url", HEAD + "sources: [{mcp: {url: localhost}}]\n", ["3:23: a URL begins with http:// or https://"]),
    ("source openapi list", HEAD + "sources: [{openapi: [a]}]\n", ["3:21: expected string, got array"]),
    (
        "source openapi base",
        HEAD + "sources: [{openapi: a, base_url: example.com}]\n",
        [
            "3:34: a URL begins with http:// or https://",
        ],
    ),
    (
        "source openapi allow",
        HEAD + "sources: [{openapi: a, allow: ['a b']}]\n",
        [
            "3:32: 'a b' is not a host; write 'api.example.com', '*.example.com', 'https://host' or 'host:8443'",
        ],
    ),
    (
        "source openapi header",
        HEAD + "sources: [{openapi: a, headers: {A: '${NOPE}'}}]\n",
        [
            "3:37: the variable NOPE is neither in env nor in secrets | secrets: [NOPE]",
        ],
    ),
    (
        "source prefix",
        HEAD + "sources: [{skills: a, prefix: '1-'}]\n",
        [
            "3:31: a prefix starts with a letter or underscore and goes on with letters, digits, _ . : and -",
        ],
    ),
    ("source include text", HEAD + "sources: [{skills: a, include: x}]\n", ["3:32: expected array, got string | write [x]"]),
    ("source timeout", HEAD + "sources: [{skills: a, timeout: 0}]\n", ["3:32: a duration is more than 0"]),
    ("sources mapping", HEAD + "sources: {skills: a}\n", ["3:10: expected array, got object | write each entry behind a hyphen"]),
    (
        "test no script",
        HEAD + "tests: [{name: a}]\n",
        ["3:9: a test needs a script | add script: with bash, or python: with Python code"],
    ),
    ("test no name", HEAD + "tests: [{script: a}]\n", ["3:9: a test needs a name"]),
    (
        "test name slash",
        HEAD + "tests: [{name: /x, script: a}]\n",
        [
            "3:16: a test's name is one line that starts with a letter or digit",
        ],
    ),
    ("test name long", HEAD + "tests: [{name: " + "a" * 61 + ", script: a}]\n", ["3:16: expected at most 60 characters, got 61"]),
    (
        "test expect text",
        HEAD + "tests: [{name: a, script: a, expect: x}]\n",
        ["3:38: expected object, got string | such as {stdout: '12', exit_code: 0}"],
    ),
    (
        "test expect key",
        HEAD + "tests: [{name: a, script: a, expect: {output: x}}]\n",
        [
            "3:39: unknown key 'output' | known here: stdout, stderr, exit_code",
        ],
    ),
    (
        "test expect exit",
        HEAD + "tests: [{name: a, script: a, expect: {exit_code: 256}}]\n",
        [
            "3:50: expected at most 255, got 256",
        ],
    ),
    (
        "test expect stdout number",
        HEAD + "tests: [{name: a, script: a, expect: {stdout: 1}}]\n",
        [
            '3:47: expected string, got integer | write "1" in quotes',
        ],
    ),
    ("test callbacks", HEAD + "tests: [{name: a, script: a, callbacks: fake}]\n", ["3:41: expected stub or real, got 'fake'"]),
    (
        "test snapshot",
        HEAD + "tests: [{name: a, script: a, snapshot: 1}]\n",
        [
            "3:40: expected boolean, got integer | write true",
        ],
    ),
    (
        "test twice",
        HEAD + "tests: [{name: a, script: a}, {name: A, script: b}]\n",
        [
            "3:38: two tests are called 'A' | the other one is on line 3",
        ],
    ),
    ("tests text", HEAD + "tests: all\n", ["3:8: expected array, got string | write [all]"]),
    (
        "several mistakes",
        "version: 1\nname: my tools\nlimits: {timeout: soon, max_word: 1}\nenv: {A: '${NOPE}', 1B: x}\ntools:\n  - name: get\n    efects: read\n    input_schema: {properties: {id: {type: int}}}\n    callback: {script: 'if; fi', cwd: x}\n  - {name: get, stub: 1}\ntests: [{name: a}]\n",
        [
            "2:7: a toolset's name starts with a letter or underscore and goes on with letters, digits, _ and -",
            "3:19: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h",
            "3:25: unknown key 'max_word' | did you mean max_words?",
            "4:10: the variable NOPE is not set and has no default | set it, or give it a default: ${NAME:-default}",
            "4:21: the name of a variable has letters, digits and _, and no digit first",
            "7:5: unknown key 'efects' | did you mean effects?",
            "8:44: not a JSON Schema: 'int' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] | did you mean integer?",
            "9:27: the script: syntax error near unexpected token `;'",
            "9:34: a bash callback takes no 'cwd'",
            "10:12: two tools are called 'get' | the other one: FOLDER/t.yaml:6",
            "11:9: a test needs a script | add script: with bash, or python: with Python code",
        ],
    ),
    ("a description that is data", HEAD + "description: 2024-01-01\nx-on: on\n", []),
    ("merge that is right", HEAD + "x-a: &a {timeout: 1s}\nlimits: {<<: *a, max_words: 5}\n", []),
    (
        "an alias in the place of a script",
        TOOL + "    callback: {script: &s 'true'}\n  - {name: put, callback: {script: *s}}\n",
        [],
    ),
    (
        "an alias of a wrong script",
        HEAD + "x-s: &s |\n  if true; fi\ntools:\n  - {name: put, callback: {script: *s}}\n",
        [
            "6:36: line 1 of the script: syntax error near unexpected token `fi'",
        ],
    ),
    ("a script in a tool without a name", HEAD + "tools:\n  - {callback: {script: 'true'}}\n", ["4:5: a tool needs a name"]),
    (
        "a script beside a schema that is none",
        TOOL + "    input_schema: object\n    callback: {script: 'true'}\n",
        [
            "6:19: an input schema is an object, or the word signature",
        ],
    ),
    (
        "a request beside a schema that is none",
        TOOL + "    input_schema: object\n    callback: {http: {url: 'https://x/{id}'}}\n",
        [
            "6:19: an input schema is an object, or the word signature",
        ],
    ),
    (
        "a request in a tool without a name",
        HEAD + "tools:\n  - {callback: {http: {url: 'https://x/{id}'}}}\n",
        [
            "4:5: a tool needs a name",
        ],
    ),
    ("x- keys everywhere", STUB + "    x-a: 1\nx-b: 2\nlimits: {x-c: 3}\n", []),
]
