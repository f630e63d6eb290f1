"""The native module behind the `wf_*` packages: one submodule per room."""

from _wf._native import api, core, platform

__all__ = ["api", "core", "platform"]
