"""Input contracts: what a payload must look like, and what the author's function is given."""

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from wf_authoring.contracts import models
from wf_authoring.contracts.base import Contract
from wf_authoring.contracts.fields import OPTIONAL, REQUIRED, Field, FieldSet, validate, validate_by
from wf_authoring.contracts.plain import PlainType


class InputContract(Protocol):
    """How a JSON payload becomes the value that a function takes."""

    @property
    def identity(self) -> Any:
        """What two equal contracts share; reading it makes no model."""

    @property
    def model(self) -> Any:
        """The class an author or a host sees as `NodeSpec.input_model`."""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the payload: validation mode, by alias."""

    @property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Turn a payload into the value."""


class ModelInput(Contract):
    """The payload is an instance of a pydantic model."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.identity = model

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The model's schema in validation mode."""
        return models.json_schema(self.model, "validation")

    @property
    def validator(self) -> Any:
        """Pydantic's validator, or `None` when the model validates in a way of its own."""
        own = models.complete_model(self.model).model_validate
        return self.model.__pydantic_validator__ if own.__func__ is _base_validate() else None  # type: ignore[attr-defined]

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Validate by the model."""
        validator = self.validator
        if validator is None:
            return typing.cast("Callable[[Mapping[str, Any]], Any]", self.model.model_validate)
        return lambda payload: validate_by(validator, payload)


def _base_validate() -> Any:
    from pydantic import BaseModel

    return BaseModel.model_validate.__func__  # type: ignore[attr-defined]


class AdapterInput(Contract):
    """The payload is a value that pydantic makes without a model: a dataclass with fields of its own kind."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.identity = model
        self._adapter = models.adapter(model)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The type's schema in validation mode."""
        return models.json_schema(self.model, "validation")

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Validate by the adapter."""
        validator = self._adapter.validator

        def decode(payload: Mapping[str, Any]) -> Any:
            return validate_by(validator, payload)

        return decode


class FieldsInput(Contract):
    """The payload is a dataclass or a TypedDict, taken field by field."""

    def __init__(self, model: Any, fields: FieldSet, build: Callable[..., Any]) -> None:
        self.model = model
        self.identity = model
        self._fields = fields
        self._build = build

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the fields."""
        return self._fields.schema

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Take the fields and build the value."""
        take, build = self._fields.decode, self._build
        if build is dict:
            return take

        def decode(payload: Mapping[str, Any]) -> Any:
            return build(**take(payload))

        return decode


def input_contract(
    model: Any,
    namespace: Mapping[str, Any] | None = None,
    *,
    parameters: Sequence[str] | None = None,
) -> InputContract:
    """Return the input contract of a model, a dataclass or a TypedDict.

    Args:
        model: The class.
        namespace: Local names that its string annotations may use.
        parameters: The parameters of a function that takes the fields one by one.

    Raises:
        TypeError: It is none of these, or has a field without a JSON form.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> input_contract(Point).decode({"x": 3})
        Point(x=3, y=0)
    """
    known = getattr(model, "__wf_fields__", None)
    if isinstance(known, FieldSet) and known.model is model:
        return FieldSetInput(known) if parameters is None else ParametersInput(known)
    if parameters is not None:
        names = field_names(model)
        return SpreadInput(input_contract(model, namespace), [name for name in parameters if name in names])
    if models.is_model(model):
        return ModelInput(model)
    if models.is_structured(model):
        fields = fields_of(model, namespace)
        if fields is None:
            return AdapterInput(model)
        return FieldsInput(model, fields, dict if models.is_typed_dict(model) else model)
    raise TypeError(f"{models.type_name(model)} is no pydantic model, dataclass or TypedDict")


class FieldSetInput(Contract):
    """The payload is an instance of the model that was generated for plain parameters."""

    def __init__(self, fields: FieldSet) -> None:
        self.identity = fields
        self._fields = fields

    @property
    def model(self) -> Any:
        """The generated model."""
        return self._fields.model

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the fields."""
        return self._fields.schema

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Validate by the generated model."""
        model = self._fields.model

        def decode(payload: Mapping[str, Any]) -> Any:
            return validate(model, payload)

        return decode


class ParametersInput(FieldSetInput):
    """The payload's fields are the parameters of the function; no model is made to call it."""

    def rows(self) -> list[tuple[Field, PlainType]] | None:
        """The parameters with their plain types, or `None` when pydantic takes them."""
        return self._fields.rows()

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Take the fields as values by parameter name."""
        return self._fields.decode


class SpreadInput(Contract):
    """The payload is an instance of a given class whose fields are handed to the function one by one."""

    def __init__(self, inner: InputContract, names: Sequence[str]) -> None:
        self._inner = inner
        self._names = tuple(names)
        self.identity = inner.identity

    @property
    def model(self) -> Any:
        """The given class."""
        return self._inner.model

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the given class."""
        return self._inner.schema

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Validate by the class, then take its fields apart."""
        take, names = self._inner.decode, self._names
        if models.is_typed_dict(self.model):

            def decode_mapping(payload: Mapping[str, Any]) -> Any:
                values = take(payload)
                return {name: values[name] for name in names if name in values}

            return decode_mapping

        def decode(payload: Mapping[str, Any]) -> Any:
            value = take(payload)
            return {name: getattr(value, name) for name in names}

        return decode


def field_names(model: Any) -> tuple[str, ...]:
    """Return the names by which the fields of a model, dataclass or TypedDict are read in Python."""
    if models.is_model(model):
        return tuple(model.model_fields)
    if models.is_typed_dict(model):
        return tuple(model.__annotations__)
    return tuple(item.name for item in dataclasses.fields(model))


def fields_of(model: Any, namespace: Mapping[str, Any] | None = None) -> FieldSet | None:
    """Return the fields of a dataclass or TypedDict, or `None` when only pydantic itself knows how to build it.

    Raises:
        TypeError: An annotation names something that is not known.
    """
    if hasattr(model, "__pydantic_config__") or hasattr(model, "__pydantic_validator__"):
        return None
    try:
        if models.is_typed_dict(model):
            found = models.typed_dict_fields(model, namespace)
            fields = [
                Field(name, annotation, REQUIRED if required else OPTIONAL)
                for name, (annotation, required) in found.items()
            ]
        else:
            hints = typing.get_type_hints(model, localns=dict(namespace or {}), include_extras=True)
            if any(isinstance(hint, dataclasses.InitVar) for hint in hints.values()):
                return None
            fields = [
                Field(item.name, hints[item.name], _default_of(item)) for item in dataclasses.fields(model) if item.init
            ]
    except NameError as error:
        raise TypeError(
            f"{models.type_name(model)} has an annotation that names an unknown type: {error}\n"
            "hint: define or import that type where the class can see it when the node is made"
        ) from error
    return FieldSet(model.__name__, fields, module=model.__module__, doc=_own_doc(model))


def _default_of(item: "dataclasses.Field[Any]") -> Any:
    if item.default is not dataclasses.MISSING:
        return item.default
    return REQUIRED if item.default_factory is dataclasses.MISSING else OPTIONAL


def _own_doc(model: Any) -> str | None:
    """Return a class's docstring, but not the signature that `dataclass` writes when there is none."""
    doc = model.__doc__
    if not doc or doc.startswith(f"{model.__name__}(") or doc == dict.__doc__:
        return None
    return str(doc)
