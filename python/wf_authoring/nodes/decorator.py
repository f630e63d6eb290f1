"""`@node`: turns a function into a `NodeSpec`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar, overload

from wf_authoring.nodes.annotations import underlying
from wf_authoring.nodes.calling import Binding
from wf_authoring.nodes.function import NodeFunction
from wf_authoring.nodes.inference import infer
from wf_authoring.nodes.spec import NodeSpec
from wf_authoring.nodes.wording import display_name

P = ParamSpec("P")
R = TypeVar("R")
Spec = TypeVar("Spec", bound=NodeSpec[Any, Any])

Outcomes = Sequence[str] | Mapping[str, Any]
Retry = int | Mapping[str, Any]


class _Unset(tuple[str, ...]):
    """The default outcomes; an object of its own, so that an alias can tell them from outcomes that were given."""

    __slots__ = ()


_DEFAULT_OUTCOMES: tuple[str, ...] = _Unset(("ok",))


class _Decorator:
    """What `@node(...)` with options is: it makes nodes of functions and aliases of nodes."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options

    @overload
    def __call__(self, fn: Spec) -> Spec: ...  # type: ignore[overload-overlap] # a node is callable as well

    @overload
    def __call__(self, fn: Callable[P, R]) -> NodeFunction[P, R]: ...

    def __call__(self, fn: Any) -> Any:
        return _make(fn, **self._options)


@overload
def node(  # type: ignore[overload-overlap] # a node is callable as well
    fn: Spec,
    /,
    *,
    name: str | None = ...,
    input_model: Any = ...,
    output_model: Any = ...,
    outcomes: Outcomes = ...,
    description: str | None = ...,
    is_async: bool | None = ...,
    retry: Retry | None = ...,
    timeout_seconds: float | None = ...,
    blocking: bool | None = ...,
) -> Spec: ...


@overload
def node(
    fn: Callable[P, R],
    /,
    *,
    name: str | None = ...,
    input_model: Any = ...,
    output_model: Any = ...,
    outcomes: Outcomes = ...,
    description: str | None = ...,
    is_async: bool | None = ...,
    retry: Retry | None = ...,
    timeout_seconds: float | None = ...,
    blocking: bool | None = ...,
) -> NodeFunction[P, R]: ...


@overload
def node(
    fn: None = None,
    /,
    *,
    name: str | None = ...,
    input_model: Any = ...,
    output_model: Any = ...,
    outcomes: Outcomes = ...,
    description: str | None = ...,
    is_async: bool | None = ...,
    retry: Retry | None = ...,
    timeout_seconds: float | None = ...,
    blocking: bool | None = ...,
) -> _Decorator: ...


def node(
    fn: Any = None,
    /,
    *,
    name: str | None = None,
    input_model: Any = None,
    output_model: Any = None,
    outcomes: Outcomes = _DEFAULT_OUTCOMES,
    description: str | None = None,
    is_async: bool | None = None,
    retry: Retry | None = None,
    timeout_seconds: float | None = None,
    blocking: bool | None = None,
) -> Any:
    """Make a node of a function, or an alias of a node.

    The payload is the function's one parameter when that is a pydantic model, a dataclass or a TypedDict; else each
    parameter is a field of it. A parameter annotated with `RuntimeContext` takes the context. The output is the
    returned model, dataclass or TypedDict; any other value becomes the field `result`; `NodeReturn` chooses an
    outcome as well.

    Args:
        fn: The function, or an existing node to make an alias of.
        name: The node's name; may contain dots. Default: the function's.
        input_model: The payload's class; wins over the annotations.
        output_model: The output's class; wins over the annotations.
        outcomes: What the node may answer; the first is the default. A mapping gives each outcome its output type.
        description: What it does. Default: the function's docstring.
        is_async: Whether the result must be awaited. Default: as the function is declared.
        retry: How often, or by which policy, a failed call is tried again.
        timeout_seconds: How long a call may take.
        blocking: Whether async runs call a sync function in a thread, so that others go on.

    Returns:
        The node, which is still called as the function was; or a decorator when no function is given.

    Raises:
        TypeError: The signature or an option does not make a node; the message says what to write instead.

    Example:
        >>> from wf_authoring import NodeReturn, node, outcome
        >>> @node(outcomes=("short", "long"))
        ... def size(text: str, limit: int = 80) -> NodeReturn[int]:
        ...     return outcome("short" if len(text) < limit else "long", len(text))
        >>> size("abc").outcome
        'short'
        >>> node(size, name="text.size").name
        'text.size'
    """
    options = {
        "name": name,
        "input_model": input_model,
        "output_model": output_model,
        "outcomes": outcomes,
        "description": description,
        "is_async": is_async,
        "retry": retry,
        "timeout_seconds": timeout_seconds,
        "blocking": blocking,
    }
    if fn is None:
        return _Decorator(options)
    return _make(fn, **options)


