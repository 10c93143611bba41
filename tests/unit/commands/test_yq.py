"""yq: mikefarah's expressions that equal jq's, over YAML, JSON, TOML and CSV."""

import pytest

from bashkit import Bash

FILES = {
    "/w/a.yaml": 'a: 1\nb:\n  - x\n  - y: 2\nc: "yes"\nv: 1.10\nd: |\n  l1\n  l2\nf: null\n',
    "/w/b.yaml": "a: 5\nn:\n  k: v\n",
    "/w/m.yaml": "a: 1\n---\na: 2\n",
    "/w/x.json": '{"a":{"b":[1,2]},"s":"t"}',
    "/w/t.toml": 'title = "T"\n[owner]\nname = "n"\n',
    "/w/c.csv": 'name,age\nbob,3\n"al,x",4\n',
    "/w/anchor.yaml": "base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3\n",
    "/w/a.xml": '<?xml version="1.0"?>\n<a x="1"><b>t</b><b y="2">u &amp; v</b><c/><d>1<e/>2</d></a>\n',
    "/w/a.ini": 'top = 1\n; note\n[s]\nx: y ; note\nlong = "a b"\n',
    "/w/a.properties": "a.b.0=x\na.b.1=2\n# note\nc : d\n",
    "/w/p.md": "---\ntitle: x\n---\n# body\n---\nmore\n",
    "/w/deep.yaml": "a: {b: {c: 1, d: 2}}\n",
    "/w/bad.yaml": "a: [1\nb: 2\n",
}
CASES = [
    ("yq .b[1].y a.yaml", "2\n", "", 0),
    ("yq .c a.yaml", "yes\n", "", 0),
    ("yq .v a.yaml", "1.10\n", "", 0),
    ("yq '.a = 9' a.yaml | head -n 3", "a: 9\nb:\n  - x\n", "", 0),
    ("yq -i '.a += 1' a.yaml; head -n 1 a.yaml", "a: 2\n", "", 0),
    ("yq .a m.yaml", "1\n---\n2\n", "", 0),
    ("yq -o json -I0 .b a.yaml", '["x",{"y":2}]\n', "", 0),
    ("yq -P x.json", "a:\n  b:\n    - 1\n    - 2\ns: t\n", "", 0),
    ("yq .owner.name t.toml", "n\n", "", 0),
    ("yq -o yaml . c.csv", "- name: bob\n  age: 3\n- name: al,x\n  age: 4\n", "", 0),
    (
        "echo '[[1], true]' | yq -p json -o csv .",
        "",
        "Error: csv encoding only works for arrays of scalars (string/numbers/booleans), child[1] is a !!bool\n",
        1,
    ),
    ("""echo '{"": {"": 1, "a": 2}, "b": {"": 3}}' | yq -p json -o props .""", " = 1\na = 2\nb. = 3\n", "", 0),
    ("echo '{}' | yq -p json -o toml .", "\n", "", 0),
    (
        """echo '[{"a": [[1, "x\\ny"], {}], "b": []}]' | yq -p json -P .""",
        "- a:\n    - - 1\n      - |-\n        x\n        y\n    - {}\n  b: []\n",
        "",
        0,
    ),
    ("yq -o csv . c.csv", 'name,age\nbob,3\n"al,x",4\n', "", 0),
    ("yq .d.x anchor.yaml", "1\n", "", 0),
    ("yq eval-all 'select(fileIndex == 0) * select(fileIndex == 1) | .a' a.yaml b.yaml", "5\n", "", 0),
    ("yq -n '.a.b = 1'", "a:\n  b: 1\n", "", 0),
    ("cat a.yaml | yq '.b | length'", "2\n", "", 0),
    ("yq -e .zz a.yaml", "null\n", "", 1),
    ("yq . none", "", "Error: open none: no such file or directory\n", 1),
    ("yq . bad.yaml", "", "Error: bad file 'bad.yaml': yaml: line 2: did not find expected ',' or ']'\n", 1),
]


@pytest.mark.parametrize(("script", "stdout", "stderr", "status"), CASES)
def test_yq(script, stdout, stderr, status):
    result = Bash(files=FILES, cwd="/w").execute_sync(script)
    assert (result.stdout, result.stderr, result.exit_code) == (stdout, stderr, status)


def test_aliases_cannot_blow_up():
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    result = Bash(files={"/w/bomb.yaml": bomb}, cwd="/w").execute_sync("yq . bomb.yaml")
    assert result.error == "limit:max_string_bytes"


def test_entities_are_refused():
    text = '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    result = Bash(files={"/w/a.xml": text}, cwd="/w").execute_sync("yq . a.xml")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert "entity b" in result.stderr
