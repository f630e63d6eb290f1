"""Steps of the builder: ids, bindings, automatic bindings, policies and the older forms."""

from typing import Any

import pytest
from pydantic import BaseModel

from wf_authoring import (
    WorkflowBuilder,
    context_path,
    exists,
    input_from,
    input_path,
    input_value,
    node,
    output_to,
    state,
    state_path,
)
from wf_authoring.builder.ids import next_step_id, slug_id
from wf_core import ForeachConcurrentPolicy, ForeachItemErrorPolicy
from wf_core.paths import StatePath

TEXT: dict[str, Any] = {"type": "string"}


class Input(BaseModel):
    text: str
    limit: int = 3


class State(BaseModel):
    words: list[str] = []
    count: int = 0
    text: str = ""
    errors: list[Any] = []


class Output(BaseModel):
    count: int


@node(name="test.count")
def count(text: str, limit: int, extra: int = 1) -> int:
    """Count letters."""
    return min(len(text), limit) + extra


def build() -> WorkflowBuilder:
    return WorkflowBuilder("demo", Input, State, Output)


def dump(step: Any) -> dict[str, Any]:
    return step.model_dump(mode="json")  # type: ignore[no-any-return]


# --- ids -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("test.auto_bind", "test_auto_bind"),
        ("Read & Parse!", "read_parse"),
        ("__a__", "a"),
        ("é", "step"),
        ("", "step"),
    ],
)
def test_slugs(text: str, slug: str) -> None:
    assert slug_id(text) == slug


def test_ids_are_numbered_from_the_second_on() -> None:
    builder = build()

    assert [builder.use(count).id for _ in range(3)] == ["test_count", "test_count_2", "test_count_3"]
    assert next_step_id("other", builder.nodes) == "other"
    assert builder.use(count, id="mine").id == "mine"


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda b: b.end(), "end_ok"),
        (lambda b: b.end("no result"), "end_no_result"),
        (lambda b: b.join(), "join"),
        (lambda b: b.condition(check=exists(state("count"))), "state_count"),
        (lambda b: b.condition(check=state("count") > 3), "state_count"),
        (lambda b: b.condition(check=~(state("count") > 3)), "condition"),
        (lambda b: b.foreach(over="state.words", as_="Word"), "foreach_word"),
        (lambda b: b.interrupt(kind="human.approval"), "interrupt_human_approval"),
        (lambda b: b.use_ref("wf.std.length"), "wf_std_length"),
        (lambda b: b.fork("a", "b"), "fork"),
        (lambda b: b.gather("fork"), "gather_fork"),
    ],
)
def test_each_step_has_an_id_of_its_own_kind(make: Any, expected: str) -> None:
    assert make(build()).id == expected


# --- nodes -----------------------------------------------------------------------------------------------------------


def test_bindings_are_taken_as_they_are() -> None:
    builder = build()

    step = builder.use(
        count,
        input=[input_from("input.text", "text"), {"target": "limit", "value": 2}],
        output=[output_to("result", "count"), {"source": ".", "target": "state.text"}],
        desc="why",
        retry={"retries": 2, "errors": [ConnectionError]},
        timeout_seconds=1.5,
    )

    assert dump(step)["input"] == [{"target": "text", "path": "input.text"}, {"target": "limit", "value": 2}]
    assert dump(step)["output"] == [
        {"source": "result", "target": "state.count"},
        {"source": ".", "target": "state.text"},
    ]
    assert step.desc == "why"
    assert dump(step)["timeout_seconds"] == 1.5
    assert dump(step)["retry"]["errors"] == ["ConnectionError"]
    assert builder.node_specs == {"test.count": count}


def test_what_is_not_bound_is_bound_by_name() -> None:
    step = build().use(count)

    assert dump(step)["input"] == [
        {"target": "text", "path": "state.text"},
        {"target": "limit", "path": "input.limit"},
    ], "a state field comes first, then an input field; what may be left out and has no namesake is left out"
    assert dump(step)["output"] == []
    assert step.desc == "Count letters."


