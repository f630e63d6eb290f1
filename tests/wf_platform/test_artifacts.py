"""Artifacts and deployments as documents, and the rules over them."""

import json
import pickle
from typing import Any

import pytest

from tests.wf_platform.helpers import plan, platform_source, qualified, source
from wf_authoring import node
from wf_core import Workflow, WorkflowRef
from wf_platform import CapabilityBuckets, CapabilityRef, SourceRef, SourceRegistry
from wf_platform.artifacts import (
    RequiredCapability,
    WorkflowArtifact,
    WorkflowCapabilityRef,
    artifact_catalog_entry,
    artifact_node_name,
    create_workflow_artifact_from_plan,
    logical_ref_for_concrete_ref,
    normalize_plan_node_refs,
    validate_stored_id,
    workflow_capability_ref_from_workflow_ref,
    workflow_ref_from_artifact,
    workflow_ref_from_capability,
)
from wf_platform.deployments import (
    AvailableCapability,
    AvailableSource,
    DependencyDiagnostic,
    DiagnosticSeverity,
    DriftPolicy,
    SourceBinding,
    WorkflowDeployment,
    available_source,
    is_runnable,
    unused_binding_diagnostics,
    validate_deployment_dependencies,
)


def registry(*ids: str) -> SourceRegistry:
    made = SourceRegistry([source(source_id) for source_id in ids])
    made.add_builtin(platform_source())
    return made


def saved(node_name: str, sources: SourceRegistry | None = None, **fields: Any) -> WorkflowArtifact:
    return create_workflow_artifact_from_plan(
        artifact_id="report",
        version=1,
        title="Report",
        plan=plan(node_name),
        outcomes=["ok"],
        observed_node_specs=sources,
        **fields,
    )


def deployment(**bindings: str) -> WorkflowDeployment:
    return WorkflowDeployment(
        id="d",
        artifact_id="report",
        artifact_version=1,
        bindings={key.replace("_", "."): value for key, value in bindings.items()},
    )


def test_an_artifact_is_made_from_a_plan_over_concrete_sources() -> None:
    artifact = saved("demo.personal.echo", registry("demo.personal"), source_bindings={"demo": "demo.personal"})
    assert artifact.plan["nodes"][0]["node"] == "demo.echo"
    requirements = artifact.required_capability_map()
    assert list(requirements) == ["wf.std.replace", "demo.echo"]
    requirement = requirements["demo.echo"]
    assert (requirement.logical_source, requirement.capability_name, requirement.kind) == ("demo", "echo", "node_spec")
    assert requirement.capability_ref() == CapabilityRef.parse("demo.echo")
    assert requirement.observed_concrete_source == "demo.personal"
    assert requirement.input_schema_snapshot is not None
    assert requirement.input_schema_snapshot["properties"]["text"]["type"] == "string"
    assert artifact.outcomes == ("ok",)
    assert WorkflowArtifact.model_validate(artifact.model_dump(mode="json")) == artifact
    assert pickle.loads(pickle.dumps(artifact)) == artifact


def test_a_workflow_object_serves_as_a_plan_and_its_contracts_are_left_out() -> None:
    definition = qualified("demo").to_node_def().model_dump()
    workflow = Workflow.model_validate({**plan("demo.echo"), "node_defs": [definition]})
    artifact = create_workflow_artifact_from_plan(
        artifact_id="report", version=1, title="Report", plan=workflow, outcomes=("ok",)
    )
    assert "node_defs" not in artifact.plan
    assert artifact.plan["edges"] == [{"from": "call", "outcome": "ok", "to": "__end__"}]


@pytest.mark.parametrize("observed", ["mapping", "list", "inventories"])
def test_observed_contracts_may_be_given_one_by_one(observed: str) -> None:
    spec = qualified("demo.personal")
    inventories = source("demo.personal").as_inventory().capabilities.node_spec_details
    given: Any = {"mapping": {spec.name: spec}, "list": [spec], "inventories": inventories}[observed]
    artifact = create_workflow_artifact_from_plan(
        artifact_id="report",
        version=1,
        title="Report",
        plan=plan("demo.personal.echo"),
        outcomes=["ok"],
        source_bindings=[SourceBinding(logical_source="demo", concrete_source="demo.personal")],
        observed_node_specs=given,
    )
    assert str(artifact.required_capability_map()["demo.echo"].input_schema_hash).startswith("sha256:")


