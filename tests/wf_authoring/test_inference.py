"""`@node`: what is inferred from signatures, and what is refused with which words."""

# mypy: disable-error-code="empty-body, no-untyped-def"

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Awaitable, Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from pydantic import BaseModel, Field

from wf_authoring import NodeReturn, NodeSpec, NoOutput, Nothing, node, outcome
from wf_core import RuntimeContext

if TYPE_CHECKING:
    from nowhere import OnlyForTheChecker  # type: ignore[import-not-found]


class Question(BaseModel):
    text: str
    limit: int = 3


class Answer(BaseModel):
    words: list[str]


class Other(BaseModel):
    score: float


@dataclass
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)


class Options(TypedDict):
    name: str
    depth: NotRequired[int]


class Colour(Enum):
    RED = "red"


def call(spec: NodeSpec[Any, Any], payload: dict[str, Any]) -> dict[str, Any]:
    return spec.to_registry_handler()(payload, RuntimeContext(current_node_id="n"))


def schema(spec: NodeSpec[Any, Any]) -> dict[str, Any]:
    dumped: dict[str, Any] = spec.to_node_def().input_schema.model_dump(mode="json")
    return dumped


# --- what a payload may be -------------------------------------------------------------------------------------------


def test_d17_a_pydantic_model_is_the_payload_and_the_output() -> None:
    @node
    def split(question: Question) -> Answer:
        return Answer(words=question.text.split()[: question.limit])

    assert split.input_model is Question
    assert split.output_model is Answer
    assert call(split, {"text": "a b c d"}) == {"outcome": "ok", "output": {"words": ["a", "b", "c"]}}


def test_d17_a_dataclass_is_the_payload_and_the_output() -> None:
    @node
    def mirror(point: Point) -> Point:
        return Point(-point.x, -point.y, point.tags)

    assert mirror.input_model is Point
    assert call(mirror, {"x": 3, "tags": ["a"]}) == {"outcome": "ok", "output": {"x": -3, "y": 0, "tags": ["a"]}}
    assert schema(mirror)["required"] == ["x"]
    assert mirror.output_schema["required"] == ["x", "y", "tags"]


def test_d17_a_typed_dict_is_the_payload_and_the_output() -> None:
    @node
    def deeper(options: Options) -> Options:
        return {"name": options["name"], "depth": options.get("depth", 0) + 1}

    assert call(deeper, {"name": "a"}) == {"outcome": "ok", "output": {"name": "a", "depth": 1}}
    assert schema(deeper)["required"] == ["name"]


def test_d17_each_plain_parameter_is_a_field() -> None:
    @node
    def clip(text: str, limit: int = 3, *, suffix: str | None = None) -> str:
        """Cut a text.

        Args:
            text: What is cut.
            limit: How many
                characters stay.
        """
        return text[:limit] + (suffix or "")

    assert call(clip, {"text": "abcdef"}) == {"outcome": "ok", "output": {"result": "abc"}}
    assert call(clip, {"text": "abcdef", "limit": 2, "suffix": "!"}) == {"outcome": "ok", "output": {"result": "ab!"}}
    assert schema(clip)["properties"] == {
        "text": {"type": "string", "description": "What is cut."},
        "limit": {"type": "integer", "default": 3, "description": "How many characters stay."},
        "suffix": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    }
    assert schema(clip)["required"] == ["text"]


def test_d17_parameters_of_richer_types_go_through_pydantic() -> None:
    @node
    def describe(day: date, colour: Colour, question: Question, at_most: Annotated[int, Field(ge=0)] = 5) -> str:
        return f"{day.year} {colour.name} {question.text} {at_most}"

    payload = {"day": "2024-02-29", "colour": "red", "question": {"text": "why"}}
    assert call(describe, payload) == {"outcome": "ok", "output": {"result": "2024 RED why 5"}}
    assert schema(describe)["properties"]["at_most"]["minimum"] == 0
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        call(describe, {**payload, "at_most": -1})


def test_a_parameter_may_have_an_alias() -> None:
    @node
    def echo(text: Annotated[str, Field(alias="X-Text", description="What.", min_length=2)]) -> str:
        return text

    assert call(echo, {"X-Text": "ab"})["output"] == {"result": "ab"}
    assert schema(echo)["properties"] == {
        "X-Text": {"description": "What.", "minLength": 2, "title": "X-Text", "type": "string"}
    }
    with pytest.raises(ValueError, match="X-Text"):
        call(echo, {"text": "ab"})


