"""File sources and readable resources."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wf_api import FileResources, ReadableResource, SourceBindingPlatformContext, SourceResourceRef, errors, file_source
from wf_api.readable import reader_of
from wf_api.source_helpers import read_resource, read_resource_sync
from wf_core import RuntimeContext
from wf_platform.sources import CapabilityBuckets, CapabilitySource


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "guide.md").write_text("# Guide\n")
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    (tmp_path / "secret.txt").write_text("secret")
    return root


def context(root: Path) -> RuntimeContext:
    platform = SourceBindingPlatformContext({"docs": "docs.here"}, FileResources(root))
    return RuntimeContext(current_node_id="read", platform=platform)


def ref(uri: str) -> SourceResourceRef:
    return SourceResourceRef(logical_source="docs", uri=uri)


async def test_a_file_is_read_by_name_and_by_uri(root: Path) -> None:
    for uri in ("guide.md", (root / "guide.md").as_uri()):
        result = await read_resource(ref(uri), context(root), max_chars=3)
        assert (result.text, result.mime_type, result.truncated) == ("# G", "text/markdown", True)
        assert result.contents[0].size == 8
        assert read_resource_sync(ref(uri), context(root)).text == "# Guide\n"


async def test_d30_a_binary_file_is_reported_and_returned_within_the_bound(root: Path) -> None:
    reported = await read_resource(ref("picture.png"), context(root))
    assert (reported.text, reported.blob, reported.contents[0].kind) == (None, None, "blob")
    returned = await read_resource(ref("picture.png"), context(root), max_blob_bytes=9)
    assert returned.blob == "iVBORw0KGgoA"


@pytest.mark.parametrize(
    ("uri", "expected", "builtin"),
    [
        ("nothing.md", errors.ResourceMissingError, FileNotFoundError),
        ("nothing.md", errors.ResourceMissingError, KeyError),
        ("../secret.txt", errors.ResourceOutsideRootError, PermissionError),
        ("file:///etc/passwd", errors.ResourceOutsideRootError, PermissionError),
        (".", errors.ResourceNotAFileError, OSError),
        ("gdrive://file/abc", errors.ResourceUriError, ValueError),
    ],
)
async def test_each_refusal_has_its_class(
    root: Path, uri: str, expected: type[Exception], builtin: type[Exception]
) -> None:
    with pytest.raises(builtin) as caught:
        await read_resource(ref(uri), context(root))
    assert isinstance(caught.value, expected)
    assert (caught.value.source_id, caught.value.uri) == ("docs.here", uri)  # type: ignore[attr-defined]


async def test_a_pipe_is_refused_without_waiting_for_its_other_end(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(errors.ResourceNotAFileError, match="a pipe, a socket or a device"):
        await read_resource(ref("pipe"), context(root))


async def test_a_read_leaves_the_event_loop_alone(root: Path) -> None:
    threads: list[int] = []
    files = FileResources(root)

    class Watching(FileResources):
        async def __call__(self, *args: object, **kwargs: int) -> object:  # type: ignore[override]
            threads.append(threading.get_ident())
            return await files(*args, **kwargs)  # type: ignore[arg-type]

    platform = SourceBindingPlatformContext({"docs": "docs.here"}, Watching(root))
    result = await read_resource(ref("guide.md"), RuntimeContext(current_node_id="read", platform=platform))
    assert result.text == "# Guide\n"
    assert threads == [threading.get_ident()]


def test_a_file_source_lists_one_readable_resource_and_its_files(root: Path) -> None:
    source = file_source("docs.here", root, description="Our documents.")
    assert (source.id, source.description) == ("docs.here", "Our documents.")
    reader = reader_of(source)
    assert isinstance(reader, FileResources)
    assert [file.name for file in reader.list()] == ["guide.md", "picture.png"]
    assert [file.name for file in reader.list(1)] == ["guide.md"]
    status = source.as_status().model_dump(mode="json")
    assert status["preview"]["resources"] == ["docs.here.files"]
    assert "reader" not in str(source.as_inventory().model_dump(mode="json"))


def test_a_root_that_is_no_directory_is_refused_when_the_source_is_made(root: Path) -> None:
    for path in (root / "absent", root / "guide.md"):
        with pytest.raises(OSError, match="as the root of a file source") as caught:
            file_source("docs.here", path)
        assert isinstance(caught.value, errors.SourceRootError)


def test_a_source_without_a_reader_is_not_readable() -> None:
    plain = CapabilityBuckets(resources={"a.b.c": {"uri": "x://c"}})
    assert reader_of(CapabilitySource(id="a.b", kind="connection", capabilities=plain)) is None
    resource = ReadableResource(uri="x://c", reader=lambda *_: {"contents": []})
    readable = CapabilityBuckets(resources={"a.b.c": resource})
    assert reader_of(CapabilitySource(id="a.b", kind="connection", capabilities=readable)) is resource.reader


@given(text=st.text(max_size=200), page=st.integers(1, 50))
def test_pages_of_a_file_put_together_are_the_file(
    tmp_path_factory: pytest.TempPathFactory, text: str, page: int
) -> None:
    root = tmp_path_factory.mktemp("pages")
    (root / "text").write_bytes(text.encode())
    offset: int | None = 0
    together = ""
    while offset is not None:
        result = read_resource_sync(ref("text"), context(root), max_chars=page, offset=offset)
        if result.text is None:
            assert "\x00" in text
            return
        together += result.text
        offset = result.next_offset
    assert together == text
