"""A build hook: with BASHKIT_COMPILE=1 the modules for which that pays are compiled. Without it, all is pure Python.

mypyc turns typed modules into C extensions, which are imported in the place of their sources; these stay beside them for whoever
reads a traceback. It needs a C compiler. An editable install gets the extensions into the tree: delete them to be pure again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Measured: what is not at least one and a half times as fast when it is compiled is left alone.
COMPILED = (
    "bashkit/syntax/brackets.py",
    "bashkit/syntax/command_names.py",
    "bashkit/syntax/conditions.py",
    "bashkit/syntax/escapes.py",
    "bashkit/syntax/height.py",
    "bashkit/syntax/nodes.py",
    "bashkit/syntax/parameters.py",
    "bashkit/syntax/parser.py",
    "bashkit/syntax/simple_commands.py",
    "bashkit/syntax/simple_words.py",
    "bashkit/syntax/source.py",
    "bashkit/syntax/tokens.py",
    "bashkit/syntax/words.py",
)
_REQUIRES = ["mypy>=2.4,<3", "setuptools>=80"]
_SETUP = """\
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="bashkit-compiled",
    packages=[],
    ext_modules=mypycify(
        ["--ignore-missing-imports", "--follow-imports=silent", *{files!r}],
        opt_level="3",
        group_name="bashkit_compiled",
        target_dir={target!r},
    ),
)
"""


class CompiledPackages(BuildHookInterface):
    """Compiles ``COMPILED`` if BASHKIT_COMPILE is 1."""

    PLUGIN_NAME = "custom"
    _place: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """What the build needs."""
        return _REQUIRES if _asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and put the extensions into the wheel."""
        if not _asked():
            return
        self._place = tempfile.TemporaryDirectory(prefix="bashkit-compile-")
        place = Path(self._place.name)
        (place / "bashkit").symlink_to(Path(self.root) / "bashkit")
        (place / "setup.py").write_text(_SETUP.format(files=list(COMPILED), target=str(place / "c")), encoding="utf-8")
        build = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "built", "--build-temp", "objects"]
        subprocess.run(build, cwd=place, check=True)
        built = place / "built"
        found = {str(path): path.relative_to(built).as_posix() for path in built.rglob("*.so")}
        if version == "editable":
            for path, name in found.items():
                shutil.copy(path, Path(self.root) / name)
            return
        build_data["force_include"] |= found
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Drop what was built: it is in the wheel."""
        del version, build_data, artifact_path
        if self._place is not None:
            self._place.cleanup()


def _asked() -> bool:
    return os.environ.get("BASHKIT_COMPILE") == "1"
