//! Output fields that look as if they decided what happens next.

use std::sync::Arc;

use wf_core::value::{Object, Value};

use super::wrapper_hints::{WrapperHintConfidence, output_path};

wf_core::text_enum! {
    /// What makes a field a candidate.
    pub enum OutcomeCandidateKind {
        /// A truth value with a telling name.
        BooleanControlField = "boolean_control_field",
    }
}

wf_core::document! {
    /// A field that may be worth an outcome; never applied without the author.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OutcomeCandidate: "OutcomeCandidate" {
        /// What makes it a candidate.
        pub kind: OutcomeCandidateKind,
        /// The field, as `output.<name>`.
        pub source: Arc<str>,
        /// The outcomes for true and for false.
        pub candidate_outcomes: Vec<Arc<str>>,
        /// How sure the guess is.
        pub confidence: WrapperHintConfidence,
        /// Why it was guessed.
        pub reason: Arc<str>,
        /// Whether it is applied without asking; never.
        pub automatic: bool = false,
    }
    unknown Ignore;
}

/// The outcomes for true and for false that a name suggests.
fn suggested(name: &str) -> Option<[&'static str; 2]> {
    Some(match name {
        "success" | "ok" | "done" | "complete" => ["success", "failure"],
        "failed" | "error" | "is_error" => ["error", "ok"],
        "approved" | "rejected" => ["approved", "rejected"],
        "needs_input" => ["needs_input", "done"],
        "requires_approval" => ["requires_approval", "done"],
        "has_more" => ["has_more", "done"],
        _ => return None,
    })
}

/// The candidates among the properties of an output.
pub(super) fn outcome_candidates(properties: &Object) -> Vec<OutcomeCandidate> {
    properties
        .iter()
        .filter(|(_, schema)| {
            schema.as_object().and_then(|schema| schema.get("type")).and_then(Value::as_str) == Some("boolean")
        })
        .filter_map(|(name, _)| {
            let outcomes = suggested(&name.to_lowercase())?;
            Some(OutcomeCandidate {
                kind: OutcomeCandidateKind::BooleanControlField,
                source: output_path(name),
                candidate_outcomes: outcomes.map(Arc::from).to_vec(),
                confidence: WrapperHintConfidence::Medium,
                reason: format!("`{name}` is a truth value whose name suggests that it decides what happens next")
                    .into(),
                automatic: false,
            })
        })
        .collect()
}
