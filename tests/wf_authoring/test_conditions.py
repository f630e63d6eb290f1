"""Conditions as expressions."""

from typing import Any

import pytest

from wf_authoring import PathExpr, context, exists, expr, input, not_, state, state_path  # noqa: A004 - the spec's name
from wf_authoring.dsl import compile_condition
from wf_core.models.conditions import ExistsCondition


def dump(condition: Any) -> Any:
    return compile_condition(condition).model_dump(mode="json")


@pytest.mark.parametrize("op", ["eq", "ne", "gt", "ge", "lt", "le"])
def test_each_comparison_has_a_method_and_an_operator(op: str) -> None:
    path = state("a")
    operators = {
        "eq": path == 1,
        "ne": path != 1,
        "gt": path > 1,
        "ge": path >= 1,
        "lt": path < 1,
        "le": path <= 1,
    }
    expected = {"op": op, "left": {"path": "state.a"}, "right": {"value": 1}}

    assert dump(getattr(path, op)(1)) == expected
    assert dump(operators[op]) == expected


def test_the_right_side_may_be_a_path() -> None:
    expected = {"op": "eq", "left": {"path": "state.a"}, "right": {"path": "input.b"}}

    assert dump(state("a") == input("b")) == expected
    assert dump(state("a") == state_path("b")) == {**expected, "right": {"path": "state.b"}}
    assert dump(state("a") == "input.b")["right"] == {"value": "input.b"}
    assert dump(state("a") == None)["right"] == {"value": None}  # noqa: E711 - a condition, not a comparison


def test_conditions_are_combined_and_not_flattened() -> None:
    one, two, three = exists(state("a")), state("b") > 1, context("item") == "x"

    assert dump(one & two & three) == {
        "op": "and",
        "args": [{"op": "and", "args": [dump(one), dump(two)]}, dump(three)],
    }
    assert dump(one | ~two) == {"op": "or", "args": [dump(one), {"op": "not", "arg": dump(two)}]}
    assert dump(not_(one)) == {"op": "not", "arg": {"op": "exists", "path": "state.a"}}
    assert dump(not_(one.to_condition())) == dump(not_(one))


def test_existence_is_asked_either_way() -> None:
    assert dump(exists(state_path("a"))) == dump(state("a").exists()) == {"op": "exists", "path": "state.a"}


def test_comparing_paths_never_compares() -> None:
    assert bool(state("a") == state("b"))
    assert hash(state("a")) == hash(state("a"))
    assert state("a").path == str(state("a")) == "state.a"


def test_a_document_is_a_condition_already() -> None:
    condition = ExistsCondition(op="exists", path="state.a")

    assert compile_condition(condition) is condition


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: exists(state("a")) & True, "unsupported operand"),  # type: ignore[operator]
        (lambda: exists(state("a")) | state("b"), "unsupported operand"),  # type: ignore[operator]
        (lambda: compile_condition("state.a"), "expected a condition, not str"),  # type: ignore[arg-type]
        (lambda: expr("state.a"), "expected a PathExpr or GraphPath, not str"),  # type: ignore[arg-type]
        (lambda: state("a") == (state("b") == 1), "a condition is no operand"),
    ],
)
def test_what_is_no_condition_is_refused(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


def test_a_literal_that_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match=r"finite JSON|JSON value|JSON"):
        state("a") == {1, 2}  # noqa: B015 - making the condition is what fails


def test_expr_makes_a_path_comparable() -> None:
    assert isinstance(expr(state_path("a")), PathExpr)
    assert expr(state("a")).path == "state.a"
