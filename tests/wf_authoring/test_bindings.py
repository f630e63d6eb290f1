"""Bindings, and the older maps."""

from typing import Any

import pytest

from wf_authoring import (
    bind_fields,
    bind_state,
    input_expression,
    input_from,
    input_path,
    input_value,
    merge_maps,
    output_to,
    state,
    state_path,
)
from wf_authoring.builder.mapping import (
    input_binding,
    normalize_input_mapping,
    normalize_output_mapping,
    output_binding,
    step_input,
    step_output,
)


def dump(binding: Any) -> Any:
    return binding.model_dump(mode="json")


def test_a_path_fills_a_field() -> None:
    expected = {"target": "text", "path": "input.text"}

    assert dump(input_from("input.text", "text")) == expected
    assert dump(input_from(input_path("text"), "text")) == expected
    assert dump(input_from({"root": "input", "parts": ["text"]}, ["text"])) == expected
    assert dump(input_from(state("a"), ".")) == {"target": ".", "path": "state.a"}


def test_a_value_fills_a_field() -> None:
    assert dump(input_value("limit", 3)) == {"target": "limit", "value": 3}
    assert dump(input_value("limit", None)) == {"target": "limit", "value": None}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({1: "a"}, "JSON object keys must be strings"),
        (float("nan"), "JSON numbers must be finite"),
        ({"a"}, "value must be a finite JSON value"),
        (object(), "value must be a finite JSON value"),
    ],
)
def test_a_value_must_be_json(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        input_value("limit", value)


def test_an_expression_fills_a_field() -> None:
    binding = input_expression("request", {"items": [state("v"), "!", [1, 2]], "fixed": {"a": 1}})

    assert dump(binding) == {
        "target": "request",
        "expression": {
            "kind": "object",
            "fields": {
                "items": {
                    "kind": "array",
                    "items": [
                        {"kind": "path", "path": "state.v"},
                        {"kind": "literal", "value": "!"},
                        {"kind": "literal", "value": [1, 2]},
                    ],
                },
                "fixed": {"kind": "literal", "value": {"a": 1}},
            },
        },
    }


def test_an_output_goes_into_the_state() -> None:
    expected = {"source": "count", "target": "state.total"}

    assert dump(output_to("count", "total")) == expected
    assert dump(output_to("count", "state.total")) == expected
    assert dump(output_to("count", state_path("total"))) == expected
    assert dump(output_to("count", state("total"))) == expected
    assert dump(output_to(".", ["a b"])) == {"source": ".", "target": 'state."a b"'}


@pytest.mark.parametrize("target", ["input.b", "state", input_path("b"), state_path()])
def test_an_output_goes_nowhere_else(target: Any) -> None:
    with pytest.raises(ValueError, match="expected state graph path"):
        output_to("count", target)


def test_the_older_maps() -> None:
    assert bind_fields(text="input.text", limit=state_path("limit")) == {"input.text": "text", "state.limit": "limit"}
    assert bind_state(count="total", words="state.words") == {"count": "state.total", "words": "state.words"}
    assert merge_maps({"a": 1}, {"b": 2}, {"a": 3}) == {"a": 3, "b": 2}
    assert normalize_input_mapping({"state . a": "b"}) == {"state.a": "b"}
    assert normalize_output_mapping({"a": "b", ".": "state.c"}) == {"a": "state.b", ".": "state.c"}


def test_mappings_stand_for_bindings() -> None:
    assert dump(input_binding({"target": "a", "path": "state.b"})) == {"target": "a", "path": "state.b"}
    assert dump(input_binding({"target": "a", "value": None})) == {"target": "a", "value": None}
    assert dump(input_binding({"target": "a", "expression": {"kind": "literal", "value": 1}}))["expression"] == {
        "kind": "literal",
        "value": 1,
    }
    assert dump(input_binding({"target": "a", "expression": [state("b")]}))["expression"]["kind"] == "array"
    assert dump(output_binding({"source": "a", "target": "b"})) == {"source": "a", "target": "state.b"}


def test_older_maps_put_values_first_and_warn() -> None:
    with pytest.warns(DeprecationWarning, match="canonical input/output") as caught:
        bindings = step_input(None, {"state.a": "a"}, {"b": 1})

    assert bindings is not None
    assert [dump(item) for item in bindings] == [{"target": "b", "value": 1}, {"target": "a", "path": "state.a"}]
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="canonical input/output"):
        assert step_output(None, {"a": "b"}) == [output_to("a", "b")]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: step_input([], {"state.a": "a"}), "cannot mix canonical input with deprecated in_map/input_values"),
        (lambda: step_input([], None, {}), "cannot mix canonical input with deprecated in_map/input_values"),
        (lambda: step_output([], {}), "cannot mix canonical output with deprecated out_map"),
        (lambda: input_binding({"target": "a"}), "input binding must contain either 'path' or 'value'"),
        (lambda: input_binding({"target": "a", "path": "state.a", "value": 1}), "not path and value"),
        (lambda: input_binding({"path": "state.a"}), "input binding must contain 'target'"),
        (lambda: input_binding("state.a"), "unsupported input binding 'state.a'"),
        (lambda: output_binding("state.a"), "unsupported output binding 'state.a'"),
        (lambda: output_binding({"source": "a"}), "output binding must contain 'target'"),
        (
            lambda: normalize_input_mapping([({"root": "state", "parts": ["a"]}, "a")]),
            "structural path dicts cannot be map keys in in_map; ",
        ),
    ],
)
def test_what_is_no_binding_is_refused(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()
