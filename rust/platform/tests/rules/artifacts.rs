//! Artifacts: from a plan over concrete sources to a document over logical ones.

use std::sync::Arc;

use wf_core::document::Document;
use wf_core::value::{Object, Value};
use wf_platform::PlatformError;
use wf_platform::artifact::{
    ArtifactDraft, ArtifactKind, RequiredCapability, SavedSubgraphTree, WorkflowArtifact, WorkflowArtifactCatalogEntry,
    WorkflowCapabilityRef, artifact_node_name, check_stored_id, create_artifact_from_plan,
    logical_ref_for_concrete_ref, normalize_plan_node_refs,
};
use wf_platform::capability::{CapabilityBuckets, CapabilityKind, Entry};
use wf_platform::contracts::ObservedContracts;
use wf_platform::deployment::SourceBinding;
use wf_platform::source::SourceKind;

use crate::support::{Secret, Source, document, echo_contract, echo_source, id, object, one_step_plan, registry_with};

fn bindings(pairs: &[(&str, &str)]) -> Vec<SourceBinding> {
    let binding = |&(logical, concrete): &(&str, &str)| SourceBinding {
        logical_source: logical.into(),
        concrete_source: concrete.into(),
    };
    pairs.iter().map(binding).collect()
}

fn draft(plan: Object, pairs: &[(&str, &str)]) -> ArtifactDraft {
    ArtifactDraft {
        artifact_id: "report".into(),
        version: 1,
        title: "Report".into(),
        kind: ArtifactKind::Workflow,
        description: None,
        plan,
        outcomes: vec!["ok".into()],
        required_capabilities: Vec::new(),
        source_bindings: bindings(pairs),
        created_from_catalog_version: Value::Null,
        observed_at_epoch_ms: None,
    }
}

fn created(draft: &ArtifactDraft, sources: Vec<Source>) -> Result<WorkflowArtifact, PlatformError> {
    create_artifact_from_plan(draft, &*registry_with(sources).snapshot(), &|_| None)
}

fn displays(artifact: &WorkflowArtifact) -> Vec<String> {
    artifact.required_capabilities.iter().map(|requirement| requirement.display().to_string()).collect()
}

fn node_of(plan: &Object) -> &str {
    let nodes = plan.get("nodes").and_then(Value::as_list).expect("nodes");
    nodes[0].as_object().expect("a step").get("node").and_then(Value::as_str).expect("a name")
}

#[test]
fn the_longest_concrete_id_counts_when_names_are_made_logical() {
    let pairs = bindings(&[("short", "drive"), ("long", "drive.personal"), ("again", "drive.personal")]);
    let found = logical_ref_for_concrete_ref("drive.personal.files.read", &pairs).expect("bound");
    assert_eq!((&*found.logical_ref, &*found.logical_source), ("long.files.read", "long"));
    assert_eq!((&*found.capability_name, &*found.concrete_source), ("files.read", "drive.personal"));
    assert!(logical_ref_for_concrete_ref("drives.personal.read", &pairs).is_none());
    assert!(logical_ref_for_concrete_ref("drive.", &pairs).is_none());
}

#[test]
fn a_plan_over_a_concrete_source_becomes_one_over_a_logical_source() {
    let artifact = created(
        &draft(one_step_plan("demo.personal.echo"), &[("demo", "demo.personal")]),
        vec![echo_source("demo.personal")],
    )
    .expect("a good plan");
    assert_eq!(node_of(&artifact.plan), "demo.echo");
    assert_eq!(displays(&artifact), ["wf.std.replace", "demo.echo"]);
    let requirement = artifact.requirement("demo.echo").expect("recorded");
    assert_eq!(requirement.kind, CapabilityKind::NodeSpec);
    assert_eq!(requirement.observed_concrete_source.as_deref(), Some("demo.personal"));
    let contract = echo_contract("any");
    assert_eq!(requirement.input_schema_snapshot.as_ref(), Some(contract.def.input_schema.as_object()));
    assert!(requirement.input_schema_hash.as_deref().expect("a hash").starts_with("sha256:"));
    assert_eq!(WorkflowArtifact::parse(&artifact.dump()).as_ref(), Ok(&artifact), "it reads back as it was written");
}

