//! Equality, hashing and order of JSON values.

use std::cmp::Ordering;
use std::hash::BuildHasher;

use proptest::prelude::*;
use wf_core::value::{List, Object, Value};

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[test]
fn d9_equality_is_json_equality() {
    for (a, b) in [
        ("1", "1.0"),
        ("123456789012345678901234567890.0", "123456789012345677877719597056"),
        ("-0.0", "0"),
        (r#"{"a": 1, "b": [2]}"#, r#"{"b": [2.0], "a": 1}"#),
        ("[]", "[]"),
    ] {
        assert_eq!(json(a), json(b), "{a} {b}");
    }
    for (a, b) in [
        ("true", "1"),
        ("false", "0"),
        ("null", "false"),
        ("1", "\"1\""),
        ("9007199254740993", "9007199254740992.0"),
        ("[]", "{}"),
        ("[1, 2]", "[2, 1]"),
        (r#"{"a": null}"#, "{}"),
        (r#"{"a": 1}"#, r#"{"b": 1}"#),
    ] {
        assert_ne!(json(a), json(b), "{a} {b}");
    }
}

#[test]
fn numbers_texts_and_lists_have_an_order_and_nothing_else() {
    use Ordering::{Equal, Greater, Less};
    for (a, b, order) in [
        ("1", "1.5", Some(Less)),
        ("9007199254740993", "9007199254740992.0", Some(Greater)),
        ("9223372036854775808", "9223372036854775807", Some(Greater)),
        ("-1e300", "-123456789012345678901234567890", Some(Less)),
        ("\"a\"", "\"b\"", Some(Less)),
        ("\"Z\"", "\"a\"", Some(Less)),
        ("[1, [2, 3]]", "[1, [2, 4]]", Some(Less)),
        ("[1, [2]]", "[1, [2, 4]]", Some(Less)),
        ("[[2, 9], 0]", "[[2], 1]", Some(Greater)),
        ("[{}, 2]", "[{}, 1]", Some(Greater)),
        ("[null]", "[null]", Some(Equal)),
        ("[]", "[]", Some(Equal)),
        ("[1, {}]", "[1, []]", None),
        ("[[1], 2]", "[1, 2]", None),
        ("1", "\"1\"", None),
        ("true", "false", None),
        ("null", "null", None),
        ("{}", "{}", None),
        ("true", "1", None),
    ] {
        assert_eq!(json(a).order(&json(b)), order, "{a} {b}");
        assert_eq!(json(b).order(&json(a)), order.map(Ordering::reverse), "{b} {a}");
    }
}

#[test]
fn copies_are_shared_until_they_are_changed() {
    let original = Object::from_iter([("a", 1_i64), ("b", 2)]);
    let mut copy = original.clone();
    assert!(copy.same_allocation(&original));
    assert_eq!(copy.remove("c"), None);
    assert!(copy.same_allocation(&original));
    copy.insert("a", 3_i64);
    assert_eq!(original.get("a"), Some(&Value::Int(1)));
    assert_eq!(copy.keys().map(AsRef::as_ref).collect::<Vec<&str>>(), ["a", "b"]);

    let list: List = vec![Value::Int(1)].into();
    let mut longer = list.clone();
    longer.make_mut().push(Value::Int(2));
    assert_eq!((list.len(), longer.len()), (1, 2));
    assert!(List::new().same_allocation(&List::default()));
    assert_eq!(Object::new(), Object::with_capacity(8));
}

#[test]
fn values_show_as_python_shows_them() {
    let value = json(r#"{"a": [1, null, true, 1.0, 1e16], "it's": "x\ny\u200b é\u0301\"", "q": "it's", "": {}}"#);
    assert_eq!(
        value.repr(),
        "{'a': [1, None, True, 1.0, 1e+16], \"it's\": 'x\\ny\\u200b é\u{301}\"', 'q': \"it's\", '': {}}"
    );
}

proptest! {
    #[test]
    fn equal_values_hash_alike(integer in -1_000_000_i64..1_000_000, keys in prop::collection::vec("[a-c]{1,2}", 0..6)) {
        let state = rustc_hash::FxBuildHasher;
        let exact = |value: &Value| state.hash_one(value);
        let float = Value::parse_json(format!("{integer}.0")).expect("a float");
        prop_assert_eq!(&Value::Int(integer), &float);
        prop_assert_eq!(exact(&Value::Int(integer)), exact(&float));
        let forward: Object = keys.iter().map(|key| (key.as_str(), integer)).collect();
        let backward: Object = keys.iter().rev().map(|key| (key.as_str(), float.clone())).collect();
        let (forward, backward) = (Value::Object(forward), Value::Object(backward));
        prop_assert_eq!(&forward, &backward);
        prop_assert_eq!(exact(&forward), exact(&backward));
    }

    #[test]
    fn order_and_equality_agree_on_numbers(a in any::<f64>(), b in any::<i64>()) {
        prop_assume!(a.is_finite());
        let (float, integer) = (Value::Float(a), Value::Int(b));
        prop_assert_eq!(float.order(&integer) == Some(Ordering::Equal), float == integer);
        prop_assert_eq!(float.order(&integer), integer.order(&float).map(Ordering::reverse));
    }
}
