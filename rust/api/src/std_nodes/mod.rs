//! The twenty nodes of `wf.std`: small, pure, and native.
//!
//! Each is a function from payload to one value and an outcome. The table [`OPS`] ties a function to the
//! contract of the same name; [`std_nodes`] gives them as handlers.

mod lists;
pub(crate) mod payload;
mod values;

use std::sync::{Arc, LazyLock};

use wf_core::document::NodeResult;
use wf_core::value::{Key, Object, Value};
use wf_platform::capability::NodeContract;

use crate::builtin::STD_SOURCE_ID;
use crate::builtin::contracts::{BuiltinContract, contracts_of, output_field};
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
    known: &'static BuiltinContract,
    op: Op,
    /// The one field of the output; `None` when the output is empty.
    field: Option<Key>,
}

impl StdNode {
    /// Its name within `wf.std`.
    pub fn name(&self) -> &'static Arc<str> {
        &self.known.name
    }

    /// Its contract, under its qualified name.
    pub fn contract(&self) -> &'static Arc<NodeContract> {
        &self.known.contract
    }
}

impl std::fmt::Debug for StdNode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("StdNode").field(self.name()).finish()
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
            outcome: self.contract().def.outcomes[answer.outcome].clone(),
            output,
            meta: Object::new(),
            extra: Vec::new(),
        })
    }
}

static NODES: LazyLock<Vec<Arc<StdNode>>> = LazyLock::new(|| {
    contracts_of(STD_SOURCE_ID)
        .map(|known| {
            let (_, op) = OPS.iter().find(|(name, _)| **name == *known.name).expect("every contract has its operation");
            Arc::new(StdNode { known, op: *op, field: output_field(&known.contract) })
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
    NODES.iter().find(|node| **node.name() == *name)
}
