"""Plain types against pydantic: both must take the same values and describe them alike."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from wf_authoring.contracts.inputs import input_contract
from wf_authoring.contracts.outputs import merged_schema
from wf_authoring.contracts.plain import NotPlainError, plain_type
from wf_authoring.nodes.docstrings import parameter_descriptions

ANNOTATIONS: list[Any] = [
    str,
    int,
    float,
    bool,
    type(None),
    Any,
    list[int],
    list[float],
    list[str],
    dict[str, int],
    dict[str, list[bool]],
    list[dict[str, float]],
    int | None,
    str | int,
    Literal["a", "b"],
    Literal[1],
    list[Literal["a", 1, True] | None],
]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("annotation", ANNOTATIONS, ids=str)
def test_plain_schemas_are_pydantics(annotation: Any) -> None:
    plain = plain_type(annotation)

    assert plain is not None
    assert plain.schema == TypeAdapter(annotation).json_schema()


@given(annotation=st.sampled_from(ANNOTATIONS), value=json_values)
def test_what_a_plain_type_takes_is_what_pydantic_makes_of_it(annotation: Any, value: Any) -> None:
    plain = plain_type(annotation)
    assert plain is not None
    try:
        taken = plain.take(value)
    except NotPlainError:
        return

    try:
        expected = TypeAdapter(annotation).validate_python(value)
    except ValidationError as error:
        # Whole floats beyond 64 bits are exact integers here, and too long to parse there.
        assert {item["type"] for item in error.errors()} == {"int_parsing_size"}  # noqa: PT017 - one cause is allowed
        return

    assert taken == expected
    assert type(taken) is type(expected)


@given(value=json_values)
def test_a_value_of_the_exact_type_is_always_taken(value: Any) -> None:
    for annotation in ANNOTATIONS:
        plain = plain_type(annotation)
        assert plain is not None
        if plain.exact is not None and type(value) is plain.exact:
            assert plain.take(value) is value


def test_other_types_are_left_to_pydantic() -> None:
    for annotation in (complex, set[int], tuple[int, ...], dict[int, str], list[bytes], int | bytes, Literal[b"a"]):
        assert plain_type(annotation) is None


def test_a_merged_schema_names_every_property() -> None:
    merged = merged_schema(
        [
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "c": {"type": "integer"}},
                "required": ["a", "c"],
            },
            {
                "type": "object",
                "properties": {"b": {"$ref": "#/$defs/B"}, "c": {}},
                "required": ["c"],
                "$defs": {"B": {}},
            },
        ]
    )

    assert merged["properties"] == {"a": {"type": "string"}, "c": {}, "b": {"$ref": "#/$defs/B"}}
    assert merged["required"] == ["c"]
    assert merged["$defs"] == {"B": {}}
    assert len(merged["anyOf"]) == 2


def test_two_definitions_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="different types of the same name 'B'"):
        merged_schema([{"$defs": {"B": {"type": "string"}}}, {"$defs": {"B": {"type": "integer"}}}])


def test_only_objects_have_an_input_contract() -> None:
    with pytest.raises(TypeError, match="int is no pydantic model, dataclass or TypedDict"):
        input_contract(int)


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("", {}),
        ("No section.", {}),
        (
            "X.\n\nArgs:\n    a: One.\n    b (int): Two\n        more.\n\nReturns:\n    c: No.",
            {"a": "One.", "b": "Two more."},
        ),
        ("X.\n\nArguments:\n  a: One.\n", {"a": "One."}),
    ],
)
def test_parameters_are_described_by_the_docstring(doc: str, expected: dict[str, str]) -> None:
    assert parameter_descriptions(doc) == expected
