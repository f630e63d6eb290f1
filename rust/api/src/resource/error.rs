//! Why a resource could not be read: one variant for each cause that a caller may treat differently.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::handler::HandlerError;
use wf_core::value::repr_text;

/// The error behind a failed reader.
#[derive(Debug)]
pub struct Cause(pub Box<dyn Error + Send + Sync>);

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Why a resource could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResourceError {
    /// The deployment binds nothing to the logical source.
    #[error("unbound logical source {}", repr_text(logical_source))]
    Unbound {
        /// The name that the ref uses.
        logical_source: Arc<str>,
    },
    /// The platform could not say what the logical source means.
    #[error("resolving logical source {} failed: {cause}", repr_text(logical_source))]
    ResolveFailed {
        /// The name that the ref uses.
        logical_source: Arc<str>,
        /// What the platform raised.
        #[source]
        cause: Cause,
    },
    /// The run was started without platform services.
    #[error("wf.source.read_resource requires platform context")]
    NoPlatform,
    /// The platform has no reader at all.
    #[error("source resource reads are not configured")]
    ReadsNotConfigured,
    /// The binding names a source that does not exist.
    #[error("unknown source {}", repr_text(source_id))]
    SourceUnknown {
        /// The source.
        source_id: Arc<str>,
    },
    /// The source is switched off.
    #[error("source {} is disabled", repr_text(source_id))]
    SourceDisabled {
        /// The source.
        source_id: Arc<str>,
    },
    /// The source has nothing that can be read.
    #[error("source {} has no readable resources", repr_text(source_id))]
    SourceUnreadable {
        /// The source.
        source_id: Arc<str>,
    },
    /// The source has no such resource.
    #[error("unknown resource {} for source {}", repr_text(uri), repr_text(source_id))]
    Missing {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
    },
    /// The resource lies outside the directory to which the source is confined.
    #[error("resource {} lies outside the root of source {}", repr_text(uri), repr_text(source_id))]
    OutsideRoot {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
    },
    /// The resource is a directory, a pipe or another thing without contents of its own.
    #[error("resource {} of source {} is {what}, not a file", repr_text(uri), repr_text(source_id))]
    NotAFile {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
        /// What it is.
        what: &'static str,
    },
    /// The operating system refuses access.
    #[error("no permission to read resource {} of source {}", repr_text(uri), repr_text(source_id))]
    AccessDenied {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
        /// What the system said.
        #[source]
        cause: std::io::Error,
    },
    /// The URI is none that the source understands.
    #[error("source {} cannot read uri {}: {problem}", repr_text(source_id), repr_text(uri))]
    UriInvalid {
        /// The source.
        source_id: Arc<str>,
        /// The URI.
        uri: Arc<str>,
        /// What is wrong with it, and what to write instead.
        problem: String,
    },
    /// A bound is out of range.
    #[error("{name} must be {expected}, got {got}")]
    BoundsInvalid {
        /// The bound.
        name: &'static str,
        /// Its range.
        expected: &'static str,
        /// What was given.
        got: String,
    },
    /// The reader cannot start at the offset.
    #[error(
        "source {} cannot read resource {} from character {offset} on: its reader does not page",
        repr_text(source_id),
        repr_text(uri)
    )]
    PagingUnsupported {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
        /// The offset.
        offset: u64,
    },
    /// The reader failed.
    #[error("reading resource {} of source {} failed: {cause}", repr_text(uri), repr_text(source_id))]
    ReaderFailed {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
        /// What it raised.
        #[source]
        cause: Cause,
    },
    /// The reader took too long.
    #[error("reading resource {} of source {} timed out: {cause}", repr_text(uri), repr_text(source_id))]
    TimedOut {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
        /// What told so.
        #[source]
        cause: Cause,
    },
    /// The reader answered something that is no resource payload.
    #[error("source {} answered a malformed payload for resource {}: {problem}", repr_text(source_id), repr_text(uri))]
    PayloadMalformed {
        /// The source.
        source_id: Arc<str>,
        /// The resource.
        uri: Arc<str>,
        /// What is wrong with it.
        problem: String,
    },
}

