"""Every key of a toolset file, wrong in every way: what is reported, with its place and what to do about it."""

import pytest

from bashkit.toolset import check

from .broken import BROKEN, FILES


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


@pytest.mark.parametrize(("text", "problems"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_y02_what_is_said_about_a_broken_file(tmp_path, text, problems):
    for name, other in FILES.items():
        (tmp_path / name).write_text(other)
    file = tmp_path / "t.yaml"
    file.write_bytes(as_bytes(text))
    found = []
    for problem in check(file, resolve=False, environ={"SET": "1"}):
        place = "" if problem.file == str(file) else problem.file.removeprefix(f"{tmp_path}/") + ":"
        line = f"{place}{problem.line}:{problem.column}: {problem.message}" + (f" | {problem.hint}" if problem.hint else "")
        found.append(line.replace(str(tmp_path), "FOLDER"))
    assert found == problems


def test_the_names_of_the_cases_are_their_own():
    names = [case[0] for case in BROKEN]
    assert len(names) >= 200
    assert len(names) == len(set(names))