def test_a_bad_plan_is_a_value_error_with_every_problem() -> None:
    with pytest.raises(ValueError, match="invalid workflow plan: ") as caught:
        create_workflow_artifact_from_plan(artifact_id="r", version=1, title="R", plan={"name": "x"}, outcomes=["ok"])
    assert "input_schema" in str(caught.value)
    assert "nodes" in str(caught.value)
    with pytest.raises(ValueError, match="start node 'zzz' does not exist"):
        create_workflow_artifact_from_plan(
            artifact_id="r", version=1, title="R", plan={**plan("a.echo"), "start": "zzz"}, outcomes=["ok"]
        )
    with pytest.raises(ValueError, match="version"):
        create_workflow_artifact_from_plan(artifact_id="r", version=0, title="R", plan=plan("a.echo"), outcomes=["ok"])
    with pytest.raises(TypeError, match="plan"):
        create_workflow_artifact_from_plan(artifact_id="r", version=1, title="R", plan=[], outcomes=["ok"])


def test_names_become_logical_by_the_longest_concrete_id() -> None:
    bindings = {"short": "drive", "long": "drive.personal"}
    assert logical_ref_for_concrete_ref("drive.personal.files.read", bindings) == (
        "long.files.read",
        "long",
        "files.read",
        "drive.personal",
    )
    assert logical_ref_for_concrete_ref("mail.send", bindings) is None
    changed, requirements = normalize_plan_node_refs(plan("drive.personal.echo"), bindings)
    assert changed["nodes"][0]["node"] == "long.echo"
    assert [requirement.logical_source for requirement in requirements] == ["long"]


