"""Output contracts: what a function may return, and the JSON object that becomes of it.

Results are dumped in JSON mode and by alias, and the schemas are the serialization-mode ones, so that a dumped
result always fits its own schema.
"""

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from wf_authoring.contracts import models
from wf_authoring.contracts.base import Contract
from wf_authoring.contracts.dumping import Dump, dumper, model_dumper
from wf_authoring.contracts.fields import OPTIONAL, REQUIRED, Field, FieldSet
from wf_authoring.contracts.inputs import fields_of
from wf_authoring.contracts.plain import NotPlainError, plain_type

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Encode = Callable[[Any], dict[str, Any]]


class UnsupportedOutputError(Exception):
    """What was returned is no value of the declared type."""


class OutputContract(Protocol):
    """How what a function returned becomes a JSON object."""

    @property
    def identity(self) -> Any:
        """What two equal contracts share; reading it makes no model."""

    @property
    def model(self) -> Any:
        """The class an author or a host sees as `NodeSpec.output_model`."""

    @property
    def accepts_anything(self) -> bool:
        """Whether a value of any type is dumped, so that a forgotten `await` must be looked for."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the output: serialization mode, by alias."""

    @property
    def encode(self) -> Encode:
        """Turn a value into the output; raises `UnsupportedOutputError` when it is none of this type."""


class NothingOutput(Contract):
    """The node gives no output: `None` or `Nothing()`."""

    identity: Any = None
    accepts_anything = False

    @property
    def model(self) -> Any:
        """The model without fields."""
        from wf_authoring.nodes.nothing import Nothing

        return Nothing

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of an empty object."""
        return {"title": "Nothing", "type": "object", "properties": {}}

    @property
    def encode(self) -> Encode:
        """Accept `None` and instances of `Nothing`."""
        return _encode_nothing


def _encode_nothing(value: Any) -> dict[str, Any]:
    if value is None or is_nothing(type(value)):
        return {}
    raise UnsupportedOutputError


def is_nothing(candidate: Any) -> bool:
    """Whether this is the class `Nothing`; answers without making it."""
    return getattr(candidate, "__wf_nothing__", False) is True


class ModelOutput(Contract):
    """The output is an instance of a pydantic model."""

    accepts_anything = False

    def __init__(self, model: Any) -> None:
        self.model = model
        self.identity = model

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The model's schema in serialization mode."""
        return models.json_schema(self.model, "serialization")

    @cached_property
    def dump(self) -> Dump | None:
        """How exactly this class is dumped, or `None` when it dumps in a way of its own."""
        model = models.complete_model(self.model)
        return dumper(model.__pydantic_core_schema__) if model.model_dump is _base_dump() else None

    @cached_property
    def encode(self) -> Encode:
        """Dump in JSON mode, by alias; what was assigned later is judged by the schema check that follows."""
        model = self.model
        if self.dump is None:

            def encode_by_method(value: Any) -> dict[str, Any]:
                if not isinstance(value, model):
                    raise UnsupportedOutputError
                return typing.cast("dict[str, Any]", value.model_dump(mode="json", by_alias=True))

            return encode_by_method

        dump = model_dumper()

        def encode(value: Any) -> dict[str, Any]:
            if not isinstance(value, model):
                raise UnsupportedOutputError
            return typing.cast("dict[str, Any]", dump(value))

        return encode


def _base_dump() -> Any:
    from pydantic import BaseModel

    return BaseModel.model_dump


class AdapterOutput(Contract):
    """The output is a value that only pydantic knows how to dump, such as a pydantic dataclass."""

    accepts_anything = False

    def __init__(self, model: Any) -> None:
        self.model = model
        self.identity = model
        self._adapter = models.adapter(model)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The type's schema in serialization mode."""
        return models.json_schema(self.model, "serialization")

    @cached_property
    def encode(self) -> Encode:
        """Dump in JSON mode, by alias."""
        dump = dumper(self._adapter.core_schema)
        kind = dict if models.is_typed_dict(self.model) else self.model

        def encode(value: Any) -> dict[str, Any]:
            if not isinstance(value, kind):
                raise UnsupportedOutputError
            return typing.cast("dict[str, Any]", dump(value))

        return encode


