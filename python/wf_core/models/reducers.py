"""Which reducer merges writes to a field, and what a reducer takes."""

from _wf._native.core import ReducerRef, ReducerSpec
from wf_core.models._enums import SiblingWritePolicy

__all__ = ["ReducerRef", "ReducerSpec", "SiblingWritePolicy"]
