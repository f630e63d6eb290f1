//! What an author writes: the workflow document and everything in it.
//!
//! Documents are immutable values. Each parses from a [`Value`](crate::value::Value) with all its problems at
//! once, and dumps to one canonical form.

mod binding;
mod condition;
mod foreach;
mod fork;
mod interrupt;
mod node_def;
mod node_result;
mod reducer;
mod retry;
mod schema;
mod step;
mod workflow;
mod workflow_ref;

pub use binding::{Expression, InputBinding, InputSource, OutputBinding};
pub use condition::{Comparison, Condition, Operand};
pub use foreach::{ErrorAction, ErrorPolicy, ForeachConcurrency, ForeachMode, ForeachStep};
pub use fork::{ForkStep, GatherStep, GatherWait};
pub use interrupt::InterruptStep;
pub use node_def::NodeDef;
pub use node_result::NodeResult;
pub use reducer::{ReducerRef, ReducerSpec, SiblingWritePolicy};
pub use retry::RetryPolicy;
pub use schema::{SchemaRef, StateField, StateSchema};
pub use step::{ConditionStep, EndStep, JoinStep, NodeStep, Step, SubgraphStep};
pub use workflow::{Edge, Workflow};
pub use workflow_ref::WorkflowRef;
