//! Reading through a platform context: bounds, paging, and every payload that is none.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use wf_api::resource::{
    PlatformContext, ReadBounds, ReadFuture, ReadRequest, ReadResourceOutput, ReaderDirectory, ReaderRouter,
    ResourceError, ResourcePayload, ResourceReader, SourceBindingPlatformContext, read_resource,
};
use wf_core::document::Document as _;
use wf_core::value::Value;

/// A reader that answers one payload and writes down what it was asked.
struct Scripted {
    payload: Json,
    asked: Mutex<Vec<ReadRequest>>,
}

impl Scripted {
    fn new(payload: Json) -> Arc<Self> {
        Arc::new(Self { payload, asked: Mutex::default() })
    }
}

impl ResourceReader for Scripted {
    fn read<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a> {
        self.asked.lock().unwrap().push(request.clone());
        let value: Value = serde_json::from_value(self.payload.clone()).unwrap();
        Box::pin(std::future::ready(ResourcePayload::parse(&value, request)))
    }
}

fn bound_to(reader: Arc<dyn ResourceReader>) -> SourceBindingPlatformContext {
    SourceBindingPlatformContext::new([("drive".into(), "drive.personal".into())]).with_reader(reader)
}

fn read(platform: Option<&dyn PlatformContext>, bounds: ReadBounds) -> Result<ReadResourceOutput, ResourceError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(read_resource(platform, "drive", "gdrive://file/abc".into(), Some("text/x-ref".into()), bounds))
}

fn read_payload(payload: Json, bounds: ReadBounds) -> Result<ReadResourceOutput, ResourceError> {
    read(Some(&bound_to(Scripted::new(payload))), bounds)
}

fn chars(max_chars: usize) -> ReadBounds {
    ReadBounds::new(max_chars).unwrap()
}

#[test]
fn d30_the_reader_is_told_the_bound_and_the_helper_bounds_again() {
    let reader = Scripted::new(json!({"contents": [
        {"type": "text", "text": "abcdefghijklmnopqrstuvwxyz", "mimeType": "text/plain"}
    ]}));
    let result = read(Some(&bound_to(reader.clone())), chars(5)).unwrap();
    let asked = reader.asked.lock().unwrap();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        (&*asked[0].source_id, &*asked[0].uri, asked[0].bounds.max_chars()),
        ("drive.personal", "gdrive://file/abc", 5)
    );
    assert_eq!(result.text.as_deref(), Some("abcde"));
    assert!(result.truncated);
    assert_eq!(result.next_offset, Some(5));
    assert_eq!(result.mime_type.as_deref(), Some("text/plain"));
}

#[test]
fn d30_characters_are_unicode_scalar_values_and_never_split() {
    let payload = json!({"contents": [{"text": "añ\u{1f600}e\u{301}z"}]});
    let first = read_payload(payload.clone(), chars(3)).unwrap();
    assert_eq!(first.text.as_deref(), Some("añ\u{1f600}"));
    assert_eq!(first.next_offset, Some(3));
    let rest = read_payload(payload, chars(10).at_offset(3)).unwrap();
    assert_eq!((rest.text.as_deref(), rest.offset, rest.next_offset), (Some("e\u{301}z"), 3, None));
    assert!(!rest.truncated);
}

#[test]
fn d30_the_first_text_is_the_text_and_all_contents_are_counted_and_summarised() {
    let payload = json!({"contents": [
        {"uri": "x://picture", "mimeType": "image/png", "blob": "AAEC"},
        {"uri": "x://text", "mimeType": "text/markdown", "text": "# é"},
        {"uri": "x://other", "text": "other"},
        {"type": "blob", "uri": "x://reported", "size": 12},
    ]});
    let result = read_payload(payload, chars(100)).unwrap();
    assert_eq!(result.text.as_deref(), Some("# é"));
    assert_eq!(result.mime_type.as_deref(), Some("text/markdown"));
    assert_eq!(result.content_count, 4);
    assert_eq!(result.blob, None);
    let output = serde_json::to_value(result.dump()).unwrap();
    assert_eq!(
        output["contents"],
        json!([
            {"uri": "x://picture", "mime_type": "image/png", "kind": "blob", "size": 3},
            {"uri": "x://text", "mime_type": "text/markdown", "kind": "text", "size": 4},
            {"uri": "x://other", "mime_type": null, "kind": "text", "size": 5},
            {"uri": "x://reported", "mime_type": null, "kind": "blob", "size": 12},
        ])
    );
}

