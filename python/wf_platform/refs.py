"""References to sources and to the capabilities they own."""

from _wf._native.core import CapabilityRef, SourceRef

__all__ = ["CapabilityRef", "SourceRef"]