def test_refs_of_saved_workflows() -> None:
    reference = WorkflowCapabilityRef.parse("workflow.team.report.v3")
    assert (reference.artifact_id, reference.version, str(reference)) == ("team.report", 3, "workflow.team.report.v3")
    assert reference == WorkflowCapabilityRef("team.report", 3)
    assert reference.model_dump() == {"artifact_id": "team.report", "version": 3}
    workflow_ref = workflow_ref_from_capability(reference)
    assert workflow_ref == WorkflowRef(artifact_id="team.report", version=3)
    assert workflow_capability_ref_from_workflow_ref(workflow_ref) == reference
    with pytest.raises(ValueError, match="require an artifact workflow ref"):
        workflow_capability_ref_from_workflow_ref(WorkflowRef(name="child"))
    for text, message in [
        ("wf.x", "workflow namespace"),
        ("workflow.x", "v<version>"),
        ("workflow.x.v0", "version >= 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            WorkflowCapabilityRef.parse(text)


def test_an_artifact_in_listings_has_no_plan() -> None:
    artifact = saved("demo.echo")
    assert artifact_node_name(artifact) == "workflow.report.v1"
    assert workflow_ref_from_artifact(artifact).display == "workflow.report.v1"
    entry = artifact_catalog_entry(artifact)
    assert (entry.display_name, entry.required_sources) == ("Report", ["demo", "wf.std"])
    assert "plan" not in entry.model_dump()


def test_legacy_shapes_are_read_and_written_canonically() -> None:
    deployed = WorkflowDeployment.model_validate(
        {"deployment_id": "d", "artifact_id": "report", "artifact_version": 1, "bindings": {"drive": "drive.personal"}}
    )
    assert deployed.model_dump(mode="json") == {
        "id": "d",
        "artifact_id": "report",
        "artifact_version": 1,
        "bindings": [{"logical_source": "drive", "concrete_source": "drive.personal"}],
        "drift_policy": "block",
    }
    assert deployed.bindings[0].concrete_ref() == SourceRef.parse("drive.personal")
    requirement = RequiredCapability.model_validate(
        {"logical_source": "drive", "capability_name": "files.read", "kind": "tool"}
    )
    assert requirement.model_dump(mode="json")["ref"] == {"source": "drive", "capability_key": "files.read"}
    with pytest.raises(ValueError, match="mutually exclusive"):
        WorkflowDeployment(id="d", deployment_id="d", artifact_id="r", artifact_version=1)  # type: ignore[call-arg]
    binding = {"logical_source": "a", "concrete_source": "b"}
    with pytest.raises(ValueError, match="duplicate deployment source bindings: a"):
        WorkflowDeployment(id="d", artifact_id="r", artifact_version=1, bindings=[binding, binding])


def test_enums_say_what_the_documents_say() -> None:
    schema = json.dumps(WorkflowDeployment.model_json_schema())
    assert json.dumps([policy.value for policy in DriftPolicy]) in schema
    schema = json.dumps(DependencyDiagnostic.model_json_schema())
    assert json.dumps([severity.value for severity in DiagnosticSeverity]) in schema
    assert deployment().drift_policy == DriftPolicy.BLOCK


def codes(diagnostics: list[DependencyDiagnostic]) -> list[tuple[str, str, str | None]]:
    assert all(diagnostic.repair_hint for diagnostic in diagnostics)
    return [(diagnostic.code, diagnostic.logical_ref, diagnostic.bound_source) for diagnostic in diagnostics]


def test_every_missing_dependency_has_its_code_and_a_hint() -> None:
    sources = registry("drive.personal", "drive.off")
    sources.disable("drive.off")
    artifact = saved("drive.echo")

    def check(**bindings: str) -> list[tuple[str, str, str | None]]:
        return codes(
            validate_deployment_dependencies(artifact=artifact, deployment=deployment(**bindings), sources=sources)
        )

    assert check(drive="drive.personal") == [("capability_missing", "wf.std.replace", "wf.std")]
    sources.remove("wf.std")
    assert check(drive="drive.personal") == [("binding_missing", "wf.std.replace", None)]
    assert check()[1] == ("binding_missing", "drive.echo", None)
    assert check(drive="nowhere")[1] == ("source_missing", "drive.echo", "nowhere")
    assert check(drive="drive.off")[1] == ("source_disabled", "drive.echo", "drive.off")


def available(source_id: str, **fields: Any) -> AvailableSource:
    return AvailableSource(id=source_id, **fields)


def test_sources_may_be_documents() -> None:
    requirement = RequiredCapability(ref="drive.read", kind="node_spec", input_schema_hash="sha256:old")
    artifact = saved("drive.read").model_copy(update={"required_capabilities": [requirement]})
    read = AvailableCapability(name="read", kind="node_spec", input_schema_hash="sha256:new")
    sources = {"drive.personal": available("drive.personal", capabilities={"read": read})}
    deployed = deployment(drive="drive.personal")
    found = validate_deployment_dependencies(artifact=artifact, deployment=deployed, sources=sources)
    assert codes(found) == [("schema_changed", "drive.read", "drive.personal")]
    assert (found[0].severity, is_runnable(found)) == (DiagnosticSeverity.ERROR, False)
    warned = deployed.model_copy(update={"drift_policy": "warn"})
    found = validate_deployment_dependencies(artifact=artifact, deployment=warned, sources=list(sources.values()))
    assert (found[0].severity, is_runnable(found)) == (DiagnosticSeverity.WARNING, True)
    allowed = deployed.model_copy(update={"drift_policy": "allow"})
    assert validate_deployment_dependencies(artifact=artifact, deployment=allowed, sources=sources) == []


def test_a_platform_source_is_bound_to_itself_or_not_at_all() -> None:
    artifact = saved("drive.read").model_copy(
        update={"required_capabilities": [{"ref": "wf.std.add", "kind": "reducer"}]}
    )
    add = AvailableCapability(name="add", kind="reducer")
    sources = {"wf.std": available("wf.std", platform=True, capabilities={"add": add})}

    def check(**bindings: str) -> list[tuple[str, str, str | None]]:
        return codes(
            validate_deployment_dependencies(artifact=artifact, deployment=deployment(**bindings), sources=sources)
        )

    assert check() == check(wf_std="wf.std") == []
    assert check(wf_std="other") == [("platform_binding_forbidden", "wf.std", "other")]


def test_d23_editing_a_docstring_does_not_block_a_deployment() -> None:
    def made(description: str) -> SourceRegistry:
        def echo(text: str) -> str:
            return text

        echo.__doc__ = description
        spec = node(name="drive.personal.echo")(echo)
        return SourceRegistry([source("drive.personal", capabilities=CapabilityBuckets(node_specs={spec.name: spec}))])

    artifact = saved("drive.personal.echo", made("Says it back."), source_bindings={"drive": "drive.personal"})
    artifact = artifact.model_copy(update={"required_capabilities": [artifact.required_capability_map()["drive.echo"]]})
    found = validate_deployment_dependencies(
        artifact=artifact, deployment=deployment(drive="drive.personal"), sources=made("Repeats what it hears.")
    )
    assert found == []


def test_bindings_that_nothing_uses_are_warned_about() -> None:
    found = unused_binding_diagnostics(
        artifact=saved("drive.echo"),
        deployment=deployment(drive="drive.personal", docs="files.gone"),
        sources=registry("drive.personal"),
    )
    assert codes(found) == [("source_missing", "docs", "files.gone")]
    assert is_runnable(found)


def test_a_source_as_deployments_see_it() -> None:
    shown = available_source(source("drive.personal"))
    assert list(shown.capabilities) == ["echo"]
    assert shown.capabilities["echo"].kind == "node_spec"
    assert (shown.enabled, shown.platform, shown.binding_required) == (True, False, True)


def test_stored_ids_are_good_path_components() -> None:
    assert validate_stored_id("artifact_id", "team.report-2") == "team.report-2"
    with pytest.raises(ValueError, match="deployment_id must start with alphanumeric"):
        validate_stored_id("deployment_id", "../x")


def test_the_older_package_has_the_same_objects() -> None:
    import wf_artifacts
    from wf_artifacts.models import WorkflowArtifact as Older

    assert Older is WorkflowArtifact
    assert all(getattr(wf_artifacts, name) is not None for name in wf_artifacts.__all__)
