"""Whatever an author may write for a path, and the one path it means.

A single string is a TOML dotted key (`person.name` has two segments, `"person.name"` in quotes has one). Several
strings, and iterables of strings, are literal segments.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, cast

from wf_core.paths import GraphSourcePath, LocalPath, PathResolutionError, StatePath, parse_toml_path_segments

GraphRoot: TypeAlias = Literal["input", "state", "context"]


class HasPath(Protocol):
    """What stands for a graph path: `GraphPath` and `PathExpr`."""

    @property
    def __wf_path__(self) -> GraphSourcePath:
        """The path."""


PathInput: TypeAlias = str | Iterable[str] | Mapping[str, Any] | GraphSourcePath | StatePath | LocalPath | HasPath
"""A dotted string, literal segments, a structural `{"root", "parts"}` mapping, or a path object."""

GRAPH_ROOTS: tuple[str, ...] = ("input", "state", "context")


def coerce_graph_path(first: Any, *parts: str, root: GraphRoot | None = None) -> GraphSourcePath:
    """Return the graph path that is meant.

    Args:
        first: The path, or its first segment.
        parts: Further literal segments.
        root: The root that the path is relative to; without it, the path must name its own.

    Raises:
        ValueError: The path is malformed or has another root.
        TypeError: It is none of the ways to write a graph path.

    Example:
        >>> str(coerce_graph_path("state.person.name"))
        'state.person.name'
        >>> str(coerce_graph_path("first name", "0", root="input"))
        'input."first name".0'
    """
    path = _path_object(first, parts)
    if isinstance(path, StatePath):
        path = GraphSourcePath("state", path.parts)
    if isinstance(path, GraphSourcePath):
        return _with_root(path, root)
    if isinstance(path, LocalPath):
        raise TypeError(_not_a_graph_path(first))
    if isinstance(first, Mapping):
        found_root, segments = _structural(first, GRAPH_ROOTS, "expected structural graph source path")
        return _with_root(GraphSourcePath(cast("GraphRoot", found_root), segments), root)
    if root is not None:
        return GraphSourcePath(root, _segments(first, parts))
    if parts:
        raise TypeError(
            "graph path varargs require an explicit root\nhint: use state_path(...), input_path(...) or ..."
        )
    if not isinstance(first, str):
        raise TypeError(_not_a_graph_path(first))
    return GraphSourcePath.parse(first)


def coerce_state_path(first: Any, *parts: str, allow_legacy_root: bool = False) -> StatePath:
    """Return the state path that is meant.

    Args:
        first: The path, or its first segment.
        parts: Further literal segments.
        allow_legacy_root: Whether a string may be written with or without the leading `state.`.

    Raises:
        ValueError: The path is malformed or does not lead into the state.
        TypeError: It is none of the ways to write a path.

    Example:
        >>> str(coerce_state_path("state.total", allow_legacy_root=True))
        'state.total'
        >>> str(coerce_state_path("total"))
        'state.total'
    """
    path = _path_object(first, parts)
    if isinstance(path, StatePath):
        return path
    if isinstance(path, GraphSourcePath):
        if path.root != "state" or not path.parts:
            raise ValueError(f"expected state graph path, got {str(path)!r}")
        return StatePath(path.parts)
    if isinstance(path, LocalPath):
        raise TypeError("expected a string, string iterable, or string varargs path, not a local path")
    if isinstance(first, Mapping):
        _, segments = _structural(first, ("state",), "expected structural state path")
        return StatePath(_not_empty(segments))
    if allow_legacy_root and isinstance(first, str) and not parts:
        return _rooted_or_not(first)
    return StatePath(_segments(first, parts))


def coerce_local_path(first: Any, *parts: str) -> LocalPath:
    """Return the path inside a node's payload that is meant; `"."` is the whole payload.

    Raises:
        ValueError: The path is malformed.
        TypeError: It is none of the ways to write a path.

    Example:
        >>> coerce_local_path("person.name").parts
        ('person', 'name')
        >>> coerce_local_path(".").parts
        ()
    """
    path = _path_object(first, parts)
    if isinstance(path, LocalPath):
        return path
    if path is not None:
        raise TypeError(f"expected a path inside the node's payload, not the graph path {str(path)!r}")
    if isinstance(first, Mapping):
        _, segments = _structural(first, ("local",), "expected structural local path")
        return LocalPath(segments)
    if first == "." and not parts:
        return LocalPath(())
    return LocalPath(_segments(first, parts))


def _path_object(first: Any, parts: tuple[str, ...]) -> GraphSourcePath | StatePath | LocalPath | None:
    """Return a given path object; nothing may be appended to one, nor to a structural mapping."""
    source = getattr(first, "__wf_path__", None)
    found = first if source is None else source
    is_object = isinstance(found, GraphSourcePath | StatePath | LocalPath)
    if parts and (is_object or isinstance(first, Mapping)):
        raise TypeError(f"cannot append path segments to {type(first).__name__}")
    return found if is_object else None


def _with_root(path: GraphSourcePath, root: str | None) -> GraphSourcePath:
    if root is not None and path.root != root:
        raise ValueError(f"expected {root!r} graph path, got {path.root!r}")
    return path


def _not_a_graph_path(value: Any) -> str:
    return (
        f"expected graph path string or structural object, not {type(value).__name__}\n"
        'hint: write for example "state.total", or use state_path(...), input_path(...) or context_path(...)'
    )


def _structural(value: Mapping[Any, Any], roots: tuple[str, ...], message: str) -> tuple[str, tuple[str, ...]]:
    root, parts = value.get("root"), value.get("parts", ())
    if root not in roots:
        raise ValueError(f"{message} with root {' or '.join(map(repr, roots))}, got {root!r}")
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        raise ValueError("expected structural path parts to be strings")  # noqa: TRY004 - a malformed value
    segments = tuple(parts)
    if not all(isinstance(part, str) for part in segments):
        raise ValueError("expected structural path parts to be strings")
    return str(root), segments


def _segments(first: Any, parts: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(first, str) and not parts:
        return tuple(parse_toml_path_segments(first))
    if isinstance(first, str):
        segments: tuple[Any, ...] = (first, *parts)
    elif parts or not isinstance(first, Iterable) or isinstance(first, bytes | bytearray):
        raise TypeError("expected a string, string iterable, or string varargs path")
    else:
        segments = tuple(first)
    if not all(isinstance(segment, str) for segment in segments):
        raise TypeError("expected a string, string iterable, or string varargs path")
    return _not_empty(segments)


def _not_empty(segments: tuple[str, ...]) -> tuple[str, ...]:
    if not segments:
        raise ValueError("expected at least one path segment")
    return segments


def _rooted_or_not(text: str) -> StatePath:
    """Read `state.x` or `x`; a name that is a root must not pass for a field by accident."""
    segments = tuple(parse_toml_path_segments(text))
    if segments[0] == "state" and len(segments) > 1:
        return StatePath(segments[1:])
    if segments[0] in GRAPH_ROOTS:
        raise PathResolutionError(
            f"expected state graph path, got {text!r}",
            hint=f"write 'state.{text}' to mean a state field called {segments[0]!r}",
        )
    return StatePath(segments)
