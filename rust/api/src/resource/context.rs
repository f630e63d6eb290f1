//! The platform services of a run: what a logical source means, and who reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{ReadFuture, ReadRequest, ResourceError, ResourceReader};

/// Runtime services for nodes that deal with the platform; ordinary nodes never look at it.
pub trait PlatformContext: Send + Sync {
    /// The concrete source that a logical source means in this run.
    ///
    /// # Errors
    /// [`ResourceError::Unbound`] when it means none.
    fn resolve_source(&self, logical_source: &str) -> Result<Arc<str>, ResourceError>;

    /// Reads one resource of a concrete source.
    ///
    /// # Errors
    /// As for [`ResourceReader::read`].
    fn read_resource<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a>;
}

/// A platform context made of a deployment's bindings and a reader.
///
/// ```
/// use wf_api::resource::{PlatformContext, SourceBindingPlatformContext};
///
/// let platform = SourceBindingPlatformContext::new([("drive".into(), "drive.personal".into())])
///     .with_platform_sources(["wf.source".into()]);
/// assert_eq!(&*platform.resolve_source("drive").unwrap(), "drive.personal");
/// assert_eq!(&*platform.resolve_source("wf.source").unwrap(), "wf.source");
/// assert_eq!(platform.resolve_source("mail").unwrap_err().to_string(), "unbound logical source 'mail'");
/// ```
#[derive(Clone, Default)]
pub struct SourceBindingPlatformContext {
    bindings: BTreeMap<Arc<str>, Arc<str>>,
    platform_sources: BTreeSet<Arc<str>>,
    reader: Option<Arc<dyn ResourceReader>>,
}

impl SourceBindingPlatformContext {
    /// A context with these bindings, without platform sources and without a reader.
    pub fn new(bindings: impl IntoIterator<Item = (Arc<str>, Arc<str>)>) -> Self {
        Self { bindings: bindings.into_iter().collect(), ..Self::default() }
    }

    /// The same context, in which these sources always mean themselves.
    #[must_use]
    pub fn with_platform_sources(mut self, sources: impl IntoIterator<Item = Arc<str>>) -> Self {
        self.platform_sources = sources.into_iter().collect();
        self
    }

    /// The same context, with a reader.
    #[must_use]
    pub fn with_reader(mut self, reader: Arc<dyn ResourceReader>) -> Self {
        self.reader = Some(reader);
        self
    }

    /// What the logical sources are bound to.
    pub fn bindings(&self) -> &BTreeMap<Arc<str>, Arc<str>> {
        &self.bindings
    }

    /// The sources that always mean themselves.
    pub fn platform_sources(&self) -> &BTreeSet<Arc<str>> {
        &self.platform_sources
    }
}

impl std::fmt::Debug for SourceBindingPlatformContext {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SourceBindingPlatformContext")
            .field("bindings", &self.bindings)
            .field("platform_sources", &self.platform_sources)
            .field("reader", &self.reader.is_some())
            .finish()
    }
}

impl PlatformContext for SourceBindingPlatformContext {
    fn resolve_source(&self, logical_source: &str) -> Result<Arc<str>, ResourceError> {
        self.platform_sources
            .get(logical_source)
            .or_else(|| self.bindings.get(logical_source))
            .cloned()
            .ok_or_else(|| ResourceError::Unbound { logical_source: Arc::from(logical_source) })
    }

    fn read_resource<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a> {
        match &self.reader {
            Some(reader) => reader.read(request),
            None => Box::pin(std::future::ready(Err(ResourceError::ReadsNotConfigured))),
        }
    }
}

/// Knows the sources of a server, and which of them can be read.
pub trait ReaderDirectory: Send + Sync {
    /// The reader of a source.
    ///
    /// # Errors
    /// [`ResourceError::SourceUnknown`], [`ResourceError::SourceDisabled`] or [`ResourceError::SourceUnreadable`].
    fn reader_of(&self, source_id: &str) -> Result<Arc<dyn ResourceReader>, ResourceError>;
}

/// A reader that hands each request to the reader of its source.
#[derive(Debug)]
pub struct ReaderRouter<D> {
    directory: D,
}

impl<D: ReaderDirectory> ReaderRouter<D> {
    /// A router over a directory.
    pub fn new(directory: D) -> Self {
        Self { directory }
    }
}

impl<D: ReaderDirectory> ResourceReader for ReaderRouter<D> {
    fn read<'a>(&'a self, request: &'a ReadRequest) -> ReadFuture<'a> {
        match self.directory.reader_of(&request.source_id) {
            Ok(reader) => Box::pin(async move { reader.read(request).await }),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }
}
