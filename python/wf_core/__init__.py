"""The workflow engine: documents, validation and runs."""

from _wf._native.core import validate_strict_json_value

__all__ = ["validate_strict_json_value"]
