//! References to resources of a source, and what a bounded read of one answers.

use std::sync::Arc;

use wf_core::document::NonEmpty;

use crate::part::Count;

wf_core::document! {
    /// A resource of a logical source, as inert data.
    ///
    /// Bindings move it like any other JSON; only an explicit read resolves the logical source and fetches it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SourceResourceRef: "SourceResourceRef" {
        /// The logical source, as the workflow says it.
        pub logical_source: Arc<str> => NonEmpty,
        /// Where the source keeps it.
        pub uri: Arc<str> => NonEmpty,
        /// Its media type, if known.
        pub mime_type: Option<Arc<str>> = None,
        /// A name for people.
        pub name: Option<Arc<str>> = None,
    }
    tag "kind" = "source_resource_ref" first;
    unknown Ignore;
}

wf_core::document! {
    /// One content of a resource, without the content itself.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ReadContentSummary: "ReadContentSummary" {
        /// Where it is.
        pub uri: Option<Arc<str>> = None,
        /// Its media type.
        pub mime_type: Option<Arc<str>> = None,
        /// Whether it is a text or a blob.
        pub kind: ReadContentKind,
        /// Its size in bytes, if known.
        pub size: Option<u64> => Count = None,
    }
    unknown Ignore;
}

wf_core::text_enum! {
    /// What a content is.
    pub enum ReadContentKind {
        /// Text.
        Text = "text",
        /// Bytes.
        Blob = "blob",
    }
}

wf_core::document! {
    /// What a bounded read answers, small enough for a workflow's state.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ReadResourceOutput: "ReadResourceOutput" {
        /// The source that was read.
        pub source_id: Arc<str>,
        /// The resource that was read.
        pub uri: Arc<str>,
        /// The media type of the text, else of the first content, else what the ref said.
        pub mime_type: Option<Arc<str>> = None,
        /// The first text content within the bounds; null when no content is a text.
        pub text: Option<Arc<str>> = None,
        /// How many contents the resource has.
        pub content_count: u64 => Count,
        /// Whether there is more than was returned.
        pub truncated: bool = false,
        /// The first character of `text` within the whole.
        pub offset: u64 => Count = 0,
        /// Where to go on reading; null at the end.
        pub next_offset: Option<u64> => Count = None,
        /// What the contents are.
        pub contents: Vec<ReadContentSummary> = Vec::new(),
        /// The first blob in base64, when it was asked for and is within its bound.
        pub blob: Option<Arc<str>> = None,
    }
    unknown Ignore;
}
