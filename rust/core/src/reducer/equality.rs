//! Hashing that agrees with JSON equality.

use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use rustc_hash::FxHasher;

use crate::value::Value;

/// A value as a member of a set: equal and hashed by JSON equality, so `1` and `1.0` are one member and `true` is
/// another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByEquality<'a>(pub(crate) &'a Value);

impl PartialEq for ByEquality<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

// JSON numbers are finite, so equality is total.
impl Eq for ByEquality<'_> {}

impl Hash for ByEquality<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self.0, state);
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Null => state.write_u8(0),
        Value::Bool(flag) => state.write_u8(1 + u8::from(*flag)),
        Value::Int(number) => hash_int(*number, state),
        Value::BigInt(number) => number.hash(state),
        Value::Float(number) => hash_float(*number, state),
        Value::String(text) => text.hash(state),
        Value::List(items) => {
            state.write_usize(items.len());
            for item in items.iter() {
                hash(item, state);
            }
        }
        Value::Object(object) => {
            // The order of keys does not matter, so the entries are hashed apart and added up.
            let sum = object.iter().fold(0_u64, |sum, (key, value)| {
                let mut entry = FxHasher::default();
                key.hash(&mut entry);
                hash(value, &mut entry);
                sum.wrapping_add(entry.finish())
            });
            state.write_usize(object.len());
            state.write_u64(sum);
        }
    }
}

fn hash_int<H: Hasher>(number: i64, state: &mut H) {
    state.write_i64(number);
}

/// A float that equals an integer must hash like it.
fn hash_float<H: Hasher>(number: f64, state: &mut H) {
    /// The first power of two beyond `i64`.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if number.fract() != 0.0 {
        state.write_u64(number.to_bits());
    } else if (-LIMIT..LIMIT).contains(&number) {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within the range of i64")]
        hash_int(number as i64, state);
    } else if let Some(whole) = BigInt::from_f64(number) {
        whole.hash(state);
    }
}
