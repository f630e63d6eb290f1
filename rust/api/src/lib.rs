//! Placeholder text replaced by the crate's own first paragraph.
