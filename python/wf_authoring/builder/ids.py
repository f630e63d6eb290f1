"""Ids of steps that got none from their author."""

import re
from collections.abc import Iterable
from typing import Any

_SEPARATORS = re.compile(r"[^0-9A-Za-z_]+")


def slug_id(text: str) -> str:
    """Return a name in the letters that ids use.

    Example:
        >>> slug_id("Read & parse")
        'read_parse'
    """
    return _SEPARATORS.sub("_", text).strip("_").lower() or "step"


def next_step_id(base: str, nodes: Iterable[Any]) -> str:
    """Return the base when no step has it, else `base_2`, `base_3` and so on.

    Example:
        >>> next_step_id("read", [])
        'read'
    """
    used = {step.id for step in nodes}
    if base not in used:
        return base
    number = 2
    while f"{base}_{number}" in used:
        number += 1
    return f"{base}_{number}"
