"""Compiling, running and resuming what a builder holds."""

import asyncio
import pickle
import threading
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from wf_authoring import (
    ReducerCatalog,
    WorkflowBuilder,
    WorkflowCompileError,
    input_from,
    input_value,
    node,
    ops,
    outcome,
    output_to,
    reducer,
    state,
    state_field,
)
from wf_authoring.nodes import NodeReturn
from wf_core import END, RuntimeContext, Workflow, WorkflowExecutionError, execute_workflow


class Input(BaseModel):
    text: str


class State(BaseModel):
    text: str = ""
    words: list[str] = []
    total: Annotated[int, state_field(reducer="wf.std.add")] = 0


class Output(BaseModel):
    total: int


@node
def split(text: str) -> list[str]:
    return text.split()


@node
def letters(word: str) -> int:
    return len(word)


@node
async def later(word: str, ctx: RuntimeContext) -> int:
    await asyncio.sleep(0)
    return len(word)


def counting(counter: Any = letters) -> WorkflowBuilder:
    """Split a text and add up the lengths of its words."""
    builder = WorkflowBuilder("counting", Input, State, Output)
    first = builder.use(split, output=[output_to("result", "words")])
    each = builder.foreach(over="state.words", as_="word")
    count = builder.use(counter, input=[input_from("context.word", "word")], output=[output_to("result", "total")])
    builder.set_entry_point(first)
    builder.connect(first, "ok", each)
    builder.connect(each, "loop", count)
    builder.connect(count, "ok", END)
    builder.connect(each, "done", builder.end())
    return builder


def line_of(marker: str) -> int:
    with open(__file__, encoding="utf-8") as file:  # noqa: PTH123 - its own source
        return next(number for number, line in enumerate(file, 1) if f"# {marker}" in line and "line_of" not in line)


# --- documents -------------------------------------------------------------------------------------------------------


def test_the_document_holds_all_parts() -> None:
    workflow = counting().compile()

    assert isinstance(workflow, Workflow)
    dumped = workflow.model_dump(mode="json", by_alias=True)
    assert dumped["name"] == "counting"
    assert dumped["start"] == "split"
    assert [item["name"] for item in dumped["node_defs"]] == ["split", "letters"]
    assert [item["id"] for item in dumped["nodes"]] == ["split", "foreach_word", "letters", "end_ok"]
    assert dumped["edges"][0] == {"from": "split", "outcome": "ok", "to": "foreach_word"}
    assert Workflow.model_validate(dumped) == workflow


def test_a_workflow_is_compiled_again_only_after_a_change() -> None:
    builder = counting(node(letters))
    first = builder.compile()

    assert builder.compile() is first
    builder.node_specs["letters"].fn = lambda word: 1
    assert builder.compile() is not first
    assert builder.execute({"text": "a bcd"}).output == {"total": 2}
    second = builder.compile()
    builder.end("more", id="more")
    builder.outcomes = ("ok", "more")
    assert builder.compile() != second


def test_a_compiled_workflow_is_the_document_and_runs() -> None:
    workflow = counting().compile()
    plain = Workflow.model_validate(workflow.model_dump(mode="json", by_alias=True))

    assert workflow == plain
    assert type(pickle.loads(pickle.dumps(workflow))) is Workflow
    assert workflow.run({"text": "a bcd"}).output == {"total": 4}
    assert workflow.execute({"text": "a bcd"}).output == {"total": 4}
    assert asyncio.run(workflow.run_async({"text": "a bcd"})).output == {"total": 4}
    assert execute_workflow(plain, {"text": "a bcd"}, workflow.handlers).output == {"total": 4}
    assert workflow._repr_svg_() == counting()._repr_svg_() == workflow.to_svg()
    assert workflow.to_mermaid() == counting().to_mermaid()
    with pytest.raises(AttributeError):
        workflow.name = "other"  # type: ignore[misc]


