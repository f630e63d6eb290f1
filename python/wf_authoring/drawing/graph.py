"""What a drawing shows of a workflow: boxes and arrows."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from wf_authoring.drawing.taken import Taken, taken_by
from wf_core import END

if TYPE_CHECKING:
    from wf_core import RunState

# Comes before what is counted, so that a long label that is cut keeps it.
TIMES = "\N{MULTIPLICATION SIGN}"
Mark = Literal["plain", "taken", "untouched", "failed", "waiting"]


@dataclass(frozen=True)
class Box:
    """A step, or one of the two ends.

    Attributes:
        key: The step's id; `END` for the end of the workflow.
        kind: The step's type; `start` and `stop` for the two ends.
        title: The first line.
        detail: The second line; empty for none.
        mark: What a run did there; `plain` in the drawing of a workflow alone.
        count: How often, as text; empty for none.
    """

    key: str
    kind: str
    title: str
    detail: str = ""
    mark: Mark = "plain"
    count: str = ""


@dataclass(frozen=True)
class Arrow:
    """Where an outcome leads.

    Attributes:
        source: The key of the box it comes from.
        target: The key of the box it leads to.
        label: The outcomes, and how often a run took them.
        mark: Whether a run took it; `plain` in the drawing of a workflow alone.
    """

    source: str
    target: str
    label: str
    mark: Mark = "plain"


@dataclass(frozen=True)
class Drawing:
    """Boxes and arrows, the start first.

    Attributes:
        name: The workflow's name.
        boxes: The boxes.
        arrows: The arrows; those between the same two boxes are one.
    """

    name: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


START_KEY = "__start__"


def drawing_of(workflow: Any, run: "RunState | None" = None) -> Drawing:
    """Return the drawing of a workflow document, valid or not.

    Args:
        workflow: A workflow, or anything with its `name`, `start`, `nodes` and `edges`.
        run: A run of it, to mark what it did.

    Raises:
        DrawingError: The run is not of this workflow.
    """
    boxes = [_box(step) for step in workflow.nodes]
    known = {box.key for box in boxes}
    labels: dict[tuple[str, str], list[str]] = {}
    for edge in workflow.edges:
        labels.setdefault((edge.from_, edge.to), []).append(edge.outcome)
    arrows = [Arrow(source, target, ", ".join(outcomes)) for (source, target), outcomes in labels.items()]
    if workflow.start:
        boxes.insert(0, Box(START_KEY, "start", "start"))
        arrows.insert(0, Arrow(START_KEY, workflow.start, ""))
    for arrow in arrows:
        for key in (arrow.source, arrow.target):
            if key in known or key == START_KEY:
                continue
            known.add(key)
            boxes.append(Box(key, "stop", "end") if key == END else Box(key, "unknown", key, "unknown step"))
    drawing = Drawing(workflow.name, tuple(boxes), tuple(arrows))
    return drawing if run is None else _marked(drawing, taken_by(run, workflow))


def _marked(drawing: Drawing, taken: Taken) -> Drawing:
    # The two ends and their arrows have no entries of their own in a trace.
    began = bool(taken.steps or taken.failed or taken.waiting)
    arrived = Counter[str]()
    for (_, target), times in taken.arrows.items():
        arrived[target] += times
    boxes = [_marked_box(box, taken, began=began, arrived=arrived[box.key]) for box in drawing.boxes]
    arrows = [
        _marked_arrow(arrow, int(began) if arrow.source == START_KEY else taken.arrows[arrow.source, arrow.target])
        for arrow in drawing.arrows
    ]
    return replace(drawing, boxes=tuple(boxes), arrows=tuple(arrows))


def _marked_box(box: Box, taken: Taken, *, began: bool, arrived: int) -> Box:
    if box.kind in {"start", "stop"}:
        return replace(box, mark="taken" if (began if box.kind == "start" else arrived) else "untouched")
    times, failed = taken.steps[box.key], taken.failed[box.key]
    counts = [f"{times}{TIMES}"] if times else []
    counts += [f"{failed} failed"] if failed else []
    mark: Mark = "taken" if times else "untouched"
    if failed:
        mark = "failed"
    elif box.key == taken.waiting:
        mark = "waiting"
        counts.append("waiting")
    return replace(box, mark=mark, count=", ".join(counts))


def _marked_arrow(arrow: Arrow, times: int) -> Arrow:
    if not times:
        return replace(arrow, mark="untouched")
    return replace(arrow, mark="taken", label=f"{times}{TIMES} {arrow.label}" if arrow.label else "")


def _box(step: Any) -> Box:
    details: dict[str, Callable[[Any], str]] = {
        "node": lambda step: "" if step.node == step.id else step.node,
        "subgraph": lambda step: step.workflow.display,
        "condition": lambda step: condition_text(step.check),
        "foreach": lambda step: f"{step.as_} in {step.over}",
        "interrupt": lambda step: step.kind,
        "end": lambda step: step.outcome,
        "gather": lambda step: f"of {step.of}",
    }
    detail = details.get(step.type)
    return Box(step.id, step.type, step.id, "" if detail is None else detail(step))


_SIGNS = {"eq": "=", "ne": "≠", "gt": ">", "ge": "≥", "lt": "<", "le": "≤"}


def condition_text(condition: Any) -> str:
    """Return a condition as one would write it.

    Example:
        >>> from wf_authoring import exists, state
        >>> condition_text((~exists(state("a")) & (state("b") >= 3)).condition)
        'not state.a exists and state.b ≥ 3'
    """
    if condition.op == "exists":
        return f"{condition.path} exists"
    if condition.op == "not":
        return f"not {condition_text(condition.arg)}"
    if condition.op in {"and", "or"}:
        return f" {condition.op} ".join(_in_parentheses(arg, condition.op) for arg in condition.args)
    return f"{_operand(condition.left)} {_SIGNS[condition.op]} {_operand(condition.right)}"


def _in_parentheses(condition: Any, op: str) -> str:
    text = condition_text(condition)
    return f"({text})" if condition.op in {"and", "or"} and condition.op != op else text


def _operand(operand: Any) -> str:
    return str(operand.path) if hasattr(operand, "path") else repr(operand.value)
