"""JSON Schemas of payloads and of the state, and the node contracts that hold them."""

from _wf._native.core import NodeDef, SchemaRef, StateField, StateFieldDecl, StateSchema

__all__ = ["NodeDef", "SchemaRef", "StateField", "StateFieldDecl", "StateSchema"]
