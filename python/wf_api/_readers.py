"""How readers are called: a platform context's method, or a bare handler, sync or async, with or without paging."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any

from _wf._native import api as _native
from wf_api.errors import ResourceTimeoutError
from wf_core.runtime.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

Bounds = tuple[int, int, int]
"""At most so many characters, from this character on, and blobs of at most so many bytes."""


def extra_keywords(read: Callable[..., Any], source_id: str, uri: str, bounds: Bounds) -> tuple[int, dict[str, int]]:
    """Return the bound to tell a reader, and the keywords that it understands beyond it.

    A plain read needs neither offset nor blob, so its reader sees exactly what it always saw. A reader without an
    `offset` parameter is asked for everything up to the end of the page.
    """
    max_chars, offset, max_blob_bytes = bounds
    if offset == 0 and max_blob_bytes == 0:
        return max_chars, {}
    wanted = {name: value for name, value in (("offset", offset), ("max_blob_bytes", max_blob_bytes)) if value > 0}
    understood = {name: value for name, value in wanted.items() if _accepts(read, name)}
    if offset > 0 and "offset" not in understood:
        max_chars = _native.unpaged_max_chars(source_id, uri, bounds)
    return max_chars, understood


def _accepts(function: Callable[..., Any], keyword: str) -> bool:
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return True
    found = parameters.get(keyword)
    return found is not None and found.kind in {found.POSITIONAL_OR_KEYWORD, found.KEYWORD_ONLY}


async def answer_of(handler: Callable[..., Any], source_id: str, uri: str, bounds: Bounds, limit: float | None) -> Any:
    """Call a handler and await what it answers, for at most `limit` seconds.

    A handler that is no coroutine function may block, so a thread calls it, with the caller's context variables.
    Nothing can stop a thread: past the limit it goes on by itself, and what it answers is dropped.

    Raises:
        ResourceTimeoutError: The limit passed; a `TimeoutError` of the handler's own passes through as it is.
    """
    told, extra = extra_keywords(handler, source_id, uri, bounds)
    scope = asyncio.timeout(limit)
    try:
        async with scope:
            if _is_coroutine_function(handler):
                return await handler(source_id, uri, told, **extra)
            answer = await in_thread(handler, source_id, uri, told, **extra)
            return await answer if inspect.isawaitable(answer) else answer
    except TimeoutError as error:
        if not scope.expired():
            raise
        raise ResourceTimeoutError(
            f"reading resource {uri!r} of source {source_id!r} took longer than {limit:g} seconds",
            source_id=source_id,
            uri=uri,
            hint="read less at once, or give the reader more time by `read_timeout_seconds`",
        ) from error


def _is_coroutine_function(handler: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004


def begin_read(platform: Any, source_id: str, uri: str, bounds: Bounds) -> Any:
    """Call a platform's `read_resource`; return its payload, or what has to be awaited for it."""
    read = platform.read_resource
    max_chars, extra = extra_keywords(read, source_id, uri, bounds)
    return read(source_id=source_id, uri=uri, max_chars=max_chars, **extra)


async def read(platform: Any, source_id: str, uri: str, bounds: Bounds) -> Any:
    """Read through a platform context on the caller's event loop.

    Raises:
        ResourceError: The reader failed; what it raised is the cause.
    """
    try:
        answer = begin_read(platform, source_id, uri, bounds)
        return await answer if inspect.isawaitable(answer) else answer
    except Exception as error:
        explained = _native.explained(error, source_id, uri)
        if explained is error:
            raise
        raise explained from error


def read_to_end(platform: Any, source_id: str, uri: str, bounds: Bounds) -> Any:
    """Read through a platform context and wait for it.

    A platform may have a blocking twin, `read_resource_now`; otherwise an async read runs on an event loop of its own.
    """
    read_now = getattr(platform, "read_resource_now", None)
    if read_now is not None:
        max_chars, extra = extra_keywords(read_now, source_id, uri, bounds)
        return read_now(source_id=source_id, uri=uri, max_chars=max_chars, **extra)
    return waited_for(begin_read(platform, source_id, uri, bounds))


def waited_for(answer: Any) -> Any:
    """Return what a reader answered, or what comes of its awaitable."""
    if not inspect.isawaitable(answer):
        return answer
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_awaited(answer))
    return _without_waiting(_awaited(answer))


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


def _without_waiting(coroutine: Any) -> Any:
    """Run a coroutine that needs no event loop, where waiting would hold up the one that is running."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    coroutine.close()
    raise RuntimeError(
        "an async reader cannot be waited for on the thread of a running event loop\n"
        "hint: use `await read_resource(...)`"
    )
