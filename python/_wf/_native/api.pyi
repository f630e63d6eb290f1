"""The native half of `wf_api`: built-in nodes, readers, and the operations of an application."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias, final

from _wf._native.core import Pump
from wf_core.models import Workflow
from wf_core.run_state import RunState, RuntimeContext
from wf_platform.sources import CapabilitySource, SourceRegistry

__all__ = [
    "DEFAULT_MAX_CHARS",
    "LARGEST_BLOB_BYTES",
    "LARGEST_MAX_CHARS",
    "MCP_SOURCE_ID",
    "RECIPE_SOURCE_ID",
    "SOURCE_SOURCE_ID",
    "STD_SOURCE_ID",
    "Application",
    "CallTarget",
    "Control",
    "FileReader",
    "NativeHandler",
    "PreparedRun",
    "bounded",
    "builtin_contract",
    "builtin_inventories",
    "check_bounds",
    "explained",
    "read_resource_now",
    "std_contracts",
    "std_handler",
    "unpaged_max_chars",
]

_Json: TypeAlias = dict[str, Any]
_Bounds: TypeAlias = tuple[int, int, int]
_Executable: TypeAlias = tuple[Workflow, dict[str, Any], dict[str, Any]]

DEFAULT_MAX_CHARS: Final[int]
LARGEST_MAX_CHARS: Final[int]
LARGEST_BLOB_BYTES: Final[int]
STD_SOURCE_ID: Final[str]
RECIPE_SOURCE_ID: Final[str]
SOURCE_SOURCE_ID: Final[str]
MCP_SOURCE_ID: Final[str]

@final
class NativeHandler:
    """A handler of the standard library. Drivers call it without entering Python; Python may call it like any other."""

    @property
    def name(self) -> str:
        """The name within `wf.std`."""

    def __call__(self, payload: Mapping[str, Any], ctx: RuntimeContext | None = None, /) -> _Json:
        """Executes the node once, as an engine would."""

@final
class FileReader:
    """Reads files below one directory."""

    def __new__(cls, root: str | Path, /) -> FileReader: ...
    @property
    def root(self) -> Path:
        """The root, as an absolute path without links."""

    def read(self, source_id: str, uri: str, bounds: _Bounds, /) -> _Json:
        """Reads one file within the bounds; waits for the disk without holding up other Python threads."""

    def list(self, limit: int, /) -> tuple[list[_Json], bool]:
        """The first files below the root, and whether there are more."""

@final
class PreparedRun:
    """A workflow that is ready to run, with what executes it."""

    @property
    def run_id(self) -> str | None:
        """The run's id; `None` when the run is not stored."""

    def pump(
        self,
        registry: Mapping[str, Any],
        *,
        reducers: Mapping[str, Any],
        subgraphs: Mapping[str, Any],
        platform: Any,
    ) -> Pump:
        """Makes the pump of the stored run; only once."""

    def give_back(self) -> None:
        """Lets go of a run that is not driven to its end; whoever recovers runs may go on with it."""

    @property
    def root(self) -> _Executable:
        """The workflow, its nodes by name, and its custom reducers by name."""

    @property
    def children(self) -> dict[str, _Executable]:
        """The same of each saved workflow below it, by its ref."""

    @property
    def bindings(self) -> dict[str, str]:
        """What each logical source means."""

    @property
    def platform_sources(self) -> frozenset[str]:
        """The sources that always mean themselves."""

@final
class CallTarget:
    """A node that is ready to be called once."""

    @property
    def spec(self) -> Any:
        """What executes it."""

    @property
    def outcomes(self) -> list[str]:
        """The outcomes it may answer."""

    @property
    def output_schema(self) -> _Json:
        """The schema of its output."""

    @property
    def bindings(self) -> dict[str, str]:
        """What each logical source means during the call."""

    @property
    def platform_sources(self) -> frozenset[str]:
        """The sources that always mean themselves."""

@final
class Control:
    """What operators do with an application."""

    def __new__(cls, application: Application, /) -> Control: ...
    @staticmethod
    def operations() -> list[_Json]:
        """Every operation: name, title, description, permission, and the schemas of arguments and result."""

    def run(self, name: str, arguments: Mapping[str, Any], actor: str, /) -> _Json:
        """Executes an operation on behalf of an actor."""

    def apply_settings(self) -> None:
        """Makes the stored policies and connections hold in this process."""

    def add_system_sources(self) -> None:
        """Adds the sources of the platform that need an application."""

    def provide(self, source_id: str, load: Callable[[], CapabilitySource], /) -> None:
        """Says what reads a source whenever it is enabled or refreshed."""

