"""The built-in sources as Python objects."""

from __future__ import annotations

from typing import Any

import pytest

from _wf._native import api as native
from wf_api import builtin_sources, get_qualified_spec, qualify_spec
from wf_api.local_sources import (
    BUILTIN_CONNECTION_ID,
    BUILTIN_SOURCE_ID,
    MCP_SOURCE_ID,
    RECIPE_SOURCE_ID,
    SOURCE_SOURCE_ID,
    ReadResourceInput,
    builtin_reducers,
    builtin_specs,
    qualify_node_name,
)
from wf_api.source_helpers import ReadResourceOutput
from wf_authoring import ops
from wf_platform import hash_json_schema


def test_the_ids_are_fixed() -> None:
    ids = (BUILTIN_SOURCE_ID, BUILTIN_CONNECTION_ID, RECIPE_SOURCE_ID, SOURCE_SOURCE_ID, MCP_SOURCE_ID)
    assert ids == ("wf.std", "wf.std", "wf.recipes", "wf.source", "wf.mcp")


def test_every_call_makes_new_sources_in_order() -> None:
    first, second = builtin_sources(), builtin_sources()
    assert list(first) == ["wf.std", "wf.recipes", "wf.source"]
    assert all(first[name] is not second[name] for name in first)


@pytest.mark.parametrize("inventory", native.builtin_inventories(), ids=lambda inventory: inventory["id"])
def test_what_python_registers_is_what_the_engine_says(inventory: dict[str, Any]) -> None:
    shown = builtin_sources()[inventory["id"]].as_inventory().model_dump(mode="json")
    for detail in [*shown["capabilities"]["node_spec_details"], *inventory["capabilities"]["node_spec_details"]]:
        # The recipe runs another workflow inside in Python, and is one function in the engine.
        if detail["name"] == "wf.recipes.extract_text_content":
            detail.pop("accepts_context")
    assert shown == inventory


def test_the_standard_library_has_twenty_nodes_and_six_reducers() -> None:
    assert len(builtin_specs()) == 20
    assert sorted(builtin_reducers()) == [
        f"wf.std.{name}" for name in ("add", "append", "max", "merge_object", "replace", "set_union")
    ]
    status = builtin_sources()["wf.std"].as_status().model_dump(mode="json")
    assert status["preview"]["node_specs"] == ["wf.std.coalesce", "wf.std.concat", "wf.std.constant"]
    assert status["has_more"]["reducers"] is True


def test_the_reading_node_has_the_contract_of_its_models() -> None:
    """The engine's table of contracts and the pydantic models say the same, remarks aside."""
    contract = native.builtin_contract("wf.source.read_resource")
    for schema, model in [
        (contract["input_schema"], ReadResourceInput),
        (contract["output_schema"], ReadResourceOutput),
    ]:
        assert hash_json_schema(bare(schema)) == hash_json_schema(bare(model.model_json_schema()))
    bounds = contract["input_schema"]["properties"]["max_chars"]
    assert (bounds["minimum"], bounds["maximum"], bounds["default"]) == (1, 20000, 4000)


def bare(schema: Any) -> Any:
    """A schema without titles, descriptions and defaults, which promise nothing."""
    if isinstance(schema, list):
        return [bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    named = ("properties", "$defs")
    kept = {key: value for key, value in schema.items() if key not in {"title", "description", "default"}}
    return {
        key: {name: bare(item) for name, item in value.items()} if key in named else bare(value)
        for key, value in kept.items()
    } | ({"required": sorted(kept["required"])} if kept.get("required") else {})


def test_a_spec_is_qualified_by_its_whole_name() -> None:
    assert qualify_spec("custom.local", ops.constant).name == "custom.local.authoring.constant"
    with pytest.raises(ValueError, match="source_id must not be empty"):
        qualify_node_name("", "x")
    with pytest.raises(ValueError, match="local node name must not be empty"):
        qualify_node_name("x", "")


def test_a_qualified_spec_is_found_in_sources_that_the_planner_sees() -> None:
    sources = builtin_sources()
    assert get_qualified_spec(sources, "wf.std.length").name == "wf.std.length"
    with pytest.raises(KeyError, match=r"unknown qualified node 'wf\.std\.zzz'"):
        get_qualified_spec(sources, "wf.std.zzz")
    sources["wf.std"] = sources["wf.std"].replace(enabled=False)
    with pytest.raises(KeyError):
        get_qualified_spec(sources, "wf.std.length")


def test_a_standard_node_is_native_and_callable() -> None:
    spec = builtin_specs()["wf.std.length"]
    handler = spec.to_registry_handler()
    assert handler({"items": [1, 2]}, None) == {"outcome": "ok", "output": {"count": 2}}  # type: ignore[arg-type]
    failing = builtin_specs()["wf.std.runtime_error"].to_registry_handler()
    with pytest.raises(RuntimeError, match=r"failed: \{'path': 'a'\}"):
        failing({"message": "failed", "details": {"path": "a"}}, None)  # type: ignore[arg-type]
