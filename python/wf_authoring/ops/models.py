"""The payloads and outputs of the standard nodes as pydantic models."""

from typing import Any

from pydantic import BaseModel, Field

from wf_authoring.nodes.nothing import Nothing

# The class names are the titles in the published schemas. A docstring would become the schema's description,
# and a model says nothing here that its fields do not.
# ruff: noqa: D101


class CoalesceInput(BaseModel):
    value: Any = None
    fallback: Any


class ValueOutput(BaseModel):
    value: Any


class ConstantInput(BaseModel):
    value: Any


class PickKeyInput(BaseModel):
    mapping: dict[str, Any]
    key: str


class PickPathInput(BaseModel):
    mapping: dict[str, Any]
    path: str


class ProjectFieldsInput(BaseModel):
    mapping: dict[str, Any]
    fields: list[str]


class MappingOutput(BaseModel):
    mapping: dict[str, Any]


class RenameFieldsInput(BaseModel):
    mapping: dict[str, Any]
    renames: dict[str, str]


class TruthyInput(BaseModel):
    value: Any


class BoolOutput(BaseModel):
    value: bool


class RuntimeErrorInput(BaseModel):
    message: str
    details: dict[str, Any] = Field(default_factory=dict)


class ConcatInput(BaseModel):
    items: list[str]
    separator: str = ""


class TextOutput(BaseModel):
    text: str


class SequenceInput(BaseModel):
    items: list[Any]


class NonEmptySequenceInput(BaseModel):
    items: list[Any] = Field(min_length=1)


class ItemOutput(BaseModel):
    item: Any


class MaybeItemOutput(BaseModel):
    item: Any = None


class CountOutput(BaseModel):
    count: int


class FilterItemsInput(BaseModel):
    items: list[dict[str, Any]]
    key: str
    value: Any


class FilterItemsPresentInput(BaseModel):
    items: list[dict[str, Any]]
    key: str


class MappingItemsOutput(BaseModel):
    items: list[dict[str, Any]]


class ExtractFieldInput(BaseModel):
    items: list[dict[str, Any]]
    field: str


class ValuesOutput(BaseModel):
    values: list[Any]


__all__ = [
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
    "NonEmptySequenceInput",
    "Nothing",
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
]
