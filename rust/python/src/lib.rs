//! The native module `_wf`: it only registers what the other files define.

use pyo3::prelude::*;

/// The private native module behind the `wf_*` packages.
#[pymodule]
mod _native {}
