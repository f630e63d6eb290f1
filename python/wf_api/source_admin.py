"""Looking at sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wf_api._arguments import operation
from wf_api._waiting import Json, off_loop

if TYPE_CHECKING:
    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowSourceAdminApi"]


class WorkflowSourceAdminApi:
    """Lists and inspects sources."""

    def __init__(self, context: WorkflowOperationContext) -> None:
        """Stands on a context."""
        self._application = context.application

    @operation
    async def list_sources(self, *, cursor: str | None = None, limit: int = 50) -> Json:
        """List sources sorted by id, disabled and hidden ones included.

        Returns:
            `sources` (flags, counts, a preview of names), `next_cursor` and `total`.
        """
        return await off_loop(self._application.list_sources, cursor, limit)

    @operation
    async def inspect_source(self, *, source_id: str) -> Json:
        """Return the full inventory of a source.

        Raises:
            UnknownNameError: There is none (a `KeyError`); the hint names those that come close.
        """
        return await off_loop(self._application.inspect_source, source_id)

    @operation
    async def diagnose_source(self, *, source_id: str) -> Json:
        """Say how a source is doing, as far as this process knows.

        Raises:
            UnknownNameError: There is none (a `KeyError`).
        """
        return await off_loop(self._application.diagnose_source, source_id)
