"""docs/from-the-rust-wheel.md names only what there is."""

import importlib
import re
from pathlib import Path

import bashkit
from bashkit.toolset.toolset import Toolset

PAGE = Path(__file__).parents[1] / "docs" / "from-the-rust-wheel.md"
HERE = [line.split("|")[2] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
NAMES = sorted(
    {name for cell in HERE for name in re.findall(r"`((?:bashkit\.integrations\.\w+\.\w+)|(?:[A-Z]\w+(?:\.\w+)?))`", cell)}
)


def test_every_name_exists():
    assert len(NAMES) > 30
    for name in NAMES:
        if name.startswith("bashkit."):
            module, _, attribute = name.rpartition(".")
            path = Path(bashkit.__file__).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
            assert re.search(rf"^def {attribute}\(", path.read_text(encoding="utf-8"), re.MULTILINE), name
            continue
        owner, _, attribute = name.partition(".")
        found = Toolset if owner == "Toolset" else getattr(importlib.import_module("bashkit"), owner)
        assert not attribute or attribute in dir(found) or attribute in found.__dataclass_fields__, name
