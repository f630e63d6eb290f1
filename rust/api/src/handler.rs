//! What executes a node: the traits a native handler implements, and how a handler fails.
//!
//! A handler takes a payload that the engine has already checked against the node's contract, and answers an
//! outcome with an output. [`NodeHandler`] is for work that never waits; a driver calls it inline.
//! [`AsyncNodeHandler`] is for work that does.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use wf_core::document::NodeResult;
use wf_core::value::Object;

use crate::resource::PlatformContext;

/// What a handler answers, or why it could not.
pub type HandlerResult = Result<NodeResult, HandlerError>;

/// A handler's answer that is still being worked on.
pub type HandlerFuture<'a> = Pin<Box<dyn Future<Output = HandlerResult> + Send + 'a>>;

/// What surrounds one call of a handler.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct NodeContext<'a> {
    /// The platform's services, if the run has any.
    pub platform: Option<&'a dyn PlatformContext>,
}

impl<'a> NodeContext<'a> {
    /// A context with the given platform services.
    pub fn with_platform(platform: &'a dyn PlatformContext) -> Self {
        Self { platform: Some(platform) }
    }
}

impl fmt::Debug for NodeContext<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("NodeContext").field("platform", &self.platform.is_some()).finish()
    }
}

/// A handler that never waits.
pub trait NodeHandler: Send + Sync {
    /// Executes the node once.
    ///
    /// # Errors
    /// Whatever the node cannot do; the engine decides by its policy whether the run fails.
    fn call(&self, input: &Object, context: &NodeContext<'_>) -> HandlerResult;
}

/// A handler that may wait.
pub trait AsyncNodeHandler: Send + Sync {
    /// Executes the node once.
    ///
    /// # Errors
    /// As for [`NodeHandler::call`].
    fn call<'a>(&'a self, input: &'a Object, context: NodeContext<'a>) -> HandlerFuture<'a>;
}

/// A handler of either kind, shared.
#[derive(Clone)]
pub enum Handler {
    /// Called inline.
    Immediate(Arc<dyn NodeHandler>),
    /// Awaited.
    Waiting(Arc<dyn AsyncNodeHandler>),
}

impl fmt::Debug for Handler {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Immediate(_) => "Handler::Immediate",
            Self::Waiting(_) => "Handler::Waiting",
        })
    }
}

/// Why a handler failed.
///
/// The type name is the one a Python reader of the run record expects (`RuntimeError`, `KeyError`, …).
#[derive(Debug)]
pub struct HandlerError {
    /// The name of the error's type.
    pub type_name: &'static str,
    /// A stable dotted code, when the failure is one of ours.
    pub code: Option<&'static str>,
    /// What went wrong.
    pub message: String,
    /// The error behind it.
    pub cause: Option<Box<dyn Error + Send + Sync>>,
}

impl HandlerError {
    /// A failure without a code of ours.
    pub fn new(type_name: &'static str, message: impl Into<String>) -> Self {
        Self { type_name, code: None, message: message.into(), cause: None }
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for HandlerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}
