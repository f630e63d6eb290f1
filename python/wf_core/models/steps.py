"""The steps of a workflow, and the bindings that connect them with the state."""

from typing import TypeAlias

from _wf._native.core import (
    ConditionNode,
    EndNode,
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
    NodeUse,
    OutputBinding,
    SubgraphNode,
)

__all__ = [
    "ConditionNode",
    "EndNode",
    "ForeachConcurrentPolicy",
    "ForeachItemErrorPolicy",
    "ForeachNode",
    "ForkNode",
    "GatherNode",
    "InputBinding",
    "InputExpressionBinding",
    "InputPathBinding",
    "InputValueBinding",
    "InterruptNode",
    "JoinNode",
    "NodeUse",
    "OutputBinding",
    "Step",
    "StepInputBinding",
    "SubgraphNode",
]

Step: TypeAlias = (
    NodeUse | SubgraphNode | ConditionNode | ForeachNode | JoinNode | EndNode | InterruptNode | ForkNode | GatherNode
)
"""Any step; `type` says which."""

InputBinding: TypeAlias = InputPathBinding | InputValueBinding
"""What may build a workflow's output."""

StepInputBinding: TypeAlias = InputPathBinding | InputValueBinding | InputExpressionBinding
"""What may fill a step's payload."""
