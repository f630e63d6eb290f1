"""References to resources of a source; what a bounded read answers is in `wf_api.source_helpers`."""

from _wf._native.platform import SourceResourceRef

__all__ = ["SourceResourceRef"]
