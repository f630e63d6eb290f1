//! How a capability is best wrapped into a small workflow: maps, schemas, and what the author must decide.

use std::sync::Arc;

use wf_core::path::{GraphRoot, GraphSourcePath, LocalPath, StatePath};
use wf_core::value::{Object, Value};

use super::OutcomeCandidate;
use super::outcome_candidates::outcome_candidates;

wf_core::text_enum! {
    /// How far the hints can be followed as they are.
    pub enum WrapperHintConfidence {
        /// As they are.
        High = "high",
        /// After a decision or two.
        Medium = "medium",
        /// As a start only.
        Low = "low",
    }
}

wf_core::text_enum! {
    /// What happens to the capability's outcomes.
    pub enum WrapperOutcomePolicy {
        /// The wrapper has the same.
        PreserveDeclared = "preserve_declared",
        /// The author maps them.
        ManualMappingRequired = "manual_mapping_required",
    }
}

wf_core::text_enum! {
    /// What an author has to decide.
    pub enum MissingDecisionKind {
        /// Which fields the wrapper gives; the capability declares none.
        ChooseOutputFields = "choose_output_fields",
        /// Whether a nested field is given as a whole.
        ReviewNestedOutput = "review_nested_output",
        /// Whether truth values become outcomes.
        ConfirmBooleanOutcomes = "confirm_boolean_outcomes",
        /// What happens on an error.
        ChooseErrorMapping = "choose_error_mapping",
    }
}

wf_core::document! {
    /// Something the author has to decide.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MissingDecision: "MissingDecision" {
        /// What.
        pub kind: MissingDecisionKind,
        /// About which field, as `output.<name>`.
        pub path: Option<Arc<str>> = None,
        /// The question.
        pub message: Arc<str>,
    }
    unknown Ignore;
}

wf_core::document! {
    /// How a capability is best wrapped.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WrapperAuthoringHints: "WrapperAuthoringHints" {
        /// The capability.
        pub capability_name: Arc<str>,
        /// How far the hints can be followed as they are.
        pub confidence: WrapperHintConfidence,
        /// The outcomes the capability declares.
        pub declared_outcomes: Vec<Arc<str>>,
        /// The outcomes the wrapper should have.
        pub suggested_wrapper_outcomes: Vec<Arc<str>>,
        /// What happens to the outcomes.
        pub outcome_policy: WrapperOutcomePolicy,
        /// The schema of the wrapper's input.
        pub input_schema: Object,
        /// The schema of the wrapper's state.
        pub state_schema: Object,
        /// The schema of the wrapper's output.
        pub output_schema: Object,
        /// From the wrapper's input to the capability's.
        pub input_map: Vec<(Arc<str>, Arc<str>)>,
        /// From the capability's output to the wrapper's state.
        pub output_map: Vec<(Arc<str>, Arc<str>)>,
        /// Fields that may be worth an outcome.
        pub outcome_candidates: Vec<OutcomeCandidate>,
        /// What the author has to decide.
        pub missing_decisions: Vec<MissingDecision>,
        /// Remarks.
        pub notes: Vec<Arc<str>>,
    }
    unknown Ignore;
}

/// How a capability is best wrapped.
///
/// ```
/// # use wf_core::value::{Object, Value};
/// # use wf_platform::guidance::wrapper_hints_for_capability;
/// let schema = |text: &str| Value::parse_json(text).unwrap().as_object().cloned().unwrap();
/// let hints = wrapper_hints_for_capability(
///     "demo.personal.echo",
///     &schema(r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#),
///     &schema(r#"{"type": "object", "properties": {"echoed": {"type": "string"}}}"#),
///     &["ok".into()],
/// );
/// assert_eq!(hints.input_map, [("input.text".into(), "text".into())]);
/// assert_eq!(hints.output_map, [("echoed".into(), "state.echoed".into())]);
/// assert_eq!(hints.confidence.as_str(), "high");
/// ```
pub fn wrapper_hints_for_capability(
    capability_name: &str,
    input_schema: &Object,
    output_schema: &Object,
    outcomes: &[Arc<str>],
) -> WrapperAuthoringHints {
    let inputs = properties(input_schema);
    let outputs = properties(output_schema);
    let raw_content = outputs.get("content").is_some_and(|schema| has_type(schema, "array"));
    let mut notes = vec![
        Arc::from("these are hints, not a contract: check them against the capability before saving the wrapper"),
        Arc::from("the wrapper keeps the outcomes that the capability declares"),
    ];

    let required = required(input_schema);
    let mut names: Vec<&Arc<str>> = inputs.keys().collect();
    names.sort_unstable();
    let (needed, optional): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| required.contains(&name.as_ref()));
    notes.extend(
        optional
            .iter()
            .map(|name| format!("optional input `{name}` is not mapped; map it if the wrapper should take it").into()),
    );
    if raw_content {
        notes.push(
            "Raw MCP content blocks are left out of the output; use a step such as \
             `wf.recipes.extract_text_content` to turn TextContent into text"
                .into(),
        );
    }

    let given: Vec<&Arc<str>> = outputs.keys().filter(|name| !(raw_content && name.as_ref() == "content")).collect();
    let candidates = outcome_candidates(&outputs);
    let decisions = missing_decisions(&outputs, given.is_empty(), !candidates.is_empty());
    let wrapper_schema = workflow_output_schema_for_authoring(output_schema);
    WrapperAuthoringHints {
        capability_name: capability_name.into(),
        confidence: confidence(inputs.is_empty() || outputs.is_empty(), &decisions, !candidates.is_empty()),
        declared_outcomes: outcomes.to_vec(),
        suggested_wrapper_outcomes: outcomes.to_vec(),
        outcome_policy: WrapperOutcomePolicy::PreserveDeclared,
        input_schema: input_schema.clone(),
        state_schema: wrapper_schema.clone(),
        output_schema: wrapper_schema,
        input_map: needed.into_iter().map(|name| (input_path(name), local_path(name))).collect(),
        output_map: given.into_iter().map(|name| (local_path(name), state_path(name))).collect(),
        outcome_candidates: candidates,
        missing_decisions: decisions,
        notes,
    }
}

