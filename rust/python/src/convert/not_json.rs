//! Why a Python object is no JSON value.

use std::fmt::Write as _;

use pyo3::prelude::*;

/// Why a Python object is no JSON value, and where inside it.
#[derive(Debug)]
pub(crate) struct NotJson(
    // Boxed: it travels through every level of a value, where nearly always there is none.
    Box<Fault>,
);

#[derive(Debug)]
struct Fault {
    problem: Problem,
    /// The Python type of the offending object.
    python_type: String,
    /// What a model's own dump raised, if it did.
    cause: Option<PyErr>,
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

/// One step from a container to what it holds.
#[derive(Debug)]
pub(super) enum Step {
    /// Under a key of a dict.
    Key(Box<str>),
    /// At a position of a list.
    Index(usize),
}

impl NotJson {
    /// What is wrong with an object.
    pub(crate) fn new(problem: Problem, object: &Bound<'_, PyAny>) -> Self {
        let python_type = object
            .get_type()
            .qualname()
            .map_or_else(|_| String::from("object"), |name| name.to_string_lossy().into_owned());
        Self(Box::new(Fault { problem, python_type, cause: None, steps: Vec::new() }))
    }

    /// The same with the exception that is behind it.
    pub(crate) fn caused_by(mut self, cause: PyErr) -> Self {
        self.0.cause = Some(cause);
        self
    }

    /// The same, for a value that stands under a key of the one that is spoken of.
    pub(crate) fn inside(self, key: &str) -> Self {
        self.within(Step::Key(key.into()))
    }

    /// The same, one container further out.
    pub(super) fn within(mut self, step: Step) -> Self {
        self.0.steps.push(step);
        self
    }

    /// The Python type of the offending object.
    pub(crate) fn python_type(&self) -> &str {
        &self.0.python_type
    }

    /// What a model's own dump raised, if it did.
    pub(crate) fn cause(&self) -> Option<&PyErr> {
        self.0.cause.as_ref()
    }

    /// The place inside the value, such as `items[3].when`; empty for the value itself.
    pub(crate) fn place(&self) -> String {
        // A cyclic container would give a path of hundreds of steps; the outermost few say enough.
        const SHOWN: usize = 12;
        let mut text = String::new();
        for step in self.0.steps.iter().rev().take(SHOWN) {
            match step {
                Step::Index(index) => drop(write!(text, "[{index}]")),
                Step::Key(key) if is_bare(key) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(key);
                }
                Step::Key(key) => drop(write!(text, "[{key:?}]")),
            }
        }
        if self.0.steps.len() > SHOWN {
            text.push('…');
        }
        text
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self.0.problem {
            Problem::NotFinite => "value.not_finite",
            Problem::Key => "value.key_not_a_string",
            Problem::Surrogate => "value.lone_surrogate",
            Problem::Depth => "value.too_deep",
            Problem::Model | Problem::Object => "value.not_json",
        }
    }

    /// What is wrong, without the place.
    fn phrase(&self) -> &'static str {
        match self.0.problem {
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
        let python_type = self.python_type();
        if place.is_empty() {
            format!("{}, got `{python_type}`", self.phrase())
        } else {
            format!("{}, got `{python_type}` at `{place}`", self.phrase())
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self.0.problem {
            Problem::Model => {
                Some("pass `model.model_dump(mode=\"json\", by_alias=True)`, or use `@node`, which does it")
            }
            Problem::Object => match self.python_type() {
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
