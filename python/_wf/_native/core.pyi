"""Documents, paths, validation and runs: the native half of `wf_core`.

Public names are exported by `wf_core` and its submodules; nothing else should import from here.
"""

# ruff: noqa: A002 - documents have fields named `id`, `type` and `input`

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Self, final

from typing_extensions import disjoint_base

from wf_core.reducers import ReducerDefinition
from wf_core.run_state import FrameStatus, RunFailure, RunStatus
from wf_core.runtime import PreparedSubgraph
from wf_core.validation import ValidationReport

__all__ = [
    "ArrayExpression",
    "BinaryCondition",
    "Call",
    "CancelCall",
    "CapabilityRef",
    "ConditionNode",
    "Document",
    "Edge",
    "EndNode",
    "ExecutionFrame",
    "ExistsCondition",
    "ForeachConcurrentPolicy",
    "ForeachItemErrorPolicy",
    "ForeachNode",
    "ForkNode",
    "GatherNode",
    "GraphSourcePath",
    "Idle",
    "InputExpressionBinding",
    "InputPathBinding",
    "InputValueBinding",
    "InterruptNode",
    "InterruptRequest",
    "InterruptRoute",
    "Item",
    "JoinNode",
    "LineageState",
    "LiteralExpression",
    "LiteralOperand",
    "LocalPath",
    "NodeDef",
    "NodeResult",
    "NodeUse",
    "NotCondition",
    "ObjectExpression",
    "OutputBinding",
    "PathExpression",
    "PathOperand",
    "PersistedRunState",
    "Pump",
    "Reduce",
    "ReducerRef",
    "ReducerSpec",
    "RetryPolicy",
    "Run",
    "RunState",
    "RuntimeContext",
    "RuntimeScope",
    "SchemaRef",
    "SourceRef",
    "StateField",
    "StateFieldDecl",
    "StatePath",
    "StateSchema",
    "StateWrite",
    "StepExecutionResult",
    "Stopped",
    "SubgraphNode",
    "TraceEntry",
    "VariadicCondition",
    "Workflow",
    "WorkflowRef",
    "builtin_reducer_specs",
    "check_payload",
    "coerce_node_result",
    "create_run",
    "dump_run_state",
    "eval_condition",
    "execute_workflow",
    "execute_workflow_result",
    "format_toml_path_segments",
    "load_run_state",
    "merge_builtin",
    "parse_toml_path_segments",
    "resume_pump",
    "resume_workflow",
    "resume_workflow_result",
    "start_pump",
    "step_pump",
    "step_workflow",
    "validate_strict_json_value",
    "validation_issue_codes",
    "validation_issues",
]

@disjoint_base
class Document:
    """A document: an immutable value with a JSON form.

    Attributes that are lists or dicts are built afresh at every access; changing one changes no document.
    """

    @classmethod
    def model_validate(cls, obj: Any, /) -> Self:
        """Read a document from plain data.

        Args:
            obj: A dict, another document of this class, or a short form that the class takes.

        Raises:
            DocumentError: It does not have the right form; lists every problem.
        """
    @classmethod
    def model_validate_json(cls, json_data: str | bytes, /) -> Self:
        """Read a document from JSON text.

        Raises:
            DocumentError: The text is no JSON, or does not have the right form.
        """
    @classmethod
    def model_json_schema(cls, *, by_alias: bool = True, mode: str = "validation") -> dict[str, Any]:
        """Return the JSON Schema of the class's documents, by alias."""
    def model_dump(
        self,
        *,
        mode: str = "python",
        include: Any = None,
        exclude: Any = None,
        by_alias: bool | None = None,
        exclude_none: bool = False,
    ) -> Any:
        """Return the document as plain data.

        Args:
            mode: `python` or `json`; both give JSON values.
            include: The only fields to show.
            exclude: Fields to leave out.
            by_alias: Name fields as in JSON (`from`, `as`), not as attributes (`from_`, `as_`).
            exclude_none: Leave out what is `None`.
        """
    def model_dump_json(
        self,
        *,
        indent: int | None = None,
        include: Any = None,
        exclude: Any = None,
        by_alias: bool | None = None,
        exclude_none: bool = False,
    ) -> str:
        """Return the document as JSON text; see `model_dump`."""
    def model_copy(self, *, update: dict[str, Any] | None = None, deep: bool = False) -> Self:
        """Return the document with some fields changed.

        Args:
            update: Fields by name; the result is checked like any other document.
            deep: Makes no difference, since documents are immutable.

        Raises:
            DocumentError: The changed document does not have the right form.

        Example:
            >>> from wf_core import EndNode
            >>> EndNode(id="end").model_copy(update={"outcome": "rejected"}).outcome
            'rejected'
        """
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any: ...
    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> Any: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __setattr__(self, name: str, value: Any, /) -> None: ...
    def __delattr__(self, name: str, /) -> None: ...

@final
class LocalPath(Document):
    """A place in a node's payload or output; no parts means the whole payload."""

    def __new__(cls, parts: Sequence[str] | None = None) -> Self: ...
    @staticmethod
    def root() -> LocalPath:
        """Return the whole payload."""
    @staticmethod
    def of(*fragments: str) -> LocalPath:
        """Return a path of fragments that are split at plain dots."""
    @staticmethod
    def parse(raw: str, /) -> LocalPath:
        """Read the text form: `.` for the root, else a TOML key.

        Raises:
            PathResolutionError: The text is no path.
        """
    @property
    def parts(self) -> tuple[str, ...]:
        """The segments below the payload's root."""

@final
class GraphSourcePath(Document):
    """A place to read from: `input…`, `state…` or `context…`."""

    def __new__(cls, root: str, parts: Sequence[str] | None = None) -> Self: ...
    @staticmethod
    def input(*fragments: str) -> GraphSourcePath:
        """Return a path below the workflow's input."""
    @staticmethod
    def state(*fragments: str) -> GraphSourcePath:
        """Return a path below the state."""
    @staticmethod
    def context(*fragments: str) -> GraphSourcePath:
        """Return a path below the context."""
    @staticmethod
    def parse(raw: str, /) -> GraphSourcePath:
        """Read the text form: a TOML key that begins with `input`, `state` or `context`.

        Raises:
            PathResolutionError: The text is no path.
        """
    @property
    def root(self) -> Literal["input", "state", "context"]:
        """Where the path begins."""
    @property
    def parts(self) -> tuple[str, ...]:
        """The segments below the root."""

@final
class StatePath(Document):
    """A place to write to, below `state`; at least one part."""

    def __new__(cls, parts: Sequence[str]) -> Self: ...
    @staticmethod
    def of(*fragments: str) -> StatePath:
        """Return a path of fragments that are split at plain dots."""
    @staticmethod
    def parse(raw: str, /) -> StatePath:
        """Read the text form: a TOML key that begins with `state` and goes on.

        Raises:
            PathResolutionError: The text is no path.
        """
    @property
    def parts(self) -> tuple[str, ...]:
        """The segments below `state`."""

@final
class SourceRef(Document):
    """The id of a capability source, such as `wf.std`."""

    def __new__(cls, parts: Sequence[str]) -> Self: ...
    @staticmethod
    def parse(raw: str, /) -> SourceRef:
        """Read dotted text.

        Raises:
            RefError: A segment is blank.
        """
    @property
    def parts(self) -> tuple[str, ...]:
        """The segments."""

