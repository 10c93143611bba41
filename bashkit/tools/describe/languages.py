"""The languages in which a model can write scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bashkit.tools.describe.in_bash import BASH, BOTH
from bashkit.tools.describe.in_python import PYTHON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools.describe.dialect import Dialect

Language = Literal["bash", "python", "both"]
DIALECTS: Mapping[Language, Dialect] = {"bash": BASH, "python": PYTHON, "both": BOTH}  # both is bash, and python3 in it
