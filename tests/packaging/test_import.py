"""What ``import bashkit`` costs and reaches."""

import subprocess
import sys

import pytest

import bashkit


def modules_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print('\\n'.join(sys.modules))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout.split())


@pytest.mark.parametrize(
    "statement", ["import bashkit", "import bashkit; bashkit.Bash().execute_sync('echo hi')", "import bashkit.cli"]
)
def test_the_core_reaches_neither_textual_nor_pytest(statement):
    loaded = {name.split(".")[0] for name in modules_after(statement)}
    assert not loaded & {"textual", "pytest", "syrupy", "bashkit_tui"}


def test_import_alone_loads_almost_nothing():
    loaded = modules_after("import bashkit") - modules_after("pass")
    assert {name for name in loaded if name.startswith("bashkit")} == {"bashkit", "bashkit.importing"}


@pytest.mark.parametrize("name", bashkit.__all__)
def test_every_public_name_resolves(name):
    assert getattr(bashkit, name) is not None


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="nosuch"):
        bashkit.nosuch  # noqa: B018
