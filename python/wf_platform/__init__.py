"""The platform: sources, their registry and policy, artifacts and deployments.

Pure rules over documents: nothing here reads a file, asks a clock or calls a handler.

Example:
    >>> from wf_platform import CapabilitySource, SourcePolicy
    >>> source = CapabilitySource(
    ...     id="wf.std", kind="system", policy=SourcePolicy(platform=True, binding_required=False)
    ... )
    >>> source.as_status().policy.platform
    True
"""

from wf_platform.docs import DocumentationPrompt, DocumentationResource, build_documentation_source
from wf_platform.paging import Page, page_items
from wf_platform.refs import CapabilityRef, SourceRef
from wf_platform.schema_hashes import hash_contract_schema, hash_json_schema
from wf_platform.sources import (
    CapabilityBuckets,
    CapabilitySource,
    NodeSpecInventory,
    ReducerInventory,
    SourceCapabilityInventory,
    SourceChange,
    SourceInventory,
    SourceKind,
    SourceOverrides,
    SourcePermissions,
    SourcePermissionsSnapshot,
    SourcePolicy,
    SourcePolicySnapshot,
    SourceRegistry,
    SourceSnapshot,
    SourceStatus,
    SourceVisibility,
    SourceVisibilitySnapshot,
)

__all__ = [
    "CapabilityBuckets",
    "CapabilityRef",
    "CapabilitySource",
    "DocumentationPrompt",
    "DocumentationResource",
    "NodeSpecInventory",
    "Page",
    "ReducerInventory",
    "SourceCapabilityInventory",
    "SourceChange",
    "SourceInventory",
    "SourceKind",
    "SourceOverrides",
    "SourcePermissions",
    "SourcePermissionsSnapshot",
    "SourcePolicy",
    "SourcePolicySnapshot",
    "SourceRef",
    "SourceRegistry",
    "SourceSnapshot",
    "SourceStatus",
    "SourceVisibility",
    "SourceVisibilitySnapshot",
    "build_documentation_source",
    "hash_contract_schema",
    "hash_json_schema",
    "page_items",
]
