"""The prompts of the example toolsets, through syrupy over the store that ``bashkit snapshot`` keeps."""

from pathlib import Path

import pytest

from bashkit import load
from bashkit.prompts import documents

TOOLSETS = Path(__file__).parents[2] / "toolsets"


@pytest.mark.parametrize("name", ["shop", "workspace"])
def test_y06_every_document_is_the_accepted_one(name, prompt_snapshot):
    accepted = prompt_snapshot(TOOLSETS / f"{name}.yaml")
    found = documents(load(TOOLSETS / f"{name}.yaml").tool)
    assert {"system-prompt.md", "help.md", "schema.json"} <= set(found)
    for document, text in found.items():
        assert text == accepted(name=document)
