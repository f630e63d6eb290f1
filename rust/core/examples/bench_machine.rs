//! What the machine costs: nanoseconds per step and per item, and bytes per finished item.
//!
//! `cargo run --release -p wf-core --example bench_machine`
//!
//! Handlers are answered at once with an output that was made before, so that what is left is the machine's share:
//! building the payload, both schema checks, writing the state, the trace, and asking for the next call.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a benchmark reads the clock and prints; the walls are for the engine"
)]

use std::alloc::System;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use wf_core::document::{Document, NodeResult, Workflow};
use wf_core::plan::{Plan, ReducerTable, SubgraphTable};
use wf_core::run::{CallResult, Effect, Run, RunStatus, StartOptions};
use wf_core::value::{Object, Value};

fn main() {
    println!("{:<44} {:>10} {:>12} {:>12}", "", "ns each", "allocations", "bytes each");
    for steps in [10, 100, 1_000, 10_000] {
        report(&format!("chain of {steps} nodes, per step"), steps, || chain(steps), |_| Object::new());
    }
    report(
        "node and condition in a loop, per iteration",
        10_000,
        || counting(10_000),
        |input| {
            let next = input.get("n").and_then(Value::as_i64).unwrap_or(0) + 1;
            [("n", Value::from(next))].into_iter().collect()
        },
    );
    for items in [1_000, 10_000, 100_000] {
        report(&format!("concurrent foreach of {items}, per item"), items, || foreach(items, true), item_output);
    }
    for items in [1_000, 10_000, 100_000] {
        report(&format!("serial foreach of {items}, per item"), items, || foreach(items, false), item_output);
    }
}

fn item_output(input: &Object) -> Object {
    [("value", input.get("item").cloned().unwrap_or_default())].into_iter().collect()
}

/// Runs a workflow a few times; shows the best.
fn report(name: &str, count: usize, make: impl Fn() -> (Arc<Plan>, Object), answer: impl Fn(&Object) -> Object) {
    let (plan, input) = make();
    let rounds = (200_000 / count).clamp(3, 200);
    let mut best = f64::MAX;
    let mut allocations = 0;
    let mut bytes = 0;
    for _ in 0..rounds {
        let region = Region::new(ALLOCATOR);
        let options = StartOptions { max_steps: None, ..StartOptions::default() };
        let begun = Instant::now();
        let run = drive(Run::start(Arc::clone(&plan), input.clone(), options), &answer);
        let took = begun.elapsed().as_secs_f64() * 1e9;
        assert_eq!(run.status(), RunStatus::Completed, "{:?}", run.error());
        best = best.min(took / to_float(count));
        let change = region.change();
        bytes = change.bytes_allocated.saturating_sub(change.bytes_deallocated) / count;
        allocations = change.allocations / count;
    }
    println!("{name:<44} {best:>10.0} {allocations:>12} {bytes:>12}");
}

#[expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]
fn to_float(count: usize) -> f64 {
    count as f64
}

fn drive(mut run: Run, answer: &impl Fn(&Object) -> Object) -> Run {
    loop {
        match run.poll() {
            Effect::Call(call) => {
                let output = answer(&call.input);
                let result = NodeResult { outcome: "ok".into(), output, meta: Object::new(), extra: Vec::new() };
                run.resolve(call.id, CallResult::Returned(result), 0).expect("the call is in flight");
            }
            _ => return run,
        }
    }
}

fn compile(document: &str) -> Arc<Plan> {
    let value = Value::parse_json(document).expect("the document is JSON");
    let workflow = Workflow::parse(&value).expect("the document parses");
    Plan::compile(Arc::new(workflow), &ReducerTable::new(), &SubgraphTable::new()).expect("the document is sound")
}

