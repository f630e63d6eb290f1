//! What can be wrong with a document.

use std::fmt;

/// One thing that is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The stable code, for example `document.missing`.
    pub code: &'static str,
    /// Where it is, for example `nodes[3].input[0].target`; empty for the document itself.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Everything that is wrong with a document, in document order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct DocumentError {
    /// The public name of the document.
    pub document: &'static str,
    /// The problems; never empty.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}] ", self.code)?;
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path)?;
        }
        formatter.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(formatter, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.problems.len();
        let plural = if count == 1 { "" } else { "s" };
        write!(formatter, "{count} problem{plural} in {}:", self.document)?;
        for problem in &self.problems {
            write!(formatter, "\n- {problem}")?;
        }
        Ok(())
    }
}
