"""Locks by key."""

from __future__ import annotations

import asyncio

from wf_api.run_locks import AsyncKeyedLock


async def test_a_key_is_held_by_one_at_a_time_first_come_first_served_and_other_keys_do_not_wait() -> None:
    locks = AsyncKeyedLock()
    order: list[str] = []

    async def work(name: str, key: str) -> None:
        async with locks.lock(key):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")

    async with asyncio.TaskGroup() as group:
        for name, key in [("a", "x"), ("b", "x"), ("c", "y")]:
            group.create_task(work(name, key))
    assert order.index("a out") < order.index("b in")
    assert order.index("c in") < order.index("b in")
    assert locks._entries == {}


async def test_a_waiter_that_is_cancelled_leaves_nothing_behind() -> None:
    locks = AsyncKeyedLock()
    async with locks.lock("x"):
        waiter = asyncio.create_task(locks.lock("x").__aenter__())
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.gather(waiter, return_exceptions=True)
        assert list(locks._entries) == ["x"]
    assert locks._entries == {}
