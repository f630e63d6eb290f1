//! Wrapper hints and next actions.

use wf_core::document::Document;
use wf_platform::deployment::DependencyDiagnostic;
use wf_platform::guidance::{NextActionTool, NextActions, WrapperAuthoringHints, wrapper_hints_for_capability};

use crate::support::{document, object};

fn hints(input: &str, output: &str) -> WrapperAuthoringHints {
    wrapper_hints_for_capability("demo.personal.tool", &object(input), &object(output), &["ok".into(), "error".into()])
}

const TEXT_IN: &str = r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#;

fn pairs(map: &[(std::sync::Arc<str>, std::sync::Arc<str>)]) -> Vec<(&str, &str)> {
    map.iter().map(|(from, to)| (&**from, &**to)).collect()
}

fn kinds(hints: &WrapperAuthoringHints) -> Vec<&'static str> {
    hints.missing_decisions.iter().map(|decision| decision.kind.as_str()).collect()
}

#[test]
fn required_inputs_are_mapped_in_order_and_optional_ones_noted() {
    let hints = hints(
        r#"{"properties": {"z": {}, "a": {}, "maybe": {}, "flag": true}, "required": ["z", "a", "flag"]}"#,
        r#"{"properties": {"result": {"type": "string"}}}"#,
    );
    assert_eq!(pairs(&hints.input_map), [("input.a", "a"), ("input.z", "z")]);
    assert!(hints.notes[2].contains("maybe") && hints.notes.len() == 3);
    assert_eq!(pairs(&hints.output_map), [("result", "state.result")]);
    assert_eq!(hints.confidence.as_str(), "high");
    assert_eq!(hints.outcome_policy.as_str(), "preserve_declared");
    assert_eq!(hints.declared_outcomes, hints.suggested_wrapper_outcomes);
}

