//! Structural validation.

use std::collections::BTreeMap;
use std::sync::Arc;

use pyo3::intern;
use pyo3::prelude::*;
use wf_core::document::{Workflow, WorkflowRef};
use wf_core::plan::ReducerTable;
use wf_core::reducer::ReducerSet;
use wf_core::validation::{Checks, IssueCode, SubgraphSet, ValidationReport, validate};

use super::models::PyWorkflow;
use super::run::read_reducer_specs;
use crate::convert::mapping_entries;
use crate::document::{data, shared};

/// An issue as Python sees it: code, path, message, severity, hint.
type Row<'a> = (&'static str, &'a str, &'a str, &'static str, Option<&'a str>);

/// Child workflows by the display of their reference.
#[derive(Default)]
struct Children(BTreeMap<String, Arc<Workflow>>);

impl SubgraphSet for Children {
    fn workflow(&self, reference: &WorkflowRef) -> Option<&Workflow> {
        self.0.get(&reference.to_string()).map(AsRef::as_ref)
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Everything that is wrong with a workflow and, when they are given, its reducers and child workflows.
#[pyfunction]
#[pyo3(signature = (workflow, reducers, subgraphs, /))]
fn validation_issues<'py>(
    workflow: &Bound<'py, PyWorkflow>,
    reducers: Option<&Bound<'py, PyAny>>,
    subgraphs: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = workflow.py();
    let reducers = match reducers {
        None => None,
        Some(_) => Some(read_reducer_specs(reducers)?.into_iter().collect::<ReducerTable>()),
    };
    let children = subgraphs.map(read_children).transpose()?;
    let workflow = data::<Workflow>(workflow.as_super())?;
    let report = py.detach(|| {
        validate(
            workflow,
            &Checks {
                reducers: reducers.as_ref().map(|table| table as &dyn ReducerSet),
                subgraphs: children.as_ref().map(|table| table as &dyn SubgraphSet),
            },
        )
    });
    rows(py, &report)
}

fn rows<'py>(py: Python<'py>, report: &ValidationReport) -> PyResult<Bound<'py, PyAny>> {
    let rows: Vec<Row<'_>> = report
        .issues
        .iter()
        .map(|issue| {
            let severity = issue.severity.as_str();
            (issue.code.as_str(), &*issue.path, &*issue.message, severity, issue.hint.as_deref())
        })
        .collect();
    rows.into_pyobject(py)
}

/// Child workflows: workflows, or prepared subgraphs.
fn read_children(subgraphs: &Bound<'_, PyAny>) -> PyResult<Children> {
    let mut children = Children::default();
    for entry in mapping_entries(subgraphs)? {
        let (reference, child) = entry?;
        let workflow = if child.is_instance_of::<PyWorkflow>() {
            child
        } else {
            child.getattr(intern!(child.py(), "workflow"))?
        };
        children.0.insert(reference, shared::<Workflow>(workflow.cast::<PyWorkflow>()?.as_super())?);
    }
    Ok(children)
}

/// Every code that an issue can have.
#[pyfunction]
fn validation_issue_codes() -> Vec<&'static str> {
    IssueCode::ALL.iter().map(|code| code.as_str()).collect()
}

/// Registers the functions of this file.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(validation_issues, module)?)?;
    module.add_function(wrap_pyfunction!(validation_issue_codes, module)?)
}
