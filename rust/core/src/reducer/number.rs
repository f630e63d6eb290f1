//! Adding numbers as Python does, without ever leaving JSON.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::value::Value;

/// The sum of two numbers; `None` when one is no number.
///
/// # Errors
/// The sum, or an integer on its way to a float, is out of the range of finite numbers.
pub(super) fn add(a: &Value, b: &Value) -> Option<Result<Value, String>> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(match a.checked_add(*b) {
            Some(sum) => Value::Int(sum),
            None => Value::big_int(BigInt::from(*a) + BigInt::from(*b)),
        }),
        (Value::Int(_) | Value::BigInt(_), Value::Int(_) | Value::BigInt(_)) => Ok(Value::big_int(big(a)? + big(b)?)),
        _ => sum_of_floats(float(a)?, float(b)?),
    })
}

fn sum_of_floats(a: f64, b: f64) -> Result<Value, String> {
    if a.is_infinite() || b.is_infinite() {
        return Err("int too large to convert to float".to_owned());
    }
    Value::float(a + b).ok_or_else(|| "JSON numbers must be finite".to_owned())
}

fn big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(BigInt::from(*number)),
        Value::BigInt(number) => Some(number.as_ref().clone()),
        _ => None,
    }
}

/// The number as a float; infinite when it is too large to be one.
fn float(value: &Value) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "rounding to the nearest float is what adding to one means")]
        Value::Int(number) => Some(*number as f64),
        Value::BigInt(number) => number.to_f64(),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}
