"""Dumping values by pydantic without losing what JSON cannot say.

Pydantic would turn a NaN behind `Any` into null, and stop at an object that it does not know with an error that names
no place. Here both stay in the dump as they are, so that the engine's own check refuses them, with node and path.
"""

from collections.abc import Callable
from typing import Any

from wf_authoring.contracts import models

Dump = Callable[[Any], Any]


def dumper(core_schema: Any) -> Dump:
    """Return a function that dumps values of a type in JSON mode and by alias."""
    from pydantic_core import CoreConfig, PydanticSerializationError, SchemaSerializer

    to_python = SchemaSerializer(core_schema, CoreConfig(ser_json_inf_nan="constants")).to_python

    def dump(value: Any) -> Any:
        try:
            return to_python(value, mode="json", by_alias=True, warnings=False)
        except PydanticSerializationError:
            return _with_strangers(to_python, value)

    return dump


def model_dumper() -> Dump:
    """Return a function that dumps a model by the serializer of its own class, which may be a subclass."""
    by_class: dict[type, Dump] = {}

    def dump(value: Any) -> Any:
        kind = type(value)
        known = by_class.get(kind)
        if known is None:
            known = by_class[kind] = dumper(models.complete_model(kind).__pydantic_core_schema__)
        return known(value)

    return dump


def _with_strangers(to_python: Callable[..., Any], value: Any) -> Any:
    strangers: dict[str, Any] = {}

    def keep(stranger: Any) -> str:
        # No text of a node can be equal to it: a new object's identity is part of it.
        name = f"\0{id(strangers)}:{len(strangers)}"
        strangers[name] = stranger
        return name

    return _restored(to_python(value, mode="json", by_alias=True, warnings=False, fallback=keep), strangers)


def _restored(dumped: Any, strangers: dict[str, Any]) -> Any:
    if isinstance(dumped, dict):
        return {key: _restored(item, strangers) for key, item in dumped.items()}
    if isinstance(dumped, list):
        return [_restored(item, strangers) for item in dumped]
    return strangers.get(dumped, dumped) if isinstance(dumped, str) else dumped
