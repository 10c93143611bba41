"""Character sets that a script may name: none of Python's other codecs is ever looked up."""

import codecs

import pytest

from bashkit import Bash
from bashkit.commands._notation.encoding import _CHARACTER_SETS, is_character_set


@pytest.mark.parametrize("name", sorted(_CHARACTER_SETS))
def test_all_of_them_exist(name):
    assert "x".encode(name, "xmlcharrefreplace").decode(name) == "x"
    assert is_character_set(name.upper().replace("-", "_"))


OTHERS = [
    "zlib_codec",
    "hex",
    "rot13",
    "idna",
    "punycode",
    "unicode_escape",
    "undefined",
    "os.path",
    "__init__",
    "iso-8859-12",
    "nosuch",
]


@pytest.mark.parametrize("name", OTHERS)
def test_no_other_codec_is_looked_up(name):
    seen = []
    search = seen.append
    codecs.register(search)
    files = {"/x": "<a>é</a>", "/y": f'<?xml version="1.0" encoding="{name}"?>\n<a>x</a>'}
    try:
        result = Bash(files=files).execute_sync(f"xmllint --encode {name} /x; xmllint /y; echo $?")
    finally:
        codecs.unregister(search)
    assert result.error is None
    assert f"output error : unknown encoding {name}" in result.stderr
    assert "Unsupported encoding" in result.stderr or name.startswith("_")
    assert not seen
