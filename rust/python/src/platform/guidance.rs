//! Wrapper hints and next actions.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wf_core::value::Object;
use wf_platform::deployment::DependencyDiagnostic;
use wf_platform::guidance::{
    MissingDecision, NextActionPatchExample, NextActions, OutcomeCandidate, WrapperAuthoringHints,
    workflow_output_schema_for_authoring, wrapper_hints_for_capability,
};

use super::classes::shaped_class;
use super::source::document_of;
use crate::convert::{Instances, object_to_python, to_object};
use crate::document::{register_class, show};

shaped_class! {
    /// A field that may be worth an outcome; never applied without the author.
    class PyOutcomeCandidate("OutcomeCandidate", "wf_platform.guidance") of OutcomeCandidate {
        enums: [
            kind = "kind" in "wf_platform.guidance" as "OutcomeCandidateKind",
            confidence = "confidence" in "wf_platform.guidance" as "WrapperHintConfidence",
        ],
        fields: [source, candidate_outcomes, reason, automatic],
    }
}

shaped_class! {
    /// Something the author has to decide.
    class PyMissingDecision("MissingDecision", "wf_platform.guidance") of MissingDecision {
        enums: [kind = "kind" in "wf_platform.guidance" as "MissingDecisionKind"],
        fields: [path, message],
    }
}

shaped_class! {
    /// How a capability is best wrapped.
    class PyWrapperAuthoringHints("WrapperAuthoringHints", "wf_platform.guidance") of WrapperAuthoringHints {
        enums: [
            confidence = "confidence" in "wf_platform.guidance" as "WrapperHintConfidence",
            outcome_policy = "outcome_policy" in "wf_platform.guidance" as "WrapperOutcomePolicy",
        ],
        fields: [
            capability_name, declared_outcomes, suggested_wrapper_outcomes, input_schema, state_schema, output_schema,
            input_map, output_map, outcome_candidates, missing_decisions, notes,
        ],
    }
}

shaped_class! {
    /// A request that could come next.
    class PyNextActionPatchExample("NextActionPatchExample", "wf_platform.guidance") of NextActionPatchExample {
        enums: [tool = "tool" in "wf_platform.guidance" as "NextActionTool"],
        fields: [description, request],
    }
}

shaped_class! {
    /// What to do next.
    class PyNextActions("NextActions", "wf_platform.guidance") of NextActions {
        enums: [recommended_next_tool = "recommended_next_tool" in "wf_platform.guidance" as "NextActionTool"],
        fields: [can_continue, can_save_now, reason, patch_examples, warnings],
        methods: {
            /// After a draft was made from a capability's hints.
            #[staticmethod]
            #[pyo3(signature = (*, workspace_id, revision, hints))]
            fn from_wrapper_hints<'py>(
                py: Python<'py>,
                workspace_id: &str,
                revision: u32,
                hints: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                show(py, NextActions::from_wrapper_hints(workspace_id, revision, &document_of(hints)?))
            }

            /// After a deployment was validated; only errors keep it from running.
            #[staticmethod]
            #[pyo3(signature = (*, deployment_id, diagnostics))]
            fn from_deployment_validation<'py>(
                py: Python<'py>,
                deployment_id: &str,
                diagnostics: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                show(py, NextActions::from_deployment_validation(deployment_id, &diagnostics_of(diagnostics)?))
            }

            /// After a run stopped.
            #[staticmethod]
            #[pyo3(signature = (*, run_id, status, trace_count, diagnostics))]
            fn from_run_result<'py>(
                py: Python<'py>,
                run_id: Option<&str>,
                status: &str,
                trace_count: u64,
                diagnostics: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                show(py, NextActions::from_run_result(run_id, status, trace_count, &diagnostics_of(diagnostics)?))
            }
        },
    }
}

fn diagnostics_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<DependencyDiagnostic>> {
    given.try_iter()?.map(|diagnostic| document_of(&diagnostic?)).collect()
}

fn schema_of(given: &Bound<'_, PyAny>, label: &str) -> PyResult<Object> {
    let schema = to_object(given, Instances::Dump).map_err(|error| error.into_exception(given.py(), Some(label)))?;
    schema.ok_or_else(|| pyo3::exceptions::PyTypeError::new_err(format!("{label} must be a JSON Schema object")))
}

/// How a capability is best wrapped.
#[pyfunction]
#[pyo3(name = "wrapper_hints_for_capability", signature = (*, capability_name, input_schema, output_schema, outcomes))]
fn wrapper_hints<'py>(
    py: Python<'py>,
    capability_name: &str,
    input_schema: &Bound<'py, PyAny>,
    output_schema: &Bound<'py, PyAny>,
    outcomes: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let outcomes: Vec<_> = outcomes.into_iter().map(Into::into).collect();
    let (input, output) = (schema_of(input_schema, "input_schema")?, schema_of(output_schema, "output_schema")?);
    show(py, wrapper_hints_for_capability(capability_name, &input, &output, &outcomes))
}

/// The schema of a workflow's output that gives what a capability gives.
#[pyfunction]
#[pyo3(name = "workflow_output_schema_for_authoring", signature = (output_schema, /))]
fn output_schema<'py>(output_schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let schema = workflow_output_schema_for_authoring(&schema_of(output_schema, "output_schema")?);
    object_to_python(output_schema.py(), &schema)
}

/// Registers the classes and functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_class::<PyOutcomeCandidate>(module, PyOutcomeCandidate::INFO)?;
    register_class::<PyMissingDecision>(module, PyMissingDecision::INFO)?;
    register_class::<PyWrapperAuthoringHints>(module, PyWrapperAuthoringHints::INFO)?;
    register_class::<PyNextActionPatchExample>(module, PyNextActionPatchExample::INFO)?;
    register_class::<PyNextActions>(module, PyNextActions::INFO)?;
    module.add_function(wrap_pyfunction!(wrapper_hints, module)?)?;
    module.add_function(wrap_pyfunction!(output_schema, module)?)
}
