//! Hashes of schemas and contracts.

use proptest::prelude::*;
use wf_core::value::{Object, Value};
use wf_platform::artifact::SchemaEvidence;
use wf_platform::hash::{hash_contract, hash_json_schema};

use crate::support::object;

#[test]
fn the_hash_of_a_text_is_that_of_pythons_sorted_json() {
    // hashlib.sha256(json.dumps(schema, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    let schema =
        Value::Object(object(r#"{"type": "object", "title": "Grüße", "properties": {"b": {}, "a": {"const": 1.5}}}"#));
    assert_eq!(&*hash_json_schema(&schema), "sha256:63c52872534f0f334f51825c8eb646340bea1cdf18910af3fd123a19c2b9378c");
}

#[test]
fn d23_titles_and_descriptions_do_not_count_and_properties_of_that_name_do() {
    let base = object(r#"{"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title", "b"]}"#);
    let remarked = object(
        r#"{"title": "T", "description": "D", "$comment": "C", "examples": [1], "type": "object",
            "properties": {"title": {"type": "string", "title": "x", "description": "y"}}, "required": ["b", "title"]}"#,
    );
    assert_eq!(hash_contract(&base), hash_contract(&remarked));
    let other =
        object(r#"{"type": "object", "properties": {"description": {"type": "string"}}, "required": ["title", "b"]}"#);
    assert_ne!(hash_contract(&base), hash_contract(&other), "a property called `description` is no remark");
}

#[test]
fn remarks_inside_data_count() {
    for keyword in ["const", "default"] {
        let with = |title: &str| object(&format!(r#"{{"{keyword}": {{"title": "{title}"}}}}"#));
        assert_ne!(hash_contract(&with("a")), hash_contract(&with("b")), "{keyword}");
    }
    let with = |title: &str| object(&format!(r#"{{"enum": [{{"title": "{title}"}}]}}"#));
    assert_ne!(hash_contract(&with("a")), hash_contract(&with("b")));
}

#[test]
fn remarks_below_every_applicator_do_not_count() {
    let single = [
        "additionalProperties",
        "contains",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    ];
    for keyword in single {
        let with = |remark: &str| object(&format!(r#"{{"{keyword}": {{"type": "string"{remark}}}}}"#));
        assert_eq!(hash_contract(&with("")), hash_contract(&with(r#", "title": "x""#)), "{keyword}");
    }
    for keyword in ["allOf", "anyOf", "oneOf", "prefixItems"] {
        let with = |remark: &str| object(&format!(r#"{{"{keyword}": [true, {{"type": "string"{remark}}}]}}"#));
        assert_eq!(hash_contract(&with("")), hash_contract(&with(r#", "description": "x""#)), "{keyword}");
    }
    for keyword in ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"] {
        let with = |remark: &str| object(&format!(r#"{{"{keyword}": {{"title": {{"type": "string"{remark}}}}}}}"#));
        assert_eq!(hash_contract(&with("")), hash_contract(&with(r#", "title": "x""#)), "{keyword}");
    }
}

#[test]
fn evidence_of_older_records_is_compared_by_their_kind_of_hash() {
    let schema = object(r#"{"type": "object", "title": "Old"}"#);
    let hash_only = |hash| SchemaEvidence { hash: Some(hash), schema: None };
    let present = SchemaEvidence { hash: Some(hash_contract(&schema)), schema: Some(schema.clone()) };
    assert_eq!(hash_only(hash_json_schema(&Value::Object(schema.clone()))).differs_from(&present), Some(false));
    assert_eq!(hash_only(hash_contract(&schema)).differs_from(&present), Some(false));
    assert_eq!(hash_only("sha256:other".into()).differs_from(&present), Some(true));
    assert_eq!(SchemaEvidence::default().differs_from(&present), None);
    // Where both schemas are known, stale hashes do not matter.
    let snapshot = SchemaEvidence { hash: Some("sha256:other".into()), schema: Some(object(r#"{"type": "object"}"#)) };
    assert_eq!(snapshot.differs_from(&present), Some(false));
}

/// Schemas of a few keywords, remarks included.
fn schemas() -> impl Strategy<Value = Object> {
    let leaf = prop_oneof![
        Just(object(r#"{"type": "string"}"#)),
        Just(object(r#"{"type": "integer", "description": "d"}"#)),
        Just(object(r#"{"const": {"title": "kept"}}"#)),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        (prop::collection::btree_map("[a-c]|title", inner, 0..3), any::<bool>()).prop_map(|(properties, remark)| {
            let properties: Object =
                properties.into_iter().map(|(name, schema)| (name, Value::Object(schema))).collect();
            let mut schema = Object::from_iter([("type", Value::from("object")), ("properties", properties.into())]);
            if remark {
                schema.insert("title", "a title");
            }
            schema
        })
    })
}

/// The schema with a remark added to every subschema under `properties`.
fn remarked(schema: &Object) -> Object {
    let mut schema = schema.clone();
    if let Some(Value::Object(properties)) = schema.get("properties").cloned() {
        let properties: Object = properties
            .iter()
            .map(|(name, value)| (name.clone(), Value::Object(remarked(value.as_object().expect("a schema")))))
            .collect();
        schema.insert("properties", properties);
    }
    schema.insert("description", "added");
    schema
}

proptest! {
    #[test]
    fn adding_remarks_anywhere_never_changes_the_contract(schema in schemas()) {
        prop_assert_eq!(hash_contract(&schema), hash_contract(&remarked(&schema)));
    }

    #[test]
    fn adding_a_property_always_changes_the_contract(schema in schemas()) {
        let mut more = schema.clone();
        let mut properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        properties.insert("z", Object::new());
        more.insert("properties", properties);
        prop_assert_ne!(hash_contract(&schema), hash_contract(&more));
    }
}
