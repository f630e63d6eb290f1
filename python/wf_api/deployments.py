"""Deployments: what the logical sources of an artifact mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wf_api._arguments import operation
from wf_api._waiting import Json, off_loop

if TYPE_CHECKING:
    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowDeploymentApi"]


class WorkflowDeploymentApi:
    """Saves, validates and deletes deployments."""

    def __init__(self, context: WorkflowOperationContext) -> None:
        """Stands on a context."""
        self._context = context
        self._application = context.application

    @operation
    async def list_deployments(self) -> Json:
        """List all deployments, by id."""
        return await off_loop(self._application.list_deployments)

    @operation
    async def inspect_deployment(self, *, deployment_id: str) -> Json:
        """Return a whole deployment.

        Raises:
            UnknownRecordError: It is not there (a `KeyError`).
        """
        return await off_loop(self._application.inspect_deployment, deployment_id)

    @operation
    async def save_deployment(self, deployment: Any) -> Json:
        """Save a deployment, given as a document or as its JSON, in the place of one of the same id.

        Returns:
            `deployment_id`, `artifact_id`, `artifact_version` and `saved`.

        Raises:
            DocumentError: The document is not valid.
        """
        return await off_loop(self._application.save_deployment, deployment)

    @operation
    async def delete_deployment(self, *, deployment_id: str) -> Json:
        """Delete a deployment; its runs keep their own copy.

        Raises:
            UnknownRecordError: It is not there (a `KeyError`).
        """
        return await off_loop(self._application.delete_deployment, deployment_id)

    @operation
    async def validate_deployment(self, *, deployment_id: str, live_check: bool = False) -> Json:
        """Say whether a deployment would run now, and what is wrong with it.

        Args:
            deployment_id: The deployment.
            live_check: Also ask the sources whether they are there, where that can be asked.

        Returns:
            `status` (`runnable` or `unrunnable`), `diagnostics` and `next_actions`; only errors make it unrunnable.

        Raises:
            UnknownRecordError: The deployment or its artifact is not there (a `KeyError`).
        """
        further: list[Any] = []
        checker = self._context.live_sources
        if live_check and checker is not None:
            deployment = await self.inspect_deployment(deployment_id=deployment_id)
            artifact = await off_loop(
                self._application.inspect_artifact, deployment["artifact_id"], deployment["artifact_version"]
            )
            further = list(await checker.deployment_diagnostics(deployment=deployment, artifacts=[artifact]))
        return await off_loop(self._application.validate_deployment, deployment_id, further)
