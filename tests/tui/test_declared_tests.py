"""F10 runs the tests that a toolset declares, and marks the tools whose tests have another outcome than expected."""

import pytest

from bashkit.prompts import Collection
from bashkit.toolset import load

pytestmark = pytest.mark.thorough

TOOLSET = """\
version: 1
name: shop
tools:
  - {name: price, stub: "12\\n"}
  - {name: stock, stub: "3\\n"}
  - {name: idle, stub: "0\\n"}
tests:
  - {name: the price, script: price, expect: {stdout: "12"}}
  - {name: the stock, script: "price >/dev/null; stock | cat", snapshot: true}
"""


@pytest.fixture
def shop(tmp_path):
    file = tmp_path / "shop.yaml"
    file.write_text(TOOLSET)
    collection = Collection.of(load(file))
    for item in collection.compare():
        collection.store.accept(item)
    return file


async def outcomes_of(inspector):
    await inspector.press("f10")
    await inspector.until(lambda: inspector.screen.current.tests is not None)
    await inspector.settled()


async def test_tests_that_pass_leave_no_mark(inspect, shop):
    async with inspect(shop) as inspector:
        await outcomes_of(inspector)
        assert inspector.tree == ["shop 3", "  price", "  stock", "  idle"]
        assert "2 passed, 0 failed." in inspector.notes


async def test_the_tools_of_a_test_that_fails_are_marked_and_it_is_a_problem(inspect, shop):
    shop.write_text(TOOLSET.replace('stub: "12', 'stub: "13'))
    async with inspect(shop) as inspector:
        await outcomes_of(inspector)
        assert inspector.tree == ["shop 3 ✗", "  price ✗", "  stock", "  idle"]
        (problem,) = [one for one in inspector.screen.current.problems if one.code == "test"]
        assert problem.message.startswith("the test 'the price' failed\n--- stdout expected")
        assert (problem.line, problem.severity) == (8, "warning")
        assert inspector.screen.current.whole


async def test_a_changed_snapshot_marks_every_tool_that_the_test_calls(inspect, shop):
    shop.write_text(TOOLSET.replace('stub: "3', 'stub: "4'))
    async with inspect(shop) as inspector:
        await outcomes_of(inspector)
        assert inspector.tree == ["shop 3 ✗", "  price ✗", "  stock ✗", "  idle"]


async def test_they_run_again_after_a_change_of_the_file(inspect, shop):
    async with inspect(shop) as inspector:
        await outcomes_of(inspector)
        shop.write_text(TOOLSET.replace('stub: "12', 'stub: "13'))
        inspector.screen.poll()
        await inspector.until(lambda: inspector.screen.current.tests.failed and inspector.screen.ready)
        assert inspector.tree == ["shop 3 ✗", "  price ✗", "  stock", "  idle"]
        shop.write_text(TOOLSET)
        inspector.screen.poll()
        await inspector.until(lambda: not inspector.screen.current.tests.failed and inspector.screen.ready)
        assert inspector.tree == ["shop 3", "  price", "  stock", "  idle"]
        assert not [one for one in inspector.screen.current.problems if one.code == "test"]


async def test_nothing_runs_before_it_is_asked_for(inspect, shop):
    async with inspect(shop) as inspector:
        assert inspector.screen.current.tests is None


async def test_a_toolset_without_tests_says_so(inspect):
    async with inspect() as inspector:
        await inspector.press("f10")
        assert "The toolset has no tests: it declares them with the key `tests`." in inspector.notes
