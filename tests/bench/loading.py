"""How fast a toolset file of a thousand tools is read and checked: python tests/bench/loading.py

The goal is a second. No two tools are alike, so that nothing that is kept by content helps.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from bashkit.toolset import load

TOOLS = 1000
ROUNDS = 5
GOAL = 1000.0  # milliseconds of processor time
TOOL = """\
  - name: tool_{number}
    description: Fetch thing {number} by ID
    category: things
    tags: [read, thing]
    effects: read
    input_schema:
      type: object
      properties:
        id_{number}: {{type: integer, description: ID of thing {number}, minimum: 1}}
        kind: {{type: string, enum: [a, b, c], default: a}}
        flags: {{type: array, items: {{type: string}}}}
      required: [id_{number}]
    output_schema: {{type: object, properties: {{id: {{type: integer}}, name: {{type: string}}}}}}
    examples: ["tool_{number} --id_{number} 1 | jq -r .name"]
    callback: {{python: things.get_{number}}}
    timeout: 5s
    stub: {{id: 1, name: thing {number}}}
"""


def main() -> None:
    """Print the median of some rounds, in processor time: other programs on the machine do not count."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "things.yaml"
        path.write_text("version: 1\nname: things\ntools:\n" + "".join(TOOL.format(number=number) for number in range(TOOLS)))
        taken = []
        for _ in range(ROUNDS):
            start = time.process_time()
            assert len(load(path).tools) == TOOLS
            taken.append((time.process_time() - start) * 1000)
    print(f"{TOOLS} tools: {statistics.median(taken):.0f} ms (first {taken[0]:.0f}), goal {GOAL:.0f}")


if __name__ == "__main__":
    main()