def test_no_start_is_an_error_that_says_what_to_call() -> None:
    builder = WorkflowBuilder("demo", {}, {}, {})
    builder.end()

    with pytest.raises(WorkflowExecutionError, match="requires an explicit start; call set_entry_point"):
        builder.compile()
    with pytest.raises(WorkflowCompileError, match="start"):
        builder.compile(validate=False)


def test_every_problem_is_reported_at_once_with_the_authors_line() -> None:
    builder = WorkflowBuilder("demo", Input, State, Output, outcomes=("ok",))  # builder
    use = builder.use(split, input=[input_from("input.txt", "text")])  # bad source
    builder.connect(use, "okay", builder.end())  # bad outcome
    builder.connect(use, "ok", "missing")  # bad target
    builder.end("other", id="end_other")  # bad end
    builder.set_entry_point("splt")  # bad start

    with pytest.raises(WorkflowCompileError) as caught:
        builder.compile()

    found = {problem.code: problem for problem in caught.value.problems}
    lines = {code: problem.origin.line for code, problem in found.items() if problem.origin}
    assert lines["invalid_source_path"] == line_of("bad source")
    assert lines["undeclared_edge_outcome"] == line_of("bad outcome")
    assert lines["unknown_edge_destination"] == line_of("bad target")
    assert lines["undeclared_workflow_outcome"] == line_of("bad end")
    assert lines["unknown_start"] == line_of("bad start")
    assert all(problem.origin and problem.origin.file == __file__ for problem in found.values())
    text = str(caught.value)
    assert text.startswith("Workflow validation failed:\n- [")
    assert f"\n  at {__file__}:{line_of('bad target')}" in text
    assert isinstance(caught.value, ValueError)
    assert caught.value.report is not None


def test_unfinished_workflows_compile_where_checks_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = WorkflowBuilder("demo", Input, State, Output, start="nowhere")

    assert builder.compile(validate=False).start == "nowhere"
    with pytest.raises(WorkflowCompileError):
        builder.compile()
    monkeypatch.setattr(WorkflowBuilder, "validates", False)
    assert builder.compile().start == "nowhere"


def test_the_nearest_right_name_is_suggested() -> None:
    builder = counting()
    builder.set_entry_point("spilt")

    with pytest.raises(WorkflowCompileError, match="'split'"):
        builder.compile()


def test_a_missing_edge_names_the_line_of_its_step() -> None:
    builder = WorkflowBuilder("demo", {}, {}, {})
    builder.set_entry_point(builder.condition(check=state() == 1, id="0"))  # zero

    with pytest.raises(WorkflowCompileError) as caught:
        builder.compile()

    (problem,) = caught.value.problems
    assert problem.code == "missing_outcome_edge"
    assert problem.origin is not None
    assert problem.origin.line == line_of("zero")


def test_a_duplicate_id_names_the_second_line() -> None:
    builder = WorkflowBuilder("demo", {}, {}, {})
    builder.set_entry_point(builder.end(id="same"))
    builder.end(id="same")  # again

    with pytest.raises(WorkflowCompileError) as caught:
        builder.compile()

    assert [(item.code, item.origin and item.origin.line) for item in caught.value.problems] == [
        ("duplicate_node_id", line_of("again"))
    ]


def test_steps_without_contract_wait_for_deployment() -> None:
    builder = WorkflowBuilder("demo", {}, {}, {})
    use = builder.use_ref("docs.read")
    builder.set_entry_point(use)
    builder.connect(use, "whatever", builder.end())

    assert builder.compile().nodes[0] == use
    assert not builder.validate().ok


def test_an_unknown_reducer_is_reported() -> None:
    class Odd(BaseModel):
        total: Annotated[int, state_field(reducer="demo.unknown")] = 0

    @reducer(name="demo.other")
    def other(current: Any, incoming: Any) -> Any:
        return incoming

    builder = WorkflowBuilder("demo", {}, Odd, {}, reducers=ReducerCatalog.from_reducers(other))
    builder.set_entry_point(builder.end())

    with pytest.raises(WorkflowCompileError, match=r"demo\.unknown"):
        builder.compile()