#[test]
fn names_that_no_binding_covers_stay_and_are_observed_as_they_are() {
    let artifact = created(&draft(one_step_plan("demo.personal.echo"), &[]), vec![echo_source("demo.personal")])
        .expect("a good plan");
    assert_eq!(node_of(&artifact.plan), "demo.personal.echo");
    let requirement = artifact.requirement("demo.personal.echo").expect("recorded");
    assert_eq!(&*requirement.logical_source(), "demo.personal");
    assert!(requirement.output_schema_hash.is_some());
}

#[test]
fn d22_dots_in_capability_names_split_at_the_source_that_owns_them() {
    let ops = id("ops");
    let mut buckets = CapabilityBuckets::default();
    buckets.node_specs.insert("ops.foo.bar", Entry::new(echo_contract("ops.foo.bar"), Secret("handle")));
    let source = Source::new(ops, SourceKind::Python).with_capabilities(buckets);
    let artifact = created(&draft(one_step_plan("ops.foo.bar"), &[]), vec![source]).expect("a good plan");
    let requirement = artifact.requirement("ops.foo.bar").expect("recorded");
    assert_eq!((&*requirement.logical_source(), &**requirement.capability_name()), ("ops", "foo.bar"));

    let unknown = created(&draft(one_step_plan("ops.foo.bar"), &[]), vec![]).expect("a good plan");
    let requirement = unknown.requirement("ops.foo.bar").expect("recorded");
    assert_eq!(&*requirement.logical_source(), "ops.foo", "without a source the last dot is the best guess");

    let mut stated = draft(one_step_plan("ops.foo.bar"), &[]);
    stated.required_capabilities =
        vec![document(r#"{"ref": {"source": "ops", "capability_key": "foo.bar"}, "kind": "node_spec"}"#)];
    let artifact = created(&stated, vec![]).expect("a good plan");
    assert_eq!(displays(&artifact), ["wf.std.replace", "ops.foo.bar"]);
    assert_eq!(&*artifact.requirement("ops.foo.bar").expect("recorded").logical_source(), "ops");
}

#[test]
fn d22_a_binding_does_not_take_names_of_a_source_with_a_longer_id() {
    let sources = vec![echo_source("team"), echo_source("team.files")];
    let artifact = created(&draft(one_step_plan("team.files.echo"), &[("t", "team")]), sources).expect("a good plan");
    assert_eq!(node_of(&artifact.plan), "team.files.echo");
}

#[test]
fn requirements_that_the_author_states_win() {
    let mut draft = draft(one_step_plan("demo.personal.echo"), &[("demo", "demo.personal")]);
    draft.required_capabilities =
        vec![document(r#"{"ref": "demo.echo", "kind": "tool", "input_schema_hash": "sha256:mine"}"#)];
    let artifact = created(&draft, vec![echo_source("demo.personal")]).expect("a good plan");
    let requirement = artifact.requirement("demo.echo").expect("recorded");
    assert_eq!(
        (requirement.kind, requirement.input_schema_hash.as_deref()),
        (CapabilityKind::Tool, Some("sha256:mine"))
    );
    assert_eq!(displays(&artifact), ["wf.std.replace", "demo.echo"], "each once");
}

#[test]
fn reducers_are_required_and_made_logical_too() {
    let mut plan = one_step_plan("demo.personal.echo");
    let state = object(
        r#"{"type": "object", "$defs": {"n": {"type": "integer", "reducer": "demo.personal.sum"}},
            "properties": {"echoed": {"type": "string"}, "reducer": {"type": "string"},
                           "total": {"type": "integer", "reducer": {"ref": "demo.personal.sum", "config": {}}},
                           "nested": {"type": "object", "properties": {"deep": {"type": "array", "reducer": "wf.std.append"}}}}}"#,
    );
    plan.insert("state_schema", state);
    let artifact =
        created(&draft(plan, &[("demo", "demo.personal")]), vec![echo_source("demo.personal")]).expect("a good plan");
    let kinds: Vec<(String, CapabilityKind)> =
        artifact.required_capabilities.iter().map(|one| (one.display().to_string(), one.kind)).collect();
    for expected in ["wf.std.replace", "demo.sum", "wf.std.append"] {
        assert!(kinds.contains(&(expected.to_owned(), CapabilityKind::Reducer)), "{expected} in {kinds:?}");
    }
    let text = Value::Object(artifact.plan.clone()).to_json();
    assert!(!text.contains("demo.personal"), "{text}");
    assert!(text.contains(r#""reducer":{"type":"string"}"#), "a property called `reducer` is no reducer: {text}");
}

fn parent_plan() -> Object {
    object(
        r#"{"name": "parent", "start": "child", "input_schema": {"type": "object"}, "state_schema": {"type": "object"},
            "output_schema": {"type": "object"},
            "nodes": [{"id": "child", "type": "subgraph", "workflow": "workflow.team.child.v2",
                       "input_schema": {"type": "object"}, "output_schema": {"type": "object"}},
                      {"id": "older", "type": "subgraph", "workflow": {"artifact_id": "team.child", "version": 1},
                       "input_schema": {"type": "object"}, "output_schema": {"type": "object"}}],
            "edges": [{"from": "child", "outcome": "ok", "to": "older"}, {"from": "older", "outcome": "ok", "to": "__end__"}]}"#,
    )
}

#[test]
fn d24_child_workflows_are_recorded() {
    let child = created(&draft(one_step_plan("demo.echo"), &[]), vec![]).expect("a good plan");
    let children = |reference: &WorkflowCapabilityRef| (reference.version == 2).then(|| Arc::new(child.clone()));
    let artifact = create_artifact_from_plan(&draft(parent_plan(), &[]), &*registry_with(vec![]).snapshot(), &children)
        .expect("a good plan");
    assert_eq!(displays(&artifact), ["workflow.team.child.v2", "workflow.team.child.v1"]);
    assert!(artifact.required_capabilities.iter().all(|one| one.kind == CapabilityKind::Workflow));
    assert!(artifact.required_capabilities[0].input_schema_hash.is_some());
    assert!(artifact.required_capabilities[1].input_schema_hash.is_none());
    assert_eq!(artifact.workflow_dependencies, [("team.child".into(), 2)]);
    let entry = WorkflowArtifactCatalogEntry::of(&artifact, vec![]);
    assert!(entry.required_sources.is_empty(), "saved workflows are no source: {:?}", entry.required_sources);
}

#[test]
fn d24_an_artifact_saved_as_it_is_gets_the_requirements_nobody_recorded() {
    let complete = created(&draft(one_step_plan("demo.echo"), &[]), vec![echo_source("demo")]).expect("a good plan");
    let mut bare = complete.clone();
    bare.required_capabilities.retain(|requirement| requirement.kind == CapabilityKind::Reducer);
    let completed = bare
        .with_found_requirements(&*registry_with(vec![echo_source("demo")]).snapshot(), &|_| None)
        .expect("a good plan");
    assert_eq!(completed, complete);
}

fn refusal(plan: Object) -> String {
    let error = created(&draft(plan, &[]), vec![echo_source("demo")]).expect_err("a bad plan");
    assert_eq!(error.code(), "artifact.invalid_plan");
    error.to_string()
}

#[test]
fn a_plan_that_is_no_workflow_is_refused_with_every_field() {
    let message = refusal(object(r#"{"name": "x"}"#));
    assert!(message.starts_with("invalid workflow plan: "), "{message}");
    for field in ["input_schema", "state_schema", "output_schema", "start", "nodes", "edges"] {
        assert!(message.contains(field), "{field} in {message}");
    }
}

#[test]
fn a_plan_must_start_somewhere() {
    let mut plan = one_step_plan("demo.echo");
    plan.insert("start", "zzz");
    assert_eq!(refusal(plan), "invalid workflow plan: start node 'zzz' does not exist");
}

#[test]
fn d24_everything_that_is_wrong_with_the_structure_is_named_at_once() {
    let mut plan = object(
        &Value::Object(one_step_plan("demo.echo"))
            .to_json()
            .replace("input.text", "input.txet")
            .replace("state.echoed", "state.nowhere")
            .replace(r#""target":"text""#, r#""target":"tetx""#)
            .replace(r#""outcome":"ok""#, r#""outcome":"done""#),
    );
    plan.insert("start", "zzz");
    let message = refusal(plan);
    for part in [
        "start node 'zzz'",
        "[invalid_node_input_field]",
        "[invalid_source_path]",
        "[invalid_destination_path]",
        "[undeclared_edge_outcome]",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn d24_a_dangling_outcome_is_refused_and_an_unknown_node_is_taken_as_it_is_used() {
    let mut plan = one_step_plan("demo.echo");
    plan.insert("edges", Vec::<Object>::new());
    assert!(refusal(plan).contains("[missing_outcome_edge]"));
    let text = Value::Object(one_step_plan("later.echo")).to_json().replace(r#""outcome":"ok""#, r#""outcome":"fine""#);
    created(&draft(object(&text), &[]), vec![]).expect("nobody knows `later.echo` yet");
}

#[test]
fn d24_reducers_are_checked_where_they_are_known() {
    let with = |reducer: &str| {
        let mut plan = one_step_plan("demo.echo");
        let state =
            format!(r#"{{"type": "object", "properties": {{"echoed": {{"type": "string", "reducer": {reducer}}}}}}}"#);
        plan.insert("state_schema", object(&state));
        plan
    };
    assert!(refusal(with(r#""wf.std.concatenate""#)).contains("wf.std.concatenate"));
    let config = refusal(with(r#"{"ref": "wf.std.add", "config": {"x": 1}}"#));
    assert!(config.contains("reducer config for 'wf.std.add'"), "{config}");
    created(&draft(with(r#""later.merge""#), &[]), vec![]).expect("nobody knows `later.merge` yet");
}

#[test]
fn edges_must_lead_from_somewhere_to_somewhere() {
    let mut plan = one_step_plan("demo.echo");
    let edges = object(
        r#"{"edges": [{"from": "call", "outcome": "ok", "to": "nowhere"}, {"from": "ghost", "outcome": "ok", "to": "call"}]}"#,
    );
    plan.insert("edges", edges.get("edges").expect("there").clone());
    let message = refusal(plan);
    assert!(message.contains("nowhere") && message.contains("ghost"), "{message}");
}

#[test]
fn a_node_without_a_source_and_a_workflow_by_name_cannot_be_saved() {
    assert!(refusal(one_step_plan("echo")).contains("node 'echo' names no source"));
    let mut plan = parent_plan();
    let text = Value::Object(plan.clone()).to_json().replace("workflow.team.child.v2", "child");
    plan = object(&text);
    assert!(refusal(plan).contains("workflow capability refs require an artifact workflow ref"));
}

#[test]
fn contracts_that_were_handed_over_are_observed_like_those_of_a_registry() {
    let observed: ObservedContracts = [echo_contract("demo.personal.echo")].into_iter().collect();
    let normalized = normalize_plan_node_refs(
        &one_step_plan("demo.personal.echo"),
        &bindings(&[("demo", "demo.personal")]),
        &observed,
    );
    assert_eq!(node_of(&normalized.plan), "demo.echo");
    assert_eq!(normalized.requirements.len(), 1);
    assert!(normalized.requirements[0].input_schema_hash.is_some());
}

#[test]
fn a_catalog_entry_is_found_by_any_of_its_texts() {
    let artifact = created(&draft(one_step_plan("demo.echo"), &[]), vec![]).expect("a good plan");
    assert_eq!(&*artifact_node_name(&artifact), "workflow.report.v1");
    let entry = WorkflowArtifactCatalogEntry::of(&artifact, vec![]);
    assert_eq!(entry.required_sources, ["demo".into(), "wf.std".into()]);
    for query in [None, Some(""), Some("REPORT"), Some("workflow.rep"), Some(" ")] {
        assert!(entry.matches(query), "{query:?}");
    }
    assert!(!entry.matches(Some("invoice")));
    assert!(!entry.dump().to_json().contains("\"plan\""));
}

#[test]
fn stored_ids_are_good_path_components() {
    for good in ["report", "_r", "team.report-2", "0"] {
        assert_eq!(check_stored_id("artifact_id", good), Ok(()));
    }
    for bad in ["", ".", "..", "-r", "a/b", "a\\b", "a b", "ä", "a\0"] {
        let error = check_stored_id("artifact_id", bad).expect_err(bad);
        assert_eq!(
            error.to_string(),
            "artifact_id must start with alphanumeric or underscore and contain only [A-Za-z0-9_.-]"
        );
    }
}

#[test]
fn a_missing_plan_field_is_named() {
    let artifact = WorkflowArtifact {
        plan: Object::new(),
        ..created(&draft(one_step_plan("demo.echo"), &[]), vec![]).expect("a good plan")
    };
    let error = artifact.plan_field("start").expect_err("missing");
    assert_eq!(error.to_string(), "workflow artifact report@1 is missing plan field 'start'");
}

#[test]
fn an_unobserved_requirement_says_so() {
    let requirement: RequiredCapability = document(r#"{"ref": "a.b", "kind": "node_spec"}"#);
    assert_eq!(requirement, RequiredCapability::unobserved(requirement.capability.clone(), CapabilityKind::NodeSpec));
}

#[test]
fn what_must_be_bound_and_what_could_be_bound_to_what() {
    let mut artifact = created(&draft(one_step_plan("demo.echo"), &[]), vec![]).expect("a good plan");
    for display in ["house.echo", "off.echo", "later.echo"] {
        artifact.required_capabilities.push(document(&format!(r#"{{"ref": "{display}", "kind": "node_spec"}}"#)));
    }
    let house = echo_source("house").with_policy(wf_platform::source::SourcePolicy::Unbound);
    let registry = registry_with(vec![echo_source("demo"), house, echo_source("off")]);
    registry.disable("off").expect("known");
    let needs = artifact.binding_needs(&*registry.snapshot());
    assert_eq!(needs.required_logical_sources, ["demo".into(), "later".into(), "off".into()]);
    assert_eq!(needs.suggested_bindings, bindings(&[("demo", "demo")]));
}

#[test]
fn an_artifact_that_may_pause_cannot_be_called_directly() {
    let asking = object(
        r#"{"name": "ask", "start": "ask", "input_schema": {}, "state_schema": {}, "output_schema": {},
            "nodes": [{"id": "ask", "type": "interrupt", "kind": "approval"}],
            "edges": [{"from": "ask", "outcome": "submitted", "to": "__end__"}]}"#,
    );
    let asking = WorkflowArtifact { id: "ask".into(), ..created(&draft(asking, &[]), vec![]).expect("a good plan") };
    let calm = created(&draft(one_step_plan("demo.echo"), &[]), vec![]).expect("a good plan");
    let alone = SavedSubgraphTree::default();
    assert!(calm.interrupt_diagnostic(&alone).is_none());
    assert_eq!(&*asking.interrupt_diagnostic(&alone).expect("it asks").code, "interrupting_wrapper_call_unsupported");
    let below = SavedSubgraphTree::of_snapshots([Arc::new(asking)]);
    let found = calm.interrupt_diagnostic(&below).expect("a child asks");
    assert!(found.message.contains("`workflow.ask.v1` may pause"), "{}", found.message);
}

#[test]
fn d19_the_content_hash_sees_content_and_nothing_else() {
    let artifact = created(&draft(one_step_plan("demo.echo"), &[]), vec![echo_source("demo")]).expect("a good plan");
    let mut later = artifact.clone();
    later.created_from_catalog_version = Value::Int(7);
    later.required_capabilities[1].observed_at_epoch_ms = Some(1);
    assert_eq!(artifact.content_hash(), later.content_hash());
    let renamed = WorkflowArtifact { title: "Other".into(), ..later };
    assert_ne!(artifact.content_hash(), renamed.content_hash());
}
