"""The workflow, its edges, and the contracts of its nodes."""

from _wf._native.core import Edge, NodeDef, RetryPolicy, Workflow

__all__ = ["Edge", "NodeDef", "RetryPolicy", "Workflow"]
