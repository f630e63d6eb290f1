"""Workflows as Mermaid flowcharts."""

from typing import Any

from wf_authoring.drawing.graph import Arrow, Box, drawing_of

_SHAPES = {
    "start": ("((", "))"),
    "stop": ("(((", ")))"),
    "end": ("([", "])"),
    "condition": ("{", "}"),
    "foreach": ("[/", "/]"),
    "subgraph": ("[[", "]]"),
    "interrupt": (">", "]"),
    "fork": ("{{", "}}"),
    "gather": ("{{", "}}"),
    "join": ("(", ")"),
}


def to_mermaid(workflow: Any) -> str:
    """Return a workflow as a Mermaid flowchart.

    Args:
        workflow: A workflow document or a builder.

    Example:
        >>> from wf_authoring import WorkflowBuilder
        >>> builder = WorkflowBuilder("demo", {}, {}, {})
        >>> builder.set_entry_point(builder.end())
        >>> print(to_mermaid(builder))
        flowchart TD
            n0(("start"))
            n1(["end_ok<br/>ok"])
            n0 --> n1
    """
    drawing = drawing_of(workflow)
    names = {box.key: f"n{number}" for number, box in enumerate(drawing.boxes)}
    lines = ["flowchart TD"]
    lines += [f"    {names[box.key]}{_shape(box)}" for box in drawing.boxes]
    lines += [f"    {_arrow(arrow, names)}" for arrow in drawing.arrows]
    return "\n".join(lines)


def _shape(box: Box) -> str:
    opening, closing = _SHAPES.get(box.kind, ("[", "]"))
    text = _escaped(box.title) + (f"<br/>{_escaped(box.detail)}" if box.detail else "")
    return f'{opening}"{text}"{closing}'


def _arrow(arrow: Arrow, names: dict[str, str]) -> str:
    label = f'|"{_escaped(arrow.label)}"|' if arrow.label else ""
    return f"{names[arrow.source]} -->{label} {names[arrow.target]}"


def _escaped(text: str) -> str:
    """Write what Mermaid or HTML would read as its own as entities."""
    replaced = {"&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "\n": " "}
    return "".join(replaced.get(letter, letter) for letter in text)
