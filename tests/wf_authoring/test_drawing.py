"""Drawings: Mermaid text and SVG."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wf_authoring import WorkflowBuilder, exists, node, state
from wf_authoring.drawing import to_mermaid, to_svg
from wf_authoring.drawing.graph import condition_text, drawing_of
from wf_authoring.drawing.layout import layers_of, split_arrows
from wf_core import END, Edge

SVG = "{http://www.w3.org/2000/svg}"


@node
def work(n: int) -> int:
    return n


def sample() -> WorkflowBuilder:
    builder = WorkflowBuilder('a "demo" <b>', {}, {}, {})
    builder.set_entry_point(work)
    each = builder.foreach(over="state.items", as_="item")
    builder.connect("work", "ok", each)
    builder.connect(each, "loop", builder.interrupt(kind='say "hi" & <b>', id="ask"))
    builder.connect("ask", "submitted", END)
    builder.connect("ask", "again", "work")
    builder.connect(each, "done", builder.when(state("n") > 3, then=builder.end(), otherwise="nowhere"))
    return builder


def test_mermaid_shows_every_step_and_edge() -> None:
    text = to_mermaid(sample())

    assert text.splitlines() == [
        "flowchart TD",
        '    n0(("start"))',
        '    n1["work"]',
        '    n2[/"foreach_item<br/>item in state.items"/]',
        '    n3>"ask<br/>say #quot;hi#quot; #amp; #lt;b#gt;"]',
        '    n4(["end_ok<br/>ok"])',
        '    n5{"state_n<br/>state.n #gt; 3"}',
        '    n6((("end")))',
        '    n7["nowhere<br/>unknown step"]',
        "    n0 --> n1",
        '    n1 -->|"ok"| n2',
        '    n2 -->|"loop"| n3',
        '    n3 -->|"submitted"| n6',
        '    n3 -->|"again"| n1',
        '    n5 -->|"true"| n4',
        '    n5 -->|"false"| n7',
        '    n2 -->|"done"| n5',
    ]


def test_svg_is_well_formed_and_shows_every_step() -> None:
    root = ET.fromstring(to_svg(sample()))  # noqa: S314 - our own text

    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert root.find(f"{SVG}title").text == 'a "demo" <b>'  # type: ignore[union-attr]
    for expected in ("start", "work", "foreach_item", "ask", 'say "hi" & <b>', "end_ok", "nowhere", "again", "loop"):
        assert expected in texts
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for box in root.iter(f"{SVG}rect"):
        if box.get("x") is not None:
            assert 0 <= float(box.get("x", 0)) <= width - float(box.get("width", 0))
            assert 0 <= float(box.get("y", 0)) <= height - float(box.get("height", 0))


def test_a_document_draws_like_its_builder() -> None:
    builder = WorkflowBuilder("demo", {}, {}, {})
    builder.set_entry_point(builder.when(exists(state("a")), then=builder.end(), otherwise=builder.end("none")))
    workflow = builder.compile(validate=False)

    assert to_mermaid(workflow) == to_mermaid(builder)
    assert to_svg(workflow) == to_svg(builder)


def test_outcomes_to_one_step_share_an_arrow() -> None:
    builder = WorkflowBuilder("demo", {}, {}, {})
    builder.handle((builder.condition(check=state("a") == 1), "true"), ("state_a", "false"), to=END)

    assert [arrow.label for arrow in drawing_of(builder).arrows] == ["true, false"]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (state("a") == "x", "state.a = 'x'"),
        (state("a") <= state("b"), "state.a ≤ state.b"),
        (
            exists(state("a")) & (exists(state("b")) | (state("c") != 1)),
            "state.a exists and (state.b exists or state.c ≠ 1)",
        ),
        (~exists(state("a")), "not state.a exists"),
    ],
)
def test_conditions_read_as_written(condition: Any, text: str) -> None:
    assert condition_text(condition.condition) == text


@given(data=st.data(), size=st.integers(1, 12))
def test_every_step_has_one_place_and_arrows_lead_down_or_back(data: st.DataObject, size: int) -> None:
    builder = WorkflowBuilder("demo", {}, {}, {}, start="s0")
    for number in range(size):
        builder.join(id=f"s{number}")
    names = st.integers(0, size - 1).map("s{}".format)
    for number, (source, target) in enumerate(data.draw(st.lists(st.tuples(names, names), max_size=30))):
        builder.edges.append(Edge.model_validate({"from": source, "outcome": str(number), "to": target}))
    drawing = drawing_of(builder)

    layers = layers_of(drawing)

    layer_of = {key: number for number, layer in enumerate(layers) for key in layer}
    assert sorted(key for layer in layers for key in layer) == sorted(box.key for box in drawing.boxes)
    forward, back = split_arrows(drawing)
    assert len(forward) + len(back) == len(drawing.arrows)
    assert all(layer_of[arrow.source] < layer_of[arrow.target] for arrow in forward)
    ET.fromstring(to_svg(builder))  # noqa: S314 - our own text


def test_long_workflows_are_drawn_without_recursion() -> None:
    builder = WorkflowBuilder("long", {}, {}, {}, start="s0")
    for number in range(3000):
        builder.join(id=f"s{number}")
        builder.edges.append(Edge.model_validate({"from": f"s{number}", "outcome": "done", "to": f"s{number + 1}"}))

    assert len(layers_of(drawing_of(builder))) == 3002
