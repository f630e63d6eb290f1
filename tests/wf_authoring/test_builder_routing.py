"""Edges of the builder: connections, branches and decisions."""

from typing import Any

import pytest

from wf_authoring import WorkflowBuilder, exists, node, ops, state
from wf_authoring.builder.results import BranchResult, CaseTargets, DecisionResult, HandleResult, case_key

JSON: dict[str, Any] = {"type": "object", "properties": {"kind": {}, "n": {}}}


@node
def work(n: int) -> int:
    return n


def build(**fields: Any) -> WorkflowBuilder:
    return WorkflowBuilder("demo", JSON, JSON, JSON, **fields)


def edges(builder: WorkflowBuilder) -> list[tuple[str, str, str]]:
    return [(edge.from_, edge.outcome, edge.to) for edge in builder.edges]


# --- connections -----------------------------------------------------------------------------------------------------


def test_connect_takes_steps_ids_and_nodes() -> None:
    builder = build()
    end = builder.end()

    assert builder.connect(work, "ok", end) == ("work", "end_ok")
    assert builder.connect("work", "retry", work) == ("work", "work_2")
    assert edges(builder) == [("work", "ok", "end_ok"), ("work", "retry", "work_2")]
    with pytest.raises(TypeError, match="expected a step, its id or a node, not int"):
        builder.connect(3, "ok", end)


def test_a_decision_is_a_place_to_connect_to() -> None:
    builder = build()
    decision = builder.when(exists(state("n")), then=builder.end(), otherwise=builder.end("none"))

    builder.connect(work, "ok", decision)

    assert edges(builder)[-1] == ("work", "ok", "state_n")


def test_branch() -> None:
    builder = build()
    check = builder.condition(check=state("n") > 3)

    result = builder.branch(check, {"true": work, "false": builder.end()})

    assert result == BranchResult("state_n", {"true": "work", "false": "end_ok"})
    assert result["true"] == "work"
    assert edges(builder) == [("state_n", "true", "work"), ("state_n", "false", "end_ok")]


def test_handle_resolves_its_target_once_and_first() -> None:
    builder = build()

    result = builder.handle((work, "ok"), (work, "ok"), to=ops.length)

    assert result == HandleResult("authoring_length", (("work", "ok"), ("work_2", "ok")))
    assert [step.id for step in builder.nodes] == ["authoring_length", "work", "work_2"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda b: b.branch(work, {}), "WorkflowBuilder.branch requires at least one branch"),
        (lambda b: b.handle(to=work), "WorkflowBuilder.handle requires at least one branch"),
        (lambda b: b.match(state("n"), {}), "WorkflowBuilder.match requires at least one case"),
        (lambda b: b.choose(), "WorkflowBuilder.choose requires at least one clause"),
        (lambda b: b.match(state("n"), [(1, work), (1.0, work)]), "two equal cases: 1 and 1.0"),
    ],
)
def test_nothing_to_decide_is_refused_before_anything_is_added(call: Any, message: str) -> None:
    builder = build()

    with pytest.raises(ValueError, match=message):
        call(builder)
    assert builder.nodes == []
    assert builder.edges == []


# --- match -----------------------------------------------------------------------------------------------------------


def test_match_asks_case_after_case() -> None:
    builder = build()
    one, two, other = builder.end("one"), builder.end("two"), builder.end("other")

    decision = builder.match(state("kind"), {"a": one, "b": two}, default=other)

    assert decision == DecisionResult(
        "state_kind",
        ("state_kind", "state_kind_2"),
        CaseTargets([("a", "end_one"), ("b", "end_two")], default="end_other"),
    )
    assert edges(builder) == [
        ("state_kind", "true", "end_one"),
        ("state_kind", "false", "state_kind_2"),
        ("state_kind_2", "true", "end_two"),
        ("state_kind_2", "false", "end_other"),
    ]
    assert dict(decision.targets) == {"a": "end_one", "b": "end_two", "default": "end_other"}


def test_d18_match_tells_one_true_and_the_text_one_apart() -> None:
    builder = build()
    ends = [builder.end(name) for name in ("number", "truth", "text", "list", "none", "other")]

    decision = builder.match(
        state("n"),
        list(zip([1, True, "1", [1, {"a": None}], None], ends[:-1], strict=True)),
        id="pick",
        default=ends[-1],
    )

    assert decision.conditions == ("pick", "pick_2", "pick_3", "pick_4", "pick_5")
    assert decision[1] == decision[1.0] == "end_number"
    assert decision[True] == "end_truth"
    assert decision["1"] == "end_text"
    assert decision[[1, {"a": None}]] == "end_list"
    assert decision[None] == "end_none"
    conditions = [step.model_dump(mode="json")["check"] for step in builder.nodes if step.type == "condition"]
    values = [condition["right"]["value"] for condition in conditions]
    assert values == [1, True, "1", [1, {"a": None}], None]
    assert [type(value) for value in values[:2]] == [int, bool]
    with pytest.raises(KeyError):
        decision[False]


