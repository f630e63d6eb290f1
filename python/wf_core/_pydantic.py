"""Documents as field types of pydantic models.

The native classes import this module when pydantic first asks them for a schema, so that using the engine alone
never imports pydantic.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from pydantic_core import core_schema as schemas

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

    from wf_core.models import Document

_PREFIX = "#/$defs/"
_open: ContextVar[tuple[str, ...]] = ContextVar("_open", default=())
"""The documents whose JSON Schema is being written, so that one that holds itself ends in a reference."""


def core_schema(cls: type[Document], source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return how pydantic validates and serialises a document: by the document's own rules."""
    del source, handler
    return _document_schema(cls)


def _document_schema(cls: type[Document]) -> CoreSchema:
    return schemas.no_info_plain_validator_function(
        cls.model_validate,
        ref=_reference(cls.__name__),
        serialization=schemas.plain_serializer_function_ser_schema(_dump, info_arg=True),
        metadata={"pydantic_js_functions": [cls.__get_pydantic_json_schema__]},
    )


def _reference(name: str) -> str:
    """Return the one reference of a document class, whether it is a field's type or inside another document."""
    return f"wf_core.{name}"


def _dump(document: Document, info: schemas.SerializationInfo) -> Any:
    return document.model_dump(
        mode="json" if info.mode == "json" else "python",
        by_alias=bool(info.by_alias),
        exclude_none=info.exclude_none,
    )


def json_schema(cls: type[Document], core: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
    """Return the JSON Schema of a document, with the documents inside it among pydantic's own definitions."""
    del core
    schema = cls.model_json_schema()
    definitions: dict[str, Any] = schema.pop("$defs", {})
    own = schema.get("$ref")
    if own is not None:
        # A document that holds itself: its own definition is the schema.
        schema = definitions.get(own.removeprefix(_PREFIX), schema)
    token = _open.set((*_open.get(), cls.__name__))
    try:
        return _hoisted(schema, definitions, handler)
    finally:
        _open.reset(token)


def _hoisted(schema: Any, definitions: dict[str, Any], handler: GetJsonSchemaHandler) -> Any:
    if isinstance(schema, list):
        return [_hoisted(item, definitions, handler) for item in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith(_PREFIX):
        name = reference.removeprefix(_PREFIX)
        return {**_definition(name, definitions, handler), **{k: v for k, v in schema.items() if k != "$ref"}}
    return {key: _hoisted(value, definitions, handler) for key, value in schema.items()}


def _definition(name: str, definitions: dict[str, Any], handler: GetJsonSchemaHandler) -> Any:
    ref = _reference(name)
    # The handler itself writes one schema; its generator also keeps the definitions.
    generate = handler.generate_json_schema.generate_inner  # type: ignore[attr-defined]
    if name in _open.get():
        return generate(schemas.definition_reference_schema(ref))

    def write(_: CoreSchema, inner: GetJsonSchemaHandler) -> Any:
        token = _open.set((*_open.get(), name))
        try:
            return _hoisted(definitions.get(name, {}), definitions, inner)
        finally:
            _open.reset(token)

    return generate(schemas.any_schema(ref=ref, metadata={"pydantic_js_functions": [write]}))
