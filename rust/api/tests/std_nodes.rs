//! The standard nodes against models that say the same in the plainest way.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};
use wf_api::handler::{HandlerError, NodeContext, NodeHandler};
use wf_api::std_nodes::{std_node, std_nodes};
use wf_core::value::{Object, Value};
use wf_platform::capability::SchemaSide;

/// Calls a node with a JSON payload; answers its outcome and its output as JSON.
fn call(name: &str, payload: &Json) -> Result<(String, Json), HandlerError> {
    let input: Object = serde_json::from_str(&payload.to_string()).unwrap();
    let result = std_node(name).unwrap().call(&input, &NodeContext::default())?;
    Ok((result.outcome.to_string(), serde_json::to_value(&result.output).unwrap()))
}

fn ok(name: &str, payload: &Json) -> Json {
    let (outcome, output) = call(name, payload).unwrap();
    assert_eq!(outcome, "ok", "{name}");
    output
}

fn refused(name: &str, payload: &Json) -> String {
    let error = call(name, payload).unwrap_err();
    assert_eq!(error.code, Some("node.input_invalid"), "{name}");
    error.message
}

#[test]
fn the_library_has_the_twenty_nodes_in_the_order_in_which_they_are_published() {
    let names: Vec<&str> = std_nodes().iter().map(|node| &**node.name()).collect();
    assert_eq!(
        names,
        [
            "coalesce",
            "default_if_none",
            "constant",
            "pick_key",
            "pick_path",
            "project_fields",
            "rename_fields",
            "truthy",
            "runtime_error",
            "first_item",
            "first_item_or_none",
            "first_item_maybe",
            "last_item",
            "last_item_or_none",
            "length",
            "is_empty",
            "filter_items",
            "filter_items_present",
            "extract_field",
            "concat",
        ]
    );
    assert_eq!(std_nodes().len(), 20);
}

#[test]
fn contracts_carry_the_titles_and_outcomes_of_the_published_table() {
    let table = [
        ("coalesce", "CoalesceInput", "ValueOutput", "ok"),
        ("default_if_none", "CoalesceInput", "ValueOutput", "ok"),
        ("constant", "ConstantInput", "ValueOutput", "ok"),
        ("pick_key", "PickKeyInput", "ValueOutput", "ok"),
        ("pick_path", "PickPathInput", "ValueOutput", "ok"),
        ("project_fields", "ProjectFieldsInput", "MappingOutput", "ok"),
        ("rename_fields", "RenameFieldsInput", "MappingOutput", "ok"),
        ("truthy", "TruthyInput", "BoolOutput", "truthy falsey"),
        ("runtime_error", "RuntimeErrorInput", "Nothing", "ok"),
        ("concat", "ConcatInput", "TextOutput", "ok"),
        ("first_item", "NonEmptySequenceInput", "ItemOutput", "ok"),
        ("first_item_or_none", "SequenceInput", "ItemOutput", "ok"),
        ("first_item_maybe", "SequenceInput", "MaybeItemOutput", "found missing"),
        ("last_item", "NonEmptySequenceInput", "ItemOutput", "ok"),
        ("last_item_or_none", "SequenceInput", "ItemOutput", "ok"),
        ("length", "SequenceInput", "CountOutput", "ok"),
        ("is_empty", "SequenceInput", "BoolOutput", "ok"),
        ("filter_items", "FilterItemsInput", "MappingItemsOutput", "ok"),
        ("filter_items_present", "FilterItemsPresentInput", "MappingItemsOutput", "ok"),
        ("extract_field", "ExtractFieldInput", "ValuesOutput", "ok"),
    ];
    for (name, input, output, outcomes) in table {
        let contract = std_node(name).unwrap().contract();
        assert_eq!(*contract.def.name, format!("wf.std.{name}"));
        assert_eq!(contract.schema(SchemaSide::Input).get("title").and_then(Value::as_str), Some(input), "{name}");
        assert_eq!(contract.schema(SchemaSide::Output).get("title").and_then(Value::as_str), Some(output), "{name}");
        assert_eq!(contract.def.outcomes.join(" "), outcomes, "{name}");
    }
}

#[test]
fn only_first_item_and_last_item_publish_that_the_list_has_an_item() {
    for node in std_nodes() {
        let schema = serde_json::to_value(node.contract().schema(SchemaSide::Input)).unwrap();
        let published = schema["properties"]["items"].get("minItems").is_some();
        assert_eq!(published, ["first_item", "last_item"].contains(&&**node.name()), "{}", node.name());
    }
}

#[test]
fn runtime_error_fails_with_the_message_and_the_details_as_python_writes_them() {
    let plain = call("runtime_error", &json!({"message": "no such file"})).unwrap_err();
    assert_eq!((plain.type_name, plain.message.as_str()), ("RuntimeError", "no such file"));
    let empty = call("runtime_error", &json!({"message": "no such file", "details": {}})).unwrap_err();
    assert_eq!(empty.message, "no such file");
    let details = json!({"path": "a'b", "tries": 3, "last": null, "ok": false, "wait": 1.0, "list": [true, "x"]});
    let full = call("runtime_error", &json!({"message": "failed", "details": details})).unwrap_err();
    assert_eq!(
        full.message,
        "failed: {'path': \"a'b\", 'tries': 3, 'last': None, 'ok': False, 'wait': 1.0, 'list': [True, 'x']}"
    );
}

