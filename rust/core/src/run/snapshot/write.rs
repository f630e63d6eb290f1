//! Writing: the records of a run as JSON. What is empty or absent is left out.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::plan::index::{Next, StepIx};
use crate::run::frame::{Frame, FrameFailure};
use crate::run::machine::FrameStatus;
use crate::run::origin::{Birth, FrameIx};
use crate::run::trace::{Ahead, Body, Record, Wide};
use crate::run::{Failure, Machine, Scope, StartOptions};
use crate::value::{List, Object, Value};

use super::write_live::live;

/// A whole number of any size.
pub(super) fn number(number: u64) -> Value {
    i64::try_from(number).map_or_else(|_| Value::big_int(BigInt::from(number)), Value::from)
}

/// A position.
pub(super) fn position(number: usize) -> Value {
    self::number(number as u64)
}

pub(super) fn list<T>(items: impl IntoIterator<Item = T>, write: impl FnMut(T) -> Value) -> Value {
    Value::List(items.into_iter().map(write).collect())
}

/// Records that many others share are written once and referred to by number: a list of items by each of its items'
/// frames, a failure by the frames, results and trace entries that tell of it.
#[derive(Default)]
pub(super) struct Shared {
    /// By the frame that iterates, its step and visit.
    lists: BTreeMap<(FrameIx, StepIx, u32), u64>,
    list_values: Vec<Value>,
    /// By address; the failures are kept alive by the run while it is written.
    failures: BTreeMap<usize, u64>,
    failure_values: Vec<Value>,
}

impl Shared {
    pub(super) fn list(&mut self, of: (FrameIx, StepIx, u32), items: &List) -> Value {
        let Self { lists, list_values, .. } = self;
        let known = lists.entry(of).or_insert_with(|| {
            list_values.push(Value::List(items.clone()));
            list_values.len() as u64 - 1
        });
        number(*known)
    }

    pub(super) fn failure(&mut self, failure: &Arc<FrameFailure>) -> Value {
        let Self { failures, failure_values, .. } = self;
        let known = failures.entry(Arc::as_ptr(failure).addr()).or_insert_with(|| {
            failure_values.push(frame_failure(failure));
            failure_values.len() as u64 - 1
        });
        number(*known)
    }
}

/// Builds an object from what is there.
pub(super) struct Fields(pub(super) Object);

impl Fields {
    pub(super) fn new() -> Self {
        Self(Object::new())
    }

    pub(super) fn set(&mut self, key: &'static str, value: impl Into<Value>) -> &mut Self {
        self.0.insert(key, value);
        self
    }

    /// Sets a key only if there is something to set.
    pub(super) fn some(&mut self, key: &'static str, value: Option<impl Into<Value>>) -> &mut Self {
        if let Some(value) = value {
            self.0.insert(key, value);
        }
        self
    }

    /// Sets a key only if the object has entries.
    pub(super) fn filled(&mut self, key: &'static str, object: &Object) -> &mut Self {
        if !object.is_empty() {
            self.0.insert(key, object.clone());
        }
        self
    }

    /// Sets a key only if a flag is up.
    pub(super) fn flag(&mut self, key: &'static str, flag: bool) -> &mut Self {
        if flag {
            self.0.insert(key, true);
        }
        self
    }

    pub(super) fn done(&mut self) -> Value {
        Value::Object(std::mem::take(&mut self.0))
    }
}

/// Everything of a run but its plan.
pub(super) fn machine(machine: &Machine) -> Value {
    let mut shared = Shared::default();
    let frames = list(&machine.frames, |record| frame(record, &mut shared));
    let trace = list(&machine.trace, |entry| record(entry, &mut shared));
    let pending = |frame: &&FrameIx| machine.frame(**frame).status == FrameStatus::Pending;
    let ready = list(machine.ready.iter().filter(pending), |frame| index(frame.0));
    let failed = list(&machine.failures, |(frame, failure)| pair(index(frame.0), shared.failure(failure)));
    let failure = machine.failure.as_ref().map(|failure| shared.failure(failure));
    let interrupts = machine.interrupt_ids.iter().map(|(id, count)| (Arc::clone(id), i64::from(*count)));
    let mut fields = Fields::new();
    fields
        .set("options", options(&machine.options))
        .set("status", machine.status.as_str())
        .set("now", number(machine.now))
        .set("started_at", number(machine.started_at))
        .some("finished_at", machine.finished_at.map(number))
        .set("steps", number(machine.steps))
        .set("input", machine.input.clone())
        .some("outcome", machine.outcome.map(|outcome| index(outcome.0)))
        .filled("output", &machine.output)
        .some("failure", failure)
        .some("cancel_reason", machine.cancel_reason.clone())
        .set("next_call", number(machine.in_flight.next().get()))
        .some("asking", machine.asking.map(|frame| index(frame.0)))
        .filled("interrupt_ids", &interrupts.collect())
        .set("scopes", list(&machine.scopes, scope))
        .set("lists", Value::List(shared.list_values.into()))
        .set("failures", Value::List(shared.failure_values.into()))
        .set("failed_frames", failed)
        .set("frames", frames)
        .set("ready", ready)
        .set("trace", trace);
    fields.done()
}

