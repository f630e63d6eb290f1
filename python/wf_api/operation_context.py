"""What the operations of an application stand on: its store, its sources, and what runs a workflow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from _wf._native.api import Application
    from wf_api.execution import WorkflowRuntime
    from wf_authoring import NodeSpec
    from wf_platform.sources import CapabilitySource

__all__ = [
    "WorkflowEventRecorder",
    "WorkflowLiveSourceChecker",
    "WorkflowOperationContext",
    "WorkflowSpecProvider",
]


@runtime_checkable
class WorkflowEventRecorder(Protocol):
    """Keeps what happens on the platform."""

    def record_workflow_event(self, event_type: str, *, capability_id: str | None, payload: Mapping[str, Any]) -> None:
        """Note that something happened to a workflow, a deployment or a run."""
        ...


@runtime_checkable
class WorkflowSpecProvider(Protocol):
    """Knows the sources."""

    @property
    def capability_sources(self) -> Mapping[str, CapabilitySource]:
        """The sources by id."""
        ...

    def get_qualified_spec(self, qualified_name: str) -> NodeSpec[Any, Any]:
        """Return the node spec of a name that the planner sees.

        Raises:
            KeyError: There is none.
        """
        ...


@runtime_checkable
class WorkflowLiveSourceChecker(Protocol):
    """Asks sources whether they are there right now."""

    async def deployment_diagnostics(self, *, deployment: Any, artifacts: Any) -> list[Any]:
        """Return what is wrong with the sources that a deployment binds."""
        ...


@dataclass(frozen=True, slots=True)
class WorkflowOperationContext:
    """What the operations of an application stand on.

    Attributes:
        application: The operations over store and registry.
        events: Keeps what happens.
        specs: Knows the sources.
        runtime: Runs prepared workflows on the caller's event loop.
        live_sources: Asks sources whether they are there, if anything does.
    """

    application: Application
    events: WorkflowEventRecorder
    specs: WorkflowSpecProvider
    runtime: WorkflowRuntime
    live_sources: WorkflowLiveSourceChecker | None = None
