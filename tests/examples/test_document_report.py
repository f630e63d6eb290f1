"""The example of the demo, on documents of the test's own and on this repository's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from examples.document_report.__main__ import REPOSITORY, main
from examples.document_report.nodes import Failure, Report, examine, summarize
from examples.document_report.server import DEPLOYMENT, build_server, deploy, refs


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    root = tmp_path / "documents"
    (root / "docs" / "deep").mkdir(parents=True)
    (root / "README.md").write_text("# Hello\n\nSee [the guide](docs/guide.md).\n", encoding="utf-8")
    (root / "docs" / "guide.md").write_text(
        "# Guide\n\n## Part\n\n```python\n# no heading\n```\nwords\n", encoding="utf-8"
    )
    (root / "docs" / "deep" / "long.md").write_text("# Long\n\n" + "word " * 5000, encoding="utf-8")
    return root


async def run(store: Path, documents: Path, given: list[dict[str, Any]], max_chars: int = 4000) -> dict[str, Any]:
    server = build_server(store, documents)
    assert (await deploy(server))["status"] == "runnable"
    result: dict[str, Any] = await server.api.run_deployment(
        deployment_id=DEPLOYMENT, workflow_input={"documents": given, "max_chars": max_chars}
    )
    return result


def test_examine_is_a_plain_function() -> None:
    facts = examine(name="a.md", text="# A #\n\n[x](y) ![image](z.png) [again](y)\n\n```\n# code\n[no](no)\n```\nend")
    assert facts.title == "A"
    assert facts.headings == ["A"]
    assert facts.links == ["y"]
    assert facts.words == len(["#", "A", "#", "[x](y)", "![image](z.png)", "[again](y)", "end"])


def test_summarize_counts_documents_that_were_cut() -> None:
    whole, cut = examine(name="a", text="# A\n[x](y)"), examine(name="b", text="# B\n[x](y) [z](w)")
    report = summarize(whole=[whole], cut=[cut], failures=[Failure(index=2, error_type="E", message="gone")])
    assert (report.headings, report.links) == (2, 2)
    assert report.unread == ["document 3: gone"]


async def test_a_report_keeps_documents_that_were_cut_apart(tmp_path: Path, documents: Path) -> None:
    result = await run(tmp_path / "store", documents, refs(documents))
    report = Report.model_validate(result["output"]["report"])
    assert [facts.name for facts in report.documents] == ["README.md", "docs/guide.md"]
    assert [facts.name for facts in report.cut] == ["docs/deep/long.md"]
    assert report.documents[1].headings == ["Guide", "Part"]
    assert report.documents[0].links == ["docs/guide.md"]
    assert report.unread == []


async def test_a_document_that_cannot_be_read_is_named_in_the_report(tmp_path: Path, documents: Path) -> None:
    missing = {**refs(documents)[0], "uri": "docs/missing.md", "name": "docs/missing.md"}
    outside = {**refs(documents)[0], "uri": "../secret.md", "name": "secret.md"}
    (tmp_path / "secret.md").write_text("# secret", encoding="utf-8")
    result = await run(tmp_path / "store", documents, [*refs(documents), missing, outside])
    report = Report.model_validate(result["output"]["report"])
    assert len(report.documents) + len(report.cut) == 3
    assert ["document 4" in line for line in report.unread] == [True, False]
    assert all("missing.md" in line or "secret.md" in line for line in report.unread)
    assert "# secret" not in str(result)


async def test_an_unbound_logical_source_is_named_in_the_report(tmp_path: Path, documents: Path) -> None:
    result = await run(tmp_path / "store", documents, [{**refs(documents)[0], "logical_source": "drive"}])
    report = Report.model_validate(result["output"]["report"])
    assert "unbound logical source 'drive'" in report.unread[0]


async def test_the_run_is_kept(tmp_path: Path, documents: Path) -> None:
    result = await run(tmp_path / "store", documents, refs(documents))
    again = build_server(tmp_path / "store", documents)
    kept = await again.api.inspect_run(run_id=result["run_id"])
    assert kept["status"] == "completed"
    assert kept["output"] == result["output"]
    read = await again.api.read_run_trace(run_id=result["run_id"], trace_range=again.trace_range(start=0, limit=3))
    trace = read["trace"]
    assert [entry["node_id"] for entry in trace] == ["each", "read", "examine"]


async def test_the_demo_prints_report_trace_and_place(tmp_path: Path) -> None:
    console = Console(record=True, width=160)
    for _ in range(2):  # a second run finds the artifact and the deployment and leaves them as they are
        assert await main(["--store", str(tmp_path / "store")], console) == 0
    printed = console.export_text()
    assert "README.md" in printed
    assert "was_cut" in printed
    assert str(tmp_path / "store") in printed
    assert (REPOSITORY / "README.md").is_file()
