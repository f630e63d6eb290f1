"""Bindings: what fills a node's payload, and where its output goes."""

from collections.abc import Mapping
from typing import Any

from wf_authoring.dsl.path_inputs import PathInput, coerce_graph_path, coerce_local_path, coerce_state_path
from wf_core.models.input_bindings import (
    ArrayExpression,
    InputExpression,
    InputExpressionBinding,
    LiteralExpression,
    ObjectExpression,
    PathExpression,
)
from wf_core.models.steps import InputPathBinding, InputValueBinding, OutputBinding
from wf_core.paths import GraphSourcePath


def input_from(path: PathInput, target: PathInput) -> InputPathBinding:
    """Fill a field of the payload from the graph.

    Args:
        path: Where the value comes from: a full path such as `input.text`, or a path object.
        target: The field of the payload; `"."` is the whole payload.

    Example:
        >>> input_from("input.text", "text").model_dump(mode="json")
        {'target': 'text', 'path': 'input.text'}
    """
    return InputPathBinding(target=coerce_local_path(target), path=coerce_graph_path(path))


def input_value(target: PathInput, value: Any) -> InputValueBinding:
    """Fill a field of the payload with a fixed JSON value.

    Raises:
        ValueError: The value is no JSON.

    Example:
        >>> input_value("limit", 3).model_dump(mode="json")
        {'target': 'limit', 'value': 3}
    """
    return InputValueBinding(target=coerce_local_path(target), value=value)


def input_expression(target: PathInput, shape: Any) -> InputExpressionBinding:
    """Fill a field of the payload with a value built of paths and literals.

    Args:
        target: The field of the payload.
        shape: Lists and string-keyed mappings, whose leaves are paths or JSON values.

    Example:
        >>> from wf_authoring import state
        >>> binding = input_expression("words", [state("first"), "and", state("second")])
        >>> binding.expression.items[0].path == state("first").source
        True
    """
    return InputExpressionBinding(target=coerce_local_path(target), expression=expression_of(shape))


def expression_of(shape: Any) -> InputExpression:
    """Return the expression that builds a value of this shape; parts without paths stay literals.

    Raises:
        ValueError: A leaf is no JSON.
    """
    source = getattr(shape, "__wf_path__", None)
    if isinstance(source, GraphSourcePath):
        return PathExpression(kind="path", path=source)
    if isinstance(shape, GraphSourcePath):
        return PathExpression(kind="path", path=shape)
    if isinstance(shape, list | tuple) and (isinstance(shape, tuple) or _has_path(shape)):
        return ArrayExpression(kind="array", items=[expression_of(item) for item in shape])
    if isinstance(shape, Mapping) and _has_path(shape):
        return ObjectExpression(kind="object", fields={key: expression_of(item) for key, item in shape.items()})
    return LiteralExpression(kind="literal", value=shape)


def _has_path(shape: Any) -> bool:
    if isinstance(shape, GraphSourcePath) or isinstance(getattr(shape, "__wf_path__", None), GraphSourcePath):
        return True
    if isinstance(shape, Mapping):
        return any(_has_path(item) for item in shape.values())
    return isinstance(shape, list | tuple) and any(_has_path(item) for item in shape)


def output_to(source: PathInput, target: PathInput) -> OutputBinding:
    """Write a field of the output into the state.

    Args:
        source: The field of the output; `"."` is the whole output.
        target: The state field, with or without the leading `state.`.

    Raises:
        ValueError: The target does not lead into the state.

    Example:
        >>> output_to("count", "state.total").model_dump(mode="json")
        {'source': 'count', 'target': 'state.total'}
    """
    return OutputBinding(source=coerce_local_path(source), target=coerce_state_path(target, allow_legacy_root=True))


def bind_fields(**fields: PathInput) -> dict[str, str]:
    """Return the deprecated input map from fields of a payload to where they come from.

    Example:
        >>> bind_fields(text="input.text")
        {'input.text': 'text'}
    """
    return {str(coerce_graph_path(source)): target for target, source in fields.items()}


def bind_state(**fields: PathInput) -> dict[str, str]:
    """Return the deprecated output map from fields of an output to state fields.

    Example:
        >>> bind_state(count="total")
        {'count': 'state.total'}
    """
    return {source: str(coerce_state_path(target, allow_legacy_root=True)) for source, target in fields.items()}


def merge_maps(*maps: Mapping[str, Any]) -> dict[str, Any]:
    """Merge maps from left to right; of two with one key the last counts.

    Example:
        >>> merge_maps({"a": 1}, {"a": 2, "b": 3})
        {'a': 2, 'b': 3}
    """
    merged: dict[str, Any] = {}
    for item in maps:
        merged.update(item)
    return merged
