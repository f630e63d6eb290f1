"""The exceptions of the platform's rules.

Each has a stable dotted code and a hint, and derives from the built-in that Python code would naturally catch.

Example:
    >>> from wf_platform import SourceRegistry
    >>> from wf_platform.errors import UnknownNameError
    >>> try:
    ...     SourceRegistry()["drive.personal"]
    ... except UnknownNameError as error:
    ...     print(error.code, "-", error)
    source.unknown - unknown source 'drive.personal'
"""

from wf_core.errors import WfError

__all__ = ["CapabilityRefusedError", "PlatformRuleError", "UnknownNameError"]


class PlatformRuleError(WfError, ValueError):
    """Something that the rules of the platform do not allow: a reserved id, a bad plan, a page that is none."""

    code = "platform.refused"


class UnknownNameError(WfError, KeyError):
    """A source or capability that does not exist; the hint names those that come close."""

    code = "source.unknown"


class CapabilityRefusedError(WfError, PermissionError):
    """A capability that exists and that this surface does not show or call."""

    code = "capability.not_visible"
