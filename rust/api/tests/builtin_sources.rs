//! The sources that every server has, and the node that reads resources.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wf_api::builtin::{Builtin, ReadResource, builtin_sources};
use wf_api::file::FileReader;
use wf_api::handler::{AsyncNodeHandler, Handler, HandlerError, NodeContext};
use wf_api::resource::SourceBindingPlatformContext;
use wf_core::document::Document as _;
use wf_core::schema::CompiledSchema;
use wf_core::value::{Object, Value};
use wf_platform::capability::SchemaSide;
use wf_platform::inventory::{SourceInventory, SourceStatus};
use wf_platform::registry::SourceRegistry;
use wf_platform::source::CapabilitySource;

fn sources() -> Vec<CapabilitySource<Builtin>> {
    builtin_sources(|builtin| builtin)
}

fn json_of(value: &Value) -> Json {
    serde_json::from_str(&value.to_json()).unwrap()
}

#[test]
fn the_status_of_the_standard_library_has_twenty_nodes_and_six_reducers() {
    let status = json_of(&SourceStatus::of(&sources()[0]).dump());
    assert_eq!(status["id"], "wf.std");
    assert_eq!((&status["node_spec_count"], &status["reducer_count"]), (&json!(20), &json!(6)));
    assert_eq!(status["preview"]["node_specs"], json!(["wf.std.coalesce", "wf.std.concat", "wf.std.constant"]));
    assert_eq!(status["preview"]["reducers"], json!(["wf.std.add", "wf.std.append", "wf.std.max"]));
    assert_eq!(status["policy"], json!({"platform": true, "binding_required": false}));
    assert_eq!(status["permissions"]["safe_for_workflow"], true);
    assert_eq!(status["visibility"], json!({"planner": true, "client": true, "admin_dashboard": true}));
}

#[test]
fn every_built_in_source_is_a_source_of_the_platform_and_registers() {
    let registry = SourceRegistry::new();
    for source in sources() {
        assert!(source.policy().platform() && !source.policy().binding_required());
        SourceInventory::of(&source).dump();
        registry.add_builtin(source).unwrap();
    }
    let snapshot = registry.snapshot();
    for name in ["wf.std.constant", "wf.recipes.extract_text_content", "wf.source.read_resource"] {
        assert!(snapshot.node_spec(name).unwrap().capability.handle().is_some(), "{name}");
    }
    assert!(snapshot.reducer("wf.std.set_union").is_ok());
}

#[test]
fn every_contract_has_schemas_that_compile() {
    for source in sources() {
        for (name, entry) in source.capabilities().node_specs.iter() {
            for side in SchemaSide::ALL {
                CompiledSchema::compile(entry.contract().schema(side))
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
}

#[test]
fn the_reading_node_takes_one_to_twenty_thousand_characters_and_four_thousand_by_default() {
    let source = sources().pop().unwrap();
    let contract = source.capabilities().node_specs.get("wf.source.read_resource").unwrap().contract();
    assert!(contract.is_async && contract.accepts_context);
    let schema: Json = serde_json::to_value(contract.schema(SchemaSide::Input)).unwrap();
    let max_chars = &schema["properties"]["max_chars"];
    assert_eq!(
        (&max_chars["minimum"], &max_chars["maximum"], &max_chars["default"]),
        (&json!(1), &json!(20000), &json!(4000))
    );
}

fn extract(payload: &Json) -> Result<String, HandlerError> {
    let source = sources().swap_remove(1);
    let entry = source.capabilities().node_specs.get("wf.recipes.extract_text_content").unwrap().clone();
    let Some(Builtin::Node(Handler::Immediate(handler))) = entry.handle() else { panic!("an immediate handler") };
    let input: Object = serde_json::from_value(payload.clone()).unwrap();
    let result = handler.call(&input, &NodeContext::default())?;
    Ok(result.output.get("text").and_then(Value::as_str).unwrap().to_owned())
}

#[test]
fn the_recipe_joins_the_texts_of_text_blocks() {
    let content = json!([
        {"type": "text", "text": "a"},
        {"type": "image", "text": "not this"},
        {"type": "text"},
        {"type": "text", "text": "b"},
    ]);
    assert_eq!(extract(&json!({"content": content})).unwrap(), "ab");
    assert_eq!(extract(&json!({"content": content, "separator": "\n"})).unwrap(), "a\nb");
    let error = extract(&json!({"content": [{"type": "text", "text": 1}]})).unwrap_err();
    assert_eq!(error.message, "`content[].text` must be a string, got integer");
}

fn read(context: NodeContext<'_>, payload: &Json) -> Result<Json, HandlerError> {
    let input: Object = serde_json::from_value(payload.clone()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let result = runtime.block_on(ReadResource.call(&input, context))?;
    assert_eq!(&*result.outcome, "ok");
    Ok(serde_json::to_value(&result.output).unwrap())
}

#[test]
fn d29_the_node_reads_a_file_through_a_binding() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("letters.txt"), "abcdefghijklmnopqrstuvwxyz").unwrap();
    let reader = Arc::new(FileReader::open(root.path()).unwrap());
    let platform = SourceBindingPlatformContext::new([("docs".into(), "docs.here".into())]).with_reader(reader);
    let context = NodeContext::with_platform(&platform);
    let reference = json!({"kind": "source_resource_ref", "logical_source": "docs", "uri": "letters.txt"});
    let output = read(context, &json!({"ref": reference, "max_chars": 5})).unwrap();
    assert_eq!(
        output,
        json!({
            "source_id": "docs.here", "uri": "letters.txt", "mime_type": "text/plain", "text": "abcde",
            "content_count": 1, "truncated": true, "offset": 0, "next_offset": 5,
            "contents": [{"uri": "letters.txt", "mime_type": "text/plain", "kind": "text", "size": 26}],
            "blob": null,
        })
    );
    let page = read(context, &json!({"ref": reference, "max_chars": 5.0, "offset": 24})).unwrap();
    assert_eq!((&page["text"], &page["next_offset"]), (&json!("yz"), &json!(null)));
}

#[test]
fn d29_the_node_fails_with_the_code_and_the_type_of_the_cause() {
    let reference = json!({"logical_source": "docs", "uri": "a"});
    let failed = |context, payload: &Json| {
        let error = read(context, payload).unwrap_err();
        (error.code.unwrap(), error.type_name)
    };
    let unbound = SourceBindingPlatformContext::default();
    let unbound = NodeContext::with_platform(&unbound);
    assert_eq!(
        failed(NodeContext::default(), &json!({"ref": reference})),
        ("platform.missing", "PlatformMissingError")
    );
    assert_eq!(failed(unbound, &json!({"ref": reference})), ("source.unbound", "UnboundSourceError"));
    assert_eq!(failed(unbound, &json!({})), ("node.input_invalid", "ValueError"));
    assert_eq!(
        failed(unbound, &json!({"ref": {"logical_source": "", "uri": "a"}})),
        ("node.input_invalid", "ValueError")
    );
    for (name, value) in [
        ("max_chars", json!(20001)),
        ("max_chars", json!(0)),
        ("max_chars", json!("5")),
        ("offset", json!(-1)),
        ("max_blob_bytes", json!(1_000_001)),
    ] {
        let payload = json!({"ref": reference, name: value});
        assert_eq!(failed(unbound, &payload), ("resource.bounds_invalid", "ReadBoundsError"), "{name} {value}");
    }
}
