"""What a node function may return besides its output: an outcome together with an output."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from wf_authoring.nodes.nothing import Nothing

Model = TypeVar("Model", covariant=True)  # noqa: PLC0105 - the spec's name


@dataclass(frozen=True, slots=True)
class NodeReturn(Generic[Model]):
    """An outcome and the output that goes with it.

    Attributes:
        outcome: One of the node's declared outcomes.
        output: The output, of the node's output type.

    Example:
        >>> NodeReturn("found", "page 3")
        NodeReturn(outcome='found', output='page 3')
    """

    outcome: str
    output: Model


@overload
def outcome(name: str) -> "NodeReturn[Nothing]": ...


@overload
def outcome(name: str, output: None) -> "NodeReturn[Nothing]": ...


@overload
def outcome(name: str, output: Model) -> "NodeReturn[Model]": ...  # type: ignore[misc] # an argument is only read


def outcome(name: str, output: Any = None) -> "NodeReturn[Any]":
    """Choose an outcome other than the default, with or without an output.

    Args:
        name: One of the node's declared outcomes.
        output: The output; left out, the node gives none.

    Returns:
        What the node function returns.

    Example:
        >>> outcome("short", "a line")
        NodeReturn(outcome='short', output='a line')
        >>> outcome("missing").output
        Nothing()
    """
    if output is None:
        from wf_authoring.nodes.nothing import Nothing

        return NodeReturn(name, Nothing())
    return NodeReturn(name, output)
