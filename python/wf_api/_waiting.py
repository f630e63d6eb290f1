"""Waiting for the store without holding up the event loop."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from wf_core.runtime.threads import waiting_for_disk

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

Json = dict[str, Any]
"""The JSON that an operation answers."""


async def off_loop(operation: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run an operation that waits for the disk in a thread; it releases the interpreter while it waits."""
    return await waiting_for_disk(operation, *args, **kwargs)


async def to_the_end(operation: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run an operation like `off_loop`, and wait for its end even when the caller is cancelled meanwhile."""
    working = asyncio.ensure_future(off_loop(operation, *args, **kwargs))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        while not working.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait((working,))
        raise
