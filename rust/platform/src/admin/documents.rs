//! Arguments and results of the operations on sources.

use std::sync::Arc;

use wf_core::document::{Codec, Definitions, NonEmpty, Part, Reader};
use wf_core::value::{Object, Value};

use crate::part::Count;
use crate::source::SourceOverrides;

/// The most rows a page of an operation holds.
const LARGEST_PAGE: u32 = 100;

/// How many rows a page holds: from 1 to 100.
#[derive(Clone, Copy, Debug)]
pub struct PageSize;

impl Codec<u32> for PageSize {
    fn read(value: &Value, reader: &mut Reader) -> Option<u32> {
        let size = <u32 as Part>::read(value, reader)?;
        if !(1..=LARGEST_PAGE).contains(&size) {
            reader.problem("page.limit_out_of_range", format!("expected a limit from 1 to {LARGEST_PAGE}, got {size}"));
        }
        Some(size)
    }

    fn write(part: &u32) -> Value {
        Value::from(*part)
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Object(Object::from_iter([
            ("type", Value::from("integer")),
            ("minimum", Value::Int(1)),
            ("maximum", Value::from(LARGEST_PAGE)),
        ]))
    }
}

wf_core::document! {
    /// Which page of the sources.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ListSources: "ListSources" {
        /// The `next_cursor` of the page before.
        pub cursor: Option<Arc<str>> = None,
        /// How many sources a page holds.
        pub limit: u32 => PageSize = 50,
    }
    unknown Forbid;
}

wf_core::document! {
    /// Which source.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SourceName: "SourceName" {
        /// Its id.
        pub source_id: Arc<str> => NonEmpty,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A source after it was switched.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SourceSwitched: "SourceSwitched" {
        /// Its id.
        pub source_id: Arc<str>,
        /// Whether it takes part now.
        pub enabled: bool,
        /// Whether anything changed.
        pub changed: bool,
    }
    unknown Forbid;
}

wf_core::document! {
    /// What an operator decides about a source.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SetSourcePolicy: "SetSourcePolicy" {
        /// Its id.
        pub source_id: Arc<str> => NonEmpty,
        /// All that is decided; what is left out is left to the provider.
        pub overrides: SourceOverrides,
    }
    unknown Forbid;
}

wf_core::document! {
    /// What an operator decided about a source.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SourcePolicyRecord: "SourcePolicyRecord" {
        /// Its id.
        pub source_id: Arc<str>,
        /// What was decided.
        pub overrides: SourceOverrides,
    }
    unknown Forbid;
}

wf_core::document! {
    /// Which page of the tools that MCP clients see.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ListClientTools: "ListClientTools" {
        /// A search over name, title and description.
        pub query: Option<Arc<str>> = None,
        /// Whether to show what clients see when the server was started with admin exposure.
        pub admin_exposure: bool = false,
        /// The `next_cursor` of the page before.
        pub cursor: Option<Arc<str>> = None,
        /// How many tools a page holds.
        pub limit: u32 => PageSize = 50,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A tool that MCP clients see.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ClientTool: "ClientTool" {
        /// Its qualified name.
        pub name: Arc<str>,
        /// The source that owns it.
        pub source_id: Arc<str>,
        /// Its title.
        pub title: Option<Arc<str>> = None,
        /// What it does.
        pub description: Option<Arc<str>> = None,
        /// The schema of its arguments.
        pub input_schema: Option<Object> = None,
        /// The schema of its result.
        pub output_schema: Option<Object> = None,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A page of the tools that MCP clients see, sorted by source and name.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ClientToolPage: "ClientToolPage" {
        /// The tools.
        pub tools: Vec<ClientTool>,
        /// Where the next page starts, if there is one.
        pub next_cursor: Option<Arc<str>> = None,
        /// How many tools there are.
        pub total: u64 => Count,
    }
    unknown Forbid;
}
