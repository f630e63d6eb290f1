"""The methods of the builder that turn its parts into a document, and keep child workflows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from wf_authoring.builder.compiled import CompiledWorkflow
from wf_authoring.builder.errors import CompileProblem, MissingStartError, Parts, WorkflowCompileError
from wf_authoring.builder.ids import slug_id
from wf_authoring.builder.mapping import InputBindingLike, OutputBindingLike, step_input, step_output, workflow_output
from wf_authoring.builder.origins import author_line
from wf_authoring.builder.routing import RoutingMethods
from wf_authoring.nodes.handlers import AsyncRegistryHandler, SyncRegistryHandler
from wf_authoring.nodes.registry import build_async_registry, build_registry
from wf_authoring.reducers import reducer_mapping
from wf_authoring.subgraphs import subgraph_ref
from wf_core import (
    NodeUse,
    PreparedSubgraph,
    ReducerDefinition,
    SubgraphNode,
    ValidationReport,
    Workflow,
    WorkflowRef,
    validate_workflow,
    workflow_ref_from,
)

_NO_START = "workflow builder requires an explicit start; call set_entry_point(...) or pass start=..."
_UNKNOWN_UNTIL_DEPLOYED = {"unknown_node_def", "undeclared_edge_outcome"}


@dataclass(frozen=True)
class _Compiled:
    """What was compiled last, and from which parts."""

    parts: tuple[Any, ...]
    workflow: CompiledWorkflow
    validated: bool


class CompileMethods(RoutingMethods):
    """Compiles.

    Attributes:
        validates: Whether `compile` checks the structure. An older test suite that compiles unfinished workflows to
            look at their steps may switch it off for all builders: `WorkflowBuilder.validates = False`.
    """

    validates: ClassVar[bool] = True
    _compiled: _Compiled | None = None

    def set_output(self, *bindings: InputBindingLike | Iterable[InputBindingLike]) -> None:
        """Say what fills the workflow's output; without this it takes the state fields of the same names.

        Args:
            bindings: Paths and values, each with a field of the output as its target.

        Raises:
            TypeError: A binding is an expression or none at all.

        Example:
            >>> from wf_authoring import WorkflowBuilder, input_from
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.set_output(input_from("state.total", "sum"))
            >>> [str(binding.target) for binding in builder.output]
            ['sum']
        """
        flat: list[InputBindingLike] = []
        for item in bindings:
            flat.extend(item if isinstance(item, list | tuple) else [item])  # type: ignore[list-item]
        self.output = workflow_output(flat)
        self._origins.output = author_line()

    def prepare_subgraph(self, child_builder: "CompileMethods") -> CompiledWorkflow:
        """Compile a child workflow and keep it, with everything that it runs, for execution.

        Returns:
            The child's document.

        Raises:
            ValueError: Another child of the same name is prepared already.
            TypeError: The argument is no builder.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> child = WorkflowBuilder("child", {}, {}, {})
            >>> child.set_entry_point(child.end())
            >>> parent = WorkflowBuilder("parent", {}, {}, {})
            >>> parent.prepare_subgraph(child).name, list(parent.prepared_subgraphs)
            ('child', ['child'])
        """
        if not isinstance(child_builder, CompileMethods):
            raise TypeError(f"expected a Workflow or a WorkflowBuilder, not {type(child_builder).__name__}")
        workflow = child_builder.compile()
        prepared = PreparedSubgraph(workflow, workflow.handlers, workflow.reducers)
        for name, item in {**child_builder.prepared_subgraphs, child_builder.name: prepared}.items():
            known = self.prepared_subgraphs.get(name)
            if known is not None and known.workflow != item.workflow:
                raise ValueError(
                    f"two different workflows are called {name!r} below {self.name!r}\nhint: rename one of them"
                )
            self.prepared_subgraphs[name] = item
        return workflow

    def registry(self) -> dict[str, SyncRegistryHandler]:
        """Return the handlers of the nodes in use.

        Raises:
            TypeError: A node is async.
        """
        return build_registry(*self.node_specs.values())

    def async_registry(self) -> dict[str, AsyncRegistryHandler]:
        """Return async handlers of the nodes in use."""
        return build_async_registry(*self.node_specs.values())

    def handlers(self) -> dict[str, Any]:
        """Return the handlers of the nodes in use, sync and async ones, as either engine takes them."""
        return {name: spec.to_handler() for name, spec in self.node_specs.items()}

    def reducer_registry(self) -> dict[str, ReducerDefinition]:
        """Return the author's own reducers by name."""
        return reducer_mapping(self.reducers)

    def validate(self) -> ValidationReport:
        """Return what the engine says about the workflow as it stands, warnings included.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> WorkflowBuilder("demo", {}, {}, {}, start="nowhere").validate().errors[0].code
            <ValidationIssueCode.UNKNOWN_START: 'unknown_start'>
        """
        return validate_workflow(self._document(), reducers=self.reducer_registry() or None)

    def compile(self, *, validate: bool | None = None) -> CompiledWorkflow:
        """Return the workflow as a document that can be run.

        Args:
            validate: Whether to check the structure; without it, unfinished workflows come out as they are. Default:
                `validates`.

        Raises:
            WorkflowCompileError: The parts do not fit together; every problem with the line that made it.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.set_entry_point(builder.end())
            >>> builder.compile().start
            'end_ok'
        """
        validate = self.validates if validate is None else validate
        if self.start is None and not validate:
            raise MissingStartError(_NO_START)
        known = self._compiled
        parts = self._fingerprint()
        if known is not None and known.parts == parts and (known.validated or not validate):
            return known.workflow
        workflow = self._document()
        if validate:
            self._check(workflow)
        self._compiled = _Compiled(parts, workflow, validated=validate)
        return workflow

    def _check(self, workflow: Workflow) -> None:
        report = validate_workflow(workflow, reducers=self.reducer_registry() or None)
        problems = self._problems(report)
        if self.start is None:
            problems = [item for item in problems if item.code != "unknown_start"]
            raise MissingStartError(_message(_NO_START, problems), problems=problems, report=report)
        if problems:
            message = _message("Workflow validation failed:", problems)
            raise WorkflowCompileError(message, problems=problems, report=report)

    def _fingerprint(self) -> tuple[Any, ...]:
        """Everything that a compiled workflow depends on; documents and nodes compare by value."""
        specs = tuple((name, *spec.snapshot()) for name, spec in self.node_specs.items())
        children = tuple(self.prepared_subgraphs.items())
        schemas = (self.input_schema, self.state_schema, self.output_schema)
        reducers = tuple(self.reducer_registry().items())
        parts = (tuple(self.nodes), tuple(self.edges), tuple(self.output), tuple(self.outcomes))
        return (self.name, self.start, schemas, parts, specs, children, reducers)

    def _document(self) -> CompiledWorkflow:
        fields = {
            "name": self.name,
            "input_schema": self.input_schema,
            "state_schema": self.state_schema,
            "output_schema": self.output_schema,
            "output": list(self.output),
            "node_defs": [spec.to_node_def() for spec in self.node_specs.values()],
            "outcomes": list(self.outcomes),
            "start": self.start or "",
            "nodes": list(self.nodes),
            "edges": list(self.edges),
        }
        return CompiledWorkflow.bound(
            fields,
            handlers=self.handlers(),
            reducers=self.reducer_registry(),
            subgraphs=self.prepared_subgraphs,
        )

    def _problems(self, report: ValidationReport) -> list[CompileProblem]:
        parts = Parts(self.nodes, self.edges, list(self.node_specs.values()))
        by_reference = {
            step.id for step in self.nodes if isinstance(step, NodeUse) and step.node not in self.node_specs
        }
        return [
            CompileProblem(
                str(issue.code),
                issue.path,
                issue.message,
                getattr(issue, "hint", None),
                self._origins.of_place(str(issue.code), issue.path, parts),
            )
            for issue in report.errors
            if not _waits_for_deployment(issue, parts, by_reference)
        ]

    def subgraph(
        self,
        *,
        workflow: "Workflow | CompileMethods",
        id: str | None = None,  # noqa: A002 - the spec's name
        input: Iterable[InputBindingLike] | None = None,  # noqa: A002 - the spec's name
        output: Iterable[OutputBindingLike] | None = None,
        workflow_ref: WorkflowRef | str | Mapping[str, Any] | None = None,
        desc: str | None = None,
    ) -> SubgraphNode:
        """Add a step that runs another workflow.

        Args:
            workflow: The workflow; a builder is prepared as by `prepare_subgraph`.
            id: The step's id. Default: the workflow's name.
            input: What fills the child's input.
            output: Where the child's output goes.
            workflow_ref: How the document names the child. Default: by its name.
            desc: A remark for readers.

        Returns:
            The step.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> child = WorkflowBuilder("child", {}, {}, {})
            >>> child.set_entry_point(child.end())
            >>> WorkflowBuilder("parent", {}, {}, {}).subgraph(workflow=child).id
            'child'
        """
        document = workflow if isinstance(workflow, Workflow) else self.prepare_subgraph(workflow)
        if workflow_ref is None:
            base = document.name
        else:
            ref = workflow_ref_from(workflow_ref)
            base = workflow_ref if isinstance(workflow_ref, str) else str(ref.name or ref.artifact_id)
        return self._add(
            subgraph_ref(
                id=self._new_id(id, slug_id(base)),
                workflow=document,
                input=step_input(input),
                output=step_output(output),
                workflow_ref=workflow_ref,
                desc=desc,
            )
        )


def _waits_for_deployment(issue: Any, parts: Parts, by_reference: set[str]) -> bool:
    """Whether an issue only says that a capability's contract is not known yet."""
    if str(issue.code) not in _UNKNOWN_UNTIL_DEPLOYED:
        return False
    kind, _, rest = issue.path.partition("[")
    index = rest.partition("]")[0]
    if not index.isdigit():
        return False
    if kind == "nodes":
        return parts.nodes[int(index)].id in by_reference
    return kind == "edges" and parts.edges[int(index)].from_ in by_reference


def _message(head: str, problems: list[CompileProblem]) -> str:
    return "\n".join([head, *(str(problem) for problem in problems)])
