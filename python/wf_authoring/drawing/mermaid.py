"""Workflows as Mermaid flowcharts."""

from typing import TYPE_CHECKING, Any

from wf_authoring.drawing.graph import Arrow, Box, drawing_of

if TYPE_CHECKING:
    from wf_core import RunState

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

_CLASSES = {
    "taken": "fill:#eff6ff,stroke:#2563eb,color:#0f172a",
    "untouched": "fill:#ffffff,stroke:#cbd5e1,color:#94a3b8",
    "failed": "fill:#fee2e2,stroke:#dc2626,color:#7f1d1d,stroke-width:3px",
    "waiting": "fill:#fef3c7,stroke:#d97706,color:#78350f,stroke-width:3px",
}


def to_mermaid(workflow: Any, run: "RunState | None" = None) -> str:
    """Return a workflow as a Mermaid flowchart.

    Args:
        workflow: A workflow document or a builder.
        run: A run of it: shows what it did, how often, and where it failed or waits.

    Raises:
        DrawingError: The run is not of this workflow.

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
    drawing = drawing_of(workflow, run)
    names = {box.key: f"n{number}" for number, box in enumerate(drawing.boxes)}
    lines = ["flowchart TD"]
    lines += [f"    {names[box.key]}{_shape(box)}" for box in drawing.boxes]
    lines += [f"    {_arrow(arrow, names)}" for arrow in drawing.arrows]
    for mark, style in _CLASSES.items():
        marked = [names[box.key] for box in drawing.boxes if box.mark == mark]
        if marked:
            lines += [f"    classDef {mark} {style}", f"    class {','.join(marked)} {mark}"]
    return "\n".join(lines)


def _shape(box: Box) -> str:
    opening, closing = _SHAPES.get(box.kind, ("[", "]"))
    text = "<br/>".join(_escaped(line) for line in (box.title, box.detail, box.count) if line)
    return f'{opening}"{text}"{closing}'


def _arrow(arrow: Arrow, names: dict[str, str]) -> str:
    label = f'|"{_escaped(arrow.label)}"|' if arrow.label else ""
    line = "-.->" if arrow.mark == "untouched" else "-->"
    return f"{names[arrow.source]} {line}{label} {names[arrow.target]}"


def _escaped(text: str) -> str:
    """Write what Mermaid or HTML would read as its own as entities."""
    replaced = {"&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "#": "#35;", "\n": " "}
    return "".join(replaced.get(letter, letter) for letter in text)
