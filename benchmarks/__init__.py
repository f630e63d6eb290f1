"""Benchmarks: this engine beside plain Python and, on request, beside its peers."""
