"""The small language for paths, conditions and bindings."""

from wf_authoring.dsl.bindings import (
    bind_fields,
    bind_state,
    expression_of,
    input_expression,
    input_from,
    input_value,
    merge_maps,
    output_to,
)
from wf_authoring.dsl.conditions import (
    Expr,
    PathExpr,
    compile_condition,
    context,
    exists,
    expr,
    input,  # noqa: A004 - the spec's name
    not_,
    state,
)
from wf_authoring.dsl.path_inputs import PathInput, coerce_graph_path, coerce_local_path, coerce_state_path
from wf_authoring.dsl.paths import GraphPath, context_path, graph_path, input_path, state_path

__all__ = [
    "Expr",
    "GraphPath",
    "PathExpr",
    "PathInput",
    "bind_fields",
    "bind_state",
    "coerce_graph_path",
    "coerce_local_path",
    "coerce_state_path",
    "compile_condition",
    "context",
    "context_path",
    "exists",
    "expr",
    "expression_of",
    "graph_path",
    "input",
    "input_expression",
    "input_from",
    "input_path",
    "input_value",
    "merge_maps",
    "not_",
    "output_to",
    "state",
    "state_path",
]
