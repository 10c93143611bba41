"""Which files a script added, changed and removed."""

import pytest

from bashkit.bash import Bash
from bashkit.runs.file_changes import compare_files, files_of


def changes(script, **files):
    bash = Bash(files={f"/data/{name}": content for name, content in files.items()}, cwd="/data")
    before = files_of(bash)
    bash.execute_sync(script)
    return compare_files(before, bash.fs)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (":", {}),
        ("cat a >/dev/null; ls", {}),
        ("echo x > b", {"b": "added"}),
        ("echo x > a", {"a": "changed"}),
        ("echo y > a; printf one > a", {}),
        ("touch a", {}),
        ("rm a", {"a": "removed"}),
        ("mv a b", {"a": "removed", "b": "added"}),
        ("chmod 600 a", {"a": "changed"}),
        ("ln -s a l", {"l": "added"}),
        ("mkdir -p d/e; echo > d/e/f", {"d": "added", "d/e": "added", "d/e/f": "added"}),
    ],
)
def test_what_a_script_does_to_files(script, found):
    comparison = changes(script, a="one")
    assert {item.path.removeprefix("/data/"): item.state for item in comparison.files if item.state != "same"} == found
    assert comparison.changes == len(found)
