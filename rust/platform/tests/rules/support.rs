//! Sources for the tests of this crate.

use std::sync::Arc;

use wf_core::document::{Document, NodeDef, ReducerSpec, SiblingWritePolicy};
use wf_core::value::{Object, Value};
use wf_platform::SourceId;
use wf_platform::capability::{CapabilityBuckets, Entry, NodeContract, PromptContract, ResourceContract, ToolContract};
use wf_platform::registry::SourceRegistry;
use wf_platform::source::{CapabilitySource, SourceKind, SourcePermissions, SourcePolicy, SourceVisibility};

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

/// The JSON object in a text.
pub(crate) fn object(text: &str) -> Object {
    Value::parse_json(text).expect("JSON").as_object().cloned().expect("an object")
}

/// A document from its JSON text.
pub(crate) fn document<D: Document>(text: &str) -> D {
    D::parse(&Value::parse_json(text).expect("JSON")).expect("a good document")
}

/// The codes of what is wrong with a document.
pub(crate) fn problems<D: Document + std::fmt::Debug>(text: &str) -> Vec<(&'static str, String)> {
    let error = D::parse(&Value::parse_json(text).expect("JSON")).expect_err("a bad document");
    error.problems.into_iter().map(|problem| (problem.code, problem.message)).collect()
}

/// A contract from `text` to `echoed`, with outcome `ok`.
pub(crate) fn echo_contract(name: &str) -> NodeContract {
    contract(
        name,
        r#"{"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}"#,
        r#"{"type": "object", "properties": {"echoed": {"type": "string"}}, "required": ["echoed"]}"#,
    )
}

pub(crate) fn contract(name: &str, input: &str, output: &str) -> NodeContract {
    NodeContract::new(NodeDef {
        name: name.into(),
        input_schema: document(input),
        output_schema: document(output),
        outcomes: vec!["ok".into()],
        retry: None,
        timeout_seconds: None,
    })
}

/// A source that workflows may use, with an `echo` node spec.
pub(crate) fn echo_source(text: &str) -> Source {
    let id = id(text);
    let mut buckets = CapabilityBuckets::default();
    let name = id.qualify("echo");
    buckets.node_specs.insert(Arc::clone(&name), Entry::new(echo_contract(&name), Secret("node handle")));
    add_reducer(&mut buckets, &id, "sum");
    Source::new(id, SourceKind::Python)
        .with_capabilities(buckets)
        .with_visibility(SourceVisibility::EVERYWHERE)
        .with_permissions(SourcePermissions { safe_for_workflow: true, ..SourcePermissions::default() })
}

/// A registry with `wf.std` (its six reducers) and the given sources.
pub(crate) fn registry_with(sources: Vec<Source>) -> SourceRegistry<Secret> {
    let registry = SourceRegistry::new();
    let std = id("wf.std");
    let mut buckets = CapabilityBuckets::default();
    for name in ["replace", "append", "add", "max", "merge_object", "set_union"] {
        add_reducer(&mut buckets, &std, name);
    }
    let builtin = Source::new(std, SourceKind::System)
        .with_capabilities(buckets)
        .with_visibility(SourceVisibility::EVERYWHERE)
        .with_permissions(SourcePermissions { safe_for_workflow: true, ..SourcePermissions::default() })
        .with_policy(SourcePolicy::Platform);
    registry.add_builtin(builtin).expect("the platform may");
    for source in sources {
        registry.add(source).expect("a source");
    }
    registry
}

/// A plan with one step that calls `node`.
pub(crate) fn one_step_plan(node: &str) -> Object {
    object(&format!(
        r#"{{"name": "echo", "start": "call",
            "input_schema": {{"type": "object", "properties": {{"text": {{"type": "string"}}}}}},
            "state_schema": {{"type": "object", "properties": {{"echoed": {{"type": "string"}}}}}},
            "output_schema": {{"type": "object", "properties": {{"echoed": {{"type": "string"}}}}}},
            "nodes": [{{"id": "call", "type": "node", "node": "{node}",
                        "input": [{{"target": "text", "path": "input.text"}}],
                        "output": [{{"source": "echoed", "target": "state.echoed"}}]}}],
            "edges": [{{"from": "call", "outcome": "ok", "to": "__end__"}}]}}"#
    ))
}
