"""The two forms of a JSON document: as it was printed, and indented."""

from __future__ import annotations

import json

from bashkit.tools import json_text

_DEEPEST = 100


def indented_json(text: str) -> str:
    """A text that is one JSON array or object on one line, over several lines; "" for any other text.

    The line must be as a callback or a Python program writes it: no number or escape comes out in another form.
    """
    line = text.removesuffix("\n")
    if not line.startswith(("[", "{")) or "\n" in line:
        return ""
    try:
        value = json_text.decode(line)
        if json_text.deeper(value, _DEEPEST):  # whose indentation would be longer than anybody wants
            return ""
        same = line in {json_text.encode(value), json.dumps(value), json.dumps(value, ensure_ascii=False)}
        return json_text.encode(value, indent=2) if value and same else ""
    except (ValueError, RecursionError):
        return ""