/// The schema of a workflow's output (and state) that gives what a capability gives: its properties but raw content,
/// and the definitions they refer to.
pub fn workflow_output_schema_for_authoring(output_schema: &Object) -> Object {
    let kept: Object = properties(output_schema)
        .iter()
        .filter(|(name, schema)| !(name.as_ref() == "content" && has_type(schema, "array")))
        .map(|(name, schema)| (Arc::clone(name), schema.clone()))
        .collect();
    let mut schema = Object::from_iter([("type", Value::from("object")), ("properties", Value::Object(kept))]);
    for definitions in ["$defs", "definitions"] {
        if let Some(value) = output_schema.get(definitions) {
            schema.insert(definitions, value.clone());
        }
    }
    schema
}

fn missing_decisions(outputs: &Object, none_given: bool, candidates: bool) -> Vec<MissingDecision> {
    let mut decisions = Vec::new();
    if none_given {
        decisions.push(MissingDecision {
            kind: MissingDecisionKind::ChooseOutputFields,
            path: None,
            message: "the capability declares no output fields; choose what the wrapper gives".into(),
        });
    }
    for (name, schema) in outputs {
        if has_type(schema, "object") || has_type(schema, "array") {
            decisions.push(MissingDecision {
                kind: MissingDecisionKind::ReviewNestedOutput,
                path: Some(output_path(name)),
                message: format!("`{name}` is nested; decide whether the wrapper gives it as a whole").into(),
            });
        }
    }
    if candidates {
        decisions.push(MissingDecision {
            kind: MissingDecisionKind::ConfirmBooleanOutcomes,
            path: None,
            message: "truth values in the output may decide what happens next; decide whether they become outcomes"
                .into(),
        });
    }
    decisions
}

fn confidence(a_side_is_empty: bool, decisions: &[MissingDecision], candidates: bool) -> WrapperHintConfidence {
    let nested = decisions.iter().any(|decision| decision.kind == MissingDecisionKind::ReviewNestedOutput);
    if a_side_is_empty || nested {
        WrapperHintConfidence::Low
    } else if candidates || !decisions.is_empty() {
        WrapperHintConfidence::Medium
    } else {
        WrapperHintConfidence::High
    }
}

/// The properties whose schema is an object; `true` and `false` say nothing worth a hint.
fn properties(schema: &Object) -> Object {
    let all = schema.get("properties").and_then(Value::as_object);
    all.into_iter()
        .flat_map(Object::iter)
        .filter(|(_, schema)| schema.as_object().is_some())
        .map(|(name, schema)| (Arc::clone(name), schema.clone()))
        .collect()
}

fn required(schema: &Object) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_list);
    names.into_iter().flat_map(|names| names.iter()).filter_map(Value::as_str).collect()
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.as_object().and_then(|schema| schema.get("type")) {
        Some(Value::String(one)) => **one == *name,
        Some(Value::List(several)) => several.iter().any(|one| one.as_str() == Some(name)),
        _ => false,
    }
}

/// A place in the wrapper's input, quoted where its name needs it.
fn input_path(name: &str) -> Arc<str> {
    path_text("input", GraphSourcePath::new(GraphRoot::Input, [name]).ok())
}

/// A place in the wrapper's state, quoted where its name needs it.
fn state_path(name: &str) -> Arc<str> {
    path_text("state", StatePath::new([name]).ok())
}

/// A place in a payload, quoted where its name needs it.
fn local_path(name: &str) -> Arc<str> {
    LocalPath::new([name]).map_or_else(|_| name.into(), |path| path.to_string().into())
}

/// A place in the capability's output, for messages.
pub(super) fn output_path(name: &str) -> Arc<str> {
    format!("output.{}", local_path(name)).into()
}

/// A name that no path can hold (an empty one) is shown as it is; the binding will then be refused by name.
fn path_text(root: &str, path: Option<impl std::fmt::Display>) -> Arc<str> {
    path.map_or_else(|| format!("{root}.").into(), |path| path.to_string().into())
}