#[test]
fn d30_a_blob_is_returned_only_on_request_and_within_its_bound() {
    let payload = json!({"contents": [{"blob": "AAECAw==", "mimeType": "image/png"}]});
    let unasked = read_payload(payload.clone(), chars(5)).unwrap();
    assert_eq!((unasked.text, unasked.blob, unasked.content_count), (None, None, 1));
    let within = read_payload(payload.clone(), chars(5).with_blob_bytes(4)).unwrap();
    assert_eq!(within.blob.as_deref(), Some("AAECAw=="));
    let beyond = read_payload(payload, chars(5).with_blob_bytes(3)).unwrap();
    assert_eq!((beyond.blob, beyond.contents[0].size), (None, Some(4)));
}

#[test]
fn d30_the_mark_of_a_reader_that_stopped_early_is_kept() {
    let payload = json!({"contents": [{"text": "abcde"}], "truncated": true});
    let result = read_payload(payload, chars(5)).unwrap();
    assert!(result.truncated);
    assert_eq!((result.next_offset, result.contents[0].size), (Some(5), None));
}

#[test]
fn d30_a_reader_that_pages_says_where_its_text_starts() {
    let paged = json!({"contents": [{"text": "fghij"}], "truncated": true, "offset": 5});
    let result = read_payload(paged.clone(), chars(3).at_offset(5)).unwrap();
    assert_eq!((result.text.as_deref(), result.next_offset), (Some("fgh"), Some(8)));
    let behind = read_payload(paged, chars(3)).unwrap_err();
    assert_eq!(behind.code(), "resource.payload_malformed");
    let cut = json!({"contents": [{"text": "abc"}], "truncated": true});
    let stuck = read_payload(cut, chars(3).at_offset(5)).unwrap_err();
    assert_eq!(stuck.code(), "resource.paging_unsupported");
    assert_eq!(
        stuck.to_string(),
        "source 'drive.personal' cannot read resource 'gdrive://file/abc' from character 5 on: its reader does not page"
    );
}

#[test]
fn d30_reading_behind_the_end_gives_an_empty_last_page() {
    let result = read_payload(json!({"contents": [{"text": "abc"}]}), chars(3).at_offset(7)).unwrap();
    assert_eq!((result.text.as_deref(), result.truncated, result.next_offset), (Some(""), false, None));
}

#[test]
fn d31_an_empty_list_is_an_empty_resource() {
    let result = read_payload(json!({"contents": []}), chars(3)).unwrap();
    assert_eq!((result.text, result.content_count, result.truncated), (None, 0, false));
    assert_eq!(result.mime_type.as_deref(), Some("text/x-ref"));
}

#[test]
fn d31_a_malformed_payload_is_an_error_that_names_source_uri_and_cause() {
    for (payload, problem) in [
        (json!([]), "expected an object, got array"),
        (json!(null), "expected an object, got null"),
        (json!({}), "there is no list under `contents`"),
        (json!({"contents": null}), "`contents` must be a list, got null"),
        (json!({"contents": {"text": "a"}}), "`contents` must be a list, got object"),
        (json!({"contents": ["a"]}), "`contents[0]`: expected an object, got string"),
        (json!({"contents": [{"text": "a"}, {"text": 1}]}), "`contents[1]`: `text` must be a string, got integer"),
        (json!({"contents": [{"mimeType": "text/plain"}]}), "`contents[0]`: there is neither `text` nor `blob`"),
        (json!({"contents": [{"text": "a", "blob": "AA=="}]}), "`contents[0]`: `text` and `blob` exclude each other"),
        (
            json!({"contents": [{"text": "a", "mimeType": 5}]}),
            "`contents[0]`: `mimeType` must be a string, got integer",
        ),
        (json!({"contents": [{"text": "a", "uri": []}]}), "`contents[0]`: `uri` must be a string, got array"),
        (json!({"contents": [{"text": "a", "size": -1}]}), "`contents[0]`: `size` must be an integer of at least 0"),
        (json!({"contents": [], "truncated": "yes"}), "`truncated` must be a boolean, got string"),
        (json!({"contents": [], "offset": 1.5}), "`offset` must be an integer of at least 0"),
    ] {
        let error = read_payload(payload.clone(), chars(3)).unwrap_err();
        assert_eq!(error.code(), "resource.payload_malformed", "{payload}");
        assert_eq!(
            error.to_string(),
            format!("source 'drive.personal' answered a malformed payload for resource 'gdrive://file/abc': {problem}")
        );
    }
    for blob in ["A", "AAE", "A*==", "AA==AA=="] {
        let error = read_payload(json!({"contents": [{"blob": blob}]}), chars(3)).unwrap_err();
        assert!(error.to_string().contains("`contents[0]`: `blob` is no base64"), "{error}");
    }
}

