//! Which surfaces show a source.

use wf_core::value::Object;

/// Which surfaces show a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceVisibility {
    /// Authors and models that plan workflows (default no).
    pub planner: bool,
    /// Clients of the public MCP server (default no).
    pub client: bool,
    /// The admin page (default yes).
    pub admin_dashboard: bool,
}

impl SourceVisibility {
    /// Shown everywhere.
    pub const EVERYWHERE: Self = Self { planner: true, client: true, admin_dashboard: true };

    /// The document.
    pub fn to_object(self) -> Object {
        [("planner", self.planner), ("client", self.client), ("admin_dashboard", self.admin_dashboard)]
            .into_iter()
            .collect()
    }
}

impl Default for SourceVisibility {
    fn default() -> Self {
        Self { planner: false, client: false, admin_dashboard: true }
    }
}
