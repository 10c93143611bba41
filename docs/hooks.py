"""Hooks of MkDocs: add the generated pages and the pictures that the tests of the inspector keep."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

_HERE = Path(__file__).resolve().parent
PICTURES = _HERE.parent / "tests/tui/__snapshots__/test_screens"


def on_files(files: Files, config: Any) -> Files:
    """Add the reference, which the program writes itself, and the pictures."""
    spec = importlib.util.spec_from_file_location("bashkit_docs_reference", _HERE / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    for path, text in reference.pages().items():
        files.append(File.generated(config, path, content=text))
    for picture in sorted(PICTURES.glob("*.svg")):
        files.append(File.generated(config, f"pictures/{_name(picture)}", abs_src_path=str(picture)))
    return files


def _name(picture: Path) -> str:
    """A picture's name without the brackets of its parameters: test_review-140x40-dark.svg."""
    return picture.name.replace("][", "-").replace("[", "-").replace("]", "")
