"""What is wrong with a workflow, with the author's own lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wf_authoring.builder.origins import Origin, author_line
from wf_core.errors import WorkflowExecutionError, WorkflowValidationError

_PLACE = re.compile(r"^(nodes|edges|node_defs)\[([^\]]*)\]")


@dataclass(frozen=True)
class CompileProblem:
    """One thing that is wrong.

    Attributes:
        code: A stable code.
        path: The place in the document.
        message: What is wrong there.
        hint: What to do about it, if there is something to say.
        origin: The author's line that made this place.
    """

    code: str
    path: str
    message: str
    hint: str | None
    origin: Origin | None

    def __str__(self) -> str:
        text = f"- [{self.code}] {self.path}: {self.message}"
        if self.origin is not None:
            text += f"\n  at {self.origin}"
        if self.hint:
            text += f"\n  hint: {self.hint}"
        return text


class WorkflowCompileError(WorkflowValidationError):
    """A workflow whose parts do not fit together; every problem with the line that made it.

    Attributes:
        problems: What is wrong, in document order.
        report: The engine's report.

    Example:
        >>> from wf_authoring import WorkflowBuilder
        >>> builder = WorkflowBuilder("demo", {}, {}, {}, start="nowhere")
        >>> try:
        ...     builder.compile()
        ... except WorkflowCompileError as error:
        ...     print(error.problems[0].code)
        unknown_start
    """

    code = "workflow.invalid"

    def __init__(self, message: str = "", *, problems: Sequence[CompileProblem] = (), **fields: Any) -> None:
        super().__init__(message, **fields)
        self.problems = list(problems)


class MissingStartError(WorkflowCompileError, WorkflowExecutionError):
    """A builder that was never told where the workflow starts."""

    code = "workflow.no_start"


@dataclass(frozen=True)
class Parts:
    """The parts of a document that places in it point to.

    Attributes:
        nodes: The steps.
        edges: The edges.
        specs: The nodes behind the contracts.
    """

    nodes: Sequence[Any]
    edges: Sequence[Any]
    specs: Sequence[Any]


class Origins:
    """Remembers the author's line for every part of a workflow."""

    def __init__(self) -> None:
        self._lines: dict[int, Origin | None] = {}
        self.start: Origin | None = None
        self.output: Origin | None = None
        self.builder: Origin | None = author_line()

    def remember(self, part: Any) -> None:
        """Keep the author's line for a step or an edge."""
        self._lines[id(part)] = author_line()

    def of_part(self, part: Any) -> Origin | None:
        """Return the author's line for a step or an edge."""
        return self._lines.get(id(part), self.builder)

    def of_place(self, code: str, path: str, parts: Parts) -> Origin | None:
        """Return the author's line behind a place of the document."""
        match = _PLACE.match(path)
        if match is None:
            head = re.split(r"[.\[]", path, maxsplit=1)[0]
            return {"start": self.start, "output": self.output}.get(head) or self.builder
        kind, place = match.groups()
        if kind == "nodes" and (code == "missing_outcome_edge" or not place.isdigit()):
            named = next((step for step in parts.nodes if step.id == place), None)
            return self.builder if named is None else self.of_part(named)
        found: Sequence[Any] = {"nodes": parts.nodes, "edges": parts.edges, "node_defs": parts.specs}[kind]
        if not place.isdigit() or int(place) >= len(found):
            return self.builder
        part = found[int(place)]
        return _spec_line(part) if kind == "node_defs" else self.of_part(part)


def _spec_line(spec: Any) -> Origin | None:
    from wf_authoring.nodes.annotations import underlying

    code = getattr(underlying(spec.fn), "__code__", None)
    return None if code is None else Origin(code.co_filename, code.co_firstlineno)
