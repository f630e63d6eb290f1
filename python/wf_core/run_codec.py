"""Runs as plain data."""

from _wf._native.core import dump_run_state

__all__ = ["dump_run_state"]
