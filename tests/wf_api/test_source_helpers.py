"""Dereferencing resource refs through a platform context."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

import pytest

from wf_api import errors
from wf_api.platform_context import SourceBindingPlatformContext
from wf_api.source_helpers import ContentSummary, read_resource, read_resource_sync
from wf_api.source_refs import SourceResourceRef
from wf_core import RuntimeContext

REF = SourceResourceRef(logical_source="drive", uri="gdrive://file/abc", mime_type="text/x-ref")
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def context(platform: Any = None) -> RuntimeContext:
    return RuntimeContext(current_node_id="read", platform=platform)


def answering(payload: Any) -> RuntimeContext:
    return context(SourceBindingPlatformContext({"drive": "drive.personal"}, lambda *_: payload))


def raising(error: BaseException) -> RuntimeContext:
    async def handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        raise error

    return context(SourceBindingPlatformContext({"drive": "drive.personal"}, handler))


class Reads:
    """Every way to read, sync and async, so that a test says once what holds for both."""

    @staticmethod
    async def awaited(ref: SourceResourceRef, ctx: RuntimeContext, **bounds: int) -> Any:
        return await read_resource(ref, ctx, **bounds)

    @staticmethod
    async def waited_for(ref: SourceResourceRef, ctx: RuntimeContext, **bounds: int) -> Any:
        # In a thread, since an async reader needs a loop of its own.
        return await asyncio.to_thread(read_resource_sync, ref, ctx, **bounds)


@pytest.fixture(params=["awaited", "waited_for"])
def read(request: pytest.FixtureRequest) -> Any:
    return getattr(Reads, request.param)


@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_d30_the_reader_is_told_the_bound_and_the_helper_bounds_again(read: Any, kind: str) -> None:
    calls: list[tuple[str, str, int]] = []
    payload = {"contents": [{"type": "text", "text": ALPHABET, "mimeType": "text/plain"}]}

    async def async_handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        calls.append((source_id, uri, max_chars))
        return payload

    def sync_handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        calls.append((source_id, uri, max_chars))
        return payload

    handler = async_handler if kind == "async" else sync_handler
    platform = SourceBindingPlatformContext(source_bindings={"drive": "drive.personal"}, read_resource_handler=handler)
    result = await read(
        SourceResourceRef(logical_source="drive", uri="gdrive://file/abc"), context(platform), max_chars=5
    )
    assert calls == [("drive.personal", "gdrive://file/abc", 5)]
    assert result.truncated is True
    assert result.text == "abcde"
    assert result.model_dump(mode="json") == {
        "source_id": "drive.personal",
        "uri": "gdrive://file/abc",
        "mime_type": "text/plain",
        "text": "abcde",
        "content_count": 1,
        "truncated": True,
        "offset": 0,
        "next_offset": 5,
        "contents": [{"uri": None, "mime_type": "text/plain", "kind": "text", "size": 26}],
        "blob": None,
    }


async def test_the_default_bound_is_four_thousand_characters(read: Any) -> None:
    result = await read(REF, answering({"contents": [{"text": "x" * 5000}]}))
    assert (len(result.text), result.next_offset) == (4000, 4000)


async def test_a_read_without_platform_context_says_so(read: Any) -> None:
    with pytest.raises(RuntimeError, match="platform context") as caught:
        await read(SourceResourceRef(logical_source="drive", uri="gdrive://file/abc"), context())
    assert isinstance(caught.value, errors.PlatformMissingError)
    assert caught.value.code == "platform.missing"


async def test_an_unbound_source_is_a_key_error(read: Any) -> None:
    with pytest.raises(KeyError, match="unbound logical source 'drive'") as caught:
        await read(REF, context(SourceBindingPlatformContext({}, None)))
    assert isinstance(caught.value, errors.UnboundSourceError)
    assert (caught.value.code, caught.value.source_id) == ("source.unbound", "drive")


async def test_a_platform_without_reader_is_a_runtime_error(read: Any) -> None:
    with pytest.raises(RuntimeError, match="source resource reads are not configured") as caught:
        await read(REF, context(SourceBindingPlatformContext({"drive": "d"}, None)))
    assert isinstance(caught.value, errors.ReadsNotConfiguredError)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"max_chars": 0}, "max_chars must be at least 1, got 0"),
        ({"max_chars": -1}, "max_chars must be at least 1, got -1"),
        ({"offset": -1}, "offset must be at least 0, got -1"),
        ({"max_blob_bytes": -1}, "max_blob_bytes must be at least 0, got -1"),
    ],
)
async def test_bounds_out_of_range_are_refused_before_anything_is_read(
    read: Any, bounds: dict[str, int], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        await read(REF, raising(AssertionError("must not be read")), **bounds)
    assert isinstance(caught.value, errors.ReadBoundsError)


RESOURCE = "resource 'gdrive://file/abc'"
SOURCE = "source 'drive.personal'"


@pytest.mark.parametrize(
    ("raised", "expected", "message"),
    [
        (ValueError("boom"), errors.ResourceReaderError, f"reading {RESOURCE} of {SOURCE} failed: ValueError: boom"),
        (FileNotFoundError("x"), errors.ResourceMissingError, f"unknown {RESOURCE} for {SOURCE}"),
        (PermissionError("x"), errors.ResourceAccessError, f"no permission to read {RESOURCE} of {SOURCE}"),
        (
            TimeoutError("slow"),
            errors.ResourceTimeoutError,
            f"reading {RESOURCE} of {SOURCE} timed out: TimeoutError: slow",
        ),
    ],
)
async def test_d31_a_reader_that_raises_gives_an_error_that_names_source_uri_and_cause(
    read: Any, raised: Exception, expected: type[Exception], message: str
) -> None:
    with pytest.raises(expected) as caught:
        await read(REF, raising(raised))
    error = caught.value
    assert isinstance(error, errors.ResourceError)
    assert error.message == message
    assert (error.source_id, error.uri) == ("drive.personal", "gdrive://file/abc")
    if read is Reads.awaited or expected is not errors.ResourceMissingError:
        assert error.__cause__ is not None


async def test_d31_what_a_reader_raised_is_the_cause_itself() -> None:
    boom = ValueError("boom")
    with pytest.raises(errors.ResourceReaderError) as caught:
        await read_resource(REF, raising(boom))
    assert caught.value.__cause__ is boom


@pytest.mark.parametrize(
    ("payload", "problem"),
    [
        (None, "expected an object, got null"),
        ({}, "there is no list under `contents`"),
        ({"contents": {}}, "`contents` must be a list, got object"),
        ({"contents": [{"text": 1}]}, "`contents[0]`: `text` must be a string, got integer"),
        ({"contents": [{"text": "a", "blob": ""}]}, "`contents[0]`: `text` and `blob` exclude each other"),
        ({"contents": [{"text": "\ud800"}]}, "`contents[0].text`: JSON strings must hold no lone surrogate"),
        ({"contents": [object()]}, "`contents[0]`: value must be a finite JSON value"),
    ],
)
async def test_d31_a_malformed_payload_is_an_error(read: Any, payload: Any, problem: str) -> None:
    with pytest.raises(ValueError, match="malformed payload") as caught:
        await read(REF, answering(payload))
    error = caught.value
    assert isinstance(error, errors.ResourcePayloadError)
    prefix = "source 'drive.personal' answered a malformed payload for resource 'gdrive://file/abc': "
    assert error.message.startswith(prefix + problem)


async def test_d31_an_empty_list_is_an_empty_resource(read: Any) -> None:
    result = await read(REF, answering({"contents": []}))
    assert (result.text, result.content_count, result.truncated) == (None, 0, False)
    assert result.mime_type == "text/x-ref"


async def test_d30_the_first_text_is_the_text_and_blobs_are_reported(read: Any) -> None:
    payload = {"contents": [{"blob": "AAEC", "mimeType": "image/png"}, {"text": "hé", "uri": "x://2"}]}
    result = await read(REF, answering(payload))
    assert (result.text, result.blob, result.content_count) == ("hé", None, 2)
    assert result.contents == [
        ContentSummary(mime_type="image/png", kind="blob", size=3),
        ContentSummary(uri="x://2", kind="text", size=3),
    ]
    assert (await read(REF, answering(payload), max_blob_bytes=3)).blob == "AAEC"
    assert (await read(REF, answering(payload), max_blob_bytes=2)).blob is None


class Paging:
    """A platform of its own making, with a reader that pages."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def resolve_source(self, logical_source: str) -> str:
        return f"{logical_source}.here"

    async def read_resource(self, *, source_id: str, uri: str, max_chars: int, offset: int = 0) -> dict[str, Any]:
        self.calls.append({"source_id": source_id, "uri": uri, "max_chars": max_chars, "offset": offset})
        text = ALPHABET[offset : offset + max_chars]
        return {"contents": [{"text": text}], "offset": offset, "truncated": offset + max_chars < len(ALPHABET)}


