"""Conditions: what a condition step decides by."""

from typing import TypeAlias

from _wf._native.core import (
    BinaryCondition,
    ExistsCondition,
    LiteralOperand,
    NotCondition,
    PathOperand,
    VariadicCondition,
)

__all__ = [
    "BinaryCondition",
    "Condition",
    "ExistsCondition",
    "LiteralOperand",
    "NotCondition",
    "Operand",
    "PathOperand",
    "VariadicCondition",
]

Condition: TypeAlias = ExistsCondition | NotCondition | VariadicCondition | BinaryCondition
"""Any condition; `op` says which."""

Operand: TypeAlias = PathOperand | LiteralOperand
"""One side of a comparison."""
