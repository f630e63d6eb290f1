//! The contracts of the nodes that ship with the platform, read from the table beside this file.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use wf_core::document::{Document as _, NodeDef, SchemaRef};
use wf_core::value::{Object, Value};
use wf_platform::capability::NodeContract;

/// The table in which the contracts are written: models by name, and nodes that refer to them.
const TABLE: &str = include_str!("contracts.json");

#[derive(Deserialize)]
struct Table {
    models: Object,
    nodes: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    source: Arc<str>,
    name: Arc<str>,
    input: Arc<str>,
    output: Arc<str>,
    outcomes: Vec<Arc<str>>,
    description: Option<Arc<str>>,
    #[serde(default)]
    is_async: bool,
    #[serde(default)]
    accepts_context: bool,
}

/// A node of the table.
#[derive(Debug)]
pub(crate) struct BuiltinContract {
    /// The source that owns it.
    pub(crate) source: Arc<str>,
    /// Its name within the source.
    pub(crate) name: Arc<str>,
    /// Its contract, under its qualified name.
    pub(crate) contract: Arc<NodeContract>,
}

static CONTRACTS: LazyLock<Vec<BuiltinContract>> = LazyLock::new(|| {
    let table: Table = serde_json::from_str(TABLE).expect("the contract table is JSON of this shape");
    let model = |name: &str| {
        let schema = table.models.get(name).expect("a named model is in the table");
        SchemaRef::parse(schema).expect("a model of the table is a schema")
    };
    let contract = |row: &Row| {
        let def = NodeDef {
            name: format!("{}.{}", row.source, row.name).into(),
            input_schema: model(&row.input),
            output_schema: model(&row.output),
            outcomes: row.outcomes.clone(),
            retry: None,
            timeout_seconds: None,
        };
        let mut contract = NodeContract::new(def).with_description(row.description.clone());
        contract.is_async = row.is_async;
        contract.accepts_context = row.accepts_context;
        BuiltinContract { source: row.source.clone(), name: row.name.clone(), contract: Arc::new(contract) }
    };
    table.nodes.iter().map(contract).collect()
});

/// The contracts of one source, in the order in which they are published.
pub(crate) fn contracts_of(source: &str) -> impl Iterator<Item = &'static BuiltinContract> {
    CONTRACTS.iter().filter(move |node| *node.source == *source)
}

/// The one field of a contract's output; `None` when the output is empty.
pub(crate) fn output_field(contract: &NodeContract) -> Option<Arc<str>> {
    let properties = contract.def.output_schema.as_object().get("properties").and_then(Value::as_object)?;
    properties.keys().next().cloned()
}