# --- output projection -----------------------------------------------------------------------------------------------


def test_d18_the_root_output_projection_can_be_set() -> None:
    builder = counting()
    builder.set_output(input_from("state.total", "total"))
    other = WorkflowBuilder("demo", Input, State, Output, output=[{"target": "total", "path": "state.total"}])

    assert builder.compile().model_dump(mode="json")["output"] == [{"target": "total", "path": "state.total"}]
    assert other.output == builder.output
    assert builder.execute({"text": "a bcd"}).output == {"total": 4}


def test_an_output_may_be_named_otherwise() -> None:
    builder = WorkflowBuilder(
        "demo",
        Input,
        State,
        {"type": "object", "properties": {"sum": {"type": "integer"}, "unit": {"type": "string"}}},
        output=[input_from("state.total", "sum"), input_value("unit", "letters")],
    )
    builder.set_entry_point(builder.end())

    assert builder.execute({"text": "a"}).output == {"sum": 0, "unit": "letters"}


def test_an_output_takes_no_expression() -> None:
    with pytest.raises(TypeError, match="unsupported workflow output binding"):
        counting().set_output({"target": "total", "expression": {"kind": "literal", "value": 1}})


def test_a_wrong_output_names_its_line() -> None:
    builder = counting()
    builder.set_output(input_from("state.total", "sum"))  # wrong output

    with pytest.raises(WorkflowCompileError) as caught:
        builder.compile()

    assert caught.value.problems[0].origin is not None
    assert caught.value.problems[0].origin.line == line_of("wrong output")


# --- running ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counter", [letters, later])
def test_a_workflow_runs_with_sync_and_async_nodes_in_both_engines(counter: Any) -> None:
    builder = counting(counter)

    assert builder.execute({"text": "a bcd"}).output == {"total": 4}
    assert builder.run(Input(text="a bcd")).output == {"total": 4}
    assert asyncio.run(builder.execute_async({"text": "a bcd"})).output == {"total": 4}
    assert asyncio.run(builder.run_async({"text": "a bcd"})).output == {"total": 4}


def test_the_registry_of_async_nodes_is_async() -> None:
    builder = counting(later)

    with pytest.raises(TypeError, match="node 'later' is async"):
        builder.registry()
    assert list(builder.async_registry()) == ["split", "later"]


def test_execute_raises_and_run_returns_the_failure() -> None:
    class BrokenError(Exception):
        pass

    @node
    def broken(text: str) -> str:
        raise BrokenError(text)

    builder = WorkflowBuilder("demo", Input, State, Output)
    builder.set_entry_point(broken)
    builder.connect("broken", "ok", END)

    with pytest.raises(BrokenError, match="boom"):
        builder.execute({"text": "boom"})
    run = builder.run({"text": "boom"})
    assert run.status == "failed"
    assert "boom" in str(run.error)
    assert asyncio.run(builder.run_async({"text": "boom"})).status == "failed"


def test_the_platform_reaches_the_nodes() -> None:
    marker = object()
    seen: list[Any] = []

    @node
    def look(text: str, ctx: RuntimeContext) -> None:
        seen.append(ctx.platform)

    builder = WorkflowBuilder("demo", Input, State, {})
    builder.set_entry_point(look)
    builder.connect("look", "ok", END)

    builder.execute({"text": "a"}, platform=marker)
    asyncio.run(builder.run_async({"text": "a"}, platform=marker))

    assert seen == [marker, marker]


