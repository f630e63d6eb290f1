"""Values built from literals and paths, and the binding that uses them."""

from typing import TypeAlias

from _wf._native.core import (
    ArrayExpression,
    InputExpressionBinding,
    InputPathBinding,
    InputValueBinding,
    LiteralExpression,
    ObjectExpression,
    PathExpression,
)

__all__ = [
    "MAX_INPUT_EXPRESSION_DEPTH",
    "MAX_INPUT_EXPRESSION_NODES",
    "ArrayExpression",
    "InputExpression",
    "InputExpressionBinding",
    "InputPathBinding",
    "InputValueBinding",
    "LiteralExpression",
    "ObjectExpression",
    "PathExpression",
]

MAX_INPUT_EXPRESSION_DEPTH = 64
"""How deep an expression may nest."""

MAX_INPUT_EXPRESSION_NODES = 1024
"""How many expressions and literal containers one binding may hold."""

InputExpression: TypeAlias = LiteralExpression | PathExpression | ArrayExpression | ObjectExpression
"""Any expression; `kind` says which."""
