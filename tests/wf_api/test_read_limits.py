"""A read is bounded in time, and never holds up the event loop."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest

from wf_api.errors import ResourceReaderError, ResourceTimeoutError
from wf_api.platform_context import DEFAULT_READ_TIMEOUT_SECONDS, SourceBindingPlatformContext
from wf_api.source_helpers import read_resource
from wf_api.source_refs import SourceResourceRef
from wf_core import RuntimeContext

if TYPE_CHECKING:
    from collections.abc import Callable

REF = SourceResourceRef(logical_source="drive", uri="report")
PAYLOAD: dict[str, Any] = {"contents": [{"text": "hello"}]}


async def read(handler: Callable[..., Any], limit: float | None = None) -> str | None:
    platform = SourceBindingPlatformContext({"drive": "drive.a"}, handler, read_timeout_seconds=limit)
    return (await read_resource(REF, RuntimeContext(current_node_id="read", platform=platform))).text


async def test_an_async_reader_that_hangs_gives_the_time_out_of_reads() -> None:
    async def hangs(*_: Any) -> dict[str, Any]:
        await asyncio.Event().wait()
        return PAYLOAD

    with pytest.raises(ResourceTimeoutError, match=r"took longer than 0\.01 seconds") as caught:
        await read(hangs, 0.01)
    assert caught.value.code == "resource.timeout"
    assert (caught.value.source_id, caught.value.uri) == ("drive.a", "report")


async def test_a_sync_reader_that_hangs_is_left_behind() -> None:
    release = threading.Event()

    def hangs(*_: Any) -> dict[str, Any]:
        release.wait(10)
        return PAYLOAD

    try:
        with pytest.raises(TimeoutError):
            await read(hangs, 0.01)
    finally:
        release.set()


async def test_readers_that_hang_take_nothing_from_anybody_else() -> None:
    release = threading.Event()

    def hangs(*_: Any) -> dict[str, Any]:
        release.wait(30)
        return PAYLOAD

    try:
        # More than any pool of threads has by default.
        answers = await asyncio.gather(*(read(hangs, 0.01) for _ in range(40)), return_exceptions=True)
        assert {type(answer) for answer in answers} == {ResourceTimeoutError}
        assert await asyncio.wait_for(asyncio.to_thread(lambda: "free"), 5) == "free"
    finally:
        release.set()


async def test_a_sync_reader_that_raises_stop_iteration_fails() -> None:
    def stops(*_: Any) -> dict[str, Any]:
        raise StopIteration(3)

    with pytest.raises(ResourceReaderError, match="StopIteration") as caught:
        await read(stops, 5)
    assert isinstance(caught.value.__cause__, RuntimeError)


async def test_a_sync_reader_does_not_hold_up_the_loop() -> None:
    turned = threading.Event()

    def waits_for_the_loop(*_: Any) -> dict[str, Any]:
        assert turned.wait(10)
        return PAYLOAD

    asyncio.get_running_loop().call_soon(turned.set)
    assert await read(waits_for_the_loop) == "hello"


async def test_a_sync_reader_sees_the_callers_context_variables() -> None:
    tenant: ContextVar[str] = ContextVar("tenant")
    tenant.set("acme")

    def says_the_tenant(*_: Any) -> dict[str, Any]:
        return {"contents": [{"text": tenant.get()}]}

    assert await read(says_the_tenant) == "acme"


async def test_a_function_that_answers_a_coroutine_is_awaited_on_the_loop() -> None:
    loop = asyncio.get_running_loop()

    async def later() -> dict[str, Any]:
        assert asyncio.get_running_loop() is loop
        return PAYLOAD

    assert await read(lambda *_: later()) == "hello"


async def test_a_readers_own_time_out_keeps_its_cause() -> None:
    async def gives_up(*_: Any) -> dict[str, Any]:
        raise TimeoutError("upstream is slow")

    with pytest.raises(ResourceTimeoutError, match="upstream is slow") as caught:
        await read(gives_up, 60)
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_reads_are_limited_by_default() -> None:
    assert SourceBindingPlatformContext({}, None).read_timeout_seconds == DEFAULT_READ_TIMEOUT_SECONDS == 30
