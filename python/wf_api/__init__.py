"""Applications: sources and their resources, artifacts, deployments and runs.

Example:
    >>> from wf_api import SourceResourceRef, builtin_sources
    >>> SourceResourceRef(logical_source="drive", uri="gdrive://file/abc").logical_source
    'drive'
    >>> "wf.source.read_resource" in builtin_sources()["wf.source"].capabilities.node_specs
    True
"""

from wf_api.admin import WorkflowAdminApi
from wf_api.api import WorkflowApi
from wf_api.artifacts import WorkflowArtifactApi
from wf_api.capabilities import WorkflowCapabilityApi
from wf_api.deployments import WorkflowDeploymentApi
from wf_api.local_sources import builtin_sources, get_qualified_spec, qualify_spec
from wf_api.models import TraceRange
from wf_api.node_sources import node_source
from wf_api.operation_context import (
    WorkflowEventRecorder,
    WorkflowLiveSourceChecker,
    WorkflowOperationContext,
    WorkflowSpecProvider,
)
from wf_api.platform_context import ReadResourceHandler, SourceBindingPlatformContext, WorkflowPlatformContext
from wf_api.readable import FileEntry, FileResources, ReadableResource, file_source
from wf_api.runs import WorkflowRunApi
from wf_api.source_admin import WorkflowSourceAdminApi
from wf_api.source_helpers import ReadResourceOutput, read_resource, read_resource_sync
from wf_api.source_refs import SourceResourceRef

__all__ = [
    "FileEntry",
    "FileResources",
    "ReadResourceHandler",
    "ReadResourceOutput",
    "ReadableResource",
    "SourceBindingPlatformContext",
    "SourceResourceRef",
    "TraceRange",
    "WorkflowAdminApi",
    "WorkflowApi",
    "WorkflowArtifactApi",
    "WorkflowCapabilityApi",
    "WorkflowDeploymentApi",
    "WorkflowEventRecorder",
    "WorkflowLiveSourceChecker",
    "WorkflowOperationContext",
    "WorkflowPlatformContext",
    "WorkflowRunApi",
    "WorkflowSourceAdminApi",
    "WorkflowSpecProvider",
    "builtin_sources",
    "file_source",
    "get_qualified_spec",
    "node_source",
    "qualify_spec",
    "read_resource",
    "read_resource_sync",
]
