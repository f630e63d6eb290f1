"""A local server with two sources of our own, and the deployment that binds the workflow's logical sources to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from examples.document_report.nodes import examine, summarize
from examples.document_report.workflow import PLAN
from wf_api.node_sources import node_source
from wf_api.readable import file_source
from wf_api.source_refs import SourceResourceRef
from wf_authoring import NodeSpec
from wf_server import WorkflowServer, build_local_static_workflow_server

ARTIFACT = "document_report"
VERSION = 1
DEPLOYMENT = "document_report.local"


def build_server(store: Path, documents: Path, examine: NodeSpec[Any, Any] = examine) -> WorkflowServer:
    """A server that keeps its store in one folder and may read the files of another, and no others."""
    report = node_source("report.python", [examine, summarize], description="Nodes that examine documents.")
    files = file_source("files.documents", documents, description="The documents to report on.")
    sources = {source.id: source for source in (report, files)}
    return build_local_static_workflow_server(store, extra_sources=sources)


def refs(documents: Path) -> list[dict[str, Any]]:
    """One resource ref for the README and for each page of the docs, as JSON."""
    pages = [documents / "README.md", *sorted((documents / "docs").rglob("*.md"))]
    names = [page.relative_to(documents).as_posix() for page in pages if page.is_file()]
    return [
        SourceResourceRef(logical_source="docs", uri=name, mime_type="text/markdown", name=name).model_dump(mode="json")
        for name in names
    ]


async def deploy(server: WorkflowServer) -> dict[str, Any]:
    """Saves the workflow as an artifact and its bindings as a deployment, and validates both together."""
    await server.api.create_artifact_from_plan(
        artifact_id=ARTIFACT,
        version=VERSION,
        title="Document report",
        plan=PLAN,
        outcomes=["ok"],
    )
    await server.api.save_deployment(
        {
            "id": DEPLOYMENT,
            "artifact_id": ARTIFACT,
            "artifact_version": VERSION,
            "bindings": [
                {"logical_source": "docs", "concrete_source": "files.documents"},
                {"logical_source": "report", "concrete_source": "report.python"},
            ],
        }
    )
    return await server.api.validate_deployment(deployment_id=DEPLOYMENT)
