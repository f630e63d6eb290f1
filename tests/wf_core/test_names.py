"""D1: the import names that servers use, under every module path by which they use them."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

import wf_core
from wf_core.validation import ValidationIssueCode

ROOT = [
    "END",
    "START",
    "RunStatus",
    "FrameStatus",
    "SiblingWritePolicy",
    "ValidationIssueCode",
    "WorkflowExecutionError",
    "Workflow",
    "Edge",
    "NodeDef",
    "SchemaRef",
    "StateSchema",
    "StateField",
    "NodeUse",
    "SubgraphNode",
    "ConditionNode",
    "ForeachNode",
    "ForeachItemErrorPolicy",
    "ForeachConcurrentPolicy",
    "JoinNode",
    "EndNode",
    "InterruptNode",
    "InputPathBinding",
    "InputValueBinding",
    "InputExpressionBinding",
    "LiteralExpression",
    "PathExpression",
    "ArrayExpression",
    "ObjectExpression",
    "NodeResult",
    "ReducerRef",
    "ReducerSpec",
    "WorkflowRef",
    "PersistedRunState",
    "InputExpression",
    "StepInputBinding",
    "JsonValue",
    "NodeHandler",
    "AsyncNodeHandler",
    "RunState",
    "ExecutionFrame",
    "RuntimeContext",
    "TraceEntry",
    "StepExecutionResult",
    "InterruptRequest",
    "InterruptRoute",
    "PreparedSubgraph",
    "ValidationIssue",
    "ValidationReport",
    "execute_workflow",
    "execute_workflow_async",
    "execute_workflow_result_async",
    "resume_workflow",
    "resume_workflow_async",
    "resume_workflow_result_async",
    "step_workflow",
    "step_workflow_async",
    "coerce_node_result",
    "validate_workflow",
    "workflow_ref_from",
    "validate_strict_json_value",
    "dump_run_state",
    "load_run_state",
]

MODULES = {
    "wf_core.runtime": """AsyncNodeHandler NodeHandler PreparedSubgraph WorkflowExecutionError coerce_node_result
        execute_workflow execute_workflow_async execute_workflow_result_async resume_workflow resume_workflow_async
        resume_workflow_result_async step_workflow step_workflow_async""",
    "wf_core.models": """SiblingWritePolicy InputExpression StepInputBinding JsonValue validate_strict_json_value
        workflow_ref_from BinaryCondition Condition ExistsCondition LiteralOperand NotCondition Operand PathOperand Step
        VariadicCondition Workflow""",
    "wf_core.validation": "ValidationIssue ValidationIssueCode ValidationReport validate_workflow",
    "wf_core.validation.issues": "ValidationIssue ValidationIssueCode",
    "wf_core.conditions": "eval_condition resolve_operand safe_resolve_path",
    "wf_core.errors": "WorkflowExecutionError",
    "wf_core.tokens": "START END",
    "wf_core.local_paths": "LocalPathError has_overlapping_paths paths_overlap split_local_path",
    "wf_core.models.conditions": """BinaryCondition Condition ExistsCondition LiteralOperand NotCondition PathOperand
        VariadicCondition""",
    "wf_core.models.input_bindings": """ArrayExpression InputExpression InputExpressionBinding LiteralExpression
        ObjectExpression PathExpression""",
    "wf_core.models.reducers": "ReducerRef",
    "wf_core.models.schemas": "NodeDef SchemaRef",
    "wf_core.models.workflow": "Workflow NodeDef",
    "wf_core.models.workflow_refs": "WorkflowRef",
    "wf_core.models.steps": """ForeachConcurrentPolicy ForeachItemErrorPolicy InputBinding InputExpressionBinding
        InputPathBinding InputValueBinding OutputBinding Step StepInputBinding""",
    "wf_core.paths": """GraphRoot GraphSourcePath LocalPath PathResolutionError StatePath format_toml_path_segments
        parse_toml_path_segments""",
    "wf_core.run_state": "RunState RunStatus",
    "wf_core.runtime.ops.merges": "DEFAULT_REDUCER_DEFINITIONS ReducerDefinition ReducerSpec replace_reducer",
    "wf_core.runtime.ops.runs": "create_run_state",
}


def test_d1_the_root_exports_every_name_that_it_always_did() -> None:
    assert sorted(set(ROOT) - set(wf_core.__all__)) == []
    assert [name for name in wf_core.__all__ if not hasattr(wf_core, name)] == []


@pytest.mark.parametrize("module", MODULES)
def test_d1_submodules_export_their_names(module: str) -> None:
    loaded = importlib.import_module(module)
    for name in MODULES[module].split():
        assert hasattr(loaded, name), name
        assert name in loaded.__all__, name


@pytest.mark.parametrize("module", MODULES)
def test_every_submodule_can_be_imported_first(module: str) -> None:
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def test_d1_signatures_are_kept() -> None:
    def parameters(function: object) -> list[str]:
        return list(inspect.signature(function).parameters)  # type: ignore[arg-type]

    start = ["workflow", "workflow_input", "registry", "reducers", "subgraphs"]
    go_on = ["workflow", "run", "registry", "resume_payload", "resume_outcome", "reducers", "subgraphs"]
    functions: list[object] = [
        wf_core.execute_workflow,
        wf_core.execute_workflow_async,
        wf_core.execute_workflow_result_async,
    ]
    for function in functions:
        assert [name for name in parameters(function) if name in start] == start
        assert "platform" in parameters(function)
    functions = [wf_core.resume_workflow, wf_core.resume_workflow_async, wf_core.resume_workflow_result_async]
    for function in functions:
        assert [name for name in parameters(function) if name in go_on] == go_on
        assert "platform" in parameters(function)
    assert parameters(wf_core.step_workflow)[:4] == ["workflow", "run", "registry", "index"]
    assert parameters(wf_core.validate_workflow) == ["workflow", "reducers", "subgraphs"]


def test_the_issue_codes_are_those_of_the_engine() -> None:
    from _wf._native.core import validation_issue_codes

    assert [code.value for code in ValidationIssueCode] == validation_issue_codes()