def test_a_retried_node_tells_its_attempt() -> None:
    attempts: list[int] = []

    @node(retry=2)
    def flaky(text: str, ctx: RuntimeContext) -> int:
        attempts.append(ctx.retry_count)
        if len(attempts) < 3:
            raise ConnectionError("not yet")
        return len(attempts)

    builder = WorkflowBuilder("demo", Input, State, Output)
    builder.set_entry_point(builder.use(flaky, output=[output_to("result", "total")]))
    builder.connect("flaky", "ok", END)

    assert builder.execute({"text": "a"}).output == {"total": 3}
    assert attempts == [0, 1, 2]


async def test_blocking_nodes_of_a_fork_overlap() -> None:
    barrier = threading.Barrier(2, timeout=5)

    @node(blocking=True)
    def meet(text: str) -> int:
        barrier.wait()
        return 1

    builder = WorkflowBuilder("demo", Input, State, Output)
    fork = builder.fork("left", "right")
    gather = builder.gather(fork)
    for branch in ("left", "right"):
        step = builder.use(meet, id=branch, output=[output_to("result", "total")])
        builder.connect(fork, branch, step)
        builder.connect(step, "ok", gather)
    builder.connect(gather, "done", builder.end())
    builder.set_entry_point(fork)

    assert (await builder.execute_async({"text": "a"})).output == {"total": 2}


def test_reducers_of_the_author_run() -> None:
    @reducer(name="demo.longest")
    def longest(current: Any, incoming: Any) -> Any:
        return max(current or "", incoming, key=len)

    class Best(BaseModel):
        words: list[str] = []
        best: Annotated[str, state_field(reducer=longest)] = ""

    @node
    def same(word: str) -> str:
        return word

    builder = WorkflowBuilder("demo", {}, Best, Best, reducers=[longest])
    each = builder.foreach(over="state.words", as_="word", mode="concurrent", concurrent={})
    step = builder.use(same, input=[input_from("context.word", "word")], output=[output_to("result", "best")])
    builder.set_entry_point(each)
    builder.connect(each, "loop", step)
    builder.connect(step, "ok", END)
    builder.connect(each, "done", END)

    assert builder.execute({"words": ["a", "ccc", "bb"]}).output["best"] == "ccc"


# --- interrupts ------------------------------------------------------------------------------------------------------


def approval() -> WorkflowBuilder:
    builder = WorkflowBuilder("approval", Input, State, Output, outcomes=("ok", "refused"))
    ask = builder.interrupt(
        kind="approval",
        request=[input_from("state.text", "summary")],
        resume=[output_to("points", "total")],
        outcomes=["yes", "no"],
    )
    builder.set_entry_point(ask)
    builder.connect(ask, "yes", builder.end())
    builder.connect(ask, "no", builder.end("refused"))
    return builder


def test_an_interrupted_run_is_resumed() -> None:
    builder = approval()

    run = builder.execute({"text": "a"})
    assert run.status == "interrupted"
    assert run.interrupt is not None
    assert run.interrupt.payload == {"summary": "a"}

    done = builder.resume(run, payload={"points": 5}, outcome="yes")
    assert (done.outcome, done.output) == ("ok", {"total": 5})


async def test_an_interrupted_run_is_resumed_on_the_loop() -> None:
    builder = approval()

    run = await builder.run_async({"text": "a"})
    done = await builder.resume_async(run, payload={"points": 1}, outcome="no")

    assert done.outcome == "refused"


# --- subgraphs -------------------------------------------------------------------------------------------------------


def nested(depth: int, counter: Any = letters) -> WorkflowBuilder:
    """A workflow whose only step runs another one, down to one that counts."""
    if depth == 0:
        return counting(counter)
    child = nested(depth - 1, counter)
    builder = WorkflowBuilder(f"level{depth}", Input, State, Output)
    step = builder.subgraph(
        workflow=child,
        id="inner",
        input=[input_from("input.text", "text")],
        output=[output_to("total", "total")],
    )
    builder.set_entry_point(step)
    builder.connect(step, "ok", builder.end())
    return builder


