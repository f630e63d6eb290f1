//! What an author writes: the workflow document and everything in it.
//!
//! Documents are immutable values. Each parses from a [`Value`](crate::value::Value) with all its problems at
//! once, and dumps to one canonical form. How they are declared stands in
//! [`document!`](crate::document!).

#[macro_use]
mod form;

mod binding;
mod condition;
mod expression;
mod foreach;
mod fork;
mod interrupt;
mod legacy;
mod metaschema;
mod node_def;
mod node_result;
mod reducer;
mod references;
mod retry;
mod schema;
mod state;
mod state_legacy;
mod step;
mod workflow;
mod workflow_ref;

pub use binding::{
    InputBinding, InputExpressionBinding, InputPathBinding, InputSource, InputValueBinding, OutputBinding,
};
pub use condition::{
    BinaryCondition, Comparison, Condition, ExistsCondition, LiteralOperand, MAX_CONDITION_DEPTH, NotCondition,
    Operand, PathOperand, VariadicCondition, VariadicOperator,
};
pub use expression::{
    ArrayExpression, Expression, LiteralExpression, MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_NODES, ObjectExpression,
    PathExpression,
};
pub use foreach::{ErrorAction, ErrorPolicy, ForeachConcurrency, ForeachInterrupt, ForeachMode, ForeachStep};
pub use fork::{ForkStep, GatherStep, GatherWait};
pub(crate) use form::push_key;
pub use form::{
    AnyDocument, Codec, Definitions, Document, DocumentError, FieldInfo, NonEmpty, Number, Part, Plain, Positive,
    Problem, Reader, Tag, UnknownKeys, View, assemble, nearest,
};
pub use interrupt::InterruptStep;
pub use node_def::NodeDef;
pub use node_result::NodeResult;
pub use reducer::{ReducerRef, ReducerSpec, SiblingWritePolicy};
pub use retry::RetryPolicy;
pub use schema::SchemaRef;
pub use state::{StateField, StateFieldShorthand, StateSchema};
pub use step::{ConditionStep, EndStep, JoinStep, NodeStep, Step, SubgraphStep};
pub use workflow::{Edge, Workflow};
pub use workflow_ref::WorkflowRef;
