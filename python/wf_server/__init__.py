"""Servers: an application with its store and its sources, composed.

Example:
    >>> import tempfile
    >>> from wf_server import build_local_static_workflow_server
    >>> server = build_local_static_workflow_server(tempfile.mkdtemp())
    >>> sorted(server.context.specs.capability_sources)
    ['wf.admin', 'wf.mcp', 'wf.recipes', 'wf.source', 'wf.std']
"""

from wf_server.context import StaticWorkflowSpecProvider, WorkflowEventLog
from wf_server.server import WorkflowServer, WorkflowServerConfig, build_local_static_workflow_server

__all__ = [
    "StaticWorkflowSpecProvider",
    "WorkflowEventLog",
    "WorkflowServer",
    "WorkflowServerConfig",
    "build_local_static_workflow_server",
]