/// Nodes in a row that read the input and write one field.
fn chain(length: usize) -> (Arc<Plan>, Object) {
    let mut nodes = String::new();
    let mut edges = String::new();
    for step in 0..length {
        let comma = if step == 0 { "" } else { "," };
        let next = if step + 1 == length { "__end__".to_owned() } else { format!("s{}", step + 1) };
        let _ = write!(
            nodes,
            r#"{comma}{{"id": "s{step}", "type": "node", "node": "work",
                "input": [{{"target": "x", "path": "state.x"}}], "output": [{{"source": ".", "target": "state.y"}}]}}"#
        );
        let _ = write!(edges, r#"{comma}{{"from": "s{step}", "outcome": "ok", "to": "{next}"}}"#);
    }
    let plan = compile(&format!(
        r#"{{"name": "chain", "start": "s0", "nodes": [{nodes}], "edges": [{edges}],
            "input_schema": {{"type": "object"}}, "output_schema": {{"type": "object"}},
            "state_schema": {{"properties": {{"x": {{"type": "integer"}}, "y": {{"type": "object"}}}}}},
            "node_defs": [{{"name": "work", "outcomes": ["ok"], "output_schema": {{"type": "object"}},
                "input_schema": {{"type": "object", "properties": {{"x": {{"type": "integer"}}}}, "required": ["x"]}}}}]}}"#
    ));
    (plan, [("x", 1_i64)].into_iter().collect())
}

/// A node that counts and a condition that loops.
fn counting(times: usize) -> (Arc<Plan>, Object) {
    let plan = compile(&format!(
        r#"{{"name": "count", "start": "add",
            "nodes": [{{"id": "add", "type": "node", "node": "work", "input": [{{"target": "n", "path": "state.n"}}],
                        "output": [{{"source": "n", "target": "state.n"}}]}},
                      {{"id": "more", "type": "condition",
                        "check": {{"op": "lt", "left": {{"path": "state.n"}}, "right": {{"value": {times}}}}}}}],
            "edges": [{{"from": "add", "outcome": "ok", "to": "more"}}, {{"from": "more", "outcome": "true", "to": "add"}},
                      {{"from": "more", "outcome": "false", "to": "__end__"}}],
            "input_schema": {{"type": "object"}}, "output_schema": {{"type": "object"}},
            "state_schema": {{"properties": {{"n": {{"type": "integer", "default": 0}}}}}},
            "node_defs": [{{"name": "work", "outcomes": ["ok"],
                "input_schema": {{"type": "object", "properties": {{"n": {{"type": "integer"}}}}}},
                "output_schema": {{"type": "object", "properties": {{"n": {{"type": "integer"}}}}}}}}]}}"#
    ));
    (plan, Object::new())
}

/// A list whose items a node takes one by one, gathered by a reducer.
fn foreach(items: usize, concurrent: bool) -> (Arc<Plan>, Object) {
    let mode = if concurrent {
        r#""mode": "concurrent", "concurrent": {"max_active": 64, "max_outstanding": 64}"#
    } else {
        r#""mode": "serial""#
    };
    let plan = compile(&format!(
        r#"{{"name": "each", "start": "each",
            "nodes": [{{"id": "each", "type": "foreach", "over": "input.items", "as": "item", {mode}}},
                      {{"id": "work", "type": "node", "node": "work",
                        "input": [{{"target": "item", "path": "context.item"}}],
                        "output": [{{"source": "value", "target": "state.out"}}]}}],
            "edges": [{{"from": "each", "outcome": "loop", "to": "work"}}, {{"from": "each", "outcome": "done", "to": "__end__"}},
                      {{"from": "work", "outcome": "ok", "to": "__end__"}}],
            "input_schema": {{"type": "object", "properties": {{"items": {{"type": "array"}}}}}},
            "output_schema": {{"type": "object"}},
            "state_schema": {{"properties": {{"out": {{"type": "array", "items": {{"type": "integer"}}, "reducer": "wf.std.append"}}}}}},
            "node_defs": [{{"name": "work", "outcomes": ["ok"],
                "input_schema": {{"type": "object", "properties": {{"item": {{"type": "integer"}}}}}},
                "output_schema": {{"type": "object", "properties": {{"value": {{"type": "integer"}}}}}}}}]}}"#
    ));
    let list: Value = (0..i64::try_from(items).unwrap_or(i64::MAX)).collect::<Vec<_>>().into();
    (plan, [("items", list)].into_iter().collect())
}

/// Counts what the benchmark allocates.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;
