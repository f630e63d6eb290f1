"""`WorkflowBuilder`: from steps and edges to a workflow that runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wf_authoring.builder.compiling import CompileMethods
from wf_core import (
    PreparedSubgraph,
    RunState,
    execute_workflow,
    execute_workflow_async,
    execute_workflow_result,
    execute_workflow_result_async,
    resume_workflow,
    resume_workflow_async,
)


@dataclass
class WorkflowBuilder(CompileMethods):
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
            self.mixed_registry(),
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
            self.mixed_registry(),
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
            self.mixed_registry(),
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

    def _async_subgraphs(self) -> dict[str, PreparedSubgraph]:
        """The prepared children with handlers for the asyncio engine, where their builders are known."""
        found = dict(self.prepared_subgraphs)
        for name, child in self.child_builders.items():
            if name in found:
                found[name] = PreparedSubgraph(found[name].workflow, child.async_registry(), found[name].reducers)
        return found


def _payload(value: Any) -> Any:
    """Return a JSON object; a value of a model, dataclass or TypedDict is dumped by its own rules."""
    if value is None or isinstance(value, Mapping):
        return value
    from wf_authoring.contracts import models, output_contract

    if models.is_structured(type(value)):
        return output_contract(type(value), "Input").encode(value)
    return value
