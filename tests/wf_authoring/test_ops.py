"""The standard nodes: contracts, direct calls, and each against a plain Python model of it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import wf_authoring
from wf_authoring import NodeReturn, NodeSpec, WorkflowBuilder, build_async_registry, build_registry, node, ops
from wf_authoring.ops import models
from wf_core import RuntimeContext

CTX = RuntimeContext(current_node_id="n")

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4)
    | st.sampled_from([0, 1, 1.0, True, False, "", "1"])
)
keys = st.text(max_size=3) | st.sampled_from(["a", "b", "a.b"])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)
mappings = st.dictionaries(keys, values, max_size=4)
records = st.lists(mappings, max_size=4)


def same(one: Any, two: Any) -> bool:
    """JSON equality: `1` is `1.0`, `True` is not `1`."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(value, two[key]) for key, value in one.items())
    return bool(one == two)


def walk(mapping: dict[str, Any], path: str) -> Any:
    found: Any = mapping
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
        if found is None:
            return None
    return found


def renamed(mapping: dict[str, Any], renames: dict[str, str]) -> dict[str, Any]:
    return {target: mapping[source] for source, target in renames.items() if source in mapping}


ok = "ok"
MODELS: dict[str, tuple[st.SearchStrategy[dict[str, Any]], Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]]] = {
    "coalesce": (
        st.fixed_dictionaries({"fallback": values}, optional={"value": values}),
        lambda p: (ok, {"value": p["fallback"] if p.get("value") is None else p["value"]}),
    ),
    "constant": (st.fixed_dictionaries({"value": values}), lambda p: (ok, {"value": p["value"]})),
    "pick_key": (
        st.fixed_dictionaries({"mapping": mappings, "key": keys}),
        lambda p: (ok, {"value": p["mapping"].get(p["key"])}),
    ),
    "pick_path": (
        st.fixed_dictionaries({"mapping": mappings, "path": st.lists(keys, min_size=1, max_size=3).map(".".join)}),
        lambda p: (ok, {"value": walk(p["mapping"], p["path"])}),
    ),
    "project_fields": (
        st.fixed_dictionaries({"mapping": mappings, "fields": st.lists(keys, max_size=4)}),
        lambda p: (ok, {"mapping": {key: p["mapping"][key] for key in p["fields"] if key in p["mapping"]}}),
    ),
    "rename_fields": (
        st.fixed_dictionaries({"mapping": mappings, "renames": st.dictionaries(keys, keys, max_size=3)}),
        lambda p: (ok, {"mapping": renamed(p["mapping"], p["renames"])}),
    ),
    "truthy": (
        st.fixed_dictionaries({"value": values}),
        lambda p: ("truthy" if p["value"] else "falsey", {"value": bool(p["value"])}),
    ),
    "first_item": (
        st.fixed_dictionaries({"items": st.lists(values, min_size=1, max_size=3)}),
        lambda p: (ok, {"item": p["items"][0]}),
    ),
    "first_item_or_none": (
        st.fixed_dictionaries({"items": st.lists(values, max_size=3)}),
        lambda p: (ok, {"item": p["items"][0] if p["items"] else None}),
    ),
    "first_item_maybe": (
        st.fixed_dictionaries({"items": st.lists(values, max_size=3)}),
        lambda p: ("found", {"item": p["items"][0]}) if p["items"] else ("missing", {"item": None}),
    ),
    "last_item": (
        st.fixed_dictionaries({"items": st.lists(values, min_size=1, max_size=3)}),
        lambda p: (ok, {"item": p["items"][-1]}),
    ),
    "last_item_or_none": (
        st.fixed_dictionaries({"items": st.lists(values, max_size=3)}),
        lambda p: (ok, {"item": p["items"][-1] if p["items"] else None}),
    ),
    "length": (
        st.fixed_dictionaries({"items": st.lists(values, max_size=5)}),
        lambda p: (ok, {"count": len(p["items"])}),
    ),
    "is_empty": (
        st.fixed_dictionaries({"items": st.lists(values, max_size=2)}),
        lambda p: (ok, {"value": not p["items"]}),
    ),
    "filter_items": (
        st.fixed_dictionaries({"items": records, "key": keys, "value": values}),
        lambda p: (ok, {"items": [item for item in p["items"] if same(item.get(p["key"]), p["value"])]}),
    ),
    "filter_items_present": (
        st.fixed_dictionaries({"items": records, "key": keys}),
        lambda p: (ok, {"items": [item for item in p["items"] if p["key"] in item]}),
    ),
    "extract_field": (
        st.fixed_dictionaries({"items": records, "field": keys}),
        lambda p: (ok, {"values": [item[p["field"]] for item in p["items"] if p["field"] in item]}),
    ),
    "concat": (
        st.fixed_dictionaries(
            {"items": st.lists(st.text(max_size=3), max_size=4)}, optional={"separator": st.text(max_size=2)}
        ),
        lambda p: (ok, {"text": p.get("separator", "").join(p["items"])}),
    ),
}
MODELS["default_if_none"] = MODELS["coalesce"]


