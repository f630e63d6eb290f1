"""Resources of a source that can be read, and the readers behind them.

A source becomes readable by owning a `ReadableResource`: the object carries the reader, and a server's platform context
asks it whenever a workflow reads from that source. `file_source` makes such a source of a directory.

Example:
    >>> import tempfile, pathlib
    >>> root = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (root / "guide.md").write_text("# Guide")
    >>> source = file_source("docs.here", root)
    >>> list(source.capabilities.resources)
    ['docs.here.files']
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from _wf._native import api as _native
from wf_api.errors import SourceRootError
from wf_api.platform_context import ReadResourceHandler
from wf_platform.sources import CapabilityBuckets, CapabilitySource

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FileEntry", "FileResources", "ReadableResource", "file_source", "reader_of"]


@dataclass(frozen=True, slots=True)
class ReadableResource:
    """A resource of a source together with what reads the source.

    Attributes:
        uri: Where it is; for a source that reads many resources, where they all are.
        reader: Reads any resource of the source, sync or async.
        title: A title for people.
        description: What it holds.
        mime_type: Its media type, if it is one content.
    """

    uri: str
    reader: ReadResourceHandler = field(repr=False)
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None


class FileEntry(NamedTuple):
    """A file below the root of a file source."""

    name: str
    """Its name relative to the root, with `/` between the parts; a ref may use it as its `uri`."""
    uri: str
    """Its `file` URI; a ref may use it as well."""
    mime_type: str
    """Its media type, by its extension."""
    size: int
    """Its size in bytes."""


class FileResources:
    """Reads the files below one directory, and nothing else.

    Names are relative to the root; `file` URIs must lie below it. Links are followed as long as they stay below the
    root. A read costs what it returns, whatever the size of the file.

    Example:
        >>> import tempfile, pathlib
        >>> root = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (root / "letters.txt").write_text("abcdefg")
        >>> files = FileResources(root)
        >>> files.read_now("docs.here", "letters.txt", 3)["contents"][0]["text"]
        'abc'
        >>> [file.name for file in files.list()]
        ['letters.txt']
    """

    __slots__ = ("_reader",)

    def __init__(self, root: str | PathLike[str]) -> None:
        """Opens the directory.

        Raises:
            SourceRootError: It is not there, or is no directory (an `OSError`).
        """
        if not os.fspath(root):
            raise SourceRootError(
                "the root of a file source is an empty path", hint="write `.` for the directory the program runs in"
            )
        self._reader = _native.FileReader(Path(root))

    @property
    def root(self) -> Path:
        """The root, as an absolute path without links."""
        return Path(self._reader.root)

    async def __call__(
        self, source_id: str, uri: str, max_chars: int, *, offset: int = 0, max_blob_bytes: int = 0
    ) -> Mapping[str, Any]:
        """Read a file without holding up the event loop.

        Raises:
            ResourceError: Each cause has its own class, see `wf_api.errors`.
        """
        read = self._reader.read
        return await asyncio.to_thread(read, source_id, uri, (max_chars, offset, max_blob_bytes))

    def read_now(
        self, source_id: str, uri: str, max_chars: int, *, offset: int = 0, max_blob_bytes: int = 0
    ) -> Mapping[str, Any]:
        """Read a file and wait for the disk.

        Args:
            source_id: The source, for errors.
            uri: A name relative to the root, or a `file` URI.
            max_chars: At most this many characters are returned.
            offset: The first character to return.
            max_blob_bytes: A file that is no text is returned in base64 when it has at most this many bytes.

        Raises:
            ResourceError: Each cause has its own class, see `wf_api.errors`.
        """
        payload: Mapping[str, Any] = self._reader.read(source_id, uri, (max_chars, offset, max_blob_bytes))
        return payload

    def list(self, limit: int = 1000) -> list[FileEntry]:
        """Return the first files below the root, in order; hidden ones are left out, links are not followed."""
        files, _ = self._reader.list(limit)
        return [FileEntry(**file) for file in files]

    def __repr__(self) -> str:
        return f"FileResources({str(self.root)!r})"


def file_source(source_id: str, root: str | PathLike[str], description: str | None = None) -> CapabilitySource:
    """Make a source of a directory: a workflow reads its files by `wf.source.read_resource`.

    Args:
        source_id: The id, such as `docs.here`; a deployment binds a logical source to it.
        root: The directory; nothing outside of it is ever read.
        description: What it holds.

    Raises:
        SourceRootError: The directory is not there.
        PlatformRuleError: The id is none, or reserved.
    """
    files = FileResources(root)
    says = description or f"Files below {files.root}."
    resource = ReadableResource(uri=files.root.as_uri(), reader=files, title="Files", description=says)
    return CapabilitySource(
        id=source_id,
        kind="connection",
        capabilities=CapabilityBuckets(resources={f"{source_id}.files": resource}),
        description=says,
    )


def reader_of(source: CapabilitySource) -> ReadResourceHandler | None:
    """Return what reads the resources of a source; `None` when nothing does.

    Example:
        >>> from wf_platform.sources import CapabilitySource
        >>> reader_of(CapabilitySource(id="tools.here", kind="connection")) is None
        True
    """
    for resource in source.capabilities.resources.values():
        reader: ReadResourceHandler | None = getattr(resource, "reader", None)
        if callable(reader):
            return reader
    return None
