//! JSON equality and the ordering that conditions use.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::Value;

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::String(a), Self::String(b)) => a == b,
            (Self::List(a), Self::List(b)) => a.same_allocation(b) || a == b,
            (Self::Object(a), Self::Object(b)) => a.same_allocation(b) || a == b,
            _ => number_order(self, other) == Some(Ordering::Equal),
        }
    }
}

impl Value {
    /// The order of two values of one kind: numbers, strings, or lists (item by item).
    ///
    /// `None` means the two cannot be ordered: they are of different kinds, or of a kind without an order.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::String(a), Self::String(b)) => Some(a.cmp(b)),
            (Self::List(a), Self::List(b)) => {
                for (x, y) in a.iter().zip(b.iter()) {
                    if x != y {
                        return x.order(y);
                    }
                }
                Some(a.len().cmp(&b.len()))
            }
            _ => number_order(self, other),
        }
    }
}

/// The exact order of two numbers, whatever their variants; `None` when one is no number.
fn number_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) => int_float_order(&BigInt::from(*a), *b),
        (Value::Float(a), Value::Int(b)) => int_float_order(&BigInt::from(*b), *a).map(Ordering::reverse),
        (Value::BigInt(a), Value::Float(b)) => int_float_order(a, *b),
        (Value::Float(a), Value::BigInt(b)) => int_float_order(b, *a).map(Ordering::reverse),
        (Value::BigInt(a), Value::BigInt(b)) => Some(a.cmp(b)),
        (Value::BigInt(a), Value::Int(b)) => Some(a.as_ref().cmp(&BigInt::from(*b))),
        (Value::Int(a), Value::BigInt(b)) => Some(BigInt::from(*a).cmp(b)),
        _ => None,
    }
}

/// Compares without rounding the integer to a float, which would call 2**53 + 1 equal to 2.0**53.
fn int_float_order(integer: &BigInt, float: f64) -> Option<Ordering> {
    let whole = BigInt::from_f64(float.trunc())?;
    Some(integer.cmp(&whole).then_with(|| {
        // Equal whole parts: the fraction decides.
        let fraction = float - whole.to_f64().unwrap_or(float);
        0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal)
    }))
}
