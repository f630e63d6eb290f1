"""Sources, their registry, artifacts and deployments: the native half of `wf_platform`.

Public names are exported by `wf_platform` and its submodules; nothing else should import from here.
"""

# ruff: noqa: A002 - documents have fields named `id` and `kind`

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, Self, TypeAlias, TypeVar, final, overload

from _wf._native.core import CapabilityRef, Document, SchemaRef, SourceRef, WorkflowRef
from wf_platform.artifacts import ArtifactKind, CapabilityKind
from wf_platform.deployments import DiagnosticSeverity, DriftPolicy
from wf_platform.guidance import (
    MissingDecisionKind,
    NextActionTool,
    OutcomeCandidateKind,
    WrapperHintConfidence,
    WrapperOutcomePolicy,
)
from wf_platform.sources import SourceKind

__all__ = [
    "SOURCE_PREVIEW_LIMIT",
    "AvailableCapability",
    "AvailableSource",
    "CapabilityBuckets",
    "CapabilitySource",
    "DependencyDiagnostic",
    "DocumentationPrompt",
    "DocumentationResource",
    "MissingDecision",
    "NextActionPatchExample",
    "NextActions",
    "NodeSpecInventory",
    "OutcomeCandidate",
    "ReducerInventory",
    "RequiredCapability",
    "SourceBinding",
    "SourceCapabilityHasMore",
    "SourceCapabilityInventory",
    "SourceCapabilityPreview",
    "SourceChange",
    "SourceInventory",
    "SourceOverrides",
    "SourcePage",
    "SourcePermissions",
    "SourcePolicy",
    "SourceRegistry",
    "SourceResourceRef",
    "SourceSnapshot",
    "SourceStatus",
    "SourceSubscription",
    "SourceVisibility",
    "WorkflowArtifact",
    "WorkflowArtifactCatalogEntry",
    "WorkflowCapabilityRef",
    "WorkflowDeployment",
    "WrapperAuthoringHints",
    "artifact_catalog_entry",
    "artifact_node_name",
    "available_source",
    "build_documentation_source",
    "create_workflow_artifact_from_plan",
    "hash_contract_schema",
    "hash_json_schema",
    "is_reserved_source_id",
    "is_runnable",
    "logical_ref_for_concrete_ref",
    "matches_query",
    "normalize_plan_node_refs",
    "page_range",
    "unused_binding_diagnostics",
    "validate_deployment_dependencies",
    "validate_source_id",
    "validate_stored_id",
    "workflow_capability_ref_from_workflow_ref",
    "workflow_output_schema_for_authoring",
    "workflow_ref_from_artifact",
    "workflow_ref_from_capability",
    "wrapper_hints_for_capability",
]

_Default = TypeVar("_Default")
_Surface: TypeAlias = Literal["planner", "client", "admin"]
_Sources: TypeAlias = (
    SourceRegistry
    | SourceSnapshot
    | Mapping[str, AvailableSource | CapabilitySource]
    | Iterable[AvailableSource | CapabilitySource]
)
_Bindings: TypeAlias = Mapping[str, Any] | Iterable[SourceBinding]

SOURCE_PREVIEW_LIMIT: Final[int]

