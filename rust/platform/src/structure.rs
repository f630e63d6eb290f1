//! The structural checks that every saved plan passes.

use std::sync::Arc;

use indexmap::IndexMap;
use wf_core::document::{ReducerSpec, Workflow};
use wf_core::reducer::{BuiltinReducer, Reducer, ReducerError, ReducerSet};
use wf_core::validation::{Checks, Issue, IssueCode, validate};
use wf_core::value::repr_text;

use crate::artifact::RequiredCapability;
use crate::contracts::ContractCatalog;
use crate::error::PlatformError;

/// Checks a plan whose node contracts have been filled in.
///
/// A reducer that nobody knows is no problem here: its source may be connected later, and the deployment is checked
/// before it runs. Names under `wf.std` are known for good.
pub(crate) fn check(
    workflow: &Workflow,
    requirements: &[RequiredCapability],
    catalog: &dyn ContractCatalog,
) -> Result<(), PlatformError> {
    let report = validate(workflow, &Checks::default());
    let mut problems: Vec<String> = report.errors().map(|issue| described(issue, workflow)).collect();
    let known = KnownReducers::of(workflow, requirements, catalog);
    for field in workflow.state_schema.fields() {
        match Reducer::find(&field.reducer, &known) {
            Err(ReducerError::Unknown { name }) if !name.starts_with("wf.std.") => {}
            Err(error) => problems.push(format!("state_schema: {}: {error}", field.path)),
            Ok(_) => {}
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(PlatformError::invalid_plan(problems)) }
}

fn described(issue: &Issue, workflow: &Workflow) -> String {
    // Callers match this phrase, which is older than the code.
    if issue.code == IssueCode::UnknownStart {
        return format!("start node {} does not exist", repr_text(&workflow.start));
    }
    issue.to_string()
}

/// The contracts of the reducers that a workflow names, by the names it uses.
struct KnownReducers(IndexMap<String, Arc<ReducerSpec>>);

impl KnownReducers {
    fn of(workflow: &Workflow, requirements: &[RequiredCapability], catalog: &dyn ContractCatalog) -> Self {
        let mut known = IndexMap::new();
        for field in workflow.state_schema.fields() {
            let name = field.reducer.name();
            if BuiltinReducer::from_name(&name).is_some() || known.contains_key(&name) {
                continue;
            }
            let requirement = requirements.iter().find(|requirement| *requirement.display() == *name);
            let concrete = requirement.and_then(|requirement| {
                let source = requirement.observed_concrete_source.as_ref()?;
                catalog.reducer_contract(&format!("{source}.{}", requirement.capability.name))
            });
            if let Some(contract) = concrete.or_else(|| catalog.reducer_contract(&name)) {
                known.insert(name, contract);
            }
        }
        Self(known)
    }
}

impl ReducerSet for KnownReducers {
    fn spec(&self, name: &str) -> Option<&ReducerSpec> {
        self.0.get(name).map(AsRef::as_ref)
    }
}
