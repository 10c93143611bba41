"""docs/requirements.md has a line for every number in the names of tests, and every line has a test."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINE = re.compile(r"^\| ([TSOKXY]\d\d) \|", re.MULTILINE)
NAME = re.compile(r"^ *(?:async )?def test_([tsokxy]\d\d)_", re.MULTILINE)


def test_every_number_has_a_line_and_every_line_a_test():
    listed = LINE.findall((ROOT / "docs" / "requirements.md").read_text(encoding="utf-8"))
    assert listed == sorted(set(listed), key=lambda number: ("TSOKXY".index(number[0]), number))
    files = [path for folder in ("tests", "toolsets") for path in (ROOT / folder).rglob("test_*.py")]
    used = {number.upper() for path in files for number in NAME.findall(path.read_text(encoding="utf-8"))}
    assert set(listed) == used
