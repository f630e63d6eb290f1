"""The exceptions of sources, reads, stores and operations.

Each has a stable code and also derives from the built-in that Python code would naturally catch: an unbound logical
source is a `KeyError`, a missing file a `FileNotFoundError`.

Example:
    >>> from wf_api.errors import UnboundSourceError
    >>> try:
    ...     raise UnboundSourceError("unbound logical source 'drive'", source_id="drive")
    ... except KeyError as error:
    ...     print(error.code)
    source.unbound
"""

from __future__ import annotations

from typing import Any

from wf_core.errors import WfError

__all__ = [
    "ArgumentError",
    "ArtifactExistsError",
    "InvalidIdError",
    "NodePayloadError",
    "OperationError",
    "PagingUnsupportedError",
    "PlatformMissingError",
    "ReadBoundsError",
    "ReadsNotConfiguredError",
    "ResourceAccessError",
    "ResourceError",
    "ResourceMissingError",
    "ResourceNotAFileError",
    "ResourceOutsideRootError",
    "ResourcePayloadError",
    "ResourceReaderError",
    "ResourceTimeoutError",
    "ResourceUriError",
    "RunConflictError",
    "SourceDisabledError",
    "SourceResolveError",
    "SourceRootError",
    "SourceUnreadableError",
    "StoreDamagedError",
    "StoreUnavailableError",
    "UnboundSourceError",
    "UnknownRecordError",
    "UnknownSourceError",
]


class ResourceError(WfError):
    """A resource that could not be read.

    Attributes:
        source_id: The source; the logical one when nothing is bound to it.
        uri: The resource within it, when the failure is about one.
    """

    code = "resource.failed"

    def __init__(
        self, message: str = "", *, source_id: str | None = None, uri: str | None = None, **fields: Any
    ) -> None:
        """Builds the exception."""
        super().__init__(message, **fields)
        self.source_id = source_id
        self.uri = uri
        for name, value in (("source_id", source_id), ("uri", uri)):
            if value is not None:
                self.context.setdefault(name, value)


class UnboundSourceError(ResourceError, KeyError):
    """A logical source to which the deployment binds nothing."""

    code = "source.unbound"


class SourceResolveError(ResourceError, LookupError):
    """A logical source whose meaning the platform could not tell."""

    code = "source.resolve_failed"


class PlatformMissingError(ResourceError, RuntimeError):
    """A read in a run that was started without platform services."""

    code = "platform.missing"


class ReadsNotConfiguredError(ResourceError, RuntimeError):
    """A read through a platform that has no reader."""

    code = "resource.reads_not_configured"


class UnknownSourceError(ResourceError, KeyError):
    """A binding to a source that does not exist."""

    code = "source.unknown"


class SourceDisabledError(ResourceError, RuntimeError):
    """A source that is switched off."""

    code = "source.disabled"


class SourceUnreadableError(ResourceError, LookupError):
    """A source that has no readable resources."""

    code = "source.unreadable"


class ResourceMissingError(ResourceError, FileNotFoundError, KeyError):
    """A resource that the source does not have."""

    code = "resource.missing"


class ResourceOutsideRootError(ResourceError, PermissionError):
    """A path that leads out of the directory to which its source is confined."""

    code = "resource.outside_root"


class ResourceNotAFileError(ResourceError, OSError):
    """A directory, a pipe or a device where a file is needed."""

    code = "resource.not_a_file"


class ResourceAccessError(ResourceError, PermissionError):
    """A resource that the operating system, or its owner, does not let us read."""

    code = "resource.access_denied"


class ResourceUriError(ResourceError, ValueError):
    """A URI that the source does not understand."""

    code = "resource.uri_invalid"


class ReadBoundsError(ResourceError, ValueError):
    """A bound that is out of range."""

    code = "resource.bounds_invalid"


class PagingUnsupportedError(ResourceError, ValueError):
    """An offset that lies too far into a text for a reader that always starts at the beginning."""

    code = "resource.paging_unsupported"


class ResourceReaderError(ResourceError, RuntimeError):
    """A reader that raised; what it raised is the cause."""

    code = "resource.reader_failed"


class ResourceTimeoutError(ResourceError, TimeoutError):
    """A reader that took too long."""

    code = "resource.timeout"


class ResourcePayloadError(ResourceError, ValueError):
    """A reader that answered something that is no resource payload."""

    code = "resource.payload_malformed"


class SourceRootError(WfError, OSError):
    """A directory that cannot be opened as the root of a file source."""

    code = "source.root_unavailable"


class NodePayloadError(WfError, ValueError):
    """A payload that a native node cannot work on."""

    code = "node.input_invalid"


class OperationError(WfError, ValueError):
    """An operation that does not fit: a page or a range that is none, a run that does not wait for anybody."""

    code = "operation.refused"


class ArgumentError(OperationError, TypeError):
    """An operation's argument of the wrong type; `path` is its name."""

    code = "operation.argument_invalid"


class UnknownRecordError(WfError, KeyError):
    """An artifact, a deployment or a run that the store does not have."""

    code = "store.unknown"


class ArtifactExistsError(WfError, ValueError):
    """A version of an artifact that is there already, with other content."""

    code = "artifact_exists"


class InvalidIdError(WfError, ValueError):
    """An id with characters that no id has."""

    code = "store.id_invalid"


class RunConflictError(WfError, RuntimeError):
    """A run that somebody else has started or drives."""

    code = "run.conflict"


class StoreDamagedError(WfError, ValueError):
    """A stored record that is not what was written."""

    code = "store.damaged"


class StoreUnavailableError(WfError, OSError):
    """A store that cannot be opened, read or written."""

    code = "store.unavailable"
