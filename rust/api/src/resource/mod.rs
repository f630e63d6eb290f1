//! Reading what a resource ref points to: explicitly, within bounds, through the deployment's bindings.
//!
//! A ref names a *logical source* and a URI and is inert data. A [`PlatformContext`] resolves the logical source
//! to a concrete one and asks its [`ResourceReader`]. The reader is told the bounds and stops there; the payload
//! it answers is checked and bounded again by [`read_resource`].

mod bounds;
mod context;
mod error;
mod payload;
mod read;

use std::future::Future;
use std::pin::Pin;

pub use bounds::{ReadBounds, ReadRequest};
pub use context::{PlatformContext, ReaderDirectory, ReaderRouter, SourceBindingPlatformContext};
pub use error::{Cause, ResourceError};
pub use payload::{ContentBody, ResourceContent, ResourcePayload};
pub use read::{bound_payload, read_resource};
pub use wf_platform::resource_ref::{ReadContentKind, ReadContentSummary, ReadResourceOutput};

/// A read that is being worked on.
pub type ReadFuture<'a> = Pin<Box<dyn Future<Output = Result<ResourcePayload, ResourceError>> + Send + 'a>>;

/// Reads the resources of one source, or of several.
pub trait ResourceReader: Send + Sync {
    /// Reads one resource, and no more of it than the bounds allow.
    ///
    /// # Errors
    /// Each cause has its own [`ResourceError`]; there is no partial success.
    fn read<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a>;
}
