"""What a builder compiles to: the document, together with what executes it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wf_authoring.drawing import to_mermaid, to_svg
from wf_core import (
    PreparedSubgraph,
    ReducerDefinition,
    RunState,
    Workflow,
    execute_workflow,
    execute_workflow_async,
    execute_workflow_result,
    execute_workflow_result_async,
    resume_workflow,
    resume_workflow_async,
)

if TYPE_CHECKING:
    from typing import Self


class CompiledWorkflow(Workflow):
    """A workflow document that knows its handlers, reducers and child workflows.

    It is a `Workflow` wherever one is wanted: it equals the document without handlers, dumps and pickles as it.

    Example:
        >>> from wf_authoring import WorkflowBuilder
        >>> builder = WorkflowBuilder("demo", {}, {}, {})
        >>> builder.set_entry_point(builder.end())
        >>> workflow = builder.compile()
        >>> workflow.run({}).outcome
        'ok'
        >>> print(workflow.to_mermaid())
        flowchart TD
            n0(("start"))
            n1(["end_ok<br/>ok"])
            n0 --> n1
    """

    @classmethod
    def bound(
        cls,
        fields: Mapping[str, Any],
        *,
        handlers: Mapping[str, Any],
        reducers: Mapping[str, ReducerDefinition],
        subgraphs: Mapping[str, PreparedSubgraph[Any]],
    ) -> "Self":
        """Return a document with what executes it.

        Args:
            fields: The document's fields.
            handlers: The handlers of its nodes by name.
            reducers: Reducers of its own by name.
            subgraphs: The workflows that its subgraph steps run.
        """
        made = cls(**fields)
        # Documents take no attributes; these are no part of the document.
        made.__dict__.update(handlers=dict(handlers), reducers=dict(reducers), subgraphs=dict(subgraphs))
        return made

    if TYPE_CHECKING:

        @property
        def handlers(self) -> dict[str, Any]:
            """The handlers of its nodes by name."""

        @property
        def reducers(self) -> dict[str, ReducerDefinition]:
            """Reducers of its own by name."""

        @property
        def subgraphs(self) -> dict[str, PreparedSubgraph[Any]]:
            """The workflows that its subgraph steps run."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the document; handlers stay where they are."""
        return Workflow.model_validate, (self.model_dump(mode="json", by_alias=True),)

    def _repr_svg_(self) -> str:
        return to_svg(self)

    def to_mermaid(self, run: RunState | None = None) -> str:
        """Return the workflow as a Mermaid flowchart.

        Args:
            run: A run of it: shows what it did, how often, and where it failed or waits.

        Raises:
            DrawingError: The run is not of this workflow.
        """
        return to_mermaid(self, run)

    def to_svg(self, run: RunState | None = None) -> str:
        """Return the workflow as an SVG drawing.

        Args:
            run: A run of it: shows what it did, how often, and where it failed or waits.

        Raises:
            DrawingError: The run is not of this workflow.
        """
        return to_svg(self, run)

    def execute(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the builder's name
        """Run the workflow; a failing step raises its own exception.

        Args:
            input: The workflow's input: a JSON object, or a value of the input's class.
            options: `platform`, `run_id`, `max_steps`, `deadline_seconds`, `seed`: see `wf_core.execute_workflow`.

        Returns:
            The run, completed or interrupted.
        """
        return execute_workflow(self, payload_of(input), self.handlers, **self._around(), **options)

    async def execute_async(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the builder's name
        """Run the workflow on this event loop; see `execute`."""
        return await execute_workflow_async(self, payload_of(input), self.handlers, **self._around(), **options)

    def run(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the builder's name
        """Run the workflow; a failing step gives a failed run that says why.

        Args:
            input: The workflow's input: a JSON object, or a value of the input's class.
            options: `platform`, `run_id`, `max_steps`, `deadline_seconds`, `seed`: see `wf_core.execute_workflow`.
        """
        return execute_workflow_result(self, payload_of(input), self.handlers, **self._around(), **options)

    async def run_async(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the builder's name
        """Run the workflow on this event loop; see `run`."""
        return await execute_workflow_result_async(self, payload_of(input), self.handlers, **self._around(), **options)

    def resume(self, run: RunState, *, payload: Any = None, outcome: str = "submitted", **options: Any) -> RunState:
        """Answer an interrupted run, or go on with a failed one.

        Args:
            run: The run.
            payload: The answer; `None` answers nothing and retries a failed run.
            outcome: The outcome that the answer chooses.
            options: `platform` and `interrupt_id`: see `wf_core.resume_workflow`.
        """
        answer = None if payload is None else payload_of(payload)
        return resume_workflow(
            self,
            run,
            self.handlers,
            resume_payload=answer,
            resume_outcome=outcome,
            **self._around(),
            **options,
        )

    async def resume_async(
        self, run: RunState, *, payload: Any = None, outcome: str = "submitted", **options: Any
    ) -> RunState:
        """Answer an interrupted run on this event loop; see `resume`."""
        answer = None if payload is None else payload_of(payload)
        return await resume_workflow_async(
            self,
            run,
            self.handlers,
            resume_payload=answer,
            resume_outcome=outcome,
            **self._around(),
            **options,
        )

    def _around(self) -> dict[str, Any]:
        return {"reducers": self.reducers, "subgraphs": self.subgraphs}


def payload_of(value: Any) -> Any:
    """Return a JSON object; a value of a model or a dataclass is dumped by its own rules.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Point:
        ...     x: int
        >>> payload_of(Point(3))
        {'x': 3}
    """
    if value is None or isinstance(value, Mapping):
        return value
    from wf_authoring.contracts import models, output_contract

    if models.is_structured(type(value)):
        return output_contract(type(value), "Input").encode(value)
    return value
