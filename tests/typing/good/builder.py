"""A workflow as an editor sees it."""

from typing import Annotated, Any, assert_type

from pydantic import BaseModel

from wf_authoring import (
    Expr,
    GraphPath,
    PathExpr,
    ReducerCatalog,
    WorkflowBuilder,
    exists,
    input_from,
    input_value,
    node,
    ops,
    output_to,
    reducer,
    state,
    state_field,
    state_path,
)
from wf_authoring.builder import BranchResult, DecisionResult
from wf_core import (
    END,
    ConditionNode,
    EndNode,
    ForeachNode,
    InterruptNode,
    NodeUse,
    RunState,
    SubgraphNode,
    Workflow,
)


class Input(BaseModel):
    text: str


class State(BaseModel):
    words: list[str] = []
    total: Annotated[int, state_field(reducer="wf.std.add")] = 0


@node
def split(text: str) -> list[str]:
    return text.split()


@reducer(name="demo.longest")
def longest(current: Any, incoming: Any) -> Any:
    return incoming or current


builder = WorkflowBuilder(
    name="demo",
    input_schema=Input,
    state_schema=State,
    output_schema={"type": "object"},
    outcomes=("ok", "empty"),
    reducers=ReducerCatalog.from_reducers(longest),
    output=[input_from("state.total", "total")],
)
step = builder.use(split, input=[input_from("input.text", "text")], output=[output_to("result", "words")], retry=1)
count = builder.use(ops.length, input=[{"target": "items", "path": "state.words"}, input_value("x", 1)])
each = builder.foreach(over=state_path("words"), as_="word", mode="concurrent", concurrent={"max_active": 2})
ask = builder.interrupt(kind="approval", outcomes=["yes", "no"], request_schema=Input)
end = builder.end()
check = builder.condition(check=(state("total") > 3) & ~exists(state("words")))
child = builder.subgraph(workflow=WorkflowBuilder("child", Input, State, {}))
decision = builder.match(state("total"), {1: end, "a": split}, default=builder.end("empty"))
branches = builder.branch(check, {"true": end, "false": END})
builder.when(exists(state("total")), then=end, otherwise="end_empty")
builder.choose((state("total") == 1, end), (state("total") == 2, split))
builder.set_entry_point(step)

assert_type(step, NodeUse)
assert_type(each, ForeachNode)
assert_type(ask, InterruptNode)
assert_type(end, EndNode)
assert_type(check, ConditionNode)
assert_type(child, SubgraphNode)
assert_type(decision, DecisionResult)
assert_type(branches, BranchResult)
assert_type(state("a"), PathExpr)
assert_type(state("a") == 1, Expr)
assert_type(state_path("a"), GraphPath)
document: Workflow = builder.compile()
run: RunState = builder.run({"text": "a"})


async def use() -> None:
    run = await builder.run_async(Input(text="a"))
    assert_type(run.outcome, str | None)
