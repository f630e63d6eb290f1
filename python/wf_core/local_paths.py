"""Paths inside a node's payload or output."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wf_core.errors import LocalPathError, PathResolutionError
from wf_core.paths import LocalPath, path_parts_overlap

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "LocalPathError",
    "get_local_value",
    "has_overlapping_paths",
    "paths_overlap",
    "set_local_value",
    "split_local_path",
]


def split_local_path(path: str | LocalPath) -> list[str]:
    """Return the segments of a local path; none for the root.

    Raises:
        LocalPathError: The text is no path.

    Example:
        >>> split_local_path("a.b")
        ['a', 'b']
    """
    if isinstance(path, LocalPath):
        return list(path.parts)
    try:
        return list(LocalPath.parse(path).parts)
    except PathResolutionError as error:
        raise LocalPathError(error.message, code=error.code, path=path) from error


def get_local_value(payload: Mapping[str, Any], path: str | LocalPath) -> Any:
    """Return what a payload holds at a path; the root gives a copy of the payload.

    Raises:
        LocalPathError: The path is none, or holds nothing.
    """
    parts = split_local_path(path)
    if not parts:
        return dict(payload)
    value: Any = payload
    for part in parts:
        if not isinstance(value, Mapping) or part not in value:
            message = f"local path {str(path)!r} could not be resolved"
            raise LocalPathError(message, code="path.unresolved", path=str(path))
        value = value[part]
    return value


def set_local_value(payload: dict[str, Any], path: str | LocalPath, value: Any) -> None:
    """Set what a payload holds at a path; the root replaces the whole payload.

    Raises:
        LocalPathError: The path is none, or leads through something that is no object.
    """
    parts = split_local_path(path)
    if not parts:
        if not isinstance(value, Mapping):
            message = "root local path requires a mapping value"
            raise LocalPathError(message, code="path.not_an_object", path=str(path))
        replacement = dict(value)
        payload.clear()
        payload.update(replacement)
        return
    *way, last = parts
    for part in way:
        inner = payload.setdefault(part, {})
        if not isinstance(inner, dict):
            message = f"local path {str(path)!r} overlaps an existing value"
            raise LocalPathError(message, code="path.overlap", path=str(path))
        payload = inner
    payload[last] = value


def paths_overlap(a: str | LocalPath, b: str | LocalPath) -> bool:
    """Return whether two places are one, or one lies within the other."""
    return path_parts_overlap(split_local_path(a), split_local_path(b))


def has_overlapping_paths(paths: Iterable[str | LocalPath]) -> bool:
    """Return whether any two of the places overlap."""
    # Sorted paths with a common beginning stand together, so looking at neighbours is enough.
    parts = sorted(split_local_path(path) for path in paths)
    return any(path_parts_overlap(one, other) for one, other in pairwise(parts))
