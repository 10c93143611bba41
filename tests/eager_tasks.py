"""What begins the tasks of an event loop as they are made: ``asyncio.eager_task_factory``, or one of the same kind before Python 3.12."""

import asyncio
import contextvars
import types


@types.coroutine
def _rest(coroutine, awaited):
    """What is left of a coroutine that waits for something."""
    while True:
        try:
            value = yield awaited
        except BaseException as error:
            step = lambda error=error: coroutine.throw(error)  # noqa: E731
        else:
            step = lambda value=value: coroutine.send(value)  # noqa: E731
        try:
            awaited = step()
        except StopIteration as end:
            return end.value


async def _whole(coroutine, awaited):
    return await _rest(coroutine, awaited)


def _as_in_3_12(loop, coroutine, context=None):
    """As ``asyncio.eager_task_factory``, but that ``current_task`` is the one before."""
    context = contextvars.copy_context() if context is None else context
    try:
        awaited = context.run(coroutine.send, None)
    except StopIteration as end:
        done = loop.create_future()
        done.set_result(end.value)
        return done
    return asyncio.Task(_whole(coroutine, awaited), loop=loop, context=context)


FACTORY = getattr(asyncio, "eager_task_factory", _as_in_3_12)
