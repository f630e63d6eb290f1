"""Values between Python and Rust."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import gc
import json
from collections import OrderedDict, UserDict, defaultdict
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wf_core import EndNode, validate_strict_json_value
from wf_core.errors import JsonValueError

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(2**200), max_value=2**200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


def same(a: Any, b: Any) -> bool:
    """Equal as JSON text: kinds, key order and the sign of zero included."""
    return json.dumps(a) == json.dumps(b)


@given(json_values)
def test_every_json_value_comes_back_as_it_went(value: Any) -> None:
    assert same(validate_strict_json_value(value), value)


@pytest.mark.parametrize(
    "number",
    [0, -1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**5000, -(10**5000)],
    ids=lambda number: f"{number.bit_length()} bits",
)
def test_d4_integers_of_any_size_are_exact(number: int) -> None:
    assert validate_strict_json_value([number]) == [number]
    assert type(validate_strict_json_value(number)) is int


def test_d4_key_order_is_kept() -> None:
    assert list(validate_strict_json_value({"z": 1, "a": 2, "m": 3})) == ["z", "a", "m"]


def test_booleans_stay_booleans_and_floats_stay_floats() -> None:
    assert same(validate_strict_json_value([True, 1, 1.0, False, 0, -0.0]), [True, 1, 1.0, False, 0, -0.0])


def test_d4_containers_are_fresh() -> None:
    inner = {"a": [1]}
    copy = validate_strict_json_value({"x": inner, "y": inner})
    assert copy["x"] == inner
    assert copy["x"] is not inner
    assert copy["x"] is not copy["y"]


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Plain:
    pass


class Model(pydantic.BaseModel):
    x: int = 1


def test_subclasses_count_as_the_json_type_they_extend() -> None:
    value = {Colour.RED: OrderedDict(a=Level.HIGH), "d": defaultdict(list, {"k": [1]})}
    assert same(validate_strict_json_value(value), {"red": {"a": 3}, "d": {"k": [1]}})


@pytest.mark.parametrize(
    ("value", "code", "path", "kind"),
    [
        (float("nan"), "value.not_finite", "", "float"),
        ({"a": [1.5, float("inf")]}, "value.not_finite", "a[1]", "float"),
        ({"a": {1: 2}}, "value.key_not_a_string", "a", "int"),
        ({"a": {"b c": (1, 2)}}, "value.not_json", 'a["b c"]', "tuple"),
        ({"tags": {1}}, "value.not_json", "tags", "set"),
        ([dt.datetime(2026, 1, 1, tzinfo=dt.UTC)], "value.not_json", "[0]", "datetime"),
        ({"price": decimal.Decimal("1.5")}, "value.not_json", "price", "Decimal"),
        ({"raw": b"x"}, "value.not_json", "raw", "bytes"),
        (UserDict(a=1), "value.not_json", "", "UserDict"),
        ({"o": [Plain()]}, "value.not_json", "o[0]", "Plain"),
        ({"o": Model()}, "value.not_json", "o", "Model"),
        ({"o": EndNode(id="end")}, "value.not_json", "o", "EndNode"),
        ({"s": "\ud800"}, "value.lone_surrogate", "s", "str"),
        ({"a": {"\udfff": 1}}, "value.lone_surrogate", "a", "str"),
    ],
)
def test_d4_what_is_no_json_names_the_place_and_the_type(value: Any, code: str, path: str, kind: str) -> None:
    with pytest.raises(JsonValueError) as caught:
        validate_strict_json_value(value)
    assert (caught.value.code, caught.value.path, caught.value.python_type) == (code, path, kind)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("value", "phrase"),
    [
        (float("nan"), "JSON numbers must be finite"),
        ({1: 2}, "JSON object keys must be strings"),
        ((1,), "value must be a finite JSON value"),
    ],
)
def test_the_phrases_are_those_that_callers_know(value: Any, phrase: str) -> None:
    with pytest.raises(ValueError, match=phrase):
        validate_strict_json_value(value)


def test_a_pydantic_model_says_what_to_do() -> None:
    with pytest.raises(JsonValueError, match=r"hint: pass `model.model_dump"):
        validate_strict_json_value([Model()])


@pytest.mark.parametrize("depth", [10_000, 100_000])
def test_deep_nesting_is_an_error(depth: int) -> None:
    value: Any = []
    for _ in range(depth):
        value = [value]
    with pytest.raises(JsonValueError, match="nest at most 256 deep"):
        validate_strict_json_value(value)
    while value:  # takes it apart flat: Python's own destructor would recurse
        value = value.pop()


def test_cyclic_containers_are_an_error() -> None:
    ring: list[Any] = []
    ring.append({"again": ring})
    with pytest.raises(JsonValueError, match="must not contain themselves"):
        validate_strict_json_value(ring)


def test_a_container_that_changes_while_it_is_read_does_no_harm() -> None:
    class Sneaky(pydantic.BaseModel):
        def model_dump(self, **options: Any) -> dict[str, Any]:
            host["new"] = 1
            return {}

    # Constructors dump models inside; this one grows the dict it stands in.
    host: dict[str, Any] = {f"k{i}": i for i in range(8)}
    host["sneaky"] = Sneaky()
    end = EndNode.model_validate({"id": "end", "extra": host})
    assert end.id == "end"
    assert host["new"] == 1


def test_the_table_of_keys_never_mixes_keys_up() -> None:
    # Far more keys than the table has slots, all alive only for a moment, so that addresses are given out again.
    for round_number in range(50):
        value = {f"key-{round_number}-{i}": i for i in range(2000)}
        copy = validate_strict_json_value(value)
        assert copy == value
        del value, copy
        gc.collect(0)


def test_a_hundred_megabytes_of_text_pass() -> None:
    text = "x" * 100_000_000
    assert len(validate_strict_json_value({"t": text})["t"]) == len(text)
