//! The operations on sources and their handlers.

use std::sync::Arc;

use wf_core::document::{Document, DocumentError};
use wf_core::value::Value;

use crate::error::PlatformError;
use crate::inventory::{SourceInventory, SourcePage, inspect_source, list_sources};
use crate::listing::matches_query;
use crate::page::page_items;
use crate::projection::{AdminExposure, Surface, tools};
use crate::registry::SourceRegistry;

use super::{
    AdminOperation, AdminPermission, ClientTool, ClientToolPage, ListClientTools, ListSources, SetSourcePolicy,
    SourceName, SourcePolicyRecord, SourceSwitched,
};

/// The operations that need nothing but a registry.
pub const SOURCE_OPERATIONS: [AdminOperation; 7] = [
    AdminOperation::of::<ListSources, SourcePage>(
        "list_sources",
        "List sources",
        "A page of all sources with their flags, counts and a preview of names, disabled and hidden ones included.",
        AdminPermission::Read,
    ),
    AdminOperation::of::<SourceName, SourceInventory>(
        "inspect_source",
        "Inspect a source",
        "Everything that one source owns, with every contract.",
        AdminPermission::Read,
    ),
    AdminOperation::of::<SourceName, SourceSwitched>(
        "enable_source",
        "Enable a source",
        "Lets a source take part, whatever its provider declares; remembered.",
        AdminPermission::MutatesConfig,
    ),
    AdminOperation::of::<SourceName, SourceSwitched>(
        "disable_source",
        "Disable a source",
        "Takes a source out of every surface and every run at once; remembered.",
        AdminPermission::MutatesConfig,
    ),
    AdminOperation::of::<SourceName, SourcePolicyRecord>(
        "get_source_policy",
        "Look at what was decided about a source",
        "What an operator decided about a source: enablement, visibility, allow and deny patterns, notes.",
        AdminPermission::Read,
    ),
    AdminOperation::of::<SetSourcePolicy, SourcePolicyRecord>(
        "set_source_policy",
        "Decide about a source",
        "Sets everything that is decided about a source in one go; what is left out is left to its provider.",
        AdminPermission::MutatesConfig,
    ),
    AdminOperation::of::<ListClientTools, ClientToolPage>(
        "list_client_tools",
        "List the tools that clients see",
        "A page of the tools that the public MCP server shows its clients.",
        AdminPermission::Read,
    ),
];

/// Why an operation did nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdminFailure {
    /// The arguments do not have the right form.
    #[error(transparent)]
    Arguments(#[from] DocumentError),
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] PlatformError),
    /// It is not one of [`SOURCE_OPERATIONS`].
    #[error("there is no source operation `{name}`")]
    Unknown {
        /// The name.
        name: Arc<str>,
    },
}

impl AdminFailure {
    /// The stable code of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Arguments(error) => error.problems.first().map_or("document.invalid", |problem| problem.code),
            Self::Refused(error) => error.code(),
            Self::Unknown { .. } => "admin.unknown_operation",
        }
    }
}

/// Runs an operation on the sources.
///
/// # Errors
/// Bad arguments, what the rules refuse, or an operation that is none of these.
pub fn run_source_operation<H>(
    registry: &SourceRegistry<H>,
    name: &str,
    arguments: &Value,
) -> Result<Value, AdminFailure> {
    match name {
        "list_sources" => {
            let ListSources { cursor, limit } = ListSources::parse(arguments)?;
            Ok(list_sources(&registry.snapshot(), cursor.as_deref(), limit.into())?.dump())
        }
        "inspect_source" => {
            let SourceName { source_id } = SourceName::parse(arguments)?;
            Ok(inspect_source(&registry.snapshot(), &source_id)?.dump())
        }
        "enable_source" => switched(registry, arguments, SourceRegistry::enable),
        "disable_source" => switched(registry, arguments, SourceRegistry::disable),
        "get_source_policy" => {
            let SourceName { source_id } = SourceName::parse(arguments)?;
            let overrides = registry.snapshot().require(&source_id)?.overrides().as_ref().clone();
            Ok(SourcePolicyRecord { source_id, overrides }.dump())
        }
        "set_source_policy" => {
            let SetSourcePolicy { source_id, overrides } = SetSourcePolicy::parse(arguments)?;
            let id = registry.snapshot().require(&source_id)?.id().clone();
            registry.set_overrides(&id, overrides.clone())?;
            Ok(SourcePolicyRecord { source_id, overrides }.dump())
        }
        "list_client_tools" => Ok(client_tools(registry, &ListClientTools::parse(arguments)?)?.dump()),
        _ => Err(AdminFailure::Unknown { name: name.into() }),
    }
}

fn switched<H>(
    registry: &SourceRegistry<H>,
    arguments: &Value,
    switch: impl FnOnce(&SourceRegistry<H>, &str) -> Result<(), PlatformError>,
) -> Result<Value, AdminFailure> {
    let SourceName { source_id } = SourceName::parse(arguments)?;
    let before = registry.snapshot().require(&source_id)?.source().is_enabled();
    switch(registry, &source_id)?;
    let enabled = registry.snapshot().require(&source_id)?.source().is_enabled();
    Ok(SourceSwitched { source_id, enabled, changed: enabled != before }.dump())
}

fn client_tools<H>(registry: &SourceRegistry<H>, asked: &ListClientTools) -> Result<ClientToolPage, PlatformError> {
    let exposure = if asked.admin_exposure { AdminExposure::Shown } else { AdminExposure::Hidden };
    let snapshot = registry.snapshot();
    let found: Vec<ClientTool> = tools(&snapshot, Surface::Client(exposure))
        .map(|(name, found)| {
            let contract = found.capability.contract();
            ClientTool {
                name: Arc::clone(name),
                source_id: Arc::clone(found.entry.id().as_shared()),
                title: contract.title.clone(),
                description: contract.description.clone(),
                input_schema: contract.input_schema.clone(),
                output_schema: contract.output_schema.clone(),
            }
        })
        .filter(|tool| {
            let texts = [Some(&*tool.name), tool.title.as_deref(), tool.description.as_deref()];
            matches_query(texts, asked.query.as_deref())
        })
        .collect();
    let page = page_items(&found, asked.cursor.as_deref(), asked.limit.into())?;
    Ok(ClientToolPage { tools: page.items, next_cursor: page.next_cursor, total: found.len() as u64 })
}
