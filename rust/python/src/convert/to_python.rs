//! From Rust to Python: always fresh objects.

use std::cell::RefCell;

use num_bigint::BigInt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString};
use wf_core::value::{List, Object, Value};

use super::keys::{Keys, with_keys};

/// Builds the Python form of a value.
pub(crate) fn value_to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    // Scalars need no table of keys.
    match value {
        Value::List(_) | Value::Object(_) => with_keys(|keys| Builder(RefCell::new(keys)).value(py, value)),
        _ => scalar(py, value),
    }
}

/// Builds the dict of an object.
pub(crate) fn object_to_python<'py>(py: Python<'py>, object: &Object) -> PyResult<Bound<'py, PyDict>> {
    with_keys(|keys| Builder(RefCell::new(keys)).object(py, object))
}

struct Builder<'k>(RefCell<&'k mut Keys>);

impl Builder<'_> {
    fn value<'py>(&self, py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        match value {
            Value::List(list) => self.list(py, list).map(Bound::into_any),
            Value::Object(object) => self.object(py, object).map(Bound::into_any),
            _ => scalar(py, value),
        }
    }

    fn list<'py>(&self, py: Python<'py>, list: &List) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, list.iter().map(|value| Item { builder: self, value }))
    }

    fn object<'py>(&self, py: Python<'py>, object: &Object) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (key, value) in object {
            // The borrow ends before the value is built, which needs the table itself.
            let key = self.0.borrow_mut().python_key(py, key);
            dict.set_item(key, self.value(py, value)?)?;
        }
        Ok(dict)
    }
}

/// A list's item on its way into a `PyList`, which asks for each item's conversion in turn.
struct Item<'a, 'k> {
    builder: &'a Builder<'k>,
    value: &'a Value,
}

impl<'py> IntoPyObject<'py> for Item<'_, '_> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.builder.value(py, self.value)
    }
}

/// A value that holds no other values (a container becomes `None`; the callers above never pass one).
fn scalar<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Int(number) => PyInt::new(py, *number).into_any(),
        Value::BigInt(number) => big_integer(py, number)?,
        Value::Float(number) => PyFloat::new(py, *number).into_any(),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Null | Value::List(_) | Value::Object(_) => py.None().into_bound(py),
    })
}

/// Goes through bytes, which is linear; decimal text would meet Python's limit on digits.
fn big_integer<'py>(py: Python<'py>, number: &BigInt) -> PyResult<Bound<'py, PyAny>> {
    let signed = PyDict::new(py);
    signed.set_item("signed", true)?;
    let bytes = PyBytes::new(py, &number.to_signed_bytes_le());
    py.get_type::<PyInt>().call_method("from_bytes", (bytes, "little"), Some(&signed))
}
