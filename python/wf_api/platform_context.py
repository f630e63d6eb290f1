"""The platform services of a run: what a logical source means, and who reads it.

Ordinary nodes never look at them. A node that does, such as `wf.source.read_resource`, finds them in
`RuntimeContext.platform`, as the very object that the caller handed to the engine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from wf_api._arguments import check_span
from wf_api._readers import answer_of, extra_keywords, waited_for
from wf_api.errors import ReadsNotConfiguredError, UnboundSourceError

__all__ = [
    "DEFAULT_READ_TIMEOUT_SECONDS",
    "ReadResourceHandler",
    "SourceBindingPlatformContext",
    "WorkflowPlatformContext",
]

ReadResourceHandler = Callable[[str, str, int], Awaitable[Mapping[str, Any]] | Mapping[str, Any]]
"""Reads a resource: `(source_id, uri, max_chars)` gives a payload, at once or awaited.

A payload is `{"contents": [...]}`; each content has a `text`, or a `blob` in base64, and may have `uri`, `mimeType`
and `size`. A reader that stopped before the end adds `"truncated": True`. A handler that also has the keyword
`offset` is told where to start, and answers `"offset"` with it; one with `max_blob_bytes` is told how large a blob
it may return. An async handler may have a blocking twin as its attribute `read_now`.
"""


DEFAULT_READ_TIMEOUT_SECONDS = 30.0
"""How long a read may take unless its platform context says otherwise."""


@runtime_checkable
class WorkflowPlatformContext(Protocol):
    """Runtime services that only explicit platform nodes use."""

    def resolve_source(self, logical_source: str) -> str:
        """Return the id of the source that a logical source means in this run.

        Raises:
            KeyError: It means none.
        """
        ...

    async def read_resource(self, *, source_id: str, uri: str, max_chars: int) -> Mapping[str, Any]:
        """Read a resource of a concrete source, and no more than `max_chars` characters of it."""
        ...


@dataclass(frozen=True, slots=True)
class SourceBindingPlatformContext:
    """A platform context made of a deployment's bindings and a reader.

    Attributes:
        source_bindings: Which source each logical source means.
        read_resource_handler: Reads resources, sync or async; `None` when nothing can be read.
        platform_sources: The sources that always mean themselves.
        read_timeout_seconds: How long an awaited read may take, 30 by default; `None` for no limit. A read that is
            waited for by `read_resource_now` runs on the caller's thread and is bounded by its handler alone.

    Example:
        >>> platform = SourceBindingPlatformContext({"drive": "drive.personal"}, None, {"wf.source"})
        >>> platform.resolve_source("drive"), platform.resolve_source("wf.source")
        ('drive.personal', 'wf.source')
    """

    source_bindings: Mapping[str, str]
    read_resource_handler: ReadResourceHandler | None
    platform_sources: AbstractSet[str] = field(default_factory=frozenset)
    read_timeout_seconds: float | None = DEFAULT_READ_TIMEOUT_SECONDS

    def __post_init__(self) -> None:
        """Refuses a time limit that is none (an `ArgumentError`)."""
        check_span("read_timeout_seconds", self.read_timeout_seconds)

    def resolve_source(self, logical_source: str) -> str:
        """Return the id of the source that a logical source means.

        Raises:
            UnboundSourceError: It means none (a `KeyError`).
        """
        if logical_source in self.platform_sources:
            return logical_source
        try:
            return self.source_bindings[logical_source]
        except KeyError:
            raise UnboundSourceError(
                f"unbound logical source {logical_source!r}",
                source_id=logical_source,
                hint="bind the logical source to a source id in the deployment",
            ) from None

    async def read_resource(
        self, *, source_id: str, uri: str, max_chars: int, offset: int = 0, max_blob_bytes: int = 0
    ) -> Mapping[str, Any]:
        """Read a resource by the handler; what the handler raises passes through.

        A handler that is no coroutine function is called in a thread, so that it never holds up the event loop.

        Raises:
            ReadsNotConfiguredError: There is no handler (a `RuntimeError`).
            ResourceTimeoutError: The read took longer than `read_timeout_seconds` (a `TimeoutError`).
        """
        handler = self._handler(source_id, uri)
        bounds = (max_chars, offset, max_blob_bytes)
        payload: Mapping[str, Any] = await answer_of(handler, source_id, uri, bounds, self.read_timeout_seconds)
        return payload

    def read_resource_now(
        self, *, source_id: str, uri: str, max_chars: int, offset: int = 0, max_blob_bytes: int = 0
    ) -> Mapping[str, Any]:
        """Read a resource and wait for it: by the handler's own `read_now`, if it has one.

        Raises:
            ReadsNotConfiguredError: There is no handler (a `RuntimeError`).
        """
        handler = self._handler(source_id, uri)
        handler = getattr(handler, "read_now", handler)
        told, extra = extra_keywords(handler, source_id, uri, (max_chars, offset, max_blob_bytes))
        payload: Mapping[str, Any] = waited_for(handler(source_id, uri, told, **extra))
        return payload

    def _handler(self, source_id: str, uri: str) -> ReadResourceHandler:
        if self.read_resource_handler is None:
            raise ReadsNotConfiguredError(
                "source resource reads are not configured",
                source_id=source_id,
                uri=uri,
                hint="give the platform context a resource reader",
            )
        return self.read_resource_handler
