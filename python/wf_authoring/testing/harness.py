"""Runs workflows in tests and says what happened."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wf_authoring.builder.compiled import CompiledWorkflow, payload_of
from wf_authoring.testing.live import LiveRun, VirtualClock
from wf_authoring.testing.platform import ScriptedPlatform
from wf_authoring.testing.recording import NodeCall, RecordingRegistry
from wf_authoring.testing.table import trace_table
from wf_core import PreparedSubgraph, RunState, Workflow
from wf_core.runtime.machine import Run

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
    """Runs workflows in virtual time, with recorded calls and a scripted platform.

    Retries, time limits of scripted replies and deadlines take no real time, and every run of a test is the same:
    ids, times and jitter follow from the order of the runs.

    Attributes:
        platform: The platform that runs see unless another one is given.
        registry: The script and the record of node calls.
        clock: The time of the runs.
        runs: The runs so far; the plugin prints them when a test fails.
    """

    def __init__(self, platform: ScriptedPlatform | None = None, registry: RecordingRegistry | None = None) -> None:
        self.platform = ScriptedPlatform() if platform is None else platform
        self.registry = RecordingRegistry() if registry is None else registry
        self.clock = VirtualClock()
        self.runs: list[HarnessRun] = []
        self._started = 0

    async def run(
        self,
        workflow: "WorkflowBuilder | Workflow",
        input: Any,  # noqa: A002 - as the builder's
        *,
        bindings: Mapping[str, str] | None = None,
        platform: object = None,
        **options: Any,
    ) -> HarnessRun:
        """Run a workflow to its end, its failure or its next question; time passes as fast as it can.

        Args:
            workflow: A builder, or a document whose handlers stand in the registry.
            input: The workflow's input.
            bindings: Logical sources and the scripted sources they mean.
            platform: What nodes find in `ctx.platform`, instead of the scripted one.
            options: `run_id`, `max_steps`, `deadline_seconds`, `seed`: see `wf_core.execute_workflow`.

        Raises:
            AssertionError: The run would wait for ever.
        """
        live = self.start(workflow, input, bindings=bindings, platform=platform, **options)
        try:
            return self._kept(await live.finish())
        except AssertionError:
            self._kept(live.state())
            raise

    def start(
        self,
        workflow: "WorkflowBuilder | Workflow",
        input: Any,  # noqa: A002 - as the builder's
        *,
        bindings: Mapping[str, str] | None = None,
        platform: object = None,
        **options: Any,
    ) -> LiveRun:
        """Start a workflow that the test drives itself: `settle` and `advance` say when time passes.

        Args:
            workflow: A builder, or a document whose handlers stand in the registry.
            input: The workflow's input.
            bindings: Logical sources and the scripted sources they mean.
            platform: What nodes find in `ctx.platform`, instead of the scripted one.
            options: `run_id`, `max_steps`, `deadline_seconds`, `seed`: see `wf_core.execute_workflow`.
        """
        around = self._around(workflow, bindings, platform)
        self._started += 1
        options.setdefault("run_id", f"run-{self._started}")
        run = Run.start(
            around.document,
            payload_of(input),
            reducers=around.reducers,
            subgraphs=around.subgraphs,
            now=self.clock.now,
            **options,
        )
        return around.live(run, self.clock)

    def run_sync(
        self,
        workflow: "WorkflowBuilder | Workflow",
        input: Any,  # noqa: A002 - as the builder's
        **options: Any,
    ) -> HarnessRun:
        """Run a workflow from a test that is not async; see `run`."""
        return asyncio.run(self.run(workflow, input, **options))

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
        """Answer a run that waits, or try a failed one again.

        Args:
            workflow: The workflow that the run is of.
            run: The run; it stays as it is.
            payload: The answer; `None` tries a failed run again.
            outcome: The outcome that the answer chooses.
            bindings: Logical sources and the scripted sources they mean.
            platform: What nodes find in `ctx.platform`, instead of the scripted one.

        Raises:
            RunEventError: The run is not waiting for this.
        """
        around = self._around(workflow, bindings, platform)
        state = run.state_of_run if isinstance(run, HarnessRun) else run
        machine = Run.from_state(around.document, state, reducers=around.reducers, subgraphs=around.subgraphs)
        if payload is None:
            machine.retry(now=self.clock.now)
        else:
            machine.resume(payload, outcome, now=self.clock.now)
        return self._kept(await around.live(machine, self.clock).finish())

    def resume_sync(
        self,
        workflow: "WorkflowBuilder | Workflow",
        run: HarnessRun | RunState,
        payload: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> HarnessRun:
        """Answer a run from a test that is not async; see `resume`."""
        return asyncio.run(self.resume(workflow, run, payload, **options))

    def _kept(self, run: RunState) -> HarnessRun:
        kept = HarnessRun(run, self.registry.calls)
        self.runs.append(kept)
        return kept

    def _around(
        self, workflow: "WorkflowBuilder | Workflow", bindings: Mapping[str, str] | None, platform: object
    ) -> "_Around":
        if bindings is not None:
            self.platform.bind(bindings)
        seen = self.platform if platform is None else platform
        document = workflow if isinstance(workflow, Workflow) else workflow.compile()
        if not isinstance(document, CompiledWorkflow):
            return _Around(document, self.registry, {}, {}, seen)
        subgraphs = {
            name: PreparedSubgraph(item.workflow, self.registry.over(item.registry), item.reducers)
            for name, item in document.subgraphs.items()
        }
        return _Around(document, self.registry.over(document.handlers), document.reducers, subgraphs, seen)


@dataclass(frozen=True)
class _Around:
    """What a run needs besides its input."""

    document: Workflow
    registry: RecordingRegistry
    reducers: Mapping[str, Any]
    subgraphs: Mapping[str, PreparedSubgraph[Any]]
    platform: object

    def live(self, run: Run, clock: VirtualClock) -> LiveRun:
        return LiveRun(
            run,
            registry=self.registry,
            reducers=self.reducers,
            subgraphs=self.subgraphs,
            platform=self.platform,
            clock=clock,
        )
