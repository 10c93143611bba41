"""Who waits for news is woken by them, or when the time is up; a timer stays from one wait to the next."""

import asyncio
import math

from bashkit.interp.runtime.news import News


class Loop:
    """An event loop whose clock stands, and which notes its timers."""

    def __init__(self, loop):
        self._loop = loop
        self.timers = []
        self.now = 100.0
        self.create_future = loop.create_future

    def time(self):
        return self.now

    def call_at(self, when, function):
        self.timers.append([when, function])
        return self._loop.call_later(3600, function)


def waiting(news, *waits):
    """Wait so long, one time after the other, and be woken each time."""

    async def wait():
        for seconds in waits:
            waiter = asyncio.ensure_future(news.wait(seconds))
            await asyncio.sleep(0)
            assert not waiter.done()
            news.come()
            news.come()
            await waiter

    return wait()


def test_a_timer_stays_for_later_waits_and_gives_way_to_an_earlier_one():
    async def main():
        loop = Loop(asyncio.get_running_loop())
        news = News(loop)
        await waiting(news, 30.0)
        loop.now += 1
        await waiting(news, 29.0, 29.0001, 500.0, math.inf)
        assert [when for when, _ in loop.timers] == [130.0]
        await waiting(news, 0.5, 10.0)
        assert [when for when, _ in loop.timers] == [130.0, 101.5]
        news.close()

    asyncio.run(main())


def test_a_timer_wakes_and_the_next_wait_has_one_again():
    async def main():
        loop = Loop(asyncio.get_running_loop())
        news = News(loop)
        for rings in 1, 2:
            waiter = asyncio.ensure_future(news.wait(5.0))
            await asyncio.sleep(0)
            loop.timers[-1][1]()
            await asyncio.wait_for(waiter, 10)
            assert len(loop.timers) == rings
        loop.timers[-1][1]()  # late, when nobody waits

    asyncio.run(main())


def test_time_is_up_by_the_real_clock():
    async def main():
        news = News(asyncio.get_running_loop())
        await asyncio.wait_for(news.wait(0.001), 10)
        news.close()

    asyncio.run(main())


def test_nothing_is_left_on_the_loop():
    async def main():
        loop = asyncio.get_running_loop()
        cancelled = []
        call_at = loop.call_at

        def noted(*arguments, **options):
            timer = call_at(*arguments, **options)
            cancelled.append(timer.cancelled)
            return timer

        loop.call_at = noted
        news = News(loop)
        await waiting(news, 30.0, 5.0)
        news.close()
        return [was() for was in cancelled]

    assert asyncio.run(main()) == [True, True]
