"""Runs as plain data: `dump_run_state` and back."""

from _wf._native.core import PersistedRunState, dump_run_state, load_run_state

__all__ = ["PersistedRunState", "dump_run_state", "load_run_state"]