@final
class CapabilityRef(Document):
    """A capability within a source, such as `add` of `wf.std`."""

    def __new__(cls, source: SourceRef | str | Mapping[str, Any], name: str) -> Self: ...
    @staticmethod
    def parse(raw: str, /) -> CapabilityRef:
        """Read dotted text; what stands behind the last dot is the name.

        Raises:
            RefError: The source or the name is missing.
        """
    @property
    def source(self) -> SourceRef:
        """The source that owns the capability."""
    @property
    def name(self) -> str:
        """Its name within the source."""
    def bind(self, bindings: Mapping[str, Any], /) -> CapabilityRef:
        """Return the same capability of the source that `bindings` names for this one."""

@disjoint_base
class Workflow(Document):
    """A workflow: steps, the edges between them, and the contracts around them."""

    def __new__(
        cls,
        *,
        name: str,
        input_schema: SchemaRef | Mapping[str, Any],
        state_schema: StateSchema | Mapping[str, Any],
        output_schema: SchemaRef | Mapping[str, Any],
        output: Sequence[InputPathBinding | InputValueBinding | Mapping[str, Any]] = ...,
        node_defs: Sequence[NodeDef | Mapping[str, Any]] = ...,
        outcomes: Sequence[str] = ...,
        start: str,
        nodes: Sequence[
            NodeUse
            | SubgraphNode
            | ConditionNode
            | ForeachNode
            | JoinNode
            | EndNode
            | InterruptNode
            | ForkNode
            | GatherNode
            | Mapping[str, Any]
        ],
        edges: Sequence[Edge | Mapping[str, Any]],
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Its name."""
    @property
    def input_schema(self) -> SchemaRef:
        """The schema of its input."""
    @property
    def state_schema(self) -> StateSchema:
        """The schema of its state."""
    @property
    def output_schema(self) -> SchemaRef:
        """The schema of its output."""
    @property
    def output(self) -> list[InputPathBinding | InputValueBinding]:
        """Builds its output; empty means: the state fields that the output schema names."""
    @property
    def node_defs(self) -> list[NodeDef]:
        """The contracts of the nodes it uses."""
    @property
    def outcomes(self) -> list[str]:
        """The outcomes it may end with."""
    @property
    def start(self) -> str:
        """The id of its first step."""
    @property
    def nodes(
        self,
    ) -> list[
        NodeUse
        | SubgraphNode
        | ConditionNode
        | ForeachNode
        | JoinNode
        | EndNode
        | InterruptNode
        | ForkNode
        | GatherNode
    ]:
        """Its steps."""
    @property
    def edges(self) -> list[Edge]:
        """Its edges."""
    def validate_structure(self) -> ValidationReport:
        """Check whether everything the workflow names exists and every outcome leads somewhere."""

@final
class Edge(Document):
    """Where a step's outcome leads. Its constructor takes `from` by `**{"from": …}`, as the document has it."""

    def __new__(cls, **fields: str) -> Self: ...
    @property
    def from_(self) -> str:
        """The step that answers the outcome."""
    @property
    def outcome(self) -> str:
        """The outcome."""
    @property
    def to(self) -> str:
        """The next step, or `__end__`."""

@final
class NodeDef(Document):
    """What a node takes, gives and may answer; its handler is found by its name."""

    def __new__(
        cls,
        *,
        name: str,
        input_schema: SchemaRef | Mapping[str, Any],
        output_schema: SchemaRef | Mapping[str, Any],
        outcomes: Sequence[str],
        retry: RetryPolicy | int | Mapping[str, Any] | None = None,
        timeout_seconds: float | None = None,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """The name by which steps and registries refer to it."""
    @property
    def input_schema(self) -> SchemaRef:
        """The schema of its payload."""
    @property
    def output_schema(self) -> SchemaRef:
        """The schema of its output."""
    @property
    def outcomes(self) -> list[str]:
        """The outcomes it may answer; the first is the default."""
    @property
    def retry(self) -> RetryPolicy | None:
        """Its retry policy, unless the step has one."""
    @property
    def timeout_seconds(self) -> float | None:
        """Its time limit, unless the step has one."""

@final
class RetryPolicy(Document):
    """When and how often a failed call is tried again.

    The delay before retry `n` (from 0) is `backoff_seconds * factor**n`, at most `max_backoff_seconds`.
    """

    def __new__(
        cls,
        *,
        retries: int,
        backoff_seconds: float = 0,
        factor: float = 2,
        max_backoff_seconds: float = 60,
        jitter: bool = False,
        errors: Sequence[str] = (),
    ) -> Self: ...
    @property
    def retries(self) -> int:
        """How many retries follow the first attempt."""
    @property
    def backoff_seconds(self) -> float:
        """The first delay."""
    @property
    def factor(self) -> float:
        """The growth of the delay."""
    @property
    def max_backoff_seconds(self) -> float:
        """The longest delay."""
    @property
    def jitter(self) -> bool:
        """Whether the delay is drawn between half and all of it, from the run's seed."""
    @property
    def errors(self) -> list[str]:
        """The error types that are retried; empty means every one."""

@final
class WorkflowRef(Document):
    """Which workflow a subgraph step runs: one by name, or a saved artifact."""

    def __new__(
        cls, *, name: str | None = None, artifact_id: str | None = None, version: int | None = None
    ) -> Self: ...
    @property
    def name(self) -> str | None:
        """The name under which the caller has prepared it."""
    @property
    def artifact_id(self) -> str | None:
        """The artifact's id."""
    @property
    def version(self) -> int | None:
        """The artifact's version, from 1."""
    @property
    def display(self) -> str:
        """The name, or `workflow.<artifact id>.v<version>`."""

@final
class NodeResult(Document):
    """What a handler answers: an outcome and an output. Further keys are kept."""

    def __new__(
        cls, *, outcome: str, output: Mapping[str, Any] = ..., meta: Mapping[str, Any] = ..., **extra: Any
    ) -> Self: ...
    @property
    def outcome(self) -> str:
        """The outcome; one that the node's contract declares."""
    @property
    def output(self) -> dict[str, Any]:
        """The output."""
    @property
    def meta(self) -> dict[str, Any]:
        """Free remarks, kept in the trace."""
    def __getattr__(self, name: str) -> Any: ...

@final
class SchemaRef(Document):
    """A JSON Schema, checked against its metaschema and kept in canonical form. Further keywords are kept."""

    def __new__(
        cls,
        *,
        title: str | None = None,
        type: str | Sequence[str] | None = None,
        properties: Mapping[str, Any] = ...,
        required: Sequence[str] = ...,
        **extra: Any,
    ) -> Self: ...
    @property
    def title(self) -> str | None:
        """The title."""
    @property
    def type(self) -> str | list[str] | None:
        """The type, or several."""
    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of properties."""
    @property
    def required(self) -> list[str]:
        """The properties that must be there."""
    def __getattr__(self, name: str) -> Any: ...

@final
class StateSchema(Document):
    """The schema of the state: a JSON Schema whose properties may carry `reducer`, `trace` and `default`."""

    def __new__(
        cls,
        *,
        title: str | None = None,
        type: str | Sequence[str] | None = "object",
        properties: Mapping[str, Any] = ...,
        required: Sequence[str] = ...,
        fields: Mapping[str, Any] | Sequence[Any] = ...,
        **extra: Any,
    ) -> Self: ...
    @property
    def title(self) -> str | None:
        """The title."""
    @property
    def type(self) -> str | list[str] | None:
        """The type."""
    @property
    def properties(self) -> dict[str, Any]:
        """The schemas of properties, kernel keywords included."""
    @property
    def required(self) -> list[str]:
        """The properties that must be there."""
    @staticmethod
    def from_field_map(fields: Mapping[str, StateField | Mapping[str, Any]], /) -> StateSchema:
        """Build the schema from fields by their dotted names."""
    def field_index(self) -> dict[StatePath, StateFieldDecl]:
        """Return the declared fields by their path, parents before their children."""
    def field_map(self) -> dict[str, StateFieldDecl]:
        """Return the declared fields by their dotted name, without `state.`."""
    @property
    def fields(self) -> list[StateFieldDecl]:
        """The declared fields, parents before their children."""
    def root_fields(self) -> set[str]:
        """Return the names of the top-level properties."""
    def __getattr__(self, name: str) -> Any: ...

@final
class StateFieldDecl(Document):
    """One declared place of the state."""

    def __new__(
        cls,
        *,
        path: StatePath | str | Mapping[str, Any],
        validation_schema: SchemaRef | Mapping[str, Any] = ...,
        reducer: ReducerRef | str | Mapping[str, Any] = ...,
        trace: bool = True,
        default: Any = None,
    ) -> Self: ...
    @property
    def path(self) -> StatePath:
        """Where it is."""
    @property
    def validation_schema(self) -> SchemaRef:
        """The schema its values must meet."""
    @property
    def reducer(self) -> ReducerRef:
        """How writes to it merge."""
    @property
    def trace(self) -> bool:
        """Accepted for compatibility; has no effect."""
    @property
    def default(self) -> Any:
        """Its value at the start of a run; `None` means none."""
    @property
    def type(self) -> str | None:
        """The schema's type, when it is a single one."""

@final
class StateField(Document):
    """A place of the state in short: one type, and how writes to it merge."""

    def __new__(
        cls, *, type: str, reducer: ReducerRef | str | Mapping[str, Any] = ..., trace: bool = True, default: Any = None
    ) -> Self: ...
    @property
    def type(self) -> str:
        """The type."""
    @property
    def reducer(self) -> ReducerRef:
        """How writes to it merge."""
    @property
    def trace(self) -> bool:
        """Accepted for compatibility; has no effect."""
    @property
    def default(self) -> Any:
        """Its value at the start of a run; `None` means none."""

@final
class ReducerRef(Document):
    """Which reducer merges writes to a field."""

    def __new__(
        cls,
        *,
        ref: CapabilityRef | str | Mapping[str, Any] = ...,
        config: Mapping[str, Any] | None = ...,
        name: str = ...,
    ) -> Self: ...
    @property
    def ref(self) -> CapabilityRef:
        """The reducer."""
    @property
    def config(self) -> dict[str, Any]:
        """Its configuration."""
    @property
    def name(self) -> str:
        """The qualified name, such as `wf.std.add`, by which registries know the reducer."""

@final
class ReducerSpec(Document):
    """The contract of a reducer. Further keys are kept."""

    def __new__(
        cls,
        *,
        name: str,
        description: str | None = None,
        config_schema: Mapping[str, Any] = ...,
        sibling_write_policy: str = "mergeable",
        **extra: Any,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Its qualified name."""
    @property
    def description(self) -> str | None:
        """What it does."""
    @property
    def config_schema(self) -> dict[str, Any]:
        """The schema of its configuration."""
    @property
    def sibling_write_policy(self) -> Literal["exclusive", "mergeable"]:
        """Whether siblings may write the same field."""
    def __getattr__(self, name: str) -> Any: ...

@final
class InputPathBinding(Document):
    """Fills one place of a payload with what a path holds."""

    def __new__(
        cls, *, target: LocalPath | str | Mapping[str, Any], path: GraphSourcePath | str | Mapping[str, Any]
    ) -> Self: ...
    @property
    def target(self) -> LocalPath:
        """The place in the payload."""
    @property
    def path(self) -> GraphSourcePath:
        """Where the value is read."""

@final
class InputValueBinding(Document):
    """Fills one place of a payload with a literal."""

    def __new__(cls, *, target: LocalPath | str | Mapping[str, Any], value: Any) -> Self: ...
    @property
    def target(self) -> LocalPath:
        """The place in the payload."""
    @property
    def value(self) -> Any:
        """The literal; null is a value too."""

@final
class InputExpressionBinding(Document):
    """Fills one place of a payload with a value built from literals and paths."""

    def __new__(
        cls,
        *,
        target: LocalPath | str | Mapping[str, Any],
        expression: LiteralExpression | PathExpression | ArrayExpression | ObjectExpression | Mapping[str, Any],
    ) -> Self: ...
    @property
    def target(self) -> LocalPath:
        """The place in the payload."""
    @property
    def expression(self) -> LiteralExpression | PathExpression | ArrayExpression | ObjectExpression:
        """How the value is built."""

@final
class OutputBinding(Document):
    """Writes one place of an output into the state."""

    def __new__(
        cls, *, source: LocalPath | str | Mapping[str, Any], target: StatePath | str | Mapping[str, Any]
    ) -> Self: ...
    @property
    def source(self) -> LocalPath:
        """The place in the output."""
    @property
    def target(self) -> StatePath:
        """The place in the state."""

@final
class LiteralExpression(Document):
    """A literal."""

    def __new__(cls, *, kind: Literal["literal"] = "literal", value: Any) -> Self: ...
    @property
    def kind(self) -> Literal["literal"]:
        """Which expression it is."""
    @property
    def value(self) -> Any:
        """The literal."""

@final
class PathExpression(Document):
    """What a path holds."""

    def __new__(cls, *, kind: Literal["path"] = "path", path: GraphSourcePath | str | Mapping[str, Any]) -> Self: ...
    @property
    def kind(self) -> Literal["path"]:
        """Which expression it is."""
    @property
    def path(self) -> GraphSourcePath:
        """Where the value is read."""

@final
class ArrayExpression(Document):
    """A list of expressions."""

    def __new__(
        cls,
        *,
        kind: Literal["array"] = "array",
        items: Sequence[LiteralExpression | PathExpression | ArrayExpression | ObjectExpression | Mapping[str, Any]],
    ) -> Self: ...
    @property
    def kind(self) -> Literal["array"]:
        """Which expression it is."""
    @property
    def items(self) -> list[LiteralExpression | PathExpression | ArrayExpression | ObjectExpression]:
        """The items."""

@final
class ObjectExpression(Document):
    """An object of expressions."""

    def __new__(
        cls,
        *,
        kind: Literal["object"] = "object",
        fields: Mapping[
            str, LiteralExpression | PathExpression | ArrayExpression | ObjectExpression | Mapping[str, Any]
        ],
    ) -> Self: ...
    @property
    def kind(self) -> Literal["object"]:
        """Which expression it is."""
    @property
    def fields(self) -> dict[str, LiteralExpression | PathExpression | ArrayExpression | ObjectExpression]:
        """The entries."""

@final
class ExistsCondition(Document):
    """The path holds something, null included."""

    def __new__(cls, *, op: Literal["exists"] = "exists", path: GraphSourcePath | str | Mapping[str, Any]) -> Self: ...
    @property
    def op(self) -> Literal["exists"]:
        """Which condition it is."""
    @property
    def path(self) -> GraphSourcePath:
        """Where to look."""

@final
class NotCondition(Document):
    """The opposite of a condition."""

    def __new__(
        cls,
        *,
        op: Literal["not"] = "not",
        arg: ExistsCondition | NotCondition | VariadicCondition | BinaryCondition | Mapping[str, Any],
    ) -> Self: ...
    @property
    def op(self) -> Literal["not"]:
        """Which condition it is."""
    @property
    def arg(self) -> ExistsCondition | NotCondition | VariadicCondition | BinaryCondition:
        """The condition."""

@final
class VariadicCondition(Document):
    """Several conditions combined."""

    def __new__(
        cls,
        *,
        op: Literal["and", "or"],
        args: Sequence[ExistsCondition | NotCondition | VariadicCondition | BinaryCondition | Mapping[str, Any]],
    ) -> Self: ...
    @property
    def op(self) -> Literal["and", "or"]:
        """Whether all of them must hold, or at least one."""
    @property
    def args(self) -> list[ExistsCondition | NotCondition | VariadicCondition | BinaryCondition]:
        """The conditions; at least one."""

@final
class BinaryCondition(Document):
    """Two operands compared."""

    def __new__(
        cls,
        *,
        op: Literal["eq", "ne", "gt", "ge", "lt", "le"],
        left: PathOperand | LiteralOperand | Mapping[str, Any],
        right: PathOperand | LiteralOperand | Mapping[str, Any],
    ) -> Self: ...
    @property
    def op(self) -> Literal["eq", "ne", "gt", "ge", "lt", "le"]:
        """How they are compared."""
    @property
    def left(self) -> PathOperand | LiteralOperand:
        """The left operand."""
    @property
    def right(self) -> PathOperand | LiteralOperand:
        """The right operand."""

@final
class PathOperand(Document):
    """What a path holds."""

    def __new__(cls, *, path: GraphSourcePath | str | Mapping[str, Any]) -> Self: ...
    @property
    def path(self) -> GraphSourcePath:
        """Where the value is read."""

@final
class LiteralOperand(Document):
    """A literal."""

    def __new__(cls, *, value: Any) -> Self: ...
    @property
    def value(self) -> Any:
        """The literal."""

@final
class NodeUse(Document):
    """Calls the handler of a node."""

    def __new__(
        cls,
        *,
        type: Literal["node"] = "node",
        id: str,
        node: str,
        desc: str | None = None,
        input: Sequence[InputPathBinding | InputValueBinding | InputExpressionBinding | Mapping[str, Any]] = ...,
        output: Sequence[OutputBinding | Mapping[str, Any]] = ...,
        retry: RetryPolicy | int | Mapping[str, Any] | None = None,
        timeout_seconds: float | None = None,
        in_map: Mapping[str, Any] | None = None,
        input_values: Mapping[str, Any] | None = None,
        out_map: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def type(self) -> Literal["node"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def node(self) -> str:
        """The name of the node's contract and of its handler."""
    @property
    def desc(self) -> str | None:
        """A remark for readers."""
    @property
    def input(self) -> list[InputPathBinding | InputValueBinding | InputExpressionBinding]:
        """Fills the payload."""
    @property
    def output(self) -> list[OutputBinding]:
        """Writes the output into the state."""
    @property
    def retry(self) -> RetryPolicy | None:
        """Overrides the contract's retry policy."""
    @property
    def timeout_seconds(self) -> float | None:
        """Overrides the contract's time limit."""

@final
class SubgraphNode(Document):
    """Runs another workflow in a scope of its own."""

    def __new__(
        cls,
        *,
        type: Literal["subgraph"] = "subgraph",
        id: str,
        workflow: WorkflowRef | str | Mapping[str, Any],
        desc: str | None = None,
        input_schema: SchemaRef | Mapping[str, Any] = ...,
        output_schema: SchemaRef | Mapping[str, Any] = ...,
        input: Sequence[InputPathBinding | InputValueBinding | InputExpressionBinding | Mapping[str, Any]] = ...,
        output: Sequence[OutputBinding | Mapping[str, Any]] = ...,
        outcomes: Sequence[str] = ...,
    ) -> Self: ...
    @property
    def type(self) -> Literal["subgraph"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def workflow(self) -> WorkflowRef:
        """Which workflow."""
    @property
    def desc(self) -> str | None:
        """A remark for readers."""
    @property
    def input_schema(self) -> SchemaRef:
        """The schema of the child's input, as this step promises it."""
    @property
    def output_schema(self) -> SchemaRef:
        """The schema of the child's output, as this step expects it."""
    @property
    def input(self) -> list[InputPathBinding | InputValueBinding | InputExpressionBinding]:
        """Fills the child's input."""
    @property
    def output(self) -> list[OutputBinding]:
        """Writes the child's output into the state."""
    @property
    def outcomes(self) -> list[str]:
        """The outcomes the child may end with."""

@final
class ConditionNode(Document):
    """Decides by a condition between `true` and `false`."""

    def __new__(
        cls,
        *,
        type: Literal["condition"] = "condition",
        id: str,
        check: ExistsCondition | NotCondition | VariadicCondition | BinaryCondition | Mapping[str, Any],
    ) -> Self: ...
    @property
    def type(self) -> Literal["condition"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def check(self) -> ExistsCondition | NotCondition | VariadicCondition | BinaryCondition:
        """What decides."""

@final
class ForeachNode(Document):
    """Runs its `loop` branch once per item of a list."""

    def __new__(
        cls,
        *,
        type: Literal["foreach"] = "foreach",
        id: str,
        over: GraphSourcePath | str | Mapping[str, Any],
        as_: str,
        mode: Literal["serial", "concurrent", "parallel"] = "serial",
        item_error: ForeachItemErrorPolicy | Mapping[str, Any] | str = ...,
        concurrent: ForeachConcurrentPolicy | Mapping[str, Any] | None = None,
        parallel: Mapping[str, Any] | None = None,
        on_item_error: str | None = None,
    ) -> Self: ...
    @property
    def type(self) -> Literal["foreach"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def over(self) -> GraphSourcePath:
        """The list; fixed when the step is entered."""
    @property
    def as_(self) -> str:
        """The context key that holds the item (`as` in JSON)."""
    @property
    def mode(self) -> Literal["serial", "concurrent"]:
        """One after the other, or several at once."""
    @property
    def item_error(self) -> ForeachItemErrorPolicy:
        """What happens when an item fails."""
    @property
    def concurrent(self) -> ForeachConcurrentPolicy | None:
        """The limits of concurrent mode; present exactly then."""

@final
class ForeachItemErrorPolicy(Document):
    """What happens when an item of a foreach, or a branch of a fork, fails."""

    def __new__(
        cls,
        *,
        action: Literal["fail", "skip", "collect"] = "fail",
        collect_to: StatePath | str | Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def action(self) -> Literal["fail", "skip", "collect"]:
        """The rule."""
    @property
    def collect_to(self) -> StatePath | None:
        """Where the records of the failures go (`collect` only)."""

@final
class ForeachConcurrentPolicy(Document):
    """The limits of a concurrent foreach."""

    def __new__(
        cls, *, max_active: int = 4, max_outstanding: int = 20, interrupt: Literal["quiesce"] = "quiesce"
    ) -> Self: ...
    @property
    def max_active(self) -> int:
        """How many items may be running at once."""
    @property
    def max_outstanding(self) -> int:
        """How many items may be started and unfinished, blocked ones included."""
    @property
    def interrupt(self) -> Literal["quiesce"]:
        """What happens to the other items when one raises an interrupt."""

@final
class JoinNode(Document):
    """A place where edges meet; waits for nothing."""

    def __new__(cls, *, type: Literal["join"] = "join", id: str) -> Self: ...
    @property
    def type(self) -> Literal["join"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""

@final
class EndNode(Document):
    """Finishes the workflow."""

    def __new__(cls, *, type: Literal["end"] = "end", id: str, outcome: str = "ok") -> Self: ...
    @property
    def type(self) -> Literal["end"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def outcome(self) -> str:
        """The workflow's outcome."""

@final
class InterruptNode(Document):
    """Pauses the run with a request until it is resumed with an outcome and a payload."""

    def __new__(
        cls,
        *,
        type: Literal["interrupt"] = "interrupt",
        id: str,
        kind: str,
        request: Sequence[InputPathBinding | InputValueBinding | InputExpressionBinding | Mapping[str, Any]] = ...,
        resume: Sequence[OutputBinding | Mapping[str, Any]] = ...,
        outcomes: Sequence[str] = ...,
        request_schema: Mapping[str, Any] = ...,
        resume_schema: Mapping[str, Any] = ...,
        request_map: Mapping[str, Any] | None = None,
        out_map: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def type(self) -> Literal["interrupt"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def kind(self) -> str:
        """What kind of answer is wanted."""
    @property
    def request(self) -> list[InputPathBinding | InputValueBinding | InputExpressionBinding]:
        """Fills the request's payload."""
    @property
    def resume(self) -> list[OutputBinding]:
        """Writes the answer's payload into the state."""
    @property
    def outcomes(self) -> list[str]:
        """The outcomes an answer may choose."""
    @property
    def request_schema(self) -> dict[str, Any]:
        """The schema of the request's payload."""
    @property
    def resume_schema(self) -> dict[str, Any]:
        """The schema of the answer's payload."""
    @property
    def has_explicit_contract(self) -> bool:
        """Whether a schema differs from the default."""

@final
class ForkNode(Document):
    """Starts one branch per outcome; each has a lineage of its own."""

    def __new__(cls, *, type: Literal["fork"] = "fork", id: str, branches: Sequence[str]) -> Self: ...
    @property
    def type(self) -> Literal["fork"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def branches(self) -> list[str]:
        """The branches in declared order; each is an outcome with an edge."""

@final
class GatherNode(Document):
    """Waits for branches of a fork and commits what they wrote."""

    def __new__(
        cls,
        *,
        type: Literal["gather"] = "gather",
        id: str,
        of: str,
        wait: Literal["all", "any"] | int = "all",
        branch_error: ForeachItemErrorPolicy | Mapping[str, Any] | str = ...,
    ) -> Self: ...
    @property
    def type(self) -> Literal["gather"]:
        """Which step it is."""
    @property
    def id(self) -> str:
        """The step's id."""
    @property
    def of(self) -> str:
        """The id of the fork."""
    @property
    def wait(self) -> Literal["all", "any"] | int:
        """How many branches are waited for."""
    @property
    def branch_error(self) -> ForeachItemErrorPolicy:
        """What happens when a branch fails."""

@final
class ExecutionFrame(Document):
    """An execution cursor."""

    def __new__(
        cls,
        *,
        id: str,
        kind: str,
        node_id: str,
        status: str = "pending",
        parent_frame_id: str | None = None,
        scope_id: str = "root",
        lineage_id: str = "root",
        parent_lineage_id: str | None = None,
        prior_outcome: str | None = None,
        activated_incoming_edge: str | None = None,
        metadata: Mapping[str, Any] = ...,
        finished_at_node_id: str | None = None,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def kind(self) -> str:
        """`workflow`, `foreach_iteration`, `subgraph_root` or `fork_branch`."""
    @property
    def node_id(self) -> str:
        """The step it stands at."""
    @property
    def status(self) -> FrameStatus:
        """What it is doing."""
    @property
    def parent_frame_id(self) -> str | None:
        """The frame that started it."""
    @property
    def scope_id(self) -> str:
        """Its scope."""
    @property
    def lineage_id(self) -> str:
        """Its lineage."""
    @property
    def parent_lineage_id(self) -> str | None:
        """The lineage around it."""
    @property
    def prior_outcome(self) -> str | None:
        """The outcome of the step before."""
    @property
    def activated_incoming_edge(self) -> str | None:
        """The id of the step before."""
    @property
    def metadata(self) -> dict[str, Any]:
        """What else is known: its loop, its outcome, its error."""
    @property
    def finished_at_node_id(self) -> str | None:
        """Where it ended."""

@final
class RuntimeScope(Document):
    """One activation of a workflow."""

    def __new__(
        cls,
        *,
        id: str,
        workflow_name: str,
        workflow_input: Mapping[str, Any] = ...,
        committed_state: Mapping[str, Any] = ...,
        workflow_ref: WorkflowRef | Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def workflow_name(self) -> str:
        """The name of its workflow."""
    @property
    def workflow_input(self) -> dict[str, Any]:
        """The input of the workflow."""
    @property
    def committed_state(self) -> dict[str, Any]:
        """What was committed to its state."""
    @property
    def workflow_ref(self) -> WorkflowRef | None:
        """By which the workflow was referred to; `None` for the root."""

@final
class LineageState(Document):
    """What a frame wrote that is not committed yet."""

    def __new__(
        cls,
        *,
        id: str,
        scope_id: str,
        parent_id: str | None = None,
        writes: Sequence[StateWrite | Mapping[str, Any]] = ...,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def scope_id(self) -> str:
        """Its scope."""
    @property
    def parent_id(self) -> str | None:
        """The lineage around it."""
    @property
    def writes(self) -> list[StateWrite]:
        """The writes in order."""

@final
class StateWrite(Document):
    """One uncommitted write."""

    def __new__(
        cls,
        *,
        path: StatePath | str | Mapping[str, Any],
        incoming_value: Any,
        visible_value: Any,
        reducer: ReducerRef | str | Mapping[str, Any] = ...,
    ) -> Self: ...
    @property
    def path(self) -> StatePath:
        """The place."""
    @property
    def incoming_value(self) -> Any:
        """The value that came in."""
    @property
    def visible_value(self) -> Any:
        """What later steps of the lineage see at the place."""
    @property
    def reducer(self) -> ReducerRef:
        """How the write merges."""

@final
class TraceEntry(Document):
    """One executed step."""

    def __new__(
        cls,
        *,
        frame_id: str,
        node_id: str,
        step_type: str,
        resolved_input: Mapping[str, Any],
        outcome: str,
        next_node_id: str,
        output: Mapping[str, Any] = ...,
        state_changes: Mapping[str, Any] = ...,
        meta: Mapping[str, Any] = ...,
        started_at: float | None = None,
        finished_at: float | None = None,
    ) -> Self: ...
    @property
    def frame_id(self) -> str:
        """The frame that executed it."""
    @property
    def node_id(self) -> str:
        """The step."""
    @property
    def step_type(self) -> str:
        """Its type."""
    @property
    def resolved_input(self) -> dict[str, Any]:
        """The payload, or what takes its place."""
    @property
    def outcome(self) -> str:
        """How it ended."""
    @property
    def next_node_id(self) -> str:
        """The step the frame went to."""
    @property
    def output(self) -> dict[str, Any]:
        """What it returned."""
    @property
    def state_changes(self) -> dict[str, Any]:
        """What it changed in the committed state, by path."""
    @property
    def meta(self) -> dict[str, Any]:
        """The remarks of the handler."""
    @property
    def started_at(self) -> float | None:
        """When it began, in seconds since the epoch."""
    @property
    def finished_at(self) -> float | None:
        """When it was done, in seconds since the epoch."""
    @property
    def error(self) -> RunFailure | None:
        """Why the step failed, if it did: the message, with the rest as attributes."""

@final
class StepExecutionResult(Document):
    """What the execution of a single step gave."""

    def __new__(
        cls,
        *,
        outcome: str,
        resolved_input: Mapping[str, Any] = ...,
        output: Mapping[str, Any] = ...,
        state_changes: Mapping[str, Any] = ...,
    ) -> Self: ...
    @property
    def outcome(self) -> str:
        """How it ended."""
    @property
    def resolved_input(self) -> dict[str, Any]:
        """The payload."""
    @property
    def output(self) -> dict[str, Any]:
        """What it returned."""
    @property
    def state_changes(self) -> dict[str, Any]:
        """What it changed in the state, by path."""

@final
class InterruptRequest(Document):
    """A question that waits for an answer."""

    def __new__(
        cls,
        *,
        id: str,
        frame_id: str,
        node_id: str,
        kind: str,
        payload: Mapping[str, Any] = ...,
        resumable: bool = True,
        route: InterruptRoute | Mapping[str, Any] | None = None,
        outcomes: Sequence[str] = ...,
        request_schema: Mapping[str, Any] = ...,
        resume_schema: Mapping[str, Any] = ...,
        typed: bool = False,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id, unique within the run."""
    @property
    def frame_id(self) -> str:
        """The frame that asks; for a question of a child workflow, the frame of the outermost subgraph step."""
    @property
    def node_id(self) -> str:
        """The step; for a question of a child workflow, the outermost subgraph step."""
    @property
    def kind(self) -> str:
        """What kind of answer is wanted."""
    @property
    def payload(self) -> dict[str, Any]:
        """The question."""
    @property
    def resumable(self) -> bool:
        """Whether it can be answered."""
    @property
    def route(self) -> InterruptRoute | None:
        """The way to the frame that really asks; `None` when it is in the root scope."""
    @property
    def outcomes(self) -> list[str]:
        """The outcomes an answer may choose."""
    @property
    def request_schema(self) -> dict[str, Any]:
        """The schema the question met."""
    @property
    def resume_schema(self) -> dict[str, Any]:
        """The schema the answer has to meet."""
    @property
    def typed(self) -> bool:
        """Whether the author gave a schema."""

@final
class InterruptRoute(Document):
    """Where a question of a child workflow comes from."""

    def __new__(
        cls,
        *,
        frame_id: str,
        node_id: str,
        scope_id: str,
        lineage_id: str,
        parent_frame_id: str,
        workflow_ref: WorkflowRef | Mapping[str, Any] | None,
        steps: Sequence[str] = ...,
    ) -> Self: ...
    @property
    def frame_id(self) -> str:
        """The frame that asks."""
    @property
    def node_id(self) -> str:
        """The interrupt step."""
    @property
    def scope_id(self) -> str:
        """Its scope."""
    @property
    def lineage_id(self) -> str:
        """Its lineage."""
    @property
    def parent_frame_id(self) -> str:
        """The frame of the subgraph step around it."""
    @property
    def workflow_ref(self) -> WorkflowRef | None:
        """The workflow that asks."""
    @property
    def steps(self) -> list[str]:
        """The subgraph steps from the root down, and the interrupt step."""

@final
class RunState(Document):
    """A run, standing still. Executing and resuming give a new one and change none."""

    def __new__(
        cls,
        *,
        workflow_name: str,
        status: str,
        workflow_input: Mapping[str, Any],
        state: Mapping[str, Any],
        outcome: str | None = None,
        output: Mapping[str, Any] = ...,
        trace: Sequence[TraceEntry | Mapping[str, Any]] = ...,
        frames: Mapping[str, ExecutionFrame | Mapping[str, Any]] = ...,
        scopes: Mapping[str, RuntimeScope | Mapping[str, Any]] = ...,
        lineages: Mapping[str, LineageState | Mapping[str, Any]] = ...,
        ready_frame_ids: Sequence[str] = ...,
        current_frame_id: str | None = None,
        current_node_id: str | None = None,
        prior_outcome: str | None = None,
        activated_incoming_edge: str | None = None,
        error: str | None = None,
        interrupt: InterruptRequest | Mapping[str, Any] | None = None,
        failure: Mapping[str, Any] | None = None,
        run_id: str | None = None,
        plan_hash: str | None = None,
        started_at: float | None = None,
        finished_at: float | None = None,
    ) -> Self: ...
    @property
    def workflow_name(self) -> str:
        """The name of the workflow."""
    @property
    def status(self) -> RunStatus:
        """What the run is doing."""
    @property
    def workflow_input(self) -> dict[str, Any]:
        """The input of the workflow; a fresh dict."""
    @property
    def state(self) -> dict[str, Any]:
        """The committed state; a fresh dict."""
    @property
    def outcome(self) -> str | None:
        """How the workflow ended."""
    @property
    def output(self) -> dict[str, Any]:
        """What the workflow gave; a fresh dict."""
    @property
    def trace(self) -> list[TraceEntry]:
        """What was executed, in order; the entries are made at every access."""
    @property
    def frames(self) -> dict[str, ExecutionFrame]:
        """The frames by id, in order of creation."""
    @property
    def scopes(self) -> dict[str, RuntimeScope]:
        """The scopes by id."""
    @property
    def lineages(self) -> dict[str, LineageState]:
        """The lineages by id."""
    @property
    def ready_frame_ids(self) -> list[str]:
        """The frames whose turn comes next."""
    @property
    def current_frame_id(self) -> str | None:
        """The frame that the run stands at."""
    @property
    def current_node_id(self) -> str | None:
        """The step that the run stands at."""
    @property
    def prior_outcome(self) -> str | None:
        """The outcome of the step before."""
    @property
    def activated_incoming_edge(self) -> str | None:
        """The id of the step before."""
    @property
    def error(self) -> RunFailure | None:
        """Why the run failed, or why it was cancelled: the message, with the rest as attributes."""
    @property
    def interrupt(self) -> InterruptRequest | None:
        """The question that waits for an answer."""
    @property
    def run_id(self) -> str | None:
        """The run's id."""
    @property
    def plan_hash(self) -> str | None:
        """The hash of the plan it runs by."""
    @property
    def started_at(self) -> float | None:
        """When it started, in seconds since the epoch."""
    @property
    def finished_at(self) -> float | None:
        """When it completed, failed or was cancelled, in seconds since the epoch."""
    def current_frame(self) -> ExecutionFrame:
        """Return the frame that the run stands at.

        Raises:
            ValueError: There is none.
        """
    def to_dict(self) -> dict[str, Any]:
        """Return the run as plain data."""
    def cancel(self, reason: str = "cancelled") -> RunState:
        """Return the same run, stopped for good.

        Raises:
            RunEventError: The run has finished already.
        """

@final
class RuntimeContext:
    """What a handler learns about its call besides the payload.

    Example:
        >>> RuntimeContext("node", platform="anything").platform
        'anything'
    """

    def __new__(
        cls,
        current_node_id: str,
        frame_id: str = "root",
        scope_id: str = "root",
        lineage_id: str = "root",
        parent_lineage_id: str | None = None,
        retry_count: int = 0,
        prior_outcome: str | None = None,
        activated_incoming_edge: str | None = None,
        metadata: dict[str, Any] | None = None,
        platform: Any = None,
        *,
        run_id: str | None = None,
        call_id: str | None = None,
    ) -> Self: ...
    @property
    def current_node_id(self) -> str:
        """The id of the step."""
    @property
    def frame_id(self) -> str:
        """The frame's id, such as `root:each:1`."""
    @property
    def scope_id(self) -> str:
        """The scope's id."""
    @property
    def lineage_id(self) -> str:
        """The lineage's id."""
    @property
    def parent_lineage_id(self) -> str | None:
        """The id of the lineage around it; `None` for the root lineage of a scope."""
    @property
    def retry_count(self) -> int:
        """How many attempts failed before this one."""
    @property
    def attempt(self) -> int:
        """Which attempt this is, from 1."""
    @property
    def prior_outcome(self) -> str | None:
        """The outcome of the frame's step before; `None` at its first one."""
    @property
    def activated_incoming_edge(self) -> str | None:
        """The id of the frame's step before."""
    @property
    def metadata(self) -> dict[str, Any]:
        """What the frame knows about its loop or branch; a fresh dict."""
    @property
    def platform(self) -> Any:
        """The very object that the caller of the run passed as `platform`."""
    @property
    def run_id(self) -> str | None:
        """The run's id; `None` without a run."""
    @property
    def call_id(self) -> str | None:
        """The call's id: the same whenever this call is repeated after a crash. `None` without a run."""
    def __reduce__(self) -> Any: ...

@final
class Item:
    """A call that somebody has to await; the pump hands these out."""

    @property
    def call(self) -> int:
        """The call's number within its run."""
    @property
    def awaitable(self) -> Awaitable[Any]:
        """What to await; `None` for a pause or a commit."""
    @property
    def timeout(self) -> float | None:
        """The seconds within which it has to be done."""
    @property
    def is_pause(self) -> bool:
        """Whether there is nothing to await, and the loop is to have a turn."""
    @property
    def is_commit(self) -> bool:
        """Whether the journal is to be committed before the run goes on."""
    def close(self) -> None:
        """Give the awaitable up without awaiting it."""

@final
class Pump:
    """Drives one run as far as it goes without waiting."""

    @property
    def stopped(self) -> bool:
        """Whether the run stands still until somebody resumes it."""
    def attend(self, crew: Any) -> None:
        """Take the crew that awaits items."""
    def leave(self) -> None:
        """Let the crew go."""
    def proceed(self, *, inline: bool) -> Item | None:
        """Go on, and give an item to await."""
    def returned(self, item: Item, answer: Any) -> Item | None:
        """Take what an item's awaitable gave, go on, and give another item."""
    def raised(self, item: Item, error: BaseException) -> Item | None:
        """Take what an item's awaitable raised, go on, and give another item."""
    def timed_out(self, item: Item) -> Item | None:
        """Take that an item was not done in time, go on, and give another item."""
    def commit(self) -> None:
        """Commit the journal and wait until it is; for whoever got the item that asks for it."""
    def tick(self) -> None:
        """Look at the clock, and go on with what is due."""
    def finish(self, *, strict: bool) -> RunState:
        """End the pump and give the run; `strict` raises what made it fail."""

@final
class Run:
    """One execution of a workflow, as a machine that calls nothing itself.

    `poll` says what to do next; every other method reports what has happened. Times are seconds since the epoch, and
    the clock's when they are left out.
    """

    @staticmethod
    def start(
        workflow: Workflow,
        workflow_input: Mapping[str, Any],
        *,
        reducers: Mapping[str, ReducerDefinition] | None = None,
        subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
        run_id: str | None = None,
        max_steps: int | None = 1_000_000,
        deadline_seconds: float | None = None,
        seed: int | None = None,
        now: float | None = None,
    ) -> Run:
        """Start a run. An input that does not meet its schema gives a failed run.

        Raises:
            WorkflowValidationError: The document's structure is wrong.
            JsonValueError: The input is no JSON.
        """
    @staticmethod
    def from_state(
        workflow: Workflow,
        state: RunState,
        *,
        reducers: Mapping[str, ReducerDefinition] | None = None,
        subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    ) -> Run:
        """Go on with a run that stands still, or that was saved in the middle; calls in flight are asked for again."""
    @staticmethod
    def restore(
        workflow: Workflow,
        snapshot: Mapping[str, Any],
        *,
        reducers: Mapping[str, ReducerDefinition] | None = None,
        subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    ) -> Run:
        """Go on with a run from a snapshot; calls in flight are asked for again, under the same numbers.

        Raises:
            SnapshotError: The snapshot is damaged.
            WorkflowExecutionError: It is of a run over another workflow; the text says what has changed.
        """
    def snapshot(self) -> dict[str, Any]:
        """Return the whole run as plain data, for `restore`."""
    def poll(self) -> Call | Reduce | CancelCall | Idle | Stopped:
        """Return what to do next.

        A `Call`, a `Reduce` or a `CancelCall` is handed out once. The others say how the run stands, and are given
        again until something is reported.
        """
    def resolve(self, call: int, result: Any, *, now: float | None = None) -> None:
        """Report what a handler returned; what is no result fails the call like an exception."""
    def fail(self, call: int, error: BaseException, *, now: float | None = None) -> None:
        """Report what a handler raised."""
    def time_out(self, call: int, *, now: float | None = None) -> None:
        """Report that a handler took too long."""
    def resolve_reduce(self, reduce: int, merged: list[Any], *, now: float | None = None) -> None:
        """Report the merged values, one per fold; an exception in a value's place says that its reducer raised."""
    def resume(
        self,
        payload: Mapping[str, Any],
        outcome: str = "submitted",
        *,
        interrupt_id: str | None = None,
        now: float | None = None,
    ) -> None:
        """Answer the interrupt."""
    def retry(self, *, now: float | None = None) -> None:
        """Try a failed run again from where it failed."""
    def cancel(self, reason: str = "cancelled", *, now: float | None = None) -> None:
        """Stop the run for good."""
    def tick(self, *, now: float | None = None) -> None:
        """Tell the time: due retries start, a missed deadline fails the run."""
    @property
    def status(self) -> RunStatus:
        """What the run is doing."""
    @property
    def run_id(self) -> str:
        """The run's id."""
    def state(self) -> RunState:
        """Return the run as it stands now; it does not change when the run goes on."""

@final
class Call:
    """A handler to call; answer it with `Run.resolve`, `Run.fail` or `Run.time_out`."""

    @property
    def id(self) -> int:
        """The call's number within its run."""
    @property
    def node(self) -> str:
        """The name of the node, by which its handler is found."""
    @property
    def step(self) -> str:
        """The step that calls."""
    @property
    def workflow_ref(self) -> str | None:
        """The display of the child workflow's reference; `None` for the root workflow."""
    @property
    def payload(self) -> dict[str, Any]:
        """The payload; a fresh dict."""
    @property
    def attempt(self) -> int:
        """Which attempt this is, from 1."""
    @property
    def timeout_seconds(self) -> float | None:
        """The seconds within which it has to be done."""
    def context(self, platform: Any = None) -> RuntimeContext:
        """Return the context for the handler."""

@final
class Reduce:
    """Values to merge by custom reducers; answer it with `Run.resolve_reduce`."""

    @property
    def id(self) -> int:
        """The merge's number within its run."""
    @property
    def workflow_ref(self) -> str | None:
        """The display of the child workflow's reference; `None` for the root workflow."""
    @property
    def folds(self) -> list[dict[str, Any]]:
        """What to merge: one dict per place with `reducer`, `config`, `path`, `current` and `incoming` (a list)."""

@final
class CancelCall:
    """Stop a call that was handed out: nobody waits for it any more."""

    @property
    def id(self) -> int:
        """The call's number within its run."""

@final
class Idle:
    """Nothing new is to be done until something in flight is answered, or until `next_timer`."""

    @property
    def in_flight(self) -> int:
        """How many calls and merges are in flight; 0 means that only the time is waited for."""
    @property
    def next_timer(self) -> float | None:
        """When to send a tick, in seconds since the epoch; `None` means never."""

@final
class Stopped:
    """The run stands still: completed, failed, interrupted or cancelled."""

    @property
    def status(self) -> RunStatus:
        """How it stands."""

def parse_toml_path_segments(raw: str, /) -> tuple[str, ...]:
    """Split a TOML key into its segments.

    Raises:
        PathResolutionError: The text is no TOML key.
    """

def format_toml_path_segments(segments: Sequence[str], /) -> str:
    """Write segments as a TOML key, quoting where needed.

    Raises:
        PathResolutionError: There are no segments.
    """

def validate_strict_json_value(value: Any, /) -> Any:
    """Check that a value is JSON and return a copy of it.

    Raises:
        JsonValueError: It is none; says where and of which type.
    """

def eval_condition(
    condition: Any,
    state: Mapping[str, Any],
    workflow_input: Mapping[str, Any],
    prior_outcome: str | None = None,
) -> bool:
    """Decide a condition; its context holds the prior outcome only.

    Raises:
        WorkflowExecutionError: A path holds nothing, or two values cannot be ordered.
    """

def builtin_reducer_specs() -> list[ReducerSpec]:
    """Return the contracts of the built-in reducers."""

def merge_builtin(name: str, current: Any, incoming: Any, /) -> Any:
    """Merge two values by a built-in reducer.

    Raises:
        TypeError: The reducer cannot merge them.
    """

def check_payload(schema: Mapping[str, Any], payload: Any, label: str, /) -> None:
    """Check a value against a JSON Schema; the label begins the message.

    Raises:
        WorkflowExecutionError: The value does not meet the schema, or the schema is none.
    """

def validation_issues(
    workflow: Workflow,
    reducers: Mapping[str, ReducerDefinition] | None,
    subgraphs: Mapping[str, PreparedSubgraph[Any] | Workflow] | None,
    /,
) -> list[tuple[str, str, str, str, str | None]]:
    """Return everything that is wrong with a workflow: code, path, message, severity and hint of each issue."""

def validation_issue_codes() -> list[str]:
    """Return every code that an issue can have."""

def coerce_node_result(raw_result: Any, /) -> NodeResult:
    """Read what a handler returned.

    A `NodeResult` is taken as it is. A dict with both `outcome` and `output` says the same in plain data. Any other
    dict is the output, with the outcome `ok`.

    Raises:
        NodeResultError: It is no dict.
        JsonValueError: A value in it is no JSON.
    """

@final
class PersistedRunState(Document):
    """A run as plain data: what readers see under `state`, and what the machine needs to go on."""

    def __new__(
        cls,
        *,
        version: int = 1,
        state: Mapping[str, Any],
        plan: Mapping[str, Any] | None = None,
        run: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def version(self) -> int:
        """The version: 2, or 1 for runs of the predecessor."""
    @property
    def state(self) -> dict[str, Any]:
        """The run as a record."""
    @property
    def plan(self) -> dict[str, Any] | None:
        """What the plan was, so that a changed workflow is noticed."""
    @property
    def run(self) -> dict[str, Any] | None:
        """What the machine needs to go on."""

def dump_run_state(run: RunState, /) -> dict[str, Any]:
    """Return a run as plain data that `load_run_state` takes.

    Example:
        >>> from wf_core import RunState, dump_run_state
        >>> run = RunState(workflow_name="demo", status="pending", workflow_input={}, state={})
        >>> dump_run_state(run)["state"]["workflow_name"]
        'demo'
    """

def load_run_state(payload: Mapping[str, Any] | PersistedRunState, /) -> RunState:
    """Return the run of the plain data that `dump_run_state` gave, or of the predecessor's.

    Raises:
        DocumentError: The envelope is none.
        SnapshotError: The record in it is none.
    """

def execute_workflow(
    workflow: Workflow,
    workflow_input: Mapping[str, Any],
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
    run_id: str | None = None,
    max_steps: int | None = 1_000_000,
    deadline_seconds: float | None = None,
    seed: int | None = None,
) -> RunState:
    """Run a workflow.

    Handlers that are coroutine functions run on a private event loop.

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

    Example:
        >>> from wf_core import Workflow, execute_workflow
        >>> join = Workflow.model_validate(
        ...     {
        ...         "name": "join",
        ...         "input_schema": {},
        ...         "state_schema": {},
        ...         "output_schema": {},
        ...         "start": "meet",
        ...         "nodes": [{"id": "meet", "type": "join"}],
        ...         "edges": [{"from": "meet", "outcome": "done", "to": "__end__"}],
        ...     }
        ... )
        >>> execute_workflow(join, {}, {}).outcome
        'ok'
    """

def execute_workflow_result(
    workflow: Workflow,
    workflow_input: Mapping[str, Any],
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
    run_id: str | None = None,
    max_steps: int | None = 1_000_000,
    deadline_seconds: float | None = None,
    seed: int | None = None,
) -> RunState:
    """Like `execute_workflow`, but give a failed run instead of raising.

    Returns:
        The run, whatever has become of it; `run.error` says why it failed.
    """

def resume_workflow(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    resume_payload: Mapping[str, Any] | None = None,
    resume_outcome: str = "submitted",
    interrupt_id: str | None = None,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
) -> RunState:
    """Answer an interrupt, or try a failed run again.

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

def resume_workflow_result(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    resume_payload: Mapping[str, Any] | None = None,
    resume_outcome: str = "submitted",
    interrupt_id: str | None = None,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
) -> RunState:
    """Like `resume_workflow`, but give a failed run instead of raising.

    Raises:
        RunEventError: The answer does not fit; the run can still be resumed.
    """

def step_workflow(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    index: object | None = None,
    reducers: Mapping[str, ReducerDefinition] | None = None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None = None,
    platform: object | None = None,
) -> RunState:
    """Take one step of a run: a node with everything it calls, a condition, one turn of a loop, an end.

    Returns:
        The run after the step; the run itself when there was nothing to do.
    """

def create_run(workflow: Workflow, workflow_input: Mapping[str, Any], /) -> RunState:
    """Return a run that has begun and stands before its first step.

    Raises:
        WorkflowValidationError: The document's structure is wrong.
    """

def start_pump(
    workflow: Workflow,
    workflow_input: Mapping[str, Any],
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    reducers: Mapping[str, ReducerDefinition] | None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None,
    platform: object | None,
    run_id: str | None,
    max_steps: int | None,
    deadline_seconds: float | None,
    seed: int | None,
) -> Pump:
    """Make the pump of a new run for the asyncio driver."""

def resume_pump(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    resume_payload: Mapping[str, Any] | None,
    resume_outcome: str,
    interrupt_id: str | None,
    reducers: Mapping[str, ReducerDefinition] | None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None,
    platform: object | None,
) -> Pump | None:
    """Make the pump of a run that goes on, for the asyncio driver; `None` when there is nothing to do."""

def step_pump(
    workflow: Workflow,
    run: RunState,
    registry: Mapping[str, Callable[[dict[str, Any], RuntimeContext], Any]],
    *,
    reducers: Mapping[str, ReducerDefinition] | None,
    subgraphs: Mapping[str, PreparedSubgraph[Any]] | None,
    platform: object | None,
) -> Pump | None:
    """Make the pump of a single step, for the asyncio driver; `None` when there is nothing to do."""
