"""Capability sources: who owns capabilities, who may see them, and what they may do.

A `SourceRegistry` holds the sources of a process. Reading it gives one consistent state; every surface (planner, MCP
client, admin page) is computed from it by one rule, for listing and for calling alike.

Example:
    >>> source = CapabilitySource(id="local.ops", kind="python", visibility=SourceVisibility(planner=True))
    >>> registry = SourceRegistry([source])
    >>> registry["local.ops"].visibility.planner
    True
    >>> registry.disable("local.ops")
    >>> registry["local.ops"].enabled
    False
"""

from typing import Final, Literal, TypeAlias

from _wf._native.platform import (
    SOURCE_PREVIEW_LIMIT,
    CapabilityBuckets,
    CapabilitySource,
    NodeSpecInventory,
    ReducerInventory,
    SourceCapabilityHasMore,
    SourceCapabilityInventory,
    SourceCapabilityPreview,
    SourceChange,
    SourceInventory,
    SourceOverrides,
    SourcePage,
    SourcePermissions,
    SourcePolicy,
    SourceRegistry,
    SourceSnapshot,
    SourceStatus,
    SourceSubscription,
    SourceVisibility,
    is_reserved_source_id,
    validate_source_id,
)

__all__ = [
    "SOURCE_PREVIEW_LIMIT",
    "CapabilityBuckets",
    "CapabilitySource",
    "NodeSpecInventory",
    "ReducerInventory",
    "SourceCapabilityHasMore",
    "SourceCapabilityInventory",
    "SourceCapabilityPreview",
    "SourceChange",
    "SourceInventory",
    "SourceKind",
    "SourceOverrides",
    "SourcePage",
    "SourcePermissions",
    "SourcePermissionsSnapshot",
    "SourcePolicy",
    "SourcePolicySnapshot",
    "SourceRegistry",
    "SourceSnapshot",
    "SourceStatus",
    "SourceSubscription",
    "SourceVisibility",
    "SourceVisibilitySnapshot",
    "is_reserved_source_id",
    "validate_source_id",
]

SourceKind: TypeAlias = Literal["system", "connection", "python"]
"""Where a source comes from: the platform, something outside, or a trusted Python module."""

# Sources and their snapshots always had the same fields; as both are immutable here, they are the same classes.
SourceVisibilitySnapshot: Final = SourceVisibility
SourcePermissionsSnapshot: Final = SourcePermissions
SourcePolicySnapshot: Final = SourcePolicy
