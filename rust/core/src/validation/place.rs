//! Places in a document, written out only when there is an issue.

use std::fmt::{self, Write as _};

use crate::document::push_key;

/// A place below another one.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    above: Option<&'a Self>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Item(usize),
    Id(&'a str),
}

impl<'a> Place<'a> {
    /// A field of the workflow.
    pub(super) fn root(name: &'a str) -> Self {
        Self { above: None, step: Step::Field(name) }
    }

    /// A field of what is here.
    pub(super) fn field(&'a self, name: &'a str) -> Self {
        Self { above: Some(self), step: Step::Field(name) }
    }

    /// An item of the list that is here.
    pub(super) fn item(&'a self, index: usize) -> Self {
        Self { above: Some(self), step: Step::Item(index) }
    }

    /// An item that is named by its id.
    pub(super) fn id(&'a self, id: &'a str) -> Self {
        Self { above: Some(self), step: Step::Id(id) }
    }

    fn write(&self, path: &mut String) {
        if let Some(above) = self.above {
            above.write(path);
        }
        match self.step {
            Step::Field(name) => push_key(path, name),
            Step::Item(index) => write!(path, "[{index}]").expect("strings take everything"),
            Step::Id(id) => write!(path, "[{id}]").expect("strings take everything"),
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut path = String::new();
        self.write(&mut path);
        formatter.write_str(&path)
    }
}
