"""Bindings of a step: from what an author passed to the documents, and by name when nothing was passed."""

from collections.abc import Iterable, Mapping
from typing import Any

from wf_authoring.builder.deprecation import warn_deprecated
from wf_authoring.dsl.bindings import expression_of, input_from, input_value, output_to
from wf_authoring.dsl.path_inputs import coerce_graph_path, coerce_local_path, coerce_state_path
from wf_core import SchemaRef, StateSchema
from wf_core.models.steps import (
    InputExpressionBinding,
    InputPathBinding,
    InputValueBinding,
    OutputBinding,
)
from wf_core.paths import GraphSourcePath, LocalPath, StatePath

InputBindingLike = InputPathBinding | InputValueBinding | InputExpressionBinding | Mapping[str, Any]
OutputBindingLike = OutputBinding | Mapping[str, Any]
StepInput = InputPathBinding | InputValueBinding | InputExpressionBinding


def step_input(
    bindings: Iterable[InputBindingLike] | None,
    in_map: Mapping[Any, Any] | None = None,
    input_values: Mapping[Any, Any] | None = None,
) -> list[StepInput] | None:
    """Return the input bindings of a step, or `None` when nothing was passed.

    Raises:
        TypeError: Both styles are mixed, or a binding is none.
    """
    legacy = in_map is not None or input_values is not None
    if bindings is not None and legacy:
        raise TypeError("cannot mix canonical input with deprecated in_map/input_values")
    if bindings is not None:
        return [input_binding(item) for item in bindings]
    if not legacy:
        return None
    warn_deprecated("in_map and input_values are deprecated; use canonical input/output binding lists")
    values: list[StepInput] = [
        input_value(_key(target, "input_values"), value) for target, value in _items(input_values)
    ]
    return values + [input_from(_key(source, "in_map"), target) for source, target in _items(in_map)]


def step_output(
    bindings: Iterable[OutputBindingLike] | None,
    out_map: Mapping[Any, Any] | None = None,
) -> list[OutputBinding] | None:
    """Return the output bindings of a step, or `None` when nothing was passed.

    Raises:
        TypeError: Both styles are mixed, or a binding is none.
    """
    if bindings is not None and out_map is not None:
        raise TypeError("cannot mix canonical output with deprecated out_map")
    if bindings is not None:
        return [output_binding(item) for item in bindings]
    if out_map is None:
        return None
    warn_deprecated("out_map is deprecated; use canonical input/output binding lists")
    return [output_to(_key(source, "out_map"), target) for source, target in _items(out_map)]


def input_binding(item: Any) -> StepInput:
    """Return one input binding from a binding or a mapping.

    Raises:
        TypeError: It is neither, or the mapping does not say where the value comes from.
    """
    if isinstance(item, InputPathBinding | InputValueBinding | InputExpressionBinding):
        return item
    if not isinstance(item, Mapping):
        raise TypeError(
            f"unsupported input binding {item!r}\nhint: use input_from(path, target) or input_value(target, value)"
        )
    given = [key for key in ("expression", "path", "value") if key in item]
    if not given:
        raise TypeError(f"input binding must contain either 'path' or 'value': {dict(item)!r}")
    if len(given) > 1:
        raise TypeError(
            f"input binding must contain either 'path' or 'value', not {' and '.join(given)}: {dict(item)!r}"
        )
    target = coerce_local_path(_required(item, "target", "input"))
    if given == ["expression"]:
        expression = item["expression"]
        if isinstance(expression, Mapping) and "kind" in expression:
            return InputExpressionBinding.model_validate({"target": str(target), "expression": dict(expression)})
        return InputExpressionBinding(target=target, expression=expression_of(expression))
    if given == ["path"]:
        return InputPathBinding(target=target, path=coerce_graph_path(item["path"]))
    return InputValueBinding(target=target, value=item["value"])


def output_binding(item: Any) -> OutputBinding:
    """Return one output binding from a binding or a mapping.

    Raises:
        TypeError: It is neither.
    """
    if isinstance(item, OutputBinding):
        return item
    if not isinstance(item, Mapping):
        raise TypeError(f"unsupported output binding {item!r}\nhint: use output_to(source, target)")
    return output_to(_required(item, "source", "output"), _required(item, "target", "output"))


def workflow_output(bindings: Iterable[InputBindingLike]) -> list[InputPathBinding | InputValueBinding]:
    """Return the bindings that fill the workflow's own output.

    Raises:
        TypeError: One of them is an expression, which an output cannot have, or none at all.
    """
    found: list[InputPathBinding | InputValueBinding] = []
    for item in bindings:
        binding = input_binding(item)
        if isinstance(binding, InputExpressionBinding):
            raise TypeError(
                "unsupported workflow output binding: an output takes paths and values, no expressions\n"
                "hint: build the value in a step, write it into the state, and bind that"
            )
        found.append(binding)
    return found


def normalize_input_mapping(mapping: Any, *, field: str = "in_map") -> dict[str, str]:
    """Return a deprecated input map in canonical text: graph path to field of the payload.

    Raises:
        TypeError: A structural path mapping stands as a key.

    Example:
        >>> normalize_input_mapping({"state.a": "b"})
        {'state.a': 'b'}
    """
    return {
        str(coerce_graph_path(_key(source, field))): str(coerce_local_path(target))
        for source, target in _items(mapping)
    }


def normalize_output_mapping(mapping: Any, *, field: str = "out_map") -> dict[str, str]:
    """Return a deprecated output map in canonical text: field of the output to state path.

    Example:
        >>> normalize_output_mapping({"a": "b"})
        {'a': 'state.b'}
    """
    return {
        str(coerce_local_path(_key(source, field))): str(coerce_state_path(target, allow_legacy_root=True))
        for source, target in _items(mapping)
    }


def auto_input(schema: Mapping[str, Any], state_schema: StateSchema, input_schema: SchemaRef) -> list[StepInput]:
    """Bind each field of a payload to what has its name: a state field first, then a field of the input.

    A field that nothing is called like and that may be left out is left out; a required one points into the
    state, where validation will report it.
    """
    state_fields, input_fields = state_schema.root_fields(), input_schema.properties
    required = set(schema.get("required", ()))
    bindings: list[StepInput] = []
    for name in schema.get("properties", {}):
        root = "state" if name in state_fields else "input" if name in input_fields else None
        if root is None and name not in required:
            continue
        path = GraphSourcePath("state" if root is None else root, (name,))
        bindings.append(InputPathBinding(target=LocalPath((name,)), path=path))
    return bindings


def auto_output(schema: Mapping[str, Any], state_schema: StateSchema) -> list[OutputBinding]:
    """Bind each field of an output to the state field of its name, where there is one."""
    state_fields = state_schema.root_fields()
    return [
        OutputBinding(source=LocalPath((name,)), target=StatePath((name,)))
        for name in schema.get("properties", {})
        if name in state_fields
    ]


def _required(item: Mapping[str, Any], key: str, side: str) -> Any:
    if key not in item:
        raise TypeError(f"{side} binding must contain {key!r}: {dict(item)!r}")
    return item[key]


def _items(mapping: Any) -> Iterable[tuple[Any, Any]]:
    if mapping is None:
        return ()
    return mapping.items() if isinstance(mapping, Mapping) else mapping


def _key(key: Any, field: str) -> Any:
    if isinstance(key, Mapping):
        raise TypeError(
            f"structural path dicts cannot be map keys in {field}; use the canonical input/output binding lists"
        )
    return key
