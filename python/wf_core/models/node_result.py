"""What a handler answers."""

from _wf._native.core import NodeResult

__all__ = ["NodeResult"]
