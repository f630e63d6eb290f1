//! Deployments: which concrete sources the logical sources of an artifact mean, and whether that works.

mod available;
mod diagnostic;
mod model;
mod resolve;
mod runtime;
mod validate;

pub use available::{
    AvailableCapability, AvailableSource, AvailableSources, CapabilityFacts, SourceCatalog, SourceFacts,
};
pub use diagnostic::{DependencyDiagnostic, DiagnosticSeverity, is_runnable};
pub use model::{DriftPolicy, SourceBinding, WorkflowDeployment};
pub use resolve::{Resolution, resolve, resolve_name};
pub use runtime::{ResolvedNode, ResolvedReducer, RuntimeDependencies, resolve_runtime_dependencies};
pub use validate::{unused_binding_diagnostics, validate_deployment_dependencies};
