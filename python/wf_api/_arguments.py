"""The arguments of operations: one of the wrong type is refused by name before anything happens.

An operation's own annotations say what it takes, so that there is no second list. Values that are checked elsewhere,
such as documents, are annotated by other names and pass.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from wf_api.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Awaitable

P = ParamSpec("P")
R = TypeVar("R")

_GENERIC = re.compile(r"(?<=^Mapping)\[.*")
_INT64 = range(-(2**63), 2**63)

_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a str", lambda value: isinstance(value, str)),
    "int": ("an int", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "float": ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "bool": ("a bool", lambda value: isinstance(value, bool)),
    "None": ("None", lambda value: value is None),
    "Mapping": ("a mapping", lambda value: isinstance(value, Mapping)),
    "Sequence[str]": (
        "a sequence of str",
        lambda value: (
            isinstance(value, Sequence)
            and not isinstance(value, str | bytes)
            and all(isinstance(item, str) for item in value)
        ),
    ),
}


def operation(method: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Check the arguments of an operation against its annotations.

    Raises:
        ArgumentError: The call's argument has another type (a `TypeError` and a `ValueError`).
    """
    signature = inspect.signature(method)
    kinds = {name: _kinds(str(parameter.annotation)) for name, parameter in signature.parameters.items()}

    @wraps(method)
    async def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            _check(name, value, kinds[name])
        return await method(*args, **kwargs)

    return checked


def _kinds(annotation: str) -> list[str]:
    """Return the kinds that an annotation names; none when it names something that is checked elsewhere."""
    names = [_GENERIC.sub("", part) for part in annotation.split(" | ")]
    return names if all(name in _KINDS for name in names) else []


def _check(name: str, value: Any, kinds: list[str]) -> None:
    if not kinds:
        return
    if not any(_KINDS[kind][1](value) for kind in kinds):
        expected = " or ".join(_KINDS[kind][0] for kind in kinds)
        raise refusal(name, f"must be {expected}, got {type(value).__name__}")
    if isinstance(value, int):
        check_int64(name, value)
    if isinstance(value, str) and not _is_text(value):
        raise refusal(name, "must hold no lone surrogate")


def check_int64(name: str, value: int) -> None:
    """Refuse an integer that the engine room cannot count with."""
    if value not in _INT64:
        raise refusal(name, "must fit into 64 bits")


def check_span(name: str, value: Any) -> None:
    """Refuse a time span that is none: it is a number of seconds above zero, or `None` for no limit."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refusal(name, f"must be a number of seconds or None, got {type(value).__name__}")
    if not 0 < value < math.inf:
        raise refusal(name, f"must be above zero and finite, got {value!r}; None means no limit")


def refusal(name: str, problem: str) -> ArgumentError:
    """Return the exception for an argument."""
    return ArgumentError(f"{name} {problem}", path=name)


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
