//! The documents of the platform: what they accept, refuse, and how they look when they are written.

use proptest::prelude::*;
use wf_core::document::Document;
use wf_core::value::Value;
use wf_platform::artifact::{RequiredCapability, WorkflowArtifact, WorkflowCapabilityRef};
use wf_platform::deployment::WorkflowDeployment;
use wf_platform::resource_ref::{ReadResourceOutput, SourceResourceRef};
use wf_platform::source::{SourceOverrides, SourcePermissions, SourcePolicy, SourceVisibility};

use crate::support::{document, problems};

/// The canonical JSON of a document given as JSON text.
fn dumped<D: Document>(text: &str) -> String {
    document::<D>(text).dump().to_json()
}

#[test]
fn a_resource_ref_is_inert_data_with_a_source_and_a_uri() {
    assert_eq!(
        dumped::<SourceResourceRef>(
            r#"{"logical_source": "drive", "uri": "gdrive://file/abc", "mime_type": "application/pdf", "name": "R.pdf", "x": 1}"#
        ),
        r#"{"kind":"source_resource_ref","logical_source":"drive","uri":"gdrive://file/abc","mime_type":"application/pdf","name":"R.pdf"}"#
    );
    assert_eq!(
        dumped::<SourceResourceRef>(r#"{"kind": "source_resource_ref", "logical_source": "d", "uri": "u"}"#),
        r#"{"kind":"source_resource_ref","logical_source":"d","uri":"u","mime_type":null,"name":null}"#
    );
    let found = problems::<SourceResourceRef>(r#"{"kind": "other", "logical_source": "", "uri": ""}"#);
    let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["document.type", "document.empty", "document.empty"]);
    assert_eq!(problems::<SourceResourceRef>("{}").len(), 2);
}

#[test]
fn a_read_output_has_defaults_for_everything_but_where_and_how_much() {
    assert_eq!(
        dumped::<ReadResourceOutput>(r#"{"source_id": "s", "uri": "u", "content_count": 0}"#),
        concat!(
            r#"{"source_id":"s","uri":"u","mime_type":null,"text":null,"content_count":0,"truncated":false,"#,
            r#""offset":0,"next_offset":null,"contents":[],"blob":null}"#
        )
    );
    assert_eq!(problems::<ReadResourceOutput>(r#"{"source_id": "s", "uri": "u", "content_count": -1}"#).len(), 1);
}

#[test]
fn visibility_accepts_the_older_name_of_client() {
    let visibility = document::<SourceVisibility>(r#"{"planner": true, "mcp_client": true}"#);
    assert_eq!(visibility, SourceVisibility::EVERYWHERE);
    assert_eq!(dumped::<SourceVisibility>("{}"), r#"{"planner":false,"client":false,"admin_dashboard":true}"#);
    assert_eq!(problems::<SourceVisibility>(r#"{"client": true, "mcp_client": true}"#)[0].0, "document.conflict");
    assert_eq!(problems::<SourceVisibility>(r#"{"planer": true}"#)[0].0, "document.unknown_field");
}

#[test]
fn a_contradictory_policy_is_refused() {
    for text in [r#"{"platform": true, "binding_required": true}"#, r#"{"platform": true}"#] {
        let expected = ("source.contradictory_policy", "platform sources cannot require bindings".to_owned());
        assert_eq!(problems::<SourcePolicy>(text), [expected]);
    }
    assert_eq!(document::<SourcePolicy>("{}"), SourcePolicy::Bound);
    assert_eq!(document::<SourcePolicy>(r#"{"binding_required": false}"#), SourcePolicy::Unbound);
    assert_eq!(
        dumped::<SourcePolicy>(r#"{"platform": true, "binding_required": false}"#),
        r#"{"platform":true,"binding_required":false}"#
    );
}

#[test]
fn d28_what_an_operator_decided_survives_as_a_document() {
    let text = r#"{"enabled":false,"visibility":{"planner":true,"client":false,"admin_dashboard":true},"allow":["read_*"],"deny":["*_all"],"notes":"ask Ann"}"#;
    assert_eq!(dumped::<SourceOverrides>(text), text);
    assert!(document::<SourceOverrides>("{}").is_default());
    assert_eq!(problems::<SourceOverrides>(r#"{"allow": [""]}"#)[0].0, "document.empty");
    assert!(!document::<SourcePermissions>("{}").privileged());
}

#[test]
fn a_requirement_accepts_text_and_separate_names_and_keeps_dots_in_the_name() {
    let current = r#"{"ref": {"source": "drive", "capability_key": "files.read"}, "kind": "node_spec"}"#;
    let separate = r#"{"logical_source": "drive", "capability_name": "files.read", "kind": "node_spec"}"#;
    assert_eq!(document::<RequiredCapability>(separate), document::<RequiredCapability>(current));
    assert!(dumped::<RequiredCapability>(separate).starts_with(
        r#"{"ref":{"source":"drive","capability_key":"files.read"},"kind":"node_spec","input_schema_hash":null"#
    ));
    let text = document::<RequiredCapability>(r#"{"ref": "drive.files.read", "kind": "tool"}"#);
    assert_eq!((&*text.logical_source(), &**text.capability_name()), ("drive.files", "read"));
    assert_eq!(problems::<RequiredCapability>(r#"{"kind": "node_spec"}"#)[0].0, "document.missing");
    assert_eq!(problems::<RequiredCapability>(r#"{"ref": "a.b", "kind": "nodespec"}"#)[0].0, "document.value");
    assert_eq!(
        problems::<RequiredCapability>(r#"{"ref": "a.b", "kind": "tool", "observed_at_epoch_ms": -1}"#).len(),
        1
    );
}

const ARTIFACT: &str = r#""id": "report", "version": 1, "title": "Report", "input_schema": {}, "output_schema": {},
    "outcomes": ["ok"], "plan": {}"#;

#[test]
fn an_artifact_accepts_a_map_of_requirements_and_refuses_duplicates() {
    let legacy = format!(
        r#"{{{ARTIFACT}, "required_capabilities": {{"a.b.c": {{"kind": "tool"}}, "x.y": {{"ref": "x.y", "kind": "reducer"}}}}}}"#
    );
    let artifact = document::<WorkflowArtifact>(&legacy);
    let displays: Vec<String> = artifact.required_capabilities.iter().map(|one| one.display().to_string()).collect();
    assert_eq!(displays, ["a.b.c", "x.y"]);
    assert!(
        artifact.dump().to_json().contains(r#""required_capabilities":[{"ref":{"source":"a.b","capability_key":"c"}"#)
    );

    let twice = format!(
        r#"{{{ARTIFACT}, "required_capabilities": [{{"ref": "a.b", "kind": "tool"}}, {{"ref": "a.b", "kind": "tool"}}]}}"#
    );
    assert_eq!(
        problems::<WorkflowArtifact>(&twice),
        [("artifact.duplicate_requirement", "duplicate required capability refs: a.b".to_owned())]
    );
    let bad = r#"{"id": "", "version": 0, "title": 1, "kind": "w", "input_schema": [], "outcomes": "ok"}"#;
    assert_eq!(problems::<WorkflowArtifact>(bad).len(), 8, "all problems are collected");
}

#[test]
fn d19_the_time_of_observation_is_no_content() {
    let with = |at: u64, title: &str| {
        let text = format!(
            r#"{{{}, "required_capabilities": [{{"ref": "a.b", "kind": "tool", "observed_at_epoch_ms": {at}}}], "created_from_catalog_version": {at}}}"#,
            ARTIFACT.replace("Report", title)
        );
        document::<WorkflowArtifact>(&text)
    };
    assert!(with(1, "Report").same_content(&with(2, "Report")));
    assert!(!with(1, "Report").same_content(&with(1, "Other")));
}

#[test]
fn a_deployment_accepts_older_shapes_and_refuses_two_of_anything() {
    let current = r#"{"id":"d","artifact_id":"report","artifact_version":1,"bindings":[{"logical_source":"drive","concrete_source":"drive.personal"}],"drift_policy":"block"}"#;
    let legacy = r#"{"deployment_id": "d", "artifact_id": "report", "artifact_version": 1, "bindings": {"drive": "drive.personal"}}"#;
    assert_eq!(dumped::<WorkflowDeployment>(legacy), current);
    assert_eq!(dumped::<WorkflowDeployment>(current), current);
    let parts = r#"{"id": "d", "artifact_id": "report", "artifact_version": 1, "bindings": [{"logical_source": {"parts": ["drive"]}, "concrete_source": {"parts": ["drive", "personal"]}}]}"#;
    assert_eq!(dumped::<WorkflowDeployment>(parts), current);

    let message = |text: &str| problems::<WorkflowDeployment>(text)[0].1.clone();
    let both = r#"{"id": "d", "deployment_id": "d", "artifact_id": "r", "artifact_version": 1}"#;
    assert_eq!(message(both), "deployment fields 'id' and 'deployment_id' are mutually exclusive");
    let twice = r#"{"id": "d", "artifact_id": "r", "artifact_version": 1, "bindings": [
        {"logical_source": "a", "concrete_source": "b"}, {"logical_source": "a", "concrete_source": "c"}]}"#;
    assert_eq!(message(twice), "duplicate deployment source bindings: a");
    let blank = r#"{"id": "d", "artifact_id": "r", "artifact_version": 1, "bindings": [{"logical_source": "a..b", "concrete_source": ""}]}"#;
    assert_eq!(problems::<WorkflowDeployment>(blank).len(), 2);
}

#[test]
fn workflow_refs_read_from_text_or_object() {
    let reference = document::<WorkflowCapabilityRef>(r#""workflow.team.report.v12""#);
    assert_eq!(reference.to_string(), "workflow.team.report.v12");
    assert_eq!(reference.dump().to_json(), r#"{"artifact_id":"team.report","version":12}"#);
    assert_eq!(document::<WorkflowCapabilityRef>(r#"{"artifact_id": "team.report", "version": 12}"#), reference);
    let message = |text: &str| WorkflowCapabilityRef::from_text(text).expect_err(text).to_string();
    let phrase = "workflow capability ref ";
    assert_eq!(message("wf.std.add"), format!("{phrase}must use the workflow namespace"));
    assert_eq!(message("workflow.report"), format!("{phrase}must be workflow.<artifact_id>.v<version>"));
    assert_eq!(message("workflow.report.v"), format!("{phrase}must be workflow.<artifact_id>.v<version>"));
    assert_eq!(message("workflow.report.vx"), format!("{phrase}must be workflow.<artifact_id>.v<version>"));
    assert_eq!(message("workflow..v1"), format!("{phrase}requires an artifact id"));
    assert_eq!(message("workflow.v1"), format!("{phrase}requires an artifact id"));
    assert_eq!(message("workflow.report.v0"), format!("{phrase}requires version >= 1"));
    assert_eq!(message("workflow.report.v99999999999"), format!("{phrase}requires a version below 4294967296"));
}

proptest! {
    #[test]
    fn a_workflow_ref_reads_back_from_its_text(id in "[a-z][a-z0-9_.v-]{0,12}", version in 1_u32..) {
        let reference = WorkflowCapabilityRef { artifact_id: id.into(), version };
        prop_assert_eq!(WorkflowCapabilityRef::from_text(&reference.to_string()), Ok(reference));
    }

    #[test]
    fn reading_a_workflow_ref_never_panics(text in "(workflow\\.)?.{0,20}") {
        let _ = WorkflowCapabilityRef::from_text(&text);
    }

    #[test]
    fn documents_refuse_what_is_none_without_panicking(number in any::<i64>(), text in ".{0,8}") {
        for value in [Value::Null, Value::Int(number), Value::from(text.as_str()), Value::from(vec![text.as_str()])] {
            prop_assert!(WorkflowArtifact::parse(&value).is_err());
            prop_assert!(WorkflowDeployment::parse(&value).is_err());
            prop_assert!(SourcePolicy::parse(&value).is_err());
            prop_assert!(SourceResourceRef::parse(&value).is_err());
        }
    }
}
