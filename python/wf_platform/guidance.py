"""Guidance for authors and for models that author: what to do next, and how a capability is best wrapped.

Example:
    >>> hints = wrapper_hints_for_capability(
    ...     capability_name="demo.personal.echo",
    ...     input_schema={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    ...     output_schema={"type": "object", "properties": {"echoed": {"type": "string"}}},
    ...     outcomes=["ok"],
    ... )
    >>> hints.input_map, hints.output_map
    ({'input.text': 'text'}, {'echoed': 'state.echoed'})
"""

from enum import StrEnum

from _wf._native.platform import (
    MissingDecision,
    NextActionPatchExample,
    NextActions,
    OutcomeCandidate,
    WrapperAuthoringHints,
    workflow_output_schema_for_authoring,
    wrapper_hints_for_capability,
)

__all__ = [
    "MissingDecision",
    "MissingDecisionKind",
    "NextActionPatchExample",
    "NextActionTool",
    "NextActions",
    "OutcomeCandidate",
    "OutcomeCandidateKind",
    "WrapperAuthoringHints",
    "WrapperHintConfidence",
    "WrapperOutcomePolicy",
    "workflow_output_schema_for_authoring",
    "wrapper_hints_for_capability",
]


class NextActionTool(StrEnum):
    """A tool that may come next."""

    PATCH_DRAFT_WORKSPACE = "wf.workflow.patch_draft_workspace"
    VALIDATE_DRAFT_WORKSPACE = "wf.workflow.validate_draft_workspace"
    VALIDATE_DEPLOYMENT = "wf.workflow.validate_deployment"
    RUN_DEPLOYMENT = "wf.workflow.run_deployment"
    RESUME_RUN = "wf.workflow.resume_run"
    READ_RUN_TRACE = "wf.workflow.read_run_trace"


class WrapperHintConfidence(StrEnum):
    """How far the hints can be followed as they are."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class WrapperOutcomePolicy(StrEnum):
    """What happens to a capability's outcomes in its wrapper."""

    PRESERVE_DECLARED = "preserve_declared"
    MANUAL_MAPPING_REQUIRED = "manual_mapping_required"


class OutcomeCandidateKind(StrEnum):
    """What makes a field a candidate for an outcome."""

    BOOLEAN_CONTROL_FIELD = "boolean_control_field"


class MissingDecisionKind(StrEnum):
    """What an author has to decide."""

    CHOOSE_OUTPUT_FIELDS = "choose_output_fields"
    REVIEW_NESTED_OUTPUT = "review_nested_output"
    CONFIRM_BOOLEAN_OUTCOMES = "confirm_boolean_outcomes"
    CHOOSE_ERROR_MAPPING = "choose_error_mapping"
