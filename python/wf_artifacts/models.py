"""The documents of artifacts and deployments."""

from wf_platform.artifacts import ArtifactKind, RequiredCapability, WorkflowArtifact
from wf_platform.deployments import (
    AvailableCapability,
    AvailableSource,
    DependencyDiagnostic,
    DiagnosticSeverity,
    DriftPolicy,
    SourceBinding,
    WorkflowDeployment,
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
    "WorkflowDeployment",
]