class FieldsOutput(Contract):
    """The output is a dataclass or a TypedDict, dumped field by field."""

    accepts_anything = False

    def __init__(self, model: Any, fields: FieldSet) -> None:
        self.model = model
        self.identity = model
        self._fields = fields
        self._is_mapping = models.is_typed_dict(model)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The schema of the fields; what a dataclass always has is required."""
        schema = (
            self._fields.schema if self._fields.is_plain else models.json_schema(self._fields.model, "serialization")
        )
        schema = dict(schema)
        required = [field.name for field in self._fields.fields if field.default is REQUIRED or not self._is_mapping]
        schema.pop("required", None)
        if required:
            schema["required"] = required
        return schema

    @cached_property
    def encode(self) -> Encode:
        """Dump each field in JSON mode."""
        names = [field.name for field in self._fields.fields]
        dumps = (
            None
            if self._fields.is_plain
            else [(field.name, _dumper(field.annotation)) for field in self._fields.fields]
        )
        if self._is_mapping:
            return _mapping_encoder(dumps)
        model = self.model

        def encode(value: Any) -> dict[str, Any]:
            if not isinstance(value, model):
                raise UnsupportedOutputError
            if dumps is None:
                return {name: getattr(value, name) for name in names}
            return {name: dump(getattr(value, name)) for name, dump in dumps}

        return encode


def _mapping_encoder(dumps: Sequence[tuple[str, Callable[[Any], Any]]] | None) -> Encode:
    def encode(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise UnsupportedOutputError
        if dumps is None:
            return dict(value)
        output = dict(value)
        for name, dump in dumps:
            if name in output:
                output[name] = dump(output[name])
        return output

    return encode


def _dumper(annotation: Any) -> Callable[[Any], Any]:
    """Return how a value of this type becomes JSON; plain types are passed on for the engine to check."""
    if plain_type(annotation) is not None:
        return _as_it_is
    return dumper(models.adapter(annotation).core_schema)


def _as_it_is(value: Any) -> Any:
    return value


class ResultOutput(Contract):
    """The output is any other JSON value; it stands in the field `result`."""

    def __init__(self, title: str, annotation: Any, *, module: str = __name__) -> None:
        self.annotation = annotation
        self.identity = ("result", annotation)
        self._plain = plain_type(annotation)
        # What is inside a list or a dict is for the engine to check, which looks at every value anyway.
        self.exact = None if self._plain is None else self._plain.exact or self._plain.outer
        self.accepts_anything = self._plain is None or self._plain.schema == {}
        self._fields = FieldSet(title, [Field("result", annotation)], module=module)
        if self._plain is None:
            self._adapter  # noqa: B018 - a type without a JSON form is refused when the node is made

    @cached_property
    def _adapter(self) -> "TypeAdapter[Any]":
        return models.adapter(self.annotation)

    @cached_property
    def model(self) -> Any:
        """The generated model with the field `result`."""
        made = self._fields.model
        made.__wf_result__ = self  # type: ignore[attr-defined]
        return made

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The schema of the object that holds the value."""
        if self._plain is not None:
            return self._fields.schema
        return models.json_schema(self.model, "serialization")

    @cached_property
    def encode(self) -> Encode:
        """Wrap the value; what its plain type does not take as it is goes through pydantic."""
        plain = self._plain
        convert = self._convert
        if plain is None:
            dump = dumper(self._adapter.core_schema)

            def encode_dumped(value: Any) -> dict[str, Any]:
                return {"result": dump(value)}

            return encode_dumped
        exact, take = self.exact, plain.take

        def encode(value: Any) -> dict[str, Any]:
            if type(value) is exact:
                return {"result": value}
            try:
                return {"result": take(value)}
            except NotPlainError:
                return {"result": convert(value)}

        return encode

    def _convert(self, value: Any) -> Any:
        from pydantic import ValidationError

        adapter = self._adapter
        try:
            return dumper(adapter.core_schema)(adapter.validate_python(value))
        except ValidationError as error:
            raise UnsupportedOutputError from error


