//! Hashes that agree with JSON equality.

use std::hash::{DefaultHasher, Hash, Hasher};

use wf_core::value::Value;

/// The hash of a document: equal documents hash equally, whatever the order of their keys or the spelling of
/// their numbers.
pub(super) fn hash_value(class: &str, value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    class.hash(&mut hasher);
    feed(value, &mut hasher);
    hasher.finish()
}

fn feed(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(flag) => (1_u8, flag).hash(hasher),
        // 1 equals 1.0, so every number goes through its nearest float.
        #[expect(clippy::cast_precision_loss, reason = "a collision of large integers costs time, not truth")]
        Value::Int(number) => feed_number(*number as f64, hasher),
        Value::BigInt(number) => feed_number(number.to_string().parse().unwrap_or(f64::INFINITY), hasher),
        Value::Float(number) => feed_number(*number, hasher),
        Value::String(text) => (3_u8, text).hash(hasher),
        Value::List(list) => {
            (4_u8, list.len()).hash(hasher);
            for item in list.iter() {
                feed(item, hasher);
            }
        }
        Value::Object(object) => {
            // The order of keys does not matter, so each entry hashes alone and the sum stands for all.
            let sum = object.iter().fold(0_u64, |sum, (key, value)| sum.wrapping_add(hash_value(key, value)));
            (5_u8, object.len(), sum).hash(hasher);
        }
    }
}

fn feed_number(number: f64, hasher: &mut DefaultHasher) {
    // -0.0 equals 0.0.
    let bits = if number == 0.0 { 0 } else { number.to_bits() };
    (2_u8, bits).hash(hasher);
}
