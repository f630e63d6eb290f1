//! Runs: plans, handlers, the pump that drives them, and what is left when they stop.

mod awaitables;
mod clock;
mod codec;
mod context;
mod effects;
mod entry;
mod enums;
mod failures;
mod handlers;
mod item;
mod machine;
mod plans;
mod pump;
mod pump_state;
mod record;
mod records;
mod reduce;
mod results;
mod state;

pub(crate) use context::PyRuntimeContext;
pub(crate) use entry::stored_pump;
pub(crate) use failures::refused;
pub(crate) use plans::{PlanCache, read_reducer_specs};
pub(crate) use pump::PyPump;
pub(crate) use state::PyRunState;

use pyo3::prelude::*;

/// Registers the classes and functions of this folder.
pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRuntimeContext>()?;
    module.add_class::<item::PyItem>()?;
    module.add_class::<PyPump>()?;
    module.add_class::<machine::PyRun>()?;
    effects::register(module)?;
    records::register(module)?;
    state::register(module)?;
    codec::register(module)?;
    entry::register(module)?;
    module.add_function(wrap_pyfunction!(results::coerce_node_result, module)?)
}