def test_a_field_default_of_pydantic_counts_as_the_default() -> None:
    @node
    def repeat(text: str, times: int = Field(default=2, ge=1)) -> str:
        return text * times

    assert call(repeat, {"text": "a"})["output"] == {"result": "aa"}


@pytest.mark.parametrize("name", ["copy", "json", "model_name", "_hidden", "schema"])
def test_names_that_pydantic_reserves_are_parameters_like_any_other(name: str) -> None:
    namespace: dict[str, Any] = {}
    exec(f"def echo({name}: int, when: __import__('datetime').date) -> int: return {name} + when.year", namespace)  # noqa: S102

    spec = node(namespace["echo"])

    assert call(spec, {name: 1, "when": "2024-01-01"})["output"] == {"result": 2025}
    assert list(schema(spec)["properties"]) == [name, "when"]


def test_a_function_without_parameters_takes_an_empty_object() -> None:
    @node
    def one() -> int:
        return 1

    assert call(one, {}) == {"outcome": "ok", "output": {"result": 1}}


def test_a_mutable_default_is_the_functions_own() -> None:
    marker: list[int] = []

    @node
    def same(items: list[int] = marker) -> bool:
        return items is marker

    assert call(same, {})["output"] == {"result": True}


def test_positional_only_parameters_are_passed_by_position() -> None:
    @node
    def subtract(a: int, b: int = 1, /, *, c: int = 0) -> int:
        return a - b - c

    assert call(subtract, {"a": 5})["output"] == {"result": 4}
    assert call(subtract, {"a": 5, "b": 2, "c": 1})["output"] == {"result": 2}


# --- the context -----------------------------------------------------------------------------------------------------


def test_d17_the_context_is_known_by_its_annotation_wherever_it_stands() -> None:
    @node
    def first(run: RuntimeContext, text: str) -> str:
        return f"{run.current_node_id} {text}"

    @node
    def keyword(text: str, *, where: RuntimeContext) -> str:
        return f"{where.current_node_id} {text}"

    @node
    def behind_a_model(question: Question, run: RuntimeContext) -> str:
        return f"{run.current_node_id} {question.text}"

    @node
    def before_a_model(run: RuntimeContext, question: Question) -> str:
        return f"{run.current_node_id} {question.text}"

    @node
    def positional(text: str, run: RuntimeContext, /) -> str:
        return f"{run.current_node_id} {text}"

    @node
    def optional(text: str, run: RuntimeContext | None = None) -> str:
        return f"{run and run.current_node_id} {text}"

    for spec in (first, keyword, behind_a_model, before_a_model, positional, optional):
        assert spec.accepts_context
        assert call(spec, {"text": "a"})["output"] == {"result": "n a"}, spec.name
        assert "RuntimeContext" not in str(schema(spec))


def test_a_context_that_only_the_type_checker_imports_is_still_the_context() -> None:
    namespace: dict[str, Any] = {}
    code = (
        "from __future__ import annotations\ndef f(text: str, c: core.RuntimeContext) -> str: return c.current_node_id"
    )
    exec(code, namespace)  # noqa: S102

    assert call(node(namespace["f"]), {"text": "a"})["output"] == {"result": "n"}


def test_a_parameter_called_ctx_of_another_type_is_refused() -> None:
    def wrong(payload: Question, ctx: str) -> Answer: ...

    with pytest.raises(TypeError, match=r"(?s)context annotation must be wf_core.RuntimeContext.*'ctx'.*wrong.*hint"):
        node(wrong)


def test_two_contexts_are_refused() -> None:
    def wrong(a: RuntimeContext, b: RuntimeContext) -> None: ...

    with pytest.raises(TypeError, match="context twice: 'a', 'b'"):
        node(wrong)


# --- explicit models -------------------------------------------------------------------------------------------------


def test_d17_explicit_models_win_over_annotations() -> None:
    @node(input_model=Question)
    def words(payload: Any) -> Answer:
        return Answer(words=payload.text.split())

    @node(output_model=Answer)
    def more(text: str):  # noqa: ANN202 - the model says it
        return Answer(words=[text])

    assert words.input_model is Question
    assert words.output_model is Answer
    assert call(words, {"text": "a b"})["output"] == {"words": ["a", "b"]}
    assert call(more, {"text": "a"})["output"] == {"words": ["a"]}


