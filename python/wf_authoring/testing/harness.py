"""Runs workflows in tests and says what happened."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wf_authoring.builder.compiled import CompiledWorkflow
from wf_authoring.testing.platform import ScriptedPlatform
from wf_authoring.testing.recording import NodeCall, RecordingRegistry
from wf_authoring.testing.table import trace_table
from wf_core import (
    PreparedSubgraph,
    RunState,
    Workflow,
    execute_workflow_result,
    execute_workflow_result_async,
    resume_workflow_result,
    resume_workflow_result_async,
)

if TYPE_CHECKING:
    from typing import Self

    from wf_authoring.builder import WorkflowBuilder


class HarnessRun:
    """A run, with assertions that show the trace when they fail.

    Everything else is read from the `RunState` in `state_of_run`.

    Attributes:
        state_of_run: The run.
        calls: The calls of nodes, in the order in which they began.
    """

    def __init__(self, run: RunState, calls: list[NodeCall]) -> None:
        self.state_of_run = run
        self.calls = calls

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state_of_run, name)

    def __repr__(self) -> str:
        return trace_table(self.state_of_run)

    @property
    def visited(self) -> list[str]:
        """The ids of the steps that finished, in order."""
        return [entry.node_id for entry in self.state_of_run.trace]

    def assert_visited(self, *steps: str) -> "Self":
        """Assert that steps finished in this order, others between them allowed."""
        rest = iter(self.visited)
        missing = next((step for step in steps if all(step != seen for seen in rest)), None)
        if missing is not None:
            self._fail(f"step {missing!r} was not visited, or not after those before it in {list(steps)}")
        return self

    def assert_not_visited(self, *steps: str) -> "Self":
        """Assert that none of the steps finished."""
        seen = next((step for step in steps if step in self.visited), None)
        if seen is not None:
            self._fail(f"step {seen!r} was visited")
        return self

    def assert_status(self, status: str) -> "Self":
        """Assert how the run stands."""
        if self.state_of_run.status != status:
            self._fail(f"the run is {self.state_of_run.status}, not {status}")
        return self

    def assert_outcome(self, outcome: str) -> "Self":
        """Assert that the run completed with an outcome."""
        self.assert_status("completed")
        if self.state_of_run.outcome != outcome:
            self._fail(f"the outcome is {self.state_of_run.outcome!r}, not {outcome!r}")
        return self

    def assert_called(self, node: str, *, times: int | None = None) -> "Self":
        """Assert that a node was called, and how often."""
        found = sum(call.node == node for call in self.calls)
        if found == 0 or times not in {None, found}:
            wanted = "at all" if times is None else f"{times} times"
            self._fail(f"node {node!r} was called {found} times, not {wanted}")
        return self

    def _fail(self, message: str) -> None:
        raise AssertionError(f"{message}\n\n{trace_table(self.state_of_run)}")


class WorkflowHarness:
    """Runs workflows with recorded calls and a scripted platform.

    Attributes:
        platform: The platform that runs see unless another one is given.
        registry: The script and the record of node calls.
        runs: The runs so far; the plugin prints them when a test fails.
    """

    def __init__(self, platform: ScriptedPlatform | None = None, registry: RecordingRegistry | None = None) -> None:
        self.platform = ScriptedPlatform() if platform is None else platform
        self.registry = RecordingRegistry() if registry is None else registry
        self.runs: list[HarnessRun] = []

    async def run(
        self,
        workflow: "WorkflowBuilder | Workflow",
        input: Any,  # noqa: A002 - as the builder's
        *,
        bindings: Mapping[str, str] | None = None,
        platform: object = None,
    ) -> HarnessRun:
        """Run a workflow to its end, its failure or its next question.

        Args:
            workflow: A builder, or a document whose handlers stand in the registry.
            input: The workflow's input.
            bindings: Logical sources and the scripted sources they mean.
            platform: What nodes find in `ctx.platform`, instead of the scripted one.
        """
        prepared = self._prepared(workflow, bindings, platform)
        run = await execute_workflow_result_async(prepared.document, input, prepared.handlers, **prepared.options)
        return self._kept(run)

    def run_sync(
        self,
        workflow: "WorkflowBuilder | Workflow",
        input: Any,  # noqa: A002 - as the builder's
        *,
        bindings: Mapping[str, str] | None = None,
        platform: object = None,
    ) -> HarnessRun:
        """Run a workflow on the blocking engine; see `run`."""
        prepared = self._prepared(workflow, bindings, platform)
        return self._kept(execute_workflow_result(prepared.document, input, prepared.handlers, **prepared.options))

    async def resume(
        self,
        workflow: "WorkflowBuilder | Workflow",
        run: HarnessRun | RunState,
        payload: Mapping[str, Any] | None = None,
        *,
        outcome: str = "submitted",
        bindings: Mapping[str, str] | None = None,
        platform: object = None,
    ) -> HarnessRun:
        """Answer a run that waits, or go on with a failed one."""
        prepared = self._prepared(workflow, bindings, platform)
        return self._kept(
            await resume_workflow_result_async(
                prepared.document,
                run.state_of_run if isinstance(run, HarnessRun) else run,
                prepared.handlers,
                resume_payload=payload,
                resume_outcome=outcome,
                **prepared.options,
            )
        )

    def resume_sync(
        self,
        workflow: "WorkflowBuilder | Workflow",
        run: HarnessRun | RunState,
        payload: Mapping[str, Any] | None = None,
        *,
        outcome: str = "submitted",
        bindings: Mapping[str, str] | None = None,
        platform: object = None,
    ) -> HarnessRun:
        """Answer a run on the blocking engine; see `resume`."""
        prepared = self._prepared(workflow, bindings, platform)
        return self._kept(
            resume_workflow_result(
                prepared.document,
                run.state_of_run if isinstance(run, HarnessRun) else run,
                prepared.handlers,
                resume_payload=payload,
                resume_outcome=outcome,
                **prepared.options,
            )
        )

    def _kept(self, run: RunState) -> HarnessRun:
        kept = HarnessRun(run, self.registry.calls)
        self.runs.append(kept)
        return kept

    def _prepared(
        self, workflow: "WorkflowBuilder | Workflow", bindings: Mapping[str, str] | None, platform: object
    ) -> "_Prepared":
        if bindings is not None:
            self.platform.bind(bindings)
        options: dict[str, Any] = {"platform": self.platform if platform is None else platform}
        document = workflow if isinstance(workflow, Workflow) else workflow.compile()
        if not isinstance(document, CompiledWorkflow):
            return _Prepared(document, self.registry, options)
        options["reducers"] = document.reducers
        options["subgraphs"] = {
            name: PreparedSubgraph(item.workflow, self.registry.over(item.registry), item.reducers)
            for name, item in document.subgraphs.items()
        }
        return _Prepared(document, self.registry.over(document.handlers), options)


class _Prepared:
    """What a run needs."""

    def __init__(self, document: Workflow, handlers: RecordingRegistry, options: dict[str, Any]) -> None:
        self.document = document
        self.handlers = handlers
        self.options = options
