"""Artifacts: saved workflows as immutable, versioned documents.

Example:
    >>> artifact = WorkflowArtifact(
    ...     id="report", version=1, title="Report", input_schema={}, output_schema={}, outcomes=["ok"], plan={}
    ... )
    >>> artifact_node_name(artifact)
    'workflow.report.v1'
"""

from typing import Literal, TypeAlias

from _wf._native.platform import (
    RequiredCapability,
    WorkflowArtifact,
    WorkflowArtifactCatalogEntry,
    WorkflowCapabilityRef,
    artifact_catalog_entry,
    artifact_node_name,
    create_workflow_artifact_from_plan,
    logical_ref_for_concrete_ref,
    normalize_plan_node_refs,
    validate_stored_id,
    workflow_capability_ref_from_workflow_ref,
    workflow_ref_from_artifact,
    workflow_ref_from_capability,
)

__all__ = [
    "ArtifactKind",
    "CapabilityKind",
    "RequiredCapability",
    "WorkflowArtifact",
    "WorkflowArtifactCatalogEntry",
    "WorkflowCapabilityRef",
    "artifact_catalog_entry",
    "artifact_node_name",
    "create_workflow_artifact_from_plan",
    "logical_ref_for_concrete_ref",
    "normalize_plan_node_refs",
    "validate_stored_id",
    "workflow_capability_ref_from_workflow_ref",
    "workflow_ref_from_artifact",
    "workflow_ref_from_capability",
]

ArtifactKind: TypeAlias = Literal["workflow", "wrapper"]
"""What an artifact is for: a workflow of its own, or a small one around a single capability."""

CapabilityKind: TypeAlias = Literal["tool", "resource", "prompt", "node_spec", "reducer", "workflow"]
"""The kinds of capability."""
