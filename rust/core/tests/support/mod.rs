//! A driver for tests: answers calls from a script, with virtual time and no waiting.

#![allow(dead_code, unreachable_pub, reason = "each test crate uses its own part of this module")]

pub mod random;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use wf_core::document::{Document, NodeResult, ReducerSpec, Workflow};
use wf_core::plan::{Plan, PlanError, PreparedSubgraph, ReducerTable, SubgraphTable};
use wf_core::run::{Call, CallError, CallResult, Effect, Event, Fold, Reduce, Run, RunError, StartOptions};
use wf_core::value::{Object, Value};

/// The folder with the cases that Rust and Python share.
pub fn cases_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

/// Reads JSON that a test has written itself.
pub fn json(text: &str) -> Value {
    Value::parse_json(text).expect("the test holds valid JSON")
}

/// An object from JSON that a test has written itself.
pub fn object(text: &str) -> Object {
    json(text).as_object().expect("the test holds a JSON object").clone()
}

/// A workflow from JSON that a test has written itself.
pub fn workflow(text: &str) -> Arc<Workflow> {
    Arc::new(Workflow::parse(&json(text)).expect("the test holds a valid document"))
}

/// A plan of a workflow without custom reducers and child workflows.
pub fn plan(text: &str) -> Arc<Plan> {
    plan_with(text, &[])
}

/// A plan of a workflow with child workflows.
pub fn plan_with(text: &str, children: &[(&str, &str)]) -> Arc<Plan> {
    let mut table = SubgraphTable::new();
    for (name, child) in children {
        table.insert(*name, PreparedSubgraph { workflow: workflow(child), reducers: ReducerTable::new() });
    }
    Plan::compile(workflow(text), &ReducerTable::new(), &table).expect("the test holds a sound workflow")
}

/// What happens to a run, kept so that it can be replayed.
pub struct Driver {
    pub run: Run,
    pub events: Vec<Event>,
    pub calls: usize,
    pub now: u64,
    replies: Replies,
    reducers: Reducers,
    newest_first: bool,
    /// Take a snapshot after every event and go on from it.
    restoring: bool,
    /// Calls in flight and what will be answered: replies are given out in the order of the calls.
    waiting: Vec<(Call, CallResult)>,
    /// The calls that were in flight when the run was restored.
    before_restore: Vec<(Call, CallResult)>,
}

/// Answers by step id or by the name of the contract; the last of a list repeats.
#[derive(Clone, Default)]
pub struct Replies(BTreeMap<String, (Vec<Value>, usize)>);

/// Scripted custom reducers: what each does.
#[derive(Clone, Default)]
pub struct Reducers(BTreeMap<String, String>);

impl Replies {
    pub fn parse(value: Option<&Value>) -> Self {
        let object = value.and_then(Value::as_object).cloned().unwrap_or_default();
        let lists = object.iter().map(|(key, list)| {
            let list = list.as_list().expect("replies are lists").to_vec();
            (key.to_string(), (list, 0))
        });
        Self(lists.collect())
    }

    fn next(&mut self, keys: [&str; 2]) -> Option<Value> {
        let (list, used) = keys.iter().find(|key| self.0.contains_key(**key)).and_then(|key| self.0.get_mut(*key))?;
        let reply = list.get(*used).or(list.last())?.clone();
        *used += 1;
        Some(reply)
    }
}

impl Driver {
    pub fn new(plan: Arc<Plan>, input: Object, options: StartOptions) -> Self {
        let now = options.now;
        let events = vec![Event::Start { input: input.clone(), options: options.clone() }];
        Self {
            run: Run::start(plan, input, options),
            events,
            calls: 0,
            now,
            replies: Replies::default(),
            reducers: Reducers::default(),
            newest_first: false,
            restoring: false,
            waiting: Vec::new(),
            before_restore: Vec::new(),
        }
    }

    pub fn replies(mut self, replies: Replies) -> Self {
        self.replies = replies;
        self
    }

    pub fn reducers(mut self, reducers: Reducers) -> Self {
        self.reducers = reducers;
        self
    }

    pub fn newest_first(mut self, newest_first: bool) -> Self {
        self.newest_first = newest_first;
        self
    }

    /// From now on the run goes through its snapshot after every event.
    pub fn restoring(mut self) -> Self {
        self.restoring = true;
        self
    }

