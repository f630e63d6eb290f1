//! The contracts of the standard nodes, read from the table beside this file.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use wf_core::value::Object;

/// What a node takes, gives and may answer, with its documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeContract {
    /// The name within its source.
    pub name: Arc<str>,
    /// What it does, in one sentence.
    pub description: Option<Arc<str>>,
    /// The outcomes it may answer; the first is the default.
    pub outcomes: Vec<Arc<str>>,
    /// The JSON Schema of its payload.
    pub input_schema: Object,
    /// The JSON Schema of its output.
    pub output_schema: Object,
    /// Whether its handler may wait.
    pub is_async: bool,
    /// Whether its handler looks at the context of the call.
    pub accepts_context: bool,
}

/// The table in which the contracts are written: models by name, and nodes that refer to them.
const TABLE: &str = include_str!("contracts.json");

#[derive(Deserialize)]
struct Table {
    models: Object,
    nodes: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: Arc<str>,
    input: Arc<str>,
    output: Arc<str>,
    outcomes: Vec<Arc<str>>,
    description: Arc<str>,
}

static CONTRACTS: LazyLock<Vec<NodeContract>> = LazyLock::new(|| {
    let table: Table = serde_json::from_str(TABLE).expect("the contract table is JSON of this shape");
    let model = |name: &str| {
        table.models.get(name).and_then(|schema| schema.as_object()).cloned().expect("a named model is in the table")
    };
    table
        .nodes
        .iter()
        .map(|row| NodeContract {
            name: row.name.clone(),
            description: Some(row.description.clone()),
            outcomes: row.outcomes.clone(),
            input_schema: model(&row.input),
            output_schema: model(&row.output),
            is_async: false,
            accepts_context: false,
        })
        .collect()
});

/// The contracts of all standard nodes, in the order in which they are published.
pub fn contracts() -> &'static [NodeContract] {
    &CONTRACTS
}
