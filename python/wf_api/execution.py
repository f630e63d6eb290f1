"""Running what an operation has prepared, on the caller's event loop."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from wf_api.errors import SourceDisabledError, SourceUnreadableError, UnknownSourceError
from wf_api.platform_context import DEFAULT_READ_TIMEOUT_SECONDS, ReadResourceHandler, SourceBindingPlatformContext
from wf_api.readable import reader_of
from wf_core import (
    PreparedSubgraph,
    RunState,
    RuntimeContext,
    coerce_node_result,
    execute_workflow_result_async,
)
from wf_core.errors import NodeResultError
from wf_platform.sources import SourceRegistry

if TYPE_CHECKING:
    from _wf._native.api import CallTarget, PreparedRun
    from _wf._native.core import Pump
    from wf_core import AsyncNodeHandler, NodeResult, ReducerDefinition, Workflow

__all__ = ["SourceReaders", "WorkflowRuntime"]


class _Executable(NamedTuple):
    workflow: Workflow
    registry: dict[str, AsyncNodeHandler]
    reducers: dict[str, ReducerDefinition]


@dataclass(frozen=True, slots=True)
class SourceReaders:
    """Reads from whatever source a request names, and refuses those that cannot be read, each for its own reason.

    Attributes:
        registry: The sources; a source may bring its own reader, see `wf_api.readable`.
        readers: Readers by source id; they come before those that the sources bring.
    """

    registry: SourceRegistry
    readers: Mapping[str, ReadResourceHandler] = field(default_factory=dict)

    async def __call__(
        self, source_id: str, uri: str, max_chars: int, *, offset: int = 0, max_blob_bytes: int = 0
    ) -> Mapping[str, Any]:
        """Read a resource of a source.

        Raises:
            UnknownSourceError: There is no such source.
            SourceDisabledError: The source is switched off.
            SourceUnreadableError: The source has nothing that can be read.
        """
        reader = self._reader(source_id, uri)
        # The way a platform context calls its handler, so that any handler can stand behind a source; the run's own
        # context sets the time limit.
        context = SourceBindingPlatformContext({}, reader, read_timeout_seconds=None)
        return await context.read_resource(
            source_id=source_id, uri=uri, max_chars=max_chars, offset=offset, max_blob_bytes=max_blob_bytes
        )

    def read_now(
        self, source_id: str, uri: str, max_chars: int, *, offset: int = 0, max_blob_bytes: int = 0
    ) -> Mapping[str, Any]:
        """Read a resource of a source and wait for it.

        Raises:
            ResourceError: As for a read that is awaited.
        """
        context = SourceBindingPlatformContext({}, self._reader(source_id, uri))
        return context.read_resource_now(
            source_id=source_id, uri=uri, max_chars=max_chars, offset=offset, max_blob_bytes=max_blob_bytes
        )

    def _reader(self, source_id: str, uri: str) -> ReadResourceHandler:
        named = {"source_id": source_id, "uri": uri}
        source = self.registry.get(source_id)
        if source is None:
            raise UnknownSourceError(
                f"unknown source {source_id!r}",
                hint="register the source, or bind the logical source to one that exists",
                **named,
            )
        if not source.enabled:
            raise SourceDisabledError(
                f"source {source_id!r} is disabled",
                hint="enable the source, or bind the logical source to another one",
                **named,
            )
        reader = self.readers.get(source_id) or reader_of(source)
        if reader is None:
            raise SourceUnreadableError(
                f"source {source_id!r} has no readable resources",
                hint="bind the logical source to a source with resources, such as a file source",
                **named,
            )
        return reader


@dataclass(frozen=True, slots=True)
class WorkflowRuntime:
    """Runs prepared workflows on the caller's event loop.

    Attributes:
        read_resource_handler: Reads resources for the runs' platform contexts.
        read_timeout_seconds: How long a read may take; `None` for no limit.
    """

    read_resource_handler: ReadResourceHandler | None
    read_timeout_seconds: float | None = DEFAULT_READ_TIMEOUT_SECONDS

    def platform_context(self, prepared: PreparedRun | CallTarget) -> SourceBindingPlatformContext:
        """Return the platform services of a run."""
        return SourceBindingPlatformContext(
            source_bindings=prepared.bindings,
            read_resource_handler=self.read_resource_handler,
            platform_sources=prepared.platform_sources,
            read_timeout_seconds=self.read_timeout_seconds,
        )

    async def start(self, prepared: PreparedRun, workflow_input: Mapping[str, Any]) -> RunState:
        """Run a prepared workflow that is not stored until it stands still; a failed run is given, not raised."""
        root, subgraphs = _executables(prepared)
        return await execute_workflow_result_async(
            root.workflow,
            workflow_input,
            root.registry,
            reducers=root.reducers,
            subgraphs=subgraphs,
            platform=self.platform_context(prepared),
        )

    def pump(self, prepared: PreparedRun) -> Pump:
        """Return what drives a stored run from where it stands, journalling as it goes."""
        root, subgraphs = _executables(prepared)
        return prepared.pump(
            root.registry, reducers=root.reducers, subgraphs=subgraphs, platform=self.platform_context(prepared)
        )

    async def call(self, name: str, target: CallTarget, payload: Mapping[str, Any]) -> NodeResult:
        """Execute a node once, with the platform services of a run.

        Raises:
            NodeResultError: The node answers an outcome that it does not declare.
        """
        context = RuntimeContext(current_node_id=name, platform=self.platform_context(target))
        answer = target.spec.to_async_registry_handler()(dict(payload), context)
        result = coerce_node_result(await answer if inspect.isawaitable(answer) else answer)
        if result.outcome not in target.outcomes:
            raise NodeResultError(
                f"node {name!r} does not declare outcome {result.outcome!r}", code="node.undeclared_outcome"
            )
        return result


def _executable(parts: tuple[Workflow, dict[str, Any], dict[str, Any]]) -> _Executable:
    workflow, nodes, reducers = parts
    return _Executable(
        workflow,
        {name: spec.to_handler() for name, spec in nodes.items()},
        # An authored reducer is a definition in a wrapper.
        {name: getattr(reducer, "definition", reducer) for name, reducer in reducers.items()},
    )


def _executables(prepared: PreparedRun) -> tuple[_Executable, dict[str, PreparedSubgraph[AsyncNodeHandler]]]:
    children = {name: _executable(parts) for name, parts in prepared.children.items()}
    return _executable(prepared.root), {name: PreparedSubgraph(*child) for name, child in children.items()}