def test_a_required_field_without_namesake_points_into_the_state() -> None:
    @node
    def greet(name: str) -> str:
        return name

    assert dump(build().use(greet))["input"] == [{"target": "name", "path": "state.name"}]


def test_outputs_are_bound_where_a_state_field_has_their_name() -> None:
    @node
    def both(text: str) -> State:
        return State()

    assert [item["target"] for item in dump(build().use(both))["output"]] == [
        "state.words",
        "state.count",
        "state.text",
        "state.errors",
    ]


def test_only_the_side_that_was_left_out_is_bound_by_name() -> None:
    step = build().use(count, input=[])

    assert dump(step)["input"] == []


def test_names_with_dots_are_one_segment() -> None:
    state_schema = {"type": "object", "properties": {"a.b": TEXT}}
    schema = {"type": "object", "properties": {"a.b": TEXT}}
    spec = node(count, name="x").replace(input_model=Input, call=None, input_schema_contract=schema)
    builder = WorkflowBuilder("demo", {}, state_schema, {})

    assert dump(builder.use(spec))["input"] == [{"target": '"a.b"', "path": 'state."a.b"'}]


def test_older_maps_warn_at_the_authors_line() -> None:
    builder = build()

    with pytest.warns(DeprecationWarning, match="canonical input/output") as caught:
        step = builder.use(count, in_map={"input.text": "text"}, input_values={"limit": 2}, out_map={"result": "count"})

    assert dump(step)["input"] == [{"target": "limit", "value": 2}, {"target": "text", "path": "input.text"}]
    assert dump(step)["output"] == [{"source": "result", "target": "state.count"}]
    assert {warning.filename for warning in caught} == {__file__}


def test_mixing_styles_is_refused_before_anything_is_added() -> None:
    builder = build()

    with pytest.raises(TypeError, match="cannot mix canonical input with deprecated in_map/input_values"):
        builder.use(count, input=[], in_map={})
    with pytest.raises(TypeError, match="cannot mix canonical output with deprecated out_map"):
        builder.use_ref("wf.std.length", output=[], out_map={})
    assert builder.nodes == []
    assert builder.node_specs == {}


def test_two_nodes_of_one_name_are_refused() -> None:
    @node(name="test.count")
    def other(text: str) -> str:
        return text

    builder = build()
    builder.use(count)

    with pytest.raises(ValueError, match=r"(?s)two nodes are called 'test\.count' in workflow 'demo'\nhint: give one"):
        builder.use(other)


def test_a_factory_may_make_its_node_twice() -> None:
    def make(limit: int) -> Any:
        @node(name="demo.cut")
        def cut(text: str) -> str:
            return text[:limit]

        return cut

    builder = build()
    builder.use(make(1))
    builder.use(make(2))

    assert [step.id for step in builder.nodes] == ["demo_cut", "demo_cut_2"]


def test_a_function_is_no_node() -> None:
    with pytest.raises(TypeError, match="use\\(\\) takes a node, not function"):
        build().use(lambda text: text)  # type: ignore[arg-type]


def test_a_reference_has_no_contract() -> None:
    builder = build()

    step = builder.use_ref("wf.std.length", input=[input_from("state.words", "items")], retry=1)

    assert dump(step) == {
        "id": "wf_std_length",
        "type": "node",
        "node": "wf.std.length",
        "desc": None,
        "input": [{"target": "items", "path": "state.words"}],
        "output": [],
        "retry": 1,
        "timeout_seconds": None,
    }
    assert builder.node_specs == {}


# --- foreach ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("over", ["state.words", state_path("words"), state("words"), StatePath(("words",))])
def test_the_list_of_a_foreach_may_be_written_in_many_ways(over: Any) -> None:
    assert dump(build().foreach(over=over, as_="word"))["over"] == "state.words"


def test_a_concurrent_foreach() -> None:
    step = build().foreach(
        over=input_path("text"),
        as_="word",
        mode="concurrent",
        concurrent={"max_active": 2},
        item_error={"action": "collect", "collect_to": state_path("errors")},
    )

    assert dump(step)["concurrent"] == {"max_active": 2, "max_outstanding": 20, "interrupt": "quiesce"}
    assert dump(step)["item_error"] == {"action": "collect", "collect_to": "state.errors"}


