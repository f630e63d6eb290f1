"""What executes a node."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from _wf._native.core import NodeResult, RuntimeContext

__all__ = ["AsyncNodeHandler", "NodeHandler", "blocking"]

NodeHandler: TypeAlias = Callable[[dict[str, Any], RuntimeContext], NodeResult | dict[str, Any]]
"""Takes the payload and the context; returns a result, or the output alone."""

AsyncNodeHandler: TypeAlias = Callable[
    [dict[str, Any], RuntimeContext],
    Awaitable[NodeResult | dict[str, Any]] | NodeResult | dict[str, Any],
]
"""Like `NodeHandler`, or a coroutine function; both drivers take both."""

_Handler = TypeVar("_Handler", bound=Callable[..., Any])


def blocking(handler: _Handler) -> _Handler:
    """Mark a sync handler as one that blocks: on an event loop it runs in a thread of its own.

    Example:
        >>> @blocking
        ... def fetch(payload, ctx):
        ...     return {"text": "…"}
    """
    handler.__wf_blocking__ = True  # type: ignore[attr-defined]
    return handler
