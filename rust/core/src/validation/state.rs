//! The reducers that the fields of the state name.

use super::{IssueCode, Severity, Validator};
use crate::document::push_key;
use crate::reducer::{BuiltinReducer, Reducer, ReducerError};

impl Validator<'_> {
    /// Checks that every reducer exists and takes the configuration it is given.
    pub(super) fn reducers(&mut self) {
        let Some(reducers) = self.checks.reducers else { return };
        for field in self.workflow.state_schema.fields() {
            let Err(error) = Reducer::find(&field.reducer, reducers) else { continue };
            let (code, hint) = match &error {
                ReducerError::Unknown { name } => {
                    let hint = self.hints.nearest(name, BuiltinReducer::ALL.iter().map(|reducer| reducer.name()));
                    (IssueCode::UnknownReducer, hint)
                }
                _ => (IssueCode::InvalidReducerConfig, None),
            };
            let mut path = "state_schema".to_owned();
            for part in field.path.parts() {
                push_key(&mut path, "properties");
                push_key(&mut path, part);
            }
            push_key(&mut path, "reducer");
            self.report.add(Severity::Error, code, path, error.to_string(), hint);
        }
    }
}
