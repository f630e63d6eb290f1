//! JSON equality, hashing to match, and the ordering that conditions use.
//!
//! All of it walks nested values with a work list of its own: the depth of a value never becomes depth of stack.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use rustc_hash::FxHasher;

use super::{List, Object, Value};

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = Vec::new();
        compare_shallow(self, other, &mut pending) && compare_pending(pending)
    }
}

// A float is never NaN, so equality is reflexive.
impl Eq for Value {}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = Vec::new();
        compare_lists(self, other, &mut pending) && compare_pending(pending)
    }
}

impl Eq for List {}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = Vec::new();
        compare_objects(self, other, &mut pending) && compare_pending(pending)
    }
}

impl Eq for Object {}

type Pairs<'a> = Vec<(&'a Value, &'a Value)>;

fn compare_pending(mut pending: Pairs<'_>) -> bool {
    while let Some((a, b)) = pending.pop() {
        let same = match (a, b) {
            (Value::List(a), Value::List(b)) => compare_lists(a, b, &mut pending),
            (Value::Object(a), Value::Object(b)) => compare_objects(a, b, &mut pending),
            _ => compare_shallow(a, b, &mut pending),
        };
        if !same {
            return false;
        }
    }
    true
}

/// Compares two values, leaving what two containers hold to the work list.
fn compare_shallow<'a>(a: &'a Value, b: &'a Value, pending: &mut Pairs<'a>) -> bool {
    match (a, b) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => a == b,
        (Value::List(a), Value::List(b)) if a.len() != b.len() => false,
        (Value::Object(a), Value::Object(b)) if a.len() != b.len() => false,
        (Value::List(_), Value::List(_)) | (Value::Object(_), Value::Object(_)) => {
            pending.push((a, b));
            true
        }
        _ => number_order(a, b) == Some(Ordering::Equal),
    }
}

fn compare_lists<'a>(a: &'a List, b: &'a List, pending: &mut Pairs<'a>) -> bool {
    a.same_allocation(b) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| compare_shallow(a, b, pending)))
}

fn compare_objects<'a>(a: &'a Object, b: &'a Object, pending: &mut Pairs<'a>) -> bool {
    a.same_allocation(b)
        || (a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| compare_shallow(a, b, pending))))
}

/// How deep a hash looks; below it, only the kind and the size of a container count.
const HASH_DEPTH: u32 = 32;

impl Hash for Value {
    /// Agrees with JSON equality: `1` and `1.0` hash alike, and so do objects that differ in key order.
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash_value(self, state, HASH_DEPTH);
    }
}

fn hash_value<H: Hasher>(value: &Value, state: &mut H, depth: u32) {
    match value {
        Value::Null => 0_u8.hash(state),
        Value::Bool(flag) => (1_u8, flag).hash(state),
        Value::Int(number) => (2_u8, number).hash(state),
        Value::BigInt(number) => (3_u8, number.as_ref()).hash(state),
        Value::Float(number) => hash_float(*number, state),
        Value::String(text) => (5_u8, text).hash(state),
        Value::List(items) => {
            (6_u8, items.len()).hash(state);
            if depth > 0 {
                for item in items.iter() {
                    hash_value(item, state, depth - 1);
                }
            }
        }
        Value::Object(object) => {
            (7_u8, object.len()).hash(state);
            if depth > 0 {
                // A sum, because the order of the keys must not count.
                let sum = object.iter().fold(0_u64, |sum, (key, value)| {
                    let mut entry = FxHasher::default();
                    key.hash(&mut entry);
                    hash_value(value, &mut entry, depth - 1);
                    sum.wrapping_add(entry.finish())
                });
                sum.hash(state);
            }
        }
    }
}

fn hash_float<H: Hasher>(number: f64, state: &mut H) {
    if number.fract() == 0.0
        && let Some(whole) = BigInt::from_f64(number)
    {
        return hash_value(&Value::big_int(whole), state, 0);
    }
    (4_u8, number.to_bits()).hash(state);
}

impl Value {
    /// The order of two values of one kind: numbers, strings, or lists (item by item).
    ///
    /// `None` means the two cannot be ordered: they are of different kinds, or of a kind without an order.
    pub fn order(&self, other: &Self) -> Option<Ordering> {
        // Where the walk stands in each pair of lists around the pair being compared.
        let mut open: Vec<(&[Self], &[Self])> = Vec::new();
        let (mut a, mut b) = (self, other);
        loop {
            let mut order = match (a, b) {
                (Self::List(a), Self::List(b)) => {
                    open.push((a, b));
                    Some(Ordering::Equal)
                }
                (Self::String(a), Self::String(b)) => Some(a.cmp(b)),
                _ => number_order(a, b).or_else(|| {
                    // Inside lists, equal items of a kind without order decide nothing.
                    (!open.is_empty() && a == b).then_some(Ordering::Equal)
                }),
            };
            loop {
                if order != Some(Ordering::Equal) {
                    return order;
                }
                let Some((left, right)) = open.last_mut() else { return order };
                if let (Some((x, rest)), Some((y, others))) = (left.split_first(), right.split_first()) {
                    (a, b) = (x, y);
                    (*left, *right) = (rest, others);
                    break;
                }
                order = Some(left.len().cmp(&right.len()));
                open.pop();
            }
        }
    }
}

/// The exact order of two numbers, whatever their variants; `None` when one is no number.
fn number_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Int(a), Value::Float(b)) => small_int_float_order(*a, *b),
        (Value::Float(a), Value::Int(b)) => small_int_float_order(*b, *a).map(Ordering::reverse),
        (Value::BigInt(a), Value::Float(b)) => int_float_order(a, *b),
        (Value::Float(a), Value::BigInt(b)) => int_float_order(b, *a).map(Ordering::reverse),
        (Value::BigInt(a), Value::BigInt(b)) => Some(a.cmp(b)),
        (Value::BigInt(a), Value::Int(b)) => Some(a.as_ref().cmp(&BigInt::from(*b))),
        (Value::Int(a), Value::BigInt(b)) => Some(BigInt::from(*a).cmp(b)),
        _ => None,
    }
}

/// Compares as floats where that is exact, which it is for all but very large integers.
fn small_int_float_order(integer: i64, float: f64) -> Option<Ordering> {
    i32::try_from(integer)
        .map_or_else(|_| int_float_order(&BigInt::from(integer), float), |small| f64::from(small).partial_cmp(&float))
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
