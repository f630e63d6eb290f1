//! Random workflows: every step type, nested in every way, with handlers whose answers depend only on what they are
//! given. Two runs of one workflow may then differ in nothing but the order in which calls finished.

#![allow(dead_code, unreachable_pub, reason = "each test crate uses its own part of this module")]

use std::sync::Arc;

use proptest::prelude::*;
use wf_core::document::{Document, ReducerSpec, Workflow};
use wf_core::plan::{Plan, PreparedSubgraph, ReducerTable, SubgraphTable};
use wf_core::run::{Call, CallError, CallResult, Fold};
use wf_core::value::{Object, Value};

/// A piece of a workflow with one way in and one way out.
#[derive(Clone, Debug)]
pub enum Block {
    /// A node that adds to `sum` and appends to `log`; it fails when the sum it sees is of that kind.
    Node { fails: u8, retries: u8 },
    /// A node in a loop until a counter is full.
    Loop { times: u8 },
    /// One or the other, by the sum.
    If(Vec<Self>, Vec<Self>),
    /// Items from 0.
    Each { concurrent: bool, policy: Policy, items: u8, body: Vec<Self> },
    /// A child workflow.
    Sub(Vec<Self>),
    /// Branches; `wait` is their number for all, less for some.
    Fork { policy: Policy, wait: u8, branches: Vec<Vec<Self>> },
    /// A question.
    Ask,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    Fail,
    Skip,
    Collect,
}

impl Policy {
    fn json(self) -> &'static str {
        match self {
            Self::Fail => r#"{"action": "fail"}"#,
            Self::Skip => r#"{"action": "skip"}"#,
            Self::Collect => r#"{"action": "collect", "collect_to": "state.errors"}"#,
        }
    }
}

fn policy() -> impl Strategy<Value = Policy> {
    prop_oneof![Just(Policy::Fail), Just(Policy::Skip), Just(Policy::Collect)]
}

/// Pieces nested up to five levels deep.
pub fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let leaf = prop_oneof![
        6 => (0_u8..6, 0_u8..2).prop_map(|(fails, retries)| Block::Node { fails, retries }),
        1 => (1_u8..4).prop_map(|times| Block::Loop { times }),
        1 => Just(Block::Ask),
    ];
    let block =
        leaf.prop_recursive(5, 64, 4, |inner| {
            let body = || prop::collection::vec(inner.clone(), 0..4);
            prop_oneof![
                (body(), body()).prop_map(|(then, other)| Block::If(then, other)),
                (any::<bool>(), policy(), 0_u8..4, body()).prop_map(|(concurrent, policy, items, body)| Block::Each {
                    concurrent,
                    policy,
                    items,
                    body
                }),
                body().prop_map(Block::Sub),
                (policy(), 1_u8..4, prop::collection::vec(body(), 1..4))
                    .prop_map(|(policy, wait, branches)| Block::Fork { policy, wait, branches }),
            ]
        });
    prop::collection::vec(block, 2..6)
}

/// A whole workflow.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub blocks: Vec<Block>,
    /// `sum` merges by a reducer that the driver runs.
    pub custom: bool,
}

/// Any workflow.
pub fn sketch() -> impl Strategy<Value = Sketch> {
    (blocks(), any::<bool>()).prop_map(|(blocks, custom)| Sketch { blocks, custom })
}

/// A workflow in which no branch wins by being faster.
pub fn sketch_without_races() -> impl Strategy<Value = Sketch> {
    sketch().prop_map(|mut sketch| {
        sketch.blocks.iter_mut().for_each(wait_for_all);
        sketch
    })
}

fn wait_for_all(block: &mut Block) {
    match block {
        Block::Node { .. } | Block::Loop { .. } | Block::Ask => {}
        Block::If(then, other) => then.iter_mut().chain(other).for_each(wait_for_all),
        Block::Each { body, .. } | Block::Sub(body) => body.iter_mut().for_each(wait_for_all),
        Block::Fork { wait, branches, .. } => {
            *wait = u8::MAX;
            branches.iter_mut().flatten().for_each(wait_for_all);
        }
    }
}