#[test]
fn raw_content_is_left_out_and_explained() {
    let hints =
        hints(TEXT_IN, r#"{"type": "object", "properties": {"content": {"type": "array"}}, "$defs": {"x": {}}}"#);
    assert!(hints.notes[2].contains("Raw MCP content blocks") && hints.notes[2].contains("TextContent"));
    assert!(hints.output_map.is_empty());
    assert_eq!(kinds(&hints), ["choose_output_fields", "review_nested_output"]);
    assert_eq!(hints.confidence.as_str(), "low");
    let schema = wf_core::value::Value::Object(hints.state_schema.clone()).to_json();
    assert_eq!(schema, r#"{"type":"object","properties":{},"$defs":{"x":{}}}"#);
    assert_eq!(hints.state_schema, hints.output_schema);
    let kept = self::hints(TEXT_IN, r#"{"properties": {"content": {"type": "string"}}}"#);
    assert_eq!(pairs(&kept.output_map), [("content", "state.content")], "only an array is the raw envelope");
}

#[test]
fn truth_values_with_telling_names_are_candidates_and_never_automatic() {
    let table = [
        ("success", ["success", "failure"]),
        ("ok", ["success", "failure"]),
        ("Done", ["success", "failure"]),
        ("complete", ["success", "failure"]),
        ("failed", ["error", "ok"]),
        ("error", ["error", "ok"]),
        ("is_error", ["error", "ok"]),
        ("approved", ["approved", "rejected"]),
        ("rejected", ["approved", "rejected"]),
        ("needs_input", ["needs_input", "done"]),
        ("requires_approval", ["requires_approval", "done"]),
        ("HAS_MORE", ["has_more", "done"]),
    ];
    for (name, outcomes) in table {
        let hints = hints(
            TEXT_IN,
            &format!(r#"{{"properties": {{"{name}": {{"type": "boolean"}}, "text": {{"type": "string"}}}}}}"#),
        );
        let candidate = &hints.outcome_candidates[0];
        assert_eq!(candidate.candidate_outcomes, outcomes.map(Into::into), "{name}");
        assert_eq!((&*candidate.source, candidate.automatic), (&*format!("output.{name}"), false));
        assert_eq!((candidate.kind.as_str(), candidate.confidence.as_str()), ("boolean_control_field", "medium"));
        assert_eq!((hints.confidence.as_str(), kinds(&hints)), ("medium", vec!["confirm_boolean_outcomes"]));
    }
    assert!(
        hints(TEXT_IN, r#"{"properties": {"ok": {"type": "string"}, "fine": {"type": "boolean"}}}"#)
            .outcome_candidates
            .is_empty()
    );
}

#[test]
fn names_that_need_quotes_get_them() {
    let hints = hints(
        r#"{"properties": {"page title": {}, "a.b": {}}, "required": ["page title", "a.b"]}"#,
        r#"{"properties": {"x y": {}}}"#,
    );
    assert_eq!(pairs(&hints.input_map), [(r#"input."a.b""#, r#""a.b""#), (r#"input."page title""#, r#""page title""#)]);
    assert_eq!(pairs(&hints.output_map), [(r#""x y""#, r#"state."x y""#)]);
}

#[test]
fn empty_schemas_leave_everything_to_the_author() {
    let hints = hints("{}", "{}");
    assert_eq!((hints.confidence.as_str(), kinds(&hints)), ("low", vec!["choose_output_fields"]));
    assert_eq!(WrapperAuthoringHints::parse(&hints.dump()).as_ref(), Ok(&hints));
}

#[test]
fn after_hints_the_draft_is_saved_or_patched() {
    let clear = hints(TEXT_IN, r#"{"properties": {"result": {"type": "string"}}}"#);
    let next = NextActions::from_wrapper_hints("w", 1, &clear);
    assert_eq!((next.can_continue, next.can_save_now), (true, Some(true)));
    assert_eq!(next.recommended_next_tool, Some(NextActionTool::ValidateDraftWorkspace));
    assert!(next.reason.contains("high confidence") && next.warnings.is_empty() && next.patch_examples.is_empty());

    let unclear = hints(TEXT_IN, r#"{"properties": {"content": {"type": "array"}, "ok": {"type": "boolean"}}}"#);
    let next = NextActions::from_wrapper_hints("w", 3, &unclear);
    assert_eq!(
        (next.can_save_now, next.recommended_next_tool),
        (Some(false), Some(NextActionTool::PatchDraftWorkspace))
    );
    assert!(next.reason.contains("missing wrapper decisions"));
    assert_eq!(next.warnings, unclear.notes);
    let requests: Vec<String> = next
        .patch_examples
        .iter()
        .map(|example| wf_core::value::Value::Object(example.request.clone()).to_json())
        .collect();
    assert_eq!(
        requests,
        [
            r#"{"workspace_id":"w","revision":3,"patch":[{"op":"replace","path":"/steps/call/output","value":[]}]}"#,
            r#"{"workspace_id":"w","revision":3,"patch":[]}"#,
        ]
    );
}

fn diagnostic(severity: &str, code: &str, bound: &str) -> DependencyDiagnostic {
    document(&format!(
        r#"{{"severity": "{severity}", "code": "{code}", "logical_ref": "drive.echo", "bound_source": {bound}, "message": "m"}}"#
    ))
}

#[test]
fn d20_after_validation_only_errors_keep_a_deployment_from_running() {
    let warned =
        NextActions::from_deployment_validation("d", &[diagnostic("warning", "schema_changed", r#""drive.personal""#)]);
    assert_eq!(warned.recommended_next_tool, Some(NextActionTool::RunDeployment));
    assert!(warned.reason.contains("run_deployment"));
    assert_eq!(warned.warnings, ["schema_changed: drive.personal".into()]);

    let reason = |codes: &[&str]| {
        let diagnostics: Vec<_> = codes.iter().map(|code| diagnostic("error", code, "null")).collect();
        let next = NextActions::from_deployment_validation("d", &diagnostics);
        assert_eq!(next.recommended_next_tool, Some(NextActionTool::ValidateDeployment));
        assert_eq!((next.can_continue, next.can_save_now), (true, None));
        next.reason.to_string()
    };
    assert!(reason(&["schema_changed", "binding_missing", "source_unreachable"]).contains("fix or reconnect"));
    assert_eq!(reason(&["schema_changed", "binding_missing"]), reason(&["source_missing"]));
    assert_eq!(reason(&["schema_changed", "other"]), reason(&["capability_missing"]));
    let reasons =
        [reason(&["source_unreachable"]), reason(&["source_missing"]), reason(&["schema_changed"]), reason(&["other"])];
    let distinct: std::collections::BTreeSet<_> = reasons.iter().collect();
    assert_eq!(distinct.len(), 4);
}

#[test]
fn after_a_run_the_next_step_depends_on_how_it_stopped() {
    let next = |run_id, status, trace| NextActions::from_run_result(run_id, status, trace, &[]);
    let waiting = next(Some("r"), "interrupted", 3);
    assert_eq!((waiting.can_continue, waiting.recommended_next_tool), (true, Some(NextActionTool::ResumeRun)));
    assert!(waiting.reason.contains("resume_run"));
    let blocked =
        NextActions::from_run_result(Some("r"), "interrupted", 3, &[diagnostic("error", "source_disabled", r#""s""#)]);
    assert!(blocked.reason.contains("resume_run") && blocked.reason != waiting.reason);

    for status in ["failed", "unrunnable"] {
        let failed = next(Some("r"), status, 40);
        assert_eq!((failed.can_continue, failed.recommended_next_tool), (true, Some(NextActionTool::ReadRunTrace)));
        assert!(failed.reason.contains("bounded trace"));
        let request = wf_core::value::Value::Object(failed.patch_examples[0].request.clone()).to_json();
        assert_eq!(request, r#"{"run_id":"r","trace_range":{"start":0,"limit":25}}"#);
        for early in [next(Some("r"), status, 0), next(None, status, 40)] {
            assert_eq!((early.can_continue, early.recommended_next_tool), (false, None));
            assert!(early.reason.contains("before producing trace"));
        }
    }
    let short = next(Some("r"), "failed", 2);
    assert!(wf_core::value::Value::Object(short.patch_examples[0].request.clone()).to_json().contains(r#""limit":2"#));
    assert!(next(Some("r"), "completed", 1).reason.contains("completed"));
    let other = next(None, "running", 0);
    assert!(!other.can_continue && other.reason.contains("'running'"));
    assert_eq!(NextActions::parse(&waiting.dump()).as_ref(), Ok(&waiting));
}
