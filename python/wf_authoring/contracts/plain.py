"""Plain JSON types: the annotations that need no pydantic at run time.

`str`, `int`, `float`, `bool`, `None`, `Any`, lists and string-keyed dicts of them, unions and literals. The
engine has checked a payload against its JSON Schema before a handler runs, so what is left to do here is what JSON
cannot say: an `int` may arrive as `1.0`, a `float` as `1`. Whatever does not fit is left to pydantic,
which converts it or explains what is wrong with it.
"""

import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

Take = Callable[[Any], Any]


class NotPlainError(Exception):
    """A value that a plain type does not take as it is; pydantic decides."""


@dataclass(frozen=True, slots=True)
class PlainType:
    """A plain JSON type: its schema, and how a value of it is taken from JSON.

    Attributes:
        schema: The JSON Schema of the type.
        exact: The one Python type whose values are taken untouched, if there is one.
        outer: The one Python type that its values have, whatever is in them, if there is one.
        take: Returns the value to use, or raises `NotPlainError`.
    """

    schema: dict[str, Any]
    exact: type | None
    take: Take
    outer: type | None = None


def plain_type(annotation: Any) -> PlainType | None:  # noqa: PLR0911 - one return per kind of annotation
    """Return the plain JSON type that an annotation names, or `None` when it needs pydantic.

    Example:
        >>> plain_type(list[int]).schema
        {'type': 'array', 'items': {'type': 'integer'}}
        >>> plain_type(complex) is None
        True
    """
    annotation = _unwrap(annotation)
    scalar = _SCALARS.get(annotation) if isinstance(annotation, type) else None
    if scalar is not None:
        return scalar
    if annotation is Any or annotation is object:
        return _ANYTHING
    if annotation is None:
        return _SCALARS[types.NoneType]
    origin, args = get_origin(annotation), get_args(annotation)
    if annotation is list or (origin is list and len(args) == 1):
        return _list_of(args)
    if annotation is dict or (origin is dict and len(args) == 2 and args[0] is str):  # noqa: PLR2004 - key and value
        return _dict_of(args[1:])
    if origin is Union or origin is types.UnionType:
        return _union_of(args)
    if origin is Literal:
        return _literal_of(args)
    return None


def _unwrap(annotation: Any) -> Any:
    """Look through `Annotated` with words only, `NewType` and aliases; leave what carries rules to pydantic."""
    while True:
        if get_origin(annotation) is Annotated:
            inner, *metadata = get_args(annotation)
            if not all(_is_mere_words(item) for item in metadata):
                return annotation
            annotation = inner
        elif isinstance(annotation, typing.NewType):
            annotation = annotation.__supertype__
        else:
            return annotation


def _is_mere_words(item: Any) -> bool:
    """Whether an item of `Annotated` says nothing about which values are right."""
    return isinstance(item, str) or hasattr(item, "documentation") or hasattr(item, "__wf_metadata__")


def annotation_description(annotation: Any) -> str | None:
    """Return the words that `Annotated[..., Doc("...")]` gives a parameter."""
    if get_origin(annotation) is not Annotated:
        return None
    return next((str(item.documentation) for item in get_args(annotation)[1:] if hasattr(item, "documentation")), None)


def _exactly(kind: type) -> Take:
    def take(value: Any) -> Any:
        if type(value) is kind:
            return value
        raise NotPlainError

    return take


def _take_int(value: Any) -> Any:
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    raise NotPlainError


def _take_float(value: Any) -> Any:
    if type(value) is float:
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise NotPlainError from None
    raise NotPlainError


def _take_anything(value: Any) -> Any:
    return value


_SCALARS: dict[type, PlainType] = {
    str: PlainType({"type": "string"}, str, _exactly(str)),
    int: PlainType({"type": "integer"}, int, _take_int),
    float: PlainType({"type": "number"}, float, _take_float),
    bool: PlainType({"type": "boolean"}, bool, _exactly(bool)),
    types.NoneType: PlainType({"type": "null"}, types.NoneType, _exactly(types.NoneType)),
}
_ANYTHING = PlainType({}, None, _take_anything)


def _list_of(args: tuple[Any, ...]) -> PlainType | None:
    item = plain_type(args[0]) if args else _ANYTHING
    if item is None:
        return None
    schema = {"type": "array", "items": item.schema} if args else {"type": "array", "items": {}}
    if item is _ANYTHING:
        return PlainType(schema, list, _exactly(list))

    def take(value: Any) -> Any:
        if type(value) is not list:
            raise NotPlainError
        if item.exact is not None and all_of(item.exact, value):
            return value
        return [item.take(entry) for entry in value]

    return PlainType(schema, None, take, list)


def _dict_of(args: tuple[Any, ...]) -> PlainType | None:
    item = plain_type(args[0]) if args else _ANYTHING
    if item is None:
        return None
    schema = {"type": "object", "additionalProperties": item.schema or True}
    if item is _ANYTHING:
        return PlainType(schema, dict, _exactly(dict))

    def take(value: Any) -> Any:
        if type(value) is not dict:
            raise NotPlainError
        if item.exact is not None and all_of(item.exact, value.values()):
            return value
        return {key: item.take(entry) for key, entry in value.items()}

    return PlainType(schema, None, take, dict)


def all_of(kind: type, values: typing.Iterable[Any]) -> bool:
    """Whether every value is exactly of a type; `set(map(type, ...))` keeps the loop out of Python code."""
    return {*map(type, values)} <= {kind}


def _union_of(args: tuple[Any, ...]) -> PlainType | None:
    members = [plain_type(arg) for arg in args]
    found = [member for member in members if member is not None]
    if len(found) != len(members):
        return None
    exacts = frozenset(member.exact for member in found if member.exact is not None)

    def take(value: Any) -> Any:
        if type(value) in exacts:
            return value
        for member in found:
            try:
                return member.take(value)
            except NotPlainError:
                continue
        raise NotPlainError

    return PlainType({"anyOf": [member.schema for member in found]}, None, take)


_LITERAL_TYPES: dict[type, str] = {str: "string", int: "integer", bool: "boolean", types.NoneType: "null"}


def _literal_of(args: tuple[Any, ...]) -> PlainType | None:
    if any(type(arg) not in _LITERAL_TYPES for arg in args):
        return None
    choices = {(type(arg), arg) for arg in args}
    names = list(dict.fromkeys(_LITERAL_TYPES[type(arg)] for arg in args))
    schema: dict[str, Any] = {"const": args[0]} if len(args) == 1 else {"enum": list(args)}
    if len(names) == 1:
        schema["type"] = names[0]

    def take(value: Any) -> Any:
        try:
            if (type(value), value) in choices:
                return value
        except TypeError:
            pass
        raise NotPlainError

    return PlainType(schema, None, take)