def test_with_both_models_nothing_else_of_the_signature_matters() -> None:
    @node(input_model=Question, output_model=Answer)
    def bare(payload, ctx):  # noqa: ANN001, ANN202
        return Answer(words=[payload.text, ctx.current_node_id])

    assert bare.accepts_context
    assert call(bare, {"text": "a"})["output"] == {"words": ["a", "n"]}


def test_an_explicit_model_is_spread_over_parameters_of_its_names() -> None:
    @node(input_model=Question)
    def split(text: str, limit: int) -> Answer:
        return Answer(words=text.split()[:limit])

    assert split.input_model is Question
    assert call(split, {"text": "a b c", "limit": "2"})["output"] == {"words": ["a", "b"]}


def test_an_explicit_model_that_does_not_fit_the_parameters_is_refused() -> None:
    def wrong(one: int, two: int, three: int) -> Answer: ...

    with pytest.raises(
        TypeError, match=r"(?s)must accept \(payload\) or \(payload, ctx\).*'one', 'two', 'three'.*'text'"
    ):
        node(wrong, input_model=Question)


def test_a_model_that_is_none_is_refused() -> None:
    def fine(text: str) -> Answer: ...

    with pytest.raises(TypeError, match=r"input_model of node function .*fine.*int is no pydantic model"):
        node(fine, input_model=int)


# --- local classes ---------------------------------------------------------------------------------------------------


def test_d17_annotations_may_name_classes_of_the_function_around() -> None:
    class Local(BaseModel):
        text: str

    @dataclass
    class Result:
        items: list[Local]

    @node
    def wrap(payload: Local) -> Result:
        return Result([payload])

    assert wrap.input_model is Local
    assert call(wrap, {"text": "a"})["output"] == {"items": [{"text": "a"}]}


def test_d17_local_classes_are_found_through_several_functions() -> None:
    class Outer(BaseModel):
        text: str

    def make() -> NodeSpec[Any, Any]:
        @node
        def inner(payload: Outer) -> str:
            return payload.text

        return inner

    assert make().input_model is Outer


def test_d17_local_classes_are_found_when_the_decorator_is_wrapped() -> None:
    def register(fn: Any) -> NodeSpec[Any, Any]:
        Local = "not a type"  # noqa: N806 - shadows the name on purpose
        assert Local
        made: NodeSpec[Any, Any] = node(fn)
        return made

    class Local(BaseModel):
        text: str

    @register
    def inner(payload: Local) -> str:
        return payload.text

    assert inner.input_model is Local


def test_an_unknown_name_is_refused_with_function_parameter_and_fix() -> None:
    def wrong(payload: OnlyForTheChecker) -> Answer: ...

    with pytest.raises(TypeError) as caught:
        node(wrong)

    text = str(caught.value)
    assert "'payload'" in text
    assert "wrong'" in text
    assert "OnlyForTheChecker" in text
    assert "hint: define or import that name before the node (not under TYPE_CHECKING)" in text


def test_an_unknown_return_name_is_refused() -> None:
    def wrong(text: str) -> OnlyForTheChecker: ...

    with pytest.raises(TypeError, match=r"(?s)node return annotation must be .*OnlyForTheChecker.*output_model"):
        node(wrong)


# --- results ---------------------------------------------------------------------------------------------------------


def test_none_and_no_output_give_nothing() -> None:
    @node
    def silent(text: str) -> None:
        assert text

    @node
    def explicit(text: str) -> NoOutput:
        return outcome("ok")

    @node
    def bare(text: str) -> NodeReturn:  # type: ignore[type-arg] # bare on purpose
        return outcome("ok")

    for spec in (silent, explicit, bare):
        assert spec.output_model is Nothing
        assert call(spec, {"text": "a"}) == {"outcome": "ok", "output": {}}


def test_a_plain_value_stands_in_the_field_result() -> None:
    @node
    def days(count: int) -> list[date]:
        return [date(2024, 1, day + 1) for day in range(count)]

    assert call(days, {"count": 2})["output"] == {"result": ["2024-01-01", "2024-01-02"]}
    assert days.output_schema["properties"]["result"]["items"] == {"type": "string", "format": "date"}


def test_node_return_chooses_the_outcome() -> None:
    @node(outcomes=("short", "long"))
    def size(text: str) -> NodeReturn[int]:
        return outcome("short" if len(text) < 3 else "long", len(text))

    assert call(size, {"text": "abc"}) == {"outcome": "long", "output": {"result": 3}}


