//! The macro that writes a document class.

/// Writes the Python class of a document type.
///
/// ```ignore
/// document_class! {
///     /// Where a step's outcome leads.
///     class PyEdge("Edge", "wf_core.models") of Edge {
///         fields: [from_ = "from", outcome, to],
///     }
/// }
/// ```
///
/// An attribute whose key in JSON differs says so with `= "key"`; one whose name Rust does not allow has it as
/// `: "name"`. `tag: type = "node"` adds a constant attribute.
/// `shown: ["name"]` names attributes that are written by hand and belong to the repr. `state: Type` gives each object a place for something that is not part of the document, such as a cache.
/// `methods: { … }` adds methods; `new: { … }` replaces the constructor that takes the fields as keywords.
#[macro_export]
macro_rules! document_class {
    (
        $(#[$meta:meta])*
        class $py:ident($name:literal, $module:literal) of $core:ty {
            $(state: $state:ty,)?
            $(tag: $tag:literal = $word:literal,)?
            $(shown: [$($shown:literal),*],)?
            fields: [$($field:ident $(: $attribute:literal)? $(= $key:literal)?),* $(,)?],
            $(methods: { $($methods:tt)* },)?
        }
    ) => {
        $crate::document_class! {
            $(#[$meta])*
            class $py($name, $module) of $core {
                $(state: $state,)?
                $(tag: $tag = $word,)?
                $(shown: [$($shown),*],)?
                fields: [$($field $(: $attribute)? $(= $key)?),*],
                new: {
                    #[new]
                    #[pyo3(signature = (**fields))]
                    fn __new__(
                        py: pyo3::Python<'_>,
                        fields: Option<&pyo3::Bound<'_, pyo3::types::PyDict>>,
                    ) -> pyo3::PyResult<pyo3::PyClassInitializer<Self>> {
                        Ok(Self::above($crate::document::PyDocument::from_keywords(py, Self::INFO, fields)?))
                    }
                },
                $(methods: { $($methods)* },)?
            }
        }
    };
    (
        $(#[$meta:meta])*
        class $py:ident($name:literal, $module:literal) of $core:ty {
            $(state: $state:ty,)?
            $(tag: $tag:literal = $word:literal,)?
            $(shown: [$($shown:literal),*],)?
            fields: [$($field:ident $(: $attribute:literal)? $(= $key:literal)?),* $(,)?],
            new: { $($new:tt)* },
            $(methods: { $($methods:tt)* },)?
        }
    ) => {
        $(#[$meta])*
        #[pyo3::pyclass(name = $name, module = $module, extends = $crate::document::PyDocument, frozen, subclass)]
        pub(crate) struct $py {
            state: $crate::document_class!(@state $($state)?),
        }

        impl $crate::document::Keeps for $py {
            type Kept = $crate::document_class!(@state $($state)?);

            fn kept(&self) -> &Self::Kept {
                &self.state
            }
        }

        impl $py {
            /// What the base class knows of this class.
            pub(crate) const INFO: &'static $crate::document::ClassInfo = {
                static INFO: $crate::document::ClassInfo = $crate::document::ClassInfo {
                    name: $name,
                    attributes: &[$($tag,)? $($($shown,)*)? $($crate::document_class!(@first $($attribute,)? stringify!($field))),*],
                    aliases: &[$($((stringify!($field), $key),)?)*],
                    create: |py, value| {
                        let base = $crate::document::PyDocument::new(value, $py::INFO);
                        Ok(pyo3::Bound::new(py, $py::above(base))?.into_any())
                    },
                    kind: $crate::document::Kind::of::<$core>(),
                };
                &INFO
            };

            /// The whole object around its base part.
            pub(crate) fn above(base: $crate::document::PyDocument) -> pyo3::PyClassInitializer<Self> {
                pyo3::PyClassInitializer::from(base).add_subclass(Self { state: Default::default() })
            }
        }

        #[pyo3::pymethods]
        impl $py {
            $($new)*

            $(
                #[getter]
                #[pyo3(name = $tag)]
                fn tag(&self) -> &'static str {
                    $word
                }
            )?

            $(
                #[getter]
                $(#[pyo3(name = $attribute)])?
                fn $field<'py>(slf: &pyo3::Bound<'py, Self>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                    slf.as_super().get().field(slf.py(), $crate::document_class!(@first $($key,)? $($attribute,)? stringify!($field)))
                }
            )*

            $($($methods)*)?
        }
    };
    (@state $state:ty) => { $state };
    (@state) => { () };
    (@first $first:expr $(, $others:expr)*) => { $first };
}
