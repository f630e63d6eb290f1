"""The sources that every server has, as Python objects: `wf.std`, `wf.recipes` and `wf.source`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from _wf._native import api as _native
from wf_api.source_helpers import DEFAULT_MAX_CHARS, ReadResourceOutput, read_resource
from wf_api.source_refs import SourceResourceRef
from wf_authoring import NodeSpec, node
from wf_authoring.ops import AUTHORING_STD_SPECS
from wf_authoring.recipes import extract_text_content
from wf_core import RuntimeContext
from wf_core.reducers import DEFAULT_REDUCER_DEFINITIONS, ReducerDefinition
from wf_platform.errors import UnknownNameError
from wf_platform.sources import CapabilityBuckets, CapabilitySource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wf_core import ReducerSpec

__all__ = [
    "BUILTIN_CONNECTION_ID",
    "BUILTIN_SOURCE_ID",
    "MCP_SOURCE_ID",
    "RECIPE_SOURCE_ID",
    "SOURCE_SOURCE_ID",
    "ReadResourceInput",
    "builtin_reducer_definitions",
    "builtin_reducers",
    "builtin_sources",
    "builtin_specs",
    "get_qualified_spec",
    "qualify_node_name",
    "qualify_spec",
    "read_resource_node",
    "recipe_specs",
    "source_specs",
]

BUILTIN_SOURCE_ID: str = _native.STD_SOURCE_ID
"""The id of the standard library."""

BUILTIN_CONNECTION_ID: str = BUILTIN_SOURCE_ID
"""An older name of the same id."""

RECIPE_SOURCE_ID: str = _native.RECIPE_SOURCE_ID
"""The id of the source of recipes."""

SOURCE_SOURCE_ID: str = _native.SOURCE_SOURCE_ID
"""The id of the source whose nodes read resources."""

MCP_SOURCE_ID: str = _native.MCP_SOURCE_ID
"""The id that is kept for helpers around MCP."""

_AUTHORING = "authoring."


class ReadResourceInput(BaseModel):
    """What to read, and how much of it."""

    ref: SourceResourceRef
    max_chars: int = Field(default=DEFAULT_MAX_CHARS, ge=1, le=_native.LARGEST_MAX_CHARS)
    offset: int = Field(default=0, ge=0)
    max_blob_bytes: int = Field(default=0, ge=0, le=_native.LARGEST_BLOB_BYTES)


@node(name="read_resource")
async def read_resource_node(payload: ReadResourceInput, ctx: RuntimeContext) -> ReadResourceOutput:  # noqa: D103 - the contract's description is in the table of contracts
    return await read_resource(
        payload.ref,
        ctx,
        max_chars=payload.max_chars,
        offset=payload.offset,
        max_blob_bytes=payload.max_blob_bytes,
    )


def qualify_node_name(source_id: str, local_name: str) -> str:
    """Return the name of a node within a source.

    Raises:
        ValueError: One of the two is empty.

    Example:
        >>> qualify_node_name("local.ops", "echo")
        'local.ops.echo'
    """
    if not source_id:
        raise ValueError("source_id must not be empty")
    if not local_name:
        raise ValueError("local node name must not be empty")
    return f"{source_id}.{local_name}"


def qualify_spec(source_id: str, spec: NodeSpec[Any, Any]) -> NodeSpec[Any, Any]:
    """Return a spec under its name within a source; its whole name is kept.

    Example:
        >>> from wf_authoring import ops
        >>> qualify_spec("custom.local", ops.constant).name
        'custom.local.authoring.constant'
    """
    return spec.replace(name=qualify_node_name(source_id, spec.name))


def _published(source_id: str, specs: tuple[NodeSpec[Any, Any], ...]) -> dict[str, NodeSpec[Any, Any]]:
    # A built-in node drops the name of the package it is written in.
    qualified = (spec.replace(name=qualify_node_name(source_id, spec.name.removeprefix(_AUTHORING))) for spec in specs)
    return {spec.name: spec for spec in qualified}


def builtin_specs() -> dict[str, NodeSpec[Any, Any]]:
    """Return the nodes of `wf.std` by qualified name."""
    return _published(BUILTIN_SOURCE_ID, tuple(AUTHORING_STD_SPECS))


def recipe_specs() -> dict[str, NodeSpec[Any, Any]]:
    """Return the nodes of `wf.recipes` by qualified name."""
    contract = _native.builtin_contract(f"{RECIPE_SOURCE_ID}.extract_text_content")
    return _published(RECIPE_SOURCE_ID, (_under_contract(extract_text_content, contract),))


def source_specs() -> dict[str, NodeSpec[Any, Any]]:
    """Return the nodes of `wf.source` by qualified name."""
    contract = _native.builtin_contract(f"{SOURCE_SOURCE_ID}.read_resource")
    return _published(SOURCE_SOURCE_ID, (_under_contract(read_resource_node, contract),))


def _under_contract(spec: NodeSpec[Any, Any], contract: Mapping[str, Any]) -> NodeSpec[Any, Any]:
    return spec.replace(
        description=contract["description"],
        input_schema_contract=contract["input_schema"],
        output_schema_contract=contract["output_schema"],
    )


def builtin_reducer_definitions() -> dict[str, ReducerDefinition]:
    """Return the reducers of `wf.std` by name, with what executes them."""
    return dict(DEFAULT_REDUCER_DEFINITIONS)


def builtin_reducers() -> dict[str, ReducerSpec]:
    """Return the contracts of the reducers of `wf.std` by name."""
    return {name: definition.spec for name, definition in DEFAULT_REDUCER_DEFINITIONS.items()}


def builtin_sources() -> dict[str, CapabilitySource]:
    """Return the sources that every server has, by id, in the order in which servers register them.

    Example:
        >>> list(builtin_sources())
        ['wf.std', 'wf.recipes', 'wf.source']
    """
    buckets = {
        BUILTIN_SOURCE_ID: CapabilityBuckets(
            node_specs=builtin_specs(),
            reducers=builtin_reducers(),
            reducer_definitions=builtin_reducer_definitions(),
        ),
        RECIPE_SOURCE_ID: CapabilityBuckets(node_specs=recipe_specs()),
        SOURCE_SOURCE_ID: CapabilityBuckets(node_specs=source_specs()),
    }
    return {
        inventory["id"]: CapabilitySource(
            id=inventory["id"],
            kind=inventory["kind"],
            capabilities=buckets[inventory["id"]],
            visibility=inventory["visibility"],
            permissions=inventory["permissions"],
            policy=inventory["policy"],
            description=inventory["description"],
        )
        for inventory in _native.builtin_inventories()
    }


def get_qualified_spec(sources: Mapping[str, CapabilitySource], qualified_name: str) -> NodeSpec[Any, Any]:
    """Return the node spec of that name from the sources that the planner sees.

    Raises:
        UnknownNameError: No enabled source that the planner sees has it (a `KeyError`).
    """
    for source in sources.values():
        if source.enabled and source.visibility.planner and qualified_name in source.capabilities.node_specs:
            spec: NodeSpec[Any, Any] = source.capabilities.node_specs[qualified_name]
            return spec
    raise UnknownNameError(f"unknown qualified node {qualified_name!r}", code="capability.unknown")
