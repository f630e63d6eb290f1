//! Conditions: what a condition step decides by.

use super::form::{Definitions, Document, NonEmpty, Part, Reader, View, assemble, read_variant};
use crate::path::GraphSourcePath;
use crate::value::Value;

/// How deep conditions may be nested.
pub const MAX_CONDITION_DEPTH: usize = 100;

/// A predicate over input, state and context.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The path holds something, `null` included.
    Exists(GraphSourcePath),
    /// The opposite.
    Not(Box<Self>),
    /// All of them; never empty.
    And(Vec<Self>),
    /// At least one of them; never empty.
    Or(Vec<Self>),
    /// Two operands compared.
    Compare {
        /// `op`.
        op: Comparison,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
}

text_enum! {
    /// How two operands are compared.
    pub enum Comparison {
        /// `eq`
        Eq = "eq",
        /// `ne`
        Ne = "ne",
        /// `gt`
        Gt = "gt",
        /// `ge`
        Ge = "ge",
        /// `lt`
        Lt = "lt",
        /// `le`
        Le = "le",
    }
}

text_enum! {
    /// How several conditions are combined.
    pub enum VariadicOperator {
        /// `and`: all of them hold.
        And = "and",
        /// `or`: at least one holds.
        Or = "or",
    }
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// What a path holds.
    Path(GraphSourcePath),
    /// A literal.
    Value(Value),
}

document! {
    /// The path holds something, null included.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ExistsCondition: "ExistsCondition" {
        /// Where to look: a path that begins with input, state, or context.
        pub path: GraphSourcePath,
    }
    tag "op" = "exists" first;
}

document! {
    /// The opposite of a condition.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NotCondition: "NotCondition" {
        /// The condition.
        pub arg: Condition,
    }
    tag "op" = "not" first;
}

document! {
    /// Several conditions combined.
    #[derive(Clone, Debug, PartialEq)]
    pub struct VariadicCondition: "VariadicCondition" {
        /// Whether all of them must hold, or at least one.
        pub op: VariadicOperator,
        /// The conditions; at least one.
        pub args: Vec<Condition> => NonEmpty,
    }
}

document! {
    /// Two operands compared.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BinaryCondition: "BinaryCondition" {
        /// How they are compared.
        pub op: Comparison,
        /// The left operand.
        pub left: Operand,
        /// The right operand.
        pub right: Operand,
    }
}

document! {
    /// What a path holds.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PathOperand: "PathOperand" {
        /// Where the value is read: a path that begins with input, state, or context.
        pub path: GraphSourcePath,
    }
}

document! {
    /// A literal.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LiteralOperand: "LiteralOperand" {
        /// Literal JSON-compatible value.
        pub value: Value,
    }
}

const OPERATORS: [&str; 10] = ["exists", "not", "and", "or", "eq", "ne", "gt", "ge", "lt", "le"];

impl From<VariadicCondition> for Condition {
    fn from(condition: VariadicCondition) -> Self {
        match condition.op {
            VariadicOperator::And => Self::And(condition.args),
            VariadicOperator::Or => Self::Or(condition.args),
        }
    }
}

impl From<BinaryCondition> for Condition {
    fn from(condition: BinaryCondition) -> Self {
        Self::Compare { op: condition.op, left: condition.left, right: condition.right }
    }
}

impl Part for Condition {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        reader.nested(MAX_CONDITION_DEPTH, "condition.depth", "condition depth limit exceeded", |reader| {
            match read_variant(value, reader, "Condition", "op", &OPERATORS)? {
                "exists" => ExistsCondition::read(value, reader).map(|condition| Self::Exists(condition.path)),
                "not" => NotCondition::read(value, reader).map(|condition| Self::Not(Box::new(condition.arg))),
                "and" | "or" => VariadicCondition::read(value, reader).map(Into::into),
                _ => BinaryCondition::read(value, reader).map(Into::into),
            }
        })
    }

    fn write(&self) -> Value {
        Value::Object(match self {
            Self::Exists(path) => assemble::<ExistsCondition>([path.write()]),
            Self::Not(arg) => assemble::<NotCondition>([arg.write()]),
            Self::And(args) => assemble::<VariadicCondition>([VariadicOperator::And.write(), args.write()]),
            Self::Or(args) => assemble::<VariadicCondition>([VariadicOperator::Or.write(), args.write()]),
            Self::Compare { op, left, right } => assemble::<BinaryCondition>([op.write(), left.write(), right.write()]),
        })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.reference(Self::NAME, |definitions| {
            Definitions::any_of(vec![
                ExistsCondition::schema(definitions),
                NotCondition::schema(definitions),
                VariadicCondition::schema(definitions),
                BinaryCondition::schema(definitions),
            ])
        })
    }

    fn view(&self) -> View {
        match self {
            Self::Exists(path) => View::document(&ExistsCondition { path: path.clone() }),
            Self::Not(arg) => View::document(&NotCondition { arg: arg.as_ref().clone() }),
            Self::And(args) => View::document(&VariadicCondition { op: VariadicOperator::And, args: args.clone() }),
            Self::Or(args) => View::document(&VariadicCondition { op: VariadicOperator::Or, args: args.clone() }),
            Self::Compare { op, left, right } => {
                View::document(&BinaryCondition { op: *op, left: left.clone(), right: right.clone() })
            }
        }
    }
}

impl Document for Condition {
    const NAME: &'static str = "Condition";
}

impl Part for Operand {
    /// Reads an operand; a path wins over a value beside it, as it always has.
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let object = reader.object(value, "Operand")?;
        if object.contains_key("path") {
            return PathOperand::read(value, reader).map(|operand| Self::Path(operand.path));
        }
        if object.contains_key("value") {
            return LiteralOperand::read(value, reader).map(|operand| Self::Value(operand.value));
        }
        reader.hinted_problem(
            "condition.operand",
            "expected an operand with path or value",
            Some(r#"write {"path": "state.count"} or {"value": 3}"#.to_owned()),
        );
        None
    }

    fn write(&self) -> Value {
        Value::Object(match self {
            Self::Path(path) => assemble::<PathOperand>([path.write()]),
            Self::Value(value) => assemble::<LiteralOperand>([value.clone()]),
        })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Definitions::any_of(vec![PathOperand::schema(definitions), LiteralOperand::schema(definitions)])
    }

    fn view(&self) -> View {
        match self {
            Self::Path(path) => View::document(&PathOperand { path: path.clone() }),
            Self::Value(value) => View::document(&LiteralOperand { value: value.clone() }),
        }
    }
}

impl Document for Operand {
    const NAME: &'static str = "Operand";
}
