"""The exceptions of the engine.

Every exception of this package is a `WfError`. Each also derives from the built-in that Python code would
naturally catch: a bad document is a `ValueError`, a failed run a `RuntimeError`.

An exception that a node's handler raises is none of these: it reaches the caller as the very object that was
raised, with its own traceback.

Example:
    >>> from wf_core import Workflow
    >>> from wf_core.errors import DocumentError
    >>> try:
    ...     Workflow.model_validate({"name": "demo"})
    ... except DocumentError as error:
    ...     print(error.problems[0].code)
    document.missing
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wf_core.run_state import RunState
    from wf_core.validation import ValidationReport

__all__ = [
    "DocumentError",
    "DocumentProblem",
    "FrozenError",
    "JsonValueError",
    "LocalPathError",
    "NodeResultError",
    "NodeTimeoutError",
    "PathResolutionError",
    "PayloadError",
    "RefError",
    "RunDeadlineError",
    "RunEventError",
    "SnapshotError",
    "WfError",
    "WorkflowExecutionError",
    "WorkflowValidationError",
]


class WfError(Exception):
    """The base of every exception that these packages raise.

    Attributes:
        code: A stable dotted code, such as `binding.unresolved`.
        message: What happened, without the hint.
        path: The place in the document or value, such as `nodes[0].input[1].path`; `None` when there is none.
        hint: What to do about it, if there is something to say.
        context: Further facts by name, such as `node_id` or `frame_id`.
    """

    code: str = "error"

    def __init__(
        self,
        message: str = "",
        *,
        code: str | None = None,
        path: str | None = None,
        hint: str | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> None:
        """Builds the exception; its text is the message, with the hint on a line of its own."""
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.message = message
        if code is not None:
            self.code = code
        self.path = path
        self.hint = hint
        self.context: dict[str, Any] = dict(context or {})

    def __str__(self) -> str:
        """The text, also for exceptions that derive from `KeyError`, which would show its repr."""
        return str(self.args[0]) if self.args else ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by rebuilding, since the arguments are keyword-only."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[WfError], args: tuple[Any, ...], state: dict[str, Any]) -> WfError:
    error = kind()
    error.args = args
    error.__dict__.update(state)
    return error


class DocumentProblem(NamedTuple):
    """One thing that is wrong with a document."""

    code: str
    """A stable dotted code."""
    path: str
    """The place in the document; empty for the document itself."""
    message: str
    """What is wrong there."""
    hint: str | None = None
    """What to do about it."""


class DocumentError(WfError, ValueError):
    """A document that does not have the right form; it lists every problem, not only the first.

    Attributes:
        document: The name of the document's class, such as `Workflow`.
        problems: What is wrong, in document order.
    """

    code = "document.invalid"

    def __init__(
        self,
        message: str = "",
        *,
        document: str = "",
        problems: Sequence[tuple[str, str, str, str | None]] = (),
        **fields: Any,
    ) -> None:
        """Builds the exception from the problems that were found."""
        super().__init__(message, **fields)
        self.document = document
        self.problems = [DocumentProblem(*problem) for problem in problems]

    def errors(self) -> list[dict[str, Any]]:
        """The problems as plain data.

        Returns:
            One dict per problem with the keys `type`, `loc`, `msg` and `hint`.
        """
        return [
            {"type": problem.code, "loc": problem.path, "msg": problem.message, "hint": problem.hint}
            for problem in self.problems
        ]


class WorkflowValidationError(WfError, ValueError):
    """A workflow whose structure is wrong: unknown steps, missing edges, bindings that lead nowhere.

    Attributes:
        report: Everything that was found, warnings included.
    """

    code = "workflow.invalid"

    def __init__(self, message: str = "", *, report: ValidationReport | None = None, **fields: Any) -> None:
        """Builds the exception from a report."""
        super().__init__(message, **fields)
        self.report = report


class WorkflowExecutionError(WfError, RuntimeError):
    """A run that cannot go on: a value that breaks its schema, a path that leads nowhere, an unknown outcome.

    Attributes:
        run: The failed run, which stands where it failed and can be resumed from there; `None` outside of runs.
    """

    code = "run.failed"
    run: RunState | None = None


class NodeTimeoutError(WorkflowExecutionError, TimeoutError):
    """A handler took longer than its node's time limit."""

    code = "call.timeout"


class RunDeadlineError(WorkflowExecutionError, TimeoutError):
    """A run did not finish before its deadline."""

    code = "run.deadline"


class NodeResultError(WfError, TypeError, ValueError):
    """What a handler returned is no result: neither a dict nor a `NodeResult`."""

    code = "node.bad_result"


class RunEventError(WorkflowExecutionError):
    """Something was told to a run that does not fit where it stands; the run is as it was before."""

    code = "run.event_refused"


class JsonValueError(WfError, ValueError):
    """A Python object that is no JSON value.

    Attributes:
        python_type: The name of the offending object's type.
    """

    code = "value.not_json"

    def __init__(self, message: str = "", *, python_type: str = "", **fields: Any) -> None:
        """Builds the exception."""
        super().__init__(message, **fields)
        self.python_type = python_type


class PayloadError(WfError, TypeError, ValueError):
    """A workflow's input or the answer to an interrupt that is no JSON object."""

    code = "payload.not_an_object"


class PathResolutionError(WfError, ValueError):
    """A graph path that cannot be read, or that leads nowhere."""

    code = "path.invalid"


class LocalPathError(WfError, ValueError):
    """A path inside a node's payload that cannot be read, or that leads nowhere."""

    code = "path.invalid"


class RefError(WfError, ValueError):
    """A reference to a source or a capability that cannot be read."""

    code = "ref.invalid"


class SnapshotError(WfError, ValueError):
    """A stored run that cannot be loaded."""

    code = "snapshot.invalid"


class FrozenError(WfError, AttributeError):
    """An attempt to change a document or a record, which are immutable."""

    code = "document.frozen"
