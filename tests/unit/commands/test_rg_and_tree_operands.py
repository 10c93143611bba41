"""What rg searches when it is given no path, and how tree counts its operands."""

import pytest

from bashkit import Bash


@pytest.fixture
def shell():
    bash = Bash()
    bash.execute_sync("mkdir -p /w/empty && cd /w && printf 'foo\\nbar\\n' > a")
    return bash


def test_rg_searches_the_directory_when_its_input_is_dev_null(shell):
    assert shell.execute_sync("cd /w; rg foo < /dev/null").stdout == "a:foo\n"
    assert shell.execute_sync("cd /w; exec < /dev/null; rg -l foo").stdout == "a\n"


def test_rg_searches_what_is_piped(shell):
    assert shell.execute_sync("cd /w; echo food | rg foo").stdout == "food\n"


def test_rg_numbers_the_lines_of_a_match_over_several(shell):
    assert shell.execute_sync("cd /w; rg -Un 'foo\\nbar' a").stdout == "1:foo\n2:bar\n"
    assert shell.execute_sync("cd /w; rg -UnH 'foo\\nbar' a").stdout == "a:1:foo\na:2:bar\n"


def test_tree_does_not_count_an_empty_operand(shell):
    assert shell.execute_sync("cd /w; tree empty").stdout == "empty\n\n0 directories, 0 files\n"


def test_tree_counts_a_file_as_such(shell):
    result = shell.execute_sync("cd /w; tree a")
    assert (result.stdout, result.exit_code) == ("a  [error opening dir]\n\n0 directories, 1 file\n", 0)
