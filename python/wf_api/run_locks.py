"""Locks by key, for one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

__all__ = ["AsyncKeyedLock"]


@dataclass(slots=True)
class _Entry:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class AsyncKeyedLock:
    """A lock for each key, first come first served; a key that nobody uses takes no memory.

    Example:
        >>> async def resume(locks, run_id):
        ...     async with locks.lock(run_id):
        ...         return run_id
        >>> asyncio.run(resume(AsyncKeyedLock(), "run_1"))
        'run_1'
    """

    def __init__(self) -> None:
        """Makes a lock for every key."""
        self._entries: dict[str, _Entry] = {}

    @asynccontextmanager
    async def lock(self, key: str) -> AsyncIterator[None]:
        """Hold the lock of a key."""
        entry = self._entries.setdefault(key, _Entry())
        entry.users += 1
        try:
            async with entry.lock:
                yield
        finally:
            entry.users -= 1
            if entry.users == 0:
                del self._entries[key]
