"""Small models that the operations take."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from wf_api._arguments import check_int64, refusal

__all__ = ["TraceRange"]


class TraceRange(BaseModel):
    """Which entries of a trace to show.

    Whether the numbers fit is said by the operation that takes them.

    Example:
        >>> TraceRange(limit=5)
        TraceRange(start=0, limit=5)
    """

    model_config = ConfigDict(frozen=True)

    start: int = 0
    limit: int = 25


def range_of(trace_range: TraceRange | dict[str, Any] | None) -> tuple[int, int] | None:
    """Return start and limit of a range that was given as a model, as a mapping, or not at all.

    Raises:
        ArgumentError: It is none of these.
    """
    if trace_range is None:
        return None
    try:
        checked = TraceRange.model_validate(trace_range)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(["trace_range", *map(str, first["loc"])])
        raise refusal(path, f"is none: {first['msg']}") from error
    for name in ("start", "limit"):
        check_int64(f"trace_range.{name}", getattr(checked, name))
    return checked.start, checked.limit
