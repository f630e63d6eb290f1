"""From models and types to the schemas of a workflow, with reducers on state fields."""

import copy
import dataclasses
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from wf_authoring.contracts import input_contract, models
from wf_authoring.contracts.fields import REQUIRED
from wf_authoring.reducers import AuthoredReducer
from wf_core import ReducerRef, SchemaRef, StateSchema

SchemaLike = Any
"""A `SchemaRef`, a JSON Schema as a mapping, a model, a dataclass, a TypedDict, or any type with a JSON form."""

ReducerLike = str | ReducerRef | Mapping[str, Any] | AuthoredReducer
"""A reducer by name, as a reference, as its mapping, or as what `@reducer` made."""

_DEFAULT_REDUCER = "wf.std.replace"


@dataclass(frozen=True)
class StateFieldMetadata:
    """How writes to a state field are merged, and whether they are traced.

    Attributes:
        reducer: The reducer.
        trace: Whether changes of the field appear in the trace.
    """

    reducer: ReducerRef
    trace: bool

    __wf_metadata__: typing.ClassVar[bool] = True


def state_field(*, reducer: ReducerLike = _DEFAULT_REDUCER, trace: bool = True) -> StateFieldMetadata:
    """Describe a state field inside `Annotated`.

    Args:
        reducer: The reducer: its name, a `ReducerRef`, a mapping with `name` or `ref` and `config`, or an
            authored reducer.
        trace: Whether changes of the field appear in the trace.

    Returns:
        The metadata to put into `Annotated[...]`.

    Raises:
        ValueError: The reference is none.

    Example:
        >>> from typing import Annotated, TypedDict
        >>> class State(TypedDict):
        ...     total: Annotated[int, state_field(reducer="wf.std.add")]
        >>> state_schema_from(State).properties["total"]["reducer"]
        'wf.std.add'
    """
    return StateFieldMetadata(reducer_ref_from(reducer), trace)


def reducer_ref_from(reducer: ReducerLike) -> ReducerRef:
    """Return a reducer reference from any way to write one."""
    if isinstance(reducer, AuthoredReducer):
        return ReducerRef.model_validate(reducer.definition.spec.name)
    if isinstance(reducer, ReducerRef):
        return reducer
    return ReducerRef.model_validate(reducer)


def schema_ref_from(value: SchemaLike) -> SchemaRef:
    """Return a schema document from a schema, a model or a type.

    Raises:
        ValueError: A mapping that is no JSON Schema; the message contains `invalid JSON Schema`.
        TypeError: A type without a JSON form.

    Example:
        >>> schema_ref_from(list[int]).type
        'array'
    """
    if isinstance(value, SchemaRef):
        return value
    if isinstance(value, Mapping):
        return SchemaRef.model_validate(dict(value))
    return SchemaRef.model_validate(_schema_of(value))


def _schema_of(value: Any) -> dict[str, Any]:
    if models.is_structured(value):
        return copy.deepcopy(input_contract(value).schema)
    return models.json_schema(value, "validation")


def state_schema_from(value: SchemaLike) -> StateSchema:
    """Return a state schema from a schema, a model or a type; `state_field` metadata becomes part of it.

    Raises:
        ValueError: A mapping that is no state schema.
        TypeError: A type without a JSON form.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class State:
        ...     count: int = 0
        >>> state_schema_from(State).properties
        {'count': {'type': 'integer', 'default': 0, 'reducer': 'wf.std.replace'}}
    """
    if isinstance(value, StateSchema):
        return value
    if isinstance(value, Mapping):
        return StateSchema.model_validate(dict(value))
    if isinstance(value, SchemaRef):
        return StateSchema.model_validate(value.model_dump(mode="json"))
    schema = _schema_of(value)
    _Annotator(schema).mark(schema, value)
    if models.is_structured(value):
        _write_defaults(schema, value)
    return StateSchema.model_validate(schema)


