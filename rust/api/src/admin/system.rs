//! The sources of the platform that a server has besides the built-in ones.

use wf_platform::admin::build_admin_source;
use wf_platform::registry::SourceRegistry;
use wf_platform::source::{CapabilitySource, SourceKind, SourcePolicy};
use wf_platform::{PlatformError, SourceId};

use super::operations;
use crate::builtin::MCP_SOURCE_ID;

/// Adds `wf.admin`, which lists the operations, and `wf.mcp`, whose id is kept and which owns nothing yet.
///
/// # Errors
/// When the registry has one of them already.
pub fn add_system_sources<H>(registry: &SourceRegistry<H>) -> Result<(), PlatformError> {
    registry.add_builtin(build_admin_source(operations::<H>().into_iter().map(|row| (row.operation, None))))?;
    registry.add_builtin(
        CapabilitySource::new(SourceId::parse(MCP_SOURCE_ID)?, SourceKind::System)
            .with_policy(SourcePolicy::Platform)
            .with_description("Kept for helpers around MCP; owns nothing yet."),
    )
}
