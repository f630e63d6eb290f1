//! The twenty nodes of `wf.std`: small, pure, and native.
//!
//! Each is a function from payload to one value and an outcome. The table [`OPS`] ties a function to the
//! contract of the same name; [`std_nodes`] gives them as handlers.

mod contracts;
mod lists;
mod payload;
mod values;

use std::sync::{Arc, LazyLock};

use wf_core::document::NodeResult;
use wf_core::value::{Key, Object, Value};

pub use contracts::{NodeContract, contracts};

use crate::handler::{HandlerError, HandlerResult, NodeContext, NodeHandler};

/// What an operation answers: the index of its outcome, and the value of the one field of its output.
struct Answer {
    outcome: usize,
    value: Value,
}

type OpResult = Result<Answer, HandlerError>;

type Op = fn(&Object) -> OpResult;

impl Answer {
    /// A value with the default outcome.
    fn first(value: Value) -> Self {
        Self { outcome: 0, value }
    }
}

/// Which function executes which contract.
const OPS: [(&str, Op); 20] = [
    ("coalesce", values::coalesce),
    ("default_if_none", values::coalesce),
    ("constant", values::constant),
    ("pick_key", values::pick_key),
    ("pick_path", values::pick_path),
    ("project_fields", values::project_fields),
    ("rename_fields", values::rename_fields),
    ("truthy", values::truthy),
    ("runtime_error", values::runtime_error),
    ("first_item", lists::first_item),
    ("first_item_or_none", lists::first_item_or_none),
    ("first_item_maybe", lists::first_item_maybe),
    ("last_item", lists::last_item),
    ("last_item_or_none", lists::last_item_or_none),
    ("length", lists::length),
    ("is_empty", lists::is_empty),
    ("filter_items", lists::filter_items),
    ("filter_items_present", lists::filter_items_present),
    ("extract_field", lists::extract_field),
    ("concat", lists::concat),
];

/// One node of the standard library.
pub struct StdNode {
    contract: &'static NodeContract,
    op: Op,
    /// The one field of the output; `None` when the output is empty.
    field: Option<Key>,
}

impl StdNode {
    /// Its contract; the name is the one within `wf.std`.
    pub fn contract(&self) -> &'static NodeContract {
        self.contract
    }
}

impl std::fmt::Debug for StdNode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("StdNode").field(&self.contract.name).finish()
    }
}

impl NodeHandler for StdNode {
    fn call(&self, input: &Object, _context: &NodeContext<'_>) -> HandlerResult {
        let answer = (self.op)(input)?;
        let mut output = Object::new();
        if let Some(field) = &self.field {
            output.insert(field.clone(), answer.value);
        }
        Ok(NodeResult {
            outcome: self.contract.outcomes[answer.outcome].clone(),
            output,
            meta: Object::new(),
            extra: Vec::new(),
        })
    }
}

static NODES: LazyLock<Vec<Arc<StdNode>>> = LazyLock::new(|| {
    contracts()
        .iter()
        .map(|contract| {
            let (_, op) =
                OPS.iter().find(|(name, _)| **name == *contract.name).expect("every contract has its operation");
            let properties = contract.output_schema.get("properties").and_then(Value::as_object);
            let field = properties.and_then(|properties| properties.keys().next().cloned());
            Arc::new(StdNode { contract, op: *op, field })
        })
        .collect()
});

/// All nodes of the standard library, in the order in which they are published.
///
/// ```
/// use wf_api::handler::{NodeContext, NodeHandler};
/// use wf_api::std_nodes::std_node;
/// use wf_core::value::{Object, Value};
///
/// let length = std_node("length").expect("a node of the library");
/// let input: Object = [("items", Value::from(vec![1_i64, 2]))].into_iter().collect();
/// let result = length.call(&input, &NodeContext::default()).expect("a valid payload");
/// assert_eq!(result.output.get("count"), Some(&Value::Int(2)));
/// ```
pub fn std_nodes() -> &'static [Arc<StdNode>] {
    &NODES
}

/// The node with this name within `wf.std`.
pub fn std_node(name: &str) -> Option<&'static Arc<StdNode>> {
    NODES.iter().find(|node| *node.contract.name == *name)
}
