"""On an event loop whose tasks begin as they are made (``asyncio.eager_task_factory``), a callback and what it starts do the same."""

import asyncio

import pytest

from bashkit import ScriptedTool

from ...eager_tasks import FACTORY


def tool(**callbacks):
    built = ScriptedTool("api")
    for name, callback in callbacks.items():
        built.add_tool(name, name, callback=callback)
    return built


async def quick(args):
    return "quick\n"


async def slow(args):
    await asyncio.sleep(0.001)
    return "slow\n"


INNER = tool(quick=quick, slow=slow)
SCRIPT = "x=$(slow); y=$(quick); echo $x $y; quick | cat; for i in 1 2; do slow & done; wait"
ANSWER = "slow quick\nquick\nslow\nslow\n"


async def nested(args):
    return (await INNER.execute(SCRIPT)).stdout


async def together(args):
    return "".join(response.stdout for response in await asyncio.gather(INNER.execute(SCRIPT), INNER.execute("quick")))


async def fails(args):
    raise ValueError("it was wrong")


async def hangs(args):
    await asyncio.sleep(60)


OUTER = tool(quick=quick, slow=slow, nested=nested, together=together, fails=fails, hangs=hangs)


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("quick; slow; quick | cat", "quick\nslow\nquick\n"),
        ("nested; together", ANSWER + ANSWER + "quick\n"),
        ("(nested) | cat; for i in 1 2; do nested & done; wait", ANSWER * 3),
        ("fails 2>&1; echo $?", "fails: it was wrong\n1\n"),
        ("timeout 0.02 hangs; echo $?; hangs & kill %1; wait; echo over", "124\nover\n"),
    ],
)
def test_callbacks_answer(script, answer):
    async def main():
        asyncio.get_running_loop().set_task_factory(FACTORY)
        alone = await OUTER.execute(script)
        return [alone, *await asyncio.gather(*(OUTER.execute(script) for _ in range(4)))]

    assert [response.stdout for response in asyncio.run(main())] == [answer] * 5


def test_what_a_hook_starts_goes_on_by_itself():
    started = []

    def status(told):
        if told.output is not None:
            started.append(asyncio.get_running_loop().create_task(INNER.execute(SCRIPT)))

    async def main():
        asyncio.get_running_loop().set_task_factory(FACTORY)
        response = await OUTER.execute_with_status("echo a; (echo b) | cat; slow", status)
        return response.stdout, [(await task).stdout for task in started]

    assert asyncio.run(main()) == ("a\nb\nslow\n", [ANSWER] * 3)
