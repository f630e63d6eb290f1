//! Guidance for authors and for models that author: what to do next, and how a capability is best wrapped.

mod next_actions;
mod outcome_candidates;
mod wrapper_hints;

pub use next_actions::{NextActionPatchExample, NextActionTool, NextActions};
pub use outcome_candidates::{OutcomeCandidate, OutcomeCandidateKind};
pub use wrapper_hints::{
    MissingDecision, MissingDecisionKind, WrapperAuthoringHints, WrapperHintConfidence, WrapperOutcomePolicy,
    workflow_output_schema_for_authoring, wrapper_hints_for_capability,
};
