"""A read is bounded in time, and never holds up the event loop."""

from __future__ import annotations

import asyncio
import inspect
import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import pytest

from wf_api.errors import ArgumentError, ResourceError, ResourceReaderError, ResourceTimeoutError
from wf_api.platform_context import DEFAULT_READ_TIMEOUT_SECONDS, SourceBindingPlatformContext
from wf_api.readable import FileResources
from wf_api.source_helpers import read_resource, read_resource_sync
from wf_api.source_refs import SourceResourceRef
from wf_core import RuntimeContext
from wf_server import build_local_static_workflow_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), "3", True])
def test_a_time_limit_that_is_none_is_refused(limit: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="read_timeout_seconds must be"):
        SourceBindingPlatformContext({}, None, read_timeout_seconds=limit)
    with pytest.raises(ArgumentError, match="read_timeout_seconds must be"):
        build_local_static_workflow_server(tmp_path, read_timeout_seconds=limit)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"max_chars": 0}, "max_chars must be at least 1, got 0"),
        ({"max_chars": -(2**70)}, "max_chars must be at least 1, got -9223372036854775808"),
        ({"max_chars": "5"}, "max_chars must be at least 1, got `str`"),
        ({"max_chars": True}, "max_chars must be at least 1, got `bool`"),
        ({"max_chars": 5, "offset": None}, "offset must be at least 0, got `NoneType`"),
        ({"max_chars": 5, "max_blob_bytes": 1.5}, "max_blob_bytes must be at least 0, got `float`"),
    ],
)
async def test_bounds_that_are_none_are_refused_by_name(bounds: dict[str, Any], message: str) -> None:
    platform = SourceBindingPlatformContext({"drive": "drive.a"}, lambda *_: PAYLOAD)
    context = RuntimeContext(current_node_id="read", platform=platform)
    for call in (read_resource, read_resource_sync):
        with pytest.raises(ResourceError) as caught:
            result = call(REF, context, **bounds)
            assert inspect.isawaitable(result)
            await result
        assert (caught.value.code, caught.value.message) == ("resource.bounds_invalid", message)


async def test_an_offset_beyond_counting_is_beyond_the_end(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello", encoding="utf-8")
    reader = FileResources(tmp_path)
    context = RuntimeContext(
        current_node_id="read", platform=SourceBindingPlatformContext({"drive": "drive.a"}, reader)
    )
    ref = SourceResourceRef(logical_source="drive", uri="a.txt")
    output = await read_resource(ref, context, offset=2**70)
    assert (output.text, output.truncated) == ("", False)
