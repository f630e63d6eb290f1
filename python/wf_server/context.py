"""The parts of a server's context: its sources, and what happened on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wf_platform.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _wf._native.api import Application
    from wf_authoring import NodeSpec
    from wf_platform.sources import CapabilitySource, SourceRegistry

__all__ = ["StaticWorkflowSpecProvider", "WorkflowEventLog"]


@dataclass(frozen=True, slots=True)
class StaticWorkflowSpecProvider:
    """Knows the sources of a registry.

    Attributes:
        registry: The registry; what is enabled, disabled or replaced in it shows at once.
    """

    registry: SourceRegistry

    @property
    def capability_sources(self) -> dict[str, CapabilitySource]:
        """The sources by id, as they are now; a fresh dict."""
        return dict(self.registry.snapshot().items())

    def get_qualified_spec(self, qualified_name: str) -> NodeSpec[Any, Any]:
        """Return the node spec of a name that the planner sees.

        Raises:
            UnknownNameError: There is none (a `KeyError`).
        """
        for source in self.capability_sources.values():
            if source.enabled and source.visibility.planner and qualified_name in source.capabilities.node_specs:
                spec: NodeSpec[Any, Any] = source.capabilities.node_specs[qualified_name]
                return spec
        raise UnknownNameError(f"unknown qualified node {qualified_name!r}", code="capability.unknown")


@dataclass(frozen=True, slots=True)
class WorkflowEventLog:
    """What happened on a server, kept in its store.

    Attributes:
        application: Whose store keeps it.
    """

    application: Application

    def record_workflow_event(self, event_type: str, *, capability_id: str | None, payload: Mapping[str, Any]) -> None:
        """Note that something happened."""
        self.application.record_event(event_type, capability_id, payload)

    def list_events(self, *, after: int = 0, limit: int = 1000) -> list[dict[str, Any]]:
        """Return what happened, oldest first: at most `limit` events behind the number `after`."""
        events: list[dict[str, Any]] = self.application.list_events(after, limit)["events"]
        return events
