"""Hashes of JSON Schemas.

`hash_json_schema` sees every difference; `hash_contract_schema` only those that matter to a caller, so that editing a
docstring is no drift.

Example:
    >>> plain, remarked = {"type": "string"}, {"type": "string", "title": "Name"}
    >>> hash_json_schema(plain) == hash_json_schema(remarked)
    False
    >>> hash_contract_schema(plain) == hash_contract_schema(remarked)
    True
"""

from _wf._native.platform import hash_contract_schema, hash_json_schema

__all__ = ["hash_contract_schema", "hash_json_schema"]
