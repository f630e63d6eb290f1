//! Paths: the key parser, its messages, and the canonical form.

use std::sync::Arc;

use proptest::prelude::*;
use wf_core::path::{
    GraphRoot, GraphSourcePath, LocalPath, PathError, StatePath, first_overlap, format_segments, parse_segments,
    parts_overlap,
};
use wf_core::value::Value;

fn segments(text: &str) -> Vec<String> {
    parse_segments(text).unwrap_or_else(|error| panic!("{error}")).iter().map(ToString::to_string).collect()
}

#[test]
fn keys_are_bare_or_quoted_and_joined_by_dots() {
    for (text, expected) in [
        ("a", vec!["a"]),
        ("a.b-c._d.0", vec!["a", "b-c", "_d", "0"]),
        ("1.5", vec!["1", "5"]),
        ("true", vec!["true"]),
        (" a\t. b ", vec!["a", "b"]),
        (r#""a.b"."c d""#, vec!["a.b", "c d"]),
        (r"'a\b'.c", vec!["a\\b", "c"]),
        (r#""\u00e9\U0001F600\"\\""#, vec!["é😀\"\\"]),
        ("\"größe\"", vec!["größe"]),
        ("'#'", vec!["#"]),
        ("\"a = true}\"", vec!["a = true}"]),
    ] {
        assert_eq!(segments(text), expected, "{text}");
    }
}

#[test]
fn d12_nothing_but_a_key_is_a_path() {
    for text in [
        "",
        " ",
        ".",
        "a.",
        ".a",
        "a..b",
        "a b",
        "a[0]",
        "*",
        "items[*]",
        "a/b",
        "größe",
        "a=1",
        "a = true",
        "#",
        "a #c",
        "\"a",
        "'a",
        "\"a\"b",
        "'''a'''",
        "\"\"\"a\"\"\"",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "a\nb",
        "a\n",
        "\na",
        "\"a\nb\"",
        "[input]\nname",
        "{\"root\": \"input\"}",
        "a, b",
        "a.b]",
        "a}",
        "a\u{a0}.b",
        "\u{feff}a",
    ] {
        let error = parse_segments(text).expect_err(text);
        assert!(matches!(error, PathError::Syntax(_)), "{text:?}: {error}");
        assert!(error.to_string().starts_with("invalid TOML path "), "{error}");
    }
}

#[test]
fn fault_28_no_text_breaks_out_of_the_key() {
    for text in [
        "a=true}\nb={c",
        "a=true} #",
        "uhh = 1}\nfoo={bar",
        "[input]\nname",
        "a = true }\n[x",
        "a\n=true",
        "\"a\"=true#",
        "a=true}\r\nb={c",
        "a.b = {",
        "a\u{0}b",
    ] {
        assert!(parse_segments(text).is_err(), "{text:?}");
        assert!(LocalPath::parse(text).is_err(), "{text:?}");
        assert!(GraphSourcePath::parse(&format!("state.{text}")).is_err(), "{text:?}");
        assert!(StatePath::parse(&format!("state.{text}")).is_err(), "{text:?}");
    }
}

#[test]
fn messages_are_those_of_the_specification() {
    let local = |text: &str| LocalPath::parse(text).expect_err(text).to_string();
    let source = |text: &str| GraphSourcePath::parse(text).expect_err(text).to_string();
    let state = |text: &str| StatePath::parse(text).expect_err(text).to_string();
    assert_eq!(local("a b"), "invalid TOML path 'a b'; quote path segments containing dots or spaces");
    assert_eq!(local("a."), "invalid TOML path 'a.'; quote path segments containing dots or spaces");
    assert_eq!(local("\"\""), "invalid TOML path segment ''");
    assert_eq!(local("\" \""), "invalid TOML path segment ' '");
    assert_eq!(local("\"a\\tb\""), "invalid TOML path segment 'a\\tb'; control characters are not allowed");
    assert_eq!(source("output.x"), "unknown path root 'output'");
    for text in [".", "", "state.", "state..name"] {
        assert!(source(text).starts_with("invalid TOML path "), "{text}");
    }
    for text in ["state", "input.x", "x"] {
        assert_eq!(state(text), "expected state path such as state.foo");
    }
    assert_eq!(format_segments::<&str>(&[]).expect_err("nothing").to_string(), "cannot format an empty TOML path");
}

#[test]
fn roots_may_be_quoted_and_may_stand_alone() {
    let path = GraphSourcePath::parse("'state'.x").expect("a path");
    assert_eq!((path.root(), path.to_string().as_str()), (GraphRoot::State, "state.x"));
    assert_eq!(GraphSourcePath::parse("context").expect("a path").to_string(), "context");
    assert_eq!(LocalPath::parse(".").expect("a path"), LocalPath::root());
    assert_eq!(LocalPath::root().to_string(), ".");
}

#[test]
fn the_canonical_form_quotes_what_is_not_bare() {
    let path = StatePath::new(["report.title", "größe", "a\"b\\c", "x-1"]).expect("segments");
    assert_eq!(path.to_string(), r#"state."report.title"."größe"."a\"b\\c".x-1"#);
}

#[test]
fn constructors_check_their_segments() {
    let message = |result: Result<LocalPath, PathError>| result.expect_err("wrong").to_string();
    assert_eq!(message(LocalPath::new(["a", ""])), "invalid local segment ''");
    assert_eq!(
        message(LocalPath::new(["\u{7f}"])),
        "invalid local segment '\\x7f'; control characters are not allowed"
    );
    assert_eq!(message(LocalPath::of([""])), "invalid local path");
    assert_eq!(message(LocalPath::of(["a..b"])), "invalid local path 'a..b'");
    assert_eq!(
        GraphSourcePath::new(GraphRoot::Input, [" "]).expect_err("blank").to_string(),
        "invalid graph source segment ' '"
    );
    assert_eq!(StatePath::new([""; 1]).expect_err("blank").to_string(), "invalid state segment ''");
    assert_eq!(StatePath::new([""; 0]).expect_err("empty"), PathError::NoStatePath);
    assert_eq!(LocalPath::of(["a.b", "c"]).expect("fragments").parts().len(), 3);
    assert_eq!(LocalPath::of([""; 0]).expect("nothing"), LocalPath::root());
}

#[test]
fn the_structural_form_takes_segments_literally() {
    let json = |text: &str| Value::parse_json(text).expect("JSON");
    let path =
        StatePath::from_value(&json(r#"{"root": "state", "parts": ["a.b", "c d"], "more": 1}"#)).expect("a path");
    assert_eq!(path.to_string(), r#"state."a.b"."c d""#);
    assert_eq!(path.to_structural(), json(r#"{"root": "state", "parts": ["a.b", "c d"]}"#));
    assert_eq!(LocalPath::from_value(&json(r#"{"root": "local"}"#)), Ok(LocalPath::root()));
    for (result, message) in [
        (LocalPath::from_value(&json(r#"{"root": "state"}"#)).map(drop), "expected local path root"),
        (GraphSourcePath::from_value(&json(r#"{"root": "x"}"#)).map(drop), "expected graph source path root"),
        (StatePath::from_value(&json(r#"{"root": "input", "parts": ["a"]}"#)).map(drop), "expected state path root"),
        (
            StatePath::from_value(&json(r#"{"root": "state", "parts": [1]}"#)).map(drop),
            "state path parts must be strings",
        ),
        (
            LocalPath::from_value(&json(r#"{"root": "local", "parts": "a"}"#)).map(drop),
            "local path parts must be strings",
        ),
        (LocalPath::from_value(&json("1")).map(drop), "expected local path string or structural object"),
        (
            GraphSourcePath::from_value(&json("null")).map(drop),
            "expected graph source path string or structural object",
        ),
        (StatePath::from_value(&json(r#"{"root": "state"}"#)).map(drop), "expected state path such as state.foo"),
    ] {
        assert_eq!(result.expect_err("wrong").to_string(), message);
    }
    let text = Value::from(r#"{"root": "state", "parts": ["a"]}"#);
    assert!(matches!(StatePath::from_value(&text), Err(PathError::Syntax(_))));
}

#[test]
fn codes_are_stable() {
    let code = |text: &str| GraphSourcePath::parse(text).expect_err(text).code();
    assert_eq!(code("a b"), "path.syntax");
    assert_eq!(code("x"), "path.root");
    assert_eq!(code("state.\"\""), "path.blank_segment");
    assert_eq!(code("state.\"\\n\""), "path.control_character");
}

#[test]
fn overlaps_are_equal_or_nested_paths() {
    let path = |text: &str| LocalPath::parse(text).expect("a path");
    assert!(path("a").overlaps(&path("a.b")));
    assert!(path(".").overlaps(&path("a.b")));
    assert!(!path("a.b").overlaps(&path("a.c")));
    assert!(!path("ab").overlaps(&path("a")));
    let first = |paths: &[&str]| {
        let paths: Vec<LocalPath> = paths.iter().map(|text| path(text)).collect();
        first_overlap(paths.iter().map(LocalPath::parts))
    };
    assert_eq!(first(&["a", "b", "c"]), None);
    assert_eq!(first(&["a.b", "x", "a"]), Some((0, 2)));
    assert_eq!(first(&["a", "b", "b", "."]), Some((1, 2)));
}

/// A segment that may stand in a path.
fn segment() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9_-]{1,4}", "[^\\x00-\\x1f\\x7f]{1,6}"]
        .prop_filter("not blank", |segment| !segment.trim().is_empty())
}

fn short_parts() -> impl Strategy<Value = Vec<Arc<str>>> {
    prop::collection::vec("[ab]".prop_map(Arc::from), 0..4)
}

proptest! {
    #[test]
    fn what_is_formatted_parses_back(parts in prop::collection::vec(segment(), 1..5)) {
        let local = LocalPath::new(parts.clone()).expect("good segments");
        prop_assert_eq!(&LocalPath::parse(&local.to_string()).expect("we wrote it"), &local);
        let state = StatePath::new(parts.clone()).expect("good segments");
        prop_assert_eq!(&StatePath::parse(&state.to_string()).expect("we wrote it"), &state);
        prop_assert_eq!(&StatePath::from_value(&state.to_structural()).expect("we wrote it"), &state);
        for root in GraphRoot::ALL {
            let source = GraphSourcePath::new(root, parts.clone()).expect("good segments");
            prop_assert_eq!(&GraphSourcePath::parse(&source.to_string()).expect("we wrote it"), &source);
            prop_assert_eq!(&GraphSourcePath::from_value(&source.to_structural()).expect("we wrote it"), &source);
        }
    }

    #[test]
    fn what_parses_formats_to_its_canonical_form(text in r#"[ab"'\\ .\t=#{}\[\]\n0-9u]{0,12}"#) {
        if let Ok(path) = LocalPath::parse(&text) {
            let canonical = path.to_string();
            prop_assert_eq!(LocalPath::parse(&canonical).expect("it is canonical").to_string(), canonical);
            // A key has no room for what would end a table or start another entry outside quotes.
            let bare = !text.contains(['"', '\'']);
            prop_assert!(!bare || !text.contains(['=', '#', '{', '}', '[', ']', '\n', '\\']), "{:?}", text);
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = parse_segments(&text);
        let _ = GraphSourcePath::parse(&text);
        let _ = StatePath::parse(&text);
    }

    #[test]
    fn the_first_overlap_is_the_one_that_pairs_would_find(paths in prop::collection::vec(short_parts(), 0..6)) {
        let found = first_overlap(paths.iter().map(Vec::as_slice));
        let pairwise = (0..paths.len())
            .flat_map(|second| (0..second).map(move |first| (first, second)))
            .any(|(first, second)| parts_overlap(&paths[first], &paths[second]));
        prop_assert_eq!(found.is_some(), pairwise);
        if let Some((first, second)) = found {
            prop_assert!(first < second && parts_overlap(&paths[first], &paths[second]));
        }
    }
}
