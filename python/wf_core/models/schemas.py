"""JSON Schemas of payloads and of the state."""

from _wf._native.core import SchemaRef, StateField, StateFieldDecl, StateSchema

__all__ = ["SchemaRef", "StateField", "StateFieldDecl", "StateSchema"]
