"""Making a source of nodes that were written in Python.

Example:
    >>> from wf_authoring import node
    >>> @node
    ... def double(n: int) -> int:
    ...     return 2 * n
    >>> source = node_source("numbers", [double])
    >>> list(source.capabilities.node_specs)
    ['numbers.double']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wf_api._arguments import refusal
from wf_api.local_sources import qualify_spec
from wf_authoring import NodeSpec
from wf_platform.errors import PlatformRuleError
from wf_platform.sources import CapabilityBuckets, CapabilitySource, SourcePermissions, SourceVisibility

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["node_source"]


def node_source(
    source_id: str, nodes: Iterable[NodeSpec[Any, Any]], *, description: str | None = None
) -> CapabilitySource:
    """Make a source of nodes, for workflows that are saved on a server.

    A saved workflow names its nodes with their source, such as `numbers.double`; a deployment says which source the
    first part means. Whoever makes this source trusts the nodes: workflows may use them all.

    Args:
        source_id: The id, such as `numbers`.
        nodes: The nodes; each keeps its name behind the id.
        description: What they do.

    Returns:
        The source; its `capabilities.node_specs` are the nodes under their new names, for a builder's `use`.

    Raises:
        ArgumentError: Something is no node (a `TypeError` and a `ValueError`).
        PlatformRuleError: Two nodes have one name, or the id is none, or reserved (a `ValueError`).
    """
    specs: dict[str, NodeSpec[Any, Any]] = {}
    for spec in nodes:
        if not isinstance(spec, NodeSpec):
            raise refusal("nodes", f"must hold nodes, got {type(spec).__name__}; make a function one by @node")
        qualified = qualify_spec(source_id, spec)
        if qualified.name in specs:
            raise PlatformRuleError(
                f"source {source_id!r} has two nodes named {spec.name!r}",
                code="source.duplicate_capability",
                hint='give one of them another name by `@node(name="...")`',
            )
        specs[qualified.name] = qualified
    return CapabilitySource(
        id=source_id,
        kind="python",
        capabilities=CapabilityBuckets(node_specs=specs),
        visibility=SourceVisibility(planner=True),
        permissions=SourcePermissions(safe_for_workflow=True),
        description=description,
    )