pub(super) fn index(index: u32) -> Value {
    Value::from(i64::from(index))
}

pub(super) fn pair(first: Value, second: Value) -> Value {
    Value::List(vec![first, second].into())
}

pub(super) fn options(options: &StartOptions) -> Value {
    let mut fields = Fields::new();
    fields
        .set("run_id", Arc::clone(&options.run_id))
        .set("now", number(options.now))
        .set("seed", number(options.seed))
        .some("max_steps", options.max_steps.map(number))
        .some("deadline", options.deadline.map(number));
    fields.done()
}

fn scope(scope: &Scope) -> Value {
    let mut fields = Fields::new();
    fields
        .set("workflow", index(scope.workflow.0))
        .set("root", index(scope.root.0))
        .set("input", scope.input.clone())
        .set("state", scope.state.clone())
        .flag("dropped", scope.dropped);
    fields.done()
}

fn frame(frame: &Frame, shared: &mut Shared) -> Value {
    let origin = &frame.origin;
    let mut fields = Fields::new();
    fields
        .set("scope", index(origin.scope.0))
        .some("parent", origin.parent.as_ref().map(|parent| index(parent.frame.0)));
    match &origin.birth {
        Birth::Root => fields.set("birth", "root"),
        Birth::Item { step, visit, index: item, items, .. } => {
            let owner = origin.parent.as_ref().map_or(origin.frame, |parent| parent.frame);
            let list = shared.list((owner, *step, *visit), items);
            fields.set("birth", "item").set("list", list).set("index", index(*item));
            fields.set("step", index(step.0)).set("visit", index(*visit))
        }
        Birth::Branch { step, visit, branch } => {
            fields.set("birth", "branch").set("index", index(*branch));
            fields.set("step", index(step.0)).set("visit", index(*visit))
        }
        Birth::Subgraph { step, visit } => {
            fields.set("birth", "subgraph").set("step", index(step.0)).set("visit", index(*visit))
        }
    };
    fields
        .set("status", frame.status.as_str())
        .some("at", frame.at.map(|step| index(step.0)))
        .some("prior", frame.prior.map(|prior| pair(index(prior.step.0), index(prior.exit.0))))
        .some("outcome", frame.outcome.map(|outcome| index(outcome.0)))
        .some("live", frame.live.as_deref().map(|part| live(origin.frame, part, shared)));
    fields.done()
}

fn frame_failure(failure: &FrameFailure) -> Value {
    let mut fields = Fields::new();
    fields
        .set("failure", self::failure(&failure.failure))
        .some("frame", failure.frame.map(|frame| index(frame.0)))
        .some("step", failure.step.map(|step| index(step.0)));
    fields.done()
}

fn failure(failure: &Failure) -> Value {
    let mut fields = Fields::new();
    fields
        .set("code", &*failure.code)
        .set("type", Arc::clone(&failure.error_type))
        .set("message", Arc::clone(&failure.message))
        .some("path", failure.path.clone())
        .set("attempt", index(failure.attempt))
        .some("call", failure.call.map(|call| number(call.get())))
        .filled("data", &failure.data);
    fields.done()
}

fn record(record: &Record, shared: &mut Shared) -> Value {
    let mut fields = Fields::new();
    fields
        .set("frame", index(record.frame.0))
        .some("step", record.step.map(|step| index(step.0)))
        .some("since", (record.since != record.at).then(|| number(record.since)))
        .set("at", number(record.at));
    match &record.body {
        Body::Bound { exit, input, output, shown } => {
            fields.set("exit", index(exit.0)).set("input", input.clone()).set("output", output.clone());
            fields.flag("shown", *shown);
        }
        Body::Plain(exit) => {
            fields.set("exit", index(exit.0));
        }
        Body::End(outcome) => {
            fields.set("end", index(outcome.0));
        }
        Body::Item { child, active } => {
            fields.set("item", index(child.0)).set("active", index(*active));
        }
        Body::Branch { child } => {
            fields.set("branch", index(child.0));
        }
        Body::Wide(wide) => {
            fields.set("wide", self::wide(wide, shared));
        }
    }
    fields.done()
}

fn wide(wide: &Wide, shared: &mut Shared) -> Value {
    let next = match wide.next {
        Ahead::Here => None,
        Ahead::To(Next::End) => Some(Value::Null),
        Ahead::To(Next::Step(step)) => Some(index(step.0)),
    };
    let mut fields = Fields::new();
    fields
        .set("outcome", Arc::clone(&wide.outcome))
        .some("next", next)
        .filled("input", &wide.input)
        .filled("output", &wide.output)
        .filled("changes", &wide.changes)
        .filled("meta", &wide.meta)
        .some("failure", wide.failure.as_ref().map(|failure| shared.failure(failure)));
    fields.done()
}