def _make(fn: Any, **options: Any) -> NodeSpec[Any, Any]:
    if isinstance(fn, NodeSpec):
        return _alias(fn, **options)
    binds: Binding = ""
    if isinstance(fn, classmethod):
        fn, binds = fn.__func__, "class"
    elif isinstance(fn, staticmethod):
        fn = fn.__func__
    if isinstance(fn, type):
        raise TypeError(
            f"node() takes a function or a NodeSpec, not the class {fn.__name__}\n"
            f"hint: decorate a function that returns {fn.__name__}, or an instance with a __call__ method"
        )
    if not callable(fn):
        raise TypeError(f"node() takes a function or a NodeSpec, not {type(fn).__name__}: {fn!r}")
    return _from_function(fn, binds, **options)


def _from_function(
    fn: Callable[..., Any],
    binds: Binding,
    *,
    name: str | None,
    input_model: Any,
    output_model: Any,
    outcomes: Outcomes,
    description: str | None,
    is_async: bool | None,
    retry: Retry | None,
    timeout_seconds: float | None,
    blocking: bool | None,
) -> NodeFunction[Any, Any]:
    shown = display_name(fn)
    outcome_models = dict(outcomes) if isinstance(outcomes, Mapping) else None
    names = _outcome_names(outcomes, shown)
    inferred = infer(fn, input_model=input_model, output_model=output_model, outcome_models=outcome_models, binds=binds)
    awaits = inferred.is_async if is_async is None else is_async
    if blocking and awaits:
        raise TypeError(
            f"node function {shown!r} is async and blocking at once\n"
            "hint: make it a plain `def`, or await what blocks with asyncio.to_thread"
        )
    return NodeFunction(
        name=name or getattr(fn, "__name__", None) or "node",
        input_model=inferred.input,
        output_model=inferred.output,
        outcomes=names,
        fn=fn,
        description=description if description is not None else _description(fn),
        is_async=awaits,
        accepts_context=inferred.shape.accepts_context,
        retry=_retry(retry, shown),
        timeout_seconds=_timeout(timeout_seconds, shown),
        blocking=bool(blocking),
        call=inferred.shape,
        outcome_models=outcome_models,
    )


def _alias(
    spec: NodeSpec[Any, Any],
    *,
    name: str | None,
    input_model: Any,
    output_model: Any,
    outcomes: Outcomes,
    description: str | None,
    is_async: bool | None,
    retry: Retry | None,
    timeout_seconds: float | None,
    blocking: bool | None,
) -> NodeSpec[Any, Any]:
    changes: dict[str, Any] = {
        key: value
        for key, value in (
            ("name", name),
            ("input_model", input_model),
            ("output_model", output_model),
            ("description", description),
        )
        if value
    }
    if outcomes is not _DEFAULT_OUTCOMES:
        changes["outcomes"] = _outcome_names(outcomes, spec.name)
        if isinstance(outcomes, Mapping):
            changes["outcome_models"] = dict(outcomes)
    flags = {"is_async": is_async, "blocking": blocking}
    changes.update({key: value for key, value in flags.items() if value is not None})
    if retry is not None:
        changes["retry"] = _retry(retry, spec.name)
    if timeout_seconds is not None:
        changes["timeout_seconds"] = _timeout(timeout_seconds, spec.name)
    return spec.replace(**changes)


def _description(fn: Callable[..., Any]) -> str | None:
    """Return the docstring; a partial has that of its function, not that of `functools.partial`."""
    return underlying(fn).__doc__ if isinstance(fn, partial) else fn.__doc__


def _outcome_names(outcomes: Outcomes, shown: str) -> tuple[str, ...]:
    if isinstance(outcomes, str):
        raise TypeError(f"outcomes of node {shown!r} must be a sequence of names\nhint: write outcomes=({outcomes!r},)")
    names: tuple[Any, ...] = tuple(outcomes)
    for item in names:
        if not isinstance(item, str) or not item:
            raise TypeError(f"outcomes of node {shown!r} must be names, not {item!r}")
    if not names:
        raise TypeError(f"outcomes of node {shown!r} are empty\nhint: leave them out for the one outcome 'ok'")
    twice = next((item for item in names if names.count(item) > 1), None)
    if twice is not None:
        raise TypeError(f"outcomes of node {shown!r} name {twice!r} twice")
    return names


def _retry(retry: Any, shown: str) -> Retry | None:
    if retry is None or isinstance(retry, Mapping):
        return retry
    if isinstance(retry, bool) or not isinstance(retry, int) or retry < 0:
        raise TypeError(
            f"retry of node {shown!r} must be a number of retries or a policy, not {retry!r}\n"
            'hint: write for example retry=2 or retry={"retries": 2, "backoff_seconds": 0.5}'
        )
    return retry


def _timeout(timeout_seconds: Any, shown: str) -> float | None:
    if timeout_seconds is None:
        return None
    if isinstance(timeout_seconds, bool) or not isinstance(timeout_seconds, int | float) or not timeout_seconds > 0:
        raise TypeError(f"timeout_seconds of node {shown!r} must be a number above 0, not {timeout_seconds!r}")
    return timeout_seconds
