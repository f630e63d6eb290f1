"""Registries: node name to handler, as the engine takes them."""

from typing import Any

from wf_authoring.nodes.handlers import AsyncRegistryHandler, SyncRegistryHandler
from wf_authoring.nodes.spec import NodeSpec


def build_registry(*specs: NodeSpec[Any, Any]) -> dict[str, SyncRegistryHandler]:
    """Return the handlers of sync nodes by name; of two nodes with one name the last counts.

    Raises:
        TypeError: A node is async.

    Example:
        >>> from wf_authoring import node
        >>> @node
        ... def double(value: int) -> int:
        ...     return value * 2
        >>> list(build_registry(double))
        ['double']
    """
    return {spec.name: spec.to_registry_handler() for spec in specs}


def build_async_registry(*specs: NodeSpec[Any, Any]) -> dict[str, AsyncRegistryHandler]:
    """Return async handlers of sync and async nodes by name; of two nodes with one name the last counts.

    Example:
        >>> from wf_authoring import node
        >>> @node
        ... async def fetch(url: str) -> str:
        ...     return f"content of {url}"
        >>> list(build_async_registry(fetch))
        ['fetch']
    """
    return {spec.name: spec.to_async_registry_handler() for spec in specs}