async def test_d30_pages_of_a_reader_that_pages(read: Any) -> None:
    platform = Paging()
    first = await read(REF, context(platform), max_chars=10)
    second = await read(REF, context(platform), max_chars=10, offset=first.next_offset)
    last = await read(REF, context(platform), max_chars=10, offset=second.next_offset)
    assert first.text + second.text + last.text == ALPHABET
    assert (last.next_offset, last.truncated) == (None, False)
    assert [call["offset"] for call in platform.calls] == [0, 10, 20]
    assert {call["max_chars"] for call in platform.calls} == {10}


async def test_d30_a_reader_without_offset_is_asked_for_everything_up_to_the_end_of_the_page(read: Any) -> None:
    bounds: list[int] = []

    def handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        bounds.append(max_chars)
        return {"contents": [{"text": ALPHABET[:max_chars]}], "truncated": max_chars < len(ALPHABET)}

    platform = SourceBindingPlatformContext({"drive": "d"}, handler)
    result = await read(REF, context(platform), max_chars=5, offset=10)
    assert (result.text, result.next_offset, bounds) == ("klmno", 15, [15])
    with pytest.raises(ValueError, match="its reader does not page") as caught:
        await read(REF, context(platform), max_chars=5, offset=10_000_000)
    assert isinstance(caught.value, errors.PagingUnsupportedError)
    assert bounds == [15]