impl ResourceError {
    /// Every code with one sentence, for documentation and for the test that each has a case.
    pub const CODES: [(&'static str, &'static str); 17] = [
        ("source.unbound", "the deployment binds nothing to a logical source"),
        ("source.resolve_failed", "the platform could not say what a logical source means"),
        ("platform.missing", "the run was started without platform services"),
        ("resource.reads_not_configured", "the platform has no resource reader"),
        ("source.unknown", "a binding names a source that does not exist"),
        ("source.disabled", "the source is switched off"),
        ("source.unreadable", "the source has no readable resources"),
        ("resource.missing", "the source has no such resource"),
        ("resource.outside_root", "the resource lies outside the root of its source"),
        ("resource.not_a_file", "the resource is a directory, a pipe or a device"),
        ("resource.access_denied", "the operating system refuses access"),
        ("resource.uri_invalid", "the source does not understand the URI"),
        ("resource.bounds_invalid", "a bound of the read is out of range"),
        ("resource.paging_unsupported", "the reader cannot start at the offset"),
        ("resource.reader_failed", "the reader raised an error"),
        ("resource.timeout", "the reader took too long"),
        ("resource.payload_malformed", "the reader answered something that is no resource payload"),
    ];

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unbound { .. } => "source.unbound",
            Self::ResolveFailed { .. } => "source.resolve_failed",
            Self::NoPlatform => "platform.missing",
            Self::ReadsNotConfigured => "resource.reads_not_configured",
            Self::SourceUnknown { .. } => "source.unknown",
            Self::SourceDisabled { .. } => "source.disabled",
            Self::SourceUnreadable { .. } => "source.unreadable",
            Self::Missing { .. } => "resource.missing",
            Self::OutsideRoot { .. } => "resource.outside_root",
            Self::NotAFile { .. } => "resource.not_a_file",
            Self::AccessDenied { .. } => "resource.access_denied",
            Self::UriInvalid { .. } => "resource.uri_invalid",
            Self::BoundsInvalid { .. } => "resource.bounds_invalid",
            Self::PagingUnsupported { .. } => "resource.paging_unsupported",
            Self::ReaderFailed { .. } => "resource.reader_failed",
            Self::TimedOut { .. } => "resource.timeout",
            Self::PayloadMalformed { .. } => "resource.payload_malformed",
        }
    }

    /// The name of the error's public class.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Unbound { .. } => "UnboundSourceError",
            Self::ResolveFailed { .. } => "SourceResolveError",
            Self::NoPlatform => "PlatformMissingError",
            Self::ReadsNotConfigured => "ReadsNotConfiguredError",
            Self::SourceUnknown { .. } => "UnknownSourceError",
            Self::SourceDisabled { .. } => "SourceDisabledError",
            Self::SourceUnreadable { .. } => "SourceUnreadableError",
            Self::Missing { .. } => "ResourceMissingError",
            Self::OutsideRoot { .. } => "ResourceOutsideRootError",
            Self::NotAFile { .. } => "ResourceNotAFileError",
            Self::AccessDenied { .. } => "ResourceAccessError",
            Self::UriInvalid { .. } => "ResourceUriError",
            Self::BoundsInvalid { .. } => "ReadBoundsError",
            Self::PagingUnsupported { .. } => "PagingUnsupportedError",
            Self::ReaderFailed { .. } => "ResourceReaderError",
            Self::TimedOut { .. } => "ResourceTimeoutError",
            Self::PayloadMalformed { .. } => "ResourcePayloadError",
        }
    }

    /// The source the error is about: the concrete one, or the logical one when nothing is bound to it.
    pub fn source_name(&self) -> Option<&str> {
        match self {
            Self::Unbound { logical_source } | Self::ResolveFailed { logical_source, .. } => Some(logical_source),
            Self::SourceUnknown { source_id }
            | Self::SourceDisabled { source_id }
            | Self::SourceUnreadable { source_id }
            | Self::Missing { source_id, .. }
            | Self::OutsideRoot { source_id, .. }
            | Self::NotAFile { source_id, .. }
            | Self::AccessDenied { source_id, .. }
            | Self::UriInvalid { source_id, .. }
            | Self::PagingUnsupported { source_id, .. }
            | Self::ReaderFailed { source_id, .. }
            | Self::TimedOut { source_id, .. }
            | Self::PayloadMalformed { source_id, .. } => Some(source_id),
            Self::NoPlatform | Self::ReadsNotConfigured | Self::BoundsInvalid { .. } => None,
        }
    }

    /// The resource the error is about.
    pub fn uri(&self) -> Option<&str> {
        match self {
            Self::Missing { uri, .. }
            | Self::OutsideRoot { uri, .. }
            | Self::NotAFile { uri, .. }
            | Self::AccessDenied { uri, .. }
            | Self::UriInvalid { uri, .. }
            | Self::PagingUnsupported { uri, .. }
            | Self::ReaderFailed { uri, .. }
            | Self::TimedOut { uri, .. }
            | Self::PayloadMalformed { uri, .. } => Some(uri),
            _ => None,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unbound { .. } => "bind the logical source to a source id in the deployment",
            Self::ResolveFailed { .. } | Self::ReaderFailed { .. } => "see the cause",
            Self::NoPlatform => "start the run with `platform=`, or through a deployment of a server",
            Self::ReadsNotConfigured => "give the platform context a resource reader",
            Self::SourceUnknown { .. } => "register the source, or bind the logical source to one that exists",
            Self::SourceDisabled { .. } => "enable the source, or bind the logical source to another one",
            Self::SourceUnreadable { .. } => {
                "bind the logical source to a source with resources, such as a file source"
            }
            Self::Missing { .. } => "check the uri against the resources that the source lists",
            Self::OutsideRoot { .. } => "name a file below the root; links that lead out of it are refused",
            Self::NotAFile { .. } => "name a regular file",
            Self::AccessDenied { .. } => "give the process permission to read the file",
            Self::UriInvalid { .. } => "write a name relative to the root, or a `file` URI",
            Self::BoundsInvalid { .. } => "choose a bound within the range",
            Self::PagingUnsupported { .. } => "give the reader an `offset` parameter, or read from the beginning",
            Self::TimedOut { .. } => "read less at once, or give the reader more time",
            Self::PayloadMalformed { .. } => "answer an object with a list of text or blob contents under `contents`",
        }
    }
}

impl From<ResourceError> for HandlerError {
    fn from(error: ResourceError) -> Self {
        Self {
            type_name: error.type_name(),
            code: Some(error.code()),
            message: error.to_string(),
            cause: Some(Box::new(error)),
        }
    }
}
