"""`WorkflowBuilder`: from steps and edges to a workflow that runs."""

from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wf_authoring.builder.errors import CompileProblem, MissingStartError, Parts, WorkflowCompileError
from wf_authoring.builder.mapping import InputBindingLike, workflow_output
from wf_authoring.builder.origins import author_line
from wf_authoring.builder.routing import RoutingMethods
from wf_authoring.nodes.handlers import AsyncRegistryHandler, SyncRegistryHandler
from wf_authoring.nodes.registry import build_async_registry, build_registry
from wf_authoring.reducers import reducer_mapping
from wf_core import (
    NodeUse,
    PreparedSubgraph,
    RunState,
    ValidationReport,
    Workflow,
    execute_workflow,
    execute_workflow_async,
    execute_workflow_result,
    execute_workflow_result_async,
    resume_workflow,
    resume_workflow_async,
    validate_workflow,
)
from wf_core.reducers import ReducerDefinition

_NO_START = "workflow builder requires an explicit start; call set_entry_point(...) or pass start=..."
_UNKNOWN_UNTIL_DEPLOYED = {"unknown_node_def", "undeclared_edge_outcome"}


@dataclass
class WorkflowBuilder(RoutingMethods):
    """Builds a workflow step by step.

    Example:
        >>> from wf_authoring import WorkflowBuilder, node
        >>> @node
        ... def greet(name: str) -> str:
        ...     return f"hello {name}"
        >>> text = {"type": "string"}
        >>> builder = WorkflowBuilder(
        ...     "greeting",
        ...     input_schema={"type": "object", "properties": {"name": text}, "required": ["name"]},
        ...     state_schema={"type": "object", "properties": {"result": text}},
        ...     output_schema={"type": "object", "properties": {"result": text}},
        ... )
        >>> builder.set_entry_point(greet)
        >>> builder.connect(builder.start, "ok", builder.end())
        ('greet', 'end_ok')
        >>> builder.execute({"name": "Ada"}).output
        {'result': 'hello Ada'}
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._children: dict[str, WorkflowBuilder] = {}

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

    def prepare_subgraph(self, child_builder: "WorkflowBuilder") -> Workflow:
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
        if not isinstance(child_builder, WorkflowBuilder):
            raise TypeError(f"expected a Workflow or a WorkflowBuilder, not {type(child_builder).__name__}")
        workflow = child_builder.compile()
        prepared = PreparedSubgraph(workflow, child_builder._sync_registry(), child_builder.reducer_registry())
        for name, item in {**child_builder.prepared_subgraphs, child_builder.name: prepared}.items():
            known = self.prepared_subgraphs.get(name)
            if known is not None and known.workflow != item.workflow:
                raise ValueError(
                    f"two different workflows are called {name!r} below {self.name!r}\nhint: rename one of them"
                )
            self.prepared_subgraphs[name] = item
        self._children.update({**child_builder._children, child_builder.name: child_builder})
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

    def compile(self, *, validate: bool = True) -> Workflow:
        """Return the workflow as a document.

        Args:
            validate: Whether to check the structure; without it, unfinished workflows come out as they are.

        Raises:
            WorkflowCompileError: The parts do not fit together; every problem with the line that made it.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.set_entry_point(builder.end())
            >>> builder.compile().start
            'end_ok'
        """
        if not validate:
            if self.start is None:
                raise MissingStartError(_NO_START)
            return self._document()
        workflow = self._document()
        report = validate_workflow(workflow, reducers=self.reducer_registry() or None)
        problems = self._problems(report)
        if not problems and self.start is not None:
            return workflow
        if self.start is None:
            problems = [item for item in problems if item.code != "unknown_start"]
            raise MissingStartError(_message(_NO_START, problems), problems=problems, report=report)
        raise WorkflowCompileError(_message("Workflow validation failed:", problems), problems=problems, report=report)

    def _document(self) -> Workflow:
        return Workflow(
            name=self.name,
            input_schema=self.input_schema,
            state_schema=self.state_schema,
            output_schema=self.output_schema,
            output=list(self.output),
            node_defs=[spec.to_node_def() for spec in self.node_specs.values()],
            outcomes=list(self.outcomes),
            start=self.start or "",
            nodes=list(self.nodes),
            edges=list(self.edges),
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

    def execute(self, input: Any, *, platform: object = None) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow; a failing step raises its own exception.

        Args:
            input: The workflow's input: a JSON object, or a value of the input's class.
            platform: What nodes find in `ctx.platform`.

        Raises:
            WorkflowCompileError: The workflow is not valid.

        Returns:
            The run, completed or interrupted.
        """
        return execute_workflow(
            self.compile(),
            _payload(input),
            self._sync_registry(),
            reducers=self.reducer_registry(),
            subgraphs=self.prepared_subgraphs,
            platform=platform,
        )

    async def execute_async(self, input: Any, *, platform: object = None) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow on this event loop; see `execute`."""
        return await execute_workflow_async(
            self.compile(),
            _payload(input),
            self.async_registry(),
            reducers=self.reducer_registry(),
            subgraphs=self._async_subgraphs(),
            platform=platform,
        )

    def run(self, input: Any, *, platform: object = None) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow; a failing step gives a failed run that says why.

        Raises:
            WorkflowCompileError: The workflow is not valid.
        """
        return execute_workflow_result(
            self.compile(),
            _payload(input),
            self._sync_registry(),
            reducers=self.reducer_registry(),
            subgraphs=self.prepared_subgraphs,
            platform=platform,
        )

    async def run_async(self, input: Any, *, platform: object = None) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow on this event loop; see `run`."""
        return await execute_workflow_result_async(
            self.compile(),
            _payload(input),
            self.async_registry(),
            reducers=self.reducer_registry(),
            subgraphs=self._async_subgraphs(),
            platform=platform,
        )

    def resume(
        self,
        run: RunState,
        *,
        payload: Any = None,
        outcome: str = "submitted",
        platform: object = None,
    ) -> RunState:
        """Answer an interrupted run, or go on with a failed one.

        Args:
            run: The run.
            payload: The answer; `None` answers nothing and retries a failed run.
            outcome: The outcome that the answer chooses.
            platform: What nodes find in `ctx.platform`.
        """
        return resume_workflow(
            self.compile(),
            run,
            self._sync_registry(),
            resume_payload=None if payload is None else _payload(payload),
            resume_outcome=outcome,
            reducers=self.reducer_registry(),
            subgraphs=self.prepared_subgraphs,
            platform=platform,
        )

    async def resume_async(
        self,
        run: RunState,
        *,
        payload: Any = None,
        outcome: str = "submitted",
        platform: object = None,
    ) -> RunState:
        """Answer an interrupted run on this event loop; see `resume`."""
        return await resume_workflow_async(
            self.compile(),
            run,
            self.async_registry(),
            resume_payload=None if payload is None else _payload(payload),
            resume_outcome=outcome,
            reducers=self.reducer_registry(),
            subgraphs=self._async_subgraphs(),
            platform=platform,
        )

    def _sync_registry(self) -> dict[str, Any]:
        """Handlers for the blocking engine, which also runs coroutine handlers."""
        return {
            name: spec.to_async_registry_handler() if spec.is_async else spec.to_registry_handler()
            for name, spec in self.node_specs.items()
        }

    def _async_subgraphs(self) -> dict[str, PreparedSubgraph]:
        """The prepared children with handlers for the asyncio engine, where their builders are known."""
        found = dict(self.prepared_subgraphs)
        for name, child in self._children.items():
            if name in found:
                found[name] = PreparedSubgraph(found[name].workflow, child.async_registry(), found[name].reducers)
        return found


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


def _payload(value: Any) -> Any:
    """Return a JSON object; a value of a model, dataclass or TypedDict is dumped by its own rules."""
    if value is None or isinstance(value, Mapping):
        return value
    from wf_authoring.contracts import models, output_contract

    if models.is_structured(type(value)):
        return output_contract(type(value), "Input").encode(value)
    return value


if TYPE_CHECKING:
    Events = AsyncIterator[Any]
