"""Calling what blocks: in a thread of its own, for which nobody has to wait, or in one that waits for the disk."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["in_thread", "waiting_for_disk"]

P = ParamSpec("P")
R = TypeVar("R")


@cache
def _disk() -> ThreadPoolExecutor:
    """Not the loop's own pool, which nodes may fill; with many places, as writers that wait at once share a commit."""
    return ThreadPoolExecutor(max_workers=64, thread_name_prefix="wf-disk")


if hasattr(os, "register_at_fork"):
    # A forked process has none of the threads.
    os.register_at_fork(after_in_child=_disk.cache_clear)


def waiting_for_disk(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[R]:
    """Call what waits for the store, and give its answer to come; it must not call code of others that may block."""
    return asyncio.get_running_loop().run_in_executor(_disk(), partial(function, *args, **kwargs))


async def in_thread(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function that may block, with the caller's context variables.

    The thread belongs to no pool. A call that never comes back takes no place from others, whoever awaits it can be
    cancelled, and a program can end without it.

    Raises:
        RuntimeError: The function raised `StopIteration`, which neither a future nor a coroutine can pass on.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[R] = loop.create_future()
    context = copy_context()

    def tell(result: R | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)  # type: ignore[arg-type]

    def call() -> None:
        result: R | None = None
        problem: BaseException | None = None
        try:
            result = context.run(function, *args, **kwargs)
        except StopIteration as error:
            problem = RuntimeError("a function raised StopIteration")
            problem.__cause__ = error
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is awaited
            problem = error
        # A loop that has been closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(tell, result, problem)

    threading.Thread(target=call, name="wf-call", daemon=True).start()
    return await answer
