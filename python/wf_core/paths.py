"""Paths: where bindings read and write.

A path is written as a TOML dotted key. It names keys of objects and nothing else: no indexes, no wildcards.

Example:
    >>> from wf_core.paths import GraphSourcePath
    >>> GraphSourcePath.parse('state."page title"').parts
    ('page title',)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from _wf._native.core import (
    GraphSourcePath,
    LocalPath,
    StatePath,
    format_toml_path_segments,
    parse_toml_path_segments,
)
from wf_core.errors import PathResolutionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "GraphRoot",
    "GraphSourcePath",
    "LocalPath",
    "PathResolutionError",
    "StatePath",
    "format_toml_path_segments",
    "get_nested_value",
    "is_valid_destination_path",
    "is_valid_source_path",
    "parse_toml_path_segments",
    "path_exists",
    "path_parts_overlap",
    "resolve_graph_path",
    "set_nested_value",
    "split_graph_path",
]

GraphRoot: TypeAlias = Literal["input", "state", "context"]
"""The object that a graph path begins in."""


def split_graph_path(path: str | GraphSourcePath) -> tuple[GraphRoot, tuple[str, ...]]:
    """Return the root of a graph path and the parts below it.

    Raises:
        PathResolutionError: The text is no graph path.
    """
    parsed = GraphSourcePath.parse(path) if isinstance(path, str) else path
    return parsed.root, parsed.parts


def resolve_graph_path(
    path: str | GraphSourcePath,
    *,
    state: Mapping[str, Any],
    workflow_input: Mapping[str, Any],
    context: Mapping[str, Any],
) -> Any:
    """Return what a graph path holds.

    Raises:
        PathResolutionError: The path holds nothing; an explicit `None` is a value.

    Example:
        >>> resolve_graph_path("state.a", state={"a": 1}, workflow_input={}, context={})
        1
    """
    root, parts = split_graph_path(path)
    value: Any = {"state": state, "input": workflow_input, "context": context}[root]
    for part in parts:
        if not isinstance(value, Mapping) or part not in value:
            message = f"path {str(path)!r} could not be resolved"
            raise PathResolutionError(message, code="path.unresolved", path=str(path))
        value = value[part]
    return value


def path_exists(
    path: str | GraphSourcePath,
    *,
    state: Mapping[str, Any],
    workflow_input: Mapping[str, Any],
    context: Mapping[str, Any],
) -> bool:
    """Return whether a graph path holds something, `None` included."""
    try:
        resolve_graph_path(path, state=state, workflow_input=workflow_input, context=context)
    except PathResolutionError:
        return False
    return True


def get_nested_value(mapping: Mapping[str, Any], parts: Sequence[str]) -> Any:
    """Return what stands at the parts, or `None` when there is nothing."""
    value: Any = mapping
    for part in parts:
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def set_nested_value(mapping: dict[str, Any], parts: Sequence[str], value: Any) -> None:
    """Set what stands at the parts; missing objects on the way are made.

    Raises:
        PathResolutionError: There are no parts, or something on the way is no object.
    """
    if not parts:
        message = "cannot set value with empty path"
        raise PathResolutionError(message, code="path.empty")
    *way, last = parts
    for part in way:
        inner = mapping.get(part)
        if inner is None:
            inner = mapping[part] = {}
        elif not isinstance(inner, dict):
            message = f"cannot descend into non-object state field {part!r}"
            raise PathResolutionError(message, code="path.not_an_object", path=part)
        mapping = inner
    mapping[last] = value


def is_valid_source_path(
    path: str | GraphSourcePath,
    state_roots: Iterable[str],
    input_roots: Iterable[str],
    *,
    allow_context: bool = False,
) -> bool:
    """Return whether a path reads from a declared root field."""
    try:
        root, parts = split_graph_path(path)
    except PathResolutionError:
        return False
    if root == "context":
        return allow_context
    return not parts or parts[0] in set(state_roots if root == "state" else input_roots)


def is_valid_destination_path(path: str) -> bool:
    """Return whether a text is a path that can be written to."""
    try:
        StatePath.parse(path)
    except PathResolutionError:
        return False
    return True


def path_parts_overlap(a: Sequence[str], b: Sequence[str]) -> bool:
    """Return whether two places are one, or one lies within the other."""
    return all(one == other for one, other in zip(a, b, strict=False))
