"""What a run did in its workflow, for the colours and counts of a drawing."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wf_core.errors import WfError

if TYPE_CHECKING:
    from wf_core import RunState

ROOT_SCOPE = "root"


class DrawingError(WfError, ValueError):
    """A run that cannot be drawn in that workflow."""

    code = "drawing.other_workflow"


@dataclass(frozen=True)
class Taken:
    """What a run did in the workflow itself; what its child workflows did is not in the drawing.

    Attributes:
        steps: How often an outcome left each step.
        arrows: How often each arrow was taken, by source and target.
        failed: At which steps frames stand that failed, and how many.
        waiting: The step that waits for an answer; `None` when the run is not interrupted.
    """

    steps: Counter[str]
    arrows: Counter[tuple[str, str]]
    failed: Counter[str]
    waiting: str | None


def taken_by(run: "RunState", workflow: Any) -> Taken:
    """Return what a run did in a workflow.

    Args:
        run: A run, at rest or finished.
        workflow: The workflow it ran.

    Raises:
        DrawingError: The run has another name, or executed steps that the workflow does not have.
    """
    _check_name(run, workflow)
    frames = run.frames
    inside = {key for key, frame in frames.items() if frame.scope_id == ROOT_SCOPE}
    leads_on = {(edge.from_, edge.outcome, edge.to) for edge in workflow.edges}
    steps: Counter[str] = Counter()
    arrows: Counter[tuple[str, str]] = Counter()
    for entry in run.trace:
        if entry.frame_id not in inside or entry.error is not None:
            continue
        edge = (entry.node_id, entry.outcome, entry.next_node_id)
        if edge not in leads_on and entry.step_type == "interrupt":
            # The question was put; the answer is an entry of its own.
            continue
        steps[entry.node_id] += 1
        arrows[entry.node_id, entry.next_node_id] += 1
    failed = Counter(frames[key].node_id for key in inside if frames[key].status == "failed")
    if run.status == "failed" and run.error is not None and run.error.frame_id is not None:
        at = _boundary(run.error.frame_id, frames)
        # The frame of a subgraph step is blocked, not failed, while its child stands at the failed step.
        if at is not None and at.status != "failed":
            failed[at.node_id] += 1
    waiting = None
    if run.status == "interrupted" and run.current_frame_id is not None:
        at = _boundary(run.current_frame_id, frames)
        waiting = None if at is None else at.node_id
    _check_steps(run, workflow, {*steps, *failed, *([] if waiting is None else [waiting])})
    return Taken(steps, arrows, failed, waiting)


def _boundary(frame_id: str, frames: Any) -> Any:
    """Return the frame of the workflow itself in which a frame of any depth runs."""
    frame = frames.get(frame_id)
    while frame is not None and frame.scope_id != ROOT_SCOPE:
        frame = frames.get(frame.parent_frame_id)
    return frame


def _check_name(run: "RunState", workflow: Any) -> None:
    if run.workflow_name != workflow.name:
        message = f"the run is of workflow {run.workflow_name!r}, not of {workflow.name!r}"
        raise DrawingError(message, path="workflow_name", hint="draw a run in the workflow that it ran")


def _check_steps(run: "RunState", workflow: Any, seen: set[str]) -> None:
    unknown = sorted(seen - {step.id for step in workflow.nodes})
    if unknown:
        message = f"the run executed steps that workflow {run.workflow_name!r} does not have: {', '.join(unknown)}"
        raise DrawingError(message, path="trace", hint="draw a run in the workflow that it ran")
