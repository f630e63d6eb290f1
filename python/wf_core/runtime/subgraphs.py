"""Child workflows that are ready to run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from wf_core.models import Workflow
    from wf_core.reducers import ReducerDefinition

__all__ = ["PreparedSubgraph"]

HandlerT = TypeVar("HandlerT")


@dataclass(frozen=True, slots=True)
class PreparedSubgraph(Generic[HandlerT]):
    """A child workflow with the handlers and reducers it was written for.

    Attributes:
        workflow: The document.
        registry: Handlers by the name of their node.
        reducers: Custom reducers by name.
    """

    workflow: Workflow
    registry: Mapping[str, HandlerT]
    reducers: Mapping[str, ReducerDefinition] | None = None
