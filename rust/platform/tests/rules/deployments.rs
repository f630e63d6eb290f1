//! Deployments: what bindings mean, every diagnostic, and that what was validated is what runs.

use proptest::prelude::*;
use wf_core::document::{Document, Workflow};
use wf_core::value::Value;
use wf_platform::artifact::{
    ArtifactDraft, ArtifactKind, RequiredCapability, WorkflowArtifact, create_artifact_from_plan,
};
use wf_platform::capability::{CapabilityBuckets, CapabilityKind, Entry, SchemaSide};
use wf_platform::deployment::{
    AvailableSource, DependencyDiagnostic, DiagnosticSeverity, DriftPolicy, SourceBinding, WorkflowDeployment,
    is_runnable, resolve_runtime_dependencies, unused_binding_diagnostics, validate_deployment_dependencies,
};
use wf_platform::glob::Globs;
use wf_platform::registry::{Snapshot, SourceRegistry};
use wf_platform::source::{SourceOverrides, SourcePermissions, SourcePolicy};

use crate::support::{Secret, contract, document, echo_source, id, one_step_plan, registry_with};

fn requirement(display: &str, kind: &str) -> RequiredCapability {
    document(&format!(r#"{{"ref": "{display}", "kind": "{kind}"}}"#))
}

fn artifact(requirements: Vec<RequiredCapability>) -> WorkflowArtifact {
    WorkflowArtifact {
        required_capabilities: requirements,
        ..document(
            r#"{"id": "report", "version": 1, "title": "Report", "input_schema": {}, "output_schema": {}, "outcomes": ["ok"], "plan": {}}"#,
        )
    }
}

fn deployment(pairs: &[(&str, &str)]) -> WorkflowDeployment {
    WorkflowDeployment {
        id: "d".into(),
        artifact_id: "report".into(),
        artifact_version: 1,
        bindings: pairs
            .iter()
            .map(|(logical, concrete)| SourceBinding {
                logical_source: (*logical).into(),
                concrete_source: (*concrete).into(),
            })
            .collect(),
        drift_policy: DriftPolicy::Block,
    }
}

/// An artifact with one step that calls `node`, made against these sources.
fn saved(node: &str, pairs: &[(&str, &str)], registry: &SourceRegistry<Secret>) -> WorkflowArtifact {
    let draft = ArtifactDraft {
        artifact_id: "report".into(),
        version: 1,
        title: "Report".into(),
        kind: ArtifactKind::Workflow,
        description: None,
        plan: one_step_plan(node),
        outcomes: vec!["ok".into()],
        required_capabilities: Vec::new(),
        source_bindings: deployment(pairs).bindings,
        created_from_catalog_version: Value::Null,
        observed_at_epoch_ms: None,
    };
    create_artifact_from_plan(&draft, &*registry.snapshot(), &|_| None).expect("a good plan")
}

type Row = (DiagnosticSeverity, String, String, Option<String>);

fn rows(diagnostics: &[DependencyDiagnostic]) -> Vec<Row> {
    let row = |one: &DependencyDiagnostic| {
        assert!(one.repair_hint.is_some(), "every diagnostic says what to do: {one:?}");
        (one.severity, one.code.to_string(), one.logical_ref.to_string(), one.bound_source.as_deref().map(Into::into))
    };
    diagnostics.iter().map(row).collect()
}

fn error(code: &str, about: &str, bound: Option<&str>) -> Row {
    (DiagnosticSeverity::Error, code.into(), about.into(), bound.map(Into::into))
}

fn check(artifact: &WorkflowArtifact, deployment: &WorkflowDeployment, snapshot: &Snapshot<Secret>) -> Vec<Row> {
    rows(&validate_deployment_dependencies(artifact, deployment, snapshot))
}

#[test]
fn each_thing_that_can_be_wrong_has_its_code() {
    let registry = registry_with(vec![echo_source("drive.personal"), echo_source("drive.off")]);
    registry.disable("drive.off").expect("known");
    let snapshot = registry.snapshot();
    let needs = |display| artifact(vec![requirement(display, "node_spec")]);

    assert_eq!(check(&needs("drive.echo"), &deployment(&[("drive", "drive.personal")]), &snapshot), []);
    assert_eq!(
        check(&needs("drive.echo"), &deployment(&[]), &snapshot),
        [error("binding_missing", "drive.echo", None)]
    );
    assert_eq!(
        check(&needs("drive.echo"), &deployment(&[("drive", "drive.personel")]), &snapshot),
        [error("source_missing", "drive.echo", Some("drive.personel"))]
    );
    assert_eq!(
        check(&needs("drive.echo"), &deployment(&[("drive", "drive.off")]), &snapshot),
        [error("source_disabled", "drive.echo", Some("drive.off"))]
    );
    assert_eq!(
        check(&needs("drive.ehco"), &deployment(&[("drive", "drive.personal")]), &snapshot),
        [error("capability_missing", "drive.ehco", Some("drive.personal"))]
    );
    assert_eq!(
        check(&needs("drive.sum"), &deployment(&[("drive", "drive.personal")]), &snapshot),
        [error("capability_missing", "drive.sum", Some("drive.personal"))],
        "a reducer is no node spec"
    );
}

#[test]
fn hints_say_the_fix() {
    let registry = registry_with(vec![echo_source("drive.personal")]);
    let snapshot = registry.snapshot();
    let hint = |display: &str, pairs: &[(&str, &str)]| {
        let found = validate_deployment_dependencies(
            &artifact(vec![requirement(display, "node_spec")]),
            &deployment(pairs),
            &*snapshot,
        );
        found[0].repair_hint.clone().expect("a hint").to_string()
    };
    assert_eq!(hint("drive.echo", &[("drive", "drive.personel")]), "did you mean `drive.personal`?");
    assert_eq!(hint("drive.ehco", &[("drive", "drive.personal")]), "did you mean `echo`?");
    assert_eq!(hint("drive.personal.echo", &[]), "bind `drive.personal`, for example to `drive.personal`");
    assert_eq!(hint("drive.sum", &[("drive", "drive.personal")]), "`sum` of `drive.personal` is a reducer");
    assert_eq!(hint("wf.std.add", &[("wf.std", "drive.personal")]), "remove the binding of `wf.std`");
}

#[test]
fn a_platform_source_means_itself_and_cannot_be_bound_elsewhere() {
    let registry = registry_with(vec![echo_source("drive.personal")]);
    let snapshot = registry.snapshot();
    let artifact = artifact(vec![requirement("wf.std.add", "reducer")]);
    assert_eq!(check(&artifact, &deployment(&[]), &snapshot), []);
    assert_eq!(
        check(&artifact, &deployment(&[("wf.std", "wf.std")]), &snapshot),
        [],
        "binding it to itself changes nothing"
    );
    assert_eq!(
        check(&artifact, &deployment(&[("wf.std", "drive.personal")]), &snapshot),
        [error("platform_binding_forbidden", "wf.std", Some("drive.personal"))]
    );
    let empty = SourceRegistry::<Secret>::new();
    assert_eq!(
        check(&artifact, &deployment(&[]), &empty.snapshot()),
        [error("binding_missing", "wf.std.add", None)],
        "a platform source that is not there is like any other"
    );
}

#[test]
fn a_source_that_needs_no_binding_means_itself_until_it_is_bound() {
    let registry = registry_with(vec![echo_source("house").with_policy(SourcePolicy::Unbound), echo_source("other")]);
    let snapshot = registry.snapshot();
    let artifact = artifact(vec![requirement("house.echo", "node_spec")]);
    assert_eq!(check(&artifact, &deployment(&[]), &snapshot), []);
    assert_eq!(
        check(&artifact, &deployment(&[("house", "nowhere")]), &snapshot),
        [error("source_missing", "house.echo", Some("nowhere"))]
    );
}

#[test]
fn diagnostics_come_bindings_first_then_requirements_in_order() {
    let registry = registry_with(vec![]);
    let artifact = artifact(vec![
        requirement("b.x", "tool"),
        requirement("a.x", "tool"),
        requirement("workflow.c.v1", "workflow"),
    ]);
    assert_eq!(
        check(&artifact, &deployment(&[("wf.std", "x")]), &registry.snapshot()),
        [
            error("platform_binding_forbidden", "wf.std", Some("x")),
            error("binding_missing", "b.x", None),
            error("binding_missing", "a.x", None),
        ]
    );
}

/// A source whose `echo` takes another field than when the workflow was saved.
fn drifted(id_text: &str) -> crate::support::Source {
    let source = echo_source(id_text);
    let mut buckets = CapabilityBuckets::default();
    let name = id(id_text).qualify("echo");
    let contract = contract(
        &name,
        r#"{"type": "object", "properties": {"text": {"type": "string"}, "lang": {"type": "string"}}, "required": ["text", "lang"]}"#,
        r#"{"title": "Changed title", "type": "object", "properties": {"echoed": {"type": "string", "description": "new"}}, "required": ["echoed"]}"#,
    );
    buckets.node_specs.insert(name, Entry::new(contract, Secret("node handle")));
    source.with_capabilities(buckets)
}

#[test]
fn d20_drift_blocks_warns_or_is_allowed() {
    let before = registry_with(vec![echo_source("drive.personal")]);
    let artifact = saved("drive.personal.echo", &[("drive", "drive.personal")], &before);
    let after = registry_with(vec![drifted("drive.personal")]);
    let snapshot = after.snapshot();
    let with = |policy| {
        let deployment = WorkflowDeployment { drift_policy: policy, ..deployment(&[("drive", "drive.personal")]) };
        validate_deployment_dependencies(&artifact, &deployment, &*snapshot)
    };
    let blocked = with(DriftPolicy::Block);
    assert_eq!(rows(&blocked), [error("schema_changed", "drive.echo", Some("drive.personal"))]);
    assert!(blocked[0].message.contains("input schema: `lang` was added and is required"), "{}", blocked[0].message);
    assert!(!blocked[0].message.contains("output"), "titles and descriptions are no drift: {}", blocked[0].message);
    assert!(!is_runnable(&blocked));
    let warned = with(DriftPolicy::Warn);
    assert_eq!(warned[0].severity, DiagnosticSeverity::Warning);
    assert!(is_runnable(&warned), "only errors block");
    assert_eq!(with(DriftPolicy::Allow), []);
}

#[test]
fn d25_what_workflows_may_not_use_is_unrunnable() {
    let unsafe_source = echo_source("drive.personal").with_permissions(SourcePermissions::default());
    let registry = registry_with(vec![unsafe_source]);
    let artifact = artifact(vec![requirement("drive.echo", "node_spec")]);
    let bound = deployment(&[("drive", "drive.personal")]);
    let denied = error("capability_not_allowed", "drive.echo", Some("drive.personal"));
    assert_eq!(check(&artifact, &bound, &registry.snapshot()), std::slice::from_ref(&denied));
    let allow = SourceOverrides { allow: Globs::from_iter(["echo"]), ..SourceOverrides::default() };
    registry.set_overrides(&id("drive.personal"), allow.clone()).expect("known");
    assert_eq!(check(&artifact, &bound, &registry.snapshot()), []);
    let deny = SourceOverrides { deny: Globs::every(), ..allow };
    registry.set_overrides(&id("drive.personal"), deny).expect("known");
    assert_eq!(check(&artifact, &bound, &registry.snapshot()), [denied]);
}

#[test]
fn bindings_that_nothing_uses_are_warned_about_when_they_cannot_work() {
    let registry = registry_with(vec![echo_source("drive.personal"), echo_source("mail.off")]);
    registry.disable("mail.off").expect("known");
    let snapshot = registry.snapshot();
    let artifact = artifact(vec![requirement("drive.echo", "node_spec")]);
    let bound = deployment(&[
        ("drive", "drive.personal"),
        ("docs", "files.docs"),
        ("mail", "mail.off"),
        ("again", "drive.personal"),
    ]);
    assert_eq!(check(&artifact, &bound, &snapshot), [], "requirements are fine");
    let found = unused_binding_diagnostics(&[&artifact], &bound, &*snapshot);
    let warning = |code: &str, about: &str, bound: &str| {
        (DiagnosticSeverity::Warning, code.to_owned(), about.to_owned(), Some(bound.to_owned()))
    };
    assert_eq!(
        rows(&found),
        [warning("source_missing", "docs", "files.docs"), warning("source_disabled", "mail", "mail.off")]
    );
    assert!(is_runnable(&found));
}

#[test]
fn sources_as_documents_give_the_same_answers_as_the_registry() {
    let registry =
        registry_with(vec![echo_source("drive.personal"), echo_source("house").with_policy(SourcePolicy::Unbound)]);
    let snapshot = registry.snapshot();
    let documents: Vec<AvailableSource> = snapshot.iter().map(|entry| AvailableSource::of(entry.source())).collect();
    let parsed: Vec<AvailableSource> =
        documents.iter().map(|one| AvailableSource::parse(&one.dump()).expect("reads back")).collect();
    assert_eq!(parsed, documents);
    let artifact = artifact(vec![
        requirement("drive.echo", "node_spec"),
        requirement("drive.sum", "reducer"),
        requirement("drive.gone", "node_spec"),
        requirement("house.echo", "node_spec"),
        requirement("wf.std.add", "reducer"),
        requirement("mail.send", "tool"),
    ]);
    for pairs in [&[("drive", "drive.personal")][..], &[("drive", "house"), ("wf.std", "x")], &[]] {
        let deployment = deployment(pairs);
        assert_eq!(
            validate_deployment_dependencies(&artifact, &deployment, &parsed[..]),
            validate_deployment_dependencies(&artifact, &deployment, &*snapshot)
        );
    }
}

#[test]
fn d21_a_rebound_source_is_what_runs_even_when_the_name_exists_as_it_is() {
    // The plan says `a.one.echo`, a concrete name; the deployment binds `a.one` to `a.two`.
    let registry = registry_with(vec![echo_source("a.one"), echo_source("a.two")]);
    let artifact = saved("a.one.echo", &[], &registry);
    let workflow = Workflow::parse(&Value::Object(artifact.plan.clone())).expect("a workflow");
    let deployment = deployment(&[("a.one", "a.two")]);
    let snapshot = registry.snapshot();
    assert_eq!(check(&artifact, &deployment, &snapshot), []);
    let dependencies = resolve_runtime_dependencies(&artifact, &workflow, &deployment, &snapshot).expect("it runs");
    let node = &dependencies.nodes[0];
    assert_eq!((&*node.name, &*node.source_id, &*node.concrete_name), ("a.one.echo", "a.two", "a.two.echo"));
    assert_eq!(node.handle.as_ref().map(|handle| handle.0), Some("node handle"));
    assert_eq!(&*node.contract.def.name, "a.two.echo");
    let reducers: Vec<&str> = dependencies.reducers.iter().map(|one| &*one.concrete_name).collect();
    assert_eq!(reducers, ["wf.std.replace"]);
}

#[test]
fn what_cannot_run_is_named_all_at_once() {
    let registry = registry_with(vec![echo_source("a.one")]);
    let artifact = saved("a.one.echo", &[("a", "a.one")], &registry);
    let workflow = Workflow::parse(&Value::Object(artifact.plan.clone())).expect("a workflow");
    let codes = |pairs: &[(&str, &str)], registry: &SourceRegistry<Secret>| -> Vec<&'static str> {
        resolve_runtime_dependencies(&artifact, &workflow, &deployment(pairs), &registry.snapshot())
            .expect_err("it does not run")
            .iter()
            .map(wf_platform::PlatformError::code)
            .collect()
    };
    assert_eq!(codes(&[], &registry), ["deployment.unbound_source"]);
    assert_eq!(codes(&[("a", "b")], &registry), ["source.unknown"]);
    assert_eq!(codes(&[("a", "wf.std")], &registry), ["capability.unknown"]);
    registry.disable("a.one").expect("known");
    assert_eq!(codes(&[("a", "a.one")], &registry), ["capability.disabled"]);
    assert_eq!(codes(&[], &SourceRegistry::new()), ["deployment.unbound_source", "deployment.unbound_source"]);
}

#[test]
fn d22_a_boundary_that_was_guessed_is_found_by_the_binding() {
    let name = "ops.team.echo";
    let source = echo_source("house.ops");
    let mut buckets = CapabilityBuckets::default();
    buckets.node_specs.insert(
        "house.ops.team.echo",
        Entry::new(crate::support::echo_contract("house.ops.team.echo"), Secret("node handle")),
    );
    let registry = registry_with(vec![source.with_capabilities(buckets)]);
    let artifact = saved(name, &[], &registry);
    assert_eq!(&*artifact.requirement(name).expect("recorded").logical_source(), "ops.team", "the guess");
    let deployment = deployment(&[("ops", "house.ops")]);
    assert_eq!(check(&artifact, &deployment, &registry.snapshot()), []);
    let workflow = Workflow::parse(&Value::Object(artifact.plan.clone())).expect("a workflow");
    let dependencies =
        resolve_runtime_dependencies(&artifact, &workflow, &deployment, &registry.snapshot()).expect("it runs");
    assert_eq!(&*dependencies.nodes[0].concrete_name, "house.ops.team.echo");
}

proptest! {
    /// The law behind D21: a deployment without errors finds everything, and one that finds everything has no errors
    /// about its nodes.
    #[test]
    fn what_validates_runs_and_what_runs_validates(
        node in "(a|a\\.b|wf\\.std)\\.(echo|b\\.echo|sum)",
        recorded in any::<bool>(),
        pairs in prop::collection::btree_map("(a|a\\.b|wf\\.std)", "(a|a\\.b|c|wf\\.std)", 0..3),
        enabled in any::<bool>(),
        is_safe in any::<bool>(),
        unbound in any::<bool>(),
    ) {
        let permissions = SourcePermissions { safe_for_workflow: is_safe, ..SourcePermissions::default() };
        let policy = if unbound { SourcePolicy::Unbound } else { SourcePolicy::Bound };
        let registry = registry_with(vec![echo_source("a").with_policy(policy), echo_source("a.b").with_permissions(permissions)]);
        if !enabled {
            registry.disable("a").expect("known");
        }
        let made_against = if recorded { registry_with(vec![echo_source("a"), echo_source("a.b")]) } else { registry_with(vec![]) };
        let artifact = saved(&node, &[], &made_against);
        let workflow = Workflow::parse(&Value::Object(artifact.plan.clone())).expect("a workflow");
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(logical, concrete)| (logical.as_str(), concrete.as_str())).collect();
        let deployment = WorkflowDeployment { drift_policy: DriftPolicy::Allow, ..deployment(&pairs) };
        let snapshot = registry.snapshot();
        let diagnostics = validate_deployment_dependencies(&artifact, &deployment, &*snapshot);
        let about_needs = diagnostics.iter().filter(|one| &*one.code != "platform_binding_forbidden").count();
        let run = resolve_runtime_dependencies(&artifact, &workflow, &deployment, &snapshot);
        prop_assert_eq!(about_needs == 0, run.is_ok(), "{:?} against {:?}", diagnostics, run.as_ref().err());
        if let Ok(run) = run {
            for found in &run.nodes {
                prop_assert!(snapshot.node_spec(&found.concrete_name).is_ok());
                prop_assert_eq!(found.contract.hash(SchemaSide::Input), snapshot.node_spec(&found.concrete_name).expect("there").capability.contract().hash(SchemaSide::Input));
            }
        }
        prop_assert!(artifact.required_capabilities.iter().all(|one| one.kind != CapabilityKind::Workflow));
    }
}
