//! The native module `_wf._native`: it only registers what the other files define.
//!
//! Three submodules mirror the rooms below: `core` (documents, paths, runs), `platform` (sources, references)
//! and `api` (contexts, stores, operations). No business rule lives in this crate: it converts values, turns
//! errors into exceptions and adapts Python callables to what the Rust crates expect.

mod api;
mod convert;
mod core;
mod document;
mod error;
mod platform;

use pyo3::prelude::*;

/// A step makes and drops many small values; this allocator does that faster than the system's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The private native module behind the `wf_*` packages.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::submodule(module, "core", crate::core::register)?;
        super::submodule(module, "platform", crate::platform::register)?;
        super::submodule(module, "api", crate::api::register)
    }
}

/// Adds the submodule `name` so that both `_native.name` and `import _wf._native.name` find it.
fn submodule(
    parent: &Bound<'_, PyModule>,
    name: &str,
    register: fn(&Bound<'_, PyModule>) -> PyResult<()>,
) -> PyResult<()> {
    let py = parent.py();
    let qualified = format!("_wf._native.{name}");
    let module = PyModule::new(py, &qualified)?;
    register(&module)?;
    parent.add(name, &module)?;
    // The parent is a single shared library and no package, so the import system cannot search below it.
    py.import("sys")?.getattr("modules")?.set_item(qualified, module)
}
