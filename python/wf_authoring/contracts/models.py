"""The only place that imports pydantic: adapters, generated models, and their JSON Schemas.

Nothing in this module runs until an annotation needs pydantic, so that programs of plain nodes never pay
for importing it.
"""

import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, cast, get_args, get_origin

if TYPE_CHECKING:
    from pydantic import BaseModel, TypeAdapter

Mode = Literal["validation", "serialization"]

_NEEDS_EXTENSIONS = sys.version_info < (3, 12)


def is_model(candidate: Any) -> bool:
    """Whether this is a pydantic model class; answers without importing pydantic.

    Example:
        >>> is_model(int)
        False
    """
    main = sys.modules.get("pydantic.main")
    return main is not None and isinstance(candidate, type) and issubclass(candidate, main.BaseModel)


def is_structured(candidate: Any) -> bool:
    """Whether values of this type are JSON objects with declared fields: a model, a dataclass or a TypedDict."""
    return is_model(candidate) or is_plain_dataclass(candidate) or is_typed_dict(candidate)


def is_plain_dataclass(candidate: Any) -> bool:
    """Whether this is a dataclass, the standard library's or pydantic's."""
    return isinstance(candidate, type) and is_dataclass(candidate)


def is_typed_dict(candidate: Any) -> bool:
    """Whether this is a TypedDict, from `typing` or from `typing_extensions`."""
    return (
        isinstance(candidate, type)
        and issubclass(candidate, dict)
        and hasattr(candidate, "__required_keys__")
        and hasattr(candidate, "__total__")
    )


def type_name(annotation: Any) -> str:
    """Return an annotation as an author would write it."""
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__.rpartition("<locals>.")[2]
    return str(annotation).replace("typing.", "")


def adapter(annotation: Any) -> "TypeAdapter[Any]":
    """Return a pydantic adapter of an annotation; those who need it again keep it.

    Raises:
        TypeError: The type has no JSON form that pydantic knows.
    """
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    try:
        return TypeAdapter(modern(annotation))
    except PydanticUserError as error:
        reason = str(error).splitlines()[0]
        raise TypeError(f"{type_name(annotation)} has no JSON form: {reason}") from error


def json_schema(annotation: Any, mode: Mode) -> dict[str, Any]:
    """Return the JSON Schema of a type by alias; the root is never a bare `$ref`."""
    if is_model(annotation):
        schema = complete_model(annotation).model_json_schema(by_alias=True, mode=mode)
    else:
        schema = adapter(annotation).json_schema(by_alias=True, mode=mode)
    return inline_root(schema)


def complete_model(model: Any) -> "type[BaseModel]":
    """Return the model after resolving forward references that were open when its class was made."""
    found = cast("type[BaseModel]", model)
    if not found.__pydantic_complete__:
        found.model_rebuild()
    return found