@final
class AvailableCapability(Document):
    """A capability that can be bound."""

    def __new__(
        cls,
        *,
        name: str,
        kind: CapabilityKind | str,
        input_schema_hash: str | None = ...,
        output_schema_hash: str | None = ...,
        input_schema: Mapping[str, Any] | None = ...,
        output_schema: Mapping[str, Any] | None = ...,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Its name within the source."""
    @property
    def kind(self) -> CapabilityKind:
        """What kind it is."""
    @property
    def input_schema_hash(self) -> str | None:
        """The hash of what its input schema promises."""
    @property
    def output_schema_hash(self) -> str | None:
        """The hash of what its output schema promises."""
    @property
    def input_schema(self) -> dict[str, Any] | None:
        """Its input schema, for a closer look."""
    @property
    def output_schema(self) -> dict[str, Any] | None:
        """Its output schema, for a closer look."""

@final
class AvailableSource(Document):
    """A source that can be bound."""

    def __new__(
        cls,
        *,
        id: str,
        enabled: bool = ...,
        platform: bool = ...,
        capabilities: Mapping[str, AvailableCapability | Mapping[str, Any]] = ...,
        binding_required: bool | None = ...,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def enabled(self) -> bool:
        """Whether it is enabled."""
    @property
    def platform(self) -> bool:
        """Whether it is a source of the platform."""
    @property
    def capabilities(self) -> dict[str, AvailableCapability]:
        """What it owns, by name within the source."""
    @property
    def binding_required(self) -> bool | None:
        """Whether a deployment must bind it; null means: unless it is a source of the platform."""

@final
class DependencyDiagnostic(Document):
    """One thing that is wrong between an artifact, its deployment and the sources."""

    def __new__(
        cls,
        *,
        severity: DiagnosticSeverity | str,
        code: str,
        logical_ref: str,
        message: str,
        bound_source: str | None = ...,
        repair_hint: str | None = ...,
    ) -> Self: ...
    @property
    def severity(self) -> DiagnosticSeverity:
        """How bad it is."""
    @property
    def code(self) -> str:
        """The stable code."""
    @property
    def logical_ref(self) -> str:
        """What it is about: a logical source, or a capability of one."""
    @property
    def bound_source(self) -> str | None:
        """The concrete source, if there is one."""
    @property
    def message(self) -> str:
        """What is wrong."""
    @property
    def repair_hint(self) -> str | None:
        """What to do about it."""

@final
class DocumentationPrompt(Document):
    """A guide."""

    def __new__(cls, name: str, title: str, description: str, text: str) -> Self: ...
    @property
    def name(self) -> str:
        """Its qualified name, for example `wf.docs.operator_guide`."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def description(self) -> str:
        """What it is for."""
    @property
    def text(self) -> str:
        """The text."""

@final
class DocumentationResource(Document):
    """A manual."""

    def __new__(cls, name: str, uri: str, title: str, description: str, mime_type: str, text: str) -> Self: ...
    @property
    def name(self) -> str:
        """Its qualified name, for example `wf.docs.operator_manual`."""
    @property
    def uri(self) -> str:
        """Where it is read, for example `wf://docs/operator-manual`."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def description(self) -> str:
        """What it explains."""
    @property
    def mime_type(self) -> str:
        """Its media type."""
    @property
    def text(self) -> str:
        """The text."""

@final
class MissingDecision(Document):
    """Something the author has to decide."""

    def __new__(cls, *, kind: MissingDecisionKind | str, message: str, path: str | None = ...) -> Self: ...
    @property
    def kind(self) -> MissingDecisionKind:
        """What."""
    @property
    def path(self) -> str | None:
        """About which field, as `output.<name>`."""
    @property
    def message(self) -> str:
        """The question."""

@final
class NextActionPatchExample(Document):
    """A request that could come next."""

    def __new__(cls, *, description: str, tool: NextActionTool | str, request: Mapping[str, Any]) -> Self: ...
    @property
    def description(self) -> str:
        """What it does."""
    @property
    def tool(self) -> NextActionTool:
        """The tool."""
    @property
    def request(self) -> dict[str, Any]:
        """Its arguments."""

@final
class NextActions(Document):
    """What to do next."""

    def __new__(
        cls,
        *,
        can_continue: bool,
        reason: str,
        can_save_now: bool | None = ...,
        recommended_next_tool: NextActionTool | str | None = ...,
        patch_examples: Sequence[NextActionPatchExample | Mapping[str, Any]] = ...,
        warnings: Sequence[str] = ...,
    ) -> Self: ...
    @property
    def can_continue(self) -> bool:
        """Whether there is anything to do."""
    @property
    def can_save_now(self) -> bool | None:
        """Whether the draft can be saved as it is; null when there is no draft."""
    @property
    def recommended_next_tool(self) -> NextActionTool | None:
        """The tool to use."""
    @property
    def reason(self) -> str:
        """Why."""
    @property
    def patch_examples(self) -> list[NextActionPatchExample]:
        """Requests to start from."""
    @property
    def warnings(self) -> list[str]:
        """What to keep in mind."""
    @staticmethod
    def from_wrapper_hints(
        *, workspace_id: str, revision: int, hints: WrapperAuthoringHints | Mapping[str, Any]
    ) -> NextActions:
        """Return what to do after a draft was made from a capability's hints."""
    @staticmethod
    def from_deployment_validation(
        *, deployment_id: str, diagnostics: Iterable[DependencyDiagnostic | Mapping[str, Any]]
    ) -> NextActions:
        """Return what to do after a deployment was validated; only errors keep it from running."""
    @staticmethod
    def from_run_result(
        *,
        run_id: str | None,
        status: str,
        trace_count: int,
        diagnostics: Iterable[DependencyDiagnostic | Mapping[str, Any]],
    ) -> NextActions:
        """Return what to do after a run stopped."""

@final
class NodeSpecInventory(Document):
    """The contract of a node spec, without what executes it."""

    def __new__(
        cls,
        *,
        name: str,
        outcomes: Sequence[str],
        input_schema: SchemaRef | Mapping[str, Any],
        output_schema: SchemaRef | Mapping[str, Any],
        is_async: bool,
        accepts_context: bool,
        description: str | None = ...,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Its qualified name."""
    @property
    def description(self) -> str | None:
        """What it does."""
    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes it may answer."""
    @property
    def input_schema(self) -> SchemaRef:
        """The schema of its payload, in canonical form."""
    @property
    def output_schema(self) -> SchemaRef:
        """The schema of its output, in canonical form."""
    @property
    def is_async(self) -> bool:
        """Whether its handler is asynchronous."""
    @property
    def accepts_context(self) -> bool:
        """Whether its handler wants the run's context."""

@final
class OutcomeCandidate(Document):
    """A field that may be worth an outcome; never applied without the author."""

    def __new__(
        cls,
        *,
        kind: OutcomeCandidateKind | str,
        source: str,
        candidate_outcomes: Sequence[str],
        confidence: WrapperHintConfidence | str,
        reason: str,
        automatic: bool = ...,
    ) -> Self: ...
    @property
    def kind(self) -> OutcomeCandidateKind:
        """What makes it a candidate."""
    @property
    def source(self) -> str:
        """The field, as `output.<name>`."""
    @property
    def candidate_outcomes(self) -> list[str]:
        """The outcomes for true and for false."""
    @property
    def confidence(self) -> WrapperHintConfidence:
        """How sure the guess is."""
    @property
    def reason(self) -> str:
        """Why it was guessed."""
    @property
    def automatic(self) -> bool:
        """Whether it is applied without asking; never."""

@final
class ReducerInventory(Document):
    """The contract of a reducer, without what executes it."""

    def __new__(
        cls,
        *,
        name: str,
        ref: CapabilityRef | str | Mapping[str, Any],
        config_schema: Mapping[str, Any],
        description: str | None = ...,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Its qualified name."""
    @property
    def ref(self) -> CapabilityRef:
        """The source that owns it, and its name there."""
    @property
    def description(self) -> str | None:
        """What it does."""
    @property
    def config_schema(self) -> dict[str, Any]:
        """The schema of its configuration."""

@final
class RequiredCapability(Document):
    """A capability that a workflow needs, as it was when the workflow was saved."""

    def __new__(
        cls,
        *,
        ref: CapabilityRef | str | Mapping[str, Any],
        kind: CapabilityKind | str,
        input_schema_hash: str | None = ...,
        input_schema_snapshot: Mapping[str, Any] | None = ...,
        output_schema_hash: str | None = ...,
        output_schema_snapshot: Mapping[str, Any] | None = ...,
        observed_concrete_source: str | None = ...,
        observed_at_epoch_ms: int | None = ...,
    ) -> Self: ...
    @property
    def ref(self) -> CapabilityRef:
        """The capability: its logical source and its name there."""
    @property
    def kind(self) -> CapabilityKind:
        """What kind it is."""
    @property
    def input_schema_hash(self) -> str | None:
        """The hash of what its input schema promised."""
    @property
    def input_schema_snapshot(self) -> dict[str, Any] | None:
        """Its input schema."""
    @property
    def output_schema_hash(self) -> str | None:
        """The hash of what its output schema promised."""
    @property
    def output_schema_snapshot(self) -> dict[str, Any] | None:
        """Its output schema."""
    @property
    def observed_concrete_source(self) -> str | None:
        """The concrete source that was looked at."""
    @property
    def observed_at_epoch_ms(self) -> int | None:
        """When, in milliseconds since the epoch."""
    @property
    def logical_source(self) -> str:
        """The logical source."""
    @property
    def capability_name(self) -> str:
        """The name within the source."""
    def capability_ref(self) -> CapabilityRef:
        """Return the capability as a reference."""

@final
class SourceBinding(Document):
    """What a logical source means."""

    def __new__(cls, *, logical_source: SourceRef | str, concrete_source: SourceRef | str) -> Self: ...
    @property
    def logical_source(self) -> str:
        """The name that the workflow uses."""
    @property
    def concrete_source(self) -> str:
        """The source it means."""
    def logical_ref(self) -> SourceRef:
        """Return the logical source as a reference."""
    def concrete_ref(self) -> SourceRef:
        """Return the concrete source as a reference."""

@final
class SourceCapabilityHasMore(Document):
    """Of which kinds a preview leaves names out."""

    def __new__(
        cls,
        *,
        tools: bool = ...,
        node_specs: bool = ...,
        reducers: bool = ...,
        prompts: bool = ...,
        resources: bool = ...,
    ) -> Self: ...
    @property
    def tools(self) -> bool:
        """Tools."""
    @property
    def node_specs(self) -> bool:
        """Node specs."""
    @property
    def reducers(self) -> bool:
        """Reducers."""
    @property
    def prompts(self) -> bool:
        """Prompts."""
    @property
    def resources(self) -> bool:
        """Resources."""

@final
class SourceCapabilityInventory(Document):
    """Everything a source owns, sorted by name."""

    def __new__(
        cls,
        *,
        tools: Sequence[str] = ...,
        node_specs: Sequence[str] = ...,
        node_spec_details: Sequence[NodeSpecInventory | Mapping[str, Any]] = ...,
        reducers: Sequence[str] = ...,
        reducer_details: Sequence[ReducerInventory | Mapping[str, Any]] = ...,
        prompts: Sequence[str] = ...,
        resources: Sequence[str] = ...,
    ) -> Self: ...
    @property
    def tools(self) -> tuple[str, ...]:
        """Names of tools."""
    @property
    def node_specs(self) -> tuple[str, ...]:
        """Names of node specs."""
    @property
    def node_spec_details(self) -> tuple[NodeSpecInventory, ...]:
        """Contracts of node specs."""
    @property
    def reducers(self) -> tuple[str, ...]:
        """Names of reducers."""
    @property
    def reducer_details(self) -> tuple[ReducerInventory, ...]:
        """Contracts of reducers."""
    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of prompts."""
    @property
    def resources(self) -> tuple[str, ...]:
        """Names of resources."""

@final
class SourceCapabilityPreview(Document):
    """The first names of each kind, sorted."""

    def __new__(
        cls,
        *,
        tools: Sequence[str] = ...,
        node_specs: Sequence[str] = ...,
        reducers: Sequence[str] = ...,
        prompts: Sequence[str] = ...,
        resources: Sequence[str] = ...,
    ) -> Self: ...
    @property
    def tools(self) -> tuple[str, ...]:
        """Tools."""
    @property
    def node_specs(self) -> tuple[str, ...]:
        """Node specs."""
    @property
    def reducers(self) -> tuple[str, ...]:
        """Reducers."""
    @property
    def prompts(self) -> tuple[str, ...]:
        """Prompts."""
    @property
    def resources(self) -> tuple[str, ...]:
        """Resources."""

@final
class SourceInventory(Document):
    """A source's status and everything it owns."""

    def __new__(
        cls,
        *,
        id: str,
        kind: SourceKind | str,
        enabled: bool,
        visibility: SourceVisibility | Mapping[str, Any],
        permissions: SourcePermissions | Mapping[str, Any],
        policy: SourcePolicy | Mapping[str, Any],
        description: str | None = ...,
        tool_count: int = ...,
        node_spec_count: int = ...,
        reducer_count: int = ...,
        prompt_count: int = ...,
        resource_count: int = ...,
        preview: SourceCapabilityPreview | Mapping[str, Any] = ...,
        has_more: SourceCapabilityHasMore | Mapping[str, Any] = ...,
        capabilities: SourceCapabilityInventory | Mapping[str, Any] = ...,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def kind(self) -> SourceKind:
        """Where it comes from."""
    @property
    def enabled(self) -> bool:
        """Whether it takes part at all."""
    @property
    def visibility(self) -> SourceVisibility:
        """Which surfaces show it."""
    @property
    def permissions(self) -> SourcePermissions:
        """What its capabilities may do."""
    @property
    def policy(self) -> SourcePolicy:
        """How deployments refer to it."""
    @property
    def description(self) -> str | None:
        """What it is."""
    @property
    def tool_count(self) -> int:
        """How many tools it owns."""
    @property
    def node_spec_count(self) -> int:
        """How many node specs it owns."""
    @property
    def reducer_count(self) -> int:
        """How many reducers it owns."""
    @property
    def prompt_count(self) -> int:
        """How many prompts it owns."""
    @property
    def resource_count(self) -> int:
        """How many resources it owns."""
    @property
    def preview(self) -> SourceCapabilityPreview:
        """The first names of each kind."""
    @property
    def has_more(self) -> SourceCapabilityHasMore:
        """Of which kinds the preview leaves names out."""
    @property
    def capabilities(self) -> SourceCapabilityInventory:
        """What it owns."""

@final
class SourceOverrides(Document):
    """What an operator decided about a source, apart from what its provider declares."""

    def __new__(
        cls,
        *,
        enabled: bool | None = ...,
        visibility: SourceVisibility | Mapping[str, Any] | None = ...,
        allow: Sequence[str] = ...,
        deny: Sequence[str] = ...,
        notes: str | None = ...,
    ) -> Self: ...
    @property
    def enabled(self) -> bool | None:
        """Enabled or disabled, whatever the provider says; null leaves it to the provider."""
    @property
    def visibility(self) -> SourceVisibility | None:
        """Shown where, whatever the provider says; null leaves it to the provider."""
    @property
    def allow(self) -> list[str]:
        """Patterns of local names that workflows may use although the source is not safe for workflows."""
    @property
    def deny(self) -> list[str]:
        """Patterns of local names that no planner and no client may see or call; stronger than `allow`."""
    @property
    def notes(self) -> str | None:
        """A remark for other operators."""

@final
class SourcePage(Document):
    """A page of statuses."""

    def __new__(
        cls, *, sources: Sequence[SourceStatus | Mapping[str, Any]], total: int, next_cursor: str | None = ...
    ) -> Self: ...
    @property
    def sources(self) -> list[SourceStatus]:
        """The statuses, sorted by id."""
    @property
    def next_cursor(self) -> str | None:
        """Where the next page starts, if there is one."""
    @property
    def total(self) -> int:
        """How many sources there are."""

@final
class SourcePermissions(Document):
    """What the capabilities of a source may do."""

    def __new__(
        cls,
        safe_for_workflow: bool = ...,
        calls_upstream: bool = ...,
        mutates_config: bool = ...,
        mutates_auth: bool = ...,
    ) -> Self: ...
    @property
    def safe_for_workflow(self) -> bool:
        """A workflow may use them without being allowed one by one."""
    @property
    def calls_upstream(self) -> bool:
        """They call something outside this process."""
    @property
    def mutates_config(self) -> bool:
        """They change configuration."""
    @property
    def mutates_auth(self) -> bool:
        """They change credentials."""

@final
class SourcePolicy(Document):
    """How deployments refer to a source."""

    def __new__(cls, platform: bool = ..., binding_required: bool = ...) -> Self: ...
    @property
    def platform(self) -> bool:
        """Whether it is a source of the platform, which no deployment binds elsewhere."""
    @property
    def binding_required(self) -> bool:
        """Whether a deployment must bind it; a source of the platform cannot require that."""

@final
class SourceResourceRef(Document):
    """A resource of a logical source, as inert data; only an explicit read fetches it."""

    def __new__(cls, *, logical_source: str, uri: str, mime_type: str | None = ..., name: str | None = ...) -> Self: ...
    @property
    def kind(self) -> Literal["source_resource_ref"]:
        """What it is."""
    @property
    def logical_source(self) -> str:
        """The logical source, as the workflow says it."""
    @property
    def uri(self) -> str:
        """Where the source keeps it."""
    @property
    def mime_type(self) -> str | None:
        """Its media type, if known."""
    @property
    def name(self) -> str | None:
        """A name for people."""

@final
class SourceStatus(Document):
    """What a source is, how many capabilities it owns, and the first few of their names."""

    def __new__(
        cls,
        *,
        id: str,
        kind: SourceKind | str,
        enabled: bool,
        visibility: SourceVisibility | Mapping[str, Any],
        permissions: SourcePermissions | Mapping[str, Any],
        policy: SourcePolicy | Mapping[str, Any],
        description: str | None = ...,
        tool_count: int = ...,
        node_spec_count: int = ...,
        reducer_count: int = ...,
        prompt_count: int = ...,
        resource_count: int = ...,
        preview: SourceCapabilityPreview | Mapping[str, Any] = ...,
        has_more: SourceCapabilityHasMore | Mapping[str, Any] = ...,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def kind(self) -> SourceKind:
        """Where it comes from."""
    @property
    def enabled(self) -> bool:
        """Whether it takes part at all."""
    @property
    def visibility(self) -> SourceVisibility:
        """Which surfaces show it."""
    @property
    def permissions(self) -> SourcePermissions:
        """What its capabilities may do."""
    @property
    def policy(self) -> SourcePolicy:
        """How deployments refer to it."""
    @property
    def description(self) -> str | None:
        """What it is."""
    @property
    def tool_count(self) -> int:
        """How many tools it owns."""
    @property
    def node_spec_count(self) -> int:
        """How many node specs it owns."""
    @property
    def reducer_count(self) -> int:
        """How many reducers it owns."""
    @property
    def prompt_count(self) -> int:
        """How many prompts it owns."""
    @property
    def resource_count(self) -> int:
        """How many resources it owns."""
    @property
    def preview(self) -> SourceCapabilityPreview:
        """The first names of each kind."""
    @property
    def has_more(self) -> SourceCapabilityHasMore:
        """Of which kinds the preview leaves names out."""

@final
class SourceVisibility(Document):
    """Which surfaces show a source."""

    def __new__(cls, planner: bool = ..., client: bool = ..., admin_dashboard: bool = ...) -> Self: ...
    @property
    def planner(self) -> bool:
        """Authors and models that plan workflows."""
    @property
    def client(self) -> bool:
        """Clients of the public MCP server (also spelt `mcp_client`)."""
    @property
    def admin_dashboard(self) -> bool:
        """The admin page."""

@final
class WorkflowArtifact(Document):
    """A saved workflow: immutable once saved under its id and version."""

    def __new__(
        cls,
        *,
        id: str,
        version: int,
        title: str,
        input_schema: Mapping[str, Any],
        output_schema: Mapping[str, Any],
        outcomes: Sequence[str],
        plan: Mapping[str, Any],
        kind: ArtifactKind | str = ...,
        description: str | None = ...,
        required_capabilities: Sequence[RequiredCapability | Mapping[str, Any]] = ...,
        workflow_dependencies: Mapping[str, int] = ...,
        created_from_catalog_version: Any = ...,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def version(self) -> int:
        """Its version, chosen by whoever saves it."""
    @property
    def title(self) -> str:
        """A title for people."""
    @property
    def kind(self) -> ArtifactKind:
        """What it is for."""
    @property
    def description(self) -> str | None:
        """What it does."""
    @property
    def input_schema(self) -> dict[str, Any]:
        """The schema of its input."""
    @property
    def output_schema(self) -> dict[str, Any]:
        """The schema of its output."""
    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes it may end with."""
    @property
    def plan(self) -> dict[str, Any]:
        """The workflow document without node contracts, over logical sources."""
    @property
    def required_capabilities(self) -> list[RequiredCapability]:
        """What it needs from its sources."""
    @property
    def workflow_dependencies(self) -> dict[str, int]:
        """The saved workflows it runs, by id, each with the highest version it uses."""
    @property
    def created_from_catalog_version(self) -> Any:
        """The version of the catalog it was made from, as its maker counts."""
    def required_capability_map(self) -> dict[str, RequiredCapability]:
        """Return the requirements by display ref."""

@final
class WorkflowArtifactCatalogEntry(Document):
    """An artifact as it appears in listings, without its plan."""

    def __new__(
        cls,
        *,
        name: str,
        artifact_id: str,
        version: int,
        kind: ArtifactKind | str,
        outcomes: Sequence[str],
        input_schema: Mapping[str, Any],
        output_schema: Mapping[str, Any],
        display_name: str | None = ...,
        description: str | None = ...,
        required_sources: Sequence[str] = ...,
        diagnostics: Sequence[DependencyDiagnostic | Mapping[str, Any]] = ...,
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Its name among capabilities."""
    @property
    def artifact_id(self) -> str:
        """Its id."""
    @property
    def version(self) -> int:
        """Its version."""
    @property
    def kind(self) -> ArtifactKind:
        """What it is for."""
    @property
    def display_name(self) -> str | None:
        """Its title."""
    @property
    def description(self) -> str | None:
        """What it does."""
    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes it may end with."""
    @property
    def input_schema(self) -> dict[str, Any]:
        """The schema of its input."""
    @property
    def output_schema(self) -> dict[str, Any]:
        """The schema of its output."""
    @property
    def required_sources(self) -> list[str]:
        """The logical sources it needs, sorted."""
    @property
    def diagnostics(self) -> list[DependencyDiagnostic]:
        """What is known to be wrong with it."""

@final
class WorkflowCapabilityRef(Document):
    """A saved workflow as a capability: `workflow.<id>.v<n>`."""

    def __new__(cls, artifact_id: str, version: int) -> Self: ...
    @property
    def artifact_id(self) -> str:
        """The artifact's id; may contain dots."""
    @property
    def version(self) -> int:
        """Its version."""
    @staticmethod
    def parse(raw: str, /) -> WorkflowCapabilityRef:
        """Read `workflow.<id>.v<n>`.

        Raises:
            PlatformRuleError: The text names no saved workflow.
        """

@final
class WorkflowDeployment(Document):
    """An artifact and what its logical sources mean."""

    def __new__(
        cls,
        *,
        id: str,
        artifact_id: str,
        artifact_version: int,
        bindings: Sequence[SourceBinding | Mapping[str, Any]] | Mapping[str, SourceRef | str] = ...,
        drift_policy: DriftPolicy | str = ...,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def artifact_id(self) -> str:
        """The artifact's id."""
    @property
    def artifact_version(self) -> int:
        """The artifact's version."""
    @property
    def bindings(self) -> list[SourceBinding]:
        """What the logical sources mean."""
    @property
    def drift_policy(self) -> DriftPolicy:
        """What happens when a contract has changed."""
    def binding_map(self) -> dict[str, str]:
        """Return what each logical source is bound to."""

@final
class WrapperAuthoringHints(Document):
    """How a capability is best wrapped."""

    def __new__(
        cls,
        *,
        capability_name: str,
        confidence: WrapperHintConfidence | str,
        declared_outcomes: Sequence[str],
        suggested_wrapper_outcomes: Sequence[str],
        outcome_policy: WrapperOutcomePolicy | str,
        input_schema: Mapping[str, Any],
        state_schema: Mapping[str, Any],
        output_schema: Mapping[str, Any],
        input_map: Mapping[str, str],
        output_map: Mapping[str, str],
        outcome_candidates: Sequence[OutcomeCandidate | Mapping[str, Any]],
        missing_decisions: Sequence[MissingDecision | Mapping[str, Any]],
        notes: Sequence[str],
    ) -> Self: ...
    @property
    def capability_name(self) -> str:
        """The capability."""
    @property
    def confidence(self) -> WrapperHintConfidence:
        """How far the hints can be followed as they are."""
    @property
    def declared_outcomes(self) -> list[str]:
        """The outcomes the capability declares."""
    @property
    def suggested_wrapper_outcomes(self) -> list[str]:
        """The outcomes the wrapper should have."""
    @property
    def outcome_policy(self) -> WrapperOutcomePolicy:
        """What happens to the outcomes."""
    @property
    def input_schema(self) -> dict[str, Any]:
        """The schema of the wrapper's input."""
    @property
    def state_schema(self) -> dict[str, Any]:
        """The schema of the wrapper's state."""
    @property
    def output_schema(self) -> dict[str, Any]:
        """The schema of the wrapper's output."""
    @property
    def input_map(self) -> dict[str, str]:
        """From the wrapper's input to the capability's."""
    @property
    def output_map(self) -> dict[str, str]:
        """From the capability's output to the wrapper's state."""
    @property
    def outcome_candidates(self) -> list[OutcomeCandidate]:
        """Fields that may be worth an outcome."""
    @property
    def missing_decisions(self) -> list[MissingDecision]:
        """What the author has to decide."""
    @property
    def notes(self) -> list[str]:
        """Remarks."""

@final
class CapabilityBuckets:
    """The objects of a source, by kind and qualified name.

    Plain dicts while they are being filled; once a source has taken them over they can only be read.
    """

    def __new__(
        cls,
        tools: Mapping[str, Any] | None = None,
        node_specs: Mapping[str, Any] | None = None,
        reducers: Mapping[str, Any] | None = None,
        reducer_definitions: Mapping[str, Any] | None = None,
        prompts: Mapping[str, Any] | None = None,
        resources: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def tools(self) -> dict[str, Any]:
        """What MCP clients may call."""
    @property
    def node_specs(self) -> dict[str, Any]:
        """What workflow steps may call."""
    @property
    def reducers(self) -> dict[str, Any]:
        """Merge rules for state fields."""
    @property
    def reducer_definitions(self) -> dict[str, Any]:
        """Merge rules together with what executes them."""
    @property
    def prompts(self) -> dict[str, Any]:
        """Texts offered to clients."""
    @property
    def resources(self) -> dict[str, Any]:
        """Content that can be read by URI."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class CapabilitySource:
    """A named owner of capabilities; immutable, `replace(…)` gives a changed copy.

    Example:
        >>> from wf_platform import CapabilitySource
        >>> CapabilitySource(id="drive.personal", kind="connection").as_status().tool_count
        0
    """

    def __new__(
        cls,
        id: str,
        kind: SourceKind,
        capabilities: CapabilityBuckets | None = None,
        enabled: bool = True,
        visibility: SourceVisibility | Mapping[str, Any] | None = None,
        permissions: SourcePermissions | Mapping[str, Any] | None = None,
        policy: SourcePolicy | Mapping[str, Any] | None = None,
        description: str | None = None,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """Its id."""
    @property
    def kind(self) -> SourceKind:
        """Where it comes from."""
    @property
    def enabled(self) -> bool:
        """Whether it takes part at all."""
    @property
    def description(self) -> str | None:
        """What it is."""
    @property
    def visibility(self) -> SourceVisibility:
        """Which surfaces show it."""
    @property
    def permissions(self) -> SourcePermissions:
        """What its capabilities may do."""
    @property
    def policy(self) -> SourcePolicy:
        """How deployments refer to it."""
    @property
    def capabilities(self) -> CapabilityBuckets:
        """What it owns."""
    def as_status(self) -> SourceStatus:
        """Return its status: flags, counts and a preview of names."""
    def as_inventory(self) -> SourceInventory:
        """Return its status and every contract; never an executable object."""
    def replace(self, **changes: Any) -> CapabilitySource:
        """Return a copy with some fields changed."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class SourceSnapshot:
    """The sources of a process at one moment; a mapping from id to source that never changes."""

    def __len__(self) -> int: ...
    def __contains__(self, id: object, /) -> bool: ...
    def __getitem__(self, id: str, /) -> CapabilitySource: ...
    def __iter__(self) -> Iterator[str]: ...
    @overload
    def get(self, id: str, default: None = None, /) -> CapabilitySource | None:
        """Return the source of that id, or the default."""
    @overload
    def get(self, id: str, default: _Default, /) -> CapabilitySource | _Default: ...
    def keys(self) -> list[str]:
        """Return all ids, sorted."""
    def values(self) -> list[CapabilitySource]:
        """Return all sources, sorted by id."""
    def items(self) -> list[tuple[str, CapabilitySource]]:
        """Return ids and sources, sorted by id."""
    @property
    def revision(self) -> int:
        """Counts the changes since the registry was made."""
    def owner(self, name: str, /) -> tuple[str, str] | None:
        """Return the id of the source that a qualified name belongs to, and the name within it.

        Of all sources whose id is a prefix, the one with the longest id owns the name, whether or not it has such a
        capability.
        """
    def shadowed(self, id: str, /) -> list[str]:
        """Return names that a source claims and nobody can reach, since a source with a longer id owns them."""
    def list_sources(self, *, cursor: str | None = None, limit: int = 50) -> SourcePage:
        """Return a page of statuses, sorted by id, disabled and hidden sources included.

        Raises:
            PlatformRuleError: The limit is below 1, or the cursor is not one of ours.
        """
    def inspect_source(self, source_id: str) -> SourceInventory:
        """Return the full inventory of one source.

        Raises:
            UnknownNameError: There is no such source; the hint names those that come close.
        """
    def overrides(self, id: str, /) -> SourceOverrides:
        """Return what the operator decided about a source, whether it is there or not."""
    def state(self, id: str, /, *, now: int) -> dict[str, Any]:
        """Return how a source is doing.

        Args:
            id: The source.
            now: The time, in milliseconds since the epoch.

        Returns:
            Its `state` (`ok`, `stale`, `failed`, `disabled` or `never_connected`), and `age_ms` and `error` where
            there are any.
        """
    def node_specs(self, surface: _Surface = "planner") -> dict[str, Any]:
        """Return the node specs that a surface shows, by name."""
    def reducers(self, surface: _Surface = "planner") -> dict[str, Any]:
        """Return the reducers that a surface shows, by name."""
    def tools(self, surface: _Surface = "client", *, admin_exposure: bool = False) -> dict[str, Any]:
        """Return the tools that a surface shows, by name."""
    def prompts(self, surface: _Surface = "client", *, admin_exposure: bool = False) -> dict[str, Any]:
        """Return the prompts that a surface shows, by name."""
    def resources(self, surface: _Surface = "client", *, admin_exposure: bool = False) -> dict[str, Any]:
        """Return the resources that a surface shows, by name."""
    def find_node_spec(self, name: str, surface: _Surface = "planner") -> Any:
        """Return the node spec of that name, if the surface shows it.

        Raises:
            UnknownNameError: Nobody owns the name.
            CapabilityRefusedError: The surface does not show it; the code says why.
        """
    def find_reducer(self, name: str, surface: _Surface = "planner") -> Any:
        """Return the reducer of that name, if the surface shows it; raises as `find_node_spec` does."""
    def find_tool(self, name: str, surface: _Surface = "client", *, admin_exposure: bool = False) -> Any:
        """Return the tool of that name, if the surface shows it; raises as `find_node_spec` does."""

@final
class SourceRegistry:
    """The sources of a process; a live mapping from id to source.

    Example:
        >>> from wf_platform import CapabilitySource, SourceRegistry
        >>> registry = SourceRegistry([CapabilitySource(id="local.ops", kind="python")])
        >>> registry.snapshot()["local.ops"].kind
        'python'
    """

    def __new__(cls, sources: Iterable[CapabilitySource] | None = None, /) -> Self: ...
    def snapshot(self) -> SourceSnapshot:
        """Return the sources as they are now."""
    def add(self, source: CapabilitySource, /) -> None:
        """Add a source under a new id.

        Raises:
            PlatformRuleError: The id is reserved, taken or too much like another, or a capability is not named
                under it.
        """
    def add_builtin(self, source: CapabilitySource, /) -> None:
        """Add a source of the platform: its kind is `system` and its id is under `wf.`.

        Raises:
            PlatformRuleError: The source has another id or kind, or as for `add`.
        """
    def replace(self, source: CapabilitySource, /) -> None:
        """Replace what is known of a source; what the operator decided stays.

        Raises:
            UnknownNameError: There is no source of that id.
        """
    def remove(self, id: str, /) -> None:
        """Remove a source; what the operator decided stays and applies again when it comes back.

        Raises:
            UnknownNameError: There is no source of that id.
        """
    def enable(self, id: str, /) -> None:
        """Enable a source, whatever its provider declares.

        Raises:
            UnknownNameError: There is no source of that id.
        """
    def disable(self, id: str, /) -> None:
        """Disable a source, whatever its provider declares.

        Raises:
            UnknownNameError: There is no source of that id.
            PlatformRuleError: It is the source through which sources are enabled.
        """
    def set_overrides(self, id: str, overrides: SourceOverrides | Mapping[str, Any], /) -> None:
        """Set what the operator decided about a source; one that is not there keeps it until it comes."""
    def note_ok(self, id: str, /) -> None:
        """Note that a source's capabilities are as they were read last."""
    def note_snapshot(self, id: str, /, *, fetched_at: int, max_age: int) -> None:
        """Note that a source's capabilities come from a snapshot; times are milliseconds."""
    def note_failure(self, id: str, error: str, /, *, at: int, fetched_at: int | None = None) -> None:
        """Note that the last contact with a source failed; times are milliseconds since the epoch."""
    def note_never_connected(self, id: str, /) -> None:
        """Note that a source was configured but never reached."""
    def subscribe(self, subscriber: Callable[[SourceChange], object], /) -> SourceSubscription:
        """Call `subscriber` after every change, in the order of the changes.

        What it raises is reported as unraisable and keeps nobody else from being told.
        """
    def __len__(self) -> int: ...
    def __contains__(self, id: object, /) -> bool: ...
    def __getitem__(self, id: str, /) -> CapabilitySource: ...
    def __iter__(self) -> Iterator[str]: ...
    @overload
    def get(self, id: str, default: None = None, /) -> CapabilitySource | None:
        """Return the source of that id, or the default."""
    @overload
    def get(self, id: str, default: _Default, /) -> CapabilitySource | _Default: ...
    def keys(self) -> list[str]:
        """Return all ids, sorted."""
    def values(self) -> list[CapabilitySource]:
        """Return all sources, sorted by id."""
    def items(self) -> list[tuple[str, CapabilitySource]]:
        """Return ids and sources, sorted by id."""
    @property
    def revision(self) -> int:
        """Counts the changes since the registry was made."""
    def owner(self, name: str, /) -> tuple[str, str] | None:
        """Return the id of the source that a qualified name belongs to, and the name within it.

        Of all sources whose id is a prefix, the one with the longest id owns the name, whether or not it has such a
        capability.
        """
    def shadowed(self, id: str, /) -> list[str]:
        """Return names that a source claims and nobody can reach, since a source with a longer id owns them."""
    def list_sources(self, *, cursor: str | None = None, limit: int = 50) -> SourcePage:
        """Return a page of statuses, sorted by id, disabled and hidden sources included.

        Raises:
            PlatformRuleError: The limit is below 1, or the cursor is not one of ours.
        """
    def inspect_source(self, source_id: str) -> SourceInventory:
        """Return the full inventory of one source.

        Raises:
            UnknownNameError: There is no such source; the hint names those that come close.
        """
    def overrides(self, id: str, /) -> SourceOverrides:
        """Return what the operator decided about a source, whether it is there or not."""
    def state(self, id: str, /, *, now: int) -> dict[str, Any]:
        """Return how a source is doing.

        Args:
            id: The source.
            now: The time, in milliseconds since the epoch.

        Returns:
            Its `state` (`ok`, `stale`, `failed`, `disabled` or `never_connected`), and `age_ms` and `error` where
            there are any.
        """
    def node_specs(self, surface: _Surface = "planner") -> dict[str, Any]:
        """Return the node specs that a surface shows, by name."""
    def reducers(self, surface: _Surface = "planner") -> dict[str, Any]:
        """Return the reducers that a surface shows, by name."""
    def tools(self, surface: _Surface = "client", *, admin_exposure: bool = False) -> dict[str, Any]:
        """Return the tools that a surface shows, by name."""
    def prompts(self, surface: _Surface = "client", *, admin_exposure: bool = False) -> dict[str, Any]:
        """Return the prompts that a surface shows, by name."""
    def resources(self, surface: _Surface = "client", *, admin_exposure: bool = False) -> dict[str, Any]:
        """Return the resources that a surface shows, by name."""
    def find_node_spec(self, name: str, surface: _Surface = "planner") -> Any:
        """Return the node spec of that name, if the surface shows it.

        Raises:
            UnknownNameError: Nobody owns the name.
            CapabilityRefusedError: The surface does not show it; the code says why.
        """
    def find_reducer(self, name: str, surface: _Surface = "planner") -> Any:
        """Return the reducer of that name, if the surface shows it; raises as `find_node_spec` does."""
    def find_tool(self, name: str, surface: _Surface = "client", *, admin_exposure: bool = False) -> Any:
        """Return the tool of that name, if the surface shows it; raises as `find_node_spec` does."""

@final
class SourceChange:
    """One change of a registry."""

    @property
    def source_id(self) -> str:
        """The source that changed."""
    @property
    def kind(
        self,
    ) -> Literal["added", "replaced", "removed", "enabled", "disabled", "overridden", "health_changed"]:
        """What happened."""
    @property
    def revision(self) -> int:
        """The revision the change led to."""
    @property
    def before(self) -> SourceSnapshot:
        """The registry before the change."""
    @property
    def after(self) -> SourceSnapshot:
        """The registry after the change."""
    def catalog_diff(self) -> dict[str, dict[str, list[str]]]:
        """Return which capabilities were added, removed or changed, by kind; unchanged kinds are left out."""

@final
class SourceSubscription:
    """Ends a subscription."""

    def cancel(self) -> bool:
        """End the subscription; return whether it was still there."""

def artifact_catalog_entry(
    artifact: WorkflowArtifact | Mapping[str, Any], *, diagnostics: Iterable[DependencyDiagnostic] | None = None
) -> WorkflowArtifactCatalogEntry:
    """Return an artifact as it appears in listings."""

def artifact_node_name(artifact: WorkflowArtifact | Mapping[str, Any], /) -> str:
    """Return the name under which a saved workflow appears among capabilities."""

def available_source(source: CapabilitySource, /) -> AvailableSource:
    """Return a source as deployments are checked against it."""

def build_documentation_source(
    resources: Iterable[DocumentationResource], *, prompts: Iterable[DocumentationPrompt] | None = None
) -> CapabilitySource:
    """Return the source `wf.docs` with these manuals and guides."""

def create_workflow_artifact_from_plan(
    *,
    artifact_id: str,
    version: int,
    title: str,
    plan: Any,
    outcomes: Sequence[str],
    kind: ArtifactKind = "workflow",
    description: str | None = None,
    required_capabilities: Mapping[str, Any] | Iterable[RequiredCapability | Mapping[str, Any]] | None = None,
    source_bindings: _Bindings | None = None,
    observed_node_specs: Any = None,
    created_from_catalog_version: Any = None,
    artifacts: Iterable[WorkflowArtifact] | None = None,
    observed_at_epoch_ms: int | None = None,
) -> WorkflowArtifact:
    """Make an artifact of a plan: names become logical, the structure is checked, and what it needs is noted.

    Args:
        artifact_id: Its id.
        version: Its version, from 1.
        title: Its title.
        plan: A workflow document, as a `Workflow` or as plain data; it may name concrete sources.
        outcomes: The outcomes it may end with.
        kind: What it is for.
        description: What it does.
        required_capabilities: Requirements that win over those that are found.
        source_bindings: Which concrete sources the plan names, by what it should call them.
        observed_node_specs: Where contracts are looked up: a registry, a snapshot, or node specs or their
            inventories, by name or in a list.
        created_from_catalog_version: The version of the catalog, as the caller counts.
        artifacts: The saved workflows that the plan may run.
        observed_at_epoch_ms: When the contracts were observed.

    Raises:
        PlatformRuleError: The plan is no workflow, or one that cannot work; names everything that is wrong.
    """

def hash_contract_schema(schema: Any, /) -> str:
    """Return the hash of what a JSON Schema promises: titles and descriptions do not count."""

def hash_json_schema(schema: Any, /) -> str:
    """Return the hash of a JSON Schema as a text: any difference shows."""

def is_reserved_source_id(id: str, /) -> bool:
    """Return whether a source id belongs to the platform."""

def is_runnable(diagnostics: Iterable[DependencyDiagnostic | Mapping[str, Any]], /) -> bool:
    """Return whether a deployment with these diagnostics runs: only errors block."""

def logical_ref_for_concrete_ref(
    concrete_ref: CapabilityRef | str, source_bindings: _Bindings
) -> tuple[str, str, str, str] | None:
    """Return the logical name, logical source, name within it and concrete source of a concrete name.

    `None` if none of the bindings has its source; of several the one with the longest concrete id counts.
    """

def matches_query(*values: str | None, query: str | None) -> bool:
    """Return whether any of the texts contains the query, whatever the case; no query finds everything."""

def normalize_plan_node_refs(
    plan: Any, source_bindings: _Bindings, observed_node_specs: Any = None
) -> tuple[dict[str, Any], list[RequiredCapability]]:
    """Return a plan whose concrete names have become logical, and what those names need."""

def page_range(total: int, *, cursor: str | None = None, limit: int = 50) -> tuple[int, int, str | None]:
    """Return the bounds of a page, and the cursor of the page after it."""

def unused_binding_diagnostics(
    *,
    artifact: WorkflowArtifact | Mapping[str, Any],
    deployment: WorkflowDeployment | Mapping[str, Any],
    sources: _Sources,
) -> list[DependencyDiagnostic]:
    """Return warnings about bindings that no requirement uses and that cannot work."""

def validate_deployment_dependencies(
    *,
    artifact: WorkflowArtifact | Mapping[str, Any],
    deployment: WorkflowDeployment | Mapping[str, Any],
    sources: _Sources,
) -> list[DependencyDiagnostic]:
    """Return everything that is wrong between an artifact, its deployment and the sources."""

def validate_source_id(id: str, /) -> str:
    """Check a source id and return it.

    Raises:
        PlatformRuleError: It does not follow the grammar.
    """

def validate_stored_id(field: str, id: str, /) -> str:
    """Check an id that a store uses as a key and as a path component, and return it.

    Raises:
        PlatformRuleError: It cannot be one; names the field.
    """

def workflow_capability_ref_from_workflow_ref(
    reference: WorkflowRef | str | Mapping[str, Any], /
) -> WorkflowCapabilityRef:
    """Return the capability ref that a workflow ref means.

    Raises:
        PlatformRuleError: It is a ref by name.
    """

def workflow_output_schema_for_authoring(output_schema: Any, /) -> dict[str, Any]:
    """Return the schema of a workflow's output that gives what a capability gives."""

def workflow_ref_from_artifact(artifact: WorkflowArtifact | Mapping[str, Any], /) -> WorkflowRef:
    """Return the workflow ref of an artifact."""

def workflow_ref_from_capability(reference: WorkflowCapabilityRef | str | Mapping[str, Any], /) -> WorkflowRef:
    """Return the workflow ref that a capability ref means."""

def wrapper_hints_for_capability(
    *, capability_name: str, input_schema: Any, output_schema: Any, outcomes: Sequence[str]
) -> WrapperAuthoringHints:
    """Return how a capability is best wrapped."""
