"""X08: stubs that a toolset declares: a value, a table by arguments, a sequence, an error, a delay."""

import pytest

from bashkit.toolset import load

HEAD = "version: 1\nname: t\ntools:\n"


def tool(stubs, schema="{type: object, properties: {id: {type: integer}, kind: {type: string}}}"):
    return f"{HEAD}  - name: get\n    input_schema: {schema}\n    stubs:\n{stubs}"


@pytest.fixture
def run(folder):
    def ran(stubs, script):
        response = load(folder.write("t.yaml", tool(stubs)), environ={}).make_tool().execute_sync(script)
        return response.stdout, response.stderr, response.exit_code

    return ran


TABLE = """\
      - {when: {id: 1}, value: {name: Ada}}
      - {when: {id: 2, kind: full}, value: {name: Bob, age: 7}}
      - {when: {id: 2}, value: Bob}
      - {when: {id: 3}, error: no such user, exit_code: 4}
      - {when: {id: 4}, exit_code: 3}
"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("get --id 1", ('{"name":"Ada"}\n', "", 0)),
        ("get --id 2 --kind full", ('{"name":"Bob","age":7}\n', "", 0)),
        ("get --id 2 --kind short", ("Bob\n", "", 0)),
        ("get --id 3", ("", "get: no such user\n", 4)),
        ("get --id 4", ("", "", 3)),
        ("get --id 9", ("", ('get: no stub of get fits {"id":9}; there are stubs for '
                            '{"id":1}, {"id":2,"kind":"full"}, {"id":2}, {"id":3}, {"id":4}\n'), 1)),
    ],
)  # fmt: skip
def test_x08_the_first_case_that_fits_the_arguments(run, script, expected):
    assert run(TABLE, script) == expected


def test_x08_a_case_without_when_fits_every_call(run):
    assert run("      - {when: {id: 1}, value: one}\n      - {value: other}\n", "get --id 1; get; get --id 2") == (
        "one\nother\nother\n",
        "",
        0,
    )


def test_x08_values_come_one_after_the_other_and_the_last_one_stays(run):
    assert run("      - {values: [a, b]}\n", "get; get; get") == ("a\nb\nb\n", "", 0)


def test_x08_every_tool_that_is_made_begins_the_sequence_anew(folder):
    toolset = load(folder.write("t.yaml", tool("      - {values: [a, b]}\n")), environ={})
    assert [toolset.make_tool().execute_sync("get").stdout for _ in range(2)] == ["a\n", "a\n"]


def test_x08_a_delay_is_time_that_a_limit_can_cut_short(run):
    assert run("      - {value: late, delay: 1h}\n", "timeout 0.1 get") == ("", "", 124)
    assert run("      - {value: soon, delay: 1ms}\n", "get") == ("soon\n", "", 0)


def test_x08_true_is_no_1(folder):
    text = tool("      - {when: {on: true}, value: yes it is}\n", "{type: object, properties: {on: {}}}")
    tool_ = load(folder.write("t.yaml", text), environ={}).tool
    assert tool_.execute_sync("get --on 1").exit_code == 1
    assert tool_.execute_sync("get --on true").stdout == "yes it is\n"


@pytest.mark.parametrize(
    ("stubs", "problem"),
    [
        ("      - {when: {id: 1}}\n", "7:9: a stub gives a value, values or an error"),
        ("      - {value: 1, error: no}\n", "7:20: a stub gives value or error, not both"),
        ("      - {values: []}\n", "7:18: expected at least one entry"),
        ("      - {when: {ido: 1}, value: 1}\n", "7:17: the tool has no parameter 'ido' | did you mean id?"),
        ("      - {value: 1, delay: soon}\n", "7:27: a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h"),
        ("      - {value: 1, exit_code: 300}\n", "7:31: expected at most 255, got 300"),
        ("      - {vale: 1, value: 2}\n", "7:10: unknown key 'vale' | did you mean value?"),
        ("      - {value: 2}\n    stub: 1\n", "6:5: a tool has a stub or stubs, not both"),
    ],
)
def test_x08_mistakes_in_stubs(folder, stubs, problem):
    assert folder.problems(tool(stubs)) == [problem]
