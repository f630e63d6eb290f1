//! From Python to Rust: strict JSON, with the place of whatever is none.

use num_bigint::BigInt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use wf_core::value::{Object, Value};

use super::MAX_DEPTH;
use super::keys::{Keys, with_keys};
use super::not_json::{NotJson, Problem, Step};
use crate::document::{dump_instance, is_instance};

/// What to do with a document or a pydantic model inside a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instances {
    /// Take its JSON form: for documents that are built from other documents. Tuples pass for lists there, except
    /// in literals (what stands under `value`), which are JSON values.
    Dump,
    /// Refuse it: in values that handlers return, the choice of a form is the author's.
    Refuse,
}

/// Reads a Python object as a value.
pub(crate) fn to_value(object: &Bound<'_, PyAny>, instances: Instances) -> Result<Value, NotJson> {
    with_keys(|keys| {
        let mut reader = Reader { keys, instances, pace: Pace::Undisturbed, in_literal: false };
        match reader.value(object, 0) {
            Ok(value) => Ok(value),
            Err(Stop::NotJson(error)) => Err(error),
            Err(Stop::Disturbed) => {
                reader.pace = Pace::Guarded;
                reader.in_literal = false;
                reader.value(object, 0).map_err(|stop| match stop {
                    Stop::NotJson(error) => error,
                    Stop::Disturbed => NotJson::new(Problem::Object, object),
                })
            }
        }
    })
}

/// Reads a Python object as a JSON object; `None` when it is a value, but no object.
pub(crate) fn to_object(object: &Bound<'_, PyAny>, instances: Instances) -> Result<Option<Object>, NotJson> {
    match to_value(object, instances)? {
        Value::Object(object) => Ok(Some(object)),
        _ => Ok(None),
    }
}

struct Reader<'k> {
    keys: &'k mut Keys,
    instances: Instances,
    pace: Pace,
    in_literal: bool,
}

/// Whether Python code may run while containers are being read.
///
/// A dict must not change its size while it is iterated. Nearly every value is read without running any Python
/// code, so nothing can change it. A few objects need Python code (a model's dump, a huge integer); when one
/// turns up, reading starts again and takes a private copy of every dict first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// No Python code runs; what needs some ends in [`Stop::Disturbed`].
    Undisturbed,
    /// Python code may run; dicts are copied before they are read.
    Guarded,
}

/// Why reading stopped.
enum Stop {
    NotJson(NotJson),
    Disturbed,
}

impl Stop {
    fn new(problem: Problem, object: &Bound<'_, PyAny>) -> Self {
        Self::NotJson(NotJson::new(problem, object))
    }

    #[cold]
    fn within(self, step: impl FnOnce() -> Step) -> Self {
        match self {
            Self::NotJson(error) => Self::NotJson(error.within(step())),
            Self::Disturbed => Self::Disturbed,
        }
    }
}