def test_match_takes_its_id_and_nodes_as_targets() -> None:
    builder = build()
    builder.join(id="pick")

    decision = builder.match(state("n"), {1: work}, id="pick", default=work)

    assert decision.entry == "pick_2"
    assert [step.id for step in builder.nodes] == ["pick", "work", "pick_2", "work_2"]
    assert (decision["default"], decision[1]) == ("work", "work_2")


def test_a_case_called_default_is_a_case() -> None:
    targets = CaseTargets([("default", "case")], default="fallback")

    assert targets["default"] == "case"
    assert targets.default == "fallback"
    assert len(targets) == 1


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [(1, 1.0, True), (1, True, False), (0, False, False), ("1", 1, False), (None, "None", False), ([1], [1.0], True)],
)
def test_cases_are_compared_as_json(one: Any, two: Any, equal: bool) -> None:
    assert (case_key(one) == case_key(two)) is equal


# --- when, choose, route ---------------------------------------------------------------------------------------------


def test_when() -> None:
    builder = build()

    decision = builder.when(state("n") > 3, then=builder.end("yes"), otherwise=builder.end("no"), id="check")

    assert decision == DecisionResult("check", ("check",), {True: "end_yes", False: "end_no"})
    assert edges(builder) == [("check", "true", "end_yes"), ("check", "false", "end_no")]


def test_choose_resolves_its_default_last() -> None:
    builder = build()

    decision = builder.choose((state("n") > 3, work), (exists(state("kind")), work), default=work)

    assert [step.id for step in builder.nodes] == ["state_n", "work", "state_n_2", "work_2", "work_3"]
    assert dict(decision.targets) == {0: "work", 1: "work_2", "default": "work_3"}
    assert edges(builder)[-1] == ("state_n_2", "false", "work_3")


def test_route_is_deprecated() -> None:
    builder = build()
    end = builder.end()

    with pytest.warns(DeprecationWarning, match="match.*when"):
        by_value = builder.route(state("kind"), {"a": end}, default=end)
    with pytest.warns(DeprecationWarning, match="match.*when"):
        by_condition = builder.route(state("n") > 3, {True: end, False: end})

    assert by_value["a"] == "end_ok"
    assert by_condition[False] == "end_ok"


@pytest.mark.filterwarnings("ignore:WorkflowBuilder.route")
def test_route_checks_its_cases() -> None:
    builder = build()

    with pytest.raises(ValueError, match="condition route cases must be boolean True/False keys"):
        builder.route(state("n") > 3, {"yes": builder.end()})
    with pytest.raises(ValueError, match=r"WorkflowBuilder.route requires at least one case"):
        builder.route(state("n"), {})


# --- the default that fails ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcomes", [("ok",), ("done", "other")])
def test_d18_default_branches_make_valid_workflows(outcomes: tuple[str, ...]) -> None:
    builder = build(outcomes=outcomes)
    end = builder.end(outcomes[0])
    first = builder.match(state("kind"), {"a": end})
    second = builder.when(state("n") > 3, then=first)
    third = builder.choose((state("n") > 4, second))
    builder.set_entry_point(third)

    workflow = builder.compile()

    failing = [step for step in workflow.nodes if step.type == "node"]
    assert [step.node for step in failing] == ["authoring.runtime_error"] * 3
    assert failing[0].model_dump(mode="json")["input"][0]["value"] == "no case of 'state_kind' matches"


def test_d18_a_default_branch_fails_the_run_with_the_value() -> None:
    builder = build()
    builder.set_entry_point(builder.match(state("kind"), {"a": builder.end()}))

    assert builder.execute({"kind": "a"}).outcome == "ok"
    with pytest.raises(RuntimeError, match=r"no case of 'state_kind' matches: \{'value': 'b'\}"):
        builder.execute({"kind": "b"})


def test_an_explicit_runtime_error_is_bound_as_well() -> None:
    builder = build()
    builder.set_entry_point(builder.when(exists(state("n")), then=builder.end(), otherwise=ops.runtime_error))

    builder.compile()
