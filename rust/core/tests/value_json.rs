//! JSON text in and out: exact, strict, and safe at any depth.

use proptest::prelude::*;
use wf_core::value::{JsonErrorCode, MAX_DEPTH, Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[track_caller]
fn refused(text: impl AsRef<[u8]>, code: JsonErrorCode, message: &str) {
    let error = Value::parse_json(text.as_ref()).expect_err("the text is wrong");
    assert_eq!((error.code, error.to_string().as_str()), (code, message));
}

/// Lists nested `depth` deep, built without the reader.
fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::Null, |inner, level| {
        if level % 2 == 0 { Value::from(vec![inner]) } else { Value::Object(Object::from_iter([("k", inner)])) }
    })
}

#[test]
fn plain_json_comes_back_as_it_was() {
    let text = r#"{"z":[1,-2,0.5,1e+16,null,true,false,"a\"\\\n\u0001ü😀"],"a":{},"":[]}"#;
    assert_eq!(json(text).to_json(), text);
}

#[test]
fn blanks_and_escapes_are_read() {
    assert_eq!(
        json(" [ 1 ,\t{ \"a\" : \"\\u00e9\\ud83d\\ude00\\/\\b\\f\\r\" }\r\n] ").to_json(),
        r#"[1,{"a":"é😀/\b\f\r"}]"#
    );
}

#[test]
fn d4_integers_of_any_size_are_exact() {
    for number in ["9223372036854775807", "9223372036854775808", "-123456789012345678901234567890123456789"] {
        assert_eq!(json(number).to_json(), number);
    }
    assert_eq!(json("-0").to_json(), "0");
}