@pytest.mark.parametrize(
    "policy",
    [
        ForeachItemErrorPolicy(action="collect", collect_to="state.errors"),
        {"action": "collect", "collect_to": "errors"},
        {"action": "collect", "collect_to": StatePath(("errors",))},
        {"action": "collect", "collect_to": state("errors")},
    ],
)
def test_an_item_error_policy_may_be_written_in_many_ways(policy: Any) -> None:
    step = build().foreach(over="state.words", as_="word", item_error=policy)

    assert dump(step)["item_error"] == {"action": "collect", "collect_to": "state.errors"}
    assert dump(build().foreach(over="state.words", as_="w", item_error="skip"))["item_error"]["action"] == "skip"


def test_the_older_item_error_warns() -> None:
    with pytest.warns(DeprecationWarning, match="on_item_error"):
        step = build().foreach(over="state.words", as_="word", on_item_error="skip")

    assert dump(step)["item_error"]["action"] == "skip"
    with pytest.raises(TypeError, match="cannot mix item_error with deprecated on_item_error"):
        build().foreach(over="state.words", as_="word", on_item_error="skip", item_error="skip")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "concurrent"}, "concurrent foreach requires concurrent policy"),
        ({"concurrent": ForeachConcurrentPolicy()}, "concurrent policy is only valid when mode='concurrent'"),
        ({"item_error": "collect"}, "collect item error policy requires collect_to"),
        (
            {"item_error": {"action": "collect", "collect_to": context_path("x")}},
            "foreach item_error.collect_to must be a state path",
        ),
        (
            {"item_error": {"action": "collect", "collect_to": "input.x"}},
            "foreach item_error.collect_to must be a state path",
        ),
    ],
)
def test_policies_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build().foreach(over="state.words", as_="word", **options)


# --- fork and gather -------------------------------------------------------------------------------------------------


def test_fork_and_gather() -> None:
    builder = build()
    fork = builder.fork("left", "right", id="split")

    gather = builder.gather(fork, wait=1, branch_error={"action": "collect", "collect_to": "errors"})

    assert dump(fork) == {"id": "split", "type": "fork", "branches": ["left", "right"]}
    assert dump(gather)["of"] == "split"
    assert dump(gather)["wait"] == 1
    assert dump(gather)["branch_error"] == {"action": "collect", "collect_to": "state.errors"}


# --- interrupts ------------------------------------------------------------------------------------------------------


def test_an_interrupt() -> None:
    step = build().interrupt(
        kind="approval",
        request=[input_from("state.text", "summary"), input_value("level", 1)],
        resume=[output_to("approved", "count")],
        outcomes=["yes", "no"],
        request_schema=Output,
        resume_schema={"type": "object", "properties": {"approved": {}}},
    )

    assert dump(step)["request"][0] == {"target": "summary", "path": "state.text"}
    assert dump(step)["resume"] == [{"source": "approved", "target": "state.count"}]
    assert dump(step)["outcomes"] == ["yes", "no"]
    assert step.has_explicit_contract
    assert "count" in dump(step)["request_schema"]["properties"]


def test_an_interrupt_without_schemas_has_no_explicit_contract() -> None:
    step = build().interrupt(kind="approval", outcomes=[])

    assert not step.has_explicit_contract
    assert dump(step)["outcomes"] == ["submitted"]


def test_older_interrupt_maps_warn() -> None:
    with pytest.warns(DeprecationWarning, match="canonical request/resume") as caught:
        step = build().interrupt(kind="approval", request_map={"state.text": "summary"}, out_map={"approved": "count"})

    assert len(caught) == 2
    assert dump(step)["request"] == [{"target": "summary", "path": "state.text"}]
    assert dump(step)["resume"] == [{"source": "approved", "target": "state.count"}]
    with pytest.raises(TypeError, match="cannot mix canonical request with deprecated request_map"):
        build().interrupt(kind="approval", request=[], request_map={})
    with pytest.raises(TypeError, match="cannot mix canonical resume with deprecated out_map"):
        build().interrupt(kind="approval", resume=[], out_map={})