@pytest.mark.parametrize("counter", [letters, later])
def test_d18_prepared_subgraphs_carry_theirs(counter: Any) -> None:
    builder = nested(3, counter)

    assert sorted(builder.prepared_subgraphs) == ["counting", "level1", "level2"]
    assert builder.execute({"text": "a bcd"}).output == {"total": 4}
    assert asyncio.run(builder.execute_async({"text": "a bcd"})).output == {"total": 4}


def test_a_subgraph_copies_the_childs_contract() -> None:
    child = approval()
    parent = WorkflowBuilder("parent", Input, State, Output)

    step = parent.subgraph(workflow=parent.prepare_subgraph(child))

    assert step.id == "approval"
    assert list(step.outcomes) == ["ok", "refused"]
    assert step.model_dump(mode="json")["workflow"] == {"name": "approval"}
    assert step.input_schema == child.compile().input_schema


@pytest.mark.parametrize(
    ("reference", "dumped", "step_id"),
    [
        ("workflow.report.v2", {"artifact_id": "report", "version": 2}, "workflow_report_v2"),
        ({"artifact_id": "a.b", "version": 1}, {"artifact_id": "a.b", "version": 1}, "a_b"),
        ("other", {"name": "other"}, "other"),
        ({"name": "Some Name"}, {"name": "Some Name"}, "some_name"),
    ],
)
def test_a_subgraph_may_be_named_otherwise(reference: Any, dumped: Any, step_id: str) -> None:
    parent = WorkflowBuilder("parent", Input, State, Output)

    step = parent.subgraph(workflow=counting().compile(), workflow_ref=reference)

    assert step.model_dump(mode="json")["workflow"] == dumped
    assert step.id == step_id


def test_two_children_of_one_name_are_refused() -> None:
    parent = WorkflowBuilder("parent", Input, State, Output)
    other = counting()
    other.set_output(input_value("total", 1))
    parent.prepare_subgraph(counting())

    with pytest.raises(ValueError, match="two different workflows are called 'counting' below 'parent'"):
        parent.prepare_subgraph(other)
    with pytest.raises(TypeError, match="expected a Workflow or a WorkflowBuilder, not str"):
        parent.subgraph(workflow="counting")  # type: ignore[arg-type]


def test_a_childs_interrupt_surfaces_at_the_boundary() -> None:
    parent = WorkflowBuilder("parent", Input, State, Output, outcomes=("ok", "refused"))
    step = parent.subgraph(
        workflow=approval(), input=[input_from("input.text", "text")], output=[output_to("total", "total")]
    )
    parent.set_entry_point(step)
    parent.connect(step, "ok", parent.end())
    parent.connect(step, "refused", parent.end("refused"))

    run = parent.execute({"text": "a"})
    assert run.interrupt is not None
    assert run.interrupt.node_id == "approval"

    assert parent.resume(run, payload={"points": 2}, outcome="yes").output == {"total": 2}


# --- a larger one ----------------------------------------------------------------------------------------------------


def test_plain_nodes_and_models_work_together() -> None:
    @dataclass
    class Found:
        page: int
        title: str

    @node(outcomes=("found", "missing"))
    def find(text: str) -> NodeReturn[Found] | NodeReturn[None]:
        return outcome("found", Found(3, text)) if text else NodeReturn("missing", None)

    builder = WorkflowBuilder(
        "search",
        Input,
        {"type": "object", "properties": {"page": {"type": "integer"}, "count": {"type": "integer"}}},
        {"type": "object", "properties": {"page": {}, "count": {}}},
        outcomes=("ok", "none"),
    )
    step = builder.use(find, input=[input_from("input.text", "text")], output=[output_to("page", "page")])
    size = builder.use(ops.length, input=[input_value("items", [1, 2])], output=[output_to("count", "count")])
    builder.set_entry_point(step)
    builder.connect(step, "found", size)
    builder.connect(size, "ok", builder.end())
    builder.connect(step, "missing", builder.end("none"))

    assert builder.execute({"text": "a"}).output == {"page": 3, "count": 2}
