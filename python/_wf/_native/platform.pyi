"""The native half of `wf_platform`."""
