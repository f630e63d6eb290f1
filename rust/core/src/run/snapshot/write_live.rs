//! Writing what a frame is in the middle of.

use std::sync::Arc;

use crate::run::frame::{
    Activity, BranchResult, Calling, Done, Foreach, Fork, ItemResult, Live, Merge, Request, Way, Writes,
};
use crate::run::origin::FrameIx;
use crate::run::undo::{Undo, Was};
use crate::state::StateWrite;
use crate::value::{List, Value};

use super::write::{Fields, Shared, index, list, number, pair, position};

pub(super) fn live(frame: FrameIx, live: &Live, shared: &mut Shared) -> Value {
    let lineage = &live.lineage;
    let mut fields = Fields::new();
    fields
        .some("activity", activity(frame, &live.activity, shared))
        .some("merge", live.merge.as_deref().map(merge))
        .some("writes", some_writes(&lineage.writes))
        .some("view", lineage.view.clone())
        .some("undo", some_undo(&lineage.savepoint.undo))
        .some("mark", (lineage.savepoint.writes > 0).then(|| position(lineage.savepoint.writes)));
    if !live.visits.is_empty() {
        fields.set("visits", list(&live.visits, |(step, count)| pair(index(step.0), index(*count))));
    }
    fields.done()
}

fn some_writes(writes: &[StateWrite]) -> Option<Value> {
    (!writes.is_empty()).then(|| list(writes, write))
}

fn some_undo(undo: &[Undo]) -> Option<Value> {
    (!undo.is_empty()).then(|| {
        list(undo, |note| {
            let mut fields = Fields::new();
            fields.set("path", Arc::clone(note.target.text())).set("depth", position(note.depth));
            match &note.was {
                Was::Absent => &mut fields,
                Was::Value(value) => fields.set("value", value.clone()),
                Was::Length(length) => fields.set("length", position(*length)),
                Was::Entries(entries) => fields.set(
                    "entries",
                    list(entries, |(key, value)| {
                        let key = Value::from(Arc::clone(key));
                        Value::List(std::iter::once(key).chain(value.clone()).collect())
                    }),
                ),
            };
            fields.done()
        })
    })
}

fn write(write: &StateWrite) -> Value {
    pair(Value::from(Arc::clone(write.target.text())), write.incoming.clone())
}

fn activity(frame: FrameIx, activity: &Activity, shared: &mut Shared) -> Option<Value> {
    let mut fields = Fields::new();
    match activity {
        Activity::Idle => return None,
        Activity::Call(Calling { call, attempt, since, input }) => fields
            .set("is", "call")
            .set("call", number(call.get()))
            .set("attempt", index(*attempt))
            .set("since", number(*since))
            .set("input", input.clone()),
        Activity::Delay { attempt, until, input } => fields
            .set("is", "delay")
            .set("attempt", index(*attempt))
            .set("until", number(*until))
            .set("input", input.clone()),
        Activity::Foreach(state) => foreach(fields.set("is", "foreach"), frame, state, shared),
        Activity::Fork(state) => fork(fields.set("is", "fork"), state, shared),
        Activity::Subgraph { child, input, since } => fields
            .set("is", "subgraph")
            .set("child", index(child.0))
            .set("since", number(*since))
            .set("input", input.clone()),
        Activity::Ask(request) => ask(fields.set("is", "ask"), request),
    };
    Some(fields.done())
}

fn foreach<'f>(fields: &'f mut Fields, frame: FrameIx, foreach: &Foreach, shared: &mut Shared) -> &'f mut Fields {
    let items = shared.list((frame, foreach.step, foreach.visit), &foreach.items);
    let results = list(&foreach.results, |result| match result {
        ItemResult::Running(frame) => index(frame.0),
        ItemResult::Done { from, count } => pair(position(*from), position(*count)),
        ItemResult::Failed(failure) => Fields::new().set("failure", shared.failure(failure)).done(),
    });
    fields
        .set("visit", index(foreach.visit))
        .set("since", number(foreach.since))
        .set("list", items)
        .set("active", index(foreach.active))
        .set("results", results)
        .some("writes", some_writes(&foreach.writes))
}

fn fork<'f>(fields: &'f mut Fields, fork: &Fork, shared: &mut Shared) -> &'f mut Fields {
    let branches = list(&fork.branches, |branch| match branch {
        BranchResult::Running(frame) => index(frame.0),
        BranchResult::Arrived { writes, outcome } => Fields::new()
            .set("writes", list(writes, write))
            .some("outcome", outcome.map(|outcome| index(outcome.0)))
            .done(),
        BranchResult::Failed(failure) => Fields::new().set("failure", shared.failure(failure)).done(),
        BranchResult::Cancelled => Value::Null,
    });
    fields
        .set("visit", index(fork.visit))
        .set("since", number(fork.since))
        .set("branches", branches)
        .flag("settled", fork.settled)
}

fn ask<'f>(fields: &'f mut Fields, request: &Request) -> &'f mut Fields {
    fields
        .set("id", Arc::clone(&request.id))
        .set("kind", Arc::clone(&request.kind))
        .set("payload", request.payload.clone())
        .set("outcomes", request.outcomes.clone())
        .set("request_schema", request.request_schema.clone())
        .set("resume_schema", request.resume_schema.clone())
        .flag("typed", request.typed)
}

fn merge(merge: &Merge) -> Value {
    let mut fields = Fields::new();
    fields.set("reduce", number(merge.reduce.get()));
    match &merge.writes {
        Writes::Step(writes) => fields.set("writes", list(writes, write)),
        Writes::Siblings(writes) => fields.set(
            "siblings",
            list(writes, |write| {
                let place = Value::from(Arc::clone(write.target.text()));
                Value::List(vec![index(write.sibling), place, write.incoming.clone()].into())
            }),
        ),
    };
    let results = list(&merge.results, |round| Value::List(round.iter().cloned().collect::<List>()));
    fields.set("results", results).set("done", done(&merge.done));
    fields.done()
}

fn done(done: &Done) -> Value {
    let mut fields = Fields::new();
    fields.set("step", index(done.step.0));
    match done.way {
        Way::Exit(exit) => fields.set("exit", index(exit.0)),
        Way::Finish(outcome) => fields.set("finish", index(outcome.0)),
    };
    fields
        .set("since", number(done.since))
        .filled("input", &done.input)
        .filled("output", &done.output)
        .filled("meta", &done.meta)
        .flag("barrier", done.barrier)
        .flag("first", done.first);
    fields.done()
}
