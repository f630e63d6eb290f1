"""The parts of a workflow under construction, which all methods of the builder share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from wf_authoring.builder.errors import Origins
from wf_authoring.builder.ids import next_step_id
from wf_authoring.builder.mapping import InputBindingLike, workflow_output
from wf_authoring.builder.results import StepRef
from wf_authoring.nodes.spec import NodeSpec
from wf_authoring.reducers import AuthoredReducer, ReducerCatalog
from wf_authoring.schemas import SchemaLike, schema_ref_from, state_schema_from
from wf_core import Edge, PreparedSubgraph, ReducerDefinition, SchemaRef, StateSchema
from wf_core.models.steps import Step

AnyStep = TypeVar("AnyStep", bound=Step)

Reducers = ReducerCatalog | Mapping[str, ReducerDefinition | AuthoredReducer] | Iterable[AuthoredReducer]


@dataclass
class WorkflowParts:
    """What has been added to a workflow so far.

    Attributes:
        name: The workflow's name.
        input_schema: The schema of its input.
        state_schema: The schema of its state.
        output_schema: The schema of its output.
        outcomes: How it may end.
        start: The id of the first step.
        reducers: Reducers of the author's own.
        node_specs: The nodes that steps use, by name.
        nodes: The steps.
        edges: Where the outcomes of steps lead.
        prepared_subgraphs: The workflows that subgraph steps run, by name.
        output: What fills the workflow's output; empty takes the state fields of the same names.
    """

    name: str
    input_schema: SchemaLike
    state_schema: SchemaLike
    output_schema: SchemaLike
    outcomes: Sequence[str] = ("ok",)
    start: str | None = None
    reducers: Reducers | None = None
    node_specs: dict[str, NodeSpec[Any, Any]] = field(default_factory=dict)
    nodes: list[Step] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    prepared_subgraphs: dict[str, PreparedSubgraph[Any]] = field(default_factory=dict)
    output: Iterable[InputBindingLike] = ()
    _origins: Origins = field(default_factory=Origins, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.input_schema: SchemaRef = schema_ref_from(self.input_schema)
        self.state_schema: StateSchema = state_schema_from(self.state_schema)
        self.output_schema: SchemaRef = schema_ref_from(self.output_schema)
        if isinstance(self.outcomes, str):
            raise TypeError(f"outcomes must be a sequence of names\nhint: write outcomes=({self.outcomes!r},)")
        self.outcomes = tuple(self.outcomes)
        self.output = workflow_output(self.output)

    def _add(self, step: AnyStep) -> AnyStep:
        self.nodes.append(step)
        self._origins.remember(step)
        return step

    def _new_id(self, given: str | None, base: str) -> str:
        return next_step_id(base, self.nodes) if given is None else given

    def _add_edge(self, source: str, outcome: str, target: str) -> None:
        edge = Edge.model_validate({"from": source, "outcome": outcome, "to": target})
        self.edges.append(edge)
        self._origins.remember(edge)


def step_id(ref: StepRef) -> str:
    """Return the id of a step, given as the step or as its id.

    Raises:
        TypeError: It is neither.
    """
    if isinstance(ref, str):
        return ref
    found = getattr(ref, "entry", None) or getattr(ref, "id", None)
    if isinstance(found, str):
        return found
    raise TypeError(f"expected a step, its id or a node, not {type(ref).__name__}: {ref!r}")
