//! The steps of a workflow.

use std::borrow::Cow;
use std::sync::Arc;

use super::form::{Definitions, Document, NonEmpty, Number, Part, Reader, View, read_variant};
use super::legacy::{Conversion, canonical_bindings};
use super::{
    Condition, ForeachStep, ForkStep, GatherStep, InputBinding, InterruptStep, OutputBinding, RetryPolicy, SchemaRef,
    WorkflowRef,
};
use crate::value::Value;

/// One step; `type` says which.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `node`: calls a handler.
    Node(NodeStep),
    /// `subgraph`: runs another workflow.
    Subgraph(SubgraphStep),
    /// `condition`: decides between `true` and `false`.
    Condition(ConditionStep),
    /// `foreach`: runs a body for every item of a list.
    Foreach(ForeachStep),
    /// `join`: a place where edges meet.
    Join(JoinStep),
    /// `end`: finishes the workflow with an outcome.
    End(EndStep),
    /// `interrupt`: pauses the run.
    Interrupt(InterruptStep),
    /// `fork`: starts branches.
    Fork(ForkStep),
    /// `gather`: waits for branches.
    Gather(GatherStep),
}

document! {
    /// Calls the handler of a node.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NodeStep: "NodeUse" {
        /// The step's id.
        pub id: Arc<str>,
        /// The name of the node's contract and of its handler.
        pub node: Arc<str>,
        /// A remark for readers.
        pub desc: Option<Arc<str>> = None,
        /// Fills the payload.
        pub input: Vec<InputBinding> = Vec::new(),
        /// Writes the output into the state.
        pub output: Vec<OutputBinding> = Vec::new(),
        /// Overrides the contract's retry policy.
        pub retry: Option<RetryPolicy> = None,
        /// Overrides the contract's time limit.
        pub timeout_seconds: Option<f64> => Number<0, true> = None,
    }
    tag "type" = "node";
    before legacy_shape;
}

document! {
    /// Runs another workflow in a scope of its own.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SubgraphStep: "SubgraphNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// Which workflow.
        pub workflow: WorkflowRef,
        /// A remark for readers.
        pub desc: Option<Arc<str>> = None,
        /// The schema of the child's input, as this step promises it.
        pub input_schema: SchemaRef = SchemaRef::any_object(),
        /// The schema of the child's output, as this step expects it.
        pub output_schema: SchemaRef = SchemaRef::any_object(),
        /// Fills the child's input.
        pub input: Vec<InputBinding> = Vec::new(),
        /// Writes the child's output into the state.
        pub output: Vec<OutputBinding> = Vec::new(),
        /// The outcomes the child may end with; never empty.
        pub outcomes: Vec<Arc<str>> => NonEmpty = vec![Arc::from("ok")],
    }
    tag "type" = "subgraph";
}

document! {
    /// Decides by a condition.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConditionStep: "ConditionNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// What decides.
        pub check: Condition,
    }
    tag "type" = "condition";
}

document! {
    /// A place where edges meet; waits for nothing.
    #[derive(Clone, Debug, PartialEq)]
    pub struct JoinStep: "JoinNode" {
        /// The step's id.
        pub id: Arc<str>,
    }
    tag "type" = "join";
}

document! {
    /// Finishes the workflow.
    #[derive(Clone, Debug, PartialEq)]
    pub struct EndStep: "EndNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// The workflow's outcome.
        pub outcome: Arc<str> => NonEmpty = Arc::from("ok"),
    }
    tag "type" = "end";
}

fn legacy_shape<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    canonical_bindings(
        value,
        reader,
        "input/output",
        &[
            ("input_values", Conversion::TargetToValue("input")),
            ("in_map", Conversion::PathToTarget("input")),
            ("out_map", Conversion::SourceToTarget("output")),
        ],
    )
}

/// Does the same for each kind of step.
macro_rules! each_step {
    ($step:expr, $inner:ident => $result:expr) => {
        match $step {
            Self::Node($inner) => $result,
            Self::Subgraph($inner) => $result,
            Self::Condition($inner) => $result,
            Self::Foreach($inner) => $result,
            Self::Join($inner) => $result,
            Self::End($inner) => $result,
            Self::Interrupt($inner) => $result,
            Self::Fork($inner) => $result,
            Self::Gather($inner) => $result,
        }
    };
}

impl Step {
    /// The words that `type` may have.
    pub const TYPES: [&'static str; 9] =
        ["node", "subgraph", "condition", "foreach", "join", "end", "interrupt", "fork", "gather"];

    /// The step's id.
    pub fn id(&self) -> &Arc<str> {
        each_step!(self, step => &step.id)
    }

    /// The `type` of the step.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Node(_) => "node",
            Self::Subgraph(_) => "subgraph",
            Self::Condition(_) => "condition",
            Self::Foreach(_) => "foreach",
            Self::Join(_) => "join",
            Self::End(_) => "end",
            Self::Interrupt(_) => "interrupt",
            Self::Fork(_) => "fork",
            Self::Gather(_) => "gather",
        }
    }
}

impl Part for Step {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match read_variant(value, reader, "Step", "type", &Self::TYPES)? {
            "node" => NodeStep::read(value, reader).map(Self::Node),
            "subgraph" => SubgraphStep::read(value, reader).map(Self::Subgraph),
            "condition" => ConditionStep::read(value, reader).map(Self::Condition),
            "foreach" => ForeachStep::read(value, reader).map(Self::Foreach),
            "join" => JoinStep::read(value, reader).map(Self::Join),
            "end" => EndStep::read(value, reader).map(Self::End),
            "interrupt" => InterruptStep::read(value, reader).map(Self::Interrupt),
            "fork" => ForkStep::read(value, reader).map(Self::Fork),
            _ => GatherStep::read(value, reader).map(Self::Gather),
        }
    }

    fn write(&self) -> Value {
        each_step!(self, step => step.write())
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let variants = vec![
            NodeStep::schema(definitions),
            SubgraphStep::schema(definitions),
            ConditionStep::schema(definitions),
            ForeachStep::schema(definitions),
            JoinStep::schema(definitions),
            EndStep::schema(definitions),
            InterruptStep::schema(definitions),
            ForkStep::schema(definitions),
            GatherStep::schema(definitions),
        ];
        Definitions::one_of("type", &Self::TYPES, variants)
    }

    fn view(&self) -> View {
        each_step!(self, step => step.view())
    }
}

impl Document for Step {
    const NAME: &'static str = "Step";
}
