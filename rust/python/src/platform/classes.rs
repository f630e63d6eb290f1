//! Document classes with a past as dataclasses and models: fields by position, tuples, members of enums.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods, PyTuple};

use crate::document::{ClassInfo, PyDocument};

/// A list of a document as a tuple, for attributes that always were one.
pub(super) fn tuple<'py>(document: &Bound<'py, PyDocument>, key: &str) -> PyResult<Bound<'py, PyTuple>> {
    let list = document.get().field(document.py(), key)?;
    PyTuple::new(document.py(), list.try_iter()?.collect::<PyResult<Vec<_>>>()?)
}

/// A word of a document as a member of a Python enum; a missing word stays `None`.
pub(super) fn member<'py>(
    document: &Bound<'py, PyDocument>,
    key: &str,
    module: &str,
    class: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let word = document.get().field(document.py(), key)?;
    if word.is_none() { Ok(word) } else { document.py().import(module)?.getattr(class)?.call1((word,)) }
}

/// The base of a document whose fields came by position, by keyword, or both.
pub(super) fn from_arguments(
    py: Python<'_>,
    info: &'static ClassInfo,
    positions: &Bound<'_, PyTuple>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyDocument> {
    if positions.is_empty() {
        return PyDocument::from_keywords(py, info, keywords);
    }
    let names = info.attributes;
    if positions.len() > names.len() {
        let (most, given) = (names.len(), positions.len());
        return Err(PyTypeError::new_err(format!("{} takes at most {most} arguments, {given} given", info.name)));
    }
    let fields = keywords.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
    for (name, value) in names.iter().zip(positions) {
        if fields.contains(name)? {
            return Err(PyTypeError::new_err(format!("{} got two values for `{name}`", info.name)));
        }
        fields.set_item(name, value)?;
    }
    PyDocument::from_keywords(py, info, Some(&fields))
}

/// A document class whose constructor also takes its fields by position.
macro_rules! positional_class {
    (
        $(#[$meta:meta])*
        class $py:ident($name:literal, $module:literal) of $core:ty {
            fields: [$($fields:tt)*],
            $(methods: { $($methods:tt)* },)?
        }
    ) => {
        $crate::document_class! {
            $(#[$meta])*
            class $py($name, $module) of $core {
                fields: [$($fields)*],
                new: {
                    #[new]
                    #[pyo3(signature = (*positions, **fields))]
                    fn __new__(
                        py: pyo3::Python<'_>,
                        positions: &pyo3::Bound<'_, pyo3::types::PyTuple>,
                        fields: Option<&pyo3::Bound<'_, pyo3::types::PyDict>>,
                    ) -> pyo3::PyResult<pyo3::PyClassInitializer<Self>> {
                        let base = $crate::platform::classes::from_arguments(py, Self::INFO, positions, fields)?;
                        Ok(Self::above(base))
                    }
                },
                $(methods: { $($methods)* },)?
            }
        }
    };
}

/// A document class some of whose lists are tuples in Python, or some of whose words are members of an enum (no
/// class has both).
macro_rules! shaped_class {
    (
        $(#[$meta:meta])*
        class $py:ident($name:literal, $module:literal) of $core:ty {
            $(tuples: [$($tuple:ident = $tuple_key:literal),+ $(,)?],)?
            $(enums: [$($word:ident = $word_key:literal in $enum_module:literal as $enum:literal),+ $(,)?],)?
            fields: [$($fields:tt)*],
            $(methods: { $($methods:tt)* },)?
        }
    ) => {
        $crate::document_class! {
            $(#[$meta])*
            class $py($name, $module) of $core {
                shown: [$($($tuple_key),+)? $($($word_key),+)?],
                fields: [$($fields)*],
                methods: {
                    $($(
                        #[getter]
                        fn $tuple<'py>(
                            slf: &pyo3::Bound<'py, Self>,
                        ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyTuple>> {
                            $crate::platform::classes::tuple(slf.as_super(), $tuple_key)
                        }
                    )+)?
                    $($(
                        #[getter]
                        fn $word<'py>(
                            slf: &pyo3::Bound<'py, Self>,
                        ) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                            $crate::platform::classes::member(slf.as_super(), $word_key, $enum_module, $enum)
                        }
                    )+)?
                    $($($methods)*)?
                },
            }
        }
    };
}

pub(super) use {positional_class, shaped_class};