/// Writes one workflow.
#[derive(Default)]
struct Writer {
    nodes: Vec<String>,
    edges: Vec<String>,
    /// Counts over all workflows, so that every step and alias has a name of its own.
    next: usize,
    custom: bool,
    children: Vec<(String, String)>,
}

impl Writer {
    fn name(&mut self, kind: &str) -> String {
        self.next += 1;
        format!("{kind}{}", self.next)
    }

    fn node(&mut self, text: String) {
        self.nodes.push(text);
    }

    fn edge(&mut self, from: &str, outcome: &str, to: &str) {
        self.edges.push(format!(r#"{{"from": "{from}", "outcome": "{outcome}", "to": "{to}"}}"#));
    }

    /// Writes a sequence that goes on at `then`; gives where it begins.
    fn sequence(&mut self, blocks: &[Block], then: &str) -> String {
        blocks.iter().rev().fold(then.to_owned(), |then, block| self.block(block, &then))
    }

    fn block(&mut self, block: &Block, then: &str) -> String {
        match block {
            Block::Node { fails, retries } => {
                let id = self.name("node");
                self.work(&id, *fails, *retries);
                self.edge(&id, "ok", then);
                id
            }
            Block::Loop { times } => {
                // The counter starts anew: a step before sets it.
                let (reset, id, more) = (self.name("reset"), self.name("node"), self.name("more"));
                self.node(format!(
                    r#"{{"id": "{reset}", "type": "node", "node": "reset", "output": [{{"source": "turn", "target": "state.turn"}}]}}"#
                ));
                self.node(format!(
                    r#"{{"id": "{id}", "type": "node", "node": "turn", "input": [{{"target": "turn", "path": "state.turn"}}],
                        "output": [{{"source": "turn", "target": "state.turn"}}]}}"#
                ));
                self.node(format!(
                    r#"{{"id": "{more}", "type": "condition",
                        "check": {{"op": "lt", "left": {{"path": "state.turn"}}, "right": {{"value": {times}}}}}}}"#
                ));
                self.edge(&reset, "ok", &id);
                self.edge(&id, "ok", &more);
                self.edge(&more, "true", &id);
                self.edge(&more, "false", then);
                reset
            }
            Block::If(yes, no) => {
                let id = self.name("if");
                self.node(format!(
                    r#"{{"id": "{id}", "type": "condition",
                        "check": {{"op": "lt", "left": {{"path": "state.sum"}}, "right": {{"value": 40}}}}}}"#
                ));
                let (yes, no) = (self.sequence(yes, then), self.sequence(no, then));
                self.edge(&id, "true", &yes);
                self.edge(&id, "false", &no);
                id
            }
            Block::Each { concurrent, policy, items, body } => self.each(*concurrent, *policy, *items, body, then),
            Block::Sub(body) => self.sub(body, then),
            Block::Fork { policy, wait, branches } => self.fork(*policy, *wait, branches, then),
            Block::Ask => {
                let id = self.name("ask");
                self.node(format!(
                    r#"{{"id": "{id}", "type": "interrupt", "kind": "number", "request": [{{"target": "sum", "path": "state.sum"}}],
                        "resume": [{{"source": "sum", "target": "state.sum"}}]}}"#
                ));
                self.edge(&id, "submitted", then);
                id
            }
        }
    }

    fn work(&mut self, id: &str, fails: u8, retries: u8) {
        self.node(format!(
            r#"{{"id": "{id}", "type": "node", "node": "work", "retry": {retries},
                "input": [{{"target": "sum", "path": "state.sum"}}, {{"target": "log", "path": "state.log"}},
                          {{"target": "id", "value": "{id}"}}, {{"target": "fails", "value": {fails}}}],
                "output": [{{"source": "sum", "target": "state.sum"}}, {{"source": "log", "target": "state.log"}}]}}"#
        ));
    }

    fn each(&mut self, concurrent: bool, policy: Policy, items: u8, body: &[Block], then: &str) -> String {
        let (id, alias) = (self.name("each"), self.name("item"));
        let mode = if concurrent {
            r#""concurrent", "concurrent": {"max_active": 2, "max_outstanding": 3}"#
        } else {
            r#""serial""#
        };
        let error = policy.json();
        self.node(format!(
            r#"{{"id": "{id}", "type": "foreach", "over": "input.lists.l{items}", "as": "{alias}", "mode": {mode}, "item_error": {error}}}"#
        ));
        let body = self.sequence(body, "__end__");
        self.edge(&id, "loop", &body);
        self.edge(&id, "done", then);
        if policy != Policy::Fail {
            self.edge(&id, "completed_with_errors", then);
        }
        id
    }

    fn sub(&mut self, body: &[Block], then: &str) -> String {
        let (id, name) = (self.name("sub"), self.name("child"));
        let mut child = Self { next: self.next, custom: self.custom, ..Self::default() };
        let start = child.sequence(body, "last");
        child.node(r#"{"id": "last", "type": "end", "outcome": "ok"}"#.to_owned());
        self.next = child.next;
        let document = child.document(&name, &start);
        self.children.append(&mut child.children);
        self.children.push((name.clone(), document));
        self.node(format!(
            r#"{{"id": "{id}", "type": "subgraph", "workflow": {{"name": "{name}"}},
                "input_schema": {{"type": "object", "properties": {{"sum": {{}}, "lists": {{}}}}}},
                "output_schema": {{"type": "object", "properties": {{"sum": {{}}, "log": {{}}}}}},
                "input": [{{"target": "sum", "path": "state.sum"}}, {{"target": "lists", "path": "input.lists"}}],
                "output": [{{"source": "sum", "target": "state.sum"}}, {{"source": "log", "target": "state.log"}}]}}"#
        ));
        self.edge(&id, "ok", then);
        id
    }

    fn fork(&mut self, policy: Policy, wait: u8, branches: &[Vec<Block>], then: &str) -> String {
        let (id, gather) = (self.name("fork"), self.name("gather"));
        let names: Vec<String> = (0..branches.len()).map(|branch| format!("\"b{branch}\"")).collect();
        let wait = if usize::from(wait) < branches.len() { wait.to_string() } else { "\"all\"".to_owned() };
        self.node(format!(r#"{{"id": "{id}", "type": "fork", "branches": [{}]}}"#, names.join(", ")));
        let error = policy.json();
        self.node(format!(
            r#"{{"id": "{gather}", "type": "gather", "of": "{id}", "wait": {wait}, "branch_error": {error}}}"#
        ));
        for (branch, body) in branches.iter().enumerate() {
            let start = self.sequence(body, &gather);
            self.edge(&id, &format!("b{branch}"), &start);
        }
        self.edge(&gather, "done", then);
        if policy != Policy::Fail {
            self.edge(&gather, "completed_with_errors", then);
        }
        id
    }

    fn document(&mut self, name: &str, start: &str) -> String {
        let (nodes, edges) = (self.nodes.join(",\n"), self.edges.join(",\n"));
        let any = r#"{"type": "object"}"#;
        let add = if self.custom { "test.add" } else { "wf.std.add" };
        let contract = |name: &str, input: &str, output: &str| {
            format!(
                r#"{{"name": "{name}", "outcomes": ["ok"], "input_schema": {{"type": "object", "properties": {input}}},
                    "output_schema": {{"type": "object", "properties": {output}}}}}"#
            )
        };
        let contracts = [
            contract(
                "work",
                r#"{"sum": {"type": "integer"}, "log": {"type": "array"}, "id": {}, "fails": {}}"#,
                r#"{"sum": {"type": "integer"}, "log": {"type": "string"}}"#,
            ),
            contract("turn", r#"{"turn": {"type": "integer"}}"#, r#"{"turn": {"type": "integer"}}"#),
            contract("reset", "{}", r#"{"turn": {"type": "integer"}}"#),
        ];
        format!(
            r#"{{"name": "{name}", "start": "{start}", "nodes": [{nodes}], "edges": [{edges}], "node_defs": [{}],
                "input_schema": {{"type": "object", "properties": {{"sum": {{"type": "integer"}}, "lists": {any}}}}},
                "output_schema": {{"type": "object", "properties": {{"sum": {{"type": "integer"}}, "log": {{"type": "array"}}}}}},
                "state_schema": {{"type": "object", "properties": {{
                    "sum": {{"type": "integer", "default": 0, "reducer": "{add}"}},
                    "log": {{"type": "array", "items": {{"type": "string"}}, "default": [], "reducer": "wf.std.append"}},
                    "errors": {{"type": "array", "default": [], "reducer": "wf.std.append"}},
                    "turn": {{"type": "integer"}}, "lists": {any}}}}}}}"#,
            contracts.join(", ")
        )
    }
}

