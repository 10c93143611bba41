#!/bin/sh
# List the files of the workspace, one a line. The workspace is the working directory.

if [ "${1:-}" = "--describe" ]; then
    cat <<'JSON'
{
  "name": "list_files",
  "description": "List the files of the workspace, one a line",
  "parameters": {
    "type": "object",
    "properties": {
      "suffix": { "type": "string", "pattern": "^[A-Za-z0-9]+$", "description": "Only files that end so: md, csv" }
    },
    "additionalProperties": false
  },
  "output_schema": { "type": "string" },
  "category": "search",
  "tags": ["read"],
  "effects": "read",
  "examples": ["list_files --suffix md | wc -l"]
}
JSON
    exit 0
fi

suffix=$(printf '%s' "$1" | sed -n 's/.*"suffix": *"\([A-Za-z0-9]*\)".*/\1/p')
find . -type f -name "*${suffix:+.$suffix}" | sed 's|^\./||' | LC_ALL=C sort