class _Annotator:
    """Writes the kernel's keywords into a schema, following types and schema side by side.

    What belongs to a field stands next to the field's `$ref`, never inside the definition, which other
    fields may share. What belongs to a class's own fields stands in its definition, once.
    """

    def __init__(self, root: dict[str, Any]) -> None:
        self._definitions: dict[str, Any] = root.get("$defs", {})
        self._done: set[int] = set()

    def mark(self, schema: dict[str, Any], owner: Any) -> None:
        """Mark every property of an object schema; `owner` is the class it came from, or `None`."""
        if id(schema) in self._done:
            return
        self._done.add(id(schema))
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return
        fields = {name: (annotation, metadata) for name, annotation, metadata in _fields(owner, properties)}
        for name, item in properties.items():
            if not isinstance(item, dict):
                continue
            annotation, metadata = fields.get(name, (None, None))
            _write(item, metadata)
            self.mark(self._resolved(item), annotation if models.is_structured(annotation) else None)

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        seen: set[str] = set()
        while isinstance(reference := schema.get("$ref"), str) and reference not in seen:
            seen.add(reference)
            name = reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
            target = self._definitions.get(name)
            if not reference.startswith("#/$defs/") or not isinstance(target, dict):
                break
            schema = target
        return schema


def _write(item: dict[str, Any], metadata: StateFieldMetadata | None) -> None:
    if metadata is None:
        item.setdefault("reducer", _DEFAULT_REDUCER)
        return
    reference = metadata.reducer
    item["reducer"] = reference.model_dump(mode="json") if reference.config else reference.name
    if not metadata.trace:
        item["trace"] = False


def _fields(owner: Any, properties: Mapping[str, Any]) -> Iterator[tuple[str, Any, StateFieldMetadata | None]]:
    """Yield the properties of a class: key in JSON, annotation without metadata, metadata."""
    if models.is_model(owner):
        for name, info in models.complete_model(owner).model_fields.items():
            key = next((key for key in (info.validation_alias, info.alias, name) if key in properties), None)
            if isinstance(key, str):
                yield key, info.annotation, _metadata(info.metadata)
        return
    if owner is None or not models.is_structured(owner):
        return
    if models.is_typed_dict(owner):
        hints = {name: annotation for name, (annotation, _) in models.typed_dict_fields(owner).items()}
    else:
        hints = typing.get_type_hints(owner, include_extras=True)
    for name, hint in hints.items():
        if name in properties:
            inner = get_args(hint)[0] if get_origin(hint) is Annotated else hint
            yield name, inner, _metadata(get_args(hint)[1:] if get_origin(hint) is Annotated else ())


def _metadata(items: typing.Iterable[Any]) -> StateFieldMetadata | None:
    return next((item for item in items if isinstance(item, StateFieldMetadata)), None)


def _write_defaults(schema: dict[str, Any], owner: Any) -> None:
    """Write the defaults of root fields, those from factories too; a `None` default is not written."""
    properties = schema.get("properties", {})
    for key, default in _defaults(owner, properties):
        if default is None or key in schema.get("required", ()):
            continue
        value = default if _is_plain_json(default) else _jsonable(default)
        if isinstance(properties.get(key), dict):
            properties[key]["default"] = value


def _defaults(owner: Any, properties: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if models.is_model(owner):
        for name, info in owner.model_fields.items():
            key = next((key for key in (info.validation_alias, info.alias, name) if key in properties), None)
            if isinstance(key, str) and not info.is_required() and not info.default_factory_takes_validated_data:
                yield key, info.get_default(call_default_factory=True)
    elif models.is_plain_dataclass(owner):
        for item in dataclasses.fields(owner):
            if item.default is not dataclasses.MISSING:
                yield item.name, item.default
            elif item.default_factory is not dataclasses.MISSING:
                yield item.name, item.default_factory()


def _is_plain_json(value: Any) -> bool:
    from wf_authoring.contracts.fields import is_json

    return value is not REQUIRED and is_json(value)


def _jsonable(value: Any) -> Any:
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, by_alias=True)
