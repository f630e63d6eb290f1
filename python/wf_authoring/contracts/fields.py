"""Named fields of a JSON object: the parameters of a function, the keys of a TypedDict, the fields of a dataclass."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from wf_authoring.contracts import models
from wf_authoring.contracts.plain import NotPlainError, PlainType, annotation_description, plain_type

if TYPE_CHECKING:
    from pydantic import BaseModel

REQUIRED = Parameter.empty
"""The default of a field that has none."""

OPTIONAL = object()
"""The default of a field that may be left out and has no value then (`NotRequired`, a default factory)."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named field.

    Attributes:
        name: Its key in JSON.
        annotation: The resolved annotation.
        default: Its default, `REQUIRED`, or `OPTIONAL`.
        description: What it is, for readers of the schema.
    """

    name: str
    annotation: Any
    default: Any = REQUIRED
    description: str | None = None

    @property
    def has_field_info(self) -> bool:
        """Whether the default is pydantic's `Field(...)`."""
        return type(self.default).__module__ == "pydantic.fields"


class FieldSet:
    """The fields of one JSON object, with their schema and their conversion from JSON.

    Example:
        >>> fields = FieldSet("Greeting", [Field("name", str), Field("times", int, 1)])
        >>> fields.decode({"name": "Ada", "times": 2.0})
        {'name': 'Ada', 'times': 2}
    """

    def __init__(
        self,
        title: str,
        fields: Sequence[Field],
        *,
        module: str = __name__,
        doc: str | None = None,
    ) -> None:
        self.title = title
        self.fields = tuple(fields)
        self.module = module
        self.doc = doc
        plain = [None if field.has_field_info else plain_type(field.annotation) for field in self.fields]
        self._plain: tuple[PlainType, ...] | None = None
        if all(item is not None for item in plain):
            self._plain = tuple(item for item in plain if item is not None)

    @property
    def is_plain(self) -> bool:
        """Whether every field is of a plain JSON type, so that pydantic is not needed."""
        return self._plain is not None

    def rows(self) -> list[tuple[Field, PlainType]] | None:
        """The fields with their plain types, or `None` when one of them needs pydantic."""
        return None if self._plain is None else list(zip(self.fields, self._plain, strict=True))

    @cached_property
    def model(self) -> "type[BaseModel]":
        """The pydantic model of these fields; made when somebody asks for it."""
        from pydantic import Field as ModelField

        definitions: dict[str, tuple[Any, Any]] = {}
        for field in self.fields:
            default: Any = field.default
            # Words that the annotation has itself must not be overwritten by none.
            words: dict[str, Any] = {} if field.description is None else {"description": field.description}
            if default is REQUIRED:
                default = ModelField(default=..., **words)
            elif not field.has_field_info:
                if default is OPTIONAL or not models.has_json_form(default):
                    default = ModelField(default_factory=_nothing, **words)
                else:
                    default = ModelField(default=default, **words)
            definitions[field.name] = (field.annotation, default)
        made = models.make_model(self.title, definitions, module=self.module, doc=self.doc)
        made.__wf_fields__ = self  # type: ignore[attr-defined]
        return made

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the object, as a payload."""
        if self._plain is None:
            return models.json_schema(self.model, "validation")
        properties: dict[str, Any] = {}
        for field, kind in zip(self.fields, self._plain, strict=True):
            item = dict(kind.schema)
            description = field.description or annotation_description(field.annotation)
            if description:
                item["description"] = description
            if field.default is not REQUIRED and field.default is not OPTIONAL and is_json(field.default):
                item["default"] = field.default
            properties[field.name] = item
        schema: dict[str, Any] = {"title": self.title, "type": "object", "properties": properties}
        if self.doc:
            schema["description"] = self.doc
        required = [field.name for field in self.fields if field.default is REQUIRED]
        if required:
            schema["required"] = required
        return schema

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
        """Turn a JSON object into values by field name; fields that are absent stay absent.

        Raises (when called):
            pydantic.ValidationError: A field is missing or has a value that its type does not take.
        """
        if self._plain is None:
            return self._decode_by_model
        rows = [
            (field.name, kind.exact, kind.take, field.default is REQUIRED)
            for field, kind in zip(self.fields, self._plain, strict=True)
        ]
        by_model = self._decode_by_model

        def decode(payload: Mapping[str, Any]) -> dict[str, Any]:
            values = {}
            try:
                for name, exact, take, required in rows:
                    if name in payload:
                        value = payload[name]
                        values[name] = value if type(value) is exact else take(value)
                    elif required:
                        return by_model(payload)
            except NotPlainError:
                return by_model(payload)
            return values

        return decode

    def _decode_by_model(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        return self.values_of(validate(self.model, payload))

    def values_of(self, instance: Any) -> dict[str, Any]:
        """Return the values of a validated model by field name, without those that nobody set."""
        given = instance.model_fields_set
        values: dict[str, Any] = {}
        for field in self.fields:
            attribute = models.attribute_name(field.name)
            if attribute in given or field.has_field_info:
                values[field.name] = getattr(instance, attribute)
        return values


def _nothing() -> None:
    """Stand in for a default that JSON Schema cannot show; it is never handed out."""


def is_json(value: Any) -> bool:
    """Whether a default can stand in a JSON Schema as it is."""
    if value is None or isinstance(value, bool | int | str):
        return True
    if isinstance(value, float):
        return value == value and value not in {float("inf"), float("-inf")}  # noqa: PLR0124 - NaN differs from itself
    if isinstance(value, list):
        return all(is_json(item) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_json(item) for key, item in value.items())
    return False


def validate(model: "type[BaseModel]", payload: Any) -> Any:
    """Validate a JSON payload by a model.

    The payload is JSON, so where a strict model refuses what JSON cannot say otherwise (a date is a string, a
    tuple is an array), the payload is tried once more by pydantic's JSON rules.

    Raises:
        pydantic.ValidationError: The payload does not fit.
    """
    return validate_by(models.complete_model(model).__pydantic_validator__, payload)


def validate_by(validator: Any, payload: Any) -> Any:
    """Validate a JSON payload by a pydantic validator; see `validate`."""
    from pydantic import ValidationError

    try:
        return validator.validate_python(payload)
    except ValidationError:
        try:
            return validator.validate_json(to_json(payload))
        except ValueError:
            pass
        raise


def to_json(payload: Any) -> bytes:
    """Return a JSON payload as text for pydantic; `ValueError` when it is no JSON."""
    from pydantic_core import to_json as dump

    return dump(payload, inf_nan_mode="constants")