async def test_cancelling_the_read_cancels_the_reader() -> None:
    started = asyncio.Event()
    cancelled = asyncio.Event()

    async def handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        started.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return {"contents": []}

    task = asyncio.create_task(read_resource(REF, context(SourceBindingPlatformContext({"drive": "d"}, handler))))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


async def test_the_reader_runs_on_the_callers_event_loop_and_in_its_context() -> None:
    who: contextvars.ContextVar[str] = contextvars.ContextVar("who")
    who.set("the caller")
    seen: list[tuple[Any, str]] = []

    async def handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        seen.append((asyncio.get_running_loop(), who.get()))
        return {"contents": []}

    await read_resource(REF, context(SourceBindingPlatformContext({"drive": "d"}, handler)))
    assert seen == [(asyncio.get_running_loop(), "the caller")]


async def test_an_async_reader_is_not_waited_for_on_the_thread_of_a_running_loop() -> None:
    async def handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"contents": []}

    with pytest.raises(errors.ResourceReaderError, match="await read_resource"):
        read_resource_sync(REF, context(SourceBindingPlatformContext({"drive": "d"}, handler)))


async def test_a_sync_node_on_the_event_loop_may_read_what_needs_no_waiting() -> None:
    async def handler(source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        return {"contents": [{"text": "at once"}]}

    platform = SourceBindingPlatformContext({"drive": "d"}, handler)
    assert read_resource_sync(REF, context(platform)).text == "at once"


async def test_a_platform_whose_source_id_is_no_text_is_refused() -> None:
    class Odd(Paging):
        def resolve_source(self, logical_source: str) -> Any:
            return 5

    with pytest.raises(errors.ResourceReaderError, match="resolved logical source 'drive' to int, not to a str"):
        await read_resource(REF, context(Odd()))
