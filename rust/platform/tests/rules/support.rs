//! Sources for the tests of this crate.

use std::sync::Arc;

use wf_core::document::{ReducerSpec, SiblingWritePolicy};
use wf_core::value::Object;
use wf_platform::SourceId;
use wf_platform::capability::{CapabilityBuckets, Entry, PromptContract, ResourceContract, ToolContract};
use wf_platform::source::{CapabilitySource, SourceKind, SourceVisibility};

/// A handle whose text must never show up in an inventory.
#[derive(Clone, Debug)]
pub(crate) struct Secret(pub(crate) &'static str);

pub(crate) type Source = CapabilitySource<Secret>;

pub(crate) fn id(text: &str) -> SourceId {
    SourceId::parse(text).expect("a good id")
}

/// An enabled source that is visible everywhere and owns `echo` as a tool, `sum` as a reducer, a prompt and a resource.
pub(crate) fn source(text: &str) -> Source {
    let id = id(text);
    let mut buckets = CapabilityBuckets::default();
    add_tool(&mut buckets, &id, "echo");
    add_reducer(&mut buckets, &id, "sum");
    buckets.prompts.insert(id.qualify("guide"), Entry::contract_only(PromptContract::default()));
    buckets.resources.insert(id.qualify("manual"), Entry::contract_only(ResourceContract::default()));
    Source::new(id, SourceKind::Connection).with_capabilities(buckets).with_visibility(SourceVisibility::EVERYWHERE)
}

pub(crate) fn add_tool(buckets: &mut CapabilityBuckets<Secret>, id: &SourceId, name: &str) {
    buckets.tools.insert(id.qualify(name), Entry::new(ToolContract::default(), Secret("tool handle")));
}

pub(crate) fn add_reducer(buckets: &mut CapabilityBuckets<Secret>, id: &SourceId, name: &str) {
    let name = id.qualify(name);
    let contract = ReducerSpec {
        name: Arc::clone(&name),
        description: None,
        config_schema: Object::new(),
        sibling_write_policy: SiblingWritePolicy::Mergeable,
        extra: Vec::new(),
    };
    buckets.reducers.insert(name, Entry::new(contract, Secret("reducer handle")));
}
