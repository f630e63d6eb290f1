"""A platform whose sources and resources stand in the test."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_PLATFORM_SOURCES = ("wf.std", "wf.source", "wf.recipes")


@dataclass(frozen=True)
class ResourceRead:
    """A read that a workflow asked for.

    Attributes:
        source_id: The concrete source.
        uri: The resource.
        max_chars: The bound that the reader was told.
    """

    source_id: str
    uri: str
    max_chars: int


class ScriptedPlatform:
    """Stands for the platform context of a run; what is not scripted does not exist.

    Attributes:
        reads: What was read, in order.

    Example:
        >>> import asyncio
        >>> platform = ScriptedPlatform(bindings={"drive": "drive.personal"})
        >>> platform.resource("drive.personal", "gdrive://file/abc", text="hello")
        >>> source = platform.resolve_source("drive")
        >>> payload = asyncio.run(platform.read_resource(source_id=source, uri="gdrive://file/abc", max_chars=3))
        >>> payload["contents"][0]["text"], payload["truncated"]
        ('hel', True)
    """

    def __init__(
        self,
        *,
        bindings: Mapping[str, str] | None = None,
        platform_sources: Iterable[str] = _PLATFORM_SOURCES,
    ) -> None:
        self.bindings: dict[str, str] = dict(bindings or {})
        self.platform_sources = set(platform_sources)
        self.reads: list[ResourceRead] = []
        self._resources: dict[tuple[str, str], dict[str, Any] | BaseException] = {}

    def bind(self, bindings: Mapping[str, str]) -> None:
        """Bind logical sources to concrete ones."""
        self.bindings.update(bindings)

    def resource(
        self,
        source_id: str,
        uri: str,
        *,
        text: str | None = None,
        mime_type: str = "text/plain",
        contents: Iterable[Mapping[str, Any]] | None = None,
        error: BaseException | None = None,
    ) -> None:
        """Script a resource.

        Args:
            source_id: The concrete source.
            uri: The resource's address.
            text: Its text.
            mime_type: What kind of text it is.
            contents: Its contents as a reader gives them, instead of a text.
            error: What reading it raises, instead of contents.

        Raises:
            TypeError: Not exactly one of text, contents and error is given.
        """
        given = [item for item in (text, contents, error) if item is not None]
        if len(given) != 1:
            raise TypeError("a resource has a text, contents or an error, and only one of them")
        if error is not None:
            self._resources[source_id, uri] = error
        elif contents is not None:
            self._resources[source_id, uri] = {"contents": [dict(item) for item in contents]}
        else:
            self._resources[source_id, uri] = {"contents": [{"uri": uri, "mimeType": mime_type, "text": text}]}

    def resolve_source(self, logical_source: str) -> str:
        """Return the concrete source that a logical one is bound to.

        Raises:
            KeyError: It is bound to none.
        """
        if logical_source in self.platform_sources:
            return logical_source
        if logical_source not in self.bindings:
            raise KeyError(f"unbound logical source {logical_source!r}")
        return self.bindings[logical_source]

    async def read_resource(self, *, source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
        """Give a scripted resource, every text cut to the bound.

        Raises:
            KeyError: No such resource is scripted.
        """
        self.reads.append(ResourceRead(source_id, uri, max_chars))
        found = self._resources.get((source_id, uri))
        if found is None:
            known = ", ".join(sorted(f"{source} {name}" for source, name in self._resources)) or "none"
            raise KeyError(f"unknown resource {uri!r} for source {source_id!r}; scripted are: {known}")
        if isinstance(found, BaseException):
            raise found
        contents = [_cut(item, max_chars) for item in found["contents"]]
        truncated = any(cut for _, cut in contents)
        return {**found, "contents": [item for item, _ in contents], "truncated": truncated}


def _cut(item: Mapping[str, Any], max_chars: int) -> tuple[dict[str, Any], bool]:
    text = item.get("text")
    if not isinstance(text, str) or len(text) <= max_chars:
        return dict(item), False
    return {**item, "text": text[:max_chars]}, True