def test_node_returns_of_several_types_share_one_contract() -> None:
    @node(outcomes=("found", "missing"))
    def find(text: str) -> NodeReturn[Answer] | NodeReturn[Nothing]:
        return outcome("found", Answer(words=[text])) if text else outcome("missing")

    assert call(find, {"text": "a"}) == {"outcome": "found", "output": {"words": ["a"]}}
    assert call(find, {"text": ""}) == {"outcome": "missing", "output": {}}
    assert list(find.output_schema["properties"]) == ["words"]
    assert "required" not in find.output_schema


def test_outcomes_may_each_have_a_type() -> None:
    @node(outcomes={"scored": Other, "answered": Answer, "silent": None})
    def judge(text: str) -> NodeReturn[Any]:
        if not text:
            return outcome("silent")
        return outcome("answered", Answer(words=[text])) if text == "a" else outcome("scored", Answer(words=["wrong"]))

    assert judge.outcomes == ("scored", "answered", "silent")
    assert sorted(judge.output_schema["properties"]) == ["score", "words"]
    assert call(judge, {"text": "a"})["output"] == {"words": ["a"]}
    assert call(judge, {"text": ""})["output"] == {}
    with pytest.raises(TypeError, match="'judge' returned NodeReturn with unsupported output 'Answer'"):
        call(judge, {"text": "b"})


@pytest.mark.parametrize(
    ("returns", "fix"),
    [
        ("Answer | None", "NodeReturn[Answer] | NodeReturn[Nothing]"),
        ("int | None", "NodeReturn[int] | NodeReturn[Nothing]"),
        ("Answer | Other", "NodeReturn[Answer] | NodeReturn[Other]"),
        ("Answer | Other | None", "NodeReturn[Answer] | NodeReturn[Other] | NodeReturn[Nothing]"),
    ],
)
def test_d17_optional_and_union_results_say_what_to_write_instead(returns: str, fix: str) -> None:
    namespace: dict[str, Any] = dict(globals())
    exec(f"def find(text: str) -> {returns}: ...", namespace)  # noqa: S102

    with pytest.raises(TypeError) as caught:
        node(namespace["find"])

    text = str(caught.value)
    assert "node return annotation must be a BaseModel subclass or NodeReturn[BaseModel]" in text
    assert f"'find' returns {returns}" in text
    assert fix in text


def test_a_missing_return_annotation_is_refused() -> None:
    def wrong(text: str): ...  # noqa: ANN202 - missing on purpose

    with pytest.raises(TypeError, match=r"(?s)must declare a return annotation: .*wrong.*hint: write `-> None`"):
        node(wrong)


def test_a_type_without_json_form_is_refused() -> None:
    class Socket: ...

    def gives(text: str) -> Socket: ...

    def takes(socket: Socket, text: str) -> str: ...

    def wraps(text: str) -> NodeReturn[Socket]: ...

    with pytest.raises(TypeError, match=r"result of node function .*gives.*Socket has no JSON form"):
        node(gives)
    with pytest.raises(TypeError, match=r"parameter 'socket' of node function .*takes.*Socket has no JSON form"):
        node(takes)
    with pytest.raises(TypeError, match="NodeReturn return annotation must wrap a BaseModel subclass"):
        node(wraps)


# --- other refusals --------------------------------------------------------------------------------------------------


def test_an_unannotated_parameter_is_refused() -> None:
    def wrong(payload) -> Answer: ...  # noqa: ANN001 - missing on purpose

    with pytest.raises(
        TypeError, match=r"(?s)payload annotation must be a pydantic BaseModel subclass.*'payload'.*hint"
    ):
        node(wrong)


def test_variadic_parameters_are_refused() -> None:
    def wrong(*payload: str) -> Answer: ...

    with pytest.raises(TypeError, match=r"node payload parameter must be positional: \*payload"):
        node(wrong)


def test_generators_are_refused() -> None:
    def lazily(text: str) -> Iterator[str]:
        yield text

    async def streaming(text: str) -> AsyncIterator[str]:
        yield text

    for wrong in (lazily, streaming):
        with pytest.raises(TypeError, match=r"(?s)is a generator; a node gives one result\nhint: collect"):
            node(wrong)


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ("ok", r"write outcomes=\('ok',\)"),
        ((), "outcomes of node .* are empty"),
        (("a", "a"), "name 'a' twice"),
        (("a", 1), "must be names, not 1"),
    ],
)
def test_bad_outcomes_are_refused(outcomes: Any, message: str) -> None:
    def fine(text: str) -> str: ...

    with pytest.raises(TypeError, match=message):
        node(fine, outcomes=outcomes)


