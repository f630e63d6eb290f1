"""Structural validation: whether the parts of a workflow fit together."""

from wf_core.validation.issues import ValidationIssue, ValidationIssueCode, ValidationReport, ValidationSeverity
from wf_core.validation.workflow import validate_workflow

__all__ = [
    "ValidationIssue",
    "ValidationIssueCode",
    "ValidationReport",
    "ValidationSeverity",
    "validate_workflow",
]
