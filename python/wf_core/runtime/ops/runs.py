"""The creation of a run under the name by which other packages have always imported it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _wf._native.core import create_run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wf_core.models import Workflow
    from wf_core.run_state import RunState

__all__ = ["create_run_state"]


def create_run_state(workflow: Workflow, workflow_input: Mapping[str, Any]) -> RunState:
    """Return a run that stands before its first step; `step_workflow` and `resume_workflow` go on with it.

    Raises:
        WorkflowValidationError: The document's structure is wrong.
    """
    return create_run(workflow, workflow_input)
