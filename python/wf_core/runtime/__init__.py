"""Running workflows: start, resume, step.

The blocking functions and their asyncio twins drive the same machine. Strict functions raise what makes a run fail;
those named `…_result…` give the failed run. Every function gives a new `RunState` and changes none.

Example:
    >>> from wf_core import Workflow, execute_workflow
    >>> workflow = Workflow.model_validate(
    ...     {
    ...         "name": "greet",
    ...         "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}},
    ...         "state_schema": {"properties": {"text": {"type": "string"}}},
    ...         "output_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
    ...         "node_defs": [
    ...             {
    ...                 "name": "hello",
    ...                 "input_schema": {"properties": {"name": {}}},
    ...                 "output_schema": {"properties": {"text": {}}},
    ...                 "outcomes": ["ok"],
    ...             }
    ...         ],
    ...         "start": "say",
    ...         "nodes": [
    ...             {
    ...                 "id": "say",
    ...                 "type": "node",
    ...                 "node": "hello",
    ...                 "input": [{"target": "name", "path": "input.name"}],
    ...                 "output": [{"source": "text", "target": "state.text"}],
    ...             }
    ...         ],
    ...         "edges": [{"from": "say", "outcome": "ok", "to": "__end__"}],
    ...     }
    ... )
    >>> execute_workflow(
    ...     workflow, {"name": "Ada"}, {"hello": lambda payload, ctx: {"text": f"Hi {payload['name']}"}}
    ... ).output
    {'text': 'Hi Ada'}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _wf._native.core import (
    coerce_node_result,
    execute_workflow,
    execute_workflow_result,
    resume_pump,
    resume_workflow,
    resume_workflow_result,
    start_pump,
    step_pump,
    step_workflow,
)
from wf_core.errors import WorkflowExecutionError
from wf_core.reducers import ReducerDefinition
from wf_core.runtime.handlers import AsyncNodeHandler, NodeHandler, blocking
from wf_core.runtime.subgraphs import PreparedSubgraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _wf._native.core import Pump
    from wf_core.models import Workflow
    from wf_core.run_state import RunState

__all__ = [
    "AsyncNodeHandler",
    "NodeHandler",
    "PreparedSubgraph",
    "ReducerDefinition",
    "WorkflowExecutionError",
    "blocking",
    "coerce_node_result",
    "execute_workflow",
    "execute_workflow_async",
    "execute_workflow_result",
    "execute_workflow_result_async",
    "resume_workflow",
    "resume_workflow_async",
    "resume_workflow_result",
    "resume_workflow_result_async",
    "step_workflow",
    "step_workflow_async",
]

DEFAULT_MAX_STEPS = 1_000_000
"""How many steps a run may complete unless its caller says otherwise."""


async def _driven(pump: Pump, *, strict: bool) -> RunState:
    # Imported here, since asyncio takes longer to import than everything else together.
    from wf_core.runtime._asyncio import drive

    await drive(pump)
    return pump.finish(strict=strict)


async def execute_workflow_async(
    workflow: Workflow,
    workflow_input: Mapping[str, Any],
    registry: Mapping[str, AsyncNodeHandler],
    *,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
    run_id: str | None = None,
    max_steps: int | None = DEFAULT_MAX_STEPS,
    deadline_seconds: float | None = None,
    seed: int | None = None,
) -> RunState:
    """Run a workflow on the caller's event loop.

    Calls of frames that are ready at the same time overlap. Cancelling the awaiting task cancels what is in flight.

    Args:
        workflow: The document.
        workflow_input: Its input.
        registry: Handlers by the name of their node, sync or async.
        reducers: Custom reducers by name.
        subgraphs: Child workflows by the display of their reference.
        platform: Any object; handlers find it as `ctx.platform`.
        run_id: The run's id; a random one by default.
        max_steps: How many steps the run may complete; `None` for any number.
        deadline_seconds: How long the run may take.
        seed: Where the jitter of retries comes from; follows from the run's id by default.

    Returns:
        The completed or interrupted run.

    Raises:
        WorkflowValidationError: The document's structure is wrong.
        WorkflowExecutionError: The run failed; what a handler raised is raised as it is.
    """
    pump = start_pump(
        workflow,
        workflow_input,
        registry,
        reducers=reducers,
        subgraphs=subgraphs,
        platform=platform,
        run_id=run_id,
        max_steps=max_steps,
        deadline_seconds=deadline_seconds,
        seed=seed,
    )
    return await _driven(pump, strict=True)


async def execute_workflow_result_async(
    workflow: Workflow,
    workflow_input: Mapping[str, Any],
    registry: Mapping[str, AsyncNodeHandler],
    *,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
    run_id: str | None = None,
    max_steps: int | None = DEFAULT_MAX_STEPS,
    deadline_seconds: float | None = None,
    seed: int | None = None,
) -> RunState:
    """Like `execute_workflow_async`, but give a failed run instead of raising.

    Returns:
        The run, whatever has become of it; `run.error` says why it failed.
    """
    pump = start_pump(
        workflow,
        workflow_input,
        registry,
        reducers=reducers,
        subgraphs=subgraphs,
        platform=platform,
        run_id=run_id,
        max_steps=max_steps,
        deadline_seconds=deadline_seconds,
        seed=seed,
    )
    return await _driven(pump, strict=False)


async def resume_workflow_async(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, AsyncNodeHandler],
    *,
    resume_payload: Mapping[str, Any] | None = None,
    resume_outcome: str = "submitted",
    interrupt_id: str | None = None,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
) -> RunState:
    """Answer an interrupt, or try a failed run again, on the caller's event loop.

    Args:
        workflow: The document the run was started with.
        run: The run; it stays as it is.
        registry: Handlers by the name of their node.
        resume_payload: The answer to the interrupt; `None` tries a failed run again from where it failed.
        resume_outcome: The outcome of the interrupt step.
        interrupt_id: Which interrupt is answered; the one that waits by default.
        reducers: Custom reducers by name.
        subgraphs: Child workflows by the display of their reference.
        platform: Any object; handlers find it as `ctx.platform`.

    Returns:
        The run as it has gone on; an interrupted run without an answer is given back as it is.

    Raises:
        RunEventError: The answer does not fit; the run can still be resumed.
        WorkflowExecutionError: The run failed; what a handler raised is raised as it is.
    """
    pump = resume_pump(
        workflow,
        run,
        registry,
        resume_payload=resume_payload,
        resume_outcome=resume_outcome,
        interrupt_id=interrupt_id,
        reducers=reducers,
        subgraphs=subgraphs,
        platform=platform,
    )
    return run if pump is None else await _driven(pump, strict=True)


async def resume_workflow_result_async(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, AsyncNodeHandler],
    *,
    resume_payload: Mapping[str, Any] | None = None,
    resume_outcome: str = "submitted",
    interrupt_id: str | None = None,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
) -> RunState:
    """Like `resume_workflow_async`, but give a failed run instead of raising.

    Returns:
        The run, whatever has become of it.

    Raises:
        RunEventError: The answer does not fit; the run can still be resumed.
    """
    pump = resume_pump(
        workflow,
        run,
        registry,
        resume_payload=resume_payload,
        resume_outcome=resume_outcome,
        interrupt_id=interrupt_id,
        reducers=reducers,
        subgraphs=subgraphs,
        platform=platform,
    )
    return run if pump is None else await _driven(pump, strict=False)


async def step_workflow_async(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, AsyncNodeHandler],
    *,
    index: object | None = None,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
) -> RunState:
    """Take one step of a run: a node with everything it calls, a condition, one turn of a loop, an end.

    Args:
        workflow: The document the run was started with.
        run: The run; it stays as it is.
        registry: Handlers by the name of their node.
        index: Not needed; plans are kept with the workflow.
        reducers: Custom reducers by name.
        subgraphs: Child workflows by the display of their reference.
        platform: Any object; handlers find it as `ctx.platform`.

    Returns:
        The run after the step; the run itself when there was nothing to do.
    """
    del index
    pump = step_pump(workflow, run, registry, reducers=reducers, subgraphs=subgraphs, platform=platform)
    return run if pump is None else await _driven(pump, strict=True)
