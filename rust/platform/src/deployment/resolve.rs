//! Which concrete capability a logical one means under a deployment. Validation and execution ask the same
//! question, so what was validated is what runs.

use std::sync::Arc;

use wf_core::refs::CapabilityRef;

use crate::source::SourcePolicy;

use super::{SourceCatalog, WorkflowDeployment};

/// What a capability of a logical source means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// This capability of this concrete source.
    Source {
        /// The concrete source.
        source_id: Arc<str>,
        /// The name within it.
        local_name: Arc<str>,
    },
    /// Nothing: the logical source is not bound.
    Unbound {
        /// The logical source.
        logical_source: Arc<str>,
    },
}

/// What a reference means.
///
/// The source that the reference names comes first. When nothing is known of it, the boundary between source and
/// name may have been a guess (a plan only has `a.b.c`), so every other boundary is tried, the longest source first.
pub fn resolve<C: SourceCatalog + ?Sized>(
    reference: &CapabilityRef,
    deployment: &WorkflowDeployment,
    catalog: &C,
) -> Resolution {
    let logical_source = reference.source.to_string();
    if let Some(source_id) = concrete(&logical_source, deployment, catalog) {
        return Resolution::Source { source_id, local_name: Arc::clone(&reference.name) };
    }
    by_any_boundary(&reference.to_string(), deployment, catalog)
        .unwrap_or_else(|| Resolution::Unbound { logical_source: logical_source.into() })
}

/// What a name in a plan means when no requirement tells where its source ends.
pub fn resolve_name<C: SourceCatalog + ?Sized>(name: &str, deployment: &WorkflowDeployment, catalog: &C) -> Resolution {
    by_any_boundary(name, deployment, catalog).unwrap_or_else(|| {
        let logical_source = name.rsplit_once('.').map_or(name, |(source, _)| source);
        Resolution::Unbound { logical_source: logical_source.into() }
    })
}

fn by_any_boundary<C: SourceCatalog + ?Sized>(
    name: &str,
    deployment: &WorkflowDeployment,
    catalog: &C,
) -> Option<Resolution> {
    name.rmatch_indices('.').find_map(|(dot, _)| {
        let local_name = Some(&name[dot + 1..]).filter(|rest| !rest.is_empty())?;
        let source_id = concrete(&name[..dot], deployment, catalog)?;
        Some(Resolution::Source { source_id, local_name: local_name.into() })
    })
}

/// The concrete source of a logical one: a source of the platform means itself whatever is bound, then the binding
/// counts, then a source that needs no binding means itself.
fn concrete<C: SourceCatalog + ?Sized>(
    logical_source: &str,
    deployment: &WorkflowDeployment,
    catalog: &C,
) -> Option<Arc<str>> {
    let policy = catalog.source(logical_source).map(|facts| facts.policy);
    if policy == Some(SourcePolicy::Platform) {
        return Some(logical_source.into());
    }
    if let Some(bound) = deployment.bound(logical_source) {
        return Some(Arc::clone(bound));
    }
    (policy == Some(SourcePolicy::Unbound)).then(|| logical_source.into())
}
