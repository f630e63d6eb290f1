"""Words that the refusals of `@node` share."""

import typing
from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import Any

from wf_authoring.contracts import models
from wf_authoring.nodes.annotations import Unresolved, underlying

STRUCTURED = "a pydantic BaseModel subclass, a dataclass, a TypedDict, or parameters of plain JSON types"
RETURNS = (
    "node return annotation must be a BaseModel subclass or NodeReturn[BaseModel], a dataclass, a TypedDict or "
    "a plain JSON type"
)
WRAPS = "NodeReturn return annotation must wrap a BaseModel subclass or another type with a JSON form"


def display_name(fn: Callable[..., Any]) -> str:
    """Return the name of a callable for error messages."""
    base = underlying(fn)
    return str(getattr(base, "__qualname__", None) or getattr(fn, "__name__", None) or repr(fn)).replace(
        "<locals>.", ""
    )


def generated_title(fn: Callable[..., Any]) -> str:
    """Return the title that generated models of a function begin with."""
    name = getattr(fn, "__name__", None) or getattr(underlying(fn), "__name__", None) or "node"
    return "".join(part[:1].upper() + part[1:] for part in str(name).strip("<>").split("_") if part) or "Node"


T = typing.TypeVar("T")


def checked(make: Callable[[], T], name: str, what: str) -> T:
    """Run a step of the inference; a refused type is reported with the function and the place."""
    try:
        return make()
    except (TypeError, NameError) as error:
        raise TypeError(
            f"{what} of node function {name!r}: {error}\n"
            "hint: use a pydantic model, a dataclass, a TypedDict or a type with a JSON form"
        ) from error


def written(annotation: Any) -> str:
    """Say how a parameter is annotated."""
    if annotation is Parameter.empty:
        return "has no annotation"
    if isinstance(annotation, Unresolved):
        return f"is annotated with {annotation.text}"
    return f"is annotated with {models.type_name(annotation)}"


def listed(names: Sequence[str]) -> str:
    """List names in quotes."""
    return ", ".join(repr(name) for name in names)
