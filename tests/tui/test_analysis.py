"""Beside the syntax mark stands what the script may do, while one types."""

TEXT = """\
version: 1
name: garden
tools:
  - {name: get_plant, effects: read, stub: 1}
  - {name: cut_plant, effects: destructive, stub: 1}
  - {name: look, stub: 1}
"""


SHOWN = {
    "get_plant; cut_plant | get_plant": "✓ syntax   get_plant read · cut_plant destructive",
    "look": "✓ syntax   look undeclared",
    "curl https://a.example/x; curl https://a.example/y": "✓ syntax   → a.example",
    'eval "$x"': "✓ syntax   1 unknown",
    "echo hi": "✓ syntax",
    "echo )": "✗ ",
    "": "",
}


async def test_the_line_below_the_editor(inspect, tmp_path):
    path = tmp_path / "garden.yaml"
    path.write_text(TEXT)
    async with inspect(path) as inspector:

        def line():
            return inspector.text("#syntax").rstrip()

        for script, shown in SHOWN.items():
            await inspector.write("get_plant")
            await inspector.until(lambda: line().endswith("get_plant read"))
            await inspector.write(script)
            await inspector.until(lambda: line().startswith(shown))  # noqa: B023 - awaited here
            await inspector.settled()
            assert line() == shown or (shown == "✗ " and line().startswith(shown))


async def test_a_script_that_is_too_long_is_not_called_valid(inspect):
    async with inspect() as inspector:
        await inspector.write("get_plant --id p1\n" * 6000 + "(")
        await inspector.until(lambda: inspector.text("#syntax"))
        assert inspector.text("#syntax") == "syntax not checked: more than 100\u202f000 characters"
