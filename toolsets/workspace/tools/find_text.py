#!/usr/bin/env python3
"""Find the lines of text files that contain a text. The workspace is the working directory; nothing outside it is read."""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

DESCRIPTION = {
    "name": "find_text",
    "description": "Find lines that contain a text in the files of the workspace",
    "parameters": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "minLength": 1, "description": "Text to look for, as it is"},
            "path": {"type": "string", "default": ".", "description": "Directory or file, relative to the workspace"},
            "ignore_case": {"type": "boolean", "default": False, "description": "Capital and small letters are the same"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100, "description": "Lines at most"},
        },
        "required": ["text"],
        "additionalProperties": False,
    },
    "output_schema": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"file": {"type": "string"}, "line": {"type": "integer"}, "text": {"type": "string"}},
        },
    },
    "category": "search",
    "tags": ["read"],
    "effects": "read",
    "examples": ["find_text --text ink | jq -r '.[].file' | sort -u"],
}


def main() -> int:
    """Answer --describe, or search."""
    if sys.argv[1:] == ["--describe"]:
        sys.stdout.write(json.dumps(DESCRIPTION) + "\n")
        return 0
    arguments = json.loads(sys.argv[1])
    root = Path.cwd().resolve()
    start = (root / arguments["path"]).resolve()
    if not start.is_relative_to(root):
        sys.stderr.write(f"{arguments['path']} is outside the workspace\n")
        return 1
    if not start.exists():
        sys.stderr.write(f"there is no {arguments['path']}\n")
        return 1
    found = islice(matches(root, start, arguments), arguments["limit"])
    sys.stdout.write(json.dumps(list(found)) + "\n")
    return 0


def matches(root: Path, start: Path, arguments: dict) -> Iterator[dict]:
    """The matching lines, by file and line; binary files are skipped."""
    fold = str.casefold if arguments["ignore_case"] else str
    wanted = fold(arguments["text"])
    files = [start] if start.is_file() else sorted(path for path in start.rglob("*") if path.is_file() and not path.is_symlink())
    for path in files:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        for number, line in enumerate(lines, 1):
            if wanted in fold(line):
                yield {"file": str(path.relative_to(root)), "line": number, "text": line}


if __name__ == "__main__":
    sys.exit(main())
