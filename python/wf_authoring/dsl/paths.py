"""Graph paths as values: `state_path("total")`, `input_path("text")`, `context_path("item")`."""

from dataclasses import dataclass
from typing import Any

from wf_authoring.dsl.path_inputs import GraphRoot, PathInput, coerce_graph_path
from wf_core.paths import GraphSourcePath


@dataclass(frozen=True)
class GraphPath:
    """A place in the input, the state or the context of a run.

    Attributes:
        path: The path.

    Example:
        >>> str(state_path("person.name"))
        'state.person.name'
    """

    path: GraphSourcePath

    @property
    def value(self) -> str:
        """The path as text."""
        return str(self.path)

    @property
    def __wf_path__(self) -> GraphSourcePath:
        return self.path

    def __str__(self) -> str:
        return self.value


def graph_path(value: PathInput) -> GraphPath:
    """Return a graph path that names its root itself.

    Example:
        >>> graph_path("input.text").value
        'input.text'
    """
    return GraphPath(coerce_graph_path(value))


def input_path(first: Any = None, *parts: str) -> GraphPath:
    """Return a path into the workflow's input; without arguments, the whole input.

    Example:
        >>> input_path("text").value
        'input.text'
    """
    return GraphPath(rooted("input", first, parts))


def state_path(first: Any = None, *parts: str) -> GraphPath:
    """Return a path into the state; without arguments, the whole state.

    Example:
        >>> state_path("person", "first name").value
        'state.person."first name"'
    """
    return GraphPath(rooted("state", first, parts))


def context_path(first: Any = None, *parts: str) -> GraphPath:
    """Return a path into the run's context, such as the item of a foreach.

    Example:
        >>> context_path("item").value
        'context.item'
    """
    return GraphPath(rooted("context", first, parts))


def rooted(root: GraphRoot, first: Any, parts: tuple[str, ...]) -> GraphSourcePath:
    """Return a path below a root; nothing at all means the root itself."""
    if first is None:
        if parts:
            raise TypeError("expected a string, string iterable, or string varargs path")
        return GraphSourcePath(root, ())
    return coerce_graph_path(first, *parts, root=root)
