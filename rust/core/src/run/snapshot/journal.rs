//! Events as JSON: the journal of a run.

use std::sync::Arc;

use crate::document::{Document, NodeResult};
use crate::run::error::CallError;
use crate::run::event::{CallId, CallResult, Event};
use crate::value::Value;

use super::SnapshotError;
use super::node::{Node, Read};
use super::read::{object_or_empty, options};
use super::write::{Fields, list, number, options as write_options};

impl Event {
    /// The event as JSON.
    pub fn to_value(&self) -> Value {
        let mut fields = Fields::new();
        match self {
            Self::Start { input, options } => {
                fields.set("event", "start").set("input", input.clone()).set("options", write_options(options));
            }
            Self::Resolve { call, result, now } => {
                fields.set("event", "resolve").set("call", number(call.get()));
                fields.set("result", result_value(result)).set("now", number(*now));
            }
            Self::ResolveReduce { reduce, merged, now } => {
                let merged = list(merged, |merged| match merged {
                    Ok(value) => Fields::new().set("value", value.clone()).done(),
                    Err(error) => Fields::new().set("error", error_value(error)).done(),
                });
                fields.set("event", "resolve_reduce").set("call", number(reduce.get()));
                fields.set("merged", merged).set("now", number(*now));
            }
            Self::Resume { interrupt, outcome, payload, now } => {
                fields.set("event", "resume").some("interrupt", interrupt.clone());
                fields.set("outcome", Arc::clone(outcome)).set("payload", payload.clone()).set("now", number(*now));
            }
            Self::Cancel { reason, now } => {
                fields.set("event", "cancel").set("reason", Arc::clone(reason)).set("now", number(*now));
            }
            Self::Retry { now } => {
                fields.set("event", "retry").set("now", number(*now));
            }
            Self::Tick { now } => {
                fields.set("event", "tick").set("now", number(*now));
            }
        }
        fields.done()
    }

    /// Reads what [`to_value`](Self::to_value) wrote.
    ///
    /// # Errors
    ///
    /// It is no event; the error says where.
    pub fn from_value(value: &Value) -> Result<Self, SnapshotError> {
        event(Node::root(value)).map_err(|error| match error {
            SnapshotError::Invalid { path, message } => SnapshotError::InvalidEvent { path, message },
            other => other,
        })
    }
}

fn event(node: Node<'_>) -> Read<Event> {
    let word = node.field("event")?;
    let name = word.text()?;
    if *name == *"start" {
        let (input, options) = (node.field("input")?.object()?, options(node.field("options")?)?);
        return Ok(Event::Start { input, options });
    }
    let now = node.field("now")?.number()?;
    let call = || node.field("call")?.number().map(CallId::new);
    Ok(match &*name {
        "resolve" => Event::Resolve { call: call()?, result: result(node.field("result")?)?, now },
        "resolve_reduce" => {
            let merged = node.field("merged")?.each(|_, node| match node.optional("error")? {
                Some(raised) => Ok(Err(error(raised)?)),
                None => Ok(Ok(node.field("value")?.value().clone())),
            })?;
            Event::ResolveReduce { reduce: call()?, merged, now }
        }
        "resume" => Event::Resume {
            interrupt: node.optional("interrupt")?.map(|node| node.text()).transpose()?,
            outcome: node.field("outcome")?.text()?,
            payload: node.field("payload")?.object()?,
            now,
        },
        "cancel" => Event::Cancel { reason: node.field("reason")?.text()?, now },
        "retry" => Event::Retry { now },
        "tick" => Event::Tick { now },
        other => return Err(word.invalid(format_args!("unknown event '{other}'"))),
    })
}

fn result_value(result: &CallResult) -> Value {
    match result {
        CallResult::Returned(result) => Fields::new().set("returned", result.dump()).done(),
        CallResult::Failed(error) => Fields::new().set("failed", error_value(error)).done(),
        CallResult::TimedOut => Value::from("timed_out"),
        CallResult::Cancelled => Value::from("cancelled"),
    }
}

fn result(node: Node<'_>) -> Read<CallResult> {
    if node.value().as_str().is_some() {
        return match &*node.text()? {
            "timed_out" => Ok(CallResult::TimedOut),
            "cancelled" => Ok(CallResult::Cancelled),
            other => Err(node.invalid(format_args!("unknown word '{other}'"))),
        };
    }
    if let Some(failed) = node.optional("failed")? {
        return Ok(CallResult::Failed(error(failed)?));
    }
    let returned = node.field("returned")?;
    NodeResult::parse(returned.value())
        .map(CallResult::Returned)
        .map_err(|error| returned.invalid(format_args!("{error}")))
}

fn error_value(error: &CallError) -> Value {
    let mut fields = Fields::new();
    fields.set("type", Arc::clone(&error.type_name)).set("message", Arc::clone(&error.message));
    if !error.bases.is_empty() {
        fields.set("bases", error.bases.clone());
    }
    if !error.retryable {
        fields.set("retryable", false);
    }
    fields.filled("data", &error.data).done()
}

fn error(node: Node<'_>) -> Read<CallError> {
    let bases = node.optional("bases")?.map(|node| node.each(|_, node| node.text())).transpose()?;
    Ok(CallError {
        type_name: node.field("type")?.text()?,
        bases: bases.unwrap_or_default(),
        message: node.field("message")?.text()?,
        retryable: node.optional("retryable")?.map(|node| node.flag()).transpose()?.unwrap_or(true),
        data: object_or_empty(node, "data")?,
    })
}
