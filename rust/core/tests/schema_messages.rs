//! What schema checks say, and which of several problems they name.

use wf_core::schema::{CompiledSchema, SchemaError};
use wf_core::value::{Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn object(text: &str) -> Object {
    json(text).as_object().expect("test data is an object").clone()
}

fn compile(text: &str) -> CompiledSchema {
    CompiledSchema::compile(&object(text)).expect("test schema compiles")
}

fn complaint(schema: &str, value: &str) -> String {
    compile(schema).check(&json(value), "L").expect_err("test value is invalid").to_string()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of phrases")]
fn messages_are_in_the_words_of_the_specification() {
    let cases = [
        (r#"{"type": "string"}"#, "1", "L: 1 is not of type 'string'"),
        (r#"{"type": ["string", "null"]}"#, "1.5", "L: 1.5 is not of type 'string', 'null'"),
        (r#"{"type": ["null", "integer"]}"#, r#""x""#, "L: 'x' is not of type 'null', 'integer'"),
        (r#"{"required": ["x"]}"#, "{}", "L: 'x' is a required property"),
        (
            r#"{"additionalProperties": false}"#,
            r#"{"x": 1}"#,
            "L: Additional properties are not allowed ('x' was unexpected)",
        ),
        (
            r#"{"additionalProperties": false}"#,
            r#"{"y": 1, "x": 1}"#,
            "L: Additional properties are not allowed ('x', 'y' were unexpected)",
        ),
        (
            r#"{"patternProperties": {"^a": {}}, "additionalProperties": false}"#,
            r#"{"x": 1}"#,
            "L: 'x' does not match any of the regexes: '^a'",
        ),
        (r#"{"enum": ["a", 1, null]}"#, "true", "L: True is not one of ['a', 1, None]"),
        (r#"{"const": {"a": [1]}}"#, "2", "L: {'a': [1]} was expected"),
        (r#"{"minItems": 1}"#, "[]", "L: [] should be non-empty"),
        (r#"{"minItems": 2}"#, "[1]", "L: [1] is too short"),
        (r#"{"maxItems": 1}"#, "[1, 2]", "L: [1, 2] is too long"),
        (r#"{"maxItems": 0}"#, "[1]", "L: [1] is expected to be empty"),
        (r#"{"minLength": 1}"#, r#""""#, "L: '' should be non-empty"),
        (r#"{"minLength": 3}"#, r#""ab""#, "L: 'ab' is too short"),
        (r#"{"maxLength": 1}"#, r#""ab""#, "L: 'ab' is too long"),
        (r#"{"minProperties": 2}"#, "{}", "L: {} does not have enough properties"),
        (r#"{"maxProperties": 1}"#, r#"{"a": 1, "b": 2}"#, "L: {'a': 1, 'b': 2} has too many properties"),
        (r#"{"minimum": 3}"#, "2", "L: 2 is less than the minimum of 3"),
        (r#"{"maximum": 3.5}"#, "4", "L: 4 is greater than the maximum of 3.5"),
        (r#"{"exclusiveMinimum": 3}"#, "3", "L: 3 is less than or equal to the minimum of 3"),
        (r#"{"exclusiveMaximum": 3}"#, "3", "L: 3 is greater than or equal to the maximum of 3"),
        (r#"{"multipleOf": 2}"#, "3", "L: 3 is not a multiple of 2"),
        (r#"{"pattern": "^a+$"}"#, r#""b""#, "L: 'b' does not match '^a+$'"),
        (r#"{"uniqueItems": true}"#, "[1, 1.0]", "L: [1, 1.0] has non-unique elements"),
        (
            r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#,
            "1",
            "L: 1 is not valid under any of the given schemas",
        ),
        (
            r#"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#,
            "1",
            "L: 1 is not valid under any of the given schemas",
        ),
        (
            r#"{"oneOf": [{"type": "integer"}, {"minimum": 0}, {"type": "number"}]}"#,
            "1",
            "L: 1 is valid under each of {'minimum': 0}, {'type': 'number'}, {'type': 'integer'}",
        ),
        (r#"{"not": {"type": "integer"}}"#, "1", "L: 1 should not be valid under {'type': 'integer'}"),
        (r#"{"properties": {"a": false}}"#, r#"{"a": 1}"#, "L['a']: False schema does not allow 1"),
        (r#"{"contains": {"type": "null"}}"#, "[1]", "L: [1] does not contain items matching the given schema"),
        (
            r#"{"contains": {"type": "null"}, "minContains": 2}"#,
            "[1, null]",
            "L: Too few items match the given schema (expected at least 2 but only 1 matched)",
        ),
        (
            r#"{"contains": {"type": "null"}, "maxContains": 1}"#,
            "[null, null]",
            "L: Too many items match the given schema (expected at most 1)",
        ),
        (
            r#"{"contains": {"type": "null"}, "maxContains": 1}"#,
            "[]",
            "L: [] does not contain items matching the given schema",
        ),
        (r#"{"propertyNames": false}"#, r#"{"ab": 1}"#, "L: False schema does not allow 'ab'"),
        (
            r#"{"unevaluatedProperties": {"type": "string"}}"#,
            r#"{"ab": 1}"#,
            "L: Unevaluated properties are not valid under the given schema ('ab' was unevaluated and invalid)",
        ),
        (
            r#"{"prefixItems": [true], "unevaluatedItems": false}"#,
            r#"[1, "x", {"a": null}]"#,
            "L: Unevaluated items are not allowed ('x', {'a': None} were unexpected)",
        ),
        (r#"{"dependentRequired": {"a": ["b"]}}"#, r#"{"a": 1}"#, "L: 'b' is a dependency of 'a'"),
        (r#"{"propertyNames": {"maxLength": 1}}"#, r#"{"ab": 1}"#, "L: 'ab' is too long"),
        (
            r#"{"prefixItems": [{}], "items": false}"#,
            "[1, 2, 3]",
            "L: Expected at most 1 item but found 2 extra: [2, 3]",
        ),
        (
            r#"{"prefixItems": [{}, {}], "items": false}"#,
            "[1, 2, 3]",
            "L: Expected at most 2 items but found 1 extra: 3",
        ),
        (
            r#"{"if": {"type": "integer"}, "then": {"minimum": 5}, "else": {"type": "string"}}"#,
            "1",
            "L: 1 is less than the minimum of 5",
        ),
        (
            r#"{"properties": {"a": {"type": "integer"}}, "unevaluatedProperties": false}"#,
            r#"{"a": 1, "b": 2}"#,
            "L: Unevaluated properties are not allowed ('b' was unexpected)",
        ),
        (r#"{"type": "integer"}"#, "true", "L: True is not of type 'integer'"),
        (
            r#"{"maximum": 1}"#,
            "123456789012345678901234567890",
            "L: 123456789012345678901234567890 is greater than the maximum of 1",
        ),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(complaint(schema, value), expected, "{schema}");
    }
}

#[test]
fn paths_are_chains_of_python_subscripts() {
    let schema =
        r#"{"properties": {"a": {"items": {"type": "string"}}, "0": {"properties": {"x/~": {"type": "null"}}}}}"#;
    assert_eq!(complaint(schema, r#"{"a": ["x", 2]}"#), "L['a'][1]: 2 is not of type 'string'");
    assert_eq!(complaint(schema, r#"{"0": {"x/~": 2}}"#), "L['0']['x/~']: 2 is not of type 'null'");
}

#[test]
fn the_first_problem_in_the_order_of_the_schema_is_named() {
    let cases = [
        // `properties` stands before `required` in canonical documents.
        (
            r#"{"properties": {"a": {"type": "string"}}, "required": ["b"]}"#,
            r#"{"a": 1}"#,
            "L['a']: 1 is not of type 'string'",
        ),
        (
            r#"{"required": ["b"], "properties": {"a": {"type": "string"}}}"#,
            r#"{"a": 1}"#,
            "L: 'b' is a required property",
        ),
        (r#"{"required": ["b", "a"]}"#, "{}", "L: 'b' is a required property"),
        (
            r#"{"properties": {"b": {"type": "string"}, "a": {"type": "string"}}}"#,
            r#"{"a": 1, "b": 2}"#,
            "L['b']: 2 is not of type 'string'",
        ),
        (r#"{"items": {"type": "string"}, "maxItems": 1}"#, "[1, 2]", "L[0]: 1 is not of type 'string'"),
        (r#"{"maxItems": 1, "items": {"type": "string"}}"#, "[1, 2]", "L: [1, 2] is too long"),
        (r#"{"pattern": "^b", "maxLength": 1}"#, r#""aa""#, "L: 'aa' does not match '^b'"),
        (r#"{"additionalProperties": {"type": "string"}}"#, r#"{"z": 1, "a": 2}"#, "L['z']: 1 is not of type 'string'"),
        (
            r##"{"$ref": "#/$defs/n", "maximum": 1, "$defs": {"n": {"multipleOf": 2, "minimum": 9}}}"##,
            "7",
            "L: 7 is not a multiple of 2",
        ),
        (
            r##"{"maximum": 1, "$ref": "#/$defs/n", "$defs": {"n": {"multipleOf": 2}}}"##,
            "7",
            "L: 7 is greater than the maximum of 1",
        ),
        (
            r#"{"allOf": [{"minimum": 9}, {"multipleOf": 2}], "type": "string"}"#,
            "7",
            "L: 7 is less than the minimum of 9",
        ),
        (r#"{"if": true, "then": {"minimum": 9}, "type": "string"}"#, "7", "L: 7 is less than the minimum of 9"),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(complaint(schema, value), expected, "{schema}");
    }
}

#[test]
fn d12_remote_references_are_never_fetched() {
    for reference in ["http://127.0.0.1:9/schema.json", "other.json", "#/$defs/missing", "file:///etc/passwd"] {
        let schema: Object = [("$ref", reference)].into_iter().collect();
        let error = CompiledSchema::compile(&schema).expect_err("nothing is there");
        assert_eq!(error.code(), "schema.unresolved_reference", "{error}");
        assert!(error.hint().is_some());
    }
}

#[test]
fn d12_patterns_run_in_linear_time_or_not_at_all() {
    for pattern in ["(?=a)b", "(a)\\1"] {
        let schema: Object = [("pattern", pattern)].into_iter().collect();
        let error = CompiledSchema::compile(&schema).expect_err("no linear engine runs it");
        assert!(matches!(error, SchemaError::UnsupportedPattern { .. }), "{error:?}");
        assert!(error.to_string().contains(pattern.split('\\').next().unwrap_or(pattern)), "{error}");
    }
    // A backtracking engine would try every way to split the text; the runner's time limit is the assertion.
    let schema = compile(r#"{"pattern": "^(a+)+$"}"#);
    let hopeless = Value::from("a".repeat(50_000) + "b");
    assert!(schema.check(&hopeless, "L").is_err());
}

#[test]
fn d12_recursive_definitions_are_fine() {
    let schema = compile(
        r##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "properties": {
            "value": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}}"##,
    );
    assert!(schema.is_valid(&json(r#"{"value": 1, "children": [{"value": 2, "children": []}]}"#)));
    let error = schema.check(&json(r#"{"children": [{"value": 1}, {"children": [{"value": "x"}]}]}"#), "L");
    assert_eq!(
        error.expect_err("a text is no integer").to_string(),
        "L['children'][1]['children'][0]['value']: 'x' is not of type 'integer'"
    );
}

#[test]
fn d12_recursion_that_never_goes_into_the_value_is_refused() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"properties": {"x": {"anyOf": [{"type": "null"}, {"not": {"$ref": "#/properties/x"}}]}}}"##,
    ] {
        let error = CompiledSchema::compile(&object(schema)).expect_err("it has no end");
        assert_eq!(error.code(), "schema.endless", "{error}");
    }
}

#[test]
fn a_document_that_breaks_its_dialect_is_refused() {
    let error = CompiledSchema::compile(&object(r#"{"properties": {"a": {"type": 1}}}"#)).expect_err("1 is no type");
    assert_eq!(error.code(), "schema.invalid");
    assert_eq!(error.path(), "/properties/a/type");
    assert!(error.to_string().starts_with("invalid JSON Schema: "), "{error}");
}

#[test]
fn older_dialects_are_honoured() {
    let seventh = compile(
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"n": {"type": "integer"}},
            "properties": {"a": {"$ref": "#/definitions/n", "minimum": 5}, "b": {"items": [{"type": "null"}], "additionalItems": false}}}"##,
    );
    assert!(seventh.is_valid(&json(r#"{"a": 1, "b": [null]}"#)), "up to draft 7 a reference hides its siblings");
    assert!(!seventh.is_valid(&json(r#"{"b": [null, 1]}"#)));
}

#[test]
fn formats_and_contents_are_no_assertions() {
    let schema = r#"{"properties": {"a": {"format": "email"}, "b": {"contentEncoding": "base64"}, "c": {"contentMediaType": "application/json"}}}"#;
    let value = json(r#"{"a": "x", "b": "?", "c": "{"}"#);
    assert!(compile(schema).is_valid(&value));
    let seventh = schema.replacen('{', r#"{"$schema": "http://json-schema.org/draft-07/schema#", "#, 1);
    assert!(compile(&seventh).is_valid(&value));
}

#[test]
fn values_and_schemas_nested_without_end_are_refused_and_break_nothing() {
    let deep = |levels: usize| {
        let mut value = Value::Null;
        for _ in 0..levels {
            value = Value::from(vec![value]);
        }
        value
    };
    let recursive = compile(r##"{"items": {"$ref": "#"}, "type": "array"}"##);
    let error = recursive.check(&deep(10_000), "L").expect_err("too deep");
    assert_eq!(error.to_string(), "L: value is nested deeper than 256 levels");
    let mut schema = Object::new();
    for _ in 0..10_000 {
        schema = [("items", schema)].into_iter().collect();
    }
    assert_eq!(CompiledSchema::compile(&schema).expect_err("too deep").code(), "schema.too_deep");
}

#[test]
fn whole_numbers_are_integers_and_big_ones_are_exact() {
    let integer = compile(r#"{"type": "integer"}"#);
    assert!(integer.is_valid(&json("1.0")));
    assert!(integer.is_valid(&json("123456789012345678901234567890")));
    assert!(!integer.is_valid(&json("1.5")));
    assert!(!integer.is_valid(&json("true")));
    let limit = compile(r#"{"maximum": 123456789012345678901234567890}"#);
    assert!(limit.is_valid(&json("123456789012345678901234567890")));
    assert!(!limit.is_valid(&json("123456789012345678901234567891")));
    let multiple = compile(r#"{"multipleOf": 0.1}"#);
    assert!(multiple.is_valid(&json("0.3")));
}
