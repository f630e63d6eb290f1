"""`WorkflowBuilder`: from steps and edges to a workflow that runs."""

from dataclasses import dataclass
from typing import Any

from wf_authoring.builder.compiling import CompileMethods
from wf_authoring.drawing import to_mermaid, to_svg
from wf_core import RunState


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

    def _repr_svg_(self) -> str:
        return to_svg(self)

    def to_mermaid(self, run: RunState | None = None) -> str:
        """Return the workflow as it stands as a Mermaid flowchart, finished or not.

        Args:
            run: A run of it: shows what it did, how often, and where it failed or waits.

        Raises:
            DrawingError: The run is not of this workflow.
        """
        return to_mermaid(self, run)

    def to_svg(self, run: RunState | None = None) -> str:
        """Return the workflow as it stands as an SVG drawing, finished or not.

        Args:
            run: A run of it: shows what it did, how often, and where it failed or waits.

        Raises:
            DrawingError: The run is not of this workflow.
        """
        return to_svg(self, run)

    def execute(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow; a failing step raises its own exception.

        Args:
            input: The workflow's input: a JSON object, or a value of the input's class.
            options: `platform`, `run_id`, `max_steps`, `deadline_seconds`, `seed`: see `wf_core.execute_workflow`.

        Raises:
            WorkflowCompileError: The workflow is not valid.

        Returns:
            The run, completed or interrupted.
        """
        return self.compile().execute(input, **options)

    async def execute_async(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow on this event loop; see `execute`."""
        return await self.compile().execute_async(input, **options)

    def run(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow; a failing step gives a failed run that says why.

        Args:
            input: The workflow's input: a JSON object, or a value of the input's class.
            options: `platform`, `run_id`, `max_steps`, `deadline_seconds`, `seed`: see `wf_core.execute_workflow`.

        Raises:
            WorkflowCompileError: The workflow is not valid.
        """
        return self.compile().run(input, **options)

    async def run_async(self, input: Any, **options: Any) -> RunState:  # noqa: A002 - the spec's name
        """Compile and run the workflow on this event loop; see `run`."""
        return await self.compile().run_async(input, **options)

    def resume(self, run: RunState, *, payload: Any = None, outcome: str = "submitted", **options: Any) -> RunState:
        """Answer an interrupted run, or go on with a failed one.

        Args:
            run: The run.
            payload: The answer; `None` answers nothing and retries a failed run.
            outcome: The outcome that the answer chooses.
            options: `platform` and `interrupt_id`: see `wf_core.resume_workflow`.
        """
        return self.compile().resume(run, payload=payload, outcome=outcome, **options)

    async def resume_async(
        self, run: RunState, *, payload: Any = None, outcome: str = "submitted", **options: Any
    ) -> RunState:
        """Answer an interrupted run on this event loop; see `resume`."""
        return await self.compile().resume_async(run, payload=payload, outcome=outcome, **options)
