"""The standard nodes: small, pure, and run by the engine itself.

Their handlers need no Python, so a step of one costs no more than the engine's own steps.

Example:
    >>> from wf_authoring import ops
    >>> ops.length.outcomes
    ('ok',)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wf_authoring.nodes.spec import NodeSpec
    from wf_authoring.ops.models import (
        BoolOutput,
        CoalesceInput,
        ConcatInput,
        ConstantInput,
        CountOutput,
        ExtractFieldInput,
        FilterItemsInput,
        FilterItemsPresentInput,
        ItemOutput,
        MappingItemsOutput,
        MappingOutput,
        MaybeItemOutput,
        NonEmptySequenceInput,
        PickKeyInput,
        PickPathInput,
        ProjectFieldsInput,
        RenameFieldsInput,
        RuntimeErrorInput,
        SequenceInput,
        TextOutput,
        TruthyInput,
        ValueOutput,
        ValuesOutput,
    )

    coalesce: NodeSpec[CoalesceInput, ValueOutput]
    default_if_none: NodeSpec[CoalesceInput, ValueOutput]
    constant: NodeSpec[ConstantInput, ValueOutput]
    pick_key: NodeSpec[PickKeyInput, ValueOutput]
    pick_path: NodeSpec[PickPathInput, ValueOutput]
    project_fields: NodeSpec[ProjectFieldsInput, MappingOutput]
    rename_fields: NodeSpec[RenameFieldsInput, MappingOutput]
    truthy: NodeSpec[TruthyInput, BoolOutput]
    runtime_error: NodeSpec[RuntimeErrorInput, Any]
    first_item: NodeSpec[NonEmptySequenceInput, ItemOutput]
    first_item_or_none: NodeSpec[SequenceInput, ItemOutput]
    first_item_maybe: NodeSpec[SequenceInput, MaybeItemOutput]
    last_item: NodeSpec[NonEmptySequenceInput, ItemOutput]
    last_item_or_none: NodeSpec[SequenceInput, ItemOutput]
    length: NodeSpec[SequenceInput, CountOutput]
    is_empty: NodeSpec[SequenceInput, BoolOutput]
    filter_items: NodeSpec[FilterItemsInput, MappingItemsOutput]
    filter_items_present: NodeSpec[FilterItemsPresentInput, MappingItemsOutput]
    extract_field: NodeSpec[ExtractFieldInput, ValuesOutput]
    concat: NodeSpec[ConcatInput, TextOutput]
    AUTHORING_STD_SPECS: tuple[NodeSpec[Any, Any], ...]

OP_NAMES: tuple[str, ...] = (
    "coalesce",
    "default_if_none",
    "constant",
    "pick_key",
    "pick_path",
    "project_fields",
    "rename_fields",
    "truthy",
    "runtime_error",
    "first_item",
    "first_item_or_none",
    "first_item_maybe",
    "last_item",
    "last_item_or_none",
    "length",
    "is_empty",
    "filter_items",
    "filter_items_present",
    "extract_field",
    "concat",
)
"""The short names, in the order in which the library publishes them."""

MODEL_NAMES: tuple[str, ...] = (
    "BoolOutput",
    "CoalesceInput",
    "ConcatInput",
    "ConstantInput",
    "CountOutput",
    "ExtractFieldInput",
    "FilterItemsInput",
    "FilterItemsPresentInput",
    "ItemOutput",
    "MappingItemsOutput",
    "MappingOutput",
    "MaybeItemOutput",
    "PickKeyInput",
    "PickPathInput",
    "ProjectFieldsInput",
    "RenameFieldsInput",
    "RuntimeErrorInput",
    "SequenceInput",
    "TextOutput",
    "TruthyInput",
    "ValueOutput",
    "ValuesOutput",
)
"""The classes of their payloads and outputs."""

__all__ = [
    "AUTHORING_STD_SPECS",
    "BoolOutput",
    "CoalesceInput",
    "ConcatInput",
    "ConstantInput",
    "CountOutput",
    "ExtractFieldInput",
    "FilterItemsInput",
    "FilterItemsPresentInput",
    "ItemOutput",
    "MappingItemsOutput",
    "MappingOutput",
    "MaybeItemOutput",
    "PickKeyInput",
    "PickPathInput",
    "ProjectFieldsInput",
    "RenameFieldsInput",
    "RuntimeErrorInput",
    "SequenceInput",
    "TextOutput",
    "TruthyInput",
    "ValueOutput",
    "ValuesOutput",
    "coalesce",
    "concat",
    "constant",
    "default_if_none",
    "extract_field",
    "filter_items",
    "filter_items_present",
    "first_item",
    "first_item_maybe",
    "first_item_or_none",
    "is_empty",
    "last_item",
    "last_item_or_none",
    "length",
    "pick_key",
    "pick_path",
    "project_fields",
    "rename_fields",
    "runtime_error",
    "truthy",
]


def __getattr__(name: str) -> Any:
    """Make a node, or import the models, when they are asked for."""
    if name in OP_NAMES:
        from wf_authoring.ops.native import op

        return op(name)
    if name == "AUTHORING_STD_SPECS":
        from wf_authoring.ops.native import op

        return tuple(op(item) for item in OP_NAMES)
    if name in MODEL_NAMES or name == "NonEmptySequenceInput":
        from wf_authoring.ops import models

        return getattr(models, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
