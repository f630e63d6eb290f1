"""Drawings of runs: what was done, how often, and where it failed or waits."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from wf_authoring import WorkflowBuilder, input_from, node
from wf_authoring.drawing import DrawingError, to_mermaid, to_svg
from wf_authoring.drawing.graph import Drawing, drawing_of
from wf_authoring.drawing.taken import taken_by
from wf_core import END, RunState

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = {"type": "object", "properties": {"ns": {"type": "array", "items": {"type": "integer"}}}}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}


@node
def odd_only(n: int) -> int:
    if n % 2 == 0:
        message = f"{n} is even"
        raise ValueError(message)
    return n


def child() -> WorkflowBuilder:
    builder = WorkflowBuilder("child", NUMBER, {}, {})
    step = builder.use(odd_only, id="check", input=[input_from("input.n", "n")])
    builder.set_entry_point(step)
    builder.connect(step, "ok", builder.end())
    return builder


def over_numbers(*, item_error: Any = None, nested: bool = False) -> WorkflowBuilder:
    """Checks each number; a child workflow's step has the same id as the step that runs it."""
    builder = WorkflowBuilder("numbers", NUMBERS, {}, {})
    each = builder.foreach(id="each", over="input.ns", as_="n", item_error=item_error)
    step: Any
    if nested:
        step = builder.subgraph(workflow=child(), id="check", input=[input_from("context.n", "n")])
    else:
        step = builder.use(odd_only, id="check", input=[input_from("context.n", "n")])
    builder.set_entry_point(each)
    builder.connect(each, "loop", step)
    builder.connect(step, "ok", END)
    builder.connect(each, "done", builder.end())
    if item_error is not None:
        builder.connect(each, "completed_with_errors", builder.end(id="partly"))
    return builder


def asking() -> WorkflowBuilder:
    builder = WorkflowBuilder("asking", {}, {}, {})
    ask = builder.interrupt(kind="approval", id="ask", outcomes=["yes", "again"])
    builder.set_entry_point(ask)
    builder.connect(ask, "yes", builder.end())
    builder.connect(ask, "again", ask)
    return builder


def marks(drawing: Drawing) -> dict[str, tuple[str, str]]:
    return {box.title: (box.mark, box.count) for box in drawing.boxes}


def arrows(drawing: Drawing) -> dict[tuple[str, str], tuple[str, str]]:
    return {(arrow.source, arrow.target): (arrow.mark, arrow.label) for arrow in drawing.arrows}


@pytest.mark.parametrize("nested", [False, True])
def test_steps_and_arrows_are_counted_without_those_of_child_workflows(nested: bool) -> None:
    builder = over_numbers(nested=nested)
    drawing = drawing_of(builder, builder.run({"ns": [1, 3, 5]}))

    assert marks(drawing) == {
        "start": ("taken", ""),
        "each": ("taken", "4\N{MULTIPLICATION SIGN}"),
        "check": ("taken", "3\N{MULTIPLICATION SIGN}"),
        "end_ok": ("taken", "1\N{MULTIPLICATION SIGN}"),
        "end": ("taken", ""),
    }
    assert arrows(drawing)["each", "check"] == ("taken", "3\N{MULTIPLICATION SIGN} loop")
    assert arrows(drawing)["each", "end_ok"] == ("taken", "1\N{MULTIPLICATION SIGN} done")
    assert arrows(drawing)["__start__", "each"] == ("taken", "")


@pytest.mark.parametrize("nested", [False, True])
def test_the_step_where_a_run_failed_is_marked_also_when_a_child_failed(nested: bool) -> None:
    builder = over_numbers(nested=nested)
    drawing = drawing_of(builder, builder.run({"ns": [1, 2, 3]}))

    assert marks(drawing)["check"] == ("failed", "1\N{MULTIPLICATION SIGN}, 1 failed")
    assert marks(drawing)["end_ok"] == ("untouched", "")
    assert arrows(drawing)["each", "end_ok"] == ("untouched", "done")


@pytest.mark.parametrize("nested", [False, True])
def test_items_that_failed_are_counted_in_a_run_that_went_on(nested: bool) -> None:
    builder = over_numbers(item_error="skip", nested=nested)
    run = builder.run({"ns": [1, 2, 4]})

    assert run.status == "completed"
    assert marks(drawing_of(builder, run))["check"] == ("failed", "1\N{MULTIPLICATION SIGN}, 2 failed")


