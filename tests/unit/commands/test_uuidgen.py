"""uuidgen: random identifiers, and those of a name (RFC 9562)."""

import pytest

from bashkit import Bash

VERSIONS = {
    "random": ("uuidgen", "4"),
    "by time": ("uuidgen -t", "1"),
    "by MD5": ("uuidgen -m -n @dns -N www.example.com", "3"),
    "by SHA-1": ("uuidgen -s -n @dns -N www.example.com", "5"),
}


@pytest.mark.parametrize(("script", "version"), VERSIONS.values(), ids=VERSIONS)
def test_versions(script, version):
    shape = f"^[0-9a-f]{{8}}-[0-9a-f]{{4}}-{version}[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}-[0-9a-f]{{12}}$"
    assert Bash().execute_sync(f"{script} | grep -cE '{shape}'").stdout == "1\n"


def test_a_name_has_one_identifier():
    assert Bash().execute_sync("uuidgen -s -n @dns -N www.example.com").stdout == "2ed6657d-e927-568b-95e1-2665a8aea6a2\n"


def test_random_ones_are_repeatable_with_a_seed():
    once, again = (Bash(seed=3).execute_sync("uuidgen; uuidgen").stdout for _ in range(2))
    assert once == again
    assert len(set(once.split())) == 2