@pytest.mark.parametrize("name", sorted(MODELS))
@settings(max_examples=60)
@given(data=st.data())
def test_each_node_does_what_its_python_model_does(name: str, data: st.DataObject) -> None:
    payloads, model = MODELS[name]
    payload = data.draw(payloads)
    spec: NodeSpec[Any, Any] = getattr(ops, name)

    answer = spec.to_registry_handler()(payload, CTX)

    outcome, output = model(payload)
    assert answer["outcome"] == outcome
    assert same(answer["output"], output)


def test_every_node_has_a_model_here() -> None:
    assert sorted([*MODELS, "runtime_error"]) == sorted(ops.OP_NAMES)
    assert [spec.name for spec in ops.AUTHORING_STD_SPECS] == [f"authoring.{name}" for name in ops.OP_NAMES]


@pytest.mark.parametrize("name", ops.OP_NAMES)
def test_contracts_are_the_models(name: str) -> None:
    spec: NodeSpec[Any, Any] = getattr(ops, name)

    assert issubclass(spec.input_model, BaseModel)
    for schema, model in ((spec.input_schema, spec.input_model), (spec.output_schema, spec.output_model)):
        expected = model.model_json_schema()
        expected.pop("description", None)
        assert schema["title"] == model.__name__
        assert schema["properties"] == expected["properties"]
        assert schema["required"] == expected.get("required", [])
    assert not spec.is_async
    assert not spec.accepts_context
    assert spec.description
    assert spec is getattr(wf_authoring, name)


def test_only_the_strict_ones_ask_for_an_item() -> None:
    strict = [spec.name for spec in ops.AUTHORING_STD_SPECS if "minItems" in str(spec.input_schema)]

    assert strict == ["authoring.first_item", "authoring.last_item"]


def test_nodes_are_called_with_models() -> None:
    assert ops.length(models.SequenceInput(items=[1, 2])) == models.CountOutput(count=2)
    assert ops.truthy(models.TruthyInput(value=0)) == NodeReturn("falsey", models.BoolOutput(value=False))
    assert ops.truthy(models.TruthyInput(value=1)) == NodeReturn("truthy", models.BoolOutput(value=True))


def test_the_alias_shares_its_function() -> None:
    assert ops.default_if_none.fn is ops.coalesce.fn
    assert node(ops.length, name="demo.count").fn is ops.length.fn


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"message": "boom"}, "^boom$"),
        ({"message": "boom", "details": {"a": [1, None]}}, r"^boom: \{'a': \[1, None\]\}$"),
    ],
)
def test_runtime_error_raises(payload: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        ops.runtime_error.to_registry_handler()(payload, CTX)
    with pytest.raises(RuntimeError, match=message):
        ops.runtime_error(models.RuntimeErrorInput(**payload))


def test_native_handlers_are_taken_by_both_registries() -> None:
    sync_handler: Any = build_registry(ops.length)["authoring.length"]

    assert build_async_registry(ops.length)["authoring.length"] is sync_handler


def test_an_alias_of_a_standard_node_runs_in_a_workflow() -> None:
    count = node(ops.length, name="demo.count")
    anything = {"type": "object", "properties": {"items": {}, "count": {}}}
    builder = WorkflowBuilder("demo", anything, anything, anything)
    builder.set_entry_point(count)
    builder.connect("demo_count", "ok", builder.end())

    assert builder.execute({"items": [1, 2, 3]}).output["count"] == 3


def test_unknown_names_are_attribute_errors() -> None:
    for module in (ops, wf_authoring):
        with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
            module.nonsense  # noqa: B018
