//! The sources that every server has: `wf.std`, `wf.recipes` and `wf.source`.
//!
//! All three are sources of the platform: a workflow names them as they are, and no deployment binds them.

pub(crate) mod contracts;
mod recipes;
mod source;

use std::sync::Arc;

use wf_core::reducer::BuiltinReducer;
use wf_platform::SourceId;
use wf_platform::capability::{CapabilityBuckets, Entry};
use wf_platform::source::{CapabilitySource, SourceKind, SourcePermissions, SourcePolicy, SourceVisibility};

pub use recipes::ExtractTextContent;
pub use source::ReadResource;

use crate::handler::Handler;
use crate::std_nodes::std_nodes;
use contracts::contracts_of;

/// The id of the standard library.
pub const STD_SOURCE_ID: &str = "wf.std";

/// The id of the source of recipes.
pub const RECIPE_SOURCE_ID: &str = "wf.recipes";

/// The id of the source whose nodes read resources.
pub const SOURCE_SOURCE_ID: &str = "wf.source";

/// The id that is kept for helpers around MCP; no source has it yet.
pub const MCP_SOURCE_ID: &str = "wf.mcp";

/// What executes a built-in capability.
#[derive(Clone, Debug)]
pub enum Builtin {
    /// A node.
    Node(Handler),
    /// A reducer, which the engine executes itself.
    Reducer(BuiltinReducer),
}

/// The sources that every server has, each with the handles that `handle` makes.
///
/// ```
/// use wf_api::builtin::builtin_sources;
///
/// let sources = builtin_sources(|builtin| builtin);
/// let ids: Vec<&str> = sources.iter().map(|source| source.id().as_str()).collect();
/// assert_eq!(ids, ["wf.std", "wf.recipes", "wf.source"]);
/// ```
pub fn builtin_sources<H>(mut handle: impl FnMut(Builtin) -> H) -> Vec<CapabilitySource<H>> {
    let mut standard = CapabilityBuckets::default();
    for node in std_nodes() {
        let handler = Handler::Immediate(Arc::clone(node) as Arc<_>);
        let entry = Entry::new(Arc::clone(node.contract()), handle(Builtin::Node(handler)));
        standard.node_specs.insert(Arc::clone(&node.contract().def.name), entry);
    }
    for reducer in BuiltinReducer::ALL {
        standard.reducers.insert(reducer.name(), Entry::new(reducer.spec(), handle(Builtin::Reducer(reducer))));
    }
    let safe = SourcePermissions { safe_for_workflow: true, ..SourcePermissions::default() };
    let mut one_node = |source: &'static str, handler: Handler| {
        let mut buckets = CapabilityBuckets::default();
        for node in contracts_of(source) {
            let entry = Entry::new(Arc::clone(&node.contract), handle(Builtin::Node(handler.clone())));
            buckets.node_specs.insert(Arc::clone(&node.contract.def.name), entry);
        }
        buckets
    };
    let recipes = one_node(RECIPE_SOURCE_ID, Handler::Immediate(Arc::new(ExtractTextContent)));
    let source = one_node(SOURCE_SOURCE_ID, Handler::Waiting(Arc::new(ReadResource)));
    vec![
        platform_source(
            STD_SOURCE_ID,
            "The standard library: small nodes and reducers for any workflow.",
            safe,
            standard,
        ),
        platform_source(RECIPE_SOURCE_ID, "Recipes: ready combinations of standard nodes.", safe, recipes),
        platform_source(
            SOURCE_SOURCE_ID,
            "Helpers that read the resources of other sources, explicitly and within bounds.",
            SourcePermissions { calls_upstream: true, ..safe },
            source,
        ),
    ]
}

fn platform_source<H>(
    id: &str,
    description: &str,
    permissions: SourcePermissions,
    buckets: CapabilityBuckets<H>,
) -> CapabilitySource<H> {
    let id = SourceId::parse(id).expect("the id of a built-in source is one");
    CapabilitySource::new(id, SourceKind::System)
        .with_visibility(SourceVisibility { planner: true, client: true, admin_dashboard: true })
        .with_permissions(permissions)
        .with_policy(SourcePolicy::Platform)
        .with_description(description)
        .with_capabilities(buckets)
}