def test_bad_options_are_refused() -> None:
    def fine(text: str) -> str: ...

    async def waits(text: str) -> str: ...

    with pytest.raises(TypeError, match=r"retry of node .* must be a number of retries or a policy, not -1"):
        node(fine, retry=-1)
    with pytest.raises(TypeError, match=r"timeout_seconds of node .* must be a number above 0, not 0"):
        node(fine, timeout_seconds=0)
    with pytest.raises(TypeError, match="is async and blocking at once"):
        node(waits, blocking=True)
    with pytest.raises(TypeError, match="not the class Answer"):
        node(Answer)
    with pytest.raises(TypeError, match="node\\(\\) takes a function or a NodeSpec, not str"):
        node("fine")  # type: ignore[call-overload]


# --- what can be a node ----------------------------------------------------------------------------------------------


def test_a_method_is_a_node_of_its_instance() -> None:
    class Service:
        def __init__(self, name: str) -> None:
            self.name = name

        @node
        def greet(self, text: str) -> str:
            return f"{self.name} {text}"

        @node(name="service.waits")
        async def waits(self, question: Question, ctx: RuntimeContext) -> Answer:
            return Answer(words=[self.name, question.text, ctx.current_node_id])

        @node
        @classmethod
        def kind(cls, text: str) -> str:
            return f"{cls.__name__} {text}"

        @node
        @staticmethod
        def plain(text: str) -> str:
            return text

    service = Service("s")
    assert service.greet("a") == "s a"
    assert call(service.greet, {"text": "a"})["output"] == {"result": "s a"}
    assert call(service.kind, {"text": "a"})["output"] == {"result": "Service a"}
    assert call(service.plain, {"text": "a"})["output"] == {"result": "a"}
    assert service.waits.is_async
    assert list(schema(service.greet)["properties"]) == ["text"]
    with pytest.raises(TypeError, match="'greet' is a method and has no instance yet"):
        Service.greet.to_registry_handler()


def test_a_spec_in_a_class_stays_itself() -> None:
    @node
    def free(text: str) -> str:
        return text

    class Holder:
        spec = free

    assert Holder().spec is free  # type: ignore[comparison-overlap] # no method


def test_a_partial_is_a_node_without_the_fixed_parameter() -> None:
    def join(text: str, separator: str, times: int = 2) -> str:
        """Join."""
        return separator.join([text] * times)

    spec = node(functools.partial(join, separator="-"), name="join")

    assert list(schema(spec)["properties"]) == ["text", "times"]
    assert call(spec, {"text": "a"})["output"] == {"result": "a-a"}
    assert spec.description == "Join."


def test_a_callable_object_is_a_node() -> None:
    class Adder:
        def __init__(self, amount: int) -> None:
            self.amount = amount

        def __call__(self, value: int) -> int:
            return value + self.amount

    class Fetcher:
        async def __call__(self, url: str) -> str:
            return url

    assert node(Adder(2)).name == "node"
    assert call(node(Adder(2)), {"value": 3})["output"] == {"result": 5}
    assert node(Fetcher()).is_async


def test_a_wrapped_function_keeps_its_signature() -> None:
    def loud(fn: Any) -> Any:
        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs).upper()

        return wrapper

    @node
    @loud
    def echo(text: str) -> str:
        return text

    assert echo.name == "echo"
    assert call(echo, {"text": "a"})["output"] == {"result": "A"}


def test_a_function_that_says_it_returns_an_awaitable_is_async() -> None:
    @node
    def later(text: str) -> Awaitable[str]:
        async def inner() -> str:
            return text

        return inner()

    assert later.is_async
    assert later.output_schema["properties"] == {"result": {"type": "string"}}


def test_literals_are_checked() -> None:
    @node
    def pick(mode: Literal["a", "b"], level: Literal[1, 2] = 1) -> str:
        return f"{mode}{level}"

    assert schema(pick)["properties"]["mode"] == {"enum": ["a", "b"], "type": "string"}
    assert call(pick, {"mode": "a"})["output"] == {"result": "a1"}
    with pytest.raises(ValueError, match="mode"):
        call(pick, {"mode": "c"})