def inline_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Write out a root that is only a reference, as recursive models give, so that its properties are visible.

    Example:
        >>> inline_root({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}})
        {'type': 'object', '$defs': {'A': {'type': 'object'}}}
    """
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/$defs/"):
        return schema
    name = reference.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
    definition = schema.get("$defs", {}).get(name)
    if not isinstance(definition, dict):
        return schema
    rest = {key: value for key, value in schema.items() if key != "$ref"}
    return inline_root({**definition, **rest})


def make_model(
    name: str,
    fields: Mapping[str, tuple[Any, Any]],
    *,
    module: str,
    doc: str | None = None,
    base: type | None = None,
) -> "type[BaseModel]":
    """Make a model whose fields have exactly the given names, also names that pydantic reserves.

    Args:
        name: The class name and schema title.
        fields: Field name to annotation and default (`...` when required).
        module: The module the model pretends to come from.
        doc: Its docstring, which becomes the schema's description.
        base: The model to derive from instead of `BaseModel`.

    Returns:
        The model; `wire_name` of a safe field name is its alias.
    """
    from pydantic import BaseModel, Field, create_model
    from pydantic.fields import FieldInfo

    parent = base or BaseModel
    definitions: dict[str, Any] = {}
    for field_name, (annotation, default) in fields.items():
        safe = attribute_name(field_name)
        value = default
        if safe != field_name:
            info = default if isinstance(default, FieldInfo) else Field(default)
            if info.alias is None:
                info = Field(info.default, alias=field_name, title=field_name, description=info.description)
            value = info
        definitions[safe] = (modern(annotation), value)
    return create_model(name, __base__=parent, __module__=module, __doc__=doc, **definitions)


def check_field(name: str, annotation: Any) -> None:
    """Refuse an annotation that a model's field cannot have.

    Raises:
        TypeError: The type has no JSON form that pydantic knows.
    """
    from pydantic.errors import PydanticUserError

    try:
        make_model("Field", {name: (annotation, ...)}, module=__name__)
    except PydanticUserError as error:
        raise TypeError(f"{type_name(annotation)} has no JSON form: {str(error).splitlines()[0]}") from error


def attribute_name(field_name: str) -> str:
    """Return a field name that pydantic accepts for this wire name."""
    from pydantic import BaseModel

    if field_name.startswith(("_", "model_")) or hasattr(BaseModel, field_name):
        return f"field_{field_name.lstrip('_')}_"
    return field_name


def has_json_form(value: Any) -> bool:
    """Whether pydantic can show a default in a JSON Schema."""
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        to_jsonable_python(value)
    except (PydanticSerializationError, ValueError):
        return False
    return True


def modern(annotation: Any, seen: dict[int, Any] | None = None) -> Any:  # noqa: PLR0911 - one per kind of annotation
    """Replace `typing.TypedDict` classes by equal ones that pydantic takes on Python 3.11.

    Pydantic refuses the standard library's TypedDict before Python 3.12, since it loses which keys are
    required. Authors should not have to know.
    """
    if not _NEEDS_EXTENSIONS:
        return annotation
    seen = {} if seen is None else seen
    if is_typed_dict(annotation):
        return _modern_typed_dict(annotation, seen)
    args = get_args(annotation)
    if not args or get_origin(annotation) is Literal:
        return annotation
    origin = get_origin(annotation)
    if origin is Annotated:
        inner = modern(args[0], seen)
        return annotation if inner is args[0] else Annotated[(inner, *args[1:])]
    renewed = tuple(modern(arg, seen) if not isinstance(arg, list) else arg for arg in args)
    if all(new is old for new, old in zip(renewed, args, strict=True)):
        return annotation
    if origin in {Union, types.UnionType}:
        return Union[renewed]  # noqa: UP007 - built from a tuple
    if isinstance(annotation, types.GenericAlias):
        return types.GenericAlias(cast("type", origin), renewed)
    return annotation.copy_with(renewed)


def _modern_typed_dict(source: Any, seen: dict[int, Any]) -> Any:
    if type(source).__module__ != "typing":
        return source
    from typing import NotRequired

    from typing_extensions import TypedDict

    if id(source) in seen:
        made = seen[id(source)]
        if made is None:
            raise TypeError(
                f"{source.__name__} refers to itself; import TypedDict from typing_extensions for a recursive one"
            )
        return made
    seen[id(source)] = None
    fields: dict[str, Any] = {}
    for key, (annotation, required) in typed_dict_fields(source).items():
        renewed = modern(annotation, seen)
        fields[key] = renewed if required else NotRequired[renewed]
    make = cast("Callable[[str, dict[str, Any]], Any]", TypedDict)
    made = make(source.__name__, fields)
    made.__doc__ = source.__doc__
    made.__module__ = source.__module__
    if hasattr(source, "__pydantic_config__"):
        made.__pydantic_config__ = source.__pydantic_config__
    seen[id(source)] = made
    return made


def typed_dict_fields(source: Any, namespace: Mapping[str, Any] | None = None) -> dict[str, tuple[Any, bool]]:
    """Return the keys of a TypedDict with their annotations, and whether each is required.

    `Required` and `NotRequired` are read from the evaluated annotations, since the class itself does not
    know them when its annotations are strings.
    """
    from typing import NotRequired, Required

    from typing_extensions import ReadOnly

    hints = typing.get_type_hints(source, localns=dict(namespace or {}), include_extras=True)
    found: dict[str, tuple[Any, bool]] = {}
    for key, hint in hints.items():
        required = key in source.__required_keys__
        annotation = hint
        while (origin := get_origin(annotation)) in {
            Required,
            NotRequired,
            ReadOnly,
            typing.Required,
            typing.NotRequired,
        }:
            if origin in {Required, typing.Required}:
                required = True
            elif origin in {NotRequired, typing.NotRequired}:
                required = False
            annotation = get_args(annotation)[0]
        found[key] = (annotation, required)
    return found
