"""Replies of scripted nodes that take time."""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Later:
    """A reply that comes after some virtual time.

    Attributes:
        seconds: How long it takes.
        reply: What is answered, or raised, then.
    """

    seconds: float
    reply: Any


def after(seconds: float, reply: Any) -> Later:
    """Script a reply that takes virtual time, so that time limits and overlaps can be tested without waiting.

    Args:
        seconds: How long the node takes.
        reply: Its reply, as `RecordingRegistry.reply` takes it.

    Raises:
        ValueError: The time is negative.

    Example:
        >>> after(30, {"text": "at last"}).seconds
        30
    """
    if not seconds >= 0:
        raise ValueError(f"a reply cannot come {-seconds} seconds before its call")
    return Later(seconds, reply)


NEVER = Later(math.inf, None)
"""A reply that never comes: only a time limit ends the call."""