#[test]
fn a_path_has_no_quoting_and_an_empty_path_looks_up_the_empty_key() {
    let mapping = json!({"a": {"b": 0, "c.d": 1}, "": "empty", "n": null});
    for (path, expected) in [
        ("a.b", json!(0)),
        ("a.c.d", json!(null)),
        ("", json!("empty")),
        ("a.", json!(null)),
        ("n.x", json!(null)),
        ("a.b.c", json!(null)),
        ("a", json!({"b": 0, "c.d": 1})),
    ] {
        assert_eq!(ok("pick_path", &json!({"mapping": mapping, "path": path})), json!({"value": expected}), "{path}");
    }
}

#[test]
fn renaming_drops_what_has_no_new_name_and_a_later_target_wins() {
    let payload = json!({"mapping": {"a": 1, "b": 2, "c": 3}, "renames": {"a": "x", "absent": "y", "b": "x"}});
    assert_eq!(ok("rename_fields", &payload), json!({"mapping": {"x": 2}}));
}

#[test]
fn filters_use_json_equality_and_count_an_absent_key_as_null() {
    let items = json!([{"k": 1}, {"k": 1.0}, {"k": true}, {"k": null}, {}]);
    let filter =
        |value: Json| ok("filter_items", &json!({"items": items, "key": "k", "value": value}))["items"].clone();
    assert_eq!(filter(json!(1)), json!([{"k": 1}, {"k": 1.0}]));
    assert_eq!(filter(json!(true)), json!([{"k": true}]));
    assert_eq!(filter(json!(null)), json!([{"k": null}, {}]));
    let present = ok("filter_items_present", &json!({"items": items, "key": "k"}));
    assert_eq!(present, json!({"items": [{"k": 1}, {"k": 1.0}, {"k": true}, {"k": null}]}));
}

#[test]
fn routes_by_truth_and_by_presence() {
    for (value, truth) in [
        (json!(null), false),
        (json!(0), false),
        (json!(-0.0), false),
        (json!(""), false),
        (json!([]), false),
        (json!({}), false),
        (json!("0"), true),
        (json!([null]), true),
        (json!(1e-300), true),
        (serde_json::from_str("123456789012345678901234567890").unwrap(), true),
    ] {
        let expected = if truth { "truthy" } else { "falsey" };
        assert_eq!(
            call("truthy", &json!({"value": value})).unwrap(),
            (expected.to_owned(), json!({"value": truth})),
            "{value}"
        );
    }
    assert_eq!(call("first_item_maybe", &json!({"items": [0]})).unwrap(), ("found".into(), json!({"item": 0})));
    assert_eq!(call("first_item_maybe", &json!({"items": []})).unwrap(), ("missing".into(), json!({"item": null})));
}

#[test]
fn a_payload_that_the_contract_refuses_is_an_error_and_never_a_panic() {
    assert_eq!(refused("first_item", &json!({"items": []})), "[] should be non-empty");
    assert_eq!(refused("last_item", &json!({"items": []})), "[] should be non-empty");
    assert_eq!(refused("constant", &json!({})), "'value' is a required property");
    assert_eq!(refused("pick_key", &json!({"mapping": 1, "key": "a"})), "`mapping` must be an object, got integer");
    assert_eq!(refused("concat", &json!({"items": ["a", 1]})), "`items[]` must be a string, got integer");
}

/// Any JSON value of moderate size.
fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (-1e9..1e9_f64).prop_map(Json::from),
        "[a-c.]{0,3}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec(("[a-c]{0,2}", inner), 0..4)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
}

fn any_mapping() -> impl Strategy<Value = Map<String, Json>> {
    prop::collection::vec(("[a-c]{0,2}", any_json()), 0..5).prop_map(|entries| entries.into_iter().collect())
}

fn any_key() -> impl Strategy<Value = String> {
    "[a-c]{0,2}"
}

