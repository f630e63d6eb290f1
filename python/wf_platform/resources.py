"""References to resources of a source, and what a bounded read of one answers."""

from _wf._native.platform import ReadContentSummary, ReadResourceOutput, SourceResourceRef

__all__ = ["ReadContentSummary", "ReadResourceOutput", "SourceResourceRef"]
