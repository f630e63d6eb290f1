//! The table of the operations.

use wf_core::document::Document as _;
use wf_core::value::Value;
use wf_platform::admin::{AdminOperation, AdminPermission, SOURCE_OPERATIONS, SourceName, run_source_operation};

use super::{
    AddConnection, ConfigReloaded, ConfigView, ConnectionChanged, ConnectionName, ConnectionPage, EventPage,
    ListConnections, ListEvents, SourceRefreshed, UpdateConnection,
};
use crate::error::ApiError;
use crate::operations::Application;

/// A call of an operation.
#[derive(Clone, Copy, Debug)]
pub struct AdminCall<'a> {
    /// The operation.
    pub name: &'static str,
    /// Its arguments.
    pub arguments: &'a Value,
    /// Who calls it.
    pub actor: &'a str,
}

/// What executes an operation.
pub type AdminHandler<H> = fn(&Application<H>, &AdminCall<'_>) -> Result<Value, ApiError>;

/// An operation and what executes it.
#[derive(Debug)]
pub struct AdminRow<H> {
    /// Name, texts, arguments, result and permission.
    pub operation: AdminOperation,
    /// What executes it.
    pub handler: AdminHandler<H>,
}

/// All operations of the control plane: those on sources first.
pub fn operations<H>() -> Vec<AdminRow<H>> {
    let of_sources = SOURCE_OPERATIONS.into_iter().map(|operation| AdminRow {
        operation,
        handler: match operation.name {
            "enable_source" | "disable_source" => Application::switch_source,
            "set_source_policy" => Application::set_source_policy,
            _ => look_at_sources,
        },
    });
    let further: [(AdminOperation, AdminHandler<H>); 8] = [
        (
            AdminOperation::of::<SourceName, SourceRefreshed>(
                "refresh_source",
                "Refresh a source",
                "Reads the capabilities of a source again; after a failure, what was known of it still holds.",
                AdminPermission::MutatesConfig,
            ),
            |app, call| Ok(app.refresh_source(&SourceName::parse(call.arguments)?.source_id)?.dump()),
        ),
        (
            AdminOperation::of::<ListConnections, ConnectionPage>(
                "list_connections",
                "List connections",
                "A page of the configured connections with their state; secrets are not shown.",
                AdminPermission::Read,
            ),
            |app, call| Ok(app.list_connections(&ListConnections::parse(call.arguments)?)?.dump()),
        ),
        (
            AdminOperation::of::<AddConnection, ConnectionChanged>(
                "add_connection",
                "Add a connection",
                "Configures an upstream server; its source is listed at once.",
                AdminPermission::MutatesConfig,
            ),
            |app, call| Ok(app.add_connection(AddConnection::parse(call.arguments)?, call)?.dump()),
        ),
        (
            AdminOperation::of::<UpdateConnection, ConnectionChanged>(
                "update_connection",
                "Update a connection",
                "Changes what is given about a connection and keeps the rest.",
                AdminPermission::MutatesConfig,
            ),
            |app, call| Ok(app.update_connection(&UpdateConnection::parse(call.arguments)?, call)?.dump()),
        ),
        (
            AdminOperation::of::<ConnectionName, ConnectionChanged>(
                "remove_connection",
                "Remove a connection",
                "Removes a connection and its source; what was decided about the source is kept.",
                AdminPermission::MutatesConfig,
            ),
            |app, call| Ok(app.remove_connection(&ConnectionName::parse(call.arguments)?, call)?.dump()),
        ),
        (
            AdminOperation::without_arguments::<ConfigView>(
                "get_config",
                "View the configuration",
                "The connections and everything that was decided about sources; secrets are not shown.",
                AdminPermission::Read,
            ),
            |app, call| nothing(call).and_then(|()| Ok(app.config()?.dump())),
        ),
        (
            AdminOperation::without_arguments::<ConfigReloaded>(
                "reload_config",
                "Reload the configuration",
                "Makes the stored configuration hold in this process, what other processes changed included.",
                AdminPermission::MutatesConfig,
            ),
            |app, call| nothing(call).and_then(|()| Ok(app.reload()?.dump())),
        ),
        (
            AdminOperation::of::<ListEvents, EventPage>(
                "list_events",
                "List events",
                "A page of what happened on the platform, oldest first.",
                AdminPermission::Read,
            ),
            |app, call| Ok(app.page_of_events(&ListEvents::parse(call.arguments)?)?.dump()),
        ),
    ];
    of_sources.chain(further.map(|(operation, handler)| AdminRow { operation, handler })).collect()
}

fn look_at_sources<H>(app: &Application<H>, call: &AdminCall<'_>) -> Result<Value, ApiError> {
    Ok(run_source_operation(app.registry(), call.name, call.arguments)?)
}

fn nothing(call: &AdminCall<'_>) -> Result<(), ApiError> {
    match call.arguments {
        Value::Object(arguments) if arguments.is_empty() => Ok(()),
        other => Err(ApiError::AdminArguments { name: call.name.into(), got: other.repr() }),
    }
}