class UnionOutput(Contract):
    """The output is one of several types, each behind outcomes of its own."""

    def __init__(self, members: Sequence[OutputContract]) -> None:
        self.members = tuple(sorted(members, key=lambda member: isinstance(member, ResultOutput)))
        self.identity = tuple(member.identity for member in self.members)
        self.accepts_anything = any(member.accepts_anything for member in self.members)

    @property
    def model(self) -> Any:
        """The union of the members' classes."""
        return typing.Union[tuple(member.model for member in self.members)]  # noqa: UP007 - built from a tuple

    @cached_property
    def schema(self) -> dict[str, Any]:
        """An object with every member's properties, of which one member's must all hold."""
        return merged_schema([member.schema for member in self.members])

    @cached_property
    def encode(self) -> Encode:
        """Dump by the first member whose type the value is of."""
        encoders = [member.encode for member in self.members]

        def encode(value: Any) -> dict[str, Any]:
            for one in encoders:
                try:
                    return one(value)
                except UnsupportedOutputError:
                    continue
            raise UnsupportedOutputError

        return encode


def merged_schema(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the schemas of several objects into one that names every property.

    Bindings look at `properties` to know what a node may give, so these must be visible at the root; `anyOf` keeps
    the exact rules of each member.
    """
    properties: dict[str, Any] = {}
    definitions: dict[str, Any] = {}
    members: list[dict[str, Any]] = []
    for schema in schemas:
        for name, definition in schema.get("$defs", {}).items():
            if definitions.setdefault(name, definition) != definition:
                raise TypeError(f"two results of one node use different types of the same name {name!r}; rename one")
        members.append({key: value for key, value in schema.items() if key != "$defs"})
        for name, item in schema.get("properties", {}).items():
            if name not in properties:
                properties[name] = item
            elif properties[name] != item:
                properties[name] = {}
    required = [name for name in properties if all(name in schema.get("required", ()) for schema in schemas)]
    merged: dict[str, Any] = {"type": "object", "properties": properties, "anyOf": members}
    if required:
        merged["required"] = required
    if definitions:
        merged["$defs"] = definitions
    return merged


def output_contract(model: Any, title: str, namespace: Mapping[str, Any] | None = None) -> OutputContract:
    """Return the output contract of a resolved result type.

    Args:
        model: The type: `None`, a model, a dataclass, a TypedDict, or any other type with a JSON form.
        title: The title of the generated model, when one is needed.
        namespace: Local names that string annotations of the class may use.

    Raises:
        TypeError: The type has no JSON form.

    Example:
        >>> output_contract(int, "CountOutput").encode(3)
        {'result': 3}
    """
    if model is None or model is type(None) or model is typing.NoReturn or model is typing.Never or is_nothing(model):
        return NothingOutput()
    known = getattr(model, "__wf_result__", None)
    if isinstance(known, ResultOutput):
        return known
    if models.is_model(model):
        return ModelOutput(model)
    if models.is_structured(model):
        fields = _result_fields(model, namespace)
        return AdapterOutput(model) if fields is None else FieldsOutput(model, fields)
    return ResultOutput(title, model)


def _result_fields(model: Any, namespace: Mapping[str, Any] | None) -> FieldSet | None:
    """Return the fields of a result; those that a dataclass sets by itself count as well."""
    fields = fields_of(model, namespace)
    if fields is None or models.is_typed_dict(model):
        return fields
    hints = typing.get_type_hints(model, localns=dict(namespace or {}), include_extras=True)
    known = {field.name: field for field in fields.fields}
    every = [known.get(item.name) or Field(item.name, hints[item.name], OPTIONAL) for item in dataclasses.fields(model)]
    return FieldSet(fields.title, every, module=fields.module, doc=fields.doc)
