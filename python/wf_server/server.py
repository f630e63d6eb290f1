"""A server of one process, its store a file below its root."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Literal

from _wf._native.api import Application, Control
from wf_api import (
    TraceRange,
    WorkflowAdminApi,
    WorkflowApi,
    WorkflowOperationContext,
    WorkflowSourceAdminApi,
    builtin_sources,
)
from wf_api._arguments import check_span, refusal
from wf_api.execution import SourceReaders, WorkflowRuntime
from wf_api.platform_context import DEFAULT_READ_TIMEOUT_SECONDS, ReadResourceHandler
from wf_platform.errors import PlatformRuleError
from wf_platform.sources import CapabilitySource, SourceRegistry
from wf_server.context import StaticWorkflowSpecProvider, WorkflowEventLog
from wf_sources_python import PythonSource

__all__ = ["WorkflowServer", "WorkflowServerConfig", "build_local_static_workflow_server"]

Durability = Literal["full", "normal", "off"]
"""What a commit survives: a loss of power, the end of the process, or nothing in particular."""


AnySource = CapabilitySource | PythonSource
"""A source, or where a Python source is defined."""


@dataclass(frozen=True, slots=True)
class WorkflowServerConfig:
    """How a server was made.

    Attributes:
        store_root: The folder that holds its store.
        durability: What a commit survives.
    """

    store_root: Path
    durability: Durability = "full"


@dataclass(frozen=True, slots=True)
class WorkflowServer:
    """A server: its operations, its sources, and what they stand on.

    Attributes:
        config: How it was made.
        context: What the operations stand on.
        api: The operations.
        admin: What operators do: decide about sources and connections, for good.
        source_admin: Looks at sources.
        events: What happened.
        sources: The registry, for adding and replacing sources. What is enabled or disabled through it holds until
            the process ends; `admin` remembers.
    """

    config: WorkflowServerConfig
    context: WorkflowOperationContext
    api: WorkflowApi
    admin: WorkflowAdminApi
    source_admin: WorkflowSourceAdminApi
    events: WorkflowEventLog
    sources: SourceRegistry = field(repr=False)

    async def recover_runs(self) -> list[str]:
        """Go on with the runs that a dead process left; see `WorkflowRunApi.recover_runs`."""
        return await self.api.recover_runs()

    @staticmethod
    def trace_range(*, start: int = 0, limit: int = 25) -> TraceRange:
        """Return a range of a trace."""
        return TraceRange(start=start, limit=limit)


def build_local_static_workflow_server(
    root: str | PathLike[str],
    *,
    extra_sources: Mapping[str, AnySource] | Iterable[AnySource] | None = None,
    readers: Mapping[str, ReadResourceHandler] | None = None,
    durability: Durability = "full",
    read_timeout_seconds: float | None = DEFAULT_READ_TIMEOUT_SECONDS,
) -> WorkflowServer:
    """Compose a server of one process.

    Args:
        root: The folder of its store; made when it is not there. The store is the file `wf.sqlite3` in it.
        extra_sources: Sources besides the built-in ones, by id or as a list. A source may bring its own reader, as
            `wf_api.file_source` does; a `wf_sources_python.PythonSource` is imported only while it is enabled.
        readers: Readers by source id, sync or async; they come before those that the sources bring.
        durability: What a commit survives; `full` waits for the disk.
        read_timeout_seconds: How long a workflow's read of a resource may take before it fails with
            `resource.timeout`; 30 by default, `None` for no limit.

    Returns:
        The server; its operations are coroutines under `server.api`.

    Raises:
        PlatformRuleError: Two sources have one id, or a source has the id of a built-in one (a `ValueError`).
        ArgumentError: A setting is none, or a source is no `CapabilitySource` (a `TypeError` and a `ValueError`).
        PythonSourceError: The module of an enabled Python source cannot be imported (an `ImportError`).
        StoreUnavailableError: The store cannot be opened (an `OSError`).

    Example:
        >>> import asyncio, tempfile
        >>> server = build_local_static_workflow_server(tempfile.mkdtemp())
        >>> asyncio.run(server.api.list_artifacts())
        {'nodes': [], 'next_cursor': None, 'total': 0}
    """
    check_span("read_timeout_seconds", read_timeout_seconds)
    registry = SourceRegistry()
    for source in builtin_sources().values():
        registry.add_builtin(source)
    extra = _checked(extra_sources, set(registry))
    for given in extra:
        registry.add(given.unloaded() if isinstance(given, PythonSource) else given)
    application = Application(registry, Path(root), durability=durability)
    control = Control(application)
    control.add_system_sources()
    control.apply_settings()
    for given in extra:
        if isinstance(given, PythonSource):
            control.provide(given.id, given.load)
            if registry[given.id].enabled:
                registry.replace(given.load())
    events = WorkflowEventLog(application)
    context = WorkflowOperationContext(
        application=application,
        events=events,
        specs=StaticWorkflowSpecProvider(registry),
        runtime=WorkflowRuntime(SourceReaders(registry, dict(readers or {})), read_timeout_seconds),
    )
    return WorkflowServer(
        config=WorkflowServerConfig(store_root=Path(root), durability=durability),
        context=context,
        api=WorkflowApi(context),
        admin=WorkflowAdminApi(context),
        source_admin=WorkflowSourceAdminApi(context),
        events=events,
        sources=registry,
    )


def _checked(extra: Mapping[str, AnySource] | Iterable[AnySource] | None, taken: set[str]) -> list[AnySource]:
    if extra is None:
        return []
    sources = list(extra.values() if isinstance(extra, Mapping) else extra)
    for source in sources:
        if not isinstance(source, CapabilitySource | PythonSource):
            raise refusal("extra_sources", f"must hold sources, got {type(source).__name__}")
    if isinstance(extra, Mapping):
        for key, source in extra.items():
            if key != source.id:
                raise PlatformRuleError(
                    f"provider source key {key!r} does not match source id {source.id!r}", code="source.key_mismatch"
                )
    seen = set(taken)
    twice: set[str] = set()
    for source in sources:
        (twice if source.id in seen else seen).add(source.id)
    if twice:
        raise PlatformRuleError(f"duplicate workflow source ids: {sorted(twice)}", code="source.duplicate_id")
    return sources
