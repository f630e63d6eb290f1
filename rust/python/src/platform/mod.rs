//! The submodule `_wf._native.platform`: sources, the registry, artifacts and deployments.

mod artifacts;
mod buckets;
mod classes;
mod contracts;
mod deployments;
mod error;
mod functions;
mod guidance;
mod handle;
mod inventory;
mod registry;
mod resources;
mod snapshot;
mod source;
mod sources;

pub(crate) use error::platform_error;
pub(crate) use handle::Handle;
pub(crate) use registry::PySourceRegistry;
pub(crate) use snapshot::PySourceSnapshot;
pub(crate) use source::PyCapabilitySource;

use pyo3::prelude::*;

/// Registers the classes and functions of this room.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    resources::register(module)?;
    sources::register(module)?;
    inventory::register(module)?;
    artifacts::register(module)?;
    deployments::register(module)?;
    guidance::register(module)?;
    module.add_class::<buckets::PyCapabilityBuckets>()?;
    module.add_class::<PyCapabilitySource>()?;
    module.add_class::<PySourceSnapshot>()?;
    module.add_class::<PySourceRegistry>()?;
    module.add_class::<registry::PySourceChange>()?;
    module.add_class::<registry::PySourceSubscription>()?;
    functions::register(module)
}
