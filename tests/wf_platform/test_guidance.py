"""Wrapper hints and next actions from Python."""

import json

import pytest

from wf_platform.deployments import DependencyDiagnostic
from wf_platform.guidance import (
    MissingDecisionKind,
    NextActions,
    NextActionTool,
    OutcomeCandidateKind,
    WrapperAuthoringHints,
    WrapperHintConfidence,
    WrapperOutcomePolicy,
    workflow_output_schema_for_authoring,
    wrapper_hints_for_capability,
)

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def hints(output: dict[str, object]) -> WrapperAuthoringHints:
    return wrapper_hints_for_capability(
        capability_name="demo.personal.tool", input_schema=TEXT, output_schema=output, outcomes=("ok", "error")
    )


def test_hints_map_fields_and_keep_outcomes() -> None:
    found = hints({"properties": {"result": {"type": "string"}}})
    assert found.input_map == {"input.text": "text"}
    assert found.output_map == {"result": "state.result"}
    assert found.confidence == WrapperHintConfidence.HIGH
    assert found.declared_outcomes == ["ok", "error"]
    assert found.missing_decisions == []


def test_raw_content_is_explained() -> None:
    found = hints({"properties": {"content": {"type": "array"}}})
    assert "Raw MCP content blocks" in found.notes[2]
    assert "TextContent" in found.notes[2]
    assert [decision.kind for decision in found.missing_decisions] == [
        MissingDecisionKind.CHOOSE_OUTPUT_FIELDS,
        MissingDecisionKind.REVIEW_NESTED_OUTPUT,
    ]
    assert workflow_output_schema_for_authoring({"properties": {"content": {"type": "array"}}}) == {
        "type": "object",
        "properties": {},
    }


def test_next_actions_after_each_step() -> None:
    clear = hints({"properties": {"result": {"type": "string"}}})
    after_hints = NextActions.from_wrapper_hints(workspace_id="w", revision=1, hints=clear)
    assert (after_hints.can_save_now, after_hints.recommended_next_tool) == (
        True,
        NextActionTool.VALIDATE_DRAFT_WORKSPACE,
    )
    problem = DependencyDiagnostic(
        severity="error", code="source_unreachable", logical_ref="drive", bound_source="drive.personal", message="down"
    )
    blocked = NextActions.from_deployment_validation(deployment_id="d", diagnostics=[problem])
    assert "fix or reconnect" in blocked.reason
    assert blocked.warnings == ["source_unreachable: drive.personal"]
    as_data = NextActions.from_deployment_validation(deployment_id="d", diagnostics=[problem.model_dump()])
    assert as_data == blocked
    failed = NextActions.from_run_result(run_id="r", status="failed", trace_count=3, diagnostics=[])
    assert failed.patch_examples[0].request == {"run_id": "r", "trace_range": {"start": 0, "limit": 3}}
    assert (
        NextActions.from_run_result(run_id=None, status="completed", trace_count=0, diagnostics=[]).can_continue
        is False
    )


@pytest.mark.parametrize(
    ("enum", "document"),
    [
        (WrapperHintConfidence, WrapperAuthoringHints),
        (WrapperOutcomePolicy, WrapperAuthoringHints),
        (MissingDecisionKind, WrapperAuthoringHints),
        (OutcomeCandidateKind, WrapperAuthoringHints),
        (NextActionTool, NextActions),
    ],
)
def test_enums_say_what_the_documents_say(enum: type, document: type) -> None:
    words = [member.value for member in enum]  # type: ignore[attr-defined]
    assert json.dumps(words) in json.dumps(document.model_json_schema())  # type: ignore[attr-defined]
