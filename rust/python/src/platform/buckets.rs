//! `CapabilityBuckets`: the objects of a source, by kind and qualified name.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMappingProxy};
use wf_core::document::Document;
use wf_platform::capability::{Bucket, CapabilityBuckets, Entry};
use wf_platform::inventory::NodeSpecInventory;

use super::contracts::{node_contract, prompt_contract, reducer_contract, resource_contract, tool_contract};
use super::handle::Handle;
use crate::document::show;

/// The objects of a source, by kind and qualified name.
///
/// Plain dicts while they are being filled; once a source has taken them over they can only be read.
#[pyclass(name = "CapabilityBuckets", module = "wf_platform.sources", frozen)]
pub(crate) struct PyCapabilityBuckets {
    dicts: [Py<PyDict>; 6],
    sealed: bool,
}

/// The names of the buckets, in the order of the constructor.
const NAMES: [&str; 6] = ["tools", "node_specs", "reducers", "reducer_definitions", "prompts", "resources"];

impl PyCapabilityBuckets {
    /// The buckets of a source, which can only be read.
    pub(super) fn sealed<'py>(py: Python<'py>, buckets: &CapabilityBuckets<Handle>) -> PyResult<Bound<'py, Self>> {
        let reducers = objects(py, &buckets.reducers)?;
        let dicts = [
            objects(py, &buckets.tools)?,
            node_specs(py, &buckets.node_specs)?,
            reducers.clone(),
            reducers,
            objects(py, &buckets.prompts)?,
            objects(py, &buckets.resources)?,
        ];
        Bound::new(py, Self { dicts: dicts.map(Bound::unbind), sealed: true })
    }

    fn shown<'py>(&self, py: Python<'py>, place: usize) -> Bound<'py, PyAny> {
        let dict = self.dicts[place].bind(py);
        if self.sealed { PyMappingProxy::new(py, dict.as_mapping()).into_any() } else { dict.clone().into_any() }
    }

    /// The buckets as the registry keeps them: contracts, and these objects behind them.
    pub(super) fn native(&self, py: Python<'_>) -> PyResult<CapabilityBuckets<Handle>> {
        let [tools, node_specs, reducers, definitions, prompts, resources] = &self.dicts;
        let mut buckets = CapabilityBuckets {
            tools: bucket(tools.bind(py), |_, object| tool_contract(object))?,
            node_specs: bucket(node_specs.bind(py), node_contract)?,
            reducers: bucket(reducers.bind(py), reducer_contract)?,
            prompts: bucket(prompts.bind(py), |_, object| prompt_contract(object))?,
            resources: bucket(resources.bind(py), |_, object| resource_contract(object))?,
        };
        // A definition is the same reducer with what executes it, so it takes the place of the bare contract.
        for (name, definition) in definitions.bind(py) {
            let name: Arc<str> = name.extract::<String>()?.into();
            let contract = reducer_contract(&name, &definition)?;
            buckets.reducers.insert(name, Entry::new(contract, Handle::new(definition)));
        }
        Ok(buckets)
    }
}

fn bucket<C>(
    dict: &Bound<'_, PyDict>,
    contract: impl Fn(&str, &Bound<'_, PyAny>) -> PyResult<C>,
) -> PyResult<Bucket<C, Handle>> {
    let mut bucket = Bucket::default();
    // Making a contract may run Python code, so the dict is copied before it is walked.
    for (name, object) in dict.copy()? {
        let name: Arc<str> = name.extract::<String>()?.into();
        let contract = contract(&name, &object)?;
        bucket.insert(name, Entry::new(contract, Handle::new(object)));
    }
    Ok(bucket)
}

fn objects<'py, C>(py: Python<'py>, bucket: &Bucket<C, Handle>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, entry) in bucket.iter() {
        dict.set_item(&**name, entry.handle().map(|handle| handle.bind(py)))?;
    }
    Ok(dict)
}

/// Like `objects`; a node spec without an object shows its contract.
fn node_specs<'py>(
    py: Python<'py>,
    bucket: &Bucket<wf_platform::capability::NodeContract, Handle>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, entry) in bucket.iter() {
        let object = match entry.handle() {
            Some(handle) => handle.bind(py),
            None => shown_contract(py, NodeSpecInventory::of(name, entry.contract()))?,
        };
        dict.set_item(&**name, object)?;
    }
    Ok(dict)
}

pub(super) fn shown_contract<D: Document>(py: Python<'_>, document: D) -> PyResult<Bound<'_, PyAny>> {
    show(py, document)
}

#[pymethods]
impl PyCapabilityBuckets {
    #[new]
    #[pyo3(signature = (
        tools = None, node_specs = None, reducers = None, reducer_definitions = None, prompts = None, resources = None
    ))]
    fn __new__(
        py: Python<'_>,
        tools: Option<&Bound<'_, PyAny>>,
        node_specs: Option<&Bound<'_, PyAny>>,
        reducers: Option<&Bound<'_, PyAny>>,
        reducer_definitions: Option<&Bound<'_, PyAny>>,
        prompts: Option<&Bound<'_, PyAny>>,
        resources: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let dict = |given: Option<&Bound<'_, PyAny>>| -> PyResult<Py<PyDict>> {
            match given {
                None => Ok(PyDict::new(py).unbind()),
                // The very dict that was given, so that filling it later fills the bucket.
                Some(given) => match given.cast::<PyDict>() {
                    Ok(dict) => Ok(dict.clone().unbind()),
                    Err(_) => Ok(py.get_type::<PyDict>().call1((given,))?.cast_into::<PyDict>()?.unbind()),
                },
            }
        };
        let dicts = [
            dict(tools)?,
            dict(node_specs)?,
            dict(reducers)?,
            dict(reducer_definitions)?,
            dict(prompts)?,
            dict(resources)?,
        ];
        Ok(Self { dicts, sealed: false })
    }

    /// What MCP clients may call.
    #[getter]
    fn tools<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown(py, 0)
    }

    /// What workflow steps may call.
    #[getter]
    fn node_specs<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown(py, 1)
    }

    /// Merge rules for state fields.
    #[getter]
    fn reducers<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown(py, 2)
    }

    /// Merge rules together with what executes them.
    #[getter]
    fn reducer_definitions<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown(py, 3)
    }

    /// Texts offered to clients.
    #[getter]
    fn prompts<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown(py, 4)
    }

    /// Content that can be read by URI.
    #[getter]
    fn resources<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown(py, 5)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        for (mine, theirs) in self.dicts.iter().zip(&other.get().dicts) {
            if !mine.bind(py).eq(theirs.bind(py))? {
                return Ok(false.into_pyobject(py)?.to_owned().into_any().unbind());
            }
        }
        Ok(true.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let counts = NAMES.iter().zip(&self.dicts).map(|(name, dict)| format!("{name}={}", dict.bind(py).len()));
        format!("CapabilityBuckets({})", counts.collect::<Vec<_>>().join(", "))
    }
}
