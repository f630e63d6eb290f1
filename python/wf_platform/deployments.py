"""Deployments: which concrete sources the logical sources of an artifact mean, and whether that works.

Example:
    >>> deployment = WorkflowDeployment(
    ...     id="daily", artifact_id="report", artifact_version=1, bindings={"drive": "drive.personal"}
    ... )
    >>> deployment.binding_map()
    {'drive': 'drive.personal'}
    >>> deployment.drift_policy == DriftPolicy.BLOCK
    True
"""

from enum import StrEnum

from _wf._native.platform import (
    AvailableCapability,
    AvailableSource,
    DependencyDiagnostic,
    SourceBinding,
    WorkflowDeployment,
    available_source,
    is_runnable,
    unused_binding_diagnostics,
    validate_deployment_dependencies,
)

__all__ = [
    "AvailableCapability",
    "AvailableSource",
    "DependencyDiagnostic",
    "DiagnosticSeverity",
    "DriftPolicy",
    "SourceBinding",
    "WorkflowDeployment",
    "available_source",
    "is_runnable",
    "unused_binding_diagnostics",
    "validate_deployment_dependencies",
]


class DriftPolicy(StrEnum):
    """What happens when a capability's contract is no longer what the workflow was saved with."""

    BLOCK = "block"
    """The deployment does not run."""
    WARN = "warn"
    """It runs, with a warning."""
    ALLOW = "allow"
    """It runs."""


class DiagnosticSeverity(StrEnum):
    """How bad a diagnostic is."""

    ERROR = "error"
    """It does not run."""
    WARNING = "warning"
    """It runs, and somebody should look."""
