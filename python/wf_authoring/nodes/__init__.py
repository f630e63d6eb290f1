"""Nodes: functions with contracts."""

from typing import TYPE_CHECKING, Any

from wf_authoring.nodes.catalog import NodeCatalog, NodeCatalogEntry
from wf_authoring.nodes.decorator import node
from wf_authoring.nodes.function import NodeFunction
from wf_authoring.nodes.handlers import AsyncRegistryHandler, SyncRegistryHandler
from wf_authoring.nodes.registry import build_async_registry, build_registry
from wf_authoring.nodes.results import NodeReturn, outcome
from wf_authoring.nodes.spec import NodeSpec

if TYPE_CHECKING:
    from wf_authoring.nodes.nothing import Nothing

    NoOutput = NodeReturn[Nothing]

__all__ = [
    "AsyncRegistryHandler",
    "NoOutput",
    "NodeCatalog",
    "NodeCatalogEntry",
    "NodeFunction",
    "NodeReturn",
    "NodeSpec",
    "Nothing",
    "SyncRegistryHandler",
    "build_async_registry",
    "build_registry",
    "node",
    "outcome",
]


def __getattr__(name: str) -> Any:
    """Make `Nothing` and `NoOutput` when they are asked for, since they need pydantic."""
    if name == "Nothing":
        from wf_authoring.nodes.nothing import Nothing

        return Nothing
    if name == "NoOutput":
        from wf_authoring.nodes.nothing import Nothing

        return NodeReturn[Nothing]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
