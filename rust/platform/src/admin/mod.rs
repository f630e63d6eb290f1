//! The control plane: what operators can do, each operation defined once.
//!
//! A surface (MCP, JSON-RPC, command line, admin page) shows the operations of `wf.admin` as they are defined here
//! or by the rooms above; it never defines one of its own. The operations on sources need nothing but a registry, so
//! their handlers are here, too.

mod documents;
mod operation;
mod sources;

pub use documents::{
    ClientTool, ClientToolPage, ListClientTools, ListSources, PageSize, SetSourcePolicy, SourceName,
    SourcePolicyRecord, SourceSwitched,
};
pub use operation::{AdminOperation, AdminPermission, build_admin_source};
pub use sources::{AdminFailure, SOURCE_OPERATIONS, run_source_operation};
