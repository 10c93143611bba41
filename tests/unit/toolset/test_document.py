import pytest

from bashkit.toolset.text.document import Mark, read


def value(text):
    document = read(text, "t.yaml")
    assert document.problems == []
    return document.value


@pytest.mark.parametrize(
    ("scalar", "expected"),
    [
        ("on", "on"), ("yes", "yes"), ("off", "off"), ("y", "y"),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
        ("012", 12), ("0o14", 12), ("0x1f", 31), ("1_000", "1_000"), ("1:30", "1:30"),
        ("2024-01-02", "2024-01-02"), ("-7", -7), ("1.5", 1.5), ("1e3", 1000.0), ("'12'", "12"), ("!!str 12", "12"), ("!!int '12'", 12),
        ("=", "="),
    ],
)  # fmt: skip
def test_y02_yaml_1_2_scalars(scalar, expected):
    found = value(f"a: {scalar}\n")["a"]
    assert (found, type(found)) == (expected, type(expected))


def test_positions_of_keys_and_values():
    document = read("a: 1\né:\n  - {b: two}\n  - c\n", "t.yaml")
    assert document.keys[("a",)] == Mark(1, 1, 1)
    assert document.values[("a",)] == Mark(1, 4, 1)
    assert document.keys[("é", 0, "b")] == Mark(3, 6, 1)
    assert document.values[("é", 0, "b")] == Mark(3, 9, 3)
    assert document.values[("é", 1)] == Mark(4, 5, 1)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, 1, "the key 'a' appears twice"),
        ("a: !!python/name:os.system x\n", 1, 4, "the tag tag:yaml.org,2002:python/name:os.system is not supported"),
        ("a: !env x\n", 1, 4, "the tag !env is not supported"),
        ("a: !custom {x: 1}\n", 1, 4, "the tag !custom is not supported"),
        ("a: &x [*x]\n", 1, 8, "*x contains itself"),
        ("a: *nothing\n", 1, 4, "*nothing is not defined before"),
        ("a: .inf\n", 1, 4, ".inf is a number that JSON cannot express"),
        ("a: 1e999\n", 1, 4, "1e999 is too large a number"),
        ("a: " + "9" * 5000 + "\n", 1, 4, "the number has more than 4300 digits"),
        ("? [a]\n: 1\n", 1, 3, "a key is a plain word"),
        ("a: 1\n---\nb: 2\n", 2, 1, "a toolset is one document"),
        ("", 1, 1, "the file is empty"),
        ("a: [1,\n", 2, 1, "YAML: while parsing a flow node, did not find expected node content"),
        ("a:\n\tb: 1\n", 2, 1, "YAML: while scanning for the next token, found character that cannot start any token"),
        ("a: \x01\n", 1, 4, "YAML: control characters are not allowed: U+0001"),
        ("[" * 70 + "]" * 70, 1, 66, "nested deeper than 64 levels"),
    ],
)
def test_y02_what_is_refused_is_refused_with_a_position(text, line, column, message):
    problems = read(text, "t.yaml").problems
    assert [(problem.line, problem.column, problem.message) for problem in problems] == [(line, column, message)]


def test_y02_an_alias_bomb_is_refused_before_it_grows():
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    problems = read("\n".join(lines), "t.yaml").problems
    assert len(problems) == 1
    assert "with its aliases expanded" in problems[0].message


def test_extreme_nesting_is_a_problem_and_no_crash():
    problems = read("[" * 200_000, "t.yaml").problems
    assert len(problems) == 1


def test_aliases_and_merges():
    text = "base: &base {a: 1, b: 2}\nmore: {<<: *base, b: 3}\nsame: *base\n"
    assert value(text) == {"base": {"a": 1, "b": 2}, "more": {"a": 1, "b": 3}, "same": {"a": 1, "b": 2}}


def test_a_tab_gets_a_hint():
    assert read("a:\n\tb: 1\n", "t.yaml").problems[0].hint.startswith("indent with spaces")


def test_a_problem_carries_its_line_and_path():
    problem = read("tools:\n  - name: x\n    name: y\n", "t.yaml").problems[0]
    assert (problem.source, problem.column, problem.width, problem.path) == ("    name: y", 5, 4, "tools[0].name")
    assert str(problem) == "t.yaml:3:5: the key 'name' appears twice"


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85"])
def test_what_ends_a_line_for_yaml_alone_moves_no_position(end):
    document = read(f"é: 'a{end}b'\nkey: {{inner: value}}\n# {end}\nlast: 1\nlast: 2\n", "t.yaml")
    assert document.mark(("key", "inner")) == (2, 14, 5)
    (problem,) = document.problems
    assert (problem.line, problem.column, problem.source, problem.width) == (5, 1, "last: 2", 4)
