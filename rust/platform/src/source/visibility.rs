//! Which surfaces show a source.

use std::borrow::Cow;

use wf_core::document::Reader;
use wf_core::value::Value;

wf_core::document! {
    /// Which surfaces show a source.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SourceVisibility: "SourceVisibility" {
        /// Authors and models that plan workflows.
        pub planner: bool = false,
        /// Clients of the public MCP server (also spelt `mcp_client`).
        pub client: bool = false,
        /// The admin page.
        pub admin_dashboard: bool = true,
    }
    unknown Forbid;
    before accept_mcp_client;
}

impl SourceVisibility {
    /// Shown everywhere.
    pub const EVERYWHERE: Self = Self { planner: true, client: true, admin_dashboard: true };
}

impl Default for SourceVisibility {
    fn default() -> Self {
        Self { planner: false, client: false, admin_dashboard: true }
    }
}

fn accept_mcp_client<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    let Some(object) = value.as_object() else { return Some(Cow::Borrowed(value)) };
    let Some(client) = object.get("mcp_client") else { return Some(Cow::Borrowed(value)) };
    if object.contains_key("client") {
        reader.problem("document.conflict", "visibility fields 'client' and 'mcp_client' are mutually exclusive");
        return None;
    }
    let mut current = object.clone();
    current.insert("client", client.clone());
    current.remove("mcp_client");
    Some(Cow::Owned(Value::Object(current)))
}
