"""The native half of `wf_api`."""
