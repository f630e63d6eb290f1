"""The names of the package that held artifacts and deployments, for code that moves over.

New code imports from `wf_platform.artifacts` and `wf_platform.deployments`.

Example:
    >>> from wf_artifacts import WorkflowDeployment
    >>> WorkflowDeployment(id="d", artifact_id="report", artifact_version=1).binding_map()
    {}
"""

from wf_platform.artifacts import (
    ArtifactKind,
    RequiredCapability,
    WorkflowArtifact,
    WorkflowArtifactCatalogEntry,
    WorkflowCapabilityRef,
    artifact_catalog_entry,
    artifact_node_name,
    create_workflow_artifact_from_plan,
    logical_ref_for_concrete_ref,
    normalize_plan_node_refs,
    workflow_capability_ref_from_workflow_ref,
    workflow_ref_from_artifact,
    workflow_ref_from_capability,
)
from wf_platform.deployments import (
    AvailableCapability,
    AvailableSource,
    DependencyDiagnostic,
    DiagnosticSeverity,
    DriftPolicy,
    SourceBinding,
    WorkflowDeployment,
    validate_deployment_dependencies,
)

__all__ = [
    "ArtifactKind",
    "AvailableCapability",
    "AvailableSource",
    "DependencyDiagnostic",
    "DiagnosticSeverity",
    "DriftPolicy",
    "RequiredCapability",
    "SourceBinding",
    "WorkflowArtifact",
    "WorkflowArtifactCatalogEntry",
    "WorkflowCapabilityRef",
    "WorkflowDeployment",
    "artifact_catalog_entry",
    "artifact_node_name",
    "create_workflow_artifact_from_plan",
    "logical_ref_for_concrete_ref",
    "normalize_plan_node_refs",
    "validate_deployment_dependencies",
    "workflow_capability_ref_from_workflow_ref",
    "workflow_ref_from_artifact",
    "workflow_ref_from_capability",
]
