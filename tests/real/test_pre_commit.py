"""The hooks of ``.pre-commit-hooks.yaml``, run by a real pre-commit in a scratch repository.

Not part of the whole suite: ``python -m pytest tests/real``. Without pre-commit or git on the PATH it is skipped.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bashkit.toolset.project_files import is_toolset_file

ROOT = Path(__file__).parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
TOOLSET = """\
version: 1
name: api
tools:
  - {name: get, description: Get it, effects: read, stub: it}
tests:
  - {name: one, script: get, expect: {stdout: it}}
"""
needed = [name for name in ("pre-commit", "git") if shutil.which(name) is None]
pre_commit = pytest.mark.skipif(bool(needed), reason=f"not on the PATH: {', '.join(needed)}")


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A git repository whose hooks are those of this one, with the bashkit that is installed here."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "scratch"
    (folder / "toolsets").mkdir(parents=True)
    # "system" instead of "python": pre-commit would install the package from the index
    config = {"repos": [{"repo": "local", "hooks": [hook | {"language": "system"} for hook in HOOKS]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (folder / "toolsets" / "api.yaml").write_text(TOOLSET)
    (folder / "other.yaml").write_text("this: is no toolset\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    subprocess.run([sys.executable, "-m", "bashkit", "snapshot", "--update"], cwd=folder, check=True, capture_output=True)
    return folder


def run(folder):
    """Run all hooks; the outcome of each by its name."""
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    done = subprocess.run(["pre-commit", "run", "--all-files"], cwd=folder, capture_output=True, text=True, check=False)
    return dict(re.findall(r"^([a-z ]+?)\.+(Passed|Failed)$", done.stdout, re.MULTILINE)), done.stdout


@pre_commit
def test_the_manifest_is_valid():
    subprocess.run(["pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"], cwd=ROOT, check=True)


@pre_commit
def test_all_hooks_pass_where_all_is_well(repository):
    outcomes, text = run(repository)
    assert outcomes == {hook["name"]: "Passed" for hook in HOOKS}, text


@pre_commit
@pytest.mark.parametrize(
    ("old", "new", "failing"),
    [
        ("tools:", "tolls:", {"check toolsets", "compare what models read", "test toolsets"}),
        ("Get it", "Fetch it", {"compare what models read"}),
        ("stdout: it", "stdout: that", {"test toolsets"}),
    ],
)
def test_each_hook_fails_for_its_reason(repository, old, new, failing):
    (repository / "toolsets" / "api.yaml").write_text(TOOLSET.replace(old, new))
    outcomes, text = run(repository)
    assert {name for name, outcome in outcomes.items() if outcome == "Failed"} == failing, text


def test_the_hooks_take_what_bashkit_takes_for_toolsets():
    names = [
        "toolsets/a.yaml",
        "x/toolsets/a.yaml",
        "a.toolset.yaml",
        "x/a.toolset.yaml",
        "a.yaml",
        "toolsets/x/a.yaml",
        "toolsets/a.txt",
    ]
    taken = [name for name in names if re.search(HOOKS[0]["files"], name)]
    assert taken == [name for name in names if is_toolset_file(Path(name))]