    /// Sends an event; keeps it when it is accepted.
    pub fn send(&mut self, event: Event) -> Result<(), RunError> {
        self.run.apply(event.clone())?;
        self.events.push(event);
        if self.restoring {
            self.restore();
        }
        Ok(())
    }

    /// Replaces the run by what its snapshot holds, through JSON text, and checks that nothing got lost.
    fn restore(&mut self) {
        let snapshot = self.run.snapshot();
        let text = snapshot.to_json();
        let plan = Arc::clone(self.run.plan());
        let restored = Run::restore(plan, &json(&text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(restored.snapshot().to_json(), text, "a restored run has another snapshot");
        self.run = restored;
        self.before_restore = std::mem::take(&mut self.waiting);
    }

    /// Drives until the run has ended or waits for somebody. Retries come due at once: time is virtual.
    pub fn drive(&mut self) {
        loop {
            match self.run.poll() {
                Effect::Call(call) => self.take_call(call),
                Effect::Cancel(cancelled) => self.waiting.retain(|(call, _)| call.id != cancelled),
                Effect::Reduce(reduce) => self.reduce(&reduce),
                Effect::Wait { until } => {
                    self.now = until.max(self.now);
                    self.send(Event::Tick { now: self.now }).expect("a waiting run takes a tick");
                }
                Effect::Idle { .. } => self.answer_next(),
                _ => break,
            }
        }
        self.waiting.clear();
    }

    /// A restored run asks again for what was in flight; such a call keeps the reply it had.
    fn take_call(&mut self, call: Call) {
        let known = self.before_restore.iter().position(|(known, _)| known.id == call.id);
        let entry = if let Some(known) = known {
            self.before_restore.swap_remove(known)
        } else {
            self.calls += 1;
            let result = self.reply(&call);
            (call, result)
        };
        self.waiting.push(entry);
    }

    fn answer_next(&mut self) {
        let at = if self.newest_first { self.waiting.len() - 1 } else { 0 };
        let (call, result) = self.waiting.remove(at);
        self.send(Event::Resolve { call: call.id, result, now: self.now }).expect("a call in flight takes its answer");
    }

    fn reply(&mut self, call: &Call) -> CallResult {
        let plan = Arc::clone(self.run.plan());
        let contract = &plan.workflows()[call.workflow as usize].document().node_defs[call.node_def as usize];
        let Some(reply) = self.replies.next([call.context.node_id(), &contract.name]) else {
            let outcome = Arc::clone(&contract.outcomes[0]);
            return CallResult::Returned(result(&outcome, Object::new()));
        };
        let reply = reply.as_object().expect("a reply is an object").clone();
        if let Some(error) = reply.get("error").and_then(Value::as_object) {
            let text = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            return CallResult::Failed(CallError::new(text("type"), text("message")));
        }
        if reply.contains_key("cancelled") {
            return CallResult::Cancelled;
        }
        if reply.contains_key("timeout") {
            return CallResult::TimedOut;
        }
        let raw = reply.get("raw").cloned().unwrap_or_else(|| filled(&Value::Object(reply.clone()), call));
        coerce(&raw)
    }

    fn reduce(&mut self, reduce: &Reduce) {
        let merged = reduce.folds.iter().map(|fold| self.reducers.fold(fold)).collect();
        self.send(Event::ResolveReduce { reduce: reduce.id, merged, now: self.now }).expect("a merge takes its answer");
    }
}

/// What a handler may return, as the drivers understand it.
fn coerce(raw: &Value) -> CallResult {
    let Value::Object(object) = raw else {
        return CallResult::Failed(CallError::new("TypeError", format!("a handler returned {}", raw.type_name())));
    };
    if !(object.contains_key("outcome") && object.contains_key("output")) {
        return CallResult::Returned(result("ok", object.clone()));
    }
    match NodeResult::parse(raw) {
        Ok(result) => CallResult::Returned(result),
        Err(error) => CallResult::Failed(CallError::new("ValidationError", error.to_string())),
    }
}

/// A result with an outcome and an output.
pub fn result(outcome: &str, output: Object) -> NodeResult {
    NodeResult { outcome: outcome.into(), output, meta: Object::new(), extra: Vec::new() }
}

/// A reply with its references to the call filled in; an output that is left out is empty.
fn filled(reply: &Value, call: &Call) -> Value {
    let mut reply = fill(reply, call);
    if let Value::Object(reply) = &mut reply {
        for (key, missing) in [("outcome", Value::from("ok")), ("output", Value::Object(Object::new()))] {
            if !reply.contains_key(key) {
                reply.insert(key, missing);
            }
        }
    }
    reply
}

fn fill(value: &Value, call: &Call) -> Value {
    match value {
        Value::Object(object) => {
            if let Some(path) = object.get("$input").and_then(Value::as_str) {
                return path.split('.').fold(Value::Object(call.input.clone()), |at, key| {
                    at.as_object().and_then(|object| object.get(key)).cloned().unwrap_or_default()
                });
            }
            if object.contains_key("$attempt") {
                return Value::from(i64::from(call.context.retry_count()));
            }
            Value::Object(object.iter().map(|(key, value)| (key.clone(), fill(value, call))).collect())
        }
        Value::List(items) => Value::List(items.iter().map(|item| fill(item, call)).collect()),
        other => other.clone(),
    }
}

impl Reducers {
    /// Reads scripted reducers; gives their contracts too.
    pub fn parse(value: Option<&Value>) -> (Self, ReducerTable) {
        let object = value.and_then(Value::as_object).cloned().unwrap_or_default();
        let mut does = BTreeMap::new();
        let mut table = ReducerTable::new();
        for (name, reducer) in &object {
            let reducer = reducer.as_object().expect("a scripted reducer is an object");
            let mut spec = reducer.get("spec").and_then(Value::as_object).cloned().unwrap_or_default();
            if !spec.contains_key("name") {
                spec.insert("name", Arc::clone(name));
            }
            table.insert(ReducerSpec::parse(&Value::Object(spec)).expect("the case holds a reducer spec"));
            let what = reducer.get("does").and_then(Value::as_str).unwrap_or_default();
            does.insert(name.to_string(), what.to_owned());
        }
        (Self(does), table)
    }

    fn fold(&self, fold: &Fold) -> Result<Value, CallError> {
        let what = self.0.get(&*fold.reducer).map_or("", String::as_str);
        let mut current = fold.current.clone();
        for incoming in &fold.incoming {
            current = match what {
                // Adds modulo the configured number.
                "sum_mod" => {
                    let modulus = fold.config.get("mod").and_then(Value::as_i64).unwrap_or(10);
                    let sum = current.as_i64().unwrap_or(0) + incoming.as_i64().unwrap_or(0);
                    Value::from(sum.rem_euclid(modulus))
                }
                // Joins texts with a comma, the order visible.
                "join" => match (current.as_str(), incoming.as_str()) {
                    (Some(left), Some(right)) => Value::from(format!("{left},{right}")),
                    _ => incoming.clone(),
                },
                "raise" => return Err(CallError::new("ValueError", "reducer failed")),
                other => panic!("unknown scripted reducer '{other}'"),
            };
        }
        Ok(current)
    }
}

/// The plan of a case, or what is wrong with it.
pub fn compile_case(case: &Object) -> Result<(Arc<Plan>, Reducers), PlanError> {
    let (reducers, table) = Reducers::parse(case.get("reducers"));
    let document = Workflow::parse(case.get("workflow").expect("a case has a workflow")).expect("the document parses");
    Ok((Plan::compile(Arc::new(document), &table, &children_of(case))?, reducers))
}

/// The child workflows of a case; they may use its reducers.
pub fn children_of(case: &Object) -> SubgraphTable {
    let (_, reducers) = Reducers::parse(case.get("reducers"));
    let mut children = SubgraphTable::new();
    for (name, child) in case.get("subgraphs").and_then(Value::as_object).into_iter().flat_map(Object::iter) {
        let child = Workflow::parse(child).expect("the child document parses");
        let prepared = PreparedSubgraph { workflow: Arc::new(child), reducers: reducers.clone() };
        children.insert(Arc::clone(name), prepared);
    }
    children
}

/// The options of a case.
pub fn options(case: &Object) -> StartOptions {
    let given = case.get("options").and_then(Value::as_object).cloned().unwrap_or_default();
    let number = |key: &str| given.get(key).and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
    let default = StartOptions::default();
    StartOptions {
        max_steps: number("max_steps").or(default.max_steps),
        seed: number("seed").unwrap_or_default(),
        deadline: number("deadline_ms"),
        ..default
    }
}
