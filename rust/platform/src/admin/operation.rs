//! What an operation of the control plane is, and the source that owns all of them.

use std::sync::Arc;

use wf_core::document::Document;
use wf_core::value::{Object, Value};

use crate::capability::{CapabilityBuckets, Entry, ToolContract};
use crate::id::{ADMIN_SOURCE_ID, SourceId};
use crate::source::{CapabilitySource, SourceKind, SourcePermissions};

wf_core::text_enum! {
    /// What an operation may do.
    pub enum AdminPermission {
        /// Look.
        Read = "read",
        /// Change configuration.
        MutatesConfig = "mutates_config",
        /// Change credentials.
        MutatesAuth = "mutates_auth",
    }
}

/// An operation of the control plane: its contract. What executes it is given when the source is built.
#[derive(Clone, Copy, Debug)]
pub struct AdminOperation {
    /// Its name within `wf.admin`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it does.
    pub description: &'static str,
    /// What it may do.
    pub permission: AdminPermission,
    /// The JSON Schema of its arguments.
    pub input: fn() -> Value,
    /// The JSON Schema of its result.
    pub output: fn() -> Value,
}

impl AdminOperation {
    /// An operation whose arguments and result are documents.
    pub const fn of<I: Document, O: Document>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        permission: AdminPermission,
    ) -> Self {
        Self { name, title, description, permission, input: I::json_schema, output: O::json_schema }
    }

    /// An operation that takes no arguments.
    pub const fn without_arguments<O: Document>(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        permission: AdminPermission,
    ) -> Self {
        Self { name, title, description, permission, input: no_arguments, output: O::json_schema }
    }

    /// `wf.admin.<name>`.
    pub fn qualified_name(&self) -> Arc<str> {
        format!("{ADMIN_SOURCE_ID}.{}", self.name).into()
    }

    /// The contract of the operation as a tool.
    pub fn contract(&self) -> ToolContract {
        let schema = |schema: Value| if let Value::Object(schema) = schema { Some(schema) } else { None };
        ToolContract {
            title: Some(self.title.into()),
            description: Some(self.description.into()),
            input_schema: schema((self.input)()),
            output_schema: schema((self.output)()),
            meta: Object::from_iter([("permission", self.permission.as_str())]),
        }
    }
}

fn no_arguments() -> Value {
    Value::Object(Object::from_iter([("type", Value::from("object")), ("additionalProperties", Value::from(false))]))
}

/// The source `wf.admin`, which owns exactly these operations. It is for the admin page; an MCP client sees it only
/// with admin exposure, and no workflow can use it.
pub fn build_admin_source<H>(operations: impl IntoIterator<Item = (AdminOperation, Option<H>)>) -> CapabilitySource<H> {
    let mut buckets = CapabilityBuckets::default();
    let mut permissions = SourcePermissions::default();
    for (operation, handle) in operations {
        permissions.mutates_config |= operation.permission == AdminPermission::MutatesConfig;
        permissions.mutates_auth |= operation.permission == AdminPermission::MutatesAuth;
        let entry = match handle {
            Some(handle) => Entry::new(operation.contract(), handle),
            None => Entry::contract_only(operation.contract()),
        };
        buckets.tools.insert(operation.qualified_name(), entry);
    }
    CapabilitySource::new(SourceId::known(ADMIN_SOURCE_ID), SourceKind::System)
        .with_capabilities(buckets)
        .with_permissions(permissions)
        .with_description("What operators can do; for people, not for workflows.")
}
