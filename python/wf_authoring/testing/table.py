"""A run's trace as a table of text."""

from collections.abc import Sequence
from typing import Any

_HEAD = ("", "step", "type", "frame", "outcome", "next")
_WIDEST = 48


def trace_table(run: Any) -> str:
    """Return the trace of a run as a table, with how it stands below.

    Args:
        run: A `RunState`.

    Example:
        >>> from wf_authoring import WorkflowBuilder
        >>> builder = WorkflowBuilder("demo", {}, {}, {})
        >>> builder.set_entry_point(builder.end())
        >>> print(trace_table(builder.run({})))
           step    type  frame  outcome  next
        1  end_ok  end   root   ok       __end__
        demo: completed, outcome ok
    """
    rows: list[tuple[str, ...]] = [_HEAD]
    for number, entry in enumerate(run.trace, 1):
        cells = (entry.node_id, entry.step_type, entry.frame_id, entry.outcome, entry.next_node_id)
        rows.append((str(number), *(_cell(cell) for cell in cells)))
    return "\n".join([*_aligned(rows), *_standing(run)])


def _cell(value: Any) -> str:
    text = "-" if value is None else str(value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _standing(run: Any) -> list[str]:
    line = f"{run.workflow_name}: {run.status}"
    if run.outcome is not None:
        line += f", outcome {run.outcome}"
    lines = [line]
    if run.error:
        lines.append(f"error: {run.error}")
    if run.interrupt is not None:
        lines.append(f"waits for {run.interrupt.kind} at {run.interrupt.node_id}: {run.interrupt.payload!r}")
    return lines
