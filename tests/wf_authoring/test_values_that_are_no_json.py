"""What pydantic would lose on the way to JSON is refused with the node and the path instead (D4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import pytest
from pydantic import BaseModel, ConfigDict

from wf_authoring import NodeReturn, WorkflowBuilder, node

if TYPE_CHECKING:
    from wf_authoring import NodeSpec

STRANGER = object()
BAD = [(math.nan, "value.not_finite"), (math.inf, "value.not_finite"), (STRANGER, "value.not_json")]


class Model(BaseModel):
    found: Any


class Parent(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    inner: Model


@dataclass
class Plain:
    found: list[Any]


class Keys(TypedDict):
    found: Any


def nodes(value: Any) -> list[NodeSpec[Any, Any]]:
    """The same bad value in each kind of output."""

    @node
    def of_a_model() -> Model:
        return Model(found=[value])

    @node
    async def of_a_coroutine() -> Model:
        return Model(found=[value])

    @node
    def of_a_nested_model() -> Parent:
        return Parent(inner=Model(found=value))

    @node
    def of_a_return() -> NodeReturn[Model]:
        return NodeReturn(outcome="ok", output=Model(found={"a": value}))

    @node
    def of_a_dataclass() -> Plain:
        return Plain(found=[value])

    @node
    def of_a_typed_dict() -> Keys:
        return {"found": value}

    @node
    def of_a_result() -> list[Model]:
        return [Model(found=value)]

    @node
    def of_a_dict() -> dict[str, Any]:
        return {"found": value}

    return [
        of_a_model,
        of_a_coroutine,
        of_a_nested_model,
        of_a_return,
        of_a_dataclass,
        of_a_typed_dict,
        of_a_result,
        of_a_dict,
    ]


@pytest.mark.parametrize(("value", "code"), BAD)
@pytest.mark.parametrize("which", range(8))
def test_the_step_fails_with_the_code_and_the_path(which: int, value: Any, code: str) -> None:
    spec = nodes(value)[which]
    flow = WorkflowBuilder("w", input_schema=dict, state_schema={"type": "object"}, output_schema={"type": "object"})
    step = flow.use(spec)
    flow.set_entry_point(step)
    flow.connect(step, "ok", flow.end())
    run = flow.compile().run({})
    assert run.status == "failed"
    assert run.error is not None
    assert run.error.type == "JsonValueError"
    assert run.error.data["code"] == code
    assert f"'{spec.name}' output" in str(run.error)
    assert "found" in str(run.error)


def test_a_subclass_is_dumped_whole() -> None:
    class More(Model):
        extra: int = 1

    @node
    def gives() -> Model:
        return More(found=2)

    assert gives.to_registry_handler()({}, None) == {"outcome": "ok", "output": {"found": 2, "extra": 1}}