/// The plan of a workflow.
pub fn plan_of(sketch: &Sketch) -> Arc<Plan> {
    let mut writer = Writer { custom: sketch.custom, ..Writer::default() };
    let start = writer.sequence(&sketch.blocks, "last");
    writer.node(r#"{"id": "last", "type": "end", "outcome": "ok"}"#.to_owned());
    let document = writer.document("root", &start);
    let parse = |text: &str| {
        let value = Value::parse_json(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Arc::new(Workflow::parse(&value).unwrap_or_else(|error| panic!("{error}\n{text}")))
    };
    let spec = Value::parse_json(r#"{"name": "test.add"}"#).expect("this is JSON");
    let reducers: ReducerTable = [ReducerSpec::parse(&spec).expect("this is a reducer spec")].into_iter().collect();
    let mut children = SubgraphTable::new();
    for (name, child) in &writer.children {
        children.insert(&**name, PreparedSubgraph { workflow: parse(child), reducers: reducers.clone() });
    }
    Plan::compile(parse(&document), &reducers, &children).unwrap_or_else(|error| panic!("{error}\n{document}"))
}

/// What the reducer `test.add` makes of a fold.
#[expect(clippy::unnecessary_wraps, reason = "a driver reports a result, whichever reducer it ran")]
pub fn merge(fold: &Fold) -> Result<Value, CallError> {
    let number = |value: &Value| value.as_i64().unwrap_or(0);
    Ok(Value::from(number(&fold.current) + fold.incoming.iter().map(number).sum::<i64>()))
}

/// The input that every such plan takes.
pub fn input() -> Object {
    let value = r#"{"sum": 1, "lists": {"l0": [], "l1": [10], "l2": [10, 20], "l3": [10, 20, 30]}}"#;
    Value::parse_json(value).expect("this is JSON").as_object().expect("this is an object").clone()
}

/// What a handler answers: a function of the payload and of the number of the attempt.
pub fn answer(call: &Call) -> CallResult {
    let number = |key: &str| call.input.get(key).and_then(Value::as_i64).unwrap_or(0);
    let mut output = Object::new();
    match &*call.context.node_id().to_string() {
        name if name.starts_with("reset") => {
            output.insert("turn", 0_i64);
        }
        _ if call.input.contains_key("turn") => {
            output.insert("turn", number("turn") + 1);
        }
        name => {
            let (sum, fails) = (number("sum"), number("fails"));
            if fails > 0 && (sum + i64::from(call.context.retry_count())) % (fails + 1) == 0 {
                return CallResult::Failed(CallError::new("ValueError", format!("{name} does not like {sum}")));
            }
            let seen = call.input.get("log").and_then(Value::as_list).map_or(0, |log| log.len());
            output.insert("sum", (sum * 7 + i64::try_from(seen).unwrap_or(0)) % 23 + 1);
            output.insert("log", format!("{name}:{sum}:{seen}"));
        }
    }
    CallResult::Returned(super::result("ok", output))
}
