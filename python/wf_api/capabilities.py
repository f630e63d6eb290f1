"""Capabilities: what a workflow may use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _wf._native.api import PreparedRun
from _wf._native.core import check_payload
from wf_api._arguments import operation
from wf_api._waiting import Json, off_loop
from wf_core import RunState, RunStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowCapabilityApi"]


class WorkflowCapabilityApi:
    """Lists, inspects and calls capabilities."""

    def __init__(self, context: WorkflowOperationContext) -> None:
        """Stands on a context."""
        self._application = context.application
        self._runtime = context.runtime

    @operation
    async def list_capabilities(
        self,
        *,
        query: str | None = None,
        source_id: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Json:
        """List node specs that the planner sees, and saved wrappers (under the source id `workflow`).

        Returns:
            `capabilities`, `next_cursor` and `total`.
        """
        return await off_loop(self._application.list_capabilities, query, source_id, cursor, limit)

    @operation
    async def inspect_capability(self, *, qualified_name: str) -> Json:
        """Return the contract of a capability, with hints how to wrap it.

        Raises:
            UnknownNameError: There is none (a `KeyError`); the hint names those that come close.
            CapabilityRefusedError: The planner does not see it.
        """
        return await off_loop(self._application.inspect_capability, qualified_name)

    @operation
    async def call_capability(
        self, *, qualified_name: str, payload: Mapping[str, Any], deployment_id: str | None = None
    ) -> Json:
        """Execute a capability once; nothing is kept.

        Args:
            qualified_name: A node spec, or a saved workflow as `workflow.<id>.v<n>`.
            payload: Its payload.
            deployment_id: Whose bindings count; without one no logical source is bound.

        Returns:
            `outcome`, `output` and `diagnostics`. A failure gives the outcome `runtime_error` and a diagnostic.

        Raises:
            UnknownNameError: There is none (a `KeyError`).
            UnknownRecordError: The deployment is not there (a `KeyError`).
        """
        target = await off_loop(self._application.begin_call, qualified_name, payload, deployment_id)
        if isinstance(target, dict):
            return target
        named = (qualified_name, deployment_id)
        try:
            if isinstance(target, PreparedRun):
                return self._workflow_result(named, await self._runtime.start(target, payload))
            result = await self._runtime.call(qualified_name, target, payload)
            check_payload(target.output_schema, result.output, f"output of {qualified_name}")
        except Exception as error:  # noqa: BLE001 - a failure of the capability is the result of the call
            return self._application.call_failed(*named, getattr(error, "code", None), str(error))
        return self._application.call_returned(*named, result.outcome, result.output)

    def _workflow_result(self, named: tuple[str, str | None], state: RunState) -> Json:
        """Return the result of a called workflow: its outcome is the status of its run."""
        result = self._application.call_returned(*named, RunStatus(state.status).value, state.output)
        if state.error is not None:
            failed = self._application.call_failed(*named, getattr(state.error, "code", None), str(state.error))
            result["diagnostics"] = failed["diagnostics"]
        return result
