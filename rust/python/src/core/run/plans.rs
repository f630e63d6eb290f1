//! Plans of workflow objects: compiled once, kept with the object.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use wf_core::document::{ReducerSpec, Workflow};
use wf_core::plan::{Plan, PlanError, PreparedSubgraph, ReducerTable, SubgraphTable};

use super::failures::invalid;

use crate::convert::mapping_entries;
use crate::core::models::{PyReducerSpec, PyWorkflow};
use crate::document::{Keeps, data, shared};

/// How many plans a workflow object keeps: one per set of reducers and child workflows it is run with.
const KEPT: usize = 4;

/// The plans of one workflow object.
#[derive(Default)]
pub(crate) struct PlanCache(Mutex<Vec<(Key, Arc<Plan>)>>);

/// What a plan depends on besides the workflow itself.
#[derive(Clone, PartialEq)]
struct Key {
    reducers: Vec<ReducerSpec>,
    children: Vec<ChildKey>,
}

#[derive(Clone)]
struct ChildKey {
    reference: String,
    workflow: Arc<Workflow>,
    reducers: Vec<ReducerSpec>,
}

impl PartialEq for ChildKey {
    fn eq(&self, other: &Self) -> bool {
        self.reference == other.reference
            && Arc::ptr_eq(&self.workflow, &other.workflow)
            && self.reducers == other.reducers
    }
}

/// What surrounds a workflow when it is run: custom reducers and child workflows.
#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) reducers: Vec<CustomReducer>,
    pub(super) children: Vec<Child>,
}

/// A custom reducer: its contract, and the Python object that executes it.
pub(super) struct CustomReducer {
    pub(super) spec: ReducerSpec,
    pub(super) definition: Py<PyAny>,
}

/// A prepared child workflow.
pub(super) struct Child {
    pub(super) reference: String,
    pub(super) workflow: Arc<Workflow>,
    pub(super) registry: Py<PyAny>,
    pub(super) reducers: Vec<CustomReducer>,
}

impl Surroundings {
    /// Reads what the caller passed as `reducers` and `subgraphs`.
    pub(super) fn read(reducers: Option<&Bound<'_, PyAny>>, subgraphs: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let children = match subgraphs {
            None => Vec::new(),
            Some(subgraphs) => mapping_entries(subgraphs)?.map(|entry| Child::read(entry?)).collect::<PyResult<_>>()?,
        };
        Ok(Self { reducers: read_reducers(reducers)?, children })
    }

    fn key(&self) -> Key {
        let specs = |reducers: &[CustomReducer]| reducers.iter().map(|reducer| reducer.spec.clone()).collect();
        Key {
            reducers: specs(&self.reducers),
            children: self
                .children
                .iter()
                .map(|child| ChildKey {
                    reference: child.reference.clone(),
                    workflow: Arc::clone(&child.workflow),
                    reducers: specs(&child.reducers),
                })
                .collect(),
        }
    }
}

impl Child {
    fn read((reference, prepared): (String, Bound<'_, PyAny>)) -> PyResult<Self> {
        let py = prepared.py();
        let workflow = prepared.getattr(intern!(py, "workflow"))?;
        let reducers = prepared.getattr(intern!(py, "reducers"))?;
        Ok(Self {
            reference,
            workflow: shared::<Workflow>(workflow.cast::<PyWorkflow>()?.as_super())?,
            registry: prepared.getattr(intern!(py, "registry"))?.unbind(),
            reducers: read_reducers((!reducers.is_none()).then_some(&reducers))?,
        })
    }
}

/// Custom reducers by name; definitions of the built-in ones are left out, since the machine has those itself.
pub(super) fn read_reducers(reducers: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<CustomReducer>> {
    let Some(reducers) = reducers else { return Ok(Vec::new()) };
    let py = reducers.py();
    let mut custom = Vec::new();
    for entry in mapping_entries(reducers)? {
        let (name, definition) = entry?;
        let function = definition.getattr(intern!(py, "fn"))?;
        if let Some(builtin) = function.getattr_opt(intern!(py, "__wf_builtin__"))?
            && builtin.eq(name.as_str())?
        {
            continue;
        }
        let spec = definition.getattr(intern!(py, "spec"))?;
        let mut spec = data::<ReducerSpec>(spec.cast::<PyReducerSpec>()?.as_super())?.clone();
        // Fields refer to reducers by the name they are registered under.
        spec.name = name.into();
        custom.push(CustomReducer { spec, definition: definition.unbind() });
    }
    Ok(custom)
}

/// The contracts of custom reducers.
pub(crate) fn read_reducer_specs(reducers: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<ReducerSpec>> {
    Ok(read_reducers(reducers)?.into_iter().map(|reducer| reducer.spec).collect())
}

/// The plan of a workflow object in its surroundings; compiled when it is not among those kept.
pub(super) fn plan_of(workflow: &Bound<'_, PyWorkflow>, around: &Surroundings) -> Result<Arc<Plan>, Failed> {
    let key = around.key();
    let cache = &workflow.get().kept().0;
    let kept = cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, plan)) = kept.iter().find(|(known, _)| *known == key) {
        return Ok(Arc::clone(plan));
    }
    drop(kept);
    let document = shared::<Workflow>(workflow.as_super()).map_err(Failed::Raised)?;
    let plan = workflow.py().detach(|| compile(document, &key)).map_err(|error| Failed::Invalid(Box::new(error)))?;
    let mut kept = cache.lock().unwrap_or_else(PoisonError::into_inner);
    kept.truncate(KEPT - 1);
    kept.insert(0, (key, Arc::clone(&plan)));
    Ok(plan)
}

/// Why there is no plan.
pub(super) enum Failed {
    /// The workflow, or a child of it, is wrong.
    Invalid(Box<PlanError>),
    /// What was passed is none of the expected objects.
    Raised(PyErr),
}

impl Failed {
    /// The exception.
    pub(super) fn exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Raised(error) => error,
            Self::Invalid(error) => invalid(py, &error),
        }
    }
}

fn compile(workflow: Arc<Workflow>, key: &Key) -> Result<Arc<Plan>, PlanError> {
    let reducers: ReducerTable = key.reducers.iter().cloned().collect();
    let mut subgraphs = SubgraphTable::new();
    for child in &key.children {
        let prepared = PreparedSubgraph {
            workflow: Arc::clone(&child.workflow),
            reducers: child.reducers.iter().cloned().collect(),
        };
        subgraphs.insert(child.reference.as_str(), prepared);
    }
    Plan::compile(workflow, &reducers, &subgraphs)
}