impl Reader<'_> {
    fn value(&mut self, object: &Bound<'_, PyAny>, depth: usize) -> Result<Value, Stop> {
        // The exact types first: each test is a comparison of two addresses.
        if let Ok(text) = object.cast_exact::<PyString>() {
            return string(text);
        }
        if let Ok(number) = object.cast_exact::<PyInt>() {
            return self.integer(number);
        }
        if let Ok(dict) = object.cast_exact::<PyDict>() {
            return self.dict(dict, depth);
        }
        if let Ok(list) = object.cast_exact::<PyList>() {
            return self.list(list, depth);
        }
        if object.is_none() {
            return Ok(Value::Null);
        }
        if let Ok(flag) = object.cast_exact::<PyBool>() {
            return Ok(Value::Bool(flag.is_true()));
        }
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            return float(number);
        }
        self.other(object, depth)
    }

    /// Subclasses of the JSON types count as what they extend; documents and models as `instances` says.
    #[cold]
    fn other(&mut self, object: &Bound<'_, PyAny>, depth: usize) -> Result<Value, Stop> {
        if let Ok(text) = object.cast::<PyString>() {
            string(text)
        } else if let Ok(number) = object.cast::<PyInt>() {
            self.integer(number)
        } else if let Ok(number) = object.cast::<PyFloat>() {
            float(number)
        } else if let Ok(dict) = object.cast::<PyDict>() {
            self.dict(dict, depth)
        } else if let Ok(list) = object.cast::<PyList>() {
            self.list(list, depth)
        } else if let Ok(tuple) = object.cast::<PyTuple>()
            && self.instances == Instances::Dump
            && !self.in_literal
        {
            self.items(tuple.iter(), tuple.len(), object, depth)
        } else if self.pace == Pace::Undisturbed {
            Err(Stop::Disturbed)
        } else if !is_instance(object) {
            Err(Stop::new(Problem::Object, object))
        } else if self.instances == Instances::Dump {
            dump_instance(object).map_err(Stop::NotJson)
        } else {
            Err(Stop::new(Problem::Model, object))
        }
    }

    fn dict(&mut self, dict: &Bound<'_, PyDict>, depth: usize) -> Result<Value, Stop> {
        if depth >= MAX_DEPTH {
            return Err(Stop::new(Problem::Depth, dict));
        }
        let copy;
        let entries = match self.pace {
            Pace::Undisturbed => dict,
            Pace::Guarded => {
                copy = dict.copy().map_err(|_| Stop::new(Problem::Object, dict))?;
                &copy
            }
        };
        let mut object = Object::with_capacity(entries.len());
        for (key, value) in entries.iter() {
            let Ok(text) = key.cast::<PyString>() else {
                return Err(Stop::new(Problem::Key, &key));
            };
            let name = self.keys.rust_key(text).map_err(|_| Stop::new(Problem::Surrogate, &key))?;
            let outside = self.in_literal;
            self.in_literal |= self.instances == Instances::Dump && &*name == "value";
            let read = self.value(&value, depth + 1);
            self.in_literal = outside;
            match read {
                Ok(value) => object.insert(name, value),
                Err(stop) => return Err(stop.within(|| Step::Key(name.as_ref().into()))),
            };
        }
        Ok(Value::Object(object))
    }

    fn list(&mut self, list: &Bound<'_, PyList>, depth: usize) -> Result<Value, Stop> {
        self.items(list.iter(), list.len(), list, depth)
    }

    fn items<'py>(
        &mut self,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        length: usize,
        container: &Bound<'_, PyAny>,
        depth: usize,
    ) -> Result<Value, Stop> {
        if depth >= MAX_DEPTH {
            return Err(Stop::new(Problem::Depth, container));
        }
        let mut values = Vec::with_capacity(length);
        for (index, item) in items.enumerate() {
            match self.value(&item, depth + 1) {
                Ok(value) => values.push(value),
                Err(stop) => return Err(stop.within(|| Step::Index(index))),
            }
        }
        Ok(Value::List(values.into()))
    }

    fn integer(&self, number: &Bound<'_, PyInt>) -> Result<Value, Stop> {
        if let Ok(small) = number.extract::<i64>() {
            return Ok(Value::Int(small));
        }
        if self.pace == Pace::Undisturbed {
            return Err(Stop::Disturbed);
        }
        big_integer(number).map(Value::big_int).map_err(|_| Stop::new(Problem::Object, number))
    }
}

fn string(text: &Bound<'_, PyString>) -> Result<Value, Stop> {
    match text.to_str() {
        Ok(text) => Ok(Value::from(text)),
        Err(_) => Err(Stop::new(Problem::Surrogate, text)),
    }
}

fn float(number: &Bound<'_, PyFloat>) -> Result<Value, Stop> {
    Value::float(number.value()).ok_or_else(|| Stop::new(Problem::NotFinite, number))
}

/// Goes through bytes, which is linear; decimal text would meet Python's limit on digits.
fn big_integer(number: &Bound<'_, PyInt>) -> PyResult<BigInt> {
    let py = number.py();
    let int = py.get_type::<PyInt>();
    let bits: usize = int.call_method1("bit_length", (number,))?.extract()?;
    let signed = PyDict::new(py);
    signed.set_item("signed", true)?;
    let bytes = int.call_method("to_bytes", (number, bits / 8 + 1, "little"), Some(&signed))?;
    Ok(BigInt::from_signed_bytes_le(bytes.cast::<PyBytes>()?.as_bytes()))
}
