"""`@reducer` and catalogs of reducers."""

import dataclasses
from typing import Any, TypedDict

import pytest
from pydantic import BaseModel

from wf_authoring import AuthoredReducer, ReducerCatalog, reducer
from wf_core import ReducerRef, SiblingWritePolicy, WorkflowExecutionError


class Modulus(BaseModel):
    by: int


@reducer(name="demo.longest", sibling_write_policy=SiblingWritePolicy.EXCLUSIVE)
def longest(current: Any, incoming: Any) -> Any:
    """Keep the longer one."""
    return max(current or "", incoming, key=len)


@reducer(name="demo.mod", config_model=Modulus)
def modulo(current: Any, incoming: Any, config: Modulus) -> Any:
    return ((current or 0) + incoming) % config.by


def apply(authored: AuthoredReducer, config: dict[str, Any], current: Any, incoming: Any) -> Any:
    return authored.definition.apply(
        reducer=ReducerRef(name=authored.name, config=config),
        current_value=current,
        incoming_value=incoming,
        destination_path="state.x",
    )


def test_a_reducer_holds_its_contract() -> None:
    spec = longest.definition.spec

    assert spec.name == "demo.longest"
    assert spec.description == "Keep the longer one."
    assert spec.sibling_write_policy == "exclusive"
    assert spec.config_schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert not longest.definition.accepts_config
    assert not callable(longest)
    with pytest.raises(dataclasses.FrozenInstanceError):
        longest.definition = modulo.definition  # type: ignore[misc]


def test_a_reducer_merges() -> None:
    assert apply(longest, {}, None, "ab") == "ab"
    assert apply(longest, {}, "abc", "ab") == "abc"
    assert apply(modulo, {"by": 5}, 4, 3) == 2


def test_a_configuration_is_checked() -> None:
    assert modulo.definition.accepts_config
    assert modulo.definition.spec.config_schema["required"] == ["by"]
    with pytest.raises(WorkflowExecutionError, match=r"reducer config for 'demo\.mod'"):
        apply(modulo, {}, 4, 3)
    with pytest.raises(WorkflowExecutionError, match=r"reducer config for 'demo\.longest'"):
        apply(longest, {"by": 3}, "a", "b")


def test_a_type_error_names_the_path() -> None:
    with pytest.raises(WorkflowExecutionError, match=r"at 'state.x'"):
        apply(longest, {}, None, 3)


def test_names_and_descriptions_have_defaults() -> None:
    class Config(TypedDict):
        by: int

    def merge(current: Any, incoming: Any, config: Config) -> Any:
        return incoming + config["by"]

    named = reducer(merge, config_model=Config, description="  Adds.  ")

    assert named.name == "merge"
    assert named.definition.spec.description == "Adds."
    assert reducer(lambda current, incoming: incoming).definition.spec.description is None
    assert reducer(max, name="demo.max").definition.fn(1, 2) == 2


def test_a_function_of_another_shape_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"(?s)must accept \(current, incoming\): 'wrong' does not.*hint: a config_model"
    ):

        @reducer(name="wrong")
        def one(current: Any) -> Any: ...

    with pytest.raises(TypeError, match=r"must accept \(current, incoming, config\)"):
        reducer(longest.definition.fn, config_model=Modulus)


def test_a_catalog_keeps_reducers_by_name() -> None:
    catalog = ReducerCatalog.from_reducers(longest, modulo)

    assert list(catalog.definitions) == ["demo.longest", "demo.mod"]
    assert catalog.specs["demo.mod"] == modulo.definition.spec