@final
class Application:
    """An application whose capabilities are Python objects."""

    def __new__(
        cls, registry: SourceRegistry, root: str | Path | None = None, *, durability: str = "full"
    ) -> Application: ...
    def list_sources(self, cursor: str | None, limit: int, /) -> _Json: ...
    def inspect_source(self, source_id: str, /) -> _Json: ...
    def diagnose_source(self, source_id: str, /) -> _Json: ...
    def list_capabilities(
        self, query: str | None, source_id: str | None, cursor: str | None, limit: int, /
    ) -> _Json: ...
    def inspect_capability(self, qualified_name: str, /) -> _Json: ...
    def begin_call(
        self, qualified_name: str, payload: Mapping[str, Any], deployment_id: str | None, /
    ) -> _Json | CallTarget | PreparedRun:
        """What a call executes, or the result of one that cannot be made."""

    def call_returned(
        self, qualified_name: str, deployment_id: str | None, outcome: str, output: Mapping[str, Any], /
    ) -> _Json:
        """The result of a call that returned."""

    def call_failed(self, qualified_name: str, deployment_id: str | None, code: str | None, message: str, /) -> _Json:
        """The result of a call that failed."""

    def list_artifacts(self, query: str | None, kind: str | None, cursor: str | None, limit: int, /) -> _Json: ...
    def save_artifact(self, artifact: Any, /) -> _Json: ...
    def create_artifact_from_plan(
        self,
        *,
        artifact_id: str,
        version: int,
        title: str,
        plan: Any,
        outcomes: Sequence[str],
        kind: str = "workflow",
        description: str | None = None,
        required_capabilities: Any = None,
        source_bindings: Any = None,
        created_from_catalog_version: Any = None,
    ) -> _Json: ...
    def inspect_artifact(self, artifact_id: str, version: int, /) -> _Json: ...
    def delete_artifact(self, artifact_id: str, version: int, /) -> _Json: ...
    def list_deployments(self) -> _Json: ...
    def inspect_deployment(self, deployment_id: str, /) -> _Json: ...
    def save_deployment(self, deployment: Any, /) -> _Json: ...
    def delete_deployment(self, deployment_id: str, /) -> _Json: ...
    def validate_deployment(self, deployment_id: str, further: Any, /) -> _Json: ...
    @staticmethod
    def check_trace_range(start: int, limit: int, /) -> None:
        """Refuses a range of a trace that is none."""

    def begin_run(self, deployment_id: str, workflow_input: Any, /) -> _Json | PreparedRun:
        """A run that is ready to be driven, or the result of a deployment or an input that cannot run."""

    def begin_resume(
        self, run_id: str, interrupt_id: str | None, outcome: str, payload: Mapping[str, Any], /
    ) -> _Json | PreparedRun:
        """An interrupted run that was answered and is ready to be driven, or the result of one that cannot go on."""

    def begin_retry(self, run_id: str, /) -> _Json | PreparedRun:
        """A failed run that is tried again and is ready to be driven, or the result of one that cannot go on."""

    def abandoned_runs(self) -> list[str]:
        """The runs that are to be driven and that nobody drives."""

    def begin_recovery(self, run_id: str, /) -> _Json | PreparedRun | None:
        """A run that was taken over and is ready to be driven; `None` when somebody drives it after all."""

    def finish_run(self, prepared: PreparedRun, state: RunState, trace_range: tuple[int, int] | None, /) -> _Json:
        """Stores how a run stopped and gives its result; one that has not stopped is given back."""

    def cancel_driven(
        self, prepared: PreparedRun, state: RunState, reason: str, trace_range: tuple[int, int] | None, /
    ) -> _Json:
        """Stores that a run is cancelled which was driven up to here, unless it has finished, and gives its result."""

    def cancel_run(self, run_id: str, reason: str, /) -> _Json: ...
    def inspect_run(self, run_id: str, /) -> _Json: ...
    def read_run_trace(self, run_id: str, start: int, limit: int, /) -> _Json: ...
    def list_runs(self, status: str | None, cursor: str | None, limit: int, /) -> _Json: ...
    def record_event(self, kind: str, capability_id: str | None, payload: Mapping[str, Any], /) -> None: ...
    def list_events(self, after: int, limit: int, /) -> _Json: ...

def std_handler(name: str, /) -> NativeHandler:
    """The handler of a standard node, by its name within `wf.std`."""

def std_contracts() -> list[_Json]:
    """The contracts of all standard nodes, in the order in which they are published."""

def builtin_inventories() -> list[_Json]:
    """The inventories of all built-in sources, in the order in which servers register them."""

def builtin_contract(qualified_name: str, /) -> _Json:
    """The contract of a built-in node: description, outcomes and both schemas."""

def check_bounds(bounds: _Bounds, /) -> None:
    """Refuses bounds that are out of range."""

def unpaged_max_chars(source_id: str, uri: str, bounds: _Bounds, /) -> int:
    """How many characters to ask for from a reader that always starts at the beginning."""

def bounded(payload: Any, source_id: str, uri: str, mime_type: str | None, bounds: _Bounds, /) -> _Json:
    """Checks the payload that a reader answered and cuts it down to the bounds."""

def explained(error: BaseException, source_id: str, uri: str, /) -> Exception:
    """The exception to raise for what a reader raised; one that says everything already is raised as it is."""

def read_resource_now(platform: Any, logical_source: str, uri: str, mime_type: str | None, bounds: _Bounds, /) -> _Json:
    """Dereferences a resource ref and waits for the result."""