#[test]
fn a_read_without_platform_context_or_reader_or_binding_says_which_is_missing() {
    let none = read(None, chars(3)).unwrap_err();
    assert_eq!(
        (none.code(), none.to_string().as_str()),
        ("platform.missing", "wf.source.read_resource requires platform context")
    );
    let unbound = read(Some(&SourceBindingPlatformContext::default()), chars(3)).unwrap_err();
    assert_eq!((unbound.code(), unbound.to_string().as_str()), ("source.unbound", "unbound logical source 'drive'"));
    let unread = read(Some(&SourceBindingPlatformContext::new([("drive".into(), "d".into())])), chars(3)).unwrap_err();
    assert_eq!(
        (unread.code(), unread.to_string().as_str()),
        ("resource.reads_not_configured", "source resource reads are not configured")
    );
    let zero = ReadBounds::new(0).unwrap_err();
    assert_eq!(
        (zero.code(), zero.to_string().as_str()),
        ("resource.bounds_invalid", "max_chars must be at least 1, got 0")
    );
}

#[test]
fn a_platform_source_means_itself_whatever_is_bound() {
    let context = SourceBindingPlatformContext::new([("wf.source".into(), "other".into())])
        .with_platform_sources(["wf.source".into()]);
    assert_eq!(&*context.resolve_source("wf.source").unwrap(), "wf.source");
}

/// Knows one source of each state.
struct Directory(Arc<dyn ResourceReader>);

impl ReaderDirectory for Directory {
    fn reader_of(&self, source_id: &str) -> Result<Arc<dyn ResourceReader>, ResourceError> {
        match source_id {
            "files" => Ok(self.0.clone()),
            "off" => Err(ResourceError::SourceDisabled { source_id: source_id.into() }),
            "tools" => Err(ResourceError::SourceUnreadable { source_id: source_id.into() }),
            _ => Err(ResourceError::SourceUnknown { source_id: source_id.into() }),
        }
    }
}

#[test]
fn d29_a_router_reads_from_the_source_that_was_bound_and_refuses_each_other_state_with_its_own_error() {
    let router = Arc::new(ReaderRouter::new(Directory(Scripted::new(json!({"contents": [{"text": "here"}]})))));
    let read_from = |source: &str| {
        let context = SourceBindingPlatformContext::new([("drive".into(), source.into())]).with_reader(router.clone());
        read(Some(&context), chars(10))
    };
    assert_eq!(read_from("files").unwrap().text.as_deref(), Some("here"));
    for (source, code, message) in [
        ("off", "source.disabled", "source 'off' is disabled"),
        ("tools", "source.unreadable", "source 'tools' has no readable resources"),
        ("gone", "source.unknown", "unknown source 'gone'"),
    ] {
        let error = read_from(source).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
}

#[test]
fn a_reader_without_paging_is_told_to_read_from_the_beginning_within_reason() {
    assert_eq!(chars(5).from_the_beginning(), Some(chars(5)));
    assert_eq!(chars(5).at_offset(10).from_the_beginning(), Some(chars(15)));
    assert_eq!(chars(5).at_offset(ReadBounds::UNPAGED_CHARS).from_the_beginning(), None);
    assert_eq!(chars(5).at_offset(u64::MAX).from_the_beginning(), None);
}

proptest! {
    #[test]
    fn pages_put_together_are_the_text(text in "\\PC{0,40}", page in 1_usize..7) {
        let payload = json!({"contents": [{"text": text}]});
        let mut together = String::new();
        let mut offset = 0;
        loop {
            let result = read_payload(payload.clone(), chars(page).at_offset(offset)).unwrap();
            let part = result.text.unwrap();
            prop_assert!(part.chars().count() <= page);
            together.push_str(&part);
            match result.next_offset {
                Some(next) => {
                    prop_assert!(next > offset);
                    offset = next;
                }
                None => break,
            }
        }
        prop_assert_eq!(together, text);
    }
}
