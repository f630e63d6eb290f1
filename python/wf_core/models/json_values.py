"""JSON values as a type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from _wf._native.core import validate_strict_json_value

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["JsonValue", "validate_strict_json_value"]


class _StrictJson:
    """Lets pydantic check a field by the engine's own rules."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        del source, handler
        return core_schema.no_info_plain_validator_function(validate_strict_json_value)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        del core, handler
        return {}


if TYPE_CHECKING:
    JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
else:
    JsonValue = Annotated[Any, _StrictJson]
"""Null, a truth value, an integer of any size, a finite number, a text, or lists and string-keyed dicts of these."""