proptest! {
    #[test]
    fn every_node_is_total(payload in any_mapping(), items in prop::collection::vec(any_json(), 0..4), key in "[a-c.]{0,4}") {
        // Half of the payloads have the right fields of whatever type, half have anything.
        let mut shaped = payload.clone();
        for (field, value) in [
            ("items", json!(items)),
            ("mapping", json!(payload)),
            ("key", json!(key)),
            ("path", json!(key)),
            ("field", json!(key)),
            ("value", json!(items.first())),
        ] {
            shaped.insert(field.to_owned(), value);
        }
        for node in std_nodes() {
            for candidate in [&payload, &shaped] {
                let input: Object = serde_json::from_value(Json::Object(candidate.clone())).unwrap();
                if let Ok(result) = node.call(&input, &NodeContext::default()) {
                    prop_assert!(node.contract().def.outcomes.contains(&result.outcome));
                }
            }
        }
    }

    #[test]
    fn coalescing_gives_the_value_unless_it_is_null(value in prop::option::of(any_json()), fallback in any_json()) {
        let mut payload = json!({"fallback": fallback});
        let expected = match &value {
            Some(value) if !value.is_null() => value.clone(),
            _ => fallback,
        };
        if let Some(value) = value {
            payload["value"] = value;
        }
        prop_assert_eq!(ok("coalesce", &payload), json!({"value": expected}));
        prop_assert_eq!(ok("default_if_none", &payload), json!({"value": expected}));
    }

    #[test]
    fn a_constant_passes_through(value in any_json()) {
        prop_assert_eq!(ok("constant", &json!({"value": value})), json!({"value": value}));
    }

    #[test]
    fn picking_a_key_is_a_lookup(mapping in any_mapping(), key in any_key()) {
        let expected = mapping.get(&key).cloned().unwrap_or(Json::Null);
        prop_assert_eq!(ok("pick_key", &json!({"mapping": mapping, "key": key})), json!({"value": expected}));
    }

    #[test]
    fn picking_a_path_is_a_chain_of_lookups(mapping in any_mapping(), parts in prop::collection::vec(any_key(), 1..4)) {
        let mut expected = Json::Object(mapping.clone());
        for part in &parts {
            expected = expected.as_object().and_then(|here| here.get(part)).cloned().unwrap_or(Json::Null);
        }
        let picked = ok("pick_path", &json!({"mapping": mapping, "path": parts.join(".")}));
        prop_assert_eq!(picked, json!({"value": expected}));
    }

    #[test]
    fn projecting_keeps_the_named_fields_in_the_named_order(
        mapping in any_mapping(),
        fields in prop::collection::vec(any_key(), 0..5),
    ) {
        let mut expected = Map::new();
        for field in &fields {
            if let Some(value) = mapping.get(field) {
                expected.insert(field.clone(), value.clone());
            }
        }
        let kept = ok("project_fields", &json!({"mapping": mapping, "fields": fields}));
        // As text, since the order of the keys counts here.
        prop_assert_eq!(kept.to_string(), json!({"mapping": expected}).to_string());
    }

    #[test]
    fn renaming_is_a_loop_over_the_new_names(
        mapping in any_mapping(),
        renames in prop::collection::vec((any_key(), any_key()), 0..5),
    ) {
        let renames: Map<String, Json> = renames.into_iter().map(|(from, to)| (from, json!(to))).collect();
        let mut expected = Map::new();
        for (from, to) in &renames {
            if let Some(value) = mapping.get(from) {
                expected.insert(to.as_str().unwrap().to_owned(), value.clone());
            }
        }
        let renamed = ok("rename_fields", &json!({"mapping": mapping, "renames": renames}));
        prop_assert_eq!(renamed.to_string(), json!({"mapping": expected}).to_string());
    }

    #[test]
    fn ends_and_counts_of_a_list(items in prop::collection::vec(any_json(), 0..5)) {
        let payload = json!({"items": items});
        let first = items.first().cloned().unwrap_or(Json::Null);
        let last = items.last().cloned().unwrap_or(Json::Null);
        prop_assert_eq!(ok("first_item_or_none", &payload), json!({"item": first}));
        prop_assert_eq!(ok("last_item_or_none", &payload), json!({"item": last}));
        prop_assert_eq!(ok("length", &payload), json!({"count": items.len()}));
        prop_assert_eq!(ok("is_empty", &payload), json!({"value": items.is_empty()}));
        let maybe = if items.is_empty() { "missing" } else { "found" };
        prop_assert_eq!(call("first_item_maybe", &payload).unwrap(), (maybe.to_owned(), json!({"item": first})));
        if !items.is_empty() {
            prop_assert_eq!(ok("first_item", &payload), json!({"item": first}));
            prop_assert_eq!(ok("last_item", &payload), json!({"item": last}));
        }
    }

    #[test]
    fn filtering_and_extracting_keep_the_order(
        items in prop::collection::vec(any_mapping(), 0..6),
        key in any_key(),
        value in prop_oneof![Just(Json::Null), Just(json!(true)), "[a-c]{0,1}".prop_map(Json::from)],
    ) {
        let equal: Vec<_> = items.iter().filter(|item| item.get(&key).unwrap_or(&Json::Null) == &value).collect();
        let present: Vec<_> = items.iter().filter(|item| item.contains_key(&key)).collect();
        let values: Vec<_> = items.iter().filter_map(|item| item.get(&key)).collect();
        let payload = json!({"items": items, "key": key, "value": value});
        prop_assert_eq!(ok("filter_items", &payload), json!({"items": equal}));
        prop_assert_eq!(ok("filter_items_present", &payload), json!({"items": present}));
        prop_assert_eq!(ok("extract_field", &json!({"items": items, "field": key})), json!({"values": values}));
    }

    #[test]
    fn joining_texts_is_joining_texts(items in prop::collection::vec("\\PC{0,4}", 0..5), separator in "\\PC{0,2}") {
        prop_assert_eq!(
            ok("concat", &json!({"items": items, "separator": separator})),
            json!({"text": items.join(&separator)})
        );
        prop_assert_eq!(ok("concat", &json!({"items": items})), json!({"text": items.concat()}));
    }
}
