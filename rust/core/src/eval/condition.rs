//! Evaluating conditions.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::View;
use super::error::{ConditionError, PathError};
use super::path::{lookup, path_exists};
use crate::document::{Comparison, Condition, Operand};
use crate::reducer::python_type;
use crate::value::Value;

/// Whether a condition holds.
///
/// Every part of an `and` or an `or` is evaluated, also when the others decide already: a condition that cannot be
/// evaluated is an error whatever the data happens to be.
///
/// # Errors
/// An operand leads to nothing, or two operands have no order.
pub fn eval_condition(condition: &Condition, view: &View<'_>) -> Result<bool, ConditionError> {
    match condition {
        Condition::Exists(path) => Ok(path_exists(path, view)),
        Condition::Not(inner) => Ok(!eval_condition(inner, view)?),
        Condition::And(parts) => {
            let mut holds = true;
            for part in parts {
                holds &= eval_condition(part, view)?;
            }
            Ok(holds)
        }
        Condition::Or(parts) => {
            let mut holds = false;
            for part in parts {
                holds |= eval_condition(part, view)?;
            }
            Ok(holds)
        }
        Condition::Compare { op, left, right } => compare(*op, &*operand(left, view)?, &*operand(right, view)?),
    }
}

fn operand<'v>(operand: &'v Operand, view: &View<'v>) -> Result<Cow<'v, Value>, ConditionError> {
    match operand {
        Operand::Value(value) => Ok(Cow::Borrowed(value)),
        Operand::Path(path) => lookup(path, view).ok_or_else(|| PathError { path: path.to_string() }.into()),
    }
}

fn compare(op: Comparison, left: &Value, right: &Value) -> Result<bool, ConditionError> {
    let (operator, holds): (_, fn(Ordering) -> bool) = match op {
        Comparison::Eq => return Ok(left == right),
        Comparison::Ne => return Ok(left != right),
        Comparison::Gt => (">", Ordering::is_gt),
        Comparison::Ge => (">=", Ordering::is_ge),
        Comparison::Lt => ("<", Ordering::is_lt),
        Comparison::Le => ("<=", Ordering::is_le),
    };
    match left.order(right) {
        Some(order) => Ok(holds(order)),
        None => Err(ConditionError::NoOrder { operator, left: python_type(left), right: python_type(right) }),
    }
}
