"""What a run is made of, for readers.

All records are immutable values. A run is never changed in place: executing and resuming give a new `RunState`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Self

from _wf._native.core import (
    ExecutionFrame,
    InterruptRequest,
    InterruptRoute,
    LineageState,
    RunState,
    RuntimeContext,
    RuntimeScope,
    StateWrite,
    StepExecutionResult,
    TraceEntry,
)

__all__ = [
    "ROOT_FRAME_ID",
    "ROOT_LINEAGE_ID",
    "ROOT_SCOPE_ID",
    "ExecutionFrame",
    "FrameStatus",
    "InterruptRequest",
    "InterruptRoute",
    "LineageState",
    "RunFailure",
    "RunState",
    "RunStatus",
    "RuntimeContext",
    "RuntimeScope",
    "StateWrite",
    "StepExecutionResult",
    "TraceEntry",
]

ROOT_FRAME_ID: Final = "root"
ROOT_SCOPE_ID: Final = "root"
ROOT_LINEAGE_ID: Final = "root"


class RunStatus(StrEnum):
    """What a run is doing."""

    PENDING = "pending"
    """It has not begun."""
    RUNNING = "running"
    """Steps are being executed, or calls are in flight."""
    COMPLETED = "completed"
    """It has an outcome and an output."""
    FAILED = "failed"
    """It stands at a failure and can be resumed from there."""
    INTERRUPTED = "interrupted"
    """It waits for somebody's answer."""
    CANCELLED = "cancelled"
    """Somebody stopped it for good."""


class FrameStatus(StrEnum):
    """What a frame is doing."""

    PENDING = "pending"
    """It waits for its turn."""
    RUNNING = "running"
    """It is in the middle of a step."""
    BLOCKED = "blocked"
    """It waits for frames it has started."""
    COMPLETED = "completed"
    """It is at its end."""
    FAILED = "failed"
    """Its step failed."""
    INTERRUPTED = "interrupted"
    """It waits for an answer."""
    CANCELLED = "cancelled"
    """Its result is no longer wanted."""


class RunFailure(str):
    """Why a run, or a step, failed: the message, with the rest as attributes.

    It is a text, so that code that only shows or compares the message can go on doing so.

    Attributes:
        code: A stable dotted code, such as `node.output_invalid`.
        type: The name of the error's type, such as `ValueError`.
        node_id: The step that failed; `None` when the run failed as a whole.
        frame_id: The frame that stands there.
        attempt: How often the step had been tried, this time included.
        path: Where in a value or document, when there is such a place.
        call_id: The number of the call that failed, when a call did.
        data: What else the handler's exception carried: its code, path and context, and its cause.
    """

    __slots__ = ("attempt", "call_id", "code", "data", "frame_id", "node_id", "path", "type")

    code: str
    type: str
    node_id: str | None
    frame_id: str | None
    attempt: int
    path: str | None
    call_id: int | None
    data: dict[str, Any]

    def __new__(
        cls,
        message: str,
        *,
        code: str = "run.failed",
        type: str = "WorkflowExecutionError",  # noqa: A002 - the name it has in JSON
        node_id: str | None = None,
        frame_id: str | None = None,
        attempt: int = 1,
        path: str | None = None,
        call_id: int | None = None,
        data: dict[str, Any] | None = None,
    ) -> Self:
        """Return the failure with that message."""
        failure = super().__new__(cls, message)
        failure.code = code
        failure.type = type
        failure.node_id = node_id
        failure.frame_id = frame_id
        failure.attempt = attempt
        failure.path = path
        failure.call_id = call_id
        failure.data = {} if data is None else data
        return failure

    @property
    def message(self) -> str:
        """The message as a plain text."""
        return str.__str__(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the failure as plain data."""
        return {"message": self.message, **{name: getattr(self, name) for name in sorted(self.__slots__)}}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with all attributes."""
        return _failure, (self.to_dict(),)


def _failure(facts: dict[str, Any]) -> RunFailure:
    return RunFailure(facts.pop("message"), **facts)
