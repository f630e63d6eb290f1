//! From Python to Rust: strict JSON, with the place of whatever is none.

use num_bigint::BigInt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use wf_core::value::{Object, Value};

use super::MAX_DEPTH;
use super::keys::{Keys, with_keys};
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

/// Why a Python object is no JSON value, and where inside it.
#[derive(Debug)]
pub(crate) struct NotJson {
    /// What is wrong.
    pub(crate) problem: Problem,
    /// The Python type of the offending object.
    pub(crate) python_type: String,
    /// What a model's own dump raised, if it did.
    pub(crate) cause: Option<PyErr>,
    /// From the offending object outwards.
    steps: Vec<Step>,
}

/// What is wrong with an object that is no JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// NaN or an infinity.
    NotFinite,
    /// A dict's key that is no string.
    Key,
    /// A string with half of a surrogate pair.
    Surrogate,
    /// Containers nested too deeply, or a container that holds itself.
    Depth,
    /// A pydantic model or a document where only plain values may stand.
    Model,
    /// Any other object.
    Object,
}

#[derive(Debug)]
enum Step {
    Key(Box<str>),
    Index(usize),
}

impl NotJson {
    pub(crate) fn new(problem: Problem, object: &Bound<'_, PyAny>) -> Self {
        let python_type = object
            .get_type()
            .qualname()
            .map_or_else(|_| String::from("object"), |name| name.to_string_lossy().into_owned());
        Self { problem, python_type, cause: None, steps: Vec::new() }
    }

    /// The same with the exception that is behind it.
    pub(crate) fn caused_by(mut self, cause: PyErr) -> Self {
        self.cause = Some(cause);
        self
    }

    /// The same, for a value that stands under a key of the one that is spoken of.
    pub(crate) fn inside(mut self, key: &str) -> Self {
        self.steps.push(Step::Key(key.into()));
        self
    }

    /// The place inside the value, such as `items[3].when`; empty for the value itself.
    pub(crate) fn place(&self) -> String {
        // A cyclic container would give a path of hundreds of steps; the outermost few say enough.
        const SHOWN: usize = 12;
        let mut text = String::new();
        for step in self.steps.iter().rev().take(SHOWN) {
            match step {
                Step::Index(index) => text.push_str(&format!("[{index}]")),
                Step::Key(key) if is_bare(key) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(key);
                }
                Step::Key(key) => text.push_str(&format!("[{key:?}]")),
            }
        }
        if self.steps.len() > SHOWN {
            text.push('…');
        }
        text
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self.problem {
            Problem::NotFinite => "value.not_finite",
            Problem::Key => "value.key_not_a_string",
            Problem::Surrogate => "value.lone_surrogate",
            Problem::Depth => "value.too_deep",
            Problem::Model | Problem::Object => "value.not_json",
        }
    }

    /// What is wrong, without the place.
    fn phrase(&self) -> &'static str {
        match self.problem {
            Problem::NotFinite => "JSON numbers must be finite",
            Problem::Key => "JSON object keys must be strings",
            Problem::Surrogate => "JSON strings must hold no lone surrogate",
            Problem::Depth => "JSON values may nest at most 256 deep, and must not contain themselves",
            Problem::Model | Problem::Object => "value must be a finite JSON value",
        }
    }

    /// The whole message.
    pub(crate) fn message(&self) -> String {
        let place = self.place();
        let python_type = &self.python_type;
        if place.is_empty() {
            format!("{}, got `{python_type}`", self.phrase())
        } else {
            format!("{}, got `{python_type}` at `{place}`", self.phrase())
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self.problem {
            Problem::Model => {
                Some("pass `model.model_dump(mode=\"json\", by_alias=True)`, or use `@node`, which does it")
            }
            Problem::Object => match self.python_type.as_str() {
                "tuple" | "set" | "frozenset" => Some("make it a list"),
                "datetime" | "date" | "time" => Some("make it text, for example with `isoformat()`"),
                "bytes" | "bytearray" => Some("make it text, for example with base64"),
                "Decimal" => Some("make it an `int`, a `float` or text"),
                "coroutine" => Some("the handler returned a coroutine inside its result; await it first"),
                _ => None,
            },
            Problem::NotFinite => Some("use `None` where there is no number"),
            Problem::Key => Some("write `str(key)`"),
            Problem::Surrogate | Problem::Depth => None,
        }
    }
}

fn is_bare(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Reads a Python object as a value.
pub(crate) fn to_value(object: &Bound<'_, PyAny>, instances: Instances) -> Result<Value, NotJson> {
    with_keys(|keys| {
        let mut reader = Reader { keys, instances, pace: Pace::Undisturbed, in_literal: false };
        match reader.value(object, 0) {
            Ok(value) => Ok(value),
            Err(Stop::NotJson(error)) => Err(*error),
            Err(Stop::Disturbed) => {
                reader.pace = Pace::Guarded;
                reader.in_literal = false;
                reader.value(object, 0).map_err(|stop| match stop {
                    Stop::NotJson(error) => *error,
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
    NotJson(Box<NotJson>),
    Disturbed,
}

impl Stop {
    fn new(problem: Problem, object: &Bound<'_, PyAny>) -> Self {
        Self::NotJson(Box::new(NotJson::new(problem, object)))
    }

    #[cold]
    fn within(self, step: impl FnOnce() -> Step) -> Self {
        match self {
            Self::NotJson(mut error) => {
                error.steps.push(step());
                Self::NotJson(error)
            }
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
            dump_instance(object).map_err(|error| Stop::NotJson(Box::new(error)))
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
            let name = self.keys.to_rust(text).map_err(|_| Stop::new(Problem::Surrogate, &key))?;
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
