//! What can be wrong with a deployment, as documents.

use std::sync::Arc;

wf_core::text_enum! {
    /// How bad it is.
    pub enum DiagnosticSeverity {
        /// It does not run.
        Error = "error",
        /// It runs, and somebody should look.
        Warning = "warning",
    }
}

wf_core::document! {
    /// One thing that is wrong between an artifact, its deployment and the sources.
    #[derive(Clone, Debug, PartialEq)]
    pub struct DependencyDiagnostic: "DependencyDiagnostic" {
        /// How bad it is.
        pub severity: DiagnosticSeverity,
        /// The stable code.
        pub code: Arc<str>,
        /// What it is about: a logical source, or a capability of one.
        pub logical_ref: Arc<str>,
        /// The concrete source, if there is one.
        pub bound_source: Option<Arc<str>> = None,
        /// What is wrong.
        pub message: Arc<str>,
        /// What to do about it.
        pub repair_hint: Option<Arc<str>> = None,
    }
    unknown Ignore;
}

/// Whether a deployment with these diagnostics runs: only errors block.
pub fn is_runnable(diagnostics: &[DependencyDiagnostic]) -> bool {
    diagnostics.iter().all(|diagnostic| diagnostic.severity != DiagnosticSeverity::Error)
}
