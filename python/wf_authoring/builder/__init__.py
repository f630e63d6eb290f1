"""The workflow builder."""

from wf_authoring.builder.compiled import CompiledWorkflow
from wf_authoring.builder.core import WorkflowBuilder
from wf_authoring.builder.errors import CompileProblem, WorkflowCompileError
from wf_authoring.builder.results import BranchResult, CaseTargets, DecisionResult, HandleResult

__all__ = [
    "BranchResult",
    "CaseTargets",
    "CompileProblem",
    "CompiledWorkflow",
    "DecisionResult",
    "HandleResult",
    "WorkflowBuilder",
    "WorkflowCompileError",
]
