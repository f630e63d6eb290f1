"""References to other workflows."""

from collections.abc import Mapping
from typing import Any

from _wf._native.core import WorkflowRef

__all__ = ["WorkflowRef", "workflow_ref_from"]


def workflow_ref_from(ref: WorkflowRef | str | Mapping[str, Any]) -> WorkflowRef:
    """Return the reference that a text or a mapping stands for.

    Raises:
        DocumentError: It stands for none.

    Example:
        >>> workflow_ref_from("workflow.report.v2").artifact_id
        'report'
    """
    if isinstance(ref, Mapping) and not isinstance(ref, dict):
        ref = dict(ref)
    return WorkflowRef.model_validate(ref)
