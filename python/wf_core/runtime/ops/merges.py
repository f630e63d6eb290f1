"""Reducers under the name by which other packages have always imported them."""

from wf_core.reducers import (
    DEFAULT_REDUCER_DEFINITIONS,
    ReducerDefinition,
    ReducerSpec,
    add_reducer,
    append_reducer,
    apply_reducer,
    get_reducer_definition,
    max_reducer,
    merge_object_reducer,
    reducer_allows_sibling_writes,
    replace_reducer,
    set_union_reducer,
)

__all__ = [
    "DEFAULT_REDUCER_DEFINITIONS",
    "ReducerDefinition",
    "ReducerSpec",
    "add_reducer",
    "append_reducer",
    "apply_reducer",
    "get_reducer_definition",
    "max_reducer",
    "merge_object_reducer",
    "reducer_allows_sibling_writes",
    "replace_reducer",
    "set_union_reducer",
]