def test_the_step_that_waits_is_marked_and_a_question_is_no_outcome() -> None:
    workflow = asking().compile()
    run = workflow.run({})

    assert marks(drawing_of(workflow, run))["ask"] == ("waiting", "waiting")
    again = drawing_of(workflow, workflow.resume(run, outcome="again", payload={}))
    assert marks(again)["ask"] == ("waiting", "1\N{MULTIPLICATION SIGN}, waiting")
    assert arrows(again)["ask", "ask"] == ("taken", "1\N{MULTIPLICATION SIGN} again")


def test_a_question_of_a_child_workflow_waits_at_the_step_that_runs_it() -> None:
    builder = WorkflowBuilder("outer", {}, {}, {})
    step = builder.subgraph(workflow=asking(), id="inner")
    builder.set_entry_point(step)
    for outcome in step.outcomes:
        builder.connect(step, outcome, builder.end(outcome))

    assert taken_by(builder.run({}), builder).waiting == "inner"


def test_mermaid_of_a_run_has_classes_and_dotted_arrows() -> None:
    builder = over_numbers()
    lines = to_mermaid(builder, builder.run({"ns": [2]})).splitlines()

    assert '    n2["check<br/>odd_only<br/>1 failed"]' in lines
    assert "    class n2 failed" in lines
    assert any(line.startswith("    classDef failed ") for line in lines)
    assert '    n1 -.->|"done"| n3' in lines


def test_svg_of_a_run_shows_counts_and_colours_and_escapes_what_users_wrote() -> None:
    builder = WorkflowBuilder("<script>", {}, {}, {})
    ask = builder.interrupt(kind='"><script>alert(1)</script>', id="<img src=x>", outcomes=["<b>"])
    builder.set_entry_point(ask)
    builder.connect(ask, "<b>", builder.end())
    workflow = builder.compile()
    svg = to_svg(workflow, workflow.run({}))

    root = ET.fromstring(svg)  # noqa: S314 - our own text
    assert "waiting" in [element.text for element in root.iter(f"{SVG}text")]
    assert "#fef3c7" in [element.get("fill") for element in root.iter(f"{SVG}rect")]
    assert "<script" not in svg
    assert "<img" not in svg


def test_the_label_of_an_arrow_back_lies_within_the_picture() -> None:
    builder = WorkflowBuilder("back", {}, {}, {})
    ask = builder.interrupt(kind="approval", id="ask", outcomes=["yes", "once_more_from_the_beginning"])
    builder.set_entry_point(ask)
    builder.connect(ask, "yes", builder.end())
    builder.connect(ask, "once_more_from_the_beginning", ask)

    root = ET.fromstring(to_svg(builder))  # noqa: S314 - our own text
    label = next(text for text in root.iter(f"{SVG}text") if text.text == "once_more_from_the_beginning")
    assert label.get("text-anchor") == "start"
    assert float(label.get("x", 0)) + 7 * len(label.text or "") <= float(root.get("width", 0))


def test_methods_draw_as_the_functions_do_and_without_a_run_nothing_is_marked() -> None:
    builder = over_numbers()
    workflow, run = builder.compile(), builder.run({"ns": [1]})

    assert workflow.to_svg(run) == builder.to_svg(run) == to_svg(workflow, run)
    assert workflow.to_mermaid(run) == builder.to_mermaid(run) == to_mermaid(workflow, run)
    assert "classDef" not in workflow.to_mermaid()
    assert {box.mark for box in drawing_of(workflow).boxes} == {"plain"}


def test_a_run_that_had_no_step_yet_leaves_everything_untouched() -> None:
    run = RunState(workflow_name="numbers", status="pending", workflow_input={}, state={})

    assert {box.mark for box in drawing_of(over_numbers(), run).boxes} == {"untouched"}


def test_a_run_of_another_workflow_is_refused() -> None:
    run = over_numbers().run({"ns": [1]})

    with pytest.raises(DrawingError, match="'numbers', not of 'asking'") as other_name:
        to_svg(asking(), run)
    changed = WorkflowBuilder("numbers", {}, {}, {})
    changed.set_entry_point(changed.end())
    with pytest.raises(DrawingError, match="does not have: check, each") as other_steps:
        to_mermaid(changed, run)

    assert (other_name.value.code, other_name.value.path) == ("drawing.other_workflow", "workflow_name")
    assert (other_steps.value.code, other_steps.value.path) == ("drawing.other_workflow", "trace")
