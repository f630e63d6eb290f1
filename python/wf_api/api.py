"""`WorkflowApi`: every operation of an application in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wf_api.artifacts import WorkflowArtifactApi
from wf_api.capabilities import WorkflowCapabilityApi
from wf_api.deployments import WorkflowDeploymentApi
from wf_api.runs import WorkflowRunApi

if TYPE_CHECKING:
    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowApi"]


class WorkflowApi:
    """Every operation of an application, by domain and flat.

    Attributes:
        capabilities: What a workflow may use.
        artifacts: Saved workflows.
        deployments: What their logical sources mean.
        runs: Their runs.
    """

    def __init__(self, context: WorkflowOperationContext) -> None:
        """Stands on a context."""
        self.context = context
        self.capabilities = WorkflowCapabilityApi(context)
        self.artifacts = WorkflowArtifactApi(context)
        self.deployments = WorkflowDeploymentApi(context)
        self.runs = WorkflowRunApi(context)

        self.list_capabilities = self.capabilities.list_capabilities
        self.inspect_capability = self.capabilities.inspect_capability
        self.call_capability = self.capabilities.call_capability
        self.list_artifacts = self.artifacts.list_artifacts
        self.save_artifact = self.artifacts.save_artifact
        self.create_artifact_from_plan = self.artifacts.create_artifact_from_plan
        self.inspect_artifact = self.artifacts.inspect_artifact
        self.delete_artifact = self.artifacts.delete_artifact
        self.list_deployments = self.deployments.list_deployments
        self.inspect_deployment = self.deployments.inspect_deployment
        self.save_deployment = self.deployments.save_deployment
        self.delete_deployment = self.deployments.delete_deployment
        self.validate_deployment = self.deployments.validate_deployment
        self.run_deployment = self.runs.run_deployment
        self.start_run = self.runs.start_run
        self.recover_runs = self.runs.recover_runs
        self.resume_run = self.runs.resume_run
        self.retry_run = self.runs.retry_run
        self.cancel_run = self.runs.cancel_run
        self.inspect_run = self.runs.inspect_run
        self.read_run_trace = self.runs.read_run_trace
        self.list_runs = self.runs.list_runs
