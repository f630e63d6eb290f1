"""Schemas from models and types; reducers on state fields."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Optional, TypedDict

import pytest
from pydantic import BaseModel, ConfigDict, Field

from wf_authoring import StateFieldMetadata, reducer, schema_ref_from, state_field, state_schema_from
from wf_core import ReducerRef, SchemaRef, StateSchema

Sum = Annotated[int, state_field(reducer="wf.std.add")]


class Name(BaseModel):
    first: Annotated[str, state_field(reducer="wf.std.max")] = "x"
    last: str = ""


class Person(BaseModel):
    name: Annotated[Name, state_field(reducer="wf.std.merge_object", trace=False)]
    nick: Name = Name(first="n")
    tags: Annotated[list[str], state_field(reducer="wf.std.append")] = Field(default_factory=list)


class Tree(BaseModel):
    value: Sum = 0
    children: list["Tree"] = []
    parent: Optional["Tree"] = None


class Chain(BaseModel):
    link: "Link"


class Link(BaseModel):
    weight: Sum = 1
    next: Chain


def properties(schema: StateSchema) -> dict[str, Any]:
    return schema.model_dump(mode="json")["properties"]  # type: ignore[no-any-return]


def index(schema: StateSchema) -> dict[str, str]:
    return {str(path): declared.reducer.name for path, declared in schema.field_index().items()}


# --- schema_ref_from -------------------------------------------------------------------------------------------------


def test_a_schema_stays_itself() -> None:
    schema = SchemaRef.model_validate({"type": "object"})

    assert schema_ref_from(schema) is schema
    assert schema_ref_from({"type": "object"}) == schema


def test_models_and_types_have_schemas() -> None:
    class Words(TypedDict):
        words: list[str]

    @dataclass
    class Point:
        x: int
        y: int = 0

    assert list(schema_ref_from(Name).properties) == ["first", "last"]
    assert schema_ref_from(Words).model_dump(mode="json")["required"] == ["words"]
    assert schema_ref_from(Point).model_dump(mode="json")["required"] == ["x"]
    assert schema_ref_from(list[int]).model_dump(mode="json")["items"] == {"type": "integer"}


def test_a_bad_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="invalid JSON Schema"):
        schema_ref_from({"type": "nonsense"})


def test_a_type_without_json_form_is_refused() -> None:
    class Socket: ...

    with pytest.raises(TypeError, match="Socket has no JSON form"):
        schema_ref_from(Socket)


# --- state_field -----------------------------------------------------------------------------------------------------


def test_a_reducer_may_be_written_in_four_ways() -> None:
    @reducer(name="demo.longest")
    def longest(current: Any, incoming: Any) -> Any:
        return max(current or "", incoming, key=len)

    assert state_field() == StateFieldMetadata(ReducerRef.model_validate("wf.std.replace"), trace=True)
    assert state_field(reducer="wf.std.add").reducer.name == "wf.std.add"
    assert state_field(reducer=ReducerRef.model_validate("wf.std.add")).reducer.name == "wf.std.add"
    assert state_field(reducer={"name": "demo.mod", "config": {"by": 3}}).reducer.config == {"by": 3}
    assert state_field(reducer=longest, trace=False).reducer.name == "demo.longest"


def test_a_reducer_name_needs_a_source() -> None:
    with pytest.raises(ValueError, match="capability ref requires source and capability segments"):
        state_field(reducer="add")


# --- state_schema_from -----------------------------------------------------------------------------------------------


def test_a_state_schema_stays_itself() -> None:
    schema = StateSchema.model_validate({"properties": {"a": {"type": "string"}}})

    assert state_schema_from(schema) is schema
    assert state_schema_from({"fields": {"a": {"type": "string"}}}).root_fields() == {"a"}


def test_plain_types_need_no_model() -> None:
    class State(TypedDict):
        total: Sum
        text: str

    @dataclass
    class Other:
        total: Sum = 3
        words: list[str] = field(default_factory=lambda: ["a"])

    assert index(state_schema_from(State)) == {"state.total": "wf.std.add", "state.text": "wf.std.replace"}
    assert properties(state_schema_from(Other)) == {
        "total": {"type": "integer", "default": 3, "reducer": "wf.std.add"},
        "words": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.replace", "default": ["a"]},
    }


def test_d18_metadata_on_a_nested_model_stays_with_its_field() -> None:
    class State(BaseModel):
        person: Person
        other: Annotated[Person, state_field(reducer="wf.std.replace", trace=False)]

    schema = state_schema_from(State)

    reducers = index(schema)
    assert reducers["state.person"] == reducers["state.other"] == "wf.std.replace"
    assert reducers["state.person.name"] == "wf.std.merge_object"
    assert reducers["state.person.nick"] == "wf.std.replace"
    assert reducers["state.other.name.first"] == "wf.std.max"
    assert reducers["state.other.tags"] == "wf.std.append"
    traced = {str(path): declared.trace for path, declared in schema.field_index().items()}
    assert traced["state.person"] is True
    assert traced["state.other"] is False
    assert traced["state.person.name"] is False
    assert traced["state.person.nick"] is True


def test_d18_recursive_models_have_a_state_schema() -> None:
    tree = state_schema_from(Tree)
    chain = state_schema_from(Chain)

    assert index(tree)["state.value"] == "wf.std.add"
    assert "wf.std.add" in str(chain.model_dump(mode="json")["$defs"]["Link"])


def test_aliases_are_the_names_of_fields() -> None:
    class State(BaseModel):
        model_config = ConfigDict(populate_by_name=True)
        total: Sum = Field(0, alias="total.amount")
        inner: Annotated[Name, state_field(trace=False)] = Field(validation_alias="theName")

    schema = state_schema_from(State)

    assert properties(schema)["total.amount"]["reducer"] == "wf.std.add"
    assert properties(schema)["theName"]["trace"] is False
    assert 'state."total.amount"' in index(schema)


def test_a_configured_reducer_is_written_as_an_object() -> None:
    class State(BaseModel):
        total: Annotated[int, state_field(reducer={"name": "demo.mod", "config": {"by": 3}})]

    assert properties(state_schema_from(State))["total"]["reducer"] == {
        "ref": {"source": "demo", "capability_key": "mod"},
        "config": {"by": 3},
    }


def test_defaults_of_root_fields_are_written() -> None:
    class State(BaseModel):
        needed: int
        count: int = 3
        words: list[str] = Field(default_factory=lambda: ["a"])
        name: Name = Name(first="f")
        none: str | None = None

    found = properties(state_schema_from(State))

    assert "default" not in found["needed"]
    assert found["count"]["default"] == 3
    assert found["words"]["default"] == ["a"]
    assert found["name"]["default"] == {"first": "f", "last": ""}
    assert found["none"].get("default") is None
