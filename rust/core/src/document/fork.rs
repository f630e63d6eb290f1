//! Fork and gather: branches that run side by side, and the place where they meet.

use std::sync::Arc;

use super::ErrorPolicy;
use super::form::{Definitions, NonEmpty, Part, Reader};
use crate::value::Value;

document! {
    /// Starts one branch per outcome; each has a lineage of its own.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ForkStep: "ForkNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// The branches in declared order; each is an outcome with an edge.
        pub branches: Vec<Arc<str>> => NonEmpty,
    }
    tag "type" = "fork";
    unknown Forbid;
}

document! {
    /// Waits for branches of a fork and commits what they wrote.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GatherStep: "GatherNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// The id of the fork.
        pub fork: Arc<str> as "of",
        /// How many branches are waited for: `all`, `any`, or a number.
        pub wait: GatherWait = GatherWait::default(),
        /// What happens when a branch fails.
        pub branch_error: ErrorPolicy = ErrorPolicy::default(),
    }
    tag "type" = "gather";
    unknown Forbid;
}

/// `wait` of a gather step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GatherWait {
    /// `"all"`: every branch.
    #[default]
    All,
    /// `"any"`: the first that arrives.
    Any,
    /// A number: the first that many (1 up to the number of branches).
    Count(u32),
}

impl Part for GatherWait {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        match value {
            Value::String(word) if word.as_ref() == "all" => Some(Self::All),
            Value::String(word) if word.as_ref() == "any" => Some(Self::Any),
            Value::Int(_) | Value::BigInt(_) | Value::Float(_) => {
                let count = u32::read(value, reader)?;
                if count == 0 {
                    reader.problem("document.value", "expected a number of branches of at least 1, got 0");
                }
                Some(Self::Count(count))
            }
            _ => {
                reader.expected("'all', 'any' or a number of branches", value);
                None
            }
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::All => Value::from("all"),
            Self::Any => Value::from("any"),
            Self::Count(count) => Value::from(*count),
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let count = super::form::with(u32::schema(definitions), "minimum", 1);
        Definitions::any_of(vec![Definitions::words(&["all", "any"]), count])
    }
}
