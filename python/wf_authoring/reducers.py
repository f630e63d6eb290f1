"""`@reducer`: turns a function into a merge rule for state fields."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, overload

from wf_authoring.contracts import input_contract
from wf_core import ReducerDefinition, ReducerSpec, SiblingWritePolicy

PlainReducer = Callable[[Any, Any], Any]
ConfigReducer = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class AuthoredReducer:
    """A merge rule made of a function.

    Attributes:
        definition: What the engine runs.
    """

    definition: ReducerDefinition

    @property
    def name(self) -> str:
        """The reducer's name."""
        return self.definition.spec.name


@dataclass(frozen=True)
class ReducerCatalog:
    """Merge rules by name, as a builder takes them.

    Example:
        >>> @reducer(name="demo.longest")
        ... def longest(current, incoming):
        ...     return max(current or "", incoming, key=len)
        >>> list(ReducerCatalog.from_reducers(longest).specs)
        ['demo.longest']
    """

    definitions: Mapping[str, ReducerDefinition]

    @classmethod
    def from_reducers(cls, *authored: AuthoredReducer) -> "ReducerCatalog":
        """Return the catalog of some reducers; of two with one name the last counts."""
        return cls({item.definition.spec.name: item.definition for item in authored})

    @property
    def specs(self) -> dict[str, ReducerSpec]:
        """The contracts by name."""
        return {name: definition.spec for name, definition in self.definitions.items()}


@overload
def reducer(
    fn: PlainReducer,
    /,
    *,
    name: str | None = ...,
    config_model: None = ...,
    description: str | None = ...,
    sibling_write_policy: SiblingWritePolicy = ...,
) -> AuthoredReducer: ...


@overload
def reducer(
    fn: ConfigReducer,
    /,
    *,
    name: str | None = ...,
    config_model: Any,
    description: str | None = ...,
    sibling_write_policy: SiblingWritePolicy = ...,
) -> AuthoredReducer: ...


@overload
def reducer(
    fn: None = None,
    /,
    *,
    name: str | None = ...,
    config_model: Any = ...,
    description: str | None = ...,
    sibling_write_policy: SiblingWritePolicy = ...,
) -> Callable[[Callable[..., Any]], AuthoredReducer]: ...


def reducer(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    config_model: Any = None,
    description: str | None = None,
    sibling_write_policy: SiblingWritePolicy = SiblingWritePolicy.MERGEABLE,
) -> Any:
    """Make a merge rule of a function.

    Args:
        fn: `(current, incoming)`, or `(current, incoming, config)` with a `config_model`; `current` is `None`
            where the field has no value yet.
        name: Its name, with a source, such as `demo.longest`. Default: the function's.
        config_model: The class of its configuration: a model, a dataclass or a TypedDict.
        description: What it does. Default: the function's docstring.
        sibling_write_policy: Whether several items of a foreach, or branches of a fork, may write the field.

    Returns:
        The reducer, or a decorator when no function is given.

    Raises:
        TypeError: The function cannot be called that way.

    Example:
        >>> @reducer(name="demo.longest")
        ... def longest(current, incoming):
        ...     return max(current or "", incoming, key=len)
        >>> longest.definition.fn("ab", "abc")
        'abc'
    """
    if fn is None:
        return lambda function: _make(function, name, config_model, description, sibling_write_policy)
    return _make(fn, name, config_model, description, sibling_write_policy)


def _make(
    fn: Callable[..., Any],
    name: str | None,
    config_model: Any,
    description: str | None,
    policy: SiblingWritePolicy,
) -> AuthoredReducer:
    anonymous = "<anonymous plain reducer>" if config_model is None else "<anonymous config reducer>"
    shown = name or getattr(fn, "__name__", None) or anonymous
    arguments = ("current", "incoming") if config_model is None else ("current", "incoming", "config")
    _check_signature(fn, shown, arguments)
    words = description if description is not None else fn.__doc__
    fields: dict[str, Any] = {
        "name": shown,
        "description": (words or "").strip() or None,
        "sibling_write_policy": policy,
    }
    if config_model is None:
        return AuthoredReducer(ReducerDefinition(spec=ReducerSpec(**fields), fn=fn))
    contract = input_contract(config_model)
    decode = contract.decode

    def merge(current: Any, incoming: Any, config: Mapping[str, Any]) -> Any:
        return fn(current, incoming, decode(config))

    spec = ReducerSpec(config_schema=contract.schema, **fields)
    return AuthoredReducer(ReducerDefinition(spec=spec, fn=merge, accepts_config=True))


def _check_signature(fn: Callable[..., Any], shown: str, arguments: Iterable[str]) -> None:
    expected = tuple(arguments)
    try:
        inspect.signature(fn).bind(*expected)
    except TypeError as error:
        raise TypeError(
            f"reducer function must accept ({', '.join(expected)}): {shown!r} does not: {error}\n"
            "hint: a config_model adds a third parameter, and only then"
        ) from error
    except ValueError:  # a builtin such as `max` has no readable signature
        return


def reducer_mapping(
    reducers: "ReducerCatalog | Mapping[str, ReducerDefinition | AuthoredReducer] | Iterable[AuthoredReducer] | None",
) -> dict[str, ReducerDefinition]:
    """Return merge rules by name from any way to give them."""
    if reducers is None:
        return {}
    if isinstance(reducers, ReducerCatalog):
        return dict(reducers.definitions)
    if isinstance(reducers, Mapping):
        return {name: item.definition if isinstance(item, AuthoredReducer) else item for name, item in reducers.items()}
    return {item.definition.spec.name: item.definition for item in reducers}