#[test]
fn floats_are_written_as_python_writes_them() {
    for (text, written) in [
        ("1.0", "1.0"),
        ("1e3", "1000.0"),
        ("1e16", "1e+16"),
        ("1234567890123456.0", "1234567890123456.0"),
        ("0.0001", "0.0001"),
        ("0.00001", "1e-05"),
        ("1.5e-7", "1.5e-07"),
        ("1e100", "1e+100"),
        ("-0.0", "-0.0"),
        ("0.1", "0.1"),
        ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ] {
        assert_eq!(json(text).to_json(), written);
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    use JsonErrorCode::{DuplicateKey, LoneSurrogate, Number, Syntax};
    refused("", Syntax, "unexpected end of the JSON text at line 1 column 1");
    refused("[1,", Syntax, "unexpected end of the JSON text at line 1 column 4");
    refused("[1 2]", Syntax, "expected `,` or `]` at line 1 column 4");
    refused("{\"a\" 1}", Syntax, "expected `:` at line 1 column 6");
    refused("{\"ä\": 1,\n  b: 2}", Syntax, "expected a key in double quotes at line 2 column 3");
    refused("[1] x", Syntax, "expected the end of the JSON text at line 1 column 5");
    refused("[01]", Syntax, "a number must not start with 0 at line 1 column 2");
    refused("[1.]", Syntax, "expected a digit at line 1 column 4");
    refused("[+1]", Syntax, "expected a JSON value at line 1 column 2");
    refused("['a']", Syntax, "expected a JSON value at line 1 column 2");
    refused("[tru]", Syntax, "expected a JSON value at line 1 column 2");
    refused("[1,]", Syntax, "expected a JSON value at line 1 column 4");
    refused("\u{feff}[]", Syntax, "expected a JSON value at line 1 column 1");
    refused("\"a\nb\"", Syntax, "a control character in a string must be escaped at line 1 column 3");
    refused(r#""\x""#, Syntax, "unknown escape at line 1 column 2");
    refused(r#""\u12g4""#, Syntax, "expected four hexadecimal digits after `\\u` at line 1 column 2");
    refused("\"abc", Syntax, "unexpected end of the JSON text at line 1 column 5");
    refused("[NaN]", Number, "JSON numbers must be finite at line 1 column 2");
    refused("-Infinity", Number, "JSON numbers must be finite at line 1 column 2");
    refused("[1e999]", Number, "the number is out of range; JSON numbers must be finite at line 1 column 2");
    refused(r#"{"a": 1, "a": 1}"#, DuplicateKey, "the key \"a\" occurs twice in one object at line 1 column 10");
    refused(r#"{"a": 1, "\u0061": 1}"#, DuplicateKey, "the key \"a\" occurs twice in one object at line 1 column 10");
    for text in [r#"["\ud800"]"#, r#"["\udc00"]"#, r#"["\ud800\ud800"]"#, r#"["\ud800x"]"#] {
        refused(text, LoneSurrogate, "an unpaired surrogate is no character at line 1 column 3");
    }
    refused(b"[\"\xff\"]", JsonErrorCode::Encoding, "the text is not valid UTF-8 at line 1 column 3");
    refused("1".repeat(30_000), Number, "an integer has more than 20000 digits at line 1 column 1");
}

#[test]
fn codes_are_stable() {
    let codes = [
        JsonErrorCode::Syntax,
        JsonErrorCode::Encoding,
        JsonErrorCode::Number,
        JsonErrorCode::LoneSurrogate,
        JsonErrorCode::DuplicateKey,
        JsonErrorCode::TooDeep,
    ];
    assert_eq!(
        codes.map(|code| code.to_string()),
        ["json.syntax", "json.encoding", "json.number", "json.lone_surrogate", "json.duplicate_key", "json.too_deep"]
    );
}

#[test]
fn nesting_is_bounded_and_ten_thousand_levels_are_refused_in_peace() {
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    const { assert!(MAX_DEPTH >= 128) };
    assert_eq!(json(&deep(MAX_DEPTH)).to_json(), deep(MAX_DEPTH));
    for depth in [MAX_DEPTH + 1, 10_000, 1_000_000] {
        let error = Value::parse_json(deep(depth)).expect_err("too deep");
        assert_eq!((error.code, error.column), (JsonErrorCode::TooDeep, MAX_DEPTH + 1));
    }
    let error = Value::parse_json("{\"a\":".repeat(10_000)).expect_err("too deep");
    assert_eq!(error.code, JsonErrorCode::TooDeep);
    assert!(Value::parse_json_with_depth(deep(10_000), 10_000).is_ok());
}

#[test]
fn a_hundred_thousand_levels_are_compared_written_hashed_and_dropped_without_a_deep_stack() {
    let (a, b, c) = (nested(100_000), nested(100_000), nested(99_998));
    assert!(a == b);
    assert!(a != c);
    assert!(a.is_deeper_than(99_999) && !a.is_deeper_than(100_000));
    assert_eq!(a.to_json(), format!("{b:?}"));
    assert_eq!(a.canonical_json().len(), a.to_json().len());
    assert_eq!(a.repr().len(), b.repr().len());
    assert_eq!(a.order(&b), None);
    let lists = |depth: usize, inner: Value| (0..depth).fold(inner, |inner, _| Value::from(vec![inner]));
    let (one, two) = (lists(100_000, Value::Int(1)), lists(100_000, Value::Int(2)));
    assert_eq!(one.order(&two), Some(std::cmp::Ordering::Less));
    assert!(serde_json::to_string(&a).is_err());
    assert!(a.to_serde_json().is_err());
    let shared = a.clone();
    drop(a);
    assert!(shared == b);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the last owner may be any thread, and that is what is tested")]
fn values_shared_between_threads_are_dropped_without_a_deep_stack() {
    let value = nested(100_000);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let value = value.clone();
            std::thread::spawn(move || drop(value))
        })
        .collect();
    drop(value);
    for thread in threads {
        thread.join().expect("nothing overflows");
    }
}

#[test]
fn the_private_key_of_another_library_is_an_ordinary_key() {
    let text = r#"{"$serde_json::private::Number":"12"}"#;
    assert_eq!(json(text).to_json(), text);
    let read: Value = serde_json::from_str(text).expect("it is JSON");
    assert_eq!(read, json(text));
    let through: Value =
        serde_json::from_str(&format!("[{text}, 12, 1.5, 123456789012345678901234567890]")).expect("it is JSON");
    assert_eq!(through.to_json(), format!("[{text},12,1.5,123456789012345678901234567890]"));
    assert_eq!(json(text).to_serde_json().map(|value| value.to_string()).as_deref(), Ok(text));
}

#[test]
fn a_number_that_cannot_be_told_from_data_is_an_error() {
    // Buffered for `untagged`, numbers and objects with the private key look alike.
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only reading matters")]
    enum Untagged {
        Text(String),
        Any(Value),
    }
    assert!(serde_json::from_str::<Untagged>("\"x\"").is_ok());
    assert!(serde_json::from_str::<Untagged>("1.5").is_err());
}

#[test]
fn serde_refuses_what_the_reader_refuses() {
    assert!(serde_json::from_str::<Value>(r#"{"a": 1, "a": 2}"#).is_err());
    assert!(serde_json::from_str::<Value>("1e999").is_err());
    let values = json(r#"[1,-2,0.5,123456789012345678901234567890,{"b":null,"a":[true]}]"#);
    assert_eq!(serde_json::to_string(&values).expect("it is JSON"), values.to_json());
    let there = values.to_serde_json().expect("it is shallow");
    assert_eq!(Value::from_serde_json(&there), Ok(values));
}

#[test]
fn the_canonical_form_is_that_of_python() {
    // json.dumps(value, sort_keys=True, separators=(",", ":"))
    let value = json(r#"{"b": 1.0, "a": ["é", "😀", "\u007f", "\u2028"], "ä": 1e22, "Z": 0.00001}"#);
    let canonical = r#"{"Z":1e-05,"a":["\u00e9","\ud83d\ude00","\u007f","\u2028"],"b":1.0,"\u00e4":1e+22}"#;
    assert_eq!(value.canonical_json(), canonical);
    assert_eq!(json("{}").sha256(), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
}

/// Any value that is not nested very deep.
fn any_value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("finite", Value::float),
        "-?[1-9][0-9]{18,40}".prop_map(|digits| Value::parse_json(digits).expect("an integer")),
        any::<String>().prop_map(Value::from),
        Just(Value::from("$serde_json::private::Number")),
    ];
    scalar.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner.clone()), 0..6)
                .prop_map(|entries| Value::Object(Object::from_iter(entries))),
            inner.prop_map(|value| Value::Object(Object::from_iter([("$serde_json::private::Number", value)]))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(value in any_value()) {
        let text = value.to_json();
        let again = Value::parse_json(&text).expect("we wrote it");
        prop_assert_eq!(&again, &value);
        prop_assert_eq!(again.to_json(), text);
    }

    #[test]
    fn the_canonical_form_reads_back_and_does_not_depend_on_the_order_of_keys(value in any_value()) {
        let canonical = value.canonical_json();
        prop_assert!(canonical.is_ascii());
        let again = Value::parse_json(&canonical).expect("we wrote it");
        prop_assert_eq!(&again, &value);
        prop_assert_eq!(again.canonical_json(), canonical);
    }

    #[test]
    fn both_ways_through_serde_json_change_nothing(value in any_value()) {
        let text = serde_json::to_string(&value).expect("it is shallow");
        prop_assert_eq!(&serde_json::from_str::<Value>(&text).expect("it is JSON"), &value);
        let tree = value.to_serde_json().expect("it is shallow");
        prop_assert_eq!(&Value::from_serde_json(&tree).expect("it is finite"), &value);
    }

    #[test]
    fn text_is_read_as_serde_json_reads_it(text in r#"[\[\]{}:,"0-9eE.+\-ntf \\ua-f]{0,24}"#) {
        let ours = Value::parse_json(&text);
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert_eq!(Value::from_serde_json(&theirs), Ok(ours)),
            (Err(_), Err(_)) => {}
            // Stricter on purpose.
            (Err(error), Ok(_)) => prop_assert!(
                matches!(error.code, JsonErrorCode::DuplicateKey | JsonErrorCode::Number), "{} in {}", error, text
            ),
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("out of range"), "{} in {}", error, text),
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Err(error) = Value::parse_json(&bytes) {
            prop_assert!(error.offset <= bytes.len());
        }
    }
}
