//! References to sources and capabilities.

use wf_core::refs::{CapabilityRef, RefError, SourceRef};
use wf_core::value::Value;

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[test]
fn sources_are_dotted_text_or_parts() {
    let source = SourceRef::parse("demo.personal").expect("a source");
    assert_eq!(source.parts().len(), 2);
    assert_eq!(source.to_string(), "demo.personal");
    assert_eq!(SourceRef::from_value(&json(r#"{"parts": ["demo", "personal"]}"#)), Ok(source));
    let dotted = SourceRef::new(["demo.personal"]).expect("a source");
    assert_eq!(SourceRef::parse(&dotted.to_string()), Ok(dotted));
    for text in ["", " ", "a..b", "a. ", ".a"] {
        assert_eq!(SourceRef::parse(text), Err(RefError::BlankSource), "{text:?}");
    }
    assert_eq!(RefError::BlankSource.to_string(), "source ref requires non-empty path segments");
    assert_eq!(SourceRef::from_value(&json("1")), Err(RefError::NoSourceRef));
    assert_eq!(SourceRef::from_value(&json(r#"{"parts": [1]}"#)), Err(RefError::NoSourceRef));
}

#[test]
fn capabilities_split_at_the_last_dot() {
    let capability = CapabilityRef::parse("wf.std.add").expect("a capability");
    assert_eq!((capability.source.to_string().as_str(), capability.name.as_ref()), ("wf.std", "add"));
    assert_eq!(capability.to_string(), "wf.std.add");
    assert_eq!(capability.to_value(), json(r#"{"source": "wf.std", "capability_key": "add"}"#));
    for text in ["add", "", "wf.", ".add"] {
        assert_eq!(CapabilityRef::parse(text), Err(RefError::NoSource), "{text:?}");
    }
    assert_eq!(CapabilityRef::parse("a..b"), Err(RefError::BlankSource));
}

#[test]
fn d22_structural_capabilities_keep_dots_in_their_names() {
    let value = json(r#"{"source": {"parts": ["mcp", "files"]}, "name": "read.text"}"#);
    let capability = CapabilityRef::from_value(&value).expect("a capability");
    assert_eq!(capability.name.as_ref(), "read.text");
    assert_eq!(CapabilityRef::from_value(&capability.to_value()), Ok(capability));
    for (text, error) in [
        (r#"{"source": "a", "capability_key": ""}"#, RefError::BlankName),
        (r#"{"source": "a"}"#, RefError::NoCapabilityRef),
        (r#"{"source": "a", "name": 1}"#, RefError::NoCapabilityRef),
        ("null", RefError::NoCapabilityRef),
    ] {
        assert_eq!(CapabilityRef::from_value(&json(text)), Err(error), "{text}");
    }
}
