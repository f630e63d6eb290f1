"""Dereferencing resource refs: explicitly, and within bounds.

Example:
    >>> import asyncio
    >>> from wf_api.platform_context import SourceBindingPlatformContext
    >>> from wf_api.source_refs import SourceResourceRef
    >>> from wf_core import RuntimeContext
    >>> def handler(source_id, uri, max_chars):
    ...     return {"contents": [{"text": "a long text about " + uri}]}
    >>> platform = SourceBindingPlatformContext({"drive": "drive.personal"}, handler)
    >>> ref = SourceResourceRef(logical_source="drive", uri="report")
    >>> context = RuntimeContext(current_node_id="read", platform=platform)
    >>> asyncio.run(read_resource(ref, context, max_chars=6)).text
    'a long'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

from _wf._native import api as _native
from wf_api import _readers
from wf_api.errors import PlatformMissingError, ResourceReaderError

if TYPE_CHECKING:
    from wf_api.source_refs import SourceResourceRef
    from wf_core import RuntimeContext

__all__ = ["DEFAULT_MAX_CHARS", "ContentSummary", "ReadResourceOutput", "read_resource", "read_resource_sync"]

DEFAULT_MAX_CHARS: int = _native.DEFAULT_MAX_CHARS
"""How many characters a read returns unless it says otherwise."""


class ContentSummary(BaseModel):
    """A content of a resource, without what is in it."""

    model_config = ConfigDict(frozen=True)

    uri: str | None = None
    mime_type: str | None = None
    kind: Literal["text", "blob"]
    size: int | None = None


class ReadResourceOutput(BaseModel):
    """A bounded read, fit for a workflow's state.

    Attributes:
        source_id: The source that was read.
        uri: The resource that was read.
        mime_type: The media type of the text, else of the first content, else what the ref said.
        text: The first text content within the bounds; `None` when no content is a text.
        content_count: How many contents the resource has.
        truncated: Whether there is more than was returned.
        offset: The first character of `text` within the whole.
        next_offset: Where to go on reading; `None` at the end.
        contents: What the contents are.
        blob: The first blob in base64, when it was asked for and is within its bound.
    """

    model_config = ConfigDict(frozen=True)

    source_id: str
    uri: str
    mime_type: str | None = None
    text: str | None = None
    content_count: int
    truncated: bool = False
    offset: int = 0
    next_offset: int | None = None
    contents: list[ContentSummary] = []
    blob: str | None = None


async def read_resource(
    ref: SourceResourceRef,
    ctx: RuntimeContext,
    *,
    max_chars: int = DEFAULT_MAX_CHARS,
    offset: int = 0,
    max_blob_bytes: int = 0,
) -> ReadResourceOutput:
    """Dereference a resource ref through the run's platform context.

    The reader is told the bounds, and what it answers is bounded again. Characters are Unicode scalar values. The
    first text content is the `text`; all contents are counted and summarised.

    Args:
        ref: What to read.
        ctx: The node's context; its `platform` resolves and reads.
        max_chars: At most this many characters are returned.
        offset: The first character to return; `next_offset` of the result goes on from there.
        max_blob_bytes: A blob of at most this many bytes is returned in base64; by default none is.

    Raises:
        ResourceError: Each cause has its own class, see `wf_api.errors`.
    """
    bounds = (max_chars, offset, max_blob_bytes)
    platform = _platform(ctx)
    _native.check_bounds(bounds)
    source_id = platform.resolve_source(ref.logical_source)
    if not isinstance(source_id, str):
        raise ResourceReaderError(
            f"the platform resolved logical source {ref.logical_source!r} to {type(source_id).__name__}, not to a str",
            uri=ref.uri,
        )
    payload = await _readers.read(platform, source_id, ref.uri, bounds)
    return _output(_native.bounded(payload, source_id, ref.uri, ref.mime_type, bounds))


def read_resource_sync(
    ref: SourceResourceRef,
    ctx: RuntimeContext,
    *,
    max_chars: int = DEFAULT_MAX_CHARS,
    offset: int = 0,
    max_blob_bytes: int = 0,
) -> ReadResourceOutput:
    """Dereference a resource ref like `read_resource`, and wait for it.

    For sync nodes. An async reader runs on an event loop of its own, so it must not depend on the caller's.

    Raises:
        ResourceError: Each cause has its own class, see `wf_api.errors`.
    """
    bounds = (max_chars, offset, max_blob_bytes)
    return _output(_native.read_resource_now(_platform(ctx), ref.logical_source, ref.uri, ref.mime_type, bounds))


def _platform(ctx: RuntimeContext) -> Any:
    if ctx.platform is None:
        raise PlatformMissingError(
            "wf.source.read_resource requires platform context",
            hint="start the run with `platform=`, or through a deployment of a server",
        )
    return ctx.platform


def _output(fields: dict[str, Any]) -> ReadResourceOutput:
    # The fields come checked from the engine.
    contents = [ContentSummary.model_construct(None, **content) for content in fields.pop("contents")]
    return ReadResourceOutput.model_construct(None, contents=contents, **fields)
