"""Reducers: how writes to a state field merge with what is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from _wf._native.core import ReducerRef, ReducerSpec, builtin_reducer_specs, check_payload, merge_builtin
from wf_core.errors import WorkflowExecutionError

__all__ = [
    "DEFAULT_REDUCER_DEFINITIONS",
    "ReducerDefinition",
    "ReducerFunction",
    "ReducerSpec",
    "add_reducer",
    "append_reducer",
    "apply_reducer",
    "get_reducer_definition",
    "max_reducer",
    "merge_object_reducer",
    "reducer_allows_sibling_writes",
    "replace_reducer",
    "set_union_reducer",
]

ReducerFunction: TypeAlias = Callable[..., Any]
"""`(current, incoming) -> merged`, or `(current, incoming, config) -> merged`."""


@dataclass(frozen=True, slots=True)
class ReducerDefinition:
    """A reducer: its contract, and the pure function that merges.

    Attributes:
        spec: The contract.
        fn: `(current, incoming)`, and with `accepts_config` also the configuration.
        accepts_config: Whether the function takes the configuration.

    Example:
        >>> double = ReducerDefinition(
        ...     ReducerSpec(name="demo.sum"), lambda current, incoming: (current or 0) + incoming
        ... )
        >>> double.apply(
        ...     reducer=ReducerRef(name="demo.sum"), current_value=1, incoming_value=2, destination_path="state.n"
        ... )
        3
    """

    spec: ReducerSpec
    fn: ReducerFunction
    accepts_config: bool = False

    def apply(self, *, reducer: ReducerRef, current_value: Any, incoming_value: Any, destination_path: str) -> Any:
        """Return the merged value.

        Raises:
            WorkflowExecutionError: The configuration does not meet its schema, or the function cannot merge values of
                these types; the text says where.
        """
        check_payload(self.spec.config_schema, reducer.config, f"reducer config for {self.spec.name!r}")
        try:
            if self.accepts_config:
                return self.fn(current_value, incoming_value, reducer.config)
            return self.fn(current_value, incoming_value)
        except TypeError as error:
            message = f"{error} at {destination_path!r}"
            raise WorkflowExecutionError(message, code="reducer.types") from error


def _builtin(name: str, says: str) -> ReducerFunction:
    def reducer(current: Any, incoming: Any) -> Any:
        return merge_builtin(name, current, incoming)

    short = name.removeprefix("wf.std.")
    reducer.__name__ = reducer.__qualname__ = f"{short}_reducer"
    reducer.__doc__ = says
    reducer.__wf_builtin__ = name  # type: ignore[attr-defined]
    return reducer


replace_reducer = _builtin("wf.std.replace", "Return the incoming value.")
append_reducer = _builtin("wf.std.append", "Append the incoming value, or the items of an incoming list.")
merge_object_reducer = _builtin("wf.std.merge_object", "Merge the incoming object's keys over the current one's.")
add_reducer = _builtin("wf.std.add", "Add numbers, or join texts or lists.")
set_union_reducer = _builtin("wf.std.set_union", "Join two lists without repeating equal items.")
max_reducer = _builtin("wf.std.max", "Keep the larger value.")

_FUNCTIONS = {
    "wf.std.replace": replace_reducer,
    "wf.std.append": append_reducer,
    "wf.std.merge_object": merge_object_reducer,
    "wf.std.add": add_reducer,
    "wf.std.set_union": set_union_reducer,
    "wf.std.max": max_reducer,
}

DEFAULT_REDUCER_DEFINITIONS: Mapping[str, ReducerDefinition] = {
    spec.name: ReducerDefinition(spec, _FUNCTIONS[spec.name]) for spec in builtin_reducer_specs()
}
"""The built-in reducers by name; every run has them."""


def get_reducer_definition(
    ref: ReducerRef | str,
    reducers: Mapping[str, ReducerDefinition] | None = None,
) -> ReducerDefinition:
    """Return the reducer that a reference names: a given one, else a built-in one.

    Raises:
        WorkflowExecutionError: There is none of that name.
    """
    name = ref if isinstance(ref, str) else ref.name
    found = (reducers or {}).get(name) or DEFAULT_REDUCER_DEFINITIONS.get(name)
    if found is None:
        message = f"unknown reducer {name!r}"
        raise WorkflowExecutionError(message, code="reducer.unknown")
    return found


def reducer_allows_sibling_writes(
    ref: ReducerRef | str,
    reducers: Mapping[str, ReducerDefinition] | None = None,
) -> bool:
    """Return whether several items or branches may write one field that merges by this reducer."""
    return get_reducer_definition(ref, reducers).spec.sibling_write_policy == "mergeable"


def apply_reducer(
    *,
    reducer: ReducerRef,
    current_value: Any,
    incoming_value: Any,
    destination_path: str,
    reducers: Mapping[str, ReducerDefinition] | None = None,
) -> Any:
    """Return the merged value of a reducer that a reference names."""
    return get_reducer_definition(reducer, reducers).apply(
        reducer=reducer,
        current_value=current_value,
        incoming_value=incoming_value,
        destination_path=destination_path,
    )
