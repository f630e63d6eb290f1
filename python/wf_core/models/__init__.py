"""The workflow document: every model in it.

Documents are immutable values: `model_copy(update=…)` gives a changed copy, which is checked like any other.
Attributes that are lists or dicts are built afresh at every access; changing one changes no document.

Example:
    >>> from wf_core.models import Edge
    >>> edge = Edge.model_validate({"from": "a", "outcome": "ok", "to": "__end__"})
    >>> edge.model_copy(update={"to": "b"}).to
    'b'
"""

from _wf._native.core import (
    ArrayExpression,
    BinaryCondition,
    ConditionNode,
    Document,
    Edge,
    EndNode,
    ExistsCondition,
    ForeachConcurrentPolicy,
    ForeachItemErrorPolicy,
    ForeachNode,
    ForkNode,
    GatherNode,
    InputExpressionBinding,
    InputPathBinding,
    InputValueBinding,
    InterruptNode,
    JoinNode,
    LiteralExpression,
    LiteralOperand,
    NodeDef,
    NodeResult,
    NodeUse,
    NotCondition,
    ObjectExpression,
    OutputBinding,
    PathExpression,
    PathOperand,
    ReducerRef,
    ReducerSpec,
    RetryPolicy,
    SchemaRef,
    StateField,
    StateFieldDecl,
    StateSchema,
    SubgraphNode,
    VariadicCondition,
    Workflow,
    WorkflowRef,
    validate_strict_json_value,
)
from wf_core.models._enums import SiblingWritePolicy
from wf_core.models.conditions import Condition, Operand
from wf_core.models.input_bindings import InputExpression
from wf_core.models.json_values import JsonValue
from wf_core.models.steps import InputBinding, Step, StepInputBinding
from wf_core.models.workflow_refs import workflow_ref_from

__all__ = [
    "ArrayExpression",
    "BinaryCondition",
    "Condition",
    "ConditionNode",
    "Document",
    "Edge",
    "EndNode",
    "ExistsCondition",
    "ForeachConcurrentPolicy",
    "ForeachItemErrorPolicy",
    "ForeachNode",
    "ForkNode",
    "GatherNode",
    "InputBinding",
    "InputExpression",
    "InputExpressionBinding",
    "InputPathBinding",
    "InputValueBinding",
    "InterruptNode",
    "JoinNode",
    "JsonValue",
    "LiteralExpression",
    "LiteralOperand",
    "NodeDef",
    "NodeResult",
    "NodeUse",
    "NotCondition",
    "ObjectExpression",
    "Operand",
    "OutputBinding",
    "PathExpression",
    "PathOperand",
    "ReducerRef",
    "ReducerSpec",
    "RetryPolicy",
    "SchemaRef",
    "SiblingWritePolicy",
    "StateField",
    "StateFieldDecl",
    "StateSchema",
    "Step",
    "StepInputBinding",
    "SubgraphNode",
    "VariadicCondition",
    "Workflow",
    "WorkflowRef",
    "validate_strict_json_value",
    "workflow_ref_from",
]
