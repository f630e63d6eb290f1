"""What a function's return annotation says about the output of its node."""

import inspect
import types
import typing
from collections.abc import Awaitable, Coroutine, Mapping, Sequence
from typing import Any, Union, get_args, get_origin

from wf_authoring.contracts import OutputContract, UnionOutput, models, output_contract
from wf_authoring.nodes.annotations import Unresolved
from wf_authoring.nodes.results import NodeReturn
from wf_authoring.nodes.wording import RETURNS, WRAPS, checked


def awaited(returns: Any) -> tuple[Any, bool]:
    """Look into `Awaitable[X]` and `Coroutine[..., X]`."""
    origin, args = get_origin(returns), get_args(returns)
    if origin is Awaitable and len(args) == 1:
        return args[0], True
    if origin is Coroutine and len(args) == 3:  # noqa: PLR2004 - yields, takes, returns
        return args[2], True
    return returns, False


def infer_output(returns: Any, name: str, title: str, namespace: Mapping[str, Any]) -> OutputContract:
    """Infer the output from the return annotation.

    Raises:
        TypeError: It is missing, cannot be resolved, or is a union of plain types.
    """
    if returns is inspect.Signature.empty:
        raise TypeError(
            f"node function must declare a return annotation: {name!r} declares none\n"
            "hint: write `-> None` when it gives no output, else its type"
        )
    if isinstance(returns, Unresolved):
        raise TypeError(
            f"{RETURNS}: {name!r} returns {returns.text}, which cannot be resolved ({returns.reason})\n"
            "hint: define or import that name before the node (not under TYPE_CHECKING), or pass output_model=..."
        )
    wrapped = _node_returns(returns)
    if wrapped is not None:
        return one_or_union([_wrapped_output(item, name, title, namespace) for item in wrapped])
    if is_union(returns):
        raise TypeError(_union_message(returns, name))
    return checked(lambda: output_contract(returns, title, namespace), name, "its result")


def _node_returns(returns: Any) -> list[Any] | None:
    """Return what `NodeReturn` wraps, for one or for a union of them; `None` for any other type."""
    if returns is NodeReturn:
        return [None]
    if get_origin(returns) is NodeReturn:
        return [get_args(returns)[0]]
    if is_union(returns):
        members = [_node_returns(item) for item in get_args(returns)]
        if all(item is not None for item in members):
            return [wrapped for item in members if item is not None for wrapped in item]
    return None


def _wrapped_output(wrapped: Any, name: str, title: str, namespace: Mapping[str, Any]) -> OutputContract:
    if isinstance(wrapped, typing.TypeVar | Unresolved):
        raise TypeError(f"{WRAPS}: {name!r} wraps {wrapped}\nhint: write for example `NodeReturn[str]`")
    return checked(
        lambda: output_contract(wrapped, title, namespace),
        name,
        f"{WRAPS}: the result",
    )


def one_or_union(members: Sequence[OutputContract]) -> OutputContract:
    """Return the one contract there is, or a union of the different ones."""
    unique: list[OutputContract] = []
    for member in members:
        if all(other.identity != member.identity for other in unique):
            unique.append(member)
    return unique[0] if len(unique) == 1 else UnionOutput(unique)


def is_union(annotation: Any) -> bool:
    """Whether an annotation is a union, written either way."""
    return get_origin(annotation) in {Union, types.UnionType}


def _union_message(returns: Any, name: str) -> str:
    members = [item for item in get_args(returns) if item is not types.NoneType]
    names = [models.type_name(item) for item in members]
    optional = len(members) < len(get_args(returns))
    written = " | ".join([*names, *(["None"] if optional else [])])
    if optional and len(names) == 1:
        hint = (
            f"declare two outcomes, annotate `-> NodeReturn[{names[0]}] | NodeReturn[Nothing]`, and return "
            f'outcome("found", value) or outcome("missing"); or return a model with an optional field'
        )
    else:
        wrapped = " | ".join(f"NodeReturn[{item}]" for item in [*names, *(["Nothing"] if optional else [])])
        hint = f"declare one outcome per case and annotate `-> {wrapped}`; or return one model that has all the fields"
    return f"{RETURNS}: {name!r} returns {written}\nhint: {hint}"
