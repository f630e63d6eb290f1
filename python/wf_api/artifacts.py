"""Artifacts: saved workflows, immutable under their id and version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wf_api._arguments import operation
from wf_api._waiting import Json, off_loop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowArtifactApi"]


class WorkflowArtifactApi:
    """Saves, lists and deletes artifacts."""

    def __init__(self, context: WorkflowOperationContext) -> None:
        """Stands on a context."""
        self._application = context.application

    @operation
    async def list_artifacts(
        self, *, query: str | None = None, kind: str | None = None, cursor: str | None = None, limit: int = 50
    ) -> Json:
        """List the artifacts that a search finds, without their plans.

        Returns:
            `nodes`, `next_cursor` and `total`.

        Raises:
            OperationError: The kind is none.
            PlatformRuleError: The cursor or the limit is none.
        """
        return await off_loop(self._application.list_artifacts, query, kind, cursor, limit)

    @operation
    async def save_artifact(self, artifact: Any) -> Json:
        """Save an artifact, given as a document or as its JSON.

        The plan is checked, and what it needs and nobody recorded is recorded. Saving the same again changes nothing.

        Returns:
            `artifact_id`, `version` and `saved`.

        Raises:
            DocumentError: The document is not valid.
            PlatformRuleError: The plan is not valid; the message lists everything that is wrong with it.
            ArtifactExistsError: The version is there with other content.
        """
        return await off_loop(self._application.save_artifact, artifact)

    @operation
    async def create_artifact_from_plan(
        self,
        *,
        artifact_id: str,
        version: int,
        title: str,
        plan: Any,
        outcomes: Sequence[str],
        kind: str = "workflow",
        description: str | None = None,
        required_capabilities: Any = None,
        source_bindings: Mapping[str, str] | Sequence[Any] | None = None,
        created_from_catalog_version: Any = None,
    ) -> Json:
        """Make an artifact of a plan and save it.

        Args:
            artifact_id: The id.
            version: The version, from 1 on.
            title: A title for people.
            plan: The workflow, as a `Workflow` or as its JSON.
            outcomes: The outcomes it may end with.
            kind: `workflow` or `wrapper`.
            description: What it does.
            required_capabilities: Requirements that win over those that are found in the plan.
            source_bindings: Which concrete sources the plan names, and what the artifact calls them.
            created_from_catalog_version: The version of the catalog, as the caller counts.

        Returns:
            `artifact_id`, `version` and `saved`.

        Raises:
            PlatformRuleError: The plan is not valid; the message lists everything that is wrong with it.
            ArtifactExistsError: The version is there with other content.
        """
        return await off_loop(
            self._application.create_artifact_from_plan,
            artifact_id=artifact_id,
            version=version,
            title=title,
            plan=plan,
            outcomes=list(outcomes),
            kind=kind,
            description=description,
            required_capabilities=required_capabilities,
            source_bindings=source_bindings,
            created_from_catalog_version=created_from_catalog_version,
        )

    @operation
    async def inspect_artifact(self, *, artifact_id: str, version: int) -> Json:
        """Return a whole artifact.

        Raises:
            UnknownRecordError: It is not there (a `KeyError`).
        """
        return await off_loop(self._application.inspect_artifact, artifact_id, version)

    @operation
    async def delete_artifact(self, *, artifact_id: str, version: int) -> Json:
        """Delete an artifact, unless deployments use it.

        Returns:
            `deleted`, and under `blocked_by_deployments` who uses it.

        Raises:
            UnknownRecordError: It is not there (a `KeyError`).
        """
        return await off_loop(self._application.delete_artifact, artifact_id, version)
